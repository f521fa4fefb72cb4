public import Analysis
import BluetoothCore
public import CaptureFile
import PayloadFormat
public import WireBytes

/// The result of one log in a line, where several logs are judged separately.
public struct LogLine: Sendable {
    /// The verdict on a log in one word.
    public enum Verdict: String, Sendable, CaseIterable {
        case failed, warning, ok, unreadable
    }

    public private(set) var verdict: Verdict
    /// The code of the first failure; without failures, of the first warning, or of the error in reading the
    /// file. Nil without any problem.
    public private(set) var cause: String?
    /// The first failure's signature, for grouping logs; nil if nothing failed.
    public private(set) var signature: IncidentSignature?
    /// The user's tags for the log.
    public var tags: [(key: String, value: String)] = []
    /// The device's advertised name, else its address; empty without a known connection.
    public private(set) var device = ""
    /// The first failure with its frame; without failures, the connection's end.
    public private(set) var outcome: String
    /// The side that caused the first failure or warning, as in the verdict; empty without one.
    private var side = ""
    /// The outcome, with the side that caused it.
    public var text: String { outcome + side }

    /// Whether the system could not read the file.
    private var isOfSystem = false
    /// Whether any of the log passes the filter, so that the verdict says something.
    private var isJudged = true
    /// The verdict in text.
    private var word: String { isJudged ? verdict.rawValue : "-" }

    /// Columns of a file's name, where lines have a width: a longer one has a line of its own.
    private static let nameWidth = 36
    /// Maximum columns of a device, where lines have a width.
    private static let deviceWidth = 17

    /// Summarizes a log that `analyzer` has processed to its end; if frames are selected, only these.
    public init(_ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage) {
        let totals = analyzer.shownTotals
        let links = analyzer.listedLinks
        let worst =
            Rendering.Verdict.failures(analyzer, totals).first
            ?? Rendering.Verdict.warnings(totals).first
            ?? totals.incidents.first
        let important = Rendering.Verdict.important(links, analyzer, totals).first
        let attempted = worst?.problem.attempt?.peer
        let link = links.first { $0.number == worst?.connection } ?? (attempted == nil ? important : nil)
        verdict = worst.map { $0.severity >= .error ? .failed : .warning } ?? .ok
        let summary = link.map { ConnectionSummary(link: $0, namesFile: false) }
        outcome = summary.map { $0.text($0.ending) } ?? "no connection"
        if let link, let address = link.address ?? link.identity {
            let name = Rendering.Verdict.shownName(of: link, analyzer)
            device = name ?? "\(address)"
        } else if let attempted {
            device = "\(attempted)"
        }
        if totals.records == 0, analyzer.totals.records > 0, worst == nil {
            (device, outcome, isJudged) = ("", "nothing passes the filter", false)
        }
        if analyzer.totals.records == 0, damage.isNone {
            (verdict, cause) = (.warning, LogGap.Code.packets.rawValue)
            outcome = "the log is empty: nothing was recorded"
        } else if let error = damage.errors.first, verdict != .failed {
            isJudged = true
            verdict = files.isEmpty ? .unreadable : .warning
            cause = error.cause.code
            outcome = error.reason
            if case .system = error.cause { isOfSystem = true }
        } else if let worst {
            if verdict == .failed {
                signature = IncidentSignature(
                    worst, links.first { $0.number == worst.connection }, analyzer.databases)
            }
            let code = worst.problem.name ?? worst.problem.code.rawValue
            cause = code
            let place = worst.place.text(from: files.count > 1 ? nil : worst.place.file)
            let subject = worst.problem.subject.map { String(escaped: $0.utf8) + ": " } ?? ""
            let sentence = Rendering.Verdict.sentence(
                worst.problem, on: worst.connection, worst.label, analyzer)
            outcome = "frame \(place): \(subject)\(worst.problem.text(sentence, namesFile: files.count > 1))"
            side = worst.problem.sideMark
        }
    }

    /// Returns the name of a log: the names of its files, but not more than ``namedFiles``.
    public static func name(of files: [String]) -> String {
        let names = files.prefix(namedFiles).map { $0 == "-" ? "standard input" : $0 }
        let more = files.count > names.count ? " and \(files.count - names.count) more" : ""
        return names.joined(separator: " + ") + more
    }

    /// Most files that a log's name has.
    private static let namedFiles = 3

    /// Returns the number of logs with each verdict: `1 failed, 2 ok`.
    public static func verdicts(_ lines: [LogLine]) -> String {
        let judged = Verdict.allCases.map { verdict in
            (count: lines.count { $0.isJudged && $0.verdict == verdict }, word: verdict.rawValue)
        }
        return (judged + [(lines.count { !$0.isJudged }, "not judged")])
            .filter { $0.count > 0 }.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
    }

    /// Returns the causes with their numbers of logs, most frequent first; of a file that the system can't
    /// read, its message.
    public static func causes(_ lines: [LogLine]) -> [(cause: String, count: Int)] {
        Dictionary(grouping: lines.compactMap { $0.isOfSystem ? $0.outcome : $0.cause }) { $0 }
            .mapValues(\.count)
            .sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map { (cause: $0.key, count: $0.value) }
    }

    /// Column widths for the lines of several logs: verdicts, names and devices have the columns that they
    /// need, up to a limit, and outcomes have the rest.
    public struct Layout: Sendable {
        private var verdict = 0
        private var name = 0
        private var device = 0
        private let width: Int
        /// Least columns for an outcome on the line of its log; with fewer it has lines of its own.
        private static let leastOutcome = 40

        /// - Parameter width: the columns of a line; nil to leave everything whole.
        public init(_ lines: [(name: String, line: LogLine)], width: Int?) {
            self.width = width ?? .max
            let mostName = width == nil ? Int.max : LogLine.nameWidth
            let mostDevice = width == nil ? Int.max : LogLine.deviceWidth
            for (name, line) in lines {
                verdict = max(verdict, line.word.columns)
                self.name = max(self.name, min(String(escaped: name.utf8).columns, mostName))
                device = max(device, min(line.device.columns, mostDevice))
            }
        }

        /// Appends the line of the log with this name.
        public func put(_ name: String, _ line: LogLine, into out: inout TextBuffer) {
            var first = [line.word.padded(to: verdict), String(escaped: name.utf8)]
            if first[1].columns > self.name {
                out.put(first.joined(separator: "  "))
                out.put(0x0A)
                first = ["".padded(to: verdict), ""]
            }
            first[1] = first[1].padded(to: self.name)
            let columns = first + [line.device.cut(to: device).padded(to: device)]
            let head = columns.filter { !$0.isEmpty }.joined(separator: "  ") + "  "
            var lines = (head + line.text).wrapped(to: width, indent: head.columns)
            if lines.count > 1, width - head.columns < Self.leastOutcome {
                let indent = verdict + 2
                lines = (String(repeating: " ", count: indent) + line.text)
                    .wrapped(to: width, indent: indent)
                lines.insert(head, at: 0)
            }
            for line in lines {
                out.put(line)
                out.put(0x0A)
            }
        }
    }
}

extension String {
    /// Returns the string, padded with spaces to a number of columns.
    fileprivate func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, columns - self.columns))
    }

    /// Returns the first columns, with an ellipsis if anything is left out.
    fileprivate func cut(to columns: Int) -> String {
        self.columns <= columns ? self : divided(at: columns - 1).head + "\u{2026}"
    }
}
