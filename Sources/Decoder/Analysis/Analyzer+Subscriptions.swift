import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Writes to CCCDs, the notifications that they enable, and what both mean to databases and protocols above
// ATT.

/// Inputs of a search for a response characteristic; a search with equal inputs is not repeated.
struct UnsubscribedSearch: Equatable, Sendable {
    var kind: PrivateProtocol
    /// The generation of the peer's database.
    var generation: Int
    /// Number of changes to the link's configurations.
    var changes: Int
    /// Number of protocols above ATT on the link.
    var protocols: Int
}

extension Analyzer {
    /// Handles a write of any kind: CCCD state, phases, and the reference for later notifications.
    mutating func followWrite(_ payload: RawSpan, _ sender: Side, isCut: Bool) {
        let opcode = frame.attPDU.opcode
        guard opcode.isWrite, let handle = frame.attPDU.handle else { return }
        if opcode == .prepareWriteRequest || frame.attPDU.value == nil || isCut,
            frame.attPDU.label?.mayBeClientConfiguration ?? true
        {
            link.subscriptions.writesMayBeMissing = true
        }
        // A prepared value is written by Execute Write.
        guard opcode != .prepareWriteRequest, let value = frame.attPDU.value else { return }
        link.counts.writes.add(sender)
        if sender == .host {
            link.lastWrite.note(frame, payload, value, heard: link.peerActivityCount)
        }
        // Only a complete value of two bytes is a configuration.
        if value.count == 2, !isCut, let state = payload.u16le(at: value.lowerBound),
            configure(handle, to: state, sender)
        {
            return
        }
        if !isCut { noteControl(payload.clamped(value), of: handle, sender.other) }
        link.wrote(sender, bearer: frame.bearer, frame.place, frame.time)
    }

    /// Handles a write to a CCCD, or to a descriptor that may be one; returns whether it certainly is one.
    private mutating func configure(_ handle: UInt16, to state: UInt16, _ client: Side) -> Bool {
        let write = ConfigurationWrite(
            server: client.other, descriptor: handle, frame: frame.place, time: frame.time)
        // Hosts that know a descriptor only by its position never read its type. If they write 0 to 3 to the
        // one after a value that notifies or indicates, it is the value's CCCD.
        if client == .host, state <= 3, frame.attPDU.label?.part == .descriptor(nil),
            let value = peers[link.peer].database.characteristic(ofDescriptor: handle),
            value.properties & 0x30 != 0
        {
            infer(write)
            frame.attPDU.label = databaseLabel(of: handle, server: .peer)
        }
        let label = frame.attPDU.label
        let isCertain = label?.mayBeClientConfiguration == true
        guard isCertain || label == nil && state <= 3 else { return false }
        let isRequest = frame.attPDU.opcode == .writeRequest
        if !link.configure(write, to: state, isRequest: isRequest, isCertain: isCertain, bearer: frame.bearer)
        {
            reportFull(.subscriptions)
        }
        // If the log has no responses, it won't have this one either.
        if isCertain, isRequest, !link.showsResponses {
            noteSubscribed(handle, to: state, write.server, at: frame.time)
        }
        return isCertain
    }

    /// Records that a descriptor of the peer is used as a CCCD.
    private mutating func infer(_ write: ConfigurationWrite) {
        let origin = AttributeDatabase.Origin(
            source: .inferred, file: UInt16(truncatingIfNeeded: write.frame.file), frame: write.frame.frame,
            link: link.number)
        peers.withDatabase(of: link.peer) {
            $0.add(.init(handle: write.descriptor, type: BluetoothUUID(0x2902 as UInt16), origin: origin))
        }
    }

    /// Records since when the peer's values are enabled, for the phases of the link: its server accepted the
    /// write of this state at this time, or showed the state.
    private mutating func noteSubscribed(
        _ descriptor: UInt16, to state: UInt16, _ server: Side, at time: CaptureTime
    ) {
        guard server == .peer, state & 3 != 0 else { return }
        let database = peers[link.peer].database
        var purpose = SubscribedTo.other
        if let uuid = database.characteristic(ofDescriptor: descriptor)?.uuid {
            purpose =
                annotators.listener(uuid, in: database.service(at: descriptor)?.uuid)
                ?? (uuid.assigned16 == 0x2A05 ? .nothing : .other)
        }
        link.subscriptions.confirm(purpose, at: time)
    }

