import BluetoothCore
public import PayloadFormat

/// Something that went wrong or looks wrong: a problem as it was met first, how often it came again, and what
/// followed from it.
public struct Incident: Sendable {
    /// A problem that another one explains.
    public struct Consequence: Sendable {
        public var problem: Problem
        public var place: FramePlace
    }

    /// The problem as it was met first.
    public var problem: Problem {
        didSet { (severity, isDecisive) = (problem.severity, problem.isDecisive) }
    }
    /// Its code: the problem is another one of the same kind, if it changes.
    let code: Problem.Code
    /// How much that weighs, which is asked for with each problem of a log.
    public private(set) var severity: Problem.Severity
    /// Where that was.
    public var place: FramePlace
    /// Where it came last, when, and on which connection.
    private var lastPlace: FramePlace
    private var lastTime: Int64
    private var lastConnection: Int
    /// The number of that record among all of the capture, whatever file it is in.
    public internal(set) var order: Int
    /// The number of its connection; 0 for none.
    public var connection: Int
    /// How often it was met.
    public private(set) var count = 1
    /// Whether what the user wanted came to nothing by it.
    public private(set) var isDecisive: Bool
    /// On how many connections: where it came on none, none counts.
    public private(set) var connections: Int
    /// Whether there may be more: past the first few, connections are told apart only where they began
    /// after all the others.
    public private(set) var mayHaveMoreConnections = false
    /// The label of the attribute that its frame names.
    public var label: AttributeLabel?
    /// What followed from it, the first few: the answer to a message that was wrong, the requests that a lost
    /// connection left without a response.
    public private(set) var consequences: [Consequence] = []
    /// The first connections that it was met on.
    private var met: [Int] = []
    /// The number of the newest connection that it was met on.
    private var newest: Int
    /// Whether it is of a protocol above ATT, or of a connection on which one was spoken by then.
    public var isOfProtocol: Bool

    /// How many connections are told apart.
    private static let metLimit = 32
    /// How many consequences are kept.
    static let consequenceLimit = 4

    init(
        _ problem: Problem, _ severity: Problem.Severity, _ place: FramePlace, order: Int,
        time: Int64 = .min, connection: Int, isOfProtocol: Bool
    ) {
        self.problem = problem
        code = problem.code
        self.severity = severity
        isDecisive = problem.isDecisive
        self.place = place
        (lastPlace, lastTime, lastConnection) = (place, time, connection)
        self.order = order
        self.connection = connection
        self.isOfProtocol = isOfProtocol
        connections = connection == 0 ? 0 : 1
        newest = connection
    }

    /// Counts it once more; a connection counts once, however often it comes.
    mutating func repeated(on other: Int, at place: FramePlace, _ time: Int64) {
        count &+= 1
        (lastPlace, lastTime, lastConnection) = (place, time, other)
        guard other != 0 else { return }
        // A connection ends once.
        guard !problem.endsConnection else {
            connections &+= 1
            return
        }
        guard other != connection, other != newest, !met.contains(other) else { return }
        if met.count < Self.metLimit {
            met.append(other)
        } else if other < newest {
            mayHaveMoreConnections = true
            return
        }
        newest = max(newest, other)
        connections &+= 1
    }

    /// Counts one less, on a connection of its own.
    mutating func takeBackOne() {
        count &-= 1
        if connections > 1 { connections &-= 1 }
    }

    /// Counts the same incident of the same connection as one with this one.
    mutating func absorb(_ other: Incident) { count &+= other.count }

    /// Takes back a problem that it is, or that followed from it; false where nothing is left of it.
    mutating func takeBack(where isTaken: (Problem) -> Bool) -> Bool {
        consequences.removeAll { isTaken($0.problem) }
        guard isTaken(problem) else { return true }
        count &-= 1
        return count > 0
    }

    /// Takes up a problem that followed from it.
    mutating func add(_ consequence: Consequence) {
        if consequences.count < Self.consequenceLimit { consequences.append(consequence) }
    }

    /// Whether it explains a problem met at a frame. A warning never explains a failure, which would be
    /// hidden by it.
    func explains(_ problem: Problem, at frame: FramePlace, _ time: Int64, on connection: Int) -> Bool {
        guard severity >= .error || problem.severity < .error else { return false }
        if let request = problem.request, isAt(request), code == problem.code { return true }
        if let early = problem.earlyRequest, isAt(early), code == .requestWhilePending { return true }
        let isOfSame = connection == lastConnection
        if problem.endsWithLink || problem.isOverdue && isOfSame {
            let followed = consequences.last.map { $0.problem.endsConnection && $0.place == frame }
            if self.problem.endsConnection && isAt(frame) || followed == true { return true }
        }
        guard isOfSame, connection > 0, problem.mayFollowInsecurity, self.problem.isOfSecurity else {
            return false
        }
        let (passed, isTooLong) = time.subtractingReportingOverflow(lastTime)
        return !isTooLong && (0...Self.longestRow).contains(passed)
    }

    private func isAt(_ frame: FramePlace) -> Bool { place == frame || lastPlace == frame }

    /// How long after a failed pairing the events come that say so again, in nanoseconds.
    private static let longestRow: Int64 = 2_000_000_000

    /// What weighs more is kept when there is no room for all.
    @inline(__always)
    func isOutweighed(by other: borrowing Incident) -> Bool {
        let (isLight, isOthersLight) = (severity < .error, other.severity < .error)
        if isLight != isOthersLight { return isLight }
        if isOfProtocol != other.isOfProtocol { return other.isOfProtocol }
        if isDecisive != other.isDecisive { return other.isDecisive }
        return severity < other.severity
    }
}

extension Problem {
    /// Whether it is that something was under way when the connection ended.
    var endsWithLink: Bool {
        switch kind {
        case .att(.noResponse), .smp(.unfinished), .l2cap(.unanswered), .l2cap(.creditsSpent): true
        case .annotated(let problem): problem.end != nil
        default: false
        }
    }

    /// Whether a request's time ran out, or a pairing's.
    var isOverdue: Bool {
        switch kind {
        case .att(.timeout), .smp(.unanswered): true
        case .annotated(let problem): problem.isUnanswered
        default: false
        }
    }

    /// The request that a client sent before the one before had its response, of a failure to answer it.
    var earlyRequest: FramePlace? {
        switch kind {
        case .att(.timeout(let request)), .att(.noResponse(let request, _)):
            request.isEarly && severity >= .error ? request.place : nil
        default: nil
        }
    }

    /// The frame whose own problem explains this one, of a protocol above ATT; nil where none can.
    var request: FramePlace? { if case .annotated(let problem) = kind { problem.request } else { nil } }

    /// Whether it is that a connection was not made secure.
    var isOfSecurity: Bool { code == .pairingFailed || mayFollowInsecurity }

    /// Whether it may be that a connection was not made secure, said once more: by events that end what the
    /// pairing was part of, and by the end of the connection for that reason.
    var mayFollowInsecurity: Bool {
        switch kind {
        case .hci(.encryptionFailed): true
        case .hci(.procedureFailed(_, let event, _)): event.rawValue == 0x06 || event.rawValue == 0x36
        case .hci(.abnormalDisconnection(let reason, _)):
            [0x05, 0x06, 0x18, 0x29, 0x3D].contains(reason.rawValue)
        default: false
        }
    }

    /// Whether another problem may explain it.
    var mayFollow: Bool { endsWithLink || isOverdue || request != nil || mayFollowInsecurity }
}
