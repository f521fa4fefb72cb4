import BluetoothCore
import CaptureFile
import WireBytes

// Writes and what they switch on: the state of Client Characteristic Configurations, and notifications.

extension Analyzer {
    /// A write of any kind: CCCD state, phases, and the anchor for notifications that follow.
    mutating func followWrite(
        _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        let opcode = frame.attPDU.opcode
        guard opcode.isWrite, let handle = frame.attPDU.handle else { return }
        guard opcode != .prepareWriteRequest, let value = frame.attPDU.value, !isCut else {
            if frame.attPDU.label?.mayBeClientConfiguration ?? true { links[slot].mayHaveSubscribed = true }
            // A value that is prepared is written by Execute Write.
            guard opcode != .prepareWriteRequest, frame.attPDU.value != nil else { return }
            links[slot].counts.writes.add(sender)
            return links[slot].wrote(sender, bearer, frame.place, frame.time)
        }
        links[slot].counts.writes.add(sender)
        // Only a value of two octets that is there whole is a configuration.
        if value.count == 2 {
            let octets = payload.clamped(value)
            let server = sender.other
            if inferConfiguration(frame.attPDU.label, handle, octets, server, slot) {
                frame.attPDU.label = databaseLabel(of: handle, server: server, slot)
            }
            if configure(frame.attPDU.label, handle, octets, server, slot, bearer, opcode) { return }
        }
        links[slot].wrote(sender, bearer, frame.place, frame.time)
    }

    /// Follows a write to a CCCD, or to what may be one; true where it is one.
    private mutating func configure(
        _ label: AttributeLabel?, _ handle: UInt16, _ value: RawSpan, _ server: Side, _ slot: Int,
        _ bearer: Int, _ opcode: ATTOpcode
    ) -> Bool {
        guard value.byteCount == 2, let state = value.u16le(at: 0) else { return false }
        let isConfiguration = label?.mayBeClientConfiguration == true
        guard isConfiguration || label == nil && state <= 3 else { return false }
        if opcode == .writeRequest {
            let before = links[slot].subscription(server, atDescriptor: handle)
            links[slot].bearers[bearer][requestOf: server.other].before = before
            links[slot].bearers[bearer][requestOf: server.other].configures = true
        }
        if !links[slot].subscribe(server, atDescriptor: handle, state) { reportFull(.subscriptions) }
        guard isConfiguration else {
            links[slot].possibleSubscription = (server, handle, frame.header.file, frame.number, frame.time)
            return false
        }
        // Where the log has no responses, this one won't be seen either.
        if opcode == .writeRequest, !links[slot].showsResponses {
            noteSubscribed(handle, state, server, slot, at: frame.time)
        }
        return true
    }

    /// Hosts that know a descriptor by its place alone never ask for its type: two octets 0 to 3 written to
    /// the one behind a value that notifies or indicates are its configuration. True where that was found.
    private mutating func inferConfiguration(
        _ label: AttributeLabel?, _ handle: UInt16, _ value: RawSpan, _ server: Side, _ slot: Int
    ) -> Bool {
        guard server == .peer, label?.part == .descriptor(nil), value.byteCount == 2,
            let state = value.u16le(at: 0), state <= 3,
            peers.properties(ofDescriptor: handle, peer: links[slot].peer) & 0x30 != 0
        else { return false }
        infer(handle, file: frame.header.file, frame: frame.number, slot)
        return true
    }

    /// Notes that a descriptor of the peer is used as a CCCD.
    private mutating func infer(_ handle: UInt16, file: UInt16, frame: Int, _ slot: Int) {
        let origin = AttributeDatabase.Origin(
            source: .inferred, file: file, frame: frame, link: links[slot].number)
        peers.withDatabase(of: links[slot].peer) {
            $0.add(.init(handle: handle, type: BluetoothUUID(0x2902 as UInt16), origin: origin))
        }
    }

    mutating func followNotification(_ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side) {
        let isIndication = frame.attPDU.opcode == .handleValueIndication
        if let write = links[slot].notified(
            by: sender, isIndication: isIndication, bearer, at: frame.time)
        {
            frame.attPDU.afterWrite = RequestReference(
                place: write.frame, latency: frame.time.nanoseconds &- write.time.nanoseconds)
        }
        if frame.attPDU.opcode == .multipleHandleValueNotification {
            var at = 1
            while let handle = payload.u16le(at: at), let length = payload.u16le(at: at &+ 2) {
                checkSubscription(handle, payload, sender, slot, isIndication: false)
                at &+= 4 &+ Int(length)
            }
            return
        }
        guard let handle = frame.attPDU.handle else { return }
        if sender == .peer, links[slot].possibleSubscription != nil { inferSubscription(handle, slot) }
        checkSubscription(handle, payload, sender, slot, isIndication: isIndication)
    }

