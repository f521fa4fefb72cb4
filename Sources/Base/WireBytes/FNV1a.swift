/// The 64-bit FNV-1a hash, which is stable between runs, unlike Swift's own.
///
/// It does not resist deliberate collisions.
public struct FNV1a: Sendable {
    /// The hash of the bytes so far.
    public var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable
    public init() {}

    /// Adds the next byte.
    @inlinable
    public mutating func take(_ octet: UInt8) { value = (value ^ UInt64(octet)) &* 0x100_0000_01B3 }

    /// Returns the hash of bytes.
    @inlinable
    public static func hash(_ octets: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1a()
        for octet in octets { hash.take(octet) }
        return hash.value
    }
}
