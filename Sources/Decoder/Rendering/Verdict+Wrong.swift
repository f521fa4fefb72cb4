public import Analysis
public import CaptureFile
import PayloadFormat
import WireBytes

// What went wrong: damage of the files, what failed and where, what still waited, and how often what was met.

/// What the reading of captures met, which no frame can tell.
public struct ReadingDamage: Sendable {
    /// Why files could not be read, or not to their end.
    public var errors: [CaptureFileError]
    /// Octets behind the damage, which were not read.
    public var unreadOctets: Int
    /// Packets that the recorder dropped, of which no record tells.
    public var untoldDrops: Int

    /// Nothing, unless something is said.
    public init(_ errors: [CaptureFileError] = [], unreadOctets: Int = 0, untoldDrops: Int = 0) {
        self.errors = errors
        self.unreadOctets = unreadOctets
        self.untoldDrops = untoldDrops
    }

    /// What the reading met, with the account of the octets.
    public init(_ errors: [CaptureFileError], _ tally: ReaderTally) {
        self.init(errors, unreadOctets: tally.unreadableOctets, untoldDrops: tally.dropsAfterLast)
    }
}

extension OpenRequest {
    /// The request as a sentence, the same in every output.
    public var sentence: String {
        var out = TextBuffer(capacity: 128)
        Verdict.put(self, namesFile: false, into: &out)
        return String(decoding: out.copied(from: 0), as: UTF8.self)
    }
}

extension Verdict {
    /// Appends the damage, the gravest failures, and the requests that waited when the log ended.
    ///
    /// - Parameter limit: the most failures that have a line.
    static func wrong(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ totals: Totals, _ damage: ReadingDamage,
        limit: Int = wrongLimit, into out: inout TextBuffer
    ) {
        let namesFile = files.count > 1
        put(damage, into: &out)
        let links = analyzer.listedLinks
        doubts(links, namesFile: namesFile, into: &out)
        let failed = failures(links, totals)
        for (index, wrong) in failed.prefix(limit).enumerated() {
            out.put(index == 0 ? "failed: " : "also failed: ")
            put(wrong, analyzer, namesFile, into: &out)
        }
        more(
            failed.count - limit, unlisted: totals.unlistedFailures, isReport: limit > wrongLimit, into: &out)
        let requests = analyzer.listedRequests
        let waits = !requests.isEmpty || links.contains { !$0.openRequests.isEmpty }
        waiting(requests, links, namesFile: namesFile, into: &out)
        unread(links, unlisted: analyzer.unlistedUnread, into: &out)
        for gap in LogGap.gaps(of: files, analyzer, totals) { put(gap, into: &out) }
        let isUnread = analyzer.unlistedUnread > 0 || links.contains { $0.uqdk?.unread != nil }
        let place: StaticText = isUnread ? " in what could be read" : ""
        if failed.isEmpty, let odd = totals.wrong.first {
            if !waits {
                out.put("nothing failed")
                out.put(place)
                out.put("; ")
            }
            out.put("first warning: ")
            put(odd, analyzer, namesFile, into: &out)
        }
        guard totals.wrong.isEmpty else { return }
        let isAlone = !waits && damage.errors.isEmpty && damage.untoldDrops == 0
        let isOfAll = analyzer.selection == nil && analyzer.connectionCount == 0
        if isAlone, isOfAll, analyzer.attemptCount > 0 || analyzer.scanTime > 0 {
            return out.put("nothing failed, and nothing was connected to\n")
        }
        out.put(isAlone ? "nothing wrong was found" : "nothing else wrong was found")
        out.put(place)
        out.put(0x0A)
    }

    private static func put(_ gap: LogGap, into out: inout TextBuffer) {
        out.put("not in this log: ")
        out.escaped(gap.text)
        out.put("; next time ")
        out.escaped(gap.advice)
        out.put(0x0A)
    }

    static func put(_ damage: ReadingDamage, into out: inout TextBuffer) {
        if damage.untoldDrops > 0 {
            out.put("incomplete: the recorder lost ")
            out.count(damage.untoldDrops, "packet")
            out.put("; the file does not say where\n")
        }
        for error in damage.errors.prefix(wrongLimit) {
            var named = error
            if named.file == "-" { named.file = "standard input" }
            out.put("damaged: ")
            out.escaped(named.description)
            if damage.unreadOctets > 0, damage.errors.count == 1 {
                out.put("; ")
                out.count(damage.unreadOctets, "octet")
                out.put(damage.unreadOctets == 1 ? " was not read" : " were not read")
            }
            out.put(0x0A)
        }
        guard damage.errors.count > wrongLimit else { return }
        out.put("and ")
        out.count(damage.errors.count - wrongLimit, "more file")
        out.put(" with damage\n")
    }