    /// A two-octet write just behind a value that now notifies was its CCCD's.
    private mutating func inferSubscription(_ handle: UInt16, _ slot: Int) {
        guard let possible = links[slot].possibleSubscription, possible.server == .peer,
            possible.handle == handle &+ 1,
            peers.label(of: possible.handle, peer: links[slot].peer, link: links[slot].number) == nil
        else { return }
        links[slot].possibleSubscription = nil
        infer(possible.handle, file: possible.file, frame: possible.frame, slot)
        noteSubscribed(
            possible.handle, links[slot].subscription(.peer, atDescriptor: possible.handle) ?? 0, .peer,
            slot, at: possible.time)
    }

    /// A notification that nothing on this link asked for, where the whole link is in the log.
    ///
    /// A bonded peer remembers subscriptions, and Service Changed may be indicated without being asked for
    /// again, of the peer and of the local server: neither is reported.
    private mutating func checkSubscription(
        _ handle: UInt16, _ payload: RawSpan, _ server: Side, _ slot: Int, isIndication: Bool
    ) {
        guard !links[slot].wasOpenAtStart, !links[slot].isBonded, !links[slot].isEncrypted else { return }
        let bit: UInt16 = isIndication ? 2 : 1
        // Values come in rows: what was asked for stays so until a configuration or the database changes.
        let place = labels.place(of: labelKey(handle, slot), slot)
        let changes = links[slot].subscriptionChanges
        if server == .peer, let place, labels[place].askedBits & bit != 0,
            labels[place].askedAt == changes
        {
            return
        }
        if !isAsked(handle, bit, server, slot) {
            if isServiceChanged(handle, payload, isIndication: isIndication) { return }
            reportUnsubscribed(handle, server, slot)
        } else if server == .peer, let place {
            if labels[place].askedAt != changes { labels[place].askedBits = 0 }
            labels[place].askedBits |= bit
            labels[place].askedAt = changes
        }
    }

    /// Whether a configuration has a bit that switches a value on, or may be that value's.
    private mutating func isAsked(
        _ handle: UInt16, _ bit: UInt16, _ server: Side, _ slot: Int
    ) -> Bool {
        let place = 2 &* slot &+ (server == .host ? 1 : 0)
        while askedValues.count <= place { askedValues.append(SubscribedValues()) }
        let source = SubscribedValues.Source(
            link: links[slot].number, changes: links[slot].subscriptionChanges,
            generation: server == .peer
                ? peers.generation(of: links[slot].peer)
                : adapters.generation(links[slot].file, links[slot].adapter))
        if askedValues[place].source != source {
            upkeep.askedValues &+= 1
            var values = SubscribedValues(source)
            for entry in links[slot].subscriptions where entry.isHosts == (server == .host) {
                values.add(entry, valueHandle(ofDescriptor: entry.handle, server, slot))
            }
            values.sort()
            askedValues[place] = values
        }
        return askedValues[place].asks(handle, bit)
    }

    private func valueHandle(ofDescriptor handle: UInt16, _ server: Side, _ slot: Int) -> UInt16? {
        switch server {
        case .peer: peers.valueHandle(ofDescriptor: handle, peer: links[slot].peer)
        case .host:
            adapters.valueHandle(ofDescriptor: handle, links[slot].file, links[slot].adapter)
        }
    }

    /// A Service Changed indication takes away what was known about its range of handles.
    mutating func noteServiceChanged(_ payload: RawSpan, _ slot: Int, _ server: Side) {
        guard let value = frame.attPDU.value, value.count == 4 else { return }
        let range = payload.clamped(value)
        guard let low = range.u16le(at: 0), let high = range.u16le(at: 2), low != 0, low <= high else {
            return
        }
        // Where the attribute is not known, four octets that look like it cost what they may make wrong.
        guard
            frame.attPDU.label.map({ $0.part == .value && $0.characteristic?.assigned16 == 0x2A05 })
                ?? (high == 0xFFFF)
        else { return }
        withDatabase(of: server, slot) { $0.invalidate(low...high) }
        links[slot].subscriptions.removeAll {
            $0.isHosts == (server == .host) && (low...high).contains($0.handle)
        }
    }
}
