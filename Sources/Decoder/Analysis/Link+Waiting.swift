import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat

// Requests that wait for an answer on a link, and time out even if the link is silent.

extension Link {
    /// Whether the log would show the packets of a side.
    ///
    /// - Parameter shown: the packets that the log is known to contain.
    func shows(_ side: Side, in shown: ShownPackets?) -> Bool {
        showsResponses && shown?.holdsPackets(of: side) == true
    }

    /// Whether the log would show the answers of a protocol above ATT, from either side.
    func showsAnswers(in shown: ShownPackets?) -> Bool {
        (showsResponses || counts.notifications.total > 0) && shown?.holdsPackets(of: .host) == true
            && shown?.holdsPackets(of: .peer) == true
    }

    /// Returns the requests that have timed out, each once, and the time of the next timeout.
    mutating func takeTimedOut(
        at now: CaptureTime, _ shown: ShownPackets?
    ) -> (next: Int64, problems: [Problem]) {
        var next = Int64.max
        var problems: [Problem] = []
        // If the log lacks disconnections, the connection may have ended before the request timed out.
        guard showsResponses, shown?.contains(.events) == true else { return (next, problems) }
        for bearer in bearers.indices {
            let (waiting, timedOut) = bearers[bearer].takeTimedOut(at: now)
            next = min(next, waiting)
            for (sender, pending) in timedOut where shows(sender.other, in: shown) {
                let request = unanswered(pending, of: sender, at: now)
                problems.append(Problem(.att(.timeout(request)), by: request.side(askedBy: sender)))
            }
        }
        return (next, problems)
    }

    /// Returns a request that had no answer, with what the peer sent meanwhile.
    private func unanswered(
        _ pending: PendingRequest, of sender: Side, at now: CaptureTime
    ) -> UnansweredRequest {
        var request = UnansweredRequest(pending, at: now)
        if sender == .host, let lastContent {
            request.peerSentMore = lastContent.since(pending.time) >= OpenRequest.shortestWait
        }
        request.isFromCentralServer = request.isIndication && sender == .host && role == .central
        // A bonded peer remembers earlier subscriptions.
        request.isUnsubscribed =
            request.isFromCentralServer && !mayLackEarlierPackets && counts.writes.byPeer == 0
            && (phases.pairingStarted != nil || !isBonded && !isEncrypted)
        return request
    }

    /// Forgets deadlines when the clock was set, since the real waiting times are unknown.
    mutating func forgetDeadlines(at now: CaptureTime) {
        pairing.stop()
        for bearer in bearers.indices { _ = bearers[bearer].takeTimedOut(at: now) }
    }

    /// Returns the problems of requests that are unanswered at the link's end, with the reason of the end if
    /// the controller reports one.
    func unanswered(at now: CaptureTime, reason: UInt8?, _ shown: ShownPackets?) -> [Problem] {
        guard showsResponses, shown?.contains(.events) == true else { return [] }
        var problems: [Problem] = []
        for (sender, pending) in bearers.flatMap(\.awaited)
        where !pending.timeoutIsSettled && shows(sender.other, in: shown) {
            let request = unanswered(pending, of: sender, at: now)
            // Nothing waits for this confirmation, and the end may have crossed it.
            if request.isFromCentralServer, request.waited <= PendingRequest.timeout { continue }
            // A request past its time is not reported yet if the log had no event before this one, see
            // `takeTimedOut`.
            let problem =
                request.waited > PendingRequest.timeout
                ? ATTProblem.timeout(request)
                : .noResponse(request, reason.map { HCIStatus(rawValue: $0) })
            problems.append(Problem(.att(problem), by: request.side(askedBy: sender)))
        }
        problems += signalling.stalls(at: now)
        for (signal, waited) in signalling.overdue(at: now.nanoseconds) {
            let problem = L2CAPProblem.unanswered(
                signal.name, signal.frame, waited: waited, isPending: signal.answerWasAnnounced)
            problems.append(Problem(.l2cap(problem)))
        }
        return problems
    }

