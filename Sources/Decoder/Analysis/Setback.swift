import BluetoothCore
import CaptureFile
import PayloadFormat

/// A failure with a device that a later success with it may overcome.
struct Setback: Sendable {
    /// The kind of failure, which determines the success that overcomes it.
    enum Kind: Hashable, Sendable {
        case refusal(AttributeUse, Side)
        case pairing, encryption
        /// A control point refused a request: the control point's handle, and the request's opcode.
        case control(UInt16, UInt8)
        case connecting
        /// The peer ended a short connection of which the log has no data.
        case shortConnection
        /// The peer disconnected after a write.
        case ending(LastWrite.Content)

        /// Whether a success of this kind overcomes a failure of another one.
        func overcomes(_ failure: Self) -> Bool {
            guard case .refusal(let request, let server) = self,
                case .refusal(let refused, let refuser) = failure
            else { return self == failure }
            return server == refuser && request.makesUp(for: refused)
        }
    }

    var kind: Kind
    var problem: Problem
    /// The number of the connection; 0 without one.
    var connection: Int
    /// The index of the device in the table of peers, and the epoch of that entry; nil if the device is only
    /// known by an address.
    var peer: Int?
    var epoch: Int
    var address: DeviceAddress?
    var place: FramePlace
    /// The number of the record in the whole capture.
    var order: Int
    var time: CaptureTime
    /// Whether the failure was reported: some count only once they recur.
    var isReported = true
    /// Whether its frame is selected.
    var isSelected = false
    /// For short connections: whether the connection is known to have a selected frame.
    var isOfSelection = false
    /// For short connections: whether the selection's totals include it.
    var isCountedInSelection = false
}

extension Analyzer {
    static let setbackLimit = 64
    /// Longest time after a setback in which another connection to the device may overcome it, in
    /// nanoseconds.
    private static let secondChance: Int64 = 60_000_000_000
    /// Longest time between two attempts of the same series, in nanoseconds.
    static let seriesGap: Int64 = 120_000_000_000

    /// Remembers a problem that a later success may overcome.
    mutating func remember(_ problem: Problem, connection: Int) {
        guard let kind = problem.setback, problem.severity >= .error else { return }
        let before = setbacks.firstIndex { $0.kind == kind && $0.connection == connection }
        if kind != .connecting, let before {
            setbacks[before].time = frame.time
            return
        }
        keep(kind, problem, connection: connection, isReported: true)
    }

    mutating func keep(_ kind: Setback.Kind, _ problem: Problem, connection: Int, isReported: Bool) {
        let slot = links.indices.first { links[$0].number == connection && connection > 0 }
        let peer = slot.map { links[$0].peer }
        let address = slot.flatMap { links[$0].address } ?? problem.attempt?.peer ?? frame.peer
        if setbacks.count >= Self.setbackLimit { setbacks.removeFirst() }
        setbacks.append(
            Setback(
                kind: kind, problem: problem, connection: connection, peer: peer,
                epoch: peer.map { peers[$0].epoch } ?? 0, address: address, place: frame.place,
                order: frame.recordNumber, time: frame.time, isReported: isReported))
    }

    /// Updates the setbacks of a device whose index in the table of peers changes.
    mutating func moveSetbacks(of peer: Int, to known: Int) {
        for index in setbacks.indices where setbacks[index].peer == peer {
            (setbacks[index].peer, setbacks[index].epoch) = (known, peers[known].epoch)
        }
    }

    /// Overcomes earlier refusals of a request by the server of a side, since it answered the request now.
    @inline(never)
    mutating func markOvercome(_ pending: PendingRequest, by server: Side) {
        let request = AttributeUse(
            opcode: pending.opcode, handle: pending.handle, configured: pending.configured)
        markOvercome(.refusal(request, server))
    }

    /// Overcomes earlier failures of a kind on a link, or on another one with its device shortly before.
    mutating func markOvercome(_ kind: Setback.Kind) {
        let number = link.number
        let recovered = setbacks.filter {
            kind.overcomes($0.kind) && isSamePeer($0, slot: frame.link)
                && ($0.connection == number || frame.time.since($0.time) <= Self.secondChance)
        }
        forget(recovered)
        for setback in recovered {
            markOvercome(on: setback.connection, by: number) { $0.problem.setback == setback.kind }
        }
    }

