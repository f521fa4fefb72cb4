import CCrypto

/// AES-128 in counter mode with CBC-MAC: encryption with authentication.
///
/// Source: RFC 3610, NIST SP 800-38C. Nonces have 7 to 13 bytes, tags an even number of 4 to 16.
public enum AESCCM {
    /// Returns the ciphertext and the tag of `plaintext`.
    public static func seal(
        key: [UInt8], nonce: [UInt8], additionalData: [UInt8], plaintext: [UInt8], tagLength: Int
    ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try checkLengths(key.count, nonce: nonce.count, message: plaintext.count, tag: tagLength)
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .fromLibrary() }
        // Safe: the context is owned by this function; every length handed over is that of its array.
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        try CryptoError.check(unsafe EVP_EncryptInit_ex(context, EVP_aes_128_ccm(), nil, nil, nil))
        try CryptoError.check(
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, CInt(nonce.count), nil))
        try CryptoError.check(
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tagLength), nil))
        try CryptoError.check(unsafe EVP_EncryptInit_ex(context, nil, nil, key, nonce))
        var written: CInt = 0
        try CryptoError.check(
            unsafe EVP_EncryptUpdate(context, nil, &written, nil, CInt(plaintext.count)))
        if !additionalData.isEmpty {
            try CryptoError.check(
                unsafe EVP_EncryptUpdate(
                    context, nil, &written, additionalData, CInt(additionalData.count)))
        }
        // One byte more than needed, so that an empty message still has an address.
        var output = [UInt8](repeating: 0, count: plaintext.count + 1)
        let input = plaintext.isEmpty ? [0] : plaintext
        try CryptoError.check(
            unsafe EVP_EncryptUpdate(context, &output, &written, input, CInt(plaintext.count)))
        var tail = [UInt8](repeating: 0, count: 16)
        try CryptoError.check(unsafe EVP_EncryptFinal_ex(context, &tail, &written))
        var tag = [UInt8](repeating: 0, count: tagLength)
        try CryptoError.check(
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tagLength), &tag))
        output.removeLast()
        return (output, tag)
    }

    /// Returns the plaintext; throws ``CryptoError/notAuthentic`` if `tag` doesn't match the message.
    public static func open(
        key: [UInt8], nonce: [UInt8], additionalData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let opener = try AESCCMOpener(key: key, nonceLength: nonce.count, tagLength: tag.count)
        var plaintext: [UInt8] = []
        guard
            try opener.open(
                nonce: nonce, additionalData: additionalData, ciphertext: ciphertext, tag: tag,
                into: &plaintext)
        else { throw .notAuthentic }
        return plaintext
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
