/// A problem of a frame: a stable code, and wording that may change.
public struct AnnotationProblem: Hashable, Sendable {
    /// The stable code: `uqdk.fragment.gap`.
    public var code: String
    /// The problem as readable text.
    public var message: String

    /// Creates a problem.
    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}
