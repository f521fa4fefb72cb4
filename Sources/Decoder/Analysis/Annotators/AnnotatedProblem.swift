import PayloadFormat

/// What a protocol above ATT finds wrong.
public struct AnnotatedProblem: LayerProblem {
    /// The kind of protocol.
    let kind: PrivateProtocol
    /// The annotator's own code for it.
    public let name: String
    /// What is wrong, for a person.
    let text: String
    /// What it is about, where its text does not say so and its frame would: the name of a message.
    public internal(set) var subject: String?
    /// The name of the message that it is about; nil where none is whole.
    public internal(set) var message: String?
    /// The name of the status that the message has; nil where it has none.
    public internal(set) var status: String?
    /// The frame of the request, of a problem of its response.
    var request: FramePlace?
    /// How the connection ended on which it is about a request without its response.
    var end: ConnectionEnd?

    init(_ kind: PrivateProtocol, _ problem: AnnotationProblem, subject: String? = nil) {
        self.kind = kind
        name = problem.code
        text = problem.message
        self.subject = subject
    }

    var code: Problem.Code { kind.code }

    /// A request that got no response.
    var isUnanswered: Bool { name == "uqdk.request.unanswered" || name == "uqdk.request.timeout" }

    /// Whether sending the message again, made well, may put it right.
    var isRetried: Bool {
        ["uqdk.status", "uqdk.proof.wrong", "uqdk.tag.wrong", "uqdk.message.checksum"].contains(name)
    }

    var severity: Problem.Severity {
        switch (kind, name) {
        case (.uqdk, _) where isUnanswered: .unanswered
        // What a phone sends in clear before it authenticates, and what a car says to that, is part of many
        // sessions that work.
        case (.uqdk, "uqdk.session.unsecured-request"), (.uqdk, "uqdk.session.unsecured-event"),
            (.uqdk, "uqdk.status.authentication-required"), (.uqdk, "uqdk.response.unexpected"),
            (.uqdk, "uqdk.request.id-reused"), (.uqdk, "uqdk.message.interleaved"),
            (.uqdk, "uqdk.fragment.cut"), (.uqdk, "uqdk.info.cut"):
            .warning
        case (.uqdk, _): .error
        // A profile that says what the values are and a value that is none of them: one of the two is wrong.
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
