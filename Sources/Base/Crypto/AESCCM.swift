import CCrypto
import Synchronization

/// AES-128 in counter mode with CBC-MAC: encryption with authentication.
///
/// Source: RFC 3610, NIST SP 800-38C. Nonces have 7 to 13 bytes, tags an even number of 4 to 16.
public enum AESCCM {
    /// Returns the ciphertext and the tag of `plaintext`.
    public static func seal(
        key: [UInt8], nonce: [UInt8], additionalData: [UInt8], plaintext: [UInt8], tagLength: Int
    ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try checkLengths(key: key.count, nonce: nonce.count, message: plaintext.count, tag: tagLength)
        return try NamedCipher.aesCCM.seal(
            plaintext, tagOctets: tagLength, CipherInputs(nonce: nonce, additionalData: additionalData),
            key: key)
    }

    /// Returns the plaintext; throws ``CryptoError/notAuthentic`` if `tag` doesn't match the message.
    public static func open(
        key: [UInt8], nonce: [UInt8], additionalData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try checkLengths(key: key.count, nonce: nonce.count, message: ciphertext.count, tag: tag.count)
        return try NamedCipher.aesCCM.open(
            ciphertext, tag: tag, CipherInputs(nonce: nonce, additionalData: additionalData), key: key)
    }

    static func checkLengths(
        key: Int, nonce: Int, message: Int, tag: Int
    ) throws(CryptoError) {
        guard key == 16 else { throw .keyLength(key) }
        guard (7...13).contains(nonce) else { throw .inputLength(nonce) }
        guard (4...16).contains(tag), tag % 2 == 0 else { throw .inputLength(tag) }
        guard message <= 0xFFFF else { throw .inputLength(message) }
    }
}

/// AES-128-CCM under one key, for many messages: the key is expanded once, and nothing is allocated for each.
///
/// Source: RFC 3610; Core Specification, Vol 6, Part E.
public final class AESCCMOpener: Sendable {
    private let context: Mutex<CipherContext>
    private let nonceLength: Int
    private let tagLength: Int

    /// Creates it with a key of 16 bytes, the length of nonces (7 to 13) and that of tags (4 to 16, even).
    public init(key: [UInt8], nonceLength: Int, tagLength: Int) throws(CryptoError) {
        try AESCCM.checkLengths(key: key.count, nonce: nonceLength, message: 0, tag: tagLength)
        let context = try CipherContext()
        let pointer = unsafe context.pointer
        // Safe: the key's length was checked; a tag without bytes only sets the length.
        try CryptoError.check(unsafe EVP_DecryptInit_ex(pointer, EVP_aes_128_ccm(), nil, nil, nil))
        try CryptoError.check(
            unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, CInt(nonceLength), nil))
        try CryptoError.check(
            unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, CInt(tagLength), nil))
        try CryptoError.check(unsafe EVP_DecryptInit_ex(pointer, nil, nil, key, nil))
        self.context = Mutex(context)
        self.nonceLength = nonceLength
        self.tagLength = tagLength
    }

    /// Decrypts a message into `plaintext`, whose length becomes that of the ciphertext; false, and an empty
    /// plaintext, if the tag doesn't match.
    public func open(
        nonce: [UInt8], additionalData: [UInt8], ciphertext: [UInt8], tag: [UInt8],
        into plaintext: inout [UInt8]
    ) throws(CryptoError) -> Bool {
        try AESCCM.checkLengths(key: 16, nonce: nonce.count, message: ciphertext.count, tag: tag.count)
        guard nonce.count == nonceLength else { throw .inputLength(nonce.count) }
        guard tag.count == tagLength else { throw .inputLength(tag.count) }
        // One byte more than needed, so that an empty message still has an address.
        let room = ciphertext.count + 1
        if plaintext.count != room { plaintext = [UInt8](repeating: 0, count: room) }
        // Safe: the mutex gives the context to one thread at a time, and the lengths were checked above.
        let result = context.withLock { context in
            unsafe Self.decrypt(context.pointer, nonce, additionalData, ciphertext, tag, &plaintext)
        }
        // libcrypto compares the tag in constant time, and returns no plaintext if it is wrong.
        guard result else {
            ERR_clear_error()
            plaintext.removeAll(keepingCapacity: true)
            return false
        }
        plaintext.removeLast()
        return true
    }

    private static func decrypt(
        _ context: OpaquePointer, _ nonce: [UInt8], _ additionalData: [UInt8], _ ciphertext: [UInt8],
        _ tag: [UInt8], _ plaintext: inout [UInt8]
    ) -> Bool {
        var written: CInt = 0
        // Safe: the caller checked every length; libcrypto only reads the tag.
        guard unsafe EVP_DecryptInit_ex(context, nil, nil, nil, nonce) == 1,
            unsafe tag.withUnsafeBytes({ tag in
                unsafe EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count),
                    UnsafeMutableRawPointer(mutating: tag.baseAddress))
            }) == 1,
            unsafe EVP_DecryptUpdate(context, nil, &written, nil, CInt(ciphertext.count)) == 1
        else { return false }
        if !additionalData.isEmpty {
            guard
                unsafe EVP_DecryptUpdate(
                    context, nil, &written, additionalData, CInt(additionalData.count)) == 1
            else { return false }
        }
        let input = ciphertext.isEmpty ? [0] : ciphertext
        return unsafe EVP_DecryptUpdate(context, &plaintext, &written, input, CInt(ciphertext.count)) == 1
    }
}
