import PayloadFormat
import WireBytes

/// The meaning of one value of the protocol's characteristics, for one frame.
///
/// Immutable, and shared rather than copied.
public final class UQDKAnnotation: Sendable {
    /// Evidence that the value belongs to the protocol.
    public enum Recognition: String, Hashable, Sendable {
        /// The characteristic's UUID.
        case label
        /// The content: a whole message with the right checksum, on a handle without a known UUID.
        case content
    }

    /// The content of an info value or of advertising data.
    enum Told: Sendable {
        case nothing
        case fields([DecodedField])
        /// An info value, whose fields are looked up on demand.
        case info([UInt8])
    }

    /// Evidence by which the protocol was recognized.
    public let recognition: Recognition
    /// The fragment in the value; nil in a dialect without fragments and for an info value.
    public let fragment: FragmentNote?
    /// State of the session after this frame; nil if the frame doesn't concern it.
    public let session: UQDKSessionState?
    /// The problems of the frame.
    public let problems: [AnnotationProblem]
    /// The facts about the message, stored inline so that a frame costs one allocation.
    let facts: MessageFacts
    private let told: Told

    /// Creates the annotation of a value that isn't part of a known message.
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

    /// Creates the annotation of a fragment, or of a message in a dialect without fragments.
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

    /// The message that this frame completes, or the part known from its first fragment.
    public var message: MessageNote? { facts.isOfMessage ? MessageNote(self) : nil }

    /// Whether this frame completes a message.
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

/// One fragment and its fate.
public struct FragmentNote: Hashable, Sendable {
    /// The fate of a fragment.
    public enum State: String, Hashable, Sendable {
        /// More fragments must follow.
        case open
        /// The message is complete.
        case complete
        /// A repetition with the same bytes; ignored.
        case repeated
        /// Its message has already failed; ignored.
        case dropped
        /// This fragment made its message fail.
        case failed
    }

    /// The id of the message.
    public var messageID: UInt64
    /// Its number, from 0.
    public var index: Int
    /// Whether it is the last.
    public var isLast: Bool
    /// Number of fragments, if known.
    public var count: Int?
    /// The fate of the fragment.
    public var state: State
}

/// Result of checking a tag or a proof.
public enum Verification: Hashable, Sendable {
    /// The tag or proof is right.
    case verified
    /// The tag or proof is wrong.
    case wrong
    /// The check is impossible for this reason.
    case notCheckable(Reason)

    /// Reason why something can't be checked, as readable text.
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

    /// The word for the result in every output.
    public var word: String {
        switch self {
        case .verified: "verified"
        case .wrong: "wrong"
        case .notCheckable: "not checkable"
        }
    }
}

/// State of a link's session.
public enum UQDKSessionState: String, Hashable, Sendable {
    /// The log starts after the link did, so there may be a session.
    case unknown
    /// No session exists.
    case none
    /// The nonces are being exchanged.
    case authenticating
    /// A session exists.
    case established
    /// The session's lifetime has ended.
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

    /// The field that holds the proof.
    public var field: Field
    /// Result of checking the proof.
    public var verification: Verification
}