    /// Returns the request of a side whose time had just run out when that side ended the connection: the
    /// reason for the end, as far as a log can show it.
    func overdueRequest(
        of side: Problem.Party?, at end: CaptureTime, _ shown: ShownPackets?
    ) -> OverdueRequest? {
        for (sender, pending) in bearers.flatMap(\.awaited)
        where Problem.Party(sender) == side && pending.timeoutIsSettled && !pending.answerMayBeMissing
            && shows(sender.other, in: shown)
        {
            let waited = end.since(pending.time)
            guard (PendingRequest.timeout...PendingRequest.timeout + Self.longestReaction).contains(waited)
            else { continue }
            return OverdueRequest(opcode: pending.opcode, place: pending.frame, waited: waited)
        }
        return nil
    }

    /// Whether a sniffer has heard nothing of the link for longer than its supervision timeout: the link has
    /// ended, or the sniffer has lost it.
    func isSilentOnAir(at time: Int64) -> Bool {
        air != nil && conditions.inForce.timeout > 0
            && time &- phases.last.nanoseconds > Int64(conditions.inForce.timeout) * 10_000_000
    }

    /// Air captures: the peripheral's last packet, if the sniffer heard the central go on without an answer,
    /// and no end; nil if not.
    public var silentAfter: FramePlace? {
        guard endReason == nil, let air, let lastHeard, air.unansweredEvents >= Self.silentEvents,
            phases.last.since(lastHeard) >= Self.shortestSilence
        else { return nil }
        return lastHeardFrame
    }

    /// Fewest connection events without an answer that are a silence, and its shortest time, in nanoseconds.
    private static let (silentEvents, shortestSilence) = (3, Int64(500_000_000))

    /// Longest time from a side's reason to end the connection to the disconnection, in nanoseconds.
    static let longestReaction: Int64 = 1_000_000_000

    /// Returns the PDUs that a side had begun and left incomplete when the connection ended; on the air, only
    /// if the sniffer heard that it sent in a later connection event, and missed no packet.
    ///
    /// - Parameter logEnd: the time of the log's end, if the connection was open then: the rest may have come
    ///   soon after.
    func unfinishedPDUs(at logEnd: CaptureTime? = nil) -> [Problem] {
        // A host has no more fragments of a connection that was lost, or that ended with its adapter.
        let wasEnded = endReason.map { HCIStatus(rawValue: $0).ender != .link } ?? false
        guard isOnAir || logEnd != nil || wasEnded else { return [] }
        let both = [(Side.host, assemblies.host), (.peer, assemblies.peer)]
        return both.compactMap { side, begun in
            guard begun.reassembler.isGathering, begun.laterEventWasHeard || !isOnAir,
                !begun.mayLackFragments,
                logEnd.map({ $0.since(begun.lastTime) >= OpenRequest.shortestWait }) ?? true
            else { return nil }
            return Problem(
                .l2cap(.fragmentsLost(begun.firstFrame)), by: isOnAir ? Problem.Party(side) : nil)
        }
    }

    /// Returns the duration in nanoseconds of a short connection that was not used: a peer that ends it
    /// rejects connections. Nil after reads, writes, notifications, pairing or encryption, and while a
    /// request waits.
    func emptyTime(until end: CaptureTime) -> Int64? {
        guard let began = phases.connected, transport == .le, role == .central, !isEncrypted,
            !discovery.wasRepeated, counts.smpPDUs == 0, signalling.channels.isEmpty,
            buffers.completed == nil || counts.attPDUs > 0
        else { return nil }
        let used = [counts.reads, counts.writes, counts.notifications, counts.indications]
        guard used.allSatisfy({ $0.total == 0 }), bearers.allSatisfy({ $0.awaited.isEmpty }),
            phases.pairingStarted == nil, phases.encryptionStarted == nil
        else { return nil }
        let waited = end.since(began)
        return (0...Self.unusedConnectionLimit).contains(waited) ? waited : nil
    }

    /// Longest duration of an unused connection that the peer is taken to reject, in nanoseconds; idle
    /// devices disconnect later.
    private static let unusedConnectionLimit: Int64 = 2_000_000_000

