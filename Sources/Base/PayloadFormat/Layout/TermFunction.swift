import Crypto
import WireBytes

/// A function of bytes that a concatenation names.
public enum TermFunction: String, CaseIterable, Hashable, Sendable {
    /// The hash function SHA-1: 20 bytes. Source: FIPS 180-4.
    case sha1 = "sha-1"
    /// The hash function SHA-256: 32 bytes. Source: FIPS 180-4.
    case sha256 = "sha-256"
    /// Elliptic curve Diffie-Hellman on P-256 with a private key of 32 bytes and a public key of 65 (4, x and
    /// y): the x coordinate of the product, 32 bytes. Source: NIST SP 800-56A.
    case ecdhP256 = "ecdh-p256"
    /// The bytes after their number in one byte.
    case lengthPrefixed = "length-prefixed"

    /// Length of its key in bytes; nil if it takes none.
    var keyOctets: Int? { self == .ecdhP256 ? P256.length : nil }

    /// Lengths of its input in bytes.
    var inputOctets: ClosedRange<Int> {
        switch self {
        case .sha1, .sha256: 0...Int.max
        case .ecdhP256: 65...65
        case .lengthPrefixed: 0...255
        }
    }

    /// Returns the length of its value in bytes, from that of its input; nil if it varies.
    func octets(of input: Int?) -> Int? {
        switch self {
        case .sha1: 20
        case .sha256, .ecdhP256: 32
        case .lengthPrefixed: input?.addingUnlessOverflow(1)
        }
    }

    /// Returns its value; throws if it does not take the input or the key.
    func value(of input: [UInt8], key: [UInt8]) throws(UnknownValue) -> [UInt8] {
        do throws(CryptoError) {
            guard inputOctets.contains(input.count) else { throw .inputLength(input.count) }
            switch self {
            case .sha1: return try SHA1.hash(of: input)
            case .sha256: return try SHA256.hash(of: input)
            case .ecdhP256:
                guard input[0] == 4 else { throw .invalidKey }
                return try P256.sharedSecret(
                    privateKey: key, x: Array(input[1...32]), y: Array(input[33...]))
            case .lengthPrefixed: return [UInt8(truncatingIfNeeded: input.count)] + input
            }
        } catch {
            throw UnknownValue(name: rawValue, reason: error.refusal)
        }
    }
}

extension CryptoError {
    /// The reason why an algorithm does not take its inputs, after its name.
    var refusal: String {
        switch self {
        case .keyLength(let count): "takes no key of \(count.counting("byte"))"
        case .inputLength(let count): "takes no part of \(count.counting("byte"))"
        case .invalidKey: "takes no such key"
        case .notAuthentic, .library: "fails: \(self)"
        }
    }
}
