/// Finds the identity that generated a resolvable private address.
///
/// Each identity's key is expanded once; a resolution costs one AES block per identity until one matches.
/// Callers that see an address repeatedly should cache the answer. Source: Vol 6, Part B, 1.3.2.3.
public struct PrivateAddressResolver: Sendable {
    private var ciphers: [AESBlockCipher] = []

    /// Creates a resolver without identities.
    public init() {}

    /// Adds an identity resolving key (16 bytes, most significant first) and returns its index, from 0.
    public mutating func add(identityResolvingKey key: [UInt8]) throws(CryptoError) -> Int {
        ciphers.append(try AESBlockCipher(key: key))
        return ciphers.count - 1
    }

    /// Returns the index of the first identity, from `first` on, whose key generated `address` (48 bits).
    ///
    /// Nil if none did, or if it is not a resolvable private address.
    public func resolve(_ address: UInt64, from first: Int = 0) -> Int? {
        guard address >> 46 == 0b01, ciphers.indices.contains(first) else { return nil }
        let prand = UInt32(truncatingIfNeeded: address >> 24) & 0xFF_FFFF
        let hash = UInt32(truncatingIfNeeded: address) & 0xFF_FFFF
        return ciphers[first...].firstIndex { (try? Self.hash($0, prand)) == hash }
    }

    /// Returns the random address hash ah: the hash (24 bits) of the random part (24 bits) under a key.
    ///
    /// Source: Vol 3, Part H, 2.2.2.
    public static func hash(key: [UInt8], prand: UInt32) throws(CryptoError) -> UInt32 {
        try hash(try AESBlockCipher(key: key), prand)
    }

    /// Returns the resolvable private address (48 bits) for a key and 24 random bits, two of which are fixed.
    ///
    /// Source: Vol 6, Part B, 1.3.2.2.
    public static func address(key: [UInt8], random: UInt32) throws(CryptoError) -> UInt64 {
        // The other 22 bits must be neither all 0 nor all 1.
        let bits = min(max(random & 0x3F_FFFF, 1), 0x3F_FFFE)
        let prand = 0x40_0000 | bits
        return UInt64(prand) << 24 | UInt64(try hash(key: key, prand: prand))
    }

    private static func hash(_ cipher: AESBlockCipher, _ prand: UInt32) throws(CryptoError) -> UInt32 {
        var block = AESBlockCipher.Block(repeating: 0)
        for index in 0..<3 { block[13 + index] = UInt8(truncatingIfNeeded: prand >> UInt32(16 - 8 * index)) }
        let result = try cipher.encrypt(block)
        return UInt32(result[13]) << 16 | UInt32(result[14]) << 8 | UInt32(result[15])
    }
}
