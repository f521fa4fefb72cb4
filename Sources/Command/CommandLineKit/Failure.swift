/// Why a command ended without its result: one line for a person, one status for the shell.
public struct Failure: Error, Equatable, Sendable {
    /// The status that the process ends with.
    public var status: ExitStatus
    /// What went wrong, beginning with the file's name if one is concerned.
    public var what: String
    /// Where in the input: offset, record; nil if there is no place.
    public var place: String?
    /// What the user can do about it.
    public var advice: String?

    public init(_ status: ExitStatus, _ what: String, place: String? = nil, advice: String? = nil) {
        self.status = status
        self.what = what
        self.place = place
        self.advice = advice
    }

    /// The line for standard error, without the program's name and the line's end; never more than one line.
    public var line: String {
        var text = what
        if let place { text += " (\(place))" }
        if let advice { text += "; \(advice)" }
        return String(String.UnicodeScalarView(text.unicodeScalars.map(Self.visible)))
    }

    /// A file's name may hold anything; a control character must not reach the terminal or break the line.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "?"
        default: scalar
        }
    }
}
