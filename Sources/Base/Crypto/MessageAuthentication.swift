import CCrypto

/// Message authentication codes: AES-CMAC and HMAC-SHA-256.
public enum MessageAuthentication {
    /// Returns the AES-128-CMAC of `message`: 16 bytes, most significant first.
    ///
    /// Source: RFC 4493.
    public static func cmac(key: [UInt8], _ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard key.count == 16 else { throw .keyLength(key.count) }
        return try code(
            algorithm: "CMAC", parameter: "cipher", value: "AES-128-CBC", key, message, length: 16)
    }

    /// Returns the HMAC-SHA-256 of `message`: 32 bytes.
    ///
    /// Source: RFC 2104, FIPS 180-4.
    public static func hmacSHA256(key: [UInt8], _ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard !key.isEmpty else { throw .keyLength(0) }
        return try code(algorithm: "HMAC", parameter: "digest", value: "SHA256", key, message, length: 32)
    }

    private static func code(
        algorithm: StaticString, parameter: String, value: String, _ key: [UInt8], _ message: [UInt8],
        length: Int
    ) throws(CryptoError) -> [UInt8] {
        // Safe: every pointer made here is owned by this function and freed by the defers; the parameters
        // point into arrays that outlive the call that reads them.
        let name = unsafe UnsafeRawPointer(algorithm.utf8Start).assumingMemoryBound(to: CChar.self)
        guard let mac = unsafe EVP_MAC_fetch(nil, name, nil) else { throw .fromLibrary() }
        defer { unsafe EVP_MAC_free(mac) }
        guard let context = unsafe EVP_MAC_CTX_new(mac) else { throw .fromLibrary() }
        defer { unsafe EVP_MAC_CTX_free(context) }
        var text = value.utf8CString.map { $0 }
        let status = unsafe text.withUnsafeMutableBufferPointer { text in
            unsafe parameter.withCString { parameter in
                let list = unsafe [
                    OSSL_PARAM_construct_utf8_string(parameter, text.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return unsafe EVP_MAC_init(context, key, key.count, list)
            }
        }
        try CryptoError.check(status)
        if !message.isEmpty {
            try CryptoError.check(unsafe EVP_MAC_update(context, message, message.count))
        }
        var output = [UInt8](repeating: 0, count: length)
        var written = 0
        try CryptoError.check(unsafe EVP_MAC_final(context, &output, &written, length))
        guard written == length else { throw .inputLength(written) }
        return output
    }
}

/// The hash function SHA-256.
///
/// Source: FIPS 180-4.
public enum SHA256 {
    /// Returns the hash of `message`: 32 bytes, most significant first.
    public static func hash(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try digest(of: message, "SHA256", count: 32)
    }
}

/// The hash function SHA-1, for private protocols that derive keys with it.
///
/// Source: FIPS 180-4.
public enum SHA1 {
    /// Returns the hash of `message`: 20 bytes, most significant first.
    public static func hash(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try digest(of: message, "SHA1", count: 20)
    }
}

/// Returns the hash of a message, `count` bytes, by a function that libcrypto knows by this name.
private func digest(of message: [UInt8], _ name: String, count: Int) throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: count)
    var written = count
    // Safe: both arrays outlive the call, and the function writes exactly `count` bytes.
    try CryptoError.check(unsafe EVP_Q_digest(nil, name, nil, message, message.count, &digest, &written))
    guard written == count else { throw .inputLength(written) }
    return digest
}
