import PayloadFormat

/// A problem that a protocol above ATT finds.
public struct AnnotatedProblem: LayerProblem {
    let kind: PrivateProtocol
    private let finding: AnnotationProblem
    /// The name of the message that it is about, if its text does not say so and its frame would.
    public internal(set) var subject: String?
    /// The name of the message that it is about; nil if no message is complete.
    public internal(set) var message: String?
    /// The name of the status in the message; nil if it has none.
    public internal(set) var status: String?
    /// The frame of the request, for a problem of its response.
    var request: FramePlace?
    /// The end of the connection, for a request without a response at that time.
    var end: ConnectionEnd?

    init(_ kind: PrivateProtocol, _ problem: AnnotationProblem, subject: String? = nil) {
        self.kind = kind
        finding = problem
        self.subject = subject
    }

    var code: Problem.Code { kind.code }

    /// The annotator's own code for it.
    public var name: String { finding.code }

    /// Whether it is a request that got no response.
    var isUnanswered: Bool { finding.kind.weight == .unanswered }

    /// Whether a correct repetition of the message may overcome it.
    var isRetried: Bool { finding.kind.traits.contains(.retried) }

    var severity: Problem.Severity {
        switch finding.kind.weight {
        case .warning: .warning
        case .error: .error
        case .unanswered: .unanswered
        }
    }

    func repeats(_ other: Self) -> Bool {
        guard name == other.name else { return false }
        return isUnanswered || finding.message == other.finding.message && subject == other.subject
    }

    func sentence(by side: Problem.Party?, from file: Int) -> String { finding.message }
}
