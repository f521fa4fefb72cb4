/// Something wrong with a frame, by a code that stays the same and in words that may be bettered.
public struct AnnotationProblem: Hashable, Sendable {
    /// The stable code: `uqdk.fragment.gap`.
    public var code: String
    /// What is wrong, for a person.
    public var message: String

    /// A problem by its code, with words.
    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}
