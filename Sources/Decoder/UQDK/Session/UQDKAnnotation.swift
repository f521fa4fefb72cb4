public import WireBytes

/// What a value of the protocol's characteristics means, for one frame.
public struct UQDKAnnotation: Hashable, Sendable {
    /// How it is known that the value belongs to the protocol.
    public enum Recognition: String, Hashable, Sendable {
        /// By the characteristic's UUID.
        case label
        /// By what it holds: a whole message whose checksum is right, under a handle without a label.
        case content
    }

    /// The name of the dialect.
    public var dialect: String
    /// How the protocol was recognized.
    public var recognition: Recognition
    /// The fragment that the value is; nil in a dialect without fragments, and of an info value.
    public var fragment: FragmentNote?
    /// The message that is whole with this frame, or as much of one as its first fragment tells.
    public var message: MessageNote?
    /// The fields of an info value or of advertising.
    public var fields: [DecodedField] = []
    /// Where the session stands after this frame; nil where it plays no part.
    public var session: UQDKSessionState?
    /// What is wrong.
    public var problems: [AnnotationProblem] = []
    /// Whether a first fragment starts as no message of the dialect does: another one may be spoken.
    var isDoubtful = false
    /// Whether a message is whole with this frame.
    public internal(set) var completesMessage = false

    init(_ dialect: borrowing Dialect) {
        self.dialect = dialect.name
        recognition = .label
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
    case notCheckable(String)

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

/// A message: whole, or as far as its first fragment tells.
public struct MessageNote: Hashable, Sendable {
    /// Whether the checksum is that of the octets.
    public enum ChecksumState: Hashable, Sendable {
        /// The dialect has none, or the message is not whole.
        case absent
        case right
        case wrong(found: UInt64, expected: UInt64)
    }

    /// Its id; nil in dialects without one.
    public var messageID: UInt64?
    /// Request, response or event; nil where the octets do not tell.
    public var kind: MessageKind?
    /// The code of its command; nil where the octets do not reach it.
    public var command: UInt64?
    /// The name of its command; nil where the dialect has none.
    public var name: String?
    /// Whether it is whole.
    public var isWhole = false
    /// Whether its payload is secured.
    public var isSecured = false
    /// The frames of its fragments.
    public var frames: [UInt64] = []
    /// Its octets.
    public var octetCount = 0
    /// Whether its checksum is right.
    public var checksum = ChecksumState.absent
    /// A response's status.
    public var status: UInt64?
    /// The status's name.
    public var statusName: String?
    /// A secured payload's counter.
    public var counter: UInt64?
    /// Whether a secured payload's tag is right; nil for payloads in clear.
    public var tag: Verification?
    /// The proof in its body; nil where it has none.
    public var proof: ProofNote?
    /// The octets of a body that can't be read: enciphered without a key, or of an unknown command.
    public var opaque: [UInt8]?
    /// The fields of the body.
    public var body: [DecodedField] = []
    /// The octets of the body in clear, where ``UQDKKnowledge/keepsBodies`` asks for them.
    public var bodyOctets: [UInt8]?
    /// The frame that completed the request of a response.
    public var requestFrame: UInt64?
    /// From the request to the response, in nanoseconds.
    public var latency: Int64?

    init() {}
}

/// A proof in a message's body.
public struct ProofNote: Hashable, Sendable {
    /// The field that holds it.
    public var field: String
    /// Whether it is right.
    public var verification: Verification
}
