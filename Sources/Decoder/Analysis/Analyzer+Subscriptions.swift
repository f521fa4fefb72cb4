import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Writes and what they switch on, and notifications: what a link's configurations need of the databases, and
// of the protocols above ATT.

/// What a value that answers come by was sought in.
struct UnheardSearch: Equatable, Sendable {
    var kind: PrivateProtocol
    /// The peer's database as it was.
    var generation: Int
    /// How often the link's configurations had changed.
    var changes: Int
    /// How many protocols above ATT it spoke.
    var protocols: Int
}

extension Analyzer {
    /// A write of any kind: CCCD state, phases, and the anchor for notifications that follow.
    mutating func followWrite(
        _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        let opcode = frame.attPDU.opcode
        guard opcode.isWrite, let handle = frame.attPDU.handle else { return }
        if opcode == .prepareWriteRequest || frame.attPDU.value == nil || isCut,
            frame.attPDU.label?.mayBeClientConfiguration ?? true
        {
            links[slot].subscriptions.mayBeMissing = true
        }
        // A value that is prepared is written by Execute Write.
        guard opcode != .prepareWriteRequest, let value = frame.attPDU.value else { return }
        links[slot].counts.writes.add(sender)
        if sender == .host {
            links[slot].lastWrite.note(frame, payload, value, heard: links[slot].heardOfPeer)
        }
        // Only a value of two octets that is there whole is a configuration.
        if value.count == 2, !isCut, let state = payload.u16le(at: value.lowerBound),
            configure(handle, state, slot, bearer, sender)
        {
            return
        }
        links[slot].wrote(sender, bearer, frame.place, frame.time)
    }

    /// Follows a write to a CCCD, or to what may be one; true where it is one.
    private mutating func configure(
        _ handle: UInt16, _ state: UInt16, _ slot: Int, _ bearer: Int, _ client: Side
    ) -> Bool {
        let write = ConfigurationWrite(
            server: client.other, descriptor: handle, frame: frame.place, time: frame.time)
        // Hosts that know a descriptor by its place alone never ask for its type: 0 to 3 written to the one
        // behind a value that notifies or indicates is its configuration.
        if client == .host, state <= 3, frame.attPDU.label?.part == .descriptor(nil),
            let value = peers[links[slot].peer].database.characteristic(ofDescriptor: handle),
            value.properties & 0x30 != 0
        {
            infer(write, slot)
            frame.attPDU.label = databaseLabel(of: handle, server: .peer, slot)
        }
        let label = frame.attPDU.label
        let isCertain = label?.mayBeClientConfiguration == true
        guard isCertain || label == nil && state <= 3 else { return false }
        let isRequest = frame.attPDU.opcode == .writeRequest
        if !links[slot].configure(write, state, isRequest: isRequest, isCertain: isCertain, bearer) {
            reportFull(.subscriptions)
        }
        // Where the log has no responses, this one won't be seen either.
        if isCertain, isRequest, !links[slot].showsResponses {
            noteSubscribed(handle, state, write.server, slot, at: frame.time)
        }
        return isCertain
    }

    /// Notes that a descriptor of the peer is used as a CCCD.
    private mutating func infer(_ write: ConfigurationWrite, _ slot: Int) {
        let origin = AttributeDatabase.Origin(
            source: .inferred, file: UInt16(truncatingIfNeeded: write.frame.file), frame: write.frame.frame,
            link: links[slot].number)
        peers.withDatabase(of: links[slot].peer) {
            $0.add(.init(handle: write.descriptor, type: BluetoothUUID(0x2902 as UInt16), origin: origin))
        }
    }

    /// A configuration has this value for sure: the server took the write at this time, or showed it.
    private mutating func noteSubscribed(
        _ descriptor: UInt16, _ state: UInt16, _ server: Side, _ slot: Int, at time: CaptureTime
    ) {
        guard server == .peer, state & 3 != 0 else { return }
        let database = peers[links[slot].peer].database
        var purpose = SubscribedTo.other
        if let uuid = database.characteristic(ofDescriptor: descriptor)?.uuid {
            purpose =
                annotators.watched.listener(uuid, in: database.service(at: descriptor)?.uuid)
                ?? (uuid.assigned16 == 0x2A05 ? .nothing : .other)
        }
        links[slot].subscriptions.confirm(purpose, at: time)
    }

    /// The server took a write to a configuration.
    mutating func confirmSubscription(_ pending: PendingRequest, server: Side, _ slot: Int) {
        // What only may be a configuration is known to be one when its value notifies.
        guard let state = links[slot].subscriptions.value(server, atDescriptor: pending.handle),
            databaseLabel(of: pending.handle, server: server, slot)?.mayBeClientConfiguration == true
        else { return }
        noteSubscribed(pending.handle, state, server, slot, at: pending.time)
    }

    /// The server refused a write to a configuration, which stays what it was.
    mutating func refuseSubscription(_ pending: PendingRequest, server: Side, _ slot: Int) {
        let label = databaseLabel(of: pending.handle, server: server, slot)
        links[slot].subscriptions.refuse(
            pending, server, error: frame.attPDU.error, isCertain: label?.mayBeClientConfiguration == true)
    }

    /// The server showed a configuration.
    mutating func learnConfiguration(_ descriptor: UInt16, _ state: UInt16, server: Side, _ slot: Int) {
        if !links[slot].subscriptions.set(server, atDescriptor: descriptor, state) {
            reportFull(.subscriptions)
        }
        noteSubscribed(descriptor, state, server, slot, at: frame.time)
    }

