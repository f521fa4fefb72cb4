public import CaptureFile
import PayloadFormat

/// Counters of a whole capture, and its incidents: groups repeated problems, and revises them when later
/// frames change their weight.
public struct CaptureStatistics: Sendable {
    public var records = 0
    public var commands = 0
    public var events = 0
    public var acl = 0
    public var sco = 0
    public var iso = 0
    public var monitor = 0
    public var notes = 0
    public var unknown = 0
    /// Packets from the air.
    public var air = 0
    /// Packets from the air whose check sequence was wrong.
    public var wrongCRC = 0
    public var l2cap = 0
    public var att = 0
    public var smp = 0
    public var advertisingReports = 0
    public var problems = 0
    public var octets = 0
    /// Packets that the recorder lost, as far as the records show.
    public var lostPackets = 0
    /// The jumps of the clock within files.
    public internal(set) var clockJumps = ClockJumps()
    /// ACL packets that the recorder truncated.
    public var cutACL = 0
    /// ACL packets on handles that are not connections.
    public var vendorPackets = 0
    /// The time of the first record, from which elapsed times count.
    public private(set) var start: CaptureTime?
    /// The earliest and the latest time of a record. They may differ from those of the first and last record
    /// if the clock was set back.
    public private(set) var first: CaptureTime?
    public private(set) var last: CaptureTime?
    /// The incidents, each once: the most serious first, and the earliest first among equally serious ones.
    public private(set) var incidents: [Incident] = []
    /// Failures that were left out of ``incidents`` or evicted from it, because it was full of more serious
    /// ones.
    public private(set) var unlistedFailures = 0
    /// The number of problems, by code and name, in the order of reports; 0 if all were retracted.
    public private(set) var problemCounts: [ProblemCount] = []
    private var refusedProofs: [RefusedProofs] = []
    static let incidentLimit = 64
    /// Most names of problems that are counted separately.
    static let namedLimit = 48

    /// Number of problems with a code, or with a name of their own.
    public struct ProblemCount: Sendable {
        public let code: Problem.Code
        /// The annotator's own code, or the name of the full table; nil for problems without a name, and
        /// beyond ``namedLimit``.
        public let name: String?
        public internal(set) var count: Int
        /// Whether all are notes, which no verdict counts.
        public internal(set) var isNote: Bool
        /// The place of the first one.
        public let place: FramePlace

        fileprivate func isOf(_ code: Problem.Code, _ other: String?) -> Bool {
            // Nearly all names differ in length.
            self.code == code && name?.utf8.count == other?.utf8.count && name == other
        }
    }

    /// The earliest of the most serious failures.
    public var firstError: Incident? { incidents.first { $0.severity >= .error } }

    @inline(__always)
    mutating func count(_ frame: borrowing Frame) {
        records &+= 1
        octets &+= frame.header.capturedLength
        cover(frame.header)
        switch frame.header.kind {
        case .command: commands &+= 1
        case .event: events &+= 1
        case .acl:
            acl &+= 1
            if frame.header.capturedLength < frame.header.originalLength { cutACL &+= 1 }
        case .sco: sco &+= 1
        case .iso: iso &+= 1
        case .monitor: monitor &+= 1
        case .note: notes &+= 1
        case .unknown: unknown &+= 1
        case .air: air &+= 1
        }
        advertisingReports &+= frame.reports
        if frame.l2cap != nil { l2cap &+= 1 }
        if frame.hasATT { att &+= 1 }
        if frame.smpCode != nil { smp &+= 1 }
    }

    @inline(__always)
    private mutating func cover(_ header: RecordHeader) {
        let time = header.time
        // Notes at the head of a file may have times of another clock, or of the file's making.
        guard let first, let last, records &- 1 != notes || time.since(last) <= Analyzer.longestGap else {
            (start, self.first, self.last) = (time, time, time)
            return
        }
        if time > last {
            self.last = time
        } else if time < first {
            self.first = time
        }
    }

    mutating func count(_ problem: Problem, at frame: borrowing Frame, link: Int, speaksProtocol: Bool) {
        let own = frame.place
        let place = problem.reportedAt ?? own
        let label = problem.traits.contains(.labelled) ? frame.attPDU.label : nil
        count(
            problem, at: place, order: frame.recordNumber, frame.time, link: link,
            label, shownAt: own, speaksProtocol: speaksProtocol)
    }

