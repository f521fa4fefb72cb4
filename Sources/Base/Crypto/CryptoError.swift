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
