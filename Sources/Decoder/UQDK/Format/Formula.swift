import Crypto
import PayloadFormat

/// The fixed list of algorithms that dialects choose from.
public enum DialectAlgorithm: Hashable, Sendable {
    case aesCMAC
    case hmacSHA256
    case aesCCM
    case none
}

/// Formula for a proof or key: an algorithm over a concatenation, cut to a length.
public struct Formula: Hashable, Sendable {
    /// The algorithm; `none` gives no proof, and as a session key the digital key itself.
    public var algorithm: DialectAlgorithm
    /// The terms to concatenate.
    public var terms: [FormulaTerm]
    /// Number of bytes of the result to keep.
    public var length: Int
    /// Whether the last bytes are kept rather than the first.
    public var keepsEnd: Bool

    /// Creates a formula whose result is cut to `length` bytes.
    public init(
        _ algorithm: DialectAlgorithm, _ terms: [FormulaTerm], length: Int, keepsEnd: Bool = false
    ) {
        self.algorithm = algorithm
        self.terms = terms
        self.length = length
        self.keepsEnd = keepsEnd
    }
}

/// Formulas for the proofs of a dialect and its session key.
public struct DialectProofs: Hashable, Sendable {
    /// The field `proof` of the activation's request.
    public var activation: Formula
    /// The field `vehicleProof` of the response that carries the vehicle's nonce.
    public var vehicle: Formula
    /// The field `phoneProof` of the request that ends the authentication.
    public var phone: Formula
    /// The session's key.
    public var sessionKey: Formula
}

/// Format of secured payloads.
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
    /// Length of the counter in bytes: 1 to 8.
    public var counterWidth: Int
    /// Byte order of the counter.
    public var counterOrder: OctetOrder
    /// The counter of a direction's first message.
    public var firstCounter: UInt64
    /// Length of the tag in bytes.
    public var tagLength: Int
    /// The terms that form the nonce.
    public var nonce: [FormulaTerm]
    /// The terms that are authenticated beside the body.
    public var additionalData: [FormulaTerm]
    /// The value of the variable `direction` from the phone to the car.
    public var phoneDirection: [UInt8]
    /// The value of the variable `direction` from the car to the phone.
    public var carDirection: [UInt8]

    /// The largest counter; using it ends the session.
    public var lastCounter: UInt64 { counterWidth >= 8 ? .max : 1 << UInt64(8 * counterWidth) - 1 }
}

/// Names of the values that formulas may use beside the fields of the messages.
public enum FormulaVariable {
    /// The id of the digital key, a field of the messages that name it.
    public static let keyID = "keyId"
    /// The six ASCII digits that the car shows.
    public static let pairingCode = "pairingCode"
    /// The id of the message, encoded as in the header that carries it.
    public static let messageID = "messageId"
    /// The bytes of the message's header.
    public static let messageHeader = "messageHeader"
    /// The direction of the message.
    public static let direction = "direction"
    /// The counter, encoded as in the payload.
    public static let counter = "counter"
}

extension [FormulaTerm] {
    /// Returns the concatenation of the terms; throws the name of the first unknown value.
    func octets(_ variables: FormulaVariables) throws(UQDKEncodeError) -> [UInt8] {
        do throws(UnknownValue) {
            return try concatenation(variables)
        } catch {
            throw .missingVariable(error.name)
        }
    }
}

extension Formula {
    /// Returns the proof or key that the formula yields with a key.
    public func value(
        key: [UInt8], _ variables: FormulaVariables
    ) throws(UQDKEncodeError) -> [UInt8] {
        let input = try terms.octets(variables)
        let whole = try algorithm.code(key: key, input)
        return Array(keepsEnd ? whole.suffix(length) : whole.prefix(length))
    }

    /// Whether a proof is the one that the formula yields with a key, compared in constant time.
    ///
    /// A formula without an algorithm requires no proof.
    public func verifies(
        _ proof: [UInt8]?, key: [UInt8], _ variables: FormulaVariables
    ) throws(UQDKEncodeError) -> Bool {
        guard algorithm != .none else { return true }
        guard let proof else { return false }
        return ConstantTime.equal(try value(key: key, variables), proof)
    }
}

extension DialectAlgorithm {
    /// Returns the message authentication code of `input`; the key itself for `none`.
    func code(key: [UInt8], _ input: [UInt8]) throws(UQDKEncodeError) -> [UInt8] {
        do throws(CryptoError) {
            switch self {
            case .aesCMAC: return try MessageAuthentication.cmac(key: key, input)
            case .hmacSHA256: return try MessageAuthentication.hmacSHA256(key: key, input)
            case .aesCCM, .none: return key
            }
        } catch {
            throw .cryptography
        }
    }
}
