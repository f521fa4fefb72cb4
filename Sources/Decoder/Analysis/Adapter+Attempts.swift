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
            guard waited >= AdapterTable.longestAnswer, !loss.concerns(asked.frame, asked.time) else {
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
