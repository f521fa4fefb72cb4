/// AES-128 in counter mode with CBC-MAC: encryption with authentication.
///
/// Source: RFC 3610, NIST SP 800-38C. Nonces have 7 to 13 bytes, tags an even number of 4 to 16.
public enum AESCCM {
    /// Returns the ciphertext and the tag of `plaintext`.
    public static func seal(
        key: [UInt8], nonce: [UInt8], additionalData: [UInt8], plaintext: [UInt8], tagLength: Int
    ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try checkLengths(key.count, nonce: nonce.count, message: plaintext.count, tag: tagLength)
        return try NamedCipher.aesCCM.seal(
            plaintext, tagOctets: tagLength, CipherInputs(nonce: nonce, additionalData: additionalData),
            key: key)
    }

    /// Returns the plaintext; throws ``CryptoError/notAuthentic`` if `tag` doesn't match the message.
    public static func open(
        key: [UInt8], nonce: [UInt8], additionalData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try checkLengths(key.count, nonce: nonce.count, message: ciphertext.count, tag: tag.count)
        return try NamedCipher.aesCCM.open(
            ciphertext, tag: tag, CipherInputs(nonce: nonce, additionalData: additionalData), key: key)
    }

    static func checkLengths(
        _ key: Int, nonce: Int, message: Int, tag: Int
    ) throws(CryptoError) {
        guard key == 16 else { throw .keyLength(key) }
        guard (7...13).contains(nonce) else { throw .inputLength(nonce) }
        guard (4...16).contains(tag), tag % 2 == 0 else { throw .inputLength(tag) }
        guard message <= 0xFFFF else { throw .inputLength(message) }
    }
}