    /// Handles the server's confirmation of a write to a configuration.
    mutating func confirmSubscription(_ pending: PendingRequest, server: Side) {
        // A descriptor that may be a configuration counts as one only after a notification of its value.
        guard let state = link.subscriptions.value(server, atDescriptor: pending.handle),
            databaseLabel(of: pending.handle, server: server)?.mayBeClientConfiguration == true
        else { return }
        noteSubscribed(pending.handle, to: state, server, at: frame.time)
    }

    /// Handles the server's refusal of a write to a configuration, which keeps its value.
    mutating func refuseSubscription(_ pending: PendingRequest, server: Side) {
        let label = databaseLabel(of: pending.handle, server: server)
        link.subscriptions.refuse(
            pending, server, at: frame.place, error: frame.attPDU.error,
            isCertain: label?.mayBeClientConfiguration == true)
    }

    /// Records a configuration's value that the server showed.
    mutating func learnConfiguration(of descriptor: UInt16, _ state: UInt16, server: Side) {
        if !link.subscriptions.set(server, atDescriptor: descriptor, to: state) {
            reportFull(.subscriptions)
        }
        noteSubscribed(descriptor, to: state, server, at: frame.time)
    }

    // MARK: Notifications

    mutating func followNotification(_ payload: RawSpan, _ sender: Side) {
        let isIndication = frame.attPDU.opcode == .handleValueIndication
        if let write = link.notified(
            by: sender, isIndication: isIndication, bearer: frame.bearer, at: frame.time)
        {
            frame.attPDU.afterWrite = RequestReference(
                place: write.frame, latency: frame.time.nanoseconds &- write.time.nanoseconds)
        }
        if frame.attPDU.opcode == .multipleHandleValueNotification {
            var at = 1
            while let handle = payload.u16le(at: at), let length = payload.u16le(at: at &+ 2) {
                checkSubscription(to: handle, payload, sender, isIndication: false)
                at &+= 4 &+ Int(length)
            }
            return
        }
        guard let handle = frame.attPDU.handle else { return }
        if sender == .peer, link.subscriptions.firstValue == 0 {
            link.subscriptions.firstValue = handle
        }
        if frame.attPDU.afterWrite != nil { followControl(payload, of: handle, sender) }
        if sender == .peer, link.subscriptions.possible != nil {
            inferSubscription(to: handle)
        }
        checkSubscription(to: handle, payload, sender, isIndication: isIndication)
    }

    /// Concludes that a two-byte write just behind a value that now notifies was to its CCCD.
    private mutating func inferSubscription(to handle: UInt16) {
        guard let write = link.subscriptions.possible, write.follows(handle),
            peers.label(of: write.descriptor, peer: link.peer, link: link.number) == nil
        else { return }
        link.subscriptions.possible = nil
        infer(write)
        let state = link.subscriptions.value(.peer, atDescriptor: write.descriptor) ?? 0
        noteSubscribed(write.descriptor, to: state, .peer, at: write.time)
    }

    /// Reports a notification that nothing on this link enabled, if the whole link is in the log.
    ///
    /// A bonded peer remembers subscriptions, and Service Changed may be indicated without being enabled
    /// again, by the peer and by the local server: neither is reported.
    private mutating func checkSubscription(
        to handle: UInt16, _ payload: RawSpan, _ server: Side, isIndication: Bool
    ) {
        guard !link.mayLackEarlierPackets, !link.isBonded, !link.isEncrypted else { return }
        let bit: UInt16 = isIndication ? 2 : 1
        // Values come in series: a value stays enabled until a configuration or the database changes.
        let place = server == .peer ? labels.place(of: labelKey(of: handle), slot: frame.link) : nil
        let changes = link.subscriptions.changes
        if let place, labels[place].isEnabled(by: bit, at: changes) { return }
        if !isEnabled(handle, by: bit, server, slot: frame.link) {
            if isServiceChanged(handle, payload, isIndication: isIndication) { return }
            reportUnsubscribed(handle, server, isIndication: isIndication)
        } else if let place {
            labels[place].noteEnabled(by: bit, at: changes)
        }
    }

