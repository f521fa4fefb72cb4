/// Why a cryptographic operation gave no result.
public enum CryptoError: Error, Equatable, Sendable {
    /// A key has another length than its algorithm takes; in bytes.
    case keyLength(Int)
    /// A block, nonce, tag or input has a length that the algorithm does not take; in bytes.
    case inputLength(Int)
    /// A tag or a message authentication code is not that of the message.
    case notAuthentic
    /// A public key is not a point of the curve, or a private key is not in its range.
    case invalidKey
    /// libcrypto refused; its own error code.
    case library(UInt)
}
