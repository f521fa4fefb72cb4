public import PayloadFormat
import WireBytes

// The digital-key protocol's kinds of problems, one row each.

extension AnnotationProblem.Kind {
    // Fragments
    static let fragmentCut = Self("uqdk.fragment.cut", .warning, .ofFragments)
    static let fragmentHeader = Self("uqdk.fragment.header", .error, .ofFragments)
    static let fragmentID = Self("uqdk.fragment.id-range", .error, .ofFragments)

    /// Returns the kind for a message that was not completed.
    static func fragment(_ failure: Reassembler.Failure, _ traits: Traits = []) -> Self {
        func kind(_ code: String, _ hint: StaticText? = nil) -> Self {
            Self("uqdk.fragment." + code, .error, traits.union(.ofFragments), hint: hint)
        }
        return switch failure {
        case .gap: kind("gap", "usually the sender left out a fragment or sent it in the wrong order")
        case .differentRepeat: kind("repeat")
        case .timeout: kind("timeout", "usually the sender stopped in the middle of the message")
        case .restarted: kind("restarted")
        case .tooManyFragments: kind("too-many")
        case .tooLong: kind("too-long")
        case .cut: .fragmentCut
        case .disconnected: kind("disconnected")
        case .evicted: kind("evicted")
        }
    }

    // Messages
    static let messageShort = Self("uqdk.message.short", .error, .ofMessage)
    static let messageMagic = Self("uqdk.message.magic", .error, .ofMessage)
    static let messageVersion = Self("uqdk.message.version", .error, .ofMessage)
    static let messageType = Self("uqdk.message.kind", .error, .ofMessage)
    static let messageReserved = Self("uqdk.message.reserved", .error, .ofMessage)
    static let messageLength = Self("uqdk.message.length", .error, .ofMessage)
    static let messageChecksum = Self(
        "uqdk.message.checksum", .error, [.ofMessage, .retried],
        hint: "usually bytes were changed or lost while the message was put together")
    static let messageCommand = Self("uqdk.message.command", .error, .ofMessage)
    static let messageInterleaved = Self("uqdk.message.interleaved", .warning, .ofMessage)
    static let body = Self("uqdk.body")
    static let infoCut = Self("uqdk.info.cut", .warning)
    static let info = Self("uqdk.info")

    // Requests and responses
    public static let requestTimeout = Self("uqdk.request.timeout", .unanswered, hint: noAnswer)
    public static let requestUnanswered = Self("uqdk.request.unanswered", .unanswered, hint: noAnswer)
    static let requestID = Self("uqdk.request.id-reused", .warning)
    static let responseUnexpected = Self("uqdk.response.unexpected", .warning)
    static let responseCommand = Self(
        "uqdk.response.command", hint: "usually two requests with the same id, or a faulty car")
    public static let status = Self("uqdk.status", .error, [.retried, .refusal])

    /// Returns the kind for a request that the car refused with this status.
    static func status(_ name: StatusName?) -> Self {
        var traits = status.traits
        if name == .badProof { traits.insert(.ofProof) }
        if name == .keyLockedOut { traits.insert(.afterProofs) }
        if [.badProof, .keyRevoked, .keyLockedOut].contains(name) { traits.insert(.ofKey) }
        return Self(status.code, status.weight, traits, hint: hints.first { $0.status == name }?.text)
    }

    /// The car refused a proof without a content.
    static let proofZero = Self(
        status.code, .error, status(.badProof).traits.union(.byReceiver), hint: noProof)

    /// A request in clear was answered with the demand to authenticate, as in many sessions that work.
    public static let authenticationRequired = Self(
        "uqdk.status.authentication-required", .warning, .refusal)

    // The session
    static let sessionNone = Self("uqdk.session.none", .error, .needsBothSides, hint: sessionOver)
    static let sessionExpired = Self("uqdk.session.expired", hint: sessionOver)
    public static let notAuthenticated = Self(
        "uqdk.session.not-authenticated", hint: "the phone has to authenticate first")
    // Many sessions that work have requests that a phone sends in clear before it authenticates.
    static let unsecuredRequest = Self("uqdk.session.unsecured-request", .warning)
    static let unsecuredEvent = Self("uqdk.session.unsecured-event", .warning)
    /// The phone ignores the response.
    public static let unsecuredResponse = Self(
        "uqdk.session.unsecured-response", hint: "the phone ignores it: usually the car has lost the session")
    /// The car answered a secured request in clear with a bad message: the tag was wrong.
    static let requestNotOpened = Self(unsecuredResponse.code, .error, .byReceiver, hint: otherKey)
    static let tagWrong = Self("uqdk.tag.wrong", .error, .retried, hint: otherKey)
    static let proofWrong = Self("uqdk.proof.wrong", .error, .retried, hint: otherKey)
    static let counterReplayed = Self(
        "uqdk.counter.replayed", .error, .needsBothSides,
        hint: "usually a message was sent twice, or its sender lost count")
    static let counterUsedUp = Self("uqdk.counter.used-up")
    static let authCounterReplayed = Self(
        "uqdk.counter.auth-replayed", .error, .checkedAfterProof, hint: counterWentBack)
    static let nonceReused = Self("uqdk.nonce.reused")

    // MARK: Usual meanings

    /// Returns the same kind with another usual meaning, which earlier messages show.
    func meaning(_ hint: StaticText) -> Self { Self(code, weight, traits, hint: hint) }

    static let noProof: StaticText = "the phone sent no proof: look at what its program does with the key"
    static let keyWorked: StaticText =
        "the car accepted this key before: usually a proof made from old nonces, or a new key on one side"
    static let sessionWorked: StaticText =
        "the session's key had worked until then: usually the message was changed after it was secured"

    private static let noAnswer: StaticText =
        "usually the car did not get the request, or hung: look at what it did next"
    private static let sessionOver: StaticText = "the session was over: the phone has to authenticate again"
    private static let otherKey: StaticText = "usually the two sides have different keys, or the wrong code"
    private static let counterWentBack: StaticText =
        "usually the phone's counter went back: restored from a backup, or the same key on two phones"

    private static let hints: [(status: StatusName, text: StaticText)] = [
        (.busy, "the car was doing something else: try again later"),
        (.badProof, otherKey),
        (.counterReplayed, counterWentBack),
        (.unsupportedCommand, "the car has no such command: usually another model, or older firmware"),
        (.refusedInState, "the car does not do that in its present state: look at its events before"),
        (.badMessage, "the car could not read the request: look at the request's bytes"),
        (.timedOut, "the car gave up waiting: look at what it still needed from the phone"),
        (.keyRevoked, "usually the key was withdrawn: get a new one, and activate that"),
        (.keyLockedOut, "usually after too many wrong proofs: correct the key, wait, then try again"),
        (.authenticationRequired, "the phone has to authenticate first"),
    ]
}
