import WireBytes

/// The reason why a command ended without its result: one line for a person, one status for the shell.
public struct Failure: Error, Equatable, Sendable {
    /// The exit status of the process.
    public var status: ExitStatus
    /// Description of the error, beginning with the file's name if there is one.
    public var what: String
    /// Place in the input: offset, record; nil if absent.
    public var place: String?
    /// Advice for the user.
    public var advice: String?

    public init(_ status: ExitStatus, _ what: String, place: String? = nil, advice: String? = nil) {
        self.status = status
        self.what = what
        self.place = place
        self.advice = advice
    }

    /// Creates a failure about a word that is not among the known ones. The advice is the nearest of them, or
    /// else the given one.
    public init(
        _ status: ExitStatus, _ what: String, nearestTo word: String, in known: [String],
        else advice: String? = nil
    ) {
        let near = Suggestion.nearest(to: word, in: known).map { "did you mean '\($0)'?" }
        self.init(status, what, advice: near ?? advice)
    }

    /// The line for standard error, without the program's name and the line's end; always a single line: a
    /// file's name may contain anything.
    public var line: String {
        var text = what
        if let place { text += " (\(place))" }
        if let advice { text += "; \(advice)" }
        return text.visible
    }
}

extension Failure: CustomStringConvertible {
    public var description: String { line }
}

/// Exit status of the process for the shell.
public struct ExitStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Success.
    public static let success = ExitStatus(rawValue: 0)
    /// Completed with a negative result.
    public static let negative = ExitStatus(rawValue: 1)
    /// Wrong usage.
    public static let usage = ExitStatus(rawValue: 2)
    /// The input can't be read or is invalid.
    public static let input = ExitStatus(rawValue: 3)
    /// A problem of the environment: no permission, no adapter, disk full.
    public static let environment = ExitStatus(rawValue: 4)
    /// The log can't be replayed; the reasons are printed.
    public static let unreplayable = ExitStatus(rawValue: 5)
}
