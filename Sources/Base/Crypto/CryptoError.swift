import CCrypto

/// Reason why a cryptographic operation failed.
public enum CryptoError: Error, Equatable, Sendable {
    /// The key has the wrong length for its algorithm; in bytes.
    case keyLength(Int)
    /// A block, nonce, tag or input has an invalid length; in bytes.
    case inputLength(Int)
    /// A tag or message authentication code doesn't match the message.
    case notAuthentic
    /// A public key is not a point of the curve, or a private key is not in its range.
    case invalidKey
    /// libcrypto's own error code.
    case library(UInt)
}

extension CryptoError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .keyLength(let length): "a key of \(length) bytes is not one of this algorithm"
        case .inputLength(let length): "\(length) bytes are not an input of this algorithm"
        case .notAuthentic: "the tag does not match the message"
        case .invalidKey: "the key is not valid"
        case .library(let code): "libcrypto's error \(code)"
        }
    }
}

extension CryptoError {
    /// Returns the oldest error in libcrypto's queue, and empties the queue.
    static func fromLibrary() -> CryptoError {
        let code = ERR_get_error()
        ERR_clear_error()
        return .library(UInt(code))
    }

    /// Throws unless libcrypto reported success.
    @inline(__always)
    static func check(_ result: CInt) throws(CryptoError) {
        if result != 1 { throw fromLibrary() }
    }
}
