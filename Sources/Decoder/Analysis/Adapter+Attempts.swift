import BluetoothCore
import CaptureFile
import PayloadFormat

// Requests to an adapter that may get no result: connections that are never established, and commands that
// are never answered.

extension AdapterTable.Adapter {
    /// Records the host's connection attempt. The address is nil if the filter accept list selects the
    /// device.
    mutating func startConnect(_ address: DeviceAddress?, _ place: FramePlace, _ time: CaptureTime) {
        forgetScans()
        scanAtRequest = scan
        attemptBefore = attempt
        attempt = ConnectAttempt(address ?? acceptList.only, place: place, time: time)
        attempt?.isByAcceptList = address == nil
        attempt?.isLE = true
    }

    /// Removes and returns the connection attempt that the host withdrew or that ends with its adapter.
    mutating func takeWithdrawn(at now: CaptureTime) -> ConnectAttempt? {
        guard var given = attempt else { return nil }
        attempt = nil
        given.waited = (given.withdrawn ?? now).nanoseconds &- given.time.nanoseconds
        return given
    }

    /// Removes and returns the attempt that the controller refused, requested in frame `asked`. Also returns
    /// whether an accepted attempt is under way.
    mutating func takeRefused(_ asked: FramePlace?) -> (ConnectAttempt?, isUnderWay: Bool) {
        let before = attemptBefore
        attemptBefore = nil
        // Of two attempts requested at once, the first was refused; the second has no answer yet.
        if let before, before.place == asked { return (before, false) }
        let refused = attempt
        attempt = before
        return (refused, before != nil)
    }

    /// Returns the scan that led to a connection requested at `asked`. The part before the previous
    /// connection, or before the peer's last disconnection (`ended`), does not count.
    func scan(before asked: CaptureTime, after ended: CaptureTime?) -> ClosedRange<CaptureTime>? {
        guard scanAtRequest.precedes(asked), let began = scanAtRequest.started else { return nil }
        let started = max(began, lastConnected ?? began, ended ?? began)
        let end = scanAtRequest.ended ?? asked
        // A program that reconnects at once does not wait for scan results.
        let least = started != began ? Self.shortestRest : 0
        return end.nanoseconds &- started.nanoseconds >= least && end >= started ? started...end : nil
    }

    /// Shortest part of a scan after an earlier connection that still counts as a scan, in nanoseconds.
    private static let shortestRest: Int64 = 10_000_000

    /// Records that the host's connection was established.
    mutating func connected(at time: CaptureTime) {
        (attempt, attemptBefore) = (nil, nil)
        refusedConnects = []
        refusedScan = nil
        startFailure = nil
        lastConnected = time
        // A scan that has ended led to this connection alone.
        if scan.ended != nil { scan = .init() }
    }

    /// Clears the state of an adapter that was reset, closed or removed.
    mutating func end(at time: CaptureTime) {
        stopScan(at: time)
        scan = .init()
        forgetScans()
        (attempt, attemptBefore) = (nil, nil)
        lastConnected = nil
        acceptList = .init()
        forgetAsked()
    }

    /// Removes and returns a peer's request for a connection, which came about or failed now.
    mutating func takeIncoming(_ peer: DeviceAddress, at now: CaptureTime) -> ConnectAttempt? {
        guard var attempt = incoming, attempt.peer == peer else { return nil }
        incoming = nil
        attempt.waited = now.nanoseconds &- attempt.time.nanoseconds
        return attempt
    }

    /// Removes and returns the role that a change gave the host before the connection to a device came about.
    mutating func takeEarlyRole(_ peer: DeviceAddress) -> Link.Role? {
        guard let early = earlyRole, early.peer == peer else { return nil }
        earlyRole = nil
        return early.role
    }

    /// Removes the oldest unanswered command if it has waited too long, and returns the problem. A controller
    /// answers commands in order, unless it has failed.
    mutating func takeUnanswered(at now: CaptureTime) -> HCIProblem? {
        guard let oldest = pending.first, answers > 0 else { return nil }
        let waited = now.nanoseconds &- oldest.time.nanoseconds
        guard waited >= AdapterTable.commandTimeout else { return nil }
        pending.removeFirst()
        guard oldest.expectsAnswer, !loss.mayIncludeAnswer(toRequestAt: oldest.frame, sent: oldest.time)
        else { return nil }
        return .commandUnanswered(HCIOpcode(rawValue: oldest.opcode), oldest.frame, waited: waited)
    }

