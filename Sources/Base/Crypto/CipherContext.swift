import CCrypto

/// A cipher context of libcrypto and its only owner.
// Safe: the pointer came from EVP_CIPHER_CTX_new, and only the owner uses and frees it.
@safe
struct CipherContext: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer

    init() throws(CryptoError) {
        guard let pointer = unsafe EVP_CIPHER_CTX_new() else { throw .fromLibrary() }
        unsafe self.pointer = pointer
    }

    // Safe: nobody else has the pointer.
    deinit { unsafe EVP_CIPHER_CTX_free(pointer) }

    /// Makes it encrypt blocks by AES-128 without padding; the key is `key`, or follows later.
    func encryptBlocks(key: [UInt8]?) throws(CryptoError) {
        // Safe: the callers checked the key's length; libcrypto copies what it needs of it.
        try CryptoError.check(unsafe EVP_EncryptInit_ex(pointer, EVP_aes_128_ecb(), nil, key, nil))
        try CryptoError.check(unsafe EVP_CIPHER_CTX_set_padding(pointer, 0))
    }
}
