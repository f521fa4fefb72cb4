import BluetoothCore
import CaptureFile
import PayloadFormat

// What an adapter was asked for: connections that may never come about, and commands that may have no answer.

extension AdapterTable.Adapter {
    /// The host asks for a connection; the address is nil where the filter accept list says to whom.
    mutating func startConnect(_ address: DeviceAddress?, _ place: FramePlace, _ time: CaptureTime) {
        scanShown = 0
        scanBefore = scan
        attemptBefore = attempt
        attempt = ConnectAttempt(address ?? acceptList.only, place: place, time: time)
        attempt?.isByAcceptList = address == nil
        attempt?.isLE = true
    }

    /// Takes what the host asked for, as it is withdrawn or ends with its adapter.
    mutating func takeGivenUp(at now: CaptureTime) -> ConnectAttempt? {
        guard var given = attempt else { return nil }
        attempt = nil
        given.waited = (given.withdrawn ?? now).nanoseconds &- given.time.nanoseconds
        return given
    }

    /// Takes an attempt that the controller refused, asked for by this frame; with it, whether one that it
    /// took is under way.
    mutating func takeRefused(_ asked: FramePlace?) -> (ConnectAttempt?, isUnderWay: Bool) {
        let before = attemptBefore
        attemptBefore = nil
        // Of two that were asked for at once the first: the other has no answer yet.
        if let before, before.place == asked { return (before, false) }
        let refused = attempt
        attempt = before
        return (refused, before != nil)
    }

    /// The scan that led to a connection asked for at a time: of a scan that goes on for longer, what
    /// followed the connection before, or the end of the peer's last one.
    func scan(before asked: CaptureTime, after ended: CaptureTime?) -> ClosedRange<CaptureTime>? {
        guard scanBefore.precedes(asked), let began = scanBefore.started else { return nil }
        let started = max(began, lastConnected ?? began, ended ?? began)
        let end = scanBefore.ended ?? asked
        // A program that connects again at once does not wait for what it scans.
        let least = started != began ? Self.shortestRest : 0
        return end.nanoseconds &- started.nanoseconds >= least && end >= started ? started...end : nil
    }

    /// The least that is left of a scan by what came before a connection, in nanoseconds.
    private static let shortestRest: Int64 = 10_000_000

    /// The host's connection has come about.
    mutating func connected(at time: CaptureTime) {
        (attempt, attemptBefore) = (nil, nil)
        refusedConnects = []
        refusedScan = nil
        lastConnected = time
        // A scan that has ended has led to this connection, and to no other.
        if scan.ended != nil { scan = .init() }
    }

    /// It was reset, closed or removed.
    mutating func end(at time: CaptureTime) {
        stopScan(at: time)
        scan = .init()
        scanShown = 0
        (attempt, attemptBefore) = (nil, nil)
        lastConnected = nil
        acceptList = .init()
        forgetAsked()
    }

    /// Takes the oldest command without an answer where it has waited for too long: a controller answers in
    /// the order in which it was asked, or it is dead.
    mutating func takeUnanswered(at now: CaptureTime) -> HCIProblem? {
        guard let oldest = pending.first, answers > 0 else { return nil }
        let waited = now.nanoseconds &- oldest.time.nanoseconds
        guard waited >= AdapterTable.longestAnswer else { return nil }
        pending.removeFirst()
        guard oldest.expectsAnswer, !loss.concerns(oldest.frame, oldest.time) else { return nil }
        return .commandUnanswered(HCIOpcode(rawValue: oldest.opcode), oldest.frame, waited: waited)
    }

    /// Marks the oldest command without an answer where other packets came for too long; when to look again.
    ///
    /// - Parameters:
    ///   - last: the time of the record before, in nanoseconds.
    ///   - isDelivered: whether this record came from this adapter's controller.
    mutating func markOverdue(at now: Int64, after last: Int64, isDelivered: Bool) -> Int64 {
        guard let oldest = pending.first, !oldest.isOverdue else { return .max }
        let due = max(oldest.time.after(AdapterTable.longestOvertaking), patience)
        guard now > due else { return due }
        guard now &- last <= AdapterTable.longestPause else {
            patience = CaptureTime(nanoseconds: now).after(AdapterTable.longestOvertaking)
            return patience
        }
        guard isDelivered else { return CaptureTime(nanoseconds: now).after(100_000_000) }
        pending[0].isOverdue = true
        return .max
    }

    /// Takes the commands that are overdue when the log ends, of an adapter that answers.
    mutating func takeOverdue() -> [AdapterTable.PendingCommand] {
        let isOverdue = { (asked: AdapterTable.PendingCommand) in asked.isOverdue }
        defer { pending.removeAll(where: isOverdue) }
        let (loss, answers) = (loss, answers)
        return pending.filter {
            isOverdue($0) && answers > 0 && $0.expectsAnswer && !loss.concerns($0.frame, $0.time)
        }
    }

    // MARK: Advertising

    /// The controller refused what advertising needs to start.
    mutating func refusedToAdvertise(_ opcode: HCIOpcode, _ status: HCIStatus, _ sight: Refusal.Sight) {
        // Parameters can't be changed while advertising, which may have started before the log did.
        let mayRun =
            opcode.rawValue & 0xFF != 0x0A && opcode.rawValue != 0x2039 && status == .commandDisallowed
        // Hosts try which commands the controller has.
        guard !hasAdvertised, !mayRun, status != .unknownHCICommand, refusedAdvertising == nil else { return }
        refusedAdvertising = Refusal(sight)
    }

    /// The controller took advertising parameters: an earlier refusal of them kept nothing from working.
    mutating func tookParameters(_ opcode: HCIOpcode) {
        guard case .hci(.commandFailed(opcode, _, _))? = refusedAdvertising?.first.problem.kind else {
            return
        }
        refusedAdvertising = nil
    }

    /// Advertising has started, or led to a connection.
    ///
    /// - Parameter events: in how many advertising events, where the controller tells.
    mutating func noteAdvertised(events: Int = 0) {
        hasAdvertised = true
        advertisingEvents &+= events
        refusedAdvertising = nil
    }

    /// The attempt that is under way when the log ends.
    func openAttempt(at end: Int64) -> ConnectAttempt? {
        guard var open = attempt, !loss.concerns(open.place, open.time) else { return nil }
        open.waited = end &- open.time.nanoseconds
        open.isOpen = open.isByAcceptList
        return open
    }

    /// What it was asked for and had not done when the log ended.
    func openRequests(at end: Int64) -> [OpenRequest] {
        var open: [OpenRequest] = []
        if let attempt = openAttempt(at: end), !attempt.isByAcceptList { open.append(OpenRequest(attempt)) }
        for asked in running
        where asked.opcode == HCICreateConnection.opcode.rawValue && !loss.concerns(asked.frame, asked.time) {
            let peer = DeviceAddress(asked.key, .public)
            let waited = end &- asked.time.nanoseconds
            open.append(
                OpenRequest(ConnectAttempt(peer, place: asked.frame, time: asked.time, waited: waited)))
        }
        // Commands that were never answered, of an adapter that answers.
        for asked in pending where answers > 0 && asked.expectsAnswer {
            let waited = end &- asked.time.nanoseconds
            guard !asked.isOverdue, waited >= AdapterTable.longestAnswer,
                !loss.concerns(asked.frame, asked.time)
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
    /// A connection that had not come about.
    fileprivate init(_ attempt: ConnectAttempt) {
        self.init(
            place: attempt.place, name: attempt.peer.map { "connect to \($0)" } ?? "a connect",
            waited: attempt.waited)
        isConnect = true
    }
}
