public import PayloadFormat

// The digital-key protocol's kinds of problems, one row each.

extension AnnotationProblem.Kind {
    // Fragments
    static let fragmentCut = Self("uqdk.fragment.cut", .warning, .ofFragments)
    static let fragmentHeader = Self("uqdk.fragment.header", .error, .ofFragments)
    static let fragmentID = Self("uqdk.fragment.id-range", .error, .ofFragments)

    /// Returns the kind for a message that was not completed.
    static func fragment(_ failure: Reassembler.Failure) -> Self {
        switch failure {
        case .gap: Self("uqdk.fragment.gap", .error, .ofFragments)
        case .differentRepeat: Self("uqdk.fragment.repeat", .error, .ofFragments)
        case .timeout: Self("uqdk.fragment.timeout", .error, .ofFragments)
        case .restarted: Self("uqdk.fragment.restarted", .error, .ofFragments)
        case .tooManyFragments: Self("uqdk.fragment.too-many", .error, .ofFragments)
        case .tooLong: Self("uqdk.fragment.too-long", .error, .ofFragments)
        case .cut: .fragmentCut
        case .disconnected: Self("uqdk.fragment.disconnected", .error, .ofFragments)
        case .evicted: Self("uqdk.fragment.evicted", .error, .ofFragments)
        }
    }

    // Messages
    static let messageShort = Self("uqdk.message.short", .error, .ofMessage)
    static let messageMagic = Self("uqdk.message.magic", .error, .ofMessage)
    static let messageVersion = Self("uqdk.message.version", .error, .ofMessage)
    static let messageType = Self("uqdk.message.kind", .error, .ofMessage)
    static let messageReserved = Self("uqdk.message.reserved", .error, .ofMessage)
    static let messageLength = Self("uqdk.message.length", .error, .ofMessage)
    static let messageChecksum = Self("uqdk.message.checksum", .error, [.ofMessage, .retried])
    static let messageCommand = Self("uqdk.message.command", .error, .ofMessage)
    static let messageInterleaved = Self("uqdk.message.interleaved", .warning, .ofMessage)
    static let body = Self("uqdk.body")
    static let infoCut = Self("uqdk.info.cut", .warning)
    static let info = Self("uqdk.info")

    // Requests and responses
    public static let requestTimeout = Self("uqdk.request.timeout", .unanswered)
    public static let requestUnanswered = Self("uqdk.request.unanswered", .unanswered)
    static let requestID = Self("uqdk.request.id-reused", .warning)
    static let responseUnexpected = Self("uqdk.response.unexpected", .warning)
    static let responseCommand = Self("uqdk.response.command")
    public static let status = Self("uqdk.status", .error, [.retried, .refusal])
    /// A request in clear was answered with the demand to authenticate, as in many sessions that work.
    public static let authenticationRequired = Self(
        "uqdk.status.authentication-required", .warning, .refusal)

    // The session
    static let sessionNone = Self("uqdk.session.none", .error, .needsBothSides)
    static let sessionExpired = Self("uqdk.session.expired")
    public static let notAuthenticated = Self("uqdk.session.not-authenticated")
    // Many sessions that work have requests that a phone sends in clear before it authenticates.
    static let unsecuredRequest = Self("uqdk.session.unsecured-request", .warning)
    static let unsecuredEvent = Self("uqdk.session.unsecured-event", .warning)
    /// The phone ignores the response.
    public static let unsecuredResponse = Self("uqdk.session.unsecured-response")
    static let tagWrong = Self("uqdk.tag.wrong", .error, .retried)
    static let proofWrong = Self("uqdk.proof.wrong", .error, .retried)
    static let counterReplayed = Self("uqdk.counter.replayed", .error, .needsBothSides)
    static let counterUsedUp = Self("uqdk.counter.used-up")
    static let authCounterReplayed = Self("uqdk.counter.auth-replayed")
    static let nonceReused = Self("uqdk.nonce.reused")
}
