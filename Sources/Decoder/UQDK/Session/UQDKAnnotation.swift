import PayloadFormat
import WireBytes

/// What a value of the protocol's characteristics means, for one frame.
///
/// It does not change, and is shared rather than copied.
public final class UQDKAnnotation: Sendable {
    /// How it is known that the value belongs to the protocol.
    public enum Recognition: String, Hashable, Sendable {
        /// By the characteristic's UUID.
        case label
        /// By what it holds: a whole message whose checksum is right, under a handle without a label.
        case content
    }

    /// What an info value or advertising tells.
    enum Told: Sendable {
        case nothing
        case fields([DecodedField])
        /// An info value: its fields are looked up when somebody asks for them.
        case info([UInt8])
    }

    /// How the protocol was recognized.
    public let recognition: Recognition
    /// The fragment that the value is; nil in a dialect without fragments, and of an info value.
    public let fragment: FragmentNote?
    /// Where the session stands after this frame; nil where it plays no part.
    public let session: UQDKSessionState?
    /// What is wrong.
    public let problems: [AnnotationProblem]
    /// What is known of the message: here, so that a frame costs one allocation.
    let facts: MessageFacts
    private let told: Told

    /// What a value means that no message is known of.
    init(
        _ shared: SharedDialect, _ recognition: Recognition, told: Told = .nothing,
        problems: [AnnotationProblem] = []
    ) {
        self.recognition = recognition
        self.told = told
        fragment = nil
        facts = MessageFacts(shared)
        session = nil
        self.problems = problems
    }

    /// What a fragment means, or a message in a dialect without fragments.
    @inline(__always)
    init(
        _ facts: consuming MessageFacts, _ recognition: Recognition, fragment: FragmentNote? = nil,
        session: UQDKSessionState, problems: [AnnotationProblem]
    ) {
        self.recognition = recognition
        told = .nothing
        self.fragment = fragment
        self.facts = facts
        self.session = session
        self.problems = problems
    }

    /// The name of the dialect.
    public var dialect: String { facts.shared.dialect.name }

    /// The message that is whole with this frame, or as much of one as its first fragment tells.
    public var message: MessageNote? { facts.isOfMessage ? MessageNote(self) : nil }

    /// Whether a message is whole with this frame.
    public var completesMessage: Bool { facts.isWhole }

    /// The fields of an info value or of advertising.
    public var fields: [DecodedField] {
        switch told {
        case .nothing: []
        case .fields(let fields): fields
        case .info(let octets): facts.shared.dialect.gatt.infoLayout.decode(octets).fields
        }
    }
}

/// One fragment, and what became of it.
public struct FragmentNote: Hashable, Sendable {
    /// What became of a fragment.
    public enum State: String, Hashable, Sendable {
        /// More must follow.
        case open
        /// The message is whole.
        case complete
        /// It came before, with the same octets: it is ignored.
        case repeated
        /// Its message has ended with an error before: it is ignored.
        case dropped
        /// It ended its message with an error.
        case failed
    }

    /// The id of the message.
    public var messageID: UInt64
    /// Its number, from 0.
    public var index: Int
    /// Whether it is the last.
    public var isLast: Bool
    /// How many there are, where that is known.
    public var count: Int?
    /// What became of it.
    public var state: State
}

/// Whether something that proves the sender does.
public enum Verification: Hashable, Sendable {
    /// It is right.
    case verified
    /// It is wrong.
    case wrong
    /// It can't be told, for this reason.
    case notCheckable(Reason)

    /// Why something can't be checked, in words for a person.
    public enum Reason: String, Hashable, Sendable {
        case noSession = "no session"
        case startMissing = "the session's start is not in the log"
        case keyIDMissing = "the key id is not in the log"
        case nonceMissing = "the vehicle's nonce is not in the log"
        case noKey = "no key for this key id"
        case noPairingCode = "no pairing code for this key id"
        case keyUnfit = "the key does not fit the dialect, or a nonce is not in the log"
        case valueMissing = "the dialect's formulas need a value that is not known"
    }

    /// The word for it in every output.
    public var word: String {
        switch self {
        case .verified: "verified"
        case .wrong: "wrong"
        case .notCheckable: "not checkable"
        }
    }
}

/// Where the session of a link stands.
public enum UQDKSessionState: String, Hashable, Sendable {
    /// The log starts later than the link: there may be a session or none.
    case unknown
    /// There is none.
    case none
    /// The nonces are exchanged.
    case authenticating
    /// It stands.
    case established
    /// Its lifetime has ended.
    case expired
    /// The car asks for a new authentication.
    case ended
}

/// A proof in a message's body.
public struct ProofNote: Hashable, Sendable {
    /// The fields that hold proofs.
    public enum Field: String, Hashable, Sendable {
        case proof
        case vehicleProof
        case phoneProof
    }

    /// The field that holds it.
    public var field: Field
    /// Whether it is right.
    public var verification: Verification
}
