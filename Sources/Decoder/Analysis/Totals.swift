public import CaptureFile
import PayloadFormat
import WireBytes

/// What was counted over a whole capture.
public struct Totals: Sendable {
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
    public private(set) var wrong: [Wrong] = []
    /// Failures that came when ``wrong`` was full of graver ones, or that graver ones took the place of.
    public private(set) var unlistedFailures = 0
    /// The problems of protocols above ATT by the annotators' own codes.
    public private(set) var named: [NamedCount] = []
    /// The number, among all records of the capture, of the one that a problem comes with that is counted
    /// next.
    var order = 0
    /// How often each problem was met, by the place of its code in ``Problem/Code/allCases``.
    public var problemCounts = [Int](repeating: 0, count: Problem.Code.allCases.count)
    /// The first frame of each problem, by the same place.
    public var problemFrames = [FramePlace](repeating: FramePlace(), count: Problem.Code.allCases.count)

    /// How many things that went wrong are kept.
    static let wrongLimit = 64
    /// How many of the annotators' codes are kept apart.
    static let namedLimit = 48

    /// Something that went wrong.
    public struct Wrong: Sendable {
        /// The problem as it was met first.
        public var problem: Problem {
            didSet { (severity, isDecisive) = (problem.severity, problem.isDecisive) }
        }
        /// Its code: the problem is another one of the same kind, if it changes.
        fileprivate let code: Problem.Code
        /// How much that weighs, which is asked for with each problem of a log.
        public private(set) var severity: Problem.Severity
        /// Where that was.
        public var place: FramePlace
        /// The number of that record among all of the capture, whatever file it is in.
        public internal(set) var order: Int
        /// The number of its connection; 0 for none.
        public var connection: Int
        /// How often it was met.
        public var count = 1
        /// Whether what the user wanted came to nothing by it.
        public private(set) var isDecisive: Bool
        /// On how many connections: where it came on none, none counts.
        public private(set) var connections: Int
        /// Whether there may be more: past the first few, connections are told apart only where they began
        /// after all the others.
        public private(set) var mayHaveMoreConnections = false
        /// The label of the attribute that its frame names.
        public var label: AttributeLabel?
        /// The first connections that it was met on.
        private var met: [Int] = []
        /// The number of the newest connection that it was met on.
        private var newest: Int
        /// Whether it is of a protocol above ATT, or of a connection on which one was spoken by then.
        public var isOfProtocol: Bool

        /// How many connections are told apart.
        static let metLimit = 32

        init(
            _ problem: Problem, _ severity: Problem.Severity, _ place: FramePlace, order: Int,
            connection: Int, isOfProtocol: Bool
        ) {
            self.problem = problem
            code = problem.code
            self.severity = severity
            isDecisive = problem.isDecisive
            self.place = place
            self.order = order
            self.connection = connection
            self.isOfProtocol = isOfProtocol
            connections = connection == 0 ? 0 : 1
            newest = connection
        }

        /// Counts it once more; a connection counts once, however often it comes.
        mutating func repeated(on other: Int) {
            count &+= 1
            guard other != 0 else { return }
            // A connection ends once.
            guard problem.code != .abnormalDisconnection else {
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

        /// What weighs more is kept when there is no room for all.
        @inline(__always)
        func isOutweighed(by other: borrowing Wrong) -> Bool {
            let (isLight, isOthersLight) = (severity < .error, other.severity < .error)
            if isLight != isOthersLight { return isLight }
            if isOfProtocol != other.isOfProtocol { return other.isOfProtocol }
            if isDecisive != other.isDecisive { return other.isDecisive }
            return severity < other.severity
        }
    }

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
    public var firstError: Wrong? { wrong.first { $0.severity >= .error } }

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
        let label = problem.code == .attError ? frame.attPDU.label : nil
        count(problem, at: place, link: link, label, speaksProtocol: speaksProtocol)
    }

    mutating func count(
        _ problem: Problem, at place: FramePlace, link: Int, _ label: AttributeLabel? = nil,
        speaksProtocol: Bool
    ) {
        problems &+= 1
        let code = problem.code.place
        if problemCounts[code] == 0 { problemFrames[code] = place }
        problemCounts[code] &+= 1
        let known = problem.name.map { count($0, problem, place) }
        let connection = problem.connection == 0 ? link : problem.connection
        // Code and connection tell most problems of a log apart: asked one by one and first, since a whole
        // entry would be copied to be asked.
        for index in wrong.indices
        where wrong[index].code == problem.code
            && (wrong[index].connection == connection || wrong[index].severity < .error
                || problem.isOfConnection)
            && !wrong[index].problem.isOvercome && problem.repeats(wrong[index].problem)
        {
            return wrong[index].repeated(on: connection)
        }
        let severity = problem.isOfOwnWeight ? problem.severity : known ?? problem.severity
        guard severity > .note else { return }
        let isOfProtocol = speaksProtocol || problem.code == .uqdk || problem.code == .profile
        weigh(problem, severity, at: place, connection, label, isOfProtocol: isOfProtocol)
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
        var raised = Wrong(
            problem, problem.severity, place, order: order, connection: 0, isOfProtocol: false)
        if let index = wrong.firstIndex(where: { problem.repeats($0.problem) }) {
            guard !wrong[index].problem.isFinal else { return }
            raised = wrong.remove(at: index)
            raised.problem = problem
            (raised.place, raised.order) = (place, order)
        }
        raised.problem.isFinal = true
        insert(raised)
    }

    /// An ATT request that was refused on a connection was taken later: the refusal weighs as a warning.
    mutating func overcome(_ request: RefusedRequest, on connection: Int) {
        let refused = wrong.filter {
            $0.problem.refusedRequest == request && $0.connection == connection && !$0.problem.isOvercome
        }
        guard !refused.isEmpty else { return }
        wrong.removeAll { old in
            refused.contains { $0.order == old.order && $0.problem.code == old.problem.code }
        }
        for var refused in refused {
            refused.problem.isOvercome = true
            insert(refused)
        }
    }

    /// Keeps a problem that is none of those known among the gravest, if it is one of them.
    private mutating func weigh(
        _ problem: Problem, _ severity: Problem.Severity, at place: FramePlace, _ connection: Int,
        _ label: AttributeLabel?, isOfProtocol: Bool
    ) {
        var new = Wrong(
            problem, severity, place, order: order, connection: connection, isOfProtocol: isOfProtocol)
        new.label = label
        insert(new)
    }

    /// Puts something that went wrong behind all that weigh as much; in a full list the lightest goes.
    private mutating func insert(_ new: Wrong) {
        // Of a long log with much of the same weight, what comes late finds the list full.
        if wrong.count >= Self.wrongLimit, !wrong[wrong.count - 1].isOutweighed(by: new) {
            if new.severity >= .error { unlistedFailures &+= 1 }
            return
        }
        wrong.insert(new, at: wrong.firstIndex { $0.isOutweighed(by: new) } ?? wrong.count)
        guard wrong.count > Self.wrongLimit else { return }
        let lightest = wrong.removeLast()
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