    /// Appends how many failures have no line.
    private static func more(_ count: Int, unlisted: Int, isReport: Bool, into out: inout TextBuffer) {
        guard count > 0 || unlisted > 0 else { return }
        // Of those that were not kept, how many are the same failure again is not known.
        out.put(unlisted > 0 ? "and more than " : "and ")
        out.count(max(0, count), "more failure")
        out.put(isReport ? "\n" : " (blecap info lists them)\n")
    }

    private static func put(
        _ wrong: Totals.Wrong, _ analyzer: borrowing Analyzer, _ namesFile: Bool, into out: inout TextBuffer
    ) {
        out.put("frame ")
        put(wrong.place, namesFile, into: &out)
        if wrong.connection > 0 {
            out.put(", connection ")
            out.decimal(wrong.connection)
        }
        out.put(": ")
        if case .annotated(let problem) = wrong.problem.kind, let subject = problem.subject {
            out.escaped(subject)
            out.put(": ")
        }
        out.put(wrong.problem.sentence)
        if let request = wrong.problem.refusedRequest {
            put(request, wrong.label, analyzer, into: &out)
        }
        if wrong.count > 1 { repeats(of: wrong, into: &out) }
        if wrong.problem.isOvercome { out.put("; the same request was taken later") }
        out.put(0x0A)
    }

    /// Appends a frame's number, with its file's before it as lines of frames have it.
    static func put(_ place: FramePlace, _ namesFile: Bool, into out: inout TextBuffer) {
        out.put(place, from: namesFile ? nil : place.file)
    }

    private static func waiting(
        _ requests: [OpenRequest], _ links: [Link], namesFile: Bool, into out: inout TextBuffer
    ) {
        var shown = 0
        var count = requests.count
        for request in requests.prefix(2) {
            shown += 1
            out.put("unanswered: ")
            put(request, namesFile: namesFile, into: &out)
            out.put(0x0A)
        }
        for link in links {
            for request in link.openRequests {
                count += 1
                guard shown < 2 else { continue }
                shown += 1
                out.put("unanswered: connection ")
                out.decimal(link.number)
                out.put(": ")
                put(request, namesFile: namesFile, into: &out)
                if let value = link.unheard {
                    out.put("; notifications of ")
                    out.hexNumber(UInt64(value.handle), digits: 4)
                    out.put(" were never enabled")
                }
                out.put(0x0A)
            }
        }
        guard count > shown else { return }
        out.put("and ")
        out.count(count - shown, "more request")
        out.put(" without a response at the log's end\n")
    }

    /// Appends that a request waited when the log ended.
    static func put(_ request: OpenRequest, namesFile: Bool, into out: inout TextBuffer) {
        out.escaped(request.name)
        out.put(" of frame ")
        put(request.place, namesFile, into: &out)
        out.put(
            request.isConnect
                ? " had not come about when the log ended" : " had no response when the log ended")
        guard request.waited >= 0 else { return }
        out.put(", ")
        TextDuration.put(request.waited, into: &out)
        out.put(" later")
    }

    /// Appends how often each kind of problem was met, the gravest and most frequent first.
    static func problems(_ totals: Totals, namesFile: Bool, into out: inout TextBuffer) {
        guard totals.problems > 0 else { return }
        let kinds = kinds(totals).sorted { ($0.severity, $0.count) > ($1.severity, $1.count) }
        var steps = StepList(width: width, indent: 2, lineStart: out.count, separator: ", ")
        out.put("problems:")
        for kind in kinds.prefix(problemLimit) {
            steps.begin(into: &out)
            put(kind, namesFile, into: &out)
        }
        if kinds.count > problemLimit {
            steps.begin(into: &out)
            let rest = kinds.count - problemLimit
            out.decimal(rest)
            out.put(rest == 1 ? " more kind" : " more kinds")
        }
        steps.end(into: &out)
        out.put(0x0A)
    }

    /// A kind of problem, and how often it was met.
    struct ProblemKind {
        var name: String
        var severity: Problem.Severity
        var count: Int
        var place: FramePlace
    }

    static func put(_ kind: ProblemKind, _ namesFile: Bool, into out: inout TextBuffer) {
        out.decimal(kind.count)
        out.put(" \u{D7} ")
        out.escaped(kind.name)
        out.put(" (frame ")
        put(kind.place, namesFile, into: &out)
        out.put(")")
    }

    /// All kinds that were met, those of protocols above ATT by their own codes.
    static func kinds(_ totals: Totals) -> [ProblemKind] {
        var kinds: [ProblemKind] = []
        for (place, code) in Problem.Code.allCases.enumerated() where totals.problemCounts[place] > 0 {
            var left = totals.problemCounts[place]
            for named in totals.named where named.code == code {
                left -= named.count
                kinds.append(
                    ProblemKind(
                        name: named.name, severity: named.severity, count: named.count, place: named.place))
            }
            guard left > 0 else { continue }
            kinds.append(
                ProblemKind(
                    name: code.rawValue, severity: code.severity, count: left,
                    place: totals.problemFrames[place]))
        }
        return kinds
    }
}
