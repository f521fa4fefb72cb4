import BluetoothCore
public import PayloadFormat

/// A failure or suspicious event: a problem at its first occurrence, with its number of occurrences and its
/// consequences.
public struct Incident: Sendable {
    /// A problem that an incident explains, or one that repeats its own.
    public struct Consequence: Sendable {
        public var problem: Problem
        public var place: FramePlace
    }

    /// The problem at its first occurrence.
    public var problem: Problem {
        didSet { (severity, isDecisive) = (problem.severity, problem.isDecisive) }
    }
    /// The problem's code, which stays the same if an equal problem replaces it.
    let code: Problem.Code
    /// The problem's severity, stored because each later problem is compared with it.
    public private(set) var severity: Problem.Severity
    /// The place of its first occurrence.
    public var place: FramePlace
    /// The place of its last occurrence.
    public private(set) var lastPlace: FramePlace
    /// The time of its last occurrence in nanoseconds; the smallest number if it is not known.
    public private(set) var lastTime: Int64
    private var lastConnection: Int
    /// The number of its first record in the whole capture, whatever its file.
    public internal(set) var order: Int
    /// The number of its connection; 0 if absent.
    public var connection: Int
    /// Number of occurrences.
    public private(set) var count = 1
    /// Whether the session could not do its job because of it: no connection, no pairing, a dead bearer, a
    /// refusal.
    public private(set) var isDecisive: Bool
    /// Number of connections with this incident; 0 if it is not about connections.
    public private(set) var connections: Int
    /// Whether there may be more connections: beyond the first few, only connections newer than all others
    /// are counted.
    public private(set) var mayHaveMoreConnections = false
    /// The label of the attribute that its frame names.
    public var label: AttributeLabel?
    /// The first few consequences on its connection: the answer to a wrong message, or the requests that a
    /// lost connection left unanswered.
    public private(set) var consequences: [Consequence] = []
    /// Number of its consequences on its connection.
    public private(set) var consequenceCount = 0
    /// The first few later occurrences that have known facts of their own, each with its connection.
    public private(set) var repetitions: [(connection: Int, occurrence: Consequence)] = []
    /// The frame of the last consequence, if that is the end of a connection, whichever.
    private var ending: FramePlace?
    private var otherConnections: [Int] = []
    private var newest: Int
    /// Whether the device was connected after it: a later failure to connect is another incident.
    var isClosed = false
    /// Whether a protocol above ATT is involved: the problem is its own, or it was found on the connection.
    public var involvesProtocol: Bool

    /// The places of the first occurrences, at most ``listLimit``, with their times, in the order of the log.
    public private(set) var occurrences: [(place: FramePlace, time: Int64)]

    /// Limit of the connections in ``otherConnections``, and of ``occurrences``.
    private static let listLimit = 32
    /// Limit of the consequences kept.
    static let consequenceLimit = 4

    init(
        _ problem: Problem, _ severity: Problem.Severity, _ place: FramePlace, order: Int,
        time: Int64 = .min, connection: Int, involvesProtocol: Bool
    ) {
        self.problem = problem
        code = problem.code
        self.severity = severity
        isDecisive = problem.isDecisive
        self.place = place
        (lastPlace, lastTime, lastConnection) = (place, time, connection)
        occurrences = [(place, time)]
        self.order = order
        self.connection = connection
        self.involvesProtocol = involvesProtocol
        connections = connection == 0 ? 0 : 1
        newest = connection
    }

    /// Counts another occurrence; a connection counts once, however often it occurs there.
    mutating func repeated(_ problem: Problem, on other: Int, at place: FramePlace, _ time: Int64) {
        count &+= 1
        if problem.endsConnection, repetitions.count < Self.consequenceLimit, problem.known != nil {
            repetitions.append((other, Consequence(problem: problem, place: place)))
        }
        (lastPlace, lastTime, lastConnection) = (place, time, other)
        if occurrences.count < Self.listLimit { occurrences.append((place, time)) }
        guard other != 0 else { return }
        addConnection(other)
    }

    private mutating func addConnection(_ other: Int) {
        // A connection ends only once, so every end is of another connection.
        let isNew = problem.endsConnection
        guard isNew || other != connection && other != newest && !otherConnections.contains(other) else {
            return
        }
        if otherConnections.count < Self.listLimit {
            otherConnections.append(other)
        } else if !isNew, other < newest {
            mayHaveMoreConnections = true
            return
        }
        newest = max(newest, other)
        connections &+= 1
    }

    /// The numbers of the first connections with this incident.
    public var firstConnections: [Int] { connection == 0 ? [] : [connection] + otherConnections }

    /// Whether a connection is among the first ones with this incident.
    public func isOn(_ number: Int) -> Bool { connection == number || otherConnections.contains(number) }

    /// Adds an incident whose problem repeats this one's on another connection.
    public mutating func join(_ other: Incident) {
        count &+= other.count
        if (other.lastTime, other.lastPlace.bits) > (lastTime, lastPlace.bits) {
            (lastTime, lastPlace) = (other.lastTime, other.lastPlace)
        }
        addOccurrences(of: other)
        for connection in other.firstConnections { addConnection(connection) }
        connections &+= max(0, other.connections - other.firstConnections.count)
        mayHaveMoreConnections = mayHaveMoreConnections || other.mayHaveMoreConnections
    }

    /// Removes an occurrence, which was the only one on its connection. The last occurrence may change.
    mutating func takeBackOne(on number: Int = 0, at taken: FramePlace? = nil) {
        let areAllKnown = occurrences.count == count
        count &-= 1
        occurrences.removeAll { $0.place == taken }
        (lastPlace, lastTime) = areAllKnown ? occurrences.last ?? (place, .min) : (place, .min)
        if connections > 1 { connections &-= 1 }
        otherConnections.removeAll { $0 == number }
        repetitions.removeAll { $0.connection == number }
    }