    /// Counts a problem of the frame `place`. `shown` is the later frame that revealed it, if any; `order`
    /// and `time` are that frame's.
    ///
    /// - Parameters:
    ///   - order: the number, in the whole capture, of the record that shows the problem.
    ///   - time: the time of that record.
    mutating func count(
        _ problem: Problem, at place: FramePlace, order: Int, _ time: CaptureTime, link: Int,
        _ label: AttributeLabel? = nil, shownAt shown: FramePlace? = nil, speaksProtocol: Bool
    ) {
        let time = time.nanoseconds
        problems &+= 1
        var problem = problem
        problem.linkRefusedProofs(&refusedProofs, at: place)
        switch problem.kind {
        case .record(.drops(let count)): lostPackets &+= count
        case .record(.behindDamage): lostPackets &+= 1
        // At the start of a file, another recording has begun.
        case .record(.clockJump(let gap)) where place.frame > 1: clockJumps.add(gap, at: place)
        default: break
        }
        count(problem.code, problem.name, place, isNote: problem.severity == .note)
        let connection = problem.connection == 0 ? link : problem.connection
        if let request = problem.earlyRequest { raise(early: request, on: connection) }
        if problem.isProtocolProblem, problem.severity >= .error,
            let index = incidents.firstIndex(where: { $0.precedes(problem, at: place) })
        {
            return incidents[index].add(.init(problem: problem, place: place), on: connection)
        }
        // Looked for at the problem's own place, then at the frame that showed it: the end of a connection
        // there explains a request whose time it shows to have run out.
        for place in [place, shown ?? place] where problem.mayFollow {
            guard let index = explanation(of: problem, at: place, time, on: connection),
                !remove(incidents[index], ifResultOf: problem)
            else { continue }
            return incidents[index].add(.init(problem: problem, place: place), on: connection)
        }
        // Code and connection distinguish most problems of a log: they are compared first and one by one,
        // since a comparison of whole entries would copy them.
        for index in incidents.indices
        where incidents[index].code == problem.code
            && (incidents[index].connection == connection || incidents[index].severity < .error
                || problem.isOfConnection)
            && !incidents[index].problem.isOvercome && !incidents[index].isClosed
            && problem.repeats(incidents[index].problem)
        {
            return incidents[index].repeated(problem, on: connection, at: place, time)
        }
        let severity = problem.severity
        guard severity > .note else { return }
        let involvesProtocol = speaksProtocol || problem.isProtocolProblem
        var new = Incident(
            problem, severity, place, order: order, time: time, connection: connection,
            involvesProtocol: involvesProtocol)
        new.label = label
        insert(new)
    }

    /// Returns the place of the incident that explains a problem, one on its own connection first.
    private func explanation(
        of problem: Problem, at place: FramePlace, _ time: Int64, on connection: Int
    ) -> Int? {
        var other: Int?
        for index in incidents.indices
        where incidents[index].explains(problem, at: place, time, on: connection) {
            if incidents[index].connection == connection { return index }
            other = other ?? index
        }
        return other
    }

    /// Removes an incident that seems to explain a problem, if the problem is the real reason of the peer's
    /// refusal: the peer checks its subject before the incident's. Returns whether it was removed.
    private mutating func remove(_ incident: Incident, ifResultOf problem: Problem) -> Bool {
        guard incident.count == 1, case .annotated(let before) = incident.problem.kind,
            case .annotated(let new) = problem.kind, new.comesBefore(before)
        else { return false }
        incidents.removeAll { $0.place == incident.place && $0.problem.name == incident.problem.name }
        return true
    }

    /// Attaches the unanswered requests of a connection to its disconnection, which was counted after them.
    mutating func attachUnanswered(
        toDisconnection code: Problem.Code, at place: FramePlace, on connection: Int
    ) {
        guard let cause = incidents.firstIndex(where: { $0.code == code && $0.place == place }) else {
            return
        }
        let rest = incidents.indices.filter {
            incidents[$0].connection == connection && incidents[$0].place == place
                && incidents[$0].problem.endsWithLink
        }
        for index in rest {
            incidents[cause].add(.init(problem: incidents[index].problem, place: place), on: connection)
        }
        for index in rest.reversed() { incidents.remove(at: index) }
    }

    private mutating func count(
        _ code: Problem.Code, _ name: String?, _ place: FramePlace, isNote: Bool
    ) {
        if let index = problemCounts.firstIndex(where: { $0.isOf(code, name) }) {
            problemCounts[index].count &+= 1
            if !isNote { problemCounts[index].isNote = false }
            return
        }
        if name != nil, problemCounts.count(where: { $0.name != nil }) >= Self.namedLimit {
            let first = problemCounts.first { $0.code == code }?.place
            return count(code, nil, first ?? place, isNote: isNote)
        }
        let new = ProblemCount(code: code, name: name, count: 1, isNote: isNote, place: place)
        problemCounts.insert(
            new, at: problemCounts.firstIndex { $0.code.order > code.order } ?? problemCounts.count)
    }

