import PayloadFormat
import WireBytes

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

    /// The annotator's own code for it.
    public var name: String { finding.code }
    /// The usual meaning of it and a remedy to try, as half a sentence.
    var hint: StaticText? { finding.kind.hint }

    /// Whether a correct repetition of the message may overcome it.
    var isRetried: Bool { finding.kind.traits.contains(.retried) }

    func row(by side: Problem.Party?) -> Problem.Row {
        var severity: Problem.Severity
        var traits: Problem.Traits = []
        switch finding.kind.weight {
        case .warning: severity = .warning
        case .error: severity = .error
        case .unanswered: (severity, traits) = (.unanswered, [.unanswered, .overdue])
        }
        if let end {
            traits.insert(.endsWithLink)
            if let weight = end.severity(ofSilent: side), weight < .error { severity = weight }
        }
        return Problem.Row(
            kind.code, .named(message ?? "messages"), severity: severity, traits: traits,
            status: status.map { .named($0) }, frame: request
        ) { [finding] _ in finding.message }
    }

    func repeats(_ other: Self) -> Bool {
        guard name == other.name else { return false }
        if finding.kind.weight == .unanswered { return true }
        return finding.message == other.finding.message && subject == other.subject
    }
}