    /// Makes a later occurrence the first one.
    mutating func begin(at later: FramePlace, on number: Int) {
        (place, connection) = (later, number)
        occurrences.removeFirst(occurrences.firstIndex { $0.place == later } ?? 0)
        lastPlace = occurrences.count == count ? occurrences.last?.place ?? later : later
        otherConnections.removeAll { $0 == number }
        repetitions.removeAll { $0.connection == number }
    }

    /// Adds the occurrences of an equal incident on the same connection.
    mutating func absorb(_ other: Incident) {
        count &+= other.count
        addOccurrences(of: other)
    }

    private mutating func addOccurrences(of other: Incident) {
        occurrences = (occurrences + other.occurrences).sorted {
            ($0.time, $0.place.bits) < ($1.time, $1.place.bits)
        }
        occurrences.removeLast(max(0, occurrences.count - Self.listLimit))
    }

    /// Removes a retracted problem from the occurrences and consequences; returns false if nothing is left.
    mutating func takeBack(where isTaken: (Problem) -> Bool) -> Bool {
        let kept = consequences.filter { !isTaken($0.problem) }
        consequenceCount &-= consequences.count - kept.count
        consequences = kept
        guard isTaken(problem) else { return true }
        count &-= 1
        occurrences.removeAll { $0.place == place }
        return count > 0
    }

    /// Adds a consequence, if there is room. A consequence on another connection is not attached;
    /// `problemCounts` has counted it already.
    mutating func add(_ consequence: Consequence, on other: Int) {
        ending = consequence.problem.endsConnection ? consequence.place : nil
        guard connection == 0 || other == connection else { return }
        consequenceCount &+= 1
        if consequences.count < Self.consequenceLimit { consequences.append(consequence) }
    }

    /// Whether the incident explains a problem at a frame. A warning never explains a failure, because that
    /// would hide the failure.
    func explains(_ problem: Problem, at frame: FramePlace, _ time: Int64, on connection: Int) -> Bool {
        guard severity >= .error || problem.severity < .error else { return false }
        if let request = problem.request, isAt(request), code == problem.code { return true }
        if let early = problem.earlyRequest, isAt(early), code == .requestWhilePending { return true }
        let isSameConnection = connection == lastConnection
        // The end of the connection at this frame, or an end that is itself a consequence, cut the exchange
        // off.
        if problem.endsWithLink || (problem.traits.contains(.overdue) && isSameConnection) {
            if self.problem.endsConnection && isAt(frame) || ending == frame { return true }
        }
        guard isSameConnection, connection > 0, problem.traits.contains(.mayFollowInsecurity),
            !self.problem.traits.isDisjoint(with: [.insecurity, .mayFollowInsecurity])
        else {
            return false
        }
        let (passed, isTooLong) = time.subtractingReportingOverflow(lastTime)
        return !isTooLong && (0...Self.longestEcho).contains(passed)
    }

    /// Whether the incident is a failure at this frame that explains a later problem of the same message.
    func precedes(_ problem: Problem, at frame: FramePlace) -> Bool {
        // The place first, since it tells nearly all incidents apart.
        isAt(frame) && severity >= .error && code == problem.code && problem.concernsMessage(of: self.problem)
    }

    func isAt(_ frame: FramePlace) -> Bool { place == frame || lastPlace == frame }

    /// Longest time from a failed pairing to the events that repeat the failure, in nanoseconds.
    private static let longestEcho: Int64 = 2_000_000_000

    /// Whether another incident is more serious, and stays if there is no room for both.
    @inline(__always)
    func isOutweighed(by other: borrowing Incident) -> Bool {
        let (isLight, isOthersLight) = (severity < .error, other.severity < .error)
        if isLight != isOthersLight { return isLight }
        if involvesProtocol != other.involvesProtocol { return other.involvesProtocol }
        if isDecisive != other.isDecisive { return other.isDecisive }
        return severity < other.severity
    }
}

extension Problem {
    /// Whether the problem is an exchange that was unfinished when the connection ended.
    package var endsWithLink: Bool { traits.contains(.endsWithLink) }

    /// Whether a message of a protocol above ATT was refused with a status.
    package var isRefusalInSession: Bool { isProtocolProblem && status != nil }

    /// Whether it is a pairing or an encryption that failed.
    package var isAboutSecurity: Bool { setback == .pairing || setback == .encryption }

    /// Whether the refused message succeeded later with another key.
    package var wasOvercomeWithOtherKey: Bool {
        if case .annotated(let problem) = kind { problem.otherKey != nil } else { false }
    }

    /// The request that was sent before the previous one was answered, if the problem is its missing
    /// response.
    var earlyRequest: FramePlace? {
        switch kind {
        case .att(.timeout(let request)), .att(.noResponse(let request, _)):
            request.isEarly && severity >= .error ? request.place : nil
        default: nil
        }
    }

    /// The frame whose problem explains this one, which is of a protocol above ATT; nil if there is no such
    /// frame.
    var request: FramePlace? { if case .annotated(let problem) = kind { problem.request } else { nil } }

    /// Whether it is about the same message of a protocol above ATT as an earlier problem of its frame, or
    /// about the message that answers the earlier problem's one.
    func concernsMessage(of earlier: Problem) -> Bool {
        guard case .annotated(let own) = kind, case .annotated(let before) = earlier.kind else {
            return false
        }
        return own.message != nil && (before.message == nil || before.message == own.message)
    }

    /// Whether another problem may explain it.
    var mayFollow: Bool {
        request != nil || !traits.isDisjoint(with: [.endsWithLink, .overdue, .mayFollowInsecurity])
    }
}
