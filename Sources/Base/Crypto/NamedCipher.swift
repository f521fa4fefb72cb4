import CCrypto

/// A cipher that the description of a private protocol names.
public enum NamedCipher: String, CaseIterable, Hashable, Sendable {
    /// AES in counter mode with CBC-MAC. Source: RFC 3610.
    case aesCCM = "aes-ccm"
    /// AES in Galois/counter mode. Source: NIST SP 800-38D.
    case aesGCM = "aes-gcm"
    /// AES in counter mode. Source: NIST SP 800-38A, 6.5.
    case aesCTR = "aes-ctr"
    /// AES on single blocks. Source: NIST SP 800-38A, 6.1.
    case aesECB = "aes-ecb"
    /// AES with chained blocks. Source: NIST SP 800-38A, 6.2.
    case aesCBC = "aes-cbc"
    /// The key's bytes, repeated as often as needed, by exclusive or.
    case xor
    /// A tag alone, by AES-CMAC: the message stays in clear. Source: RFC 4493.
    case aesCMAC = "aes-cmac"
    /// A tag alone, by HMAC with SHA-256: the message stays in clear. Source: RFC 2104.
    case hmacSHA256 = "hmac-sha-256"

    /// Whether a tag proves that the key is right and the message unchanged.
    public var authenticates: Bool { !encrypts || self == .aesCCM || self == .aesGCM }

    /// Whether the message can't be read without the key.
    public var encrypts: Bool { wholeTagOctets == nil }

    /// Length in bytes of the whole tag of a message in clear; nil for a cipher that encrypts.
    public var wholeTagOctets: Int? {
        switch self {
        case .aesCMAC: 16
        case .hmacSHA256: 32
        case .aesCCM, .aesGCM, .aesCTR, .aesECB, .aesCBC, .xor: nil
        }
    }

    /// Lengths of its nonce, of its initialization vector, or of its first counter block, in bytes.
    public var nonceLengths: ClosedRange<Int> {
        switch self {
        case .aesCCM: 7...13
        case .aesGCM: 1...16
        case .aesCTR, .aesCBC: 16...16
        case .aesECB, .xor, .aesCMAC, .hmacSHA256: 0...0
        }
    }

    /// Whether a tag of `count` bytes is one of this cipher.
    public func takes(tagOctets count: Int) -> Bool {
        switch self {
        case .aesCCM: (4...16).contains(count) && count % 2 == 0
        case .aesGCM, .aesCMAC: (4...16).contains(count)
        case .hmacSHA256: (4...32).contains(count)
        case .aesCTR, .aesECB, .aesCBC, .xor: count == 0
        }
    }

    /// Whether a key of `count` bytes is one of this cipher.
    public func takes(keyOctets count: Int) -> Bool {
        switch self {
        case .xor, .hmacSHA256: count > 0
        case .aesCMAC: count == 16
        case .aesCCM, .aesGCM, .aesCTR, .aesECB, .aesCBC: count == 16 || count == 24 || count == 32
        }
    }
}

/// The inputs of a ``NamedCipher`` beside its key and the message.
public struct CipherInputs: Hashable, Sendable {
    /// The nonce, the initialization vector, or the first counter block.
    public var nonce: [UInt8]
    /// The bytes before the message that the tag also covers.
    public var additionalData: [UInt8]
    /// Whether the last block ends with padding (PKCS #7). For AES-ECB and AES-CBC.
    public var isPadded = false
    /// Whether the counter block of AES-CTR counts from its first byte, least significant first.
    public var countsFromFirst = false

    /// Creates the inputs.
    public init(nonce: [UInt8] = [], additionalData: [UInt8] = []) {
        self.nonce = nonce
        self.additionalData = additionalData
    }
}

extension NamedCipher {
    /// Longest message, in bytes.
    private static let longest = 0xFFFF

    /// Returns the plaintext of a message; throws ``CryptoError/notAuthentic`` if its tag or its padding
    /// shows that the key is another one.
    ///
    /// - Parameter tag: its bytes; empty for ciphers without one.
    public func open(
        _ ciphertext: [UInt8], tag: [UInt8] = [], _ inputs: CipherInputs, key: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var tag = tag
        return try run(ciphertext, &tag, inputs, key: key, seals: false)
    }

    /// Returns the ciphertext and the tag of a message.
    public func seal(
        _ plaintext: [UInt8], tagOctets: Int = 0, _ inputs: CipherInputs, key: [UInt8]
    ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        var tag = [UInt8](repeating: 0, count: tagOctets)
        return (try run(plaintext, &tag, inputs, key: key, seals: true), tag)
    }