    /// Whether a configuration enables a value by this bit, or may do so because its value is unknown.
    mutating func isEnabled(_ handle: UInt16, by bit: UInt16, _ server: Side, slot: Int) -> Bool {
        let (file, adapter, peer) = (links[slot].file, links[slot].adapter, links[slot].peer)
        let generation =
            server == .peer ? peers.generation(of: peer) : adapters.generation(file: file, adapter: adapter)
        if links[slot].subscriptions.isOutdated(server, generation: generation) {
            upkeep.enabledValues &+= 1
            let database =
                server == .peer ? peers[peer].database : adapters.database(file: file, adapter: adapter)
            links[slot].subscriptions.computeValues(server, database, generation: generation)
        }
        return links[slot].subscriptions.enables(server, handle, by: bit)
    }

    /// Reports a value that nothing enabled; again only after a configuration changed.
    @inline(never)
    private mutating func reportUnsubscribed(_ handle: UInt16, _ server: Side, isIndication: Bool) {
        var problem = Problem(.att(.notSubscribed(handle, isIndication: isIndication)))
        if server == .peer { problem.wasReportedBefore = link.subscriptions.noteReported(handle) }
        problems.append(problem)
    }

    /// Whether an indication is Service Changed, by its label or, without a label, by the rule of
    /// ``noteServiceChanged(_:_:)``.
    private func isServiceChanged(_ handle: UInt16, _ payload: RawSpan, isIndication: Bool) -> Bool {
        guard isIndication, handle == frame.attPDU.handle else { return false }
        if let label = frame.attPDU.label {
            return label.part == .value && label.characteristic?.assigned16 == 0x2A05
        }
        guard payload.byteCount == 7, let low = payload.u16le(at: 3) else { return false }
        return low != 0 && payload.u16le(at: 5) == 0xFFFF
    }

    /// Forgets the range of handles in a Service Changed indication.
    mutating func noteServiceChanged(_ payload: RawSpan, _ server: Side) {
        guard let value = frame.attPDU.value, value.count == 4 else { return }
        let range = payload.clamped(value)
        guard let low = range.u16le(at: 0), let high = range.u16le(at: 2), low != 0, low <= high else {
            return
        }
        // If the attribute is unknown, a false match only discards knowledge that may be outdated.
        guard
            frame.attPDU.label.map({ $0.part == .value && $0.characteristic?.assigned16 == 0x2A05 })
                ?? (high == 0xFFFF)
        else { return }
        withDatabase(of: server) { $0.invalidate(low...high) }
        link.subscriptions.forget(server, low...high)
    }

    // MARK: Answers that were never enabled

    /// Reports, once for each link, that the response characteristic was never enabled. This comes before the
    /// report of missing responses, since it is their cause.
    mutating func reportUnsubscribed(slot: Int, of kind: PrivateProtocol) {
        guard links[slot].unsubscribedResponses == nil, links[slot].canProveUnsubscribed else { return }
        // A failed search is repeated only after its inputs changed.
        let sought = UnsubscribedSearch(
            kind: kind, generation: peers.generation(of: links[slot].peer),
            changes: links[slot].subscriptions.changes, protocols: annotators.links[slot].uses.count)
        guard links[slot].failedSearch != sought else { return }
        upkeep.unsubscribedSearches &+= 1
        guard let value = unsubscribedResponses(slot: slot, of: kind) else {
            links[slot].failedSearch = sought
            return
        }
        links[slot].unsubscribedResponses = value
        let name = annotators.name(value.uuid).map { "\($0)" } ?? "\(value.uuid)"
        let sent = value.isIndicated ? "indications" : "notifications"
        var text: Sentence =
            "\(sent) of \(name) (\(ProblemText.hex(value.handle))) were never enabled on this"
        text += " connection"
        // The refused write that would have enabled it.
        let refused = links[slot].refusedSubscription
        let database = peers[links[slot].peer].database
        guard let refused, database.valueHandle(ofDescriptor: refused.descriptor) == value.handle else {
            return report(.att(.notEnabled(text + ", so no answer could come")), on: slot)
        }
        let error = ATTErrorCode(rawValue: refused.error).name.map { "\($0)" } ?? "error \(refused.error)"
        text += ": the write of frame \(refused.frame) was refused, \(error)"
        report(.att(.notEnabled(text)), by: .peer, on: slot)
    }

    /// Returns the response characteristic, if it is certain that nothing enabled it; else nil.
    func unsubscribedResponses(slot: Int, of kind: PrivateProtocol) -> UnsubscribedResponses? {
        guard links[slot].canProveUnsubscribed else { return nil }
        return links[slot].subscriptions.unsubscribedResponses(in: peers[links[slot].peer].database) {
            uuid, service in
            annotators.bringsAnswers(uuid, in: service, of: kind, slot: slot)
        }
    }
}
