import WireBytes

/// A checksum algorithm, named as in a published catalogue.
///
/// The cyclic ones have the parameters of the Rocksoft model (width, polynomial, initial value, reflection,
/// final xor), as listed in the catalogue of G. Cook (CRC RevEng).
public struct Checksum: Hashable, Sendable {
    /// The name that files use, such as `crc16-ccitt-false`.
    public let name: String
    /// Bits of the result: 8, 16, 24 or 32.
    public let width: Int
    /// The result over the nine ASCII digits `123456789`.
    public let checkValue: UInt32
    let kind: Kind
    /// The effect of each byte on the register of a cyclic checksum; empty for the others.
    private let table: [UInt32]

    enum Kind: Hashable, Sendable {
        case cyclic(polynomial: UInt32, initial: UInt32, reflected: Bool, finalXor: UInt32)
        case sum
        /// The sum and the checksum together are 0 (two's complement).
        case sumComplement
        /// The sum with all bits inverted (one's complement).
        case sumInverted
        case xor
        case fletcher
        case adler
    }

    init(_ name: String, _ width: Int, _ kind: Kind, check: UInt32) {
        self.name = name
        self.width = width
        self.kind = kind
        checkValue = check
        table = Self.table(kind, width)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.width == right.width && left.kind == right.kind
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(kind)
    }

    /// Length of the result in bytes.
    public var octetCount: Int { width / 8 }

    /// Returns the checksum of `octets`.
    public func value(of octets: some Sequence<UInt8>) -> UInt32 { value(of: Array(octets)[...]) }

    /// Returns the checksum of `octets`.
    public func value(of octets: ArraySlice<UInt8>) -> UInt32 { value(of: octets.borrowedOctets) }

    /// Returns the checksum of `octets`.
    public func value(of octets: RawSpan) -> UInt32 {
        switch kind {
        case .cyclic(_, let initial, let reflected, let finalXor):
            return (reflected ? mirrored(octets, initial) : plain(octets, initial)) & mask ^ finalXor
        case .sum: return sum(octets) & mask
        case .sumComplement: return (0 &- sum(octets)) & mask
        case .sumInverted: return ~sum(octets) & mask
        case .xor:
            var result: UInt32 = 0
            for index in 0..<octets.byteCount { result ^= Self.octet(octets, index) }
            return result
        case .fletcher: return pairOfSums(octets, modulus: 255, start: 0, shift: 8)
        case .adler: return pairOfSums(octets, modulus: 65521, start: 1, shift: 16)
        }
    }

    private var mask: UInt32 { width == 32 ? .max : 1 << UInt32(width) - 1 }

    private static func octet(_ octets: RawSpan, _ index: Int) -> UInt32 {
        UInt32(octets.octet(at: index) ?? 0)
    }

    private func sum(_ octets: RawSpan) -> UInt32 {
        var result: UInt32 = 0
        for index in 0..<octets.byteCount { result &+= Self.octet(octets, index) }
        return result
    }

    /// The most significant bit goes first, so the next byte is combined with the register's highest byte.
    private func plain(_ octets: RawSpan, _ initial: UInt32) -> UInt32 {
        var register = initial
        let shift = UInt32(width - 8)
        let table = self.table.span
        for place in 0..<octets.byteCount {
            let index = UInt8(truncatingIfNeeded: (register &>> shift) ^ Self.octet(octets, place))
            register = register &<< 8 ^ table[Int(index)]
        }
        return register
    }

    /// The least significant bit goes first.
    private func mirrored(_ octets: RawSpan, _ initial: UInt32) -> UInt32 {
        var register = Self.reverse(initial, width)
        let table = self.table.span
        for place in 0..<octets.byteCount {
            let index = UInt8(truncatingIfNeeded: register ^ Self.octet(octets, place))
            register = register &>> 8 ^ table[Int(index)]
        }
        return register
    }

    private static func table(_ kind: Kind, _ width: Int) -> [UInt32] {
        guard case .cyclic(let polynomial, _, let reflected, _) = kind else { return [] }
        let top = UInt32(1) << UInt32(width - 1)
        let mirrored = reverse(polynomial, width)
        return (UInt32(0)..<256).map { octet in
            var register = reflected ? octet : octet << UInt32(width - 8)
            for _ in 0..<8 {
                if reflected {
                    register = register & 1 != 0 ? register >> 1 ^ mirrored : register >> 1
                } else {
                    register = register & top != 0 ? register << 1 ^ polynomial : register << 1
                }
            }
            return register
        }
    }

    private static func reverse(_ value: UInt32, _ width: Int) -> UInt32 {
        var result: UInt32 = 0
        for bit in 0..<width where value >> UInt32(bit) & 1 != 0 { result |= 1 << UInt32(width - 1 - bit) }
        return result
    }

    private func pairOfSums(
        _ octets: RawSpan, modulus: UInt32, start: UInt32, shift: UInt32
    ) -> UInt32 {
        var (low, high) = (start, UInt32(0))
        for index in 0..<octets.byteCount {
            low = (low + Self.octet(octets, index)) % modulus
            high = (high + low) % modulus
        }
        return high << shift | low
    }
}