    private func run(
        _ input: [UInt8], _ tag: inout [UInt8], _ inputs: CipherInputs, key: [UInt8], seals: Bool
    ) throws(CryptoError) -> [UInt8] {
        guard takes(keyOctets: key.count) else { throw .keyLength(key.count) }
        guard nonceLengths.contains(inputs.nonce.count) else { throw .inputLength(inputs.nonce.count) }
        guard takes(tagOctets: tag.count) else { throw .inputLength(tag.count) }
        let fills = seals && inputs.isPadded
        guard input.count <= Self.longest,
            self != .aesECB && self != .aesCBC
                || fills || input.count % 16 == 0 && !(inputs.isPadded && input.isEmpty)
        else { throw .inputLength(input.count) }
        if self == .xor { return input.indices.map { input[$0] ^ key[$0 % key.count] } }
        if !encrypts {
            let covered = inputs.additionalData + input
            let whole =
                try self == .aesCMAC
                ? MessageAuthentication.cmac(key: key, covered)
                : MessageAuthentication.hmacSHA256(key: key, covered)
            let right = Array(whole.prefix(tag.count))
            guard seals || ConstantTime.equal(right, tag) else { throw .notAuthentic }
            tag = right
            return input
        }
        // Safe: cipher and context belong to this function; every length handed over is that of its array.
        let name = "AES-\(8 * key.count)-\(rawValue.dropFirst(4).uppercased())"
        guard let cipher = unsafe EVP_CIPHER_fetch(nil, name, nil) else { throw .fromLibrary() }
        defer { unsafe EVP_CIPHER_free(cipher) }
        let owner = try CipherContext()
        let context = unsafe owner.pointer
        let direction: CInt = seals ? 1 : 0
        try CryptoError.check(unsafe EVP_CipherInit_ex(context, cipher, nil, nil, nil, direction))
        if authenticates {
            let length = CInt(inputs.nonce.count)
            try CryptoError.check(
                unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, length, nil))
            if seals {
                // AES-CCM must know the tag's length before the message.
                if self == .aesCCM {
                    try CryptoError.check(
                        unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), nil))
                }
            } else {
                try CryptoError.check(
                    unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), &tag))
            }
        }
        try CryptoError.check(unsafe EVP_CipherInit_ex(context, nil, nil, key, inputs.nonce, direction))
        if self == .aesCTR, inputs.countsFromFirst {
            return try unsafe Self.run(input, countingFromFirst: inputs.nonce, context)
        }
        if self == .aesECB || self == .aesCBC {
            try CryptoError.check(unsafe EVP_CIPHER_CTX_set_padding(context, inputs.isPadded ? 1 : 0))
        }
        let output = try unsafe run(input, inputs.additionalData, context)
        if authenticates, seals {
            try CryptoError.check(
                unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), &tag))
        }
        return output
    }

    /// Returns what a context that is ready makes of a message.
    private func run(
        _ input: [UInt8], _ additionalData: [UInt8], _ context: OpaquePointer
    ) throws(CryptoError) -> [UInt8] {
        var written: CInt = 0
        // Safe: every length handed over is that of its array.
        if self == .aesCCM {
            try CryptoError.check(
                unsafe EVP_CipherUpdate(context, nil, &written, nil, CInt(input.count)))
        }
        if !additionalData.isEmpty {
            try CryptoError.check(
                unsafe EVP_CipherUpdate(
                    context, nil, &written, additionalData, CInt(additionalData.count)))
        }
        // A block more than the message, for padding, and so that an empty message still has an address.
        var output = [UInt8](repeating: 0, count: input.count + 16)
        let addressed: [UInt8] = input.isEmpty ? [0] : input
        let status = unsafe EVP_CipherUpdate(context, &output, &written, addressed, CInt(input.count))
        var isRight = status == 1
        var count = Int(written)
        // AES-CCM has compared the tag now; the others compare it, or the padding, at the end.
        if isRight, self != .aesCCM {
            var tail = [UInt8](repeating: 0, count: 16)
            isRight = unsafe EVP_CipherFinal_ex(context, &tail, &written) == 1
            if isRight {
                output.replaceSubrange(count..<count + Int(written), with: tail.prefix(Int(written)))
                count += Int(written)
            }
        }
        guard isRight else {
            ERR_clear_error()
            throw .notAuthentic
        }
        return Array(output.prefix(count))
    }

    /// Returns the output of AES-CTR whose counter libcrypto does not count.
    private static func run(
        _ input: [UInt8], countingFromFirst first: [UInt8], _ context: OpaquePointer
    ) throws(CryptoError) -> [UInt8] {
        var counter = first
        var result: [UInt8] = []
        for start in stride(from: 0, to: input.count, by: 16) {
            let block = Array(input[start..<min(start + 16, input.count)])
            var output = [UInt8](repeating: 0, count: 16)
            var written: CInt = 0
            // Safe: the counter has 16 bytes, and the output has room for the block.
            try CryptoError.check(unsafe EVP_CipherInit_ex(context, nil, nil, nil, counter, -1))
            try CryptoError.check(
                unsafe EVP_CipherUpdate(context, &output, &written, block, CInt(block.count)))
            result += output.prefix(block.count)
            for place in counter.indices {
                counter[place] &+= 1
                if counter[place] != 0 { break }
            }
        }
        return result
    }
}
