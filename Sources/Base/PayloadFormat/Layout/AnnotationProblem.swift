public import WireBytes

/// A problem of a frame in a private protocol: its kind, and wording that may change.
public struct AnnotationProblem: Hashable, Sendable {
    /// A kind of problem: its stable code, and everything that follows from it.
    public struct Kind: Hashable, Sendable {
        /// The weight of problems of a kind.
        public enum Weight: Sendable {
            /// Something is missing or odd, also in many sessions that work.
            case warning
            /// Something failed.
            case error
            /// A request got no response, or none in time.
            case unanswered
        }

        /// Properties that only some kinds have.
        public struct Traits: OptionSet, Hashable, Sendable {
            public let rawValue: UInt16

            public init(rawValue: UInt16) { self.rawValue = rawValue }

            /// A correct repetition of the message may overcome it.
            public static let retried = Self(rawValue: 1)
            /// The peer refused a request.
            public static let refusal = Self(rawValue: 2)
            /// It is about fragments, most often those of another message.
            public static let ofFragments = Self(rawValue: 4)
            /// A whole message breaks the protocol's format.
            public static let ofMessage = Self(rawValue: 8)
            /// It is certain only if the log holds the packets of both sides.
            public static let needsBothSides = Self(rawValue: 16)
            /// The receiver of the frame caused it, not the sender.
            public static let byReceiver = Self(rawValue: 32)
            /// A proof is wrong, which the peer checks before a counter.
            public static let ofProof = Self(rawValue: 64)
            /// A counter that the peer does not look at if the proof is wrong.
            public static let checkedAfterProof = Self(rawValue: 128)
            /// The peer refused a key.
            public static let ofKey = Self(rawValue: 256)
            /// The peer refused a key for the refused proofs before.
            public static let afterProofs = Self(rawValue: 512)
        }

        /// The stable code: `uqdk.fragment.gap`.
        public let code: String
        public let weight: Weight
        public let traits: Traits
        /// The usual meaning of it and a remedy to try, as half a sentence.
        public let hint: StaticText?

        /// Creates a kind.
        public init(
            _ code: String, _ weight: Weight = .error, _ traits: Traits = [], hint: StaticText? = nil
        ) {
            self.code = code
            self.weight = weight
            self.traits = traits
            self.hint = hint
        }

        public static func == (one: Kind, other: Kind) -> Bool { one.code == other.code }

        public func hash(into hasher: inout Hasher) { hasher.combine(code) }
    }

    public var kind: Kind
    /// The problem as readable text.
    public var message: Sentence

    /// The stable code of its kind.
    public var code: String { kind.code }

    /// Creates a problem.
    public init(_ kind: Kind, _ message: Sentence) {
        self.kind = kind
        self.message = message
    }
}