    /// Turns a refusal into a failure, because nothing worked after it. If its incident starts with an
    /// earlier equal refusal that did not matter, the incident now starts here; if it was evicted, it is
    /// inserted again. Call in log order: the first of several equal refusals wins.
    mutating func raise(_ problem: Problem, _ place: FramePlace, order: Int) {
        var raised = Incident(
            problem, problem.severity, place, order: order, connection: 0, involvesProtocol: false)
        if let index = incidents.firstIndex(where: { problem.repeats($0.problem) }) {
            guard !incidents[index].problem.wasRaisedToFailure else { return }
            raised = incidents.remove(at: index)
            raised.problem = problem
            (raised.place, raised.order) = (place, order)
        }
        raised.problem.wasRaisedToFailure = true
        insert(raised)
    }

    /// Makes a problem of a connection a failure, since it ended the connection.
    ///
    /// - Parameter request: the request that the problem is about, if there may be several.
    mutating func raise(_ code: Problem.Code, on connection: Int, about request: FramePlace?) {
        let place = incidents.firstIndex {
            $0.code == code && $0.connection == connection
                && request.map($0.problem.related.contains) ?? true
        }
        guard let place, !incidents[place].problem.wasRaisedToFailure else { return }
        var raised = incidents.remove(at: place)
        raised.problem.wasRaisedToFailure = true
        insert(raised)
    }

    /// Makes the early sending of a request a failure, since the request got no response.
    private mutating func raise(early request: FramePlace, on connection: Int) {
        let sent = incidents.firstIndex {
            $0.code == .requestWhilePending && ($0.place == request || $0.connection == connection)
        }
        guard let sent, !incidents[sent].problem.wasRaisedToFailure else { return }
        var raised = incidents.remove(at: sent)
        raised.problem.wasRaisedToFailure = true
        raised.place = request
        insert(raised)
    }

    /// Retracts the problem of a request without response at its connection's end, since a late response
    /// came.
    mutating func takeBack(unanswered request: FramePlace) {
        let isTaken = { (problem: Problem) in problem.code == .noResponse && problem.related == [request] }
        for index in incidents.indices.reversed() {
            guard !incidents[index].takeBack(where: isTaken) else { continue }
            incidents.remove(at: index)
        }
        problems &-= 1
        if let index = problemCounts.firstIndex(where: { $0.code == .noResponse }) {
            problemCounts[index].count &-= 1
        }
    }

    /// Drops a malformed command from the incidents, since its refusal says so.
    mutating func takeBack(malformedAt command: FramePlace) {
        let place = incidents.firstIndex { $0.code == .malformedHCI && $0.isAt(command) }
        guard let place else { return }
        if incidents[place].count > 1 {
            incidents[place].takeBackOne(at: command)
        } else {
            incidents.remove(at: place)
        }
    }

    /// Lowers incidents of a connection to warnings, since a later success overcame them.
    mutating func markOvercome(
        on connection: Int, by other: Int?, encrypts: Bool, where isSame: (Incident) -> Bool
    ) {
        // By index, since a comparison of whole entries would copy them.
        let places = incidents.indices.filter {
            incidents[$0].connection == connection && incidents[$0].problem.mayBeOvercome(encrypts: encrypts)
                && isSame(incidents[$0])
        }
        guard !places.isEmpty else { return }
        let recovered = places.map { incidents[$0] }
        for place in places.reversed() { incidents.remove(at: place) }
        for var incident in recovered {
            incident.problem.isOvercome = true
            incident.problem.isOvercomeByEncryption = encrypts
            incident.problem.overcomeElsewhere = other == connection ? nil : other
            let before = incidents.firstIndex {
                $0.connection == connection && $0.problem.isOvercome && $0.problem.repeats(incident.problem)
            }
            if let before { incidents[before].absorb(incident) } else { insert(incident) }
        }
    }

    /// Notes that a message succeeded with another key, after its refusals on the connection that stay
    /// failures.
    mutating func note(_ message: String, succeededWith keyID: [UInt8], on connection: Int, at time: Int64) {
        refusedProofs.removeAll { $0.keyID == keyID && $0.message == message }
        for index in incidents.indices where incidents[index].connection == connection {
            guard incidents[index].severity >= .error, incidents[index].lastTime < time,
                case .annotated(var problem) = incidents[index].problem.kind, problem.otherKey == nil,
                problem.message == message, let refused = problem.refusedKey, refused != keyID
            else { continue }
            problem.otherKey = (keyID, time &- incidents[index].lastTime)
            incidents[index].problem.kind = .annotated(problem)
        }
    }

    /// Lowers pages of devices with none of these addresses to warnings.
    mutating func setAsidePages(besides connected: Set<UInt64>) {
        let pages = incidents.indices.filter {
            incidents[$0].severity >= .error && incidents[$0].problem.isPage(besides: connected)
        }
        var aside = pages.map { incidents[$0] }
        for place in pages.reversed() { incidents.remove(at: place) }
        for index in aside.indices {
            aside[index].problem.isInBackground = true
            insert(aside[index])
        }
    }

