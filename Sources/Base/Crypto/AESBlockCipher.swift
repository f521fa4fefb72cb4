import CCrypto
import Synchronization

/// AES-128 on single blocks (ECB without padding): the security function e of the Core Specification.
///
/// The key is expanded once, so that a cipher is cheap to use again. Bytes are most significant first.
/// Source: Vol 3, Part H, 2.2.1; FIPS 197.
public final class AESBlockCipher: Sendable {
    /// Length of a key and of a block, in bytes.
    public static let blockLength = 16

    private let context: Mutex<CipherContext>

    /// Creates a cipher with a key of 16 bytes.
    public init(key: [UInt8]) throws(CryptoError) {
        guard key.count == Self.blockLength else { throw .keyLength(key.count) }
        let context = try CipherContext()
        try context.encryptBlocks(key: key)
        self.context = Mutex(context)
    }

    /// A block stored inline, without an allocation.
    typealias Block = [16 of UInt8]

    func encrypt(_ block: Block) throws(CryptoError) -> Block {
        let result = context.withLock { context -> Block? in
            var output = Block(repeating: 0)
            var written: CInt = 0
            var target = output.mutableSpan
            // Safe: input and output are both one block long, and ECB without padding writes no more.
            let status = unsafe block.span.withUnsafeBufferPointer { input in
                unsafe target.withUnsafeMutableBufferPointer { result in
                    unsafe EVP_EncryptUpdate(
                        context.pointer, result.baseAddress, &written, input.baseAddress,
                        CInt(Self.blockLength))
                }
            }
            return status == 1 && written == CInt(Self.blockLength) ? output : nil
        }
        guard let result else { throw .fromLibrary() }
        return result
    }

    /// Returns the ciphertext of one block of 16 bytes.
    public func encrypt(_ block: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard block.count == Self.blockLength else { throw .inputLength(block.count) }
        let result = context.withLock { context -> [UInt8]? in
            var output = [UInt8](repeating: 0, count: Self.blockLength)
            var written: CInt = 0
            // Safe: input and output are both one block long, and ECB without padding writes no more.
            let status = unsafe EVP_EncryptUpdate(
                context.pointer, &output, &written, block, CInt(Self.blockLength))
            return status == 1 && written == CInt(Self.blockLength) ? output : nil
        }
        guard let result else { throw .fromLibrary() }
        return result
    }
}

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

/// AES-128 on single blocks under one key after another: for searches, which must not allocate for each key.
///
/// Bytes are most significant first. Source: Vol 3, Part H, 2.2.1.
@safe
public struct AESKeyTrial: ~Copyable {
    /// A key or a block.
    public typealias Block = SIMD16<UInt8>

    private let context: CipherContext

    /// Creates a cipher without a key; ``setKey(_:)`` comes before ``encrypt(_:)``.
    public init() throws(CryptoError) {
        let context = try CipherContext()
        try context.encryptBlocks(key: nil)
        self.context = context
    }

    /// Replaces the key.
    public mutating func setKey(_ key: Block) throws(CryptoError) {
        // Safe: a block has the 16 bytes of a key.
        let status = unsafe withUnsafeBytes(of: key) { key in
            unsafe EVP_EncryptInit_ex(
                context.pointer, nil, nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
        }
        try CryptoError.check(status)
    }

    /// Returns the ciphertext of one block.
    public func encrypt(_ block: Block) throws(CryptoError) -> Block {
        var output = Block()
        var written: CInt = 0
        // Safe: input and output are both one block long, and ECB without padding writes no more.
        let status = unsafe withUnsafeBytes(of: block) { input in
            unsafe withUnsafeMutableBytes(of: &output) { output in
                unsafe EVP_EncryptUpdate(
                    context.pointer, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
                    input.baseAddress?.assumingMemoryBound(to: UInt8.self), 16)
            }
        }
        guard status == 1, written == 16 else { throw .fromLibrary() }
        return output
    }
}

extension SIMD16<UInt8> {
    /// Creates a block from 16 bytes; missing ones are zeros at the end.
    public init(bytes: [UInt8]) {
        self.init()
        for (index, byte) in bytes.prefix(16).enumerated() { self[index] = byte }
    }

    /// The block's 16 bytes.
    public var bytes: [UInt8] { indices.map { self[$0] } }
}
