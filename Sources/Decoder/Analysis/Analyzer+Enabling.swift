public import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Which notifications are on for sure, and what follows where those that answers come by never were.

/// A value that answers come by, and that was never switched on.
public struct UnheardValue: Hashable, Sendable {
    /// Its handle.
    public var handle: UInt16
    /// Its characteristic.
    public var uuid: BluetoothUUID
}

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
    /// A configuration has this value for sure: the server took the write at this time, or showed it.
    mutating func noteSubscribed(
        _ descriptor: UInt16, _ state: UInt16, _ server: Side, _ slot: Int, at time: CaptureTime
    ) {
        guard server == .peer, state & 3 != 0 else { return }
        let use = use(ofDescriptor: descriptor, slot)
        guard use.rawValue > links[slot].subscribedTo.rawValue else { return }
        links[slot].subscribedTo = use
        links[slot].phases.subscribed = time
    }

    /// Who listens to the value that a descriptor of the peer configures.
    private func use(ofDescriptor descriptor: UInt16, _ slot: Int) -> SubscribedTo {
        let database = peers[links[slot].peer].database
        guard let uuid = database.characteristic(ofDescriptor: descriptor)?.uuid else { return .other }
        let service = database.service(at: descriptor)?.uuid
        return annotators.watched.listener(uuid, in: service)
            ?? (uuid.assigned16 == 0x2A05 ? .nothing : .other)
    }

    /// The server took a write to a configuration.
    mutating func confirmSubscription(_ pending: PendingRequest, server: Side, _ slot: Int) {
        // What only may be a configuration is known to be one when its value notifies.
        guard let state = links[slot].subscription(server, atDescriptor: pending.handle),
            databaseLabel(of: pending.handle, server: server, slot)?.mayBeClientConfiguration == true
        else { return }
        noteSubscribed(pending.handle, state, server, slot, at: pending.time)
    }

    /// The server refused a write to a configuration, which stays what it was.
    mutating func refuseSubscription(_ pending: PendingRequest, server: Side, _ slot: Int) {
        let state = links[slot].subscription(server, atDescriptor: pending.handle) ?? 0
        _ = links[slot].subscribe(server, atDescriptor: pending.handle, pending.before)
        guard server == .peer, state & 3 != 0,
            databaseLabel(of: pending.handle, server: server, slot)?.mayBeClientConfiguration == true
        else { return }
        links[slot].refusedSubscription = (pending.handle, pending.frame, frame.attPDU.error ?? 0)
        if links[slot].phases.subscribed == pending.time {
            links[slot].phases.subscribed = nil
            links[slot].subscribedTo = .nothing
        }
    }

    /// The server showed a configuration.
    mutating func learnConfiguration(_ descriptor: UInt16, _ state: UInt16, server: Side, _ slot: Int) {
        if !links[slot].subscribe(server, atDescriptor: descriptor, state) { reportFull(.subscriptions) }
        noteSubscribed(descriptor, state, server, slot, at: frame.time)
    }

    /// Reports a value that nothing asked for; again only where a configuration changed since.
    @inline(never)
    mutating func reportUnsubscribed(_ handle: UInt16, _ server: Side, _ slot: Int) {
        report(.att(.notSubscribed(handle)))
        guard server == .peer else { return }
        if links[slot].toldUnsubscribed.at != links[slot].subscriptionChanges {
            links[slot].toldUnsubscribed = ([], links[slot].subscriptionChanges)
        }
        if links[slot].toldUnsubscribed.handles.contains(handle) {
            problems[problems.count - 1].isToldBefore = true
        } else if links[slot].toldUnsubscribed.handles.count < Self.toldLimit {
            links[slot].toldUnsubscribed.handles.append(handle)
        }
    }

    /// How many values of a link are kept as told.
    private static let toldLimit = 16

    /// Whether an indication is Service Changed, by its label or, where there is none, as
    /// ``noteServiceChanged(_:_:_:)`` knows it.
    func isServiceChanged(_ handle: UInt16, _ payload: RawSpan, isIndication: Bool) -> Bool {
        guard isIndication, handle == frame.attPDU.handle else { return false }
        if let label = frame.attPDU.label {
            return label.part == .value && label.characteristic?.assigned16 == 0x2A05
        }
        guard payload.byteCount == 7, let low = payload.u16le(at: 3) else { return false }
        return low != 0 && payload.u16le(at: 5) == 0xFFFF
    }

    // MARK: Answers that could not come

    /// Reports that the value that answers come by was never switched on, once a link, before what had no
    /// answer is: it is the cause.
    ///
    /// Nothing is said of a bonded peer, which remembers what was switched on before, or where a part of the
    /// log is missing.
    mutating func reportUnheard(_ slot: Int, of kind: PrivateProtocol) {
        guard links[slot].unheard == nil, mayBeUnheard(slot) else { return }
        // What is not found is not there until what it is sought in changes.
        let sought = UnheardSearch(
            kind: kind, generation: peers.generation(of: links[slot].peer),
            changes: links[slot].subscriptionChanges, protocols: annotators.links[slot].uses.count)
        guard links[slot].soughtInVain != sought else { return }
        upkeep.unheardValues &+= 1
        guard let value = unheardValue(slot, of: kind) else {
            links[slot].soughtInVain = sought
            return
        }
        links[slot].unheard = value
        let side: Problem.Party? = refusal(of: value, slot) == nil ? nil : .peer
        report(.att(.notEnabled(unheardText(value, slot))), by: side, on: slot)
    }

    /// What ``reportUnheard(_:of:)`` says.
    func unheardText(_ value: UnheardValue, _ slot: Int) -> String {
        let name = annotators.watched.name(value.uuid).map { "\($0)" } ?? "\(value.uuid)"
        let handle = ProblemText.hex(value.handle)
        let what = "notifications of \(name) (\(handle)) were never enabled on this connection"
        if let refused = refusal(of: value, slot) {
            let error = ATTErrorCode(rawValue: refused.error).name.map { "\($0)" } ?? "error \(refused.error)"
            return what
                + ": the write of frame \(refused.frame.text(from: frame.place.file)) was refused, \(error)"
        }
        return what + ", so no answer could come"
    }

    /// The refused write that would have switched a value on.
    private func refusal(
        of value: UnheardValue, _ slot: Int
    ) -> (descriptor: UInt16, frame: FramePlace, error: UInt8)? {
        guard let refused = links[slot].refusedSubscription,
            peers.valueHandle(ofDescriptor: refused.descriptor, peer: links[slot].peer) == value.handle
        else { return nil }
        return refused
    }

    /// Whether nothing of a link as a whole speaks against a value that was never switched on.
    private func mayBeUnheard(_ slot: Int) -> Bool {
        !links[slot].wasOpenAtStart && !links[slot].hasHeardAnswers && !links[slot].mayHaveSubscribed
            && links[slot].subscriptions.count < Link.subscriptionLimit
            && (links[slot].phases.pairingStarted != nil || !links[slot].isBonded && !links[slot].isEncrypted)
    }

    /// The value that answers come by, where for sure nothing switched it on; nil else.
    func unheardValue(_ slot: Int, of kind: PrivateProtocol) -> UnheardValue? {
        guard mayBeUnheard(slot) else { return nil }
        let link = links[slot]
        let database = peers[link.peer].database
        let switchedOn = link.subscriptions.filter { !$0.isHosts && $0.value & 3 != 0 }
            .map { database.valueHandle(ofDescriptor: $0.handle) }
        let values = Set(switchedOn)
        var found: UnheardValue?
        for characteristic in database.characteristics where characteristic.properties & 0x30 != 0 {
            guard let uuid = characteristic.uuid, annotators.watched.mayMatch(uuid) else { continue }
            let service = database.service(at: characteristic.declaration)?.uuid
            guard annotators.bringsAnswers(uuid, in: service, of: kind, slot) else { continue }
            // One of which it is not known what it switches on may be this one's.
            if values.contains(nil) || values.contains(characteristic.value) { return nil }
            if found == nil { found = UnheardValue(handle: characteristic.value, uuid: uuid) }
        }
        return found
    }
}
