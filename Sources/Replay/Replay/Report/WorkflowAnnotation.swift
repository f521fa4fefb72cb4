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
