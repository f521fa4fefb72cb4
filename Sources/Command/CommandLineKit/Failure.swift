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