    /// Marks the oldest unanswered command as overdue if other packets kept coming for too long; returns the
    /// time of the next check.
    ///
    /// - Parameters:
    ///   - last: the time of the previous record, in nanoseconds.
    ///   - isDelivered: whether this record came from this adapter's controller.
    mutating func markOverdue(at now: Int64, after last: Int64, isDelivered: Bool) -> Int64 {
        guard let oldest = pending.first, !oldest.isOverdue else { return .max }
        let due = max(oldest.time.after(AdapterTable.longestOvertaking), earliestOverdue)
        guard now > due else { return due }
        guard now &- last <= AdapterTable.suspendThreshold else {
            earliestOverdue = CaptureTime(nanoseconds: now).after(AdapterTable.longestOvertaking)
            return earliestOverdue
        }
        guard isDelivered else { return CaptureTime(nanoseconds: now).after(100_000_000) }
        pending[0].isOverdue = true
        return .max
    }

    /// Removes and returns the commands that are overdue when the log ends, if the adapter answers commands
    /// at all.
    mutating func takeOverdue() -> [AdapterTable.PendingCommand] {
        let isOverdue = { (asked: AdapterTable.PendingCommand) in asked.isOverdue }
        defer { pending.removeAll(where: isOverdue) }
        let (loss, answers) = (loss, answers)
        return pending.filter {
            isOverdue($0) && answers > 0 && $0.expectsAnswer
                && !loss.mayIncludeAnswer(toRequestAt: $0.frame, sent: $0.time)
        }
    }

    // MARK: Advertising

    /// Records that the controller refused a command that advertising needs to start.
    mutating func refusedToAdvertise(
        _ opcode: HCIOpcode, _ status: HCIStatus, _ occurrence: UnresolvedFailure.Occurrence
    ) {
        // Parameters can't be changed while advertising, which may have started before the log did.
        let setsParameters = opcode.rawValue != 0x200A && opcode.rawValue != 0x2039
        let mayRun = setsParameters && status == .commandDisallowed
        // An unknown command is not a failure: hosts probe which commands the controller supports.
        guard !hasAdvertised, !mayRun, status != .unknownHCICommand, refusedAdvertising == nil else { return }
        refusedAdvertising = UnresolvedFailure(occurrence)
    }

    /// Forgets an earlier refusal of this command, which sets advertising parameters: the controller has
    /// accepted it now.
    mutating func noteAcceptedParameters(_ opcode: HCIOpcode) {
        guard case .hci(.commandFailed(opcode, _, _, _))? = refusedAdvertising?.first.problem.kind else {
            return
        }
        refusedAdvertising = nil
    }

    /// Records that advertising has started or led to a connection.
    ///
    /// - Parameter events: the number of advertising events, if the controller reports it.
    mutating func noteAdvertised(events: Int = 0) {
        hasAdvertised = true
        advertisingEvents &+= events
        refusedAdvertising = nil
    }

    /// Returns the attempt that is under way when the log ends.
    func openAttempt(at end: Int64) -> ConnectAttempt? {
        guard var open = attempt, !loss.mayIncludeAnswer(toRequestAt: open.place, sent: open.time) else {
            return nil
        }
        open.waited = end &- open.time.nanoseconds
        open.isOpen = open.isByAcceptList
        return open
    }

    func openRequests(at end: Int64) -> [OpenRequest] {
        var open: [OpenRequest] = []
        if let attempt = openAttempt(at: end), !attempt.isByAcceptList { open.append(OpenRequest(attempt)) }
        for asked in running
        where asked.opcode == HCICreateConnection.opcode.rawValue
            && !loss.mayIncludeAnswer(toRequestAt: asked.frame, sent: asked.time)
        {
            let peer = DeviceAddress(asked.key, .public)
            let waited = end &- asked.time.nanoseconds
            open.append(
                OpenRequest(ConnectAttempt(peer, place: asked.frame, time: asked.time, waited: waited)))
        }
        // Unanswered commands of an adapter that answers others.
        for asked in pending where answers > 0 && asked.expectsAnswer {
            let waited = end &- asked.time.nanoseconds
            guard !asked.isOverdue, waited >= AdapterTable.commandTimeout,
                !loss.mayIncludeAnswer(toRequestAt: asked.frame, sent: asked.time)
            else {
                continue
            }
            let name = HCIOpcode(rawValue: asked.opcode).name.map { "\($0)" } ?? "a command"
            open.append(OpenRequest(place: asked.frame, name: name, waited: waited))
        }
        return open
    }
}

extension OpenRequest {
    /// Creates the entry of a connection that was not established.
    fileprivate init(_ attempt: ConnectAttempt) {
        self.init(
            place: attempt.place, name: attempt.peer.map { "connect to \($0)" } ?? "a connect",
            waited: attempt.waited)
        isConnect = true
        isOnAir = attempt.isOnAir
    }
}
