/// The FNV-1a hash with 64 bits: the same from run to run, as Swift's own hashes are not. It is no protection
/// against values that are made to collide.
public struct FNV1a: Sendable {
    /// The hash of the octets so far.
    public var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable
    public init() {}

    /// Takes the next octet.
    @inlinable
    public mutating func take(_ octet: UInt8) { value = (value ^ UInt64(octet)) &* 0x100_0000_01B3 }

    /// The hash of octets.
    @inlinable
    public static func hash(_ octets: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1a()
        for octet in octets { hash.take(octet) }
        return hash.value
    }
}
