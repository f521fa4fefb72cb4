import PayloadFormat

/// A problem that a protocol above ATT finds.
public struct AnnotatedProblem: LayerProblem {
    let kind: PrivateProtocol
    /// The annotator's own code for it.
    public let name: String
    /// The problem in words, for a person.
    let text: String
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
        name = problem.code
        text = problem.message
        self.subject = subject
    }

    var code: Problem.Code { kind.code }

    /// Whether it is a request that got no response.
    var isUnanswered: Bool { name == "uqdk.request.unanswered" || name == "uqdk.request.timeout" }

    /// Whether a correct repetition of the message may overcome it.
    var isRetried: Bool {
        ["uqdk.status", "uqdk.proof.wrong", "uqdk.tag.wrong", "uqdk.message.checksum"].contains(name)
    }

    var severity: Problem.Severity {
        switch (kind, name) {
        case (.uqdk, _) where isUnanswered: .unanswered
        // Many sessions that work have requests that a phone sends in the clear before it authenticates, and
        // a car's answers to them.
        case (.uqdk, "uqdk.session.unsecured-request"), (.uqdk, "uqdk.session.unsecured-event"),
            (.uqdk, "uqdk.status.authentication-required"), (.uqdk, "uqdk.response.unexpected"),
            (.uqdk, "uqdk.request.id-reused"), (.uqdk, "uqdk.message.interleaved"),
            (.uqdk, "uqdk.fragment.cut"), (.uqdk, "uqdk.info.cut"):
            .warning
        case (.uqdk, _): .error
        // The profile defines the values and this one does not match: one of the two is wrong.
        case (.profile, _):
            name.hasPrefix("profile.misfit") || name.hasPrefix("profile.request") ? .error : .warning
        }
    }

    func repeats(_ other: Self) -> Bool {
        name == other.name
            && (text == other.text && subject == other.subject || isUnanswered && other.isUnanswered)
    }

    func sentence(by side: Problem.Party?, from file: Int) -> String { text }
}
