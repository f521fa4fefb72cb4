import CCrypto

/// The hash function SHA-256.
///
/// Source: FIPS 180-4.
public enum SHA256 {
    /// Returns the hash of `message`: 32 bytes, most significant first.
    public static func hash(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var written = digest.count
        // Safe: both arrays outlive the call, and SHA-256 writes exactly 32 bytes.
        try CryptoError.check(
            unsafe EVP_Q_digest(nil, "SHA256", nil, message, message.count, &digest, &written))
        guard written == digest.count else { throw .inputLength(written) }
        return digest
    }
}