    // MARK: Notifications

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
        if frame.attPDU.afterWrite != nil { followControl(payload, handle, slot, sender) }
        if sender == .peer, links[slot].subscriptions.possible != nil { inferSubscription(handle, slot) }
        checkSubscription(handle, payload, sender, slot, isIndication: isIndication)
    }

    /// A two-octet write just behind a value that now notifies was its CCCD's.
    private mutating func inferSubscription(_ handle: UInt16, _ slot: Int) {
        guard let write = links[slot].subscriptions.possible, write.follows(handle),
            peers.label(of: write.descriptor, peer: links[slot].peer, link: links[slot].number) == nil
        else { return }
        links[slot].subscriptions.possible = nil
        infer(write, slot)
        let state = links[slot].subscriptions.value(.peer, atDescriptor: write.descriptor) ?? 0
        noteSubscribed(write.descriptor, state, .peer, slot, at: write.time)
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
        let place = server == .peer ? labels.place(of: labelKey(handle, slot), slot) : nil
        let changes = links[slot].subscriptions.changes
        if let place, labels[place].isAsked(bit, changes) { return }
        if !isAsked(handle, bit, server, slot) {
            if isServiceChanged(handle, payload, isIndication: isIndication) { return }
            reportUnsubscribed(handle, server, slot)
        } else if let place {
            labels[place].noteAsked(bit, changes)
        }
    }

    /// Whether a configuration has a bit that switches a value on, or may be that value's.
    mutating func isAsked(_ handle: UInt16, _ bit: UInt16, _ server: Side, _ slot: Int) -> Bool {
        let (file, adapter, peer) = (links[slot].file, links[slot].adapter, links[slot].peer)
        let generation =
            server == .peer ? peers.generation(of: peer) : adapters.generation(file, adapter)
        if links[slot].subscriptions.isOutdated(server, generation: generation) {
            upkeep.askedValues &+= 1
            let database = server == .peer ? peers[peer].database : adapters.database(file, adapter)
            links[slot].subscriptions.workOut(server, database, generation: generation)
        }
        return links[slot].subscriptions.asks(server, handle, bit)
    }

    /// Reports a value that nothing asked for; again only where a configuration changed since.
    @inline(never)
    private mutating func reportUnsubscribed(_ handle: UInt16, _ server: Side, _ slot: Int) {
        var problem = Problem(.att(.notSubscribed(handle)))
        if server == .peer { problem.isToldBefore = links[slot].subscriptions.tell(handle) }
        problems.append(problem)
    }

    /// Whether an indication is Service Changed, by its label or, where there is none, as
    /// ``noteServiceChanged(_:_:_:)`` knows it.
    private func isServiceChanged(_ handle: UInt16, _ payload: RawSpan, isIndication: Bool) -> Bool {
        guard isIndication, handle == frame.attPDU.handle else { return false }
        if let label = frame.attPDU.label {
            return label.part == .value && label.characteristic?.assigned16 == 0x2A05
        }
        guard payload.byteCount == 7, let low = payload.u16le(at: 3) else { return false }
        return low != 0 && payload.u16le(at: 5) == 0xFFFF
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
        links[slot].subscriptions.forget(server, low...high)
    }

    // MARK: Answers that could not come

    /// Reports that the value that answers come by was never switched on, once a link, before what had no
    /// answer is: it is the cause.
    mutating func reportUnheard(_ slot: Int, of kind: PrivateProtocol) {
        guard links[slot].unheard == nil, links[slot].mayBeUnheard else { return }
        // What is not found is not there until what it is sought in changes.
        let sought = UnheardSearch(
            kind: kind, generation: peers.generation(of: links[slot].peer),
            changes: links[slot].subscriptions.changes, protocols: annotators.links[slot].uses.count)
        guard links[slot].soughtInVain != sought else { return }
        upkeep.unheardValues &+= 1
        guard let value = unheardValue(slot, of: kind) else {
            links[slot].soughtInVain = sought
            return
        }
        links[slot].unheard = value
        let name = annotators.watched.name(value.uuid).map { "\($0)" } ?? "\(value.uuid)"
        var text = "notifications of \(name) (\(ProblemText.hex(value.handle))) were never enabled on this"
        text += " connection"
        // The refused write that would have switched it on.
        let refused = links[slot].refusedSubscription
        let database = peers[links[slot].peer].database
        guard let refused, database.valueHandle(ofDescriptor: refused.descriptor) == value.handle else {
            return report(.att(.notEnabled(text + ", so no answer could come")), on: slot)
        }
        let error = ATTErrorCode(rawValue: refused.error).name.map { "\($0)" } ?? "error \(refused.error)"
        text += ": the write of frame \(refused.frame.text(from: frame.place.file)) was refused, \(error)"
        report(.att(.notEnabled(text)), by: .peer, on: slot)
    }

    /// The value that answers come by, where for sure nothing switched it on; nil else.
    func unheardValue(_ slot: Int, of kind: PrivateProtocol) -> UnheardValue? {
        guard links[slot].mayBeUnheard else { return nil }
        return links[slot].subscriptions.unheard(in: peers[links[slot].peer].database) { uuid, service in
            annotators.watched.mayMatch(uuid) && annotators.bringsAnswers(uuid, in: service, of: kind, slot)
        }
    }
}