    /// Returns the requests that wait for an answer when the log ends, or when a sniffer last heard the link:
    /// then the answer may be among the packets that it missed.
    ///
    /// - Parameter logEnd: the time of the log's last record, if the log has no disconnections. A request
    ///   that was 30 s old by then is measured to it, any other to `end`.
    func waiting(at end: Int64, logEnd: Int64? = nil, _ shown: ShownPackets?) -> [OpenRequest] {
        // An export without events holds the packets of all connections.
        guard showsResponses || logEnd != nil else { return [] }
        var waiting: [OpenRequest] = []
        // If the sniffer could not decrypt a PDU, that may be the answer.
        let answersMayBeUnheard = endedWith == .unheard && air?.closed == 0
        let awaited = bearers.flatMap { bearer in
            bearer.awaited.map { sender, request in
                let isRequest = sender == .host && request.opcode != .handleValueIndication
                return (
                    sender,
                    answersMayBeUnheard && isRequest
                        ? bearer.firstWithoutRecordedResponse ?? request : request
                )
            }
        }
        for (sender, pending) in awaited
        where !pending.timeoutIsSettled || answersMayBeUnheard && pending.answerMayBeMissing {
            var waited = end &- pending.time.nanoseconds
            if let rest = logEnd.map({ $0 &- pending.time.nanoseconds }), rest >= PendingRequest.timeout {
                waited = rest
            }
            // The answer to a request from the recording's last moments was on its way.
            guard waited < 0 || waited >= OpenRequest.shortestWait,
                shown?.holdsPackets(of: sender.other) == true
            else { continue }
            let name = pending.opcode.name.map { "\($0)" } ?? "a request"
            var request = OpenRequest(place: pending.frame, name: name, waited: waited)
            request.isOnAir = answersMayBeUnheard
            request.use = (
                AttributeUse(opcode: pending.opcode, handle: pending.handle),
                Problem.Party(pending.opcode == .handleValueIndication ? sender : sender.other)
            )
            waiting.append(request)
        }
        return waiting + signalling.open(at: end)
    }
}

extension ATTBearer {
    /// Marks and returns the requests that have timed out; also returns the time of the next timeout.
    fileprivate mutating func takeTimedOut(
        at now: CaptureTime
    ) -> (next: Int64, timedOut: [(Side, PendingRequest)]) {
        var next = Int64.max
        var timedOut: [(Side, PendingRequest)] = []
        Self.take(&self[.host].request, .host, now, &next, &timedOut)
        Self.take(&self[.peer].request, .peer, now, &next, &timedOut)
        for later in self[.host].later + self[.peer].later {
            guard now.nanoseconds <= later.time.after(PendingRequest.timeout) else { continue }
            next = min(next, later.time.after(PendingRequest.timeout))
        }
        Self.take(&self[.host].indication, .host, now, &next, &timedOut)
        Self.take(&self[.peer].indication, .peer, now, &next, &timedOut)
        return (next, timedOut)
    }

    @inline(__always)
    private static func take(
        _ pending: inout PendingRequest, _ sender: Side, _ now: CaptureTime, _ next: inout Int64,
        _ timedOut: inout [(Side, PendingRequest)]
    ) {
        guard pending.isOpen, !pending.timeoutIsSettled else { return }
        let deadline = pending.time.after(PendingRequest.timeout)
        guard now.nanoseconds > deadline else {
            next = min(next, deadline)
            return
        }
        pending.timeoutIsSettled = true
        timedOut.append((sender, pending))
    }
}

extension CaptureTime {
    /// Returns the time after a wait in nanoseconds; on overflow the latest time, so that a deadline never
    /// comes.
    func after(_ wait: Int64) -> Int64 {
        let (time, isPast) = nanoseconds.addingReportingOverflow(wait)
        return isPast ? (wait < 0 ? .min : .max) : time
    }

    /// Returns the nanoseconds since an earlier time, or the nearest number on overflow: times in a file may
    /// be centuries apart.
    func since(_ earlier: CaptureTime) -> Int64 {
        let (gap, isTooLong) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return isTooLong ? (nanoseconds < earlier.nanoseconds ? .min : .max) : gap
    }
}
