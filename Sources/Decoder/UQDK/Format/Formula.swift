import PayloadFormat
import WireBytes

/// The fixed list of algorithms of which dialects choose.
public enum DialectAlgorithm: Hashable, Sendable {
    case aesCMAC
    case hmacSHA256
    case aesCCM
    case none
}

/// A part of what is concatenated before it is authenticated.
public enum FormulaTerm: Hashable, Sendable {
    /// A label or other fixed octets.
    case octets([UInt8])
    /// A field of an earlier message or another value by its name; a part of it where a range is given.
    case variable(String, Range<Int>?)
}

/// How a proof or a key is made: an algorithm over a concatenation, cut to a length.
public struct Formula: Hashable, Sendable {
    /// Which algorithm; `none` gives no proof, and as a key the digital key itself.
    public var algorithm: DialectAlgorithm
    /// What is concatenated.
    public var terms: [FormulaTerm]
    /// Octets of the result that are kept.
    public var length: Int
    /// Whether they are the last ones rather than the first.
    public var keepsEnd: Bool

    /// An algorithm over a concatenation, cut to `length` octets.
    public init(
        _ algorithm: DialectAlgorithm, _ terms: [FormulaTerm], length: Int, keepsEnd: Bool = false
    ) {
        self.algorithm = algorithm
        self.terms = terms
        self.length = length
        self.keepsEnd = keepsEnd
    }
}

/// The proofs of a dialect and the key that they lead to.
public struct DialectProofs: Hashable, Sendable {
    /// The field `proof` of the activation's request.
    public var activation: Formula
    /// The field `vehicleProof` of the response that gives the vehicle's nonce.
    public var vehicle: Formula
    /// The field `phoneProof` of the request that ends the authentication.
    public var phone: Formula
    /// The session's key.
    public var sessionKey: Formula
}

/// How payloads are secured.
public struct SecuringFormat: Hashable, Sendable {
    /// A part of a secured payload.
    public enum Part: Hashable, Sendable {
        case counter
        case body
        case tag
    }

    /// AES-CCM encrypts and authenticates; AES-CMAC and HMAC-SHA-256 only authenticate.
    public var algorithm: DialectAlgorithm
    /// The parts in their order.
    public var parts: [Part]
    /// Octets of the counter: 1 to 8.
    public var counterWidth: Int
    /// Their order.
    public var counterOrder: OctetOrder
    /// The counter of a direction's first message.
    public var firstCounter: UInt64
    /// Octets of the tag.
    public var tagLength: Int
    /// What is concatenated to the nonce.
    public var nonce: [FormulaTerm]
    /// What is authenticated beside the body.
    public var additionalData: [FormulaTerm]
    /// The octets of the variable `direction` from the phone to the car.
    public var phoneDirection: [UInt8]
    /// The octets of the variable `direction` from the car to the phone.
    public var carDirection: [UInt8]

    /// The largest counter: at it the session ends.
    public var lastCounter: UInt64 { counterWidth >= 8 ? .max : 1 << UInt64(8 * counterWidth) - 1 }
}

/// The names of the values that formulas may use beside the fields of the messages.
public enum FormulaVariable {
    /// The id of the digital key, a field of the messages that name it.
    public static let keyID = "keyId"
    /// The six ASCII digits that the car shows.
    public static let pairingCode = "pairingCode"
    /// The id of the message, in the octets that a header carries it in.
    public static let messageID = "messageId"
    /// The octets of the message's header.
    public static let messageHeader = "messageHeader"
    /// Which way the message goes.
    public static let direction = "direction"
    /// The counter, in the octets of the payload.
    public static let counter = "counter"
}
