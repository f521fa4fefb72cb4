import CCrypto

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
