import WireBytes

/// Replays as a JUnit file for continuous integration; each replay is a test case.
public struct JUnitFile: Sendable {
    /// The result of a test case, with its message.
    public enum Result: Hashable, Sendable {
        case passed
        case skipped(String)
        case failed(String)
    }

    /// A test case.
    public struct Case: Sendable {
        public var name: String
        /// Duration of the test.
        public var time: Duration
        public var result: Result
        /// The report.
        public var text: String

        public init(name: String, time: Duration, result: Result, text: String) {
            self.name = name
            self.time = time
            self.result = result
            self.text = text
        }
    }

    private let cases: [Case]

    public init(_ cases: [Case]) { self.cases = cases }

    /// The bytes of the file.
    public var octets: [UInt8] {
        var out = TextBuffer()
        let skipped = cases.count { if case .skipped = $0.result { true } else { false } }
        let failed = cases.count { if case .failed = $0.result { true } else { false } }
        out.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        out.put("<testsuite name=\"blecap replay\" tests=\"\(cases.count)\" failures=\"\(failed)\" ")
        out.put("skipped=\"\(skipped)\" time=\"\(Self.seconds(cases.reduce(.zero) { $0 + $1.time }))\">\n")
        for one in cases {
            out.put("  <testcase classname=\"blecap.replay\" name=\"\(Markup.escaped(one.name))\" ")
            out.put("time=\"\(Self.seconds(one.time))\">")
            let text = Markup.escaped(one.text)
            switch one.result {
            case .passed: out.put("<system-out>\(text)</system-out>")
            case .skipped(let word): out.put("<skipped message=\"\(Markup.escaped(word))\">\(text)</skipped>")
            case .failed(let word): out.put("<failure message=\"\(Markup.escaped(word))\">\(text)</failure>")
            }
            out.put("</testcase>\n")
        }
        out.put("</testsuite>\n")
        return out.octets.copied()
    }

    /// Formats seconds with three decimals.
    private static func seconds(_ time: Duration) -> String {
        let milliseconds = Int(time / .milliseconds(1))
        return "\(milliseconds / 1000)." + String(String(1000 + milliseconds % 1000).dropFirst())
    }
}

/// A failed replay as a GitHub workflow command; GitHub's pages show it beside the file.
public struct WorkflowAnnotation: Hashable, Sendable {
    /// Maximum number of report lines that a page shows.
    private static let most = 8

    /// The log, as a path from the repository's root.
    public var file: String
    /// The verdict.
    public var word: String
    /// The frame of the failure; nil if there is no single frame.
    public var frame: Int?
    /// The report.
    public var report: String

    public init(file: String, word: String, frame: Int?, report: String) {
        self.file = file
        self.word = word
        self.frame = frame
        self.report = report
    }

    /// The frame and the report.
    public var message: String { (frame.map { "frame \($0): " } ?? "") + report }

    /// The line to print, including its line end, with the beginning of the message.
    public var line: String {
        let message = message.split(separator: "\n").prefix(Self.most).joined(separator: "\n")
        let title = Self.property("blecap replay: \(word)")
        return "::error file=\(Self.property(file)),title=\(title)::\(Self.escaped(message))\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
