import WireBytes
public import WireBytes

/// The fields of a message, in the order of its bytes.
public struct Layout: Hashable, Sendable {
    /// The fields.
    public var fields: [FieldLayout]

    /// Creates a message of these fields.
    public init(_ fields: [FieldLayout] = []) { self.fields = fields }

    /// Length in bytes of every such message; nil if it depends on the message.
    public var fixedWidth: Int? { Self.fixedWidth(fields[...]) }

    static func fixedWidth(_ fields: ArraySlice<FieldLayout>) -> Int? {
        var total = 0
        for field in fields {
            guard let width = field.fixedWidth else { return nil }
            total += width
        }
        return total
    }
}

/// A mismatch between bytes and their description.
public struct Misfit: Error, Hashable, Sendable {
    /// The broken rule: `length`, `constant`, `digits`, `text`, `trailing`, or a rule of the caller.
    public let check: String
    /// The field with its enclosing fields: `state.doors`.
    public let field: String
    /// Offset of its first byte from the start of the decoded data.
    public let offset: Int
    /// The content that the description requires.
    public let expected: String
    /// The content found.
    public let found: String

    /// Creates a mismatch at a place.
    public init(check: String, field: String, offset: Int, expected: String, found: String) {
        self.check = check
        self.field = field
        self.offset = offset
        self.expected = expected
        self.found = found
    }
}

/// Reason why values can't be encoded as a message.
public enum LayoutError: Error, Hashable, Sendable {
    /// A field has no value.
    case missing(String)
    /// A value does not fit its field.
    case unfit(String)
    /// No field has this name.
    case unknown(String)
}

extension Misfit: CustomStringConvertible {
    public var description: String {
        let place = field.isEmpty ? "+\(offset)" : "\(field) at +\(offset)"
        return "\(check) of \(place): expected \(expected), found \(found)"
    }
}

extension LayoutError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let field): "\(field) has no value"
        case .unfit(let field): "the value of \(field) does not fit"
        case .unknown(let field): "no field is called \(field)"
        }
    }
}

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
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

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
    public var message: String

    /// The stable code of its kind.
    public var code: String { kind.code }

    /// Creates a problem.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
