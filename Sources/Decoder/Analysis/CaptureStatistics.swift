public import CaptureFile
import PayloadFormat
import WireBytes

/// What was counted over a whole capture.
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
    public var l2cap = 0
    public var att = 0
    public var smp = 0
    public var advertisingReports = 0
    public var problems = 0
    public var octets = 0
    /// Packets that the recorder lost, as far as records tell.
    public var lostPackets = 0
    /// ACL packets of which the recorder did not keep all.
    public var cutACL = 0
    /// ACL packets on handles that are no connection's.
    public var vendorPackets = 0
    /// The time of the first record, which elapsed times count from.
    public private(set) var start: CaptureTime?
    /// The earliest and the latest time of a record: of a log whose clock was set back, neither need be that
    /// of its first or last record.
    public private(set) var first: CaptureTime?
    public private(set) var last: CaptureTime?
    /// What went wrong, the gravest first and of the same weight the earliest, each once.
    public private(set) var incidents: [Incident] = []
    /// Failures that came when ``incidents`` was full of graver ones, or that graver ones took the place of.
    public private(set) var unlistedFailures = 0
    /// The problems of protocols above ATT by the annotators' own codes.
    public private(set) var named: [NamedCount] = []
    /// The number, among all records of the capture, of the one that a problem comes with that is counted
    /// next.
    var order = 0
    /// Its time, in nanoseconds.
    private var time = Int64.min
    /// How often each problem was met, by the place of its code in ``Problem/Code/allCases``.
    public var problemCounts = [Int](repeating: 0, count: Problem.Code.allCases.count)
    /// The first frame of each problem, by the same place.
    public var problemFrames = [FramePlace](repeating: FramePlace(), count: Problem.Code.allCases.count)

    /// How many incidents are kept.
    static let incidentLimit = 64
    /// How many of the annotators' codes are kept apart.
    static let namedLimit = 48

    /// How often a problem of an annotator's own was met.
    public struct NamedCount: Sendable {
        /// Which annotator's.
        public var code: Problem.Code
        /// The annotator's code.
        public var name: String
        public var count: Int
        /// Where it was met first.
        public var place: FramePlace
        /// How much each of them weighs, which takes comparing the name with many others.
        public let severity: Problem.Severity
    }

    /// The gravest thing that failed, and the earliest of those.
    public var firstError: Incident? { incidents.first { $0.severity >= .error } }

    @inline(__always)
    mutating func count(_ frame: borrowing Frame) {
        records &+= 1
        octets &+= frame.header.capturedLength
        cover(frame.header.time)
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
        }
        advertisingReports &+= frame.reports
        if frame.l2cap != nil { l2cap &+= 1 }
        if frame.hasATT { att &+= 1 }
        if frame.smpCode != nil { smp &+= 1 }
    }

    @inline(__always)
    private mutating func cover(_ time: CaptureTime) {
        guard let first, let last else {
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
        let place = frame.place
        let label = problem.code == .attError || problem.code == .notSubscribed ? frame.attPDU.label : nil
        time = frame.time.nanoseconds
        count(problem, at: place, link: link, label, speaksProtocol: speaksProtocol)
    }

    mutating func count(
        _ problem: Problem, at place: FramePlace, link: Int, _ label: AttributeLabel? = nil,
        speaksProtocol: Bool
    ) {
        problems &+= 1
        switch problem.kind {
        case .record(.drops(let count)): lostPackets &+= count
        case .record(.behindDamage): lostPackets &+= 1
        default: break
        }
        let code = problem.code.place
        if problemCounts[code] == 0 { problemFrames[code] = place }
        problemCounts[code] &+= 1
        let known = problem.name.map { count($0, problem, place) }
        let connection = problem.connection == 0 ? link : problem.connection
        if let request = problem.earlyRequest { raise(early: request, on: connection) }
        if problem.mayFollow,
            let index = incidents.firstIndex(where: { $0.explains(problem, at: place, time, on: connection) })
        {
            return incidents[index].add(Incident.Consequence(problem: problem, place: place))
        }
        // Code and connection tell most problems of a log apart: asked one by one and first, since a whole
        // entry would be copied to be asked.
        for index in incidents.indices
        where incidents[index].code == problem.code
            && (incidents[index].connection == connection || incidents[index].severity < .error
                || problem.isOfConnection)
            && !incidents[index].problem.isOvercome && problem.repeats(incidents[index].problem)
        {
            return incidents[index].repeated(on: connection, at: place, time)
        }
        let severity = problem.isOfOwnWeight ? problem.severity : known ?? problem.severity
        guard severity > .note else { return }
        let isOfProtocol = speaksProtocol || problem.isOfProtocol
        weigh(problem, severity, at: place, connection, label, isOfProtocol: isOfProtocol)
    }

    /// Makes what an end left without a response follow from that end, which was counted after it.
    mutating func followed(from code: Problem.Code, at place: FramePlace, on connection: Int) {
        guard let cause = incidents.firstIndex(where: { $0.code == code && $0.place == place }) else {
            return
        }
        let rest = incidents.indices.filter {
            incidents[$0].connection == connection && incidents[$0].place == place
                && incidents[$0].problem.endsWithLink
        }
        for index in rest {
            incidents[cause].add(Incident.Consequence(problem: incidents[index].problem, place: place))
        }
        for index in rest.reversed() { incidents.remove(at: index) }
    }

    /// Counts a problem with a name of its own; gives how much it weighs.
    private mutating func count(
        _ name: String, _ problem: Problem, _ place: FramePlace
    ) -> Problem.Severity {
        let (code, length) = (problem.code, name.utf8.count)
        // Texts of one length are compared only: most names differ in it.
        for index in named.indices
        where named[index].code == code && named[index].name.utf8.count == length
            && named[index].name == name
        {
            named[index].count &+= 1
            return named[index].severity
        }
        let severity = problem.severity
        if named.count < Self.namedLimit {
            named.append(NamedCount(code: code, name: name, count: 1, place: place, severity: severity))
        }
        return severity
    }

    /// Makes a refusal that was counted before weigh as a failure, since nothing worked after it: one that is
    /// no more among the gravest too. It is named instead of an equal one before, after which something
    /// worked; of several that are raised, which is done in the order they came in, the first is named.
    mutating func raise(_ problem: Problem, _ place: FramePlace, order: Int) {
        var raised = Incident(
            problem, problem.severity, place, order: order, connection: 0, isOfProtocol: false)
        if let index = incidents.firstIndex(where: { problem.repeats($0.problem) }) {
            guard !incidents[index].problem.isFinal else { return }
            raised = incidents.remove(at: index)
            raised.problem = problem
            (raised.place, raised.order) = (place, order)
        }
        raised.problem.isFinal = true
        insert(raised)
    }

    /// Makes the last problem of a connection with this code weigh as a failure, since it ended that.
    mutating func raise(_ code: Problem.Code, on connection: Int) {
        let place = incidents.firstIndex { $0.code == code && $0.connection == connection }
        guard let place, !incidents[place].problem.isFinal else { return }
        var raised = incidents.remove(at: place)
        raised.problem.isFinal = true
        insert(raised)
    }

    /// Makes a request that was sent too early weigh as a failure, since it got no response.
    private mutating func raise(early request: FramePlace, on connection: Int) {
        let sent = incidents.firstIndex {
            $0.code == .requestWhilePending && ($0.place == request || $0.connection == connection)
        }
        guard let sent, !incidents[sent].problem.isFinal else { return }
        var raised = incidents.remove(at: sent)
        raised.problem.isFinal = true
        raised.place = request
        insert(raised)
    }

    /// Takes back that a request had no response when its connection ended: a late one came.
    mutating func takeBack(unanswered request: FramePlace) {
        let isTaken = { (problem: Problem) in problem.code == .noResponse && problem.related == [request] }
        for index in incidents.indices.reversed() {
            guard !incidents[index].takeBack(where: isTaken) else { continue }
            incidents.remove(at: index)
        }
        problems &-= 1
        problemCounts[Problem.Code.noResponse.place] &-= 1
    }

    /// What failed on a connection succeeded there later: these incidents weigh as warnings from now on.
    mutating func overcome(on connection: Int, where isSame: (Incident) -> Bool) {
        // By their places, since a whole entry would be copied to be asked.
        let places = incidents.indices.filter {
            incidents[$0].connection == connection && !incidents[$0].problem.isOvercome
                && isSame(incidents[$0])
        }
        guard !places.isEmpty else { return }
        let overcome = places.map { incidents[$0] }
        for place in places.reversed() { incidents.remove(at: place) }
        for var incident in overcome {
            incident.problem.isOvercome = true
            let before = incidents.firstIndex {
                $0.connection == connection && $0.problem.isOvercome && $0.problem.repeats(incident.problem)
            }
            if let before { incidents[before].absorb(incident) } else { insert(incident) }
        }
    }

    /// Makes pages of devices with none of these addresses weigh as warnings.
    mutating func setAsidePages(besides met: Set<UInt64>) {
        let pages = incidents.indices.filter {
            incidents[$0].severity >= .error && incidents[$0].problem.isPage(besides: met)
        }
        var aside = pages.map { incidents[$0] }
        for place in pages.reversed() { incidents.remove(at: place) }
        for index in aside.indices {
            aside[index].problem.isInBackground = true
            insert(aside[index])
        }
    }

    /// A connection came about that had failed to before: that weighs as a warning from now on.
    ///
    /// - Parameter next: what failed in the same way and was not overcome.
    mutating func overcome(_ setback: Setback, next: Setback?) {
        let code = setback.problem.code
        let place = incidents.firstIndex {
            $0.code == code && !$0.problem.isOvercome && $0.problem.repeats(setback.problem)
                && ($0.count > 1 || $0.place == setback.place)
        }
        guard let place else { return }
        var overcome = incidents.remove(at: place)
        if overcome.count > 1 {
            var rest = overcome
            rest.takeBackOne()
            if rest.place == setback.place, let next {
                (rest.place, rest.connection) = (next.place, next.connection)
            }
            insert(rest)
            overcome = Incident(
                setback.problem, setback.problem.severity, setback.place, order: overcome.order,
                connection: setback.connection, isOfProtocol: overcome.isOfProtocol)
        }
        overcome.problem.isOvercome = true
        let before = incidents.firstIndex {
            $0.code == code && $0.connection == overcome.connection && $0.problem.isOvercome
                && $0.problem.repeats(overcome.problem)
        }
        if let before { incidents[before].absorb(overcome) } else { insert(overcome) }
    }

    /// Keeps a new problem, if it is among the most serious ones.
    private mutating func weigh(
        _ problem: Problem, _ severity: Problem.Severity, at place: FramePlace, _ connection: Int,
        _ label: AttributeLabel?, isOfProtocol: Bool
    ) {
        var new = Incident(
            problem, severity, place, order: order, time: time, connection: connection,
            isOfProtocol: isOfProtocol)
        new.label = label
        insert(new)
    }

    /// Puts something that went wrong behind all that weigh as much; in a full list the lightest goes.
    private mutating func insert(_ new: Incident) {
        // Of a long log with much of the same weight, what comes late finds the list full.
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

extension Problem.Code {
    /// Its place in ``allCases``.
    public var place: Int { Self.cases.lastIndex(of: self) ?? 0 }

    /// Looked through and no dictionary: that would hash the name, and making one costs a small log's run
    /// more than its problems do. From the end, where those stand that logs have most of.
    private static let cases = allCases
}