    /// Overcomes earlier failures of pairing and encryption, and refusals that asked for them: the link was
    /// encrypted.
    mutating func markSecurityOvercome() {
        let isPaired = link.pairing.mayHaveSucceeded
        let recovered = setbacks.filter {
            ($0.kind == .encryption || $0.kind == .pairing && isPaired)
                && ($0.connection == link.number
                    || isSecondChance(after: $0, at: frame.time, slot: frame.link))
        }
        forget(recovered)
        for setback in recovered {
            markOvercome(on: setback.connection, by: link.number) { $0.problem.setback == setback.kind }
        }
        // A refusal for lack of security asks for pairing or encryption (Core Specification, Vol 3, Part C,
        // 10.3.2). The answer to the repeated request is encrypted, so a sniffer may not read it.
        markOvercome(on: link.number, encrypts: true) { $0.problem.asksForSecurity }
    }

    /// Overcomes earlier failures to connect, since a link was established and the peer did not reject it.
    ///
    /// Attempts to a device that follow each other within ``seriesGap`` are one series. If its first
    /// failure was longer than ``secondChance`` ago, none of the series is overcome.
    mutating func markAttemptsOvercome(slot: Int) {
        let failed = HCIStatus.connectionFailedToBeEstablishedOrSynchronizationTimeout
        guard !setbacks.isEmpty, links[slot].endReason != failed.rawValue, !links[slot].wasRejected else {
            return
        }
        let number = links[slot].number
        let began = links[slot].phases.connected ?? links[slot].phases.first
        var recovered = setbacks.filter {
            $0.keptFromConnecting && $0.connection != number
                && isSecondChance(after: $0, at: began, slot: slot)
        }
        let earlier = setbacks.filter {
            $0.kind == .connecting && began.since($0.time) > Self.secondChance && isSameDevice($0, slot: slot)
        }
        // The success ends the series even if it does not overcome it.
        forget(recovered + earlier)
        if let last = earlier.last, let next = recovered.first(where: { $0.kind == .connecting }),
            next.time.since(last.time) <= Self.seriesGap
        {
            recovered.removeAll { $0.kind == .connecting }
        }
        let ended = (recovered + earlier).filter { $0.kind == .connecting }
        // Backwards, so that repetitions go before the occurrence that the incident starts with.
        for setback in recovered.reversed() {
            if setback.kind != .connecting {
                markOvercome(on: setback.connection, by: number) { $0.problem.repeats(setback.problem) }
                continue
            }
            let next = setbacks.filter {
                $0.problem.code == setback.problem.code && $0.problem.repeats(setback.problem)
            }
            totals.markOvercome(setback, by: number, next: next.first)
            guard setback.isSelected else { continue }
            selection?.totals.markOvercome(setback, by: number, next: next.first(where: \.isSelected))
        }
        for setback in ended {
            updateTotals(selected: setback.isSelected) { $0.close(setback) }
        }
    }

    private mutating func forget(_ recovered: [Setback]) {
        setbacks.removeAll { setback in
            recovered.contains { $0.place == setback.place && $0.kind == setback.kind }
        }
    }

    /// Whether a link is with the device of a setback, and came so soon after it that its success overcomes
    /// the setback.
    func isSecondChance(after setback: Setback, at time: CaptureTime, slot: Int) -> Bool {
        (0...Self.secondChance).contains(time.since(setback.time)) && isSameDevice(setback, slot: slot)
    }

    private func isSameDevice(_ setback: Setback, slot: Int) -> Bool {
        if isSamePeer(setback, slot: slot) { return true }
        guard let address = setback.address else { return false }
        let device = PeerTable.Key(address)
        let known = peers[links[slot].peer].address
        if [links[slot].address, known].contains(where: { $0.map { PeerTable.Key($0) } == device }) {
            return true
        }
        guard let identity = peers.identity(ofPrivate: address) else { return false }
        return known.map { PeerTable.Key($0) } == PeerTable.Key(identity)
    }

    func isSamePeer(_ setback: Setback, slot: Int) -> Bool {
        let peer = links[slot].peer
        return setback.peer == peer && setback.epoch == peers[peer].epoch
    }
}

extension Setback {
    /// Whether the setback is overcome by an established connection.
    fileprivate var keptFromConnecting: Bool {
        if case .ending = kind { isReported } else { kind == .connecting }
    }
}