    /// Ends the series of equal failures to connect, since a connection to the device was established.
    mutating func close(_ setback: Setback) {
        for index in incidents.indices
        where !incidents[index].problem.isOvercome && incidents[index].problem.repeats(setback.problem) {
            incidents[index].isClosed = true
        }
        // A device that fails and comes back all the time leaves room for other failures.
        let closed = incidents.indices.filter {
            incidents[$0].isClosed && !incidents[$0].problem.isOvercome
                && incidents[$0].problem.repeats(setback.problem)
        }
        guard closed.count > Self.closedLimit else { return }
        let later = incidents.remove(at: closed[closed.count - 1])
        incidents[closed[0]].join(later)
    }

    /// Most series of equal failures to connect that are separate incidents.
    private static let closedLimit = 4

    /// Lowers an earlier failure to connect to a warning, since a connection was established.
    ///
    /// - Parameters:
    ///   - other: the number of the connection.
    ///   - next: the next failure of the same kind that no connection has overcome.
    mutating func markOvercome(_ setback: Setback, by other: Int, next: Setback?) {
        let code = setback.problem.code
        let place = incidents.firstIndex {
            $0.code == code && !$0.problem.isOvercome && !$0.isClosed && $0.problem.repeats(setback.problem)
                && ($0.count > 1 || $0.place == setback.place)
        }
        guard let place else { return }
        var recovered = incidents.remove(at: place)
        if recovered.count > 1 {
            var rest = recovered
            rest.takeBackOne(on: setback.connection, at: setback.place)
            if rest.place == setback.place, let next { rest.begin(at: next.place, on: next.connection) }
            insert(rest)
            recovered = Incident(
                setback.problem, setback.problem.severity, setback.place, order: recovered.order,
                connection: setback.connection, involvesProtocol: recovered.involvesProtocol)
        }
        recovered.problem.isOvercome = true
        recovered.problem.overcomeElsewhere = other
        let before = incidents.firstIndex {
            $0.code == code && $0.problem.isOvercome && $0.problem.repeats(recovered.problem)
        }
        if let before {
            var other = incidents.remove(at: before)
            // The first occurrence names the incident.
            if (other.place.file, other.place.frame) < (recovered.place.file, recovered.place.frame) {
                swap(&other, &recovered)
            }
            recovered.join(other)
        }
        insert(recovered)
    }

    /// Inserts an incident after those of equal weight; a full list drops the least serious one.
    private mutating func insert(_ new: Incident) {
        // In a long log with many incidents of equal weight, later ones find the list full.
        if incidents.count >= Self.incidentLimit, !incidents[incidents.count - 1].isOutweighed(by: new) {
            if new.severity >= .error { unlistedFailures &+= 1 }
            return
        }
        incidents.insert(new, at: incidents.firstIndex { $0.isOutweighed(by: new) } ?? incidents.count)
        guard incidents.count > Self.incidentLimit else { return }
        let lightest = incidents.removeLast()
        if lightest.severity >= .error { unlistedFailures &+= lightest.count }
    }
}

/// Jumps of the clock.
public struct ClockJumps: Sendable {
    /// Their number.
    public private(set) var count = 0
    /// Their sum in nanoseconds.
    public private(set) var sum: Int64 = 0
    /// The frame of the first one.
    public private(set) var first = FramePlace()

    /// Adds a jump by `gap` nanoseconds.
    mutating func add(_ gap: Int64, at place: FramePlace) {
        if count == 0 { first = place }
        (count, sum) = (count &+ 1, sum &+ gap)
    }

    mutating func add(_ later: ClockJumps) {
        if count == 0 { first = later.first }
        (count, sum) = (count &+ later.count, sum &+ later.sum)
    }
}

/// Counts over a link.
public struct LinkCounts: Sendable {
    public var packets = 0
    public var attPDUs = 0
    public var requests = 0
    public var responses = 0
    public var errors = 0
    public var discovery = CountBySide()
    public var reads = CountBySide()
    public var writes = CountBySide()
    public var notifications = CountBySide()
    public var indications = CountBySide()
    public var smpPDUs = 0
    /// PDUs of dynamic L2CAP channels whose content is not decoded.
    public var undecodedPDUs = 0
    /// Packets of its synchronous connections (voice) and isochronous streams.
    public var streamed = 0
    public var problems = 0
}

/// Number of PDUs of a kind that each side of a link sent.
public struct CountBySide: Sendable {
    public private(set) var byHost = 0
    public private(set) var byPeer = 0

    public var total: Int { byHost &+ byPeer }

    mutating func add(_ sender: Side) {
        if sender == .host { byHost &+= 1 } else { byPeer &+= 1 }
    }
}
