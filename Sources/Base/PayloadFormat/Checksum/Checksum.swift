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

    init(_ name: String, width: Int, _ kind: Kind, check: UInt32) {
        self.name = name
        self.width = width
        self.kind = kind
        checkValue = check
        table = Self.table(kind, width: width)
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
            for index in 0..<octets.byteCount { result ^= Self.octet(octets, at: index) }
            return result
        case .fletcher: return pairOfSums(octets, modulus: 255, start: 0, shift: 8)
        case .adler: return pairOfSums(octets, modulus: 65521, start: 1, shift: 16)
        }
    }

    private var mask: UInt32 { width == 32 ? .max : 1 << UInt32(width) - 1 }

    private static func octet(_ octets: RawSpan, at index: Int) -> UInt32 {
        UInt32(octets.octet(at: index) ?? 0)
    }

    private func sum(_ octets: RawSpan) -> UInt32 {
        var result: UInt32 = 0
        for index in 0..<octets.byteCount { result &+= Self.octet(octets, at: index) }
        return result
    }

    /// The most significant bit goes first, so the next byte is combined with the register's highest byte.
    private func plain(_ octets: RawSpan, _ initial: UInt32) -> UInt32 {
        var register = initial
        let shift = UInt32(width - 8)
        let table = self.table.span
        for place in 0..<octets.byteCount {
            let index = UInt8(truncatingIfNeeded: (register &>> shift) ^ Self.octet(octets, at: place))
            register = register &<< 8 ^ table[Int(index)]
        }
        return register
    }

    /// The least significant bit goes first.
    private func mirrored(_ octets: RawSpan, _ initial: UInt32) -> UInt32 {
        var register = Self.reverse(initial, width: width)
        let table = self.table.span
        for place in 0..<octets.byteCount {
            let index = UInt8(truncatingIfNeeded: register ^ Self.octet(octets, at: place))
            register = register &>> 8 ^ table[Int(index)]
        }
        return register
    }

    private static func table(_ kind: Kind, width: Int) -> [UInt32] {
        guard case .cyclic(let polynomial, _, let reflected, _) = kind else { return [] }
        let top = UInt32(1) << UInt32(width - 1)
        let mirrored = reverse(polynomial, width: width)
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

    private static func reverse(_ value: UInt32, width: Int) -> UInt32 {
        var result: UInt32 = 0
        for bit in 0..<width where value >> UInt32(bit) & 1 != 0 { result |= 1 << UInt32(width - 1 - bit) }
        return result
    }

    private func pairOfSums(
        _ octets: RawSpan, modulus: UInt32, start: UInt32, shift: UInt32
    ) -> UInt32 {
        var (low, high) = (start, UInt32(0))
        for index in 0..<octets.byteCount {
            low = (low + Self.octet(octets, at: index)) % modulus
            high = (high + low) % modulus
        }
        return high << shift | low
    }

    /// Returns the checksum with a name; nil if the catalogue has none.
    public static func named(_ name: String) -> Checksum? { catalogue.first { $0.name == name } }

    /// The polynomial 0x1021 from 0xFFFF, not reflected, which many specifications call CRC-CCITT.
    public static let crc16CCITTFalse = cyclic(
        "crc16-ccitt-false", 16, 0x1021, 0xFFFF, false, 0, check: 0x29B1)

    /// Every checksum, in the order in which the schema lists the names.
    public static let catalogue: [Checksum] = [
        Checksum("sum8", width: 8, .sum, check: 0xDD),
        Checksum("sum8-complement", width: 8, .sumComplement, check: 0x23),
        Checksum("sum8-inverted", width: 8, .sumInverted, check: 0x22),
        Checksum("sum16", width: 16, .sum, check: 0x01DD),
        Checksum("sum16-complement", width: 16, .sumComplement, check: 0xFE23),
        Checksum("sum32", width: 32, .sum, check: 0x01DD),
        Checksum("xor8", width: 8, .xor, check: 0x31),
        Checksum("fletcher16", width: 16, .fletcher, check: 0x1EDE),
        Checksum("adler32", width: 32, .adler, check: 0x091E_01DE),
        cyclic("crc8", 8, 0x07, 0x00, false, 0x00, check: 0xF4),
        cyclic("crc8-autosar", 8, 0x2F, 0xFF, false, 0xFF, check: 0xDF),
        cyclic("crc8-bluetooth", 8, 0xA7, 0x00, true, 0x00, check: 0x26),
        cyclic("crc8-cdma2000", 8, 0x9B, 0xFF, false, 0x00, check: 0xDA),
        cyclic("crc8-darc", 8, 0x39, 0x00, true, 0x00, check: 0x15),
        cyclic("crc8-dvb-s2", 8, 0xD5, 0x00, false, 0x00, check: 0xBC),
        cyclic("crc8-itu", 8, 0x07, 0x00, false, 0x55, check: 0xA1),
        cyclic("crc8-maxim", 8, 0x31, 0x00, true, 0x00, check: 0xA1),
        cyclic("crc8-nrsc-5", 8, 0x31, 0xFF, false, 0x00, check: 0xF7),
        cyclic("crc8-rohc", 8, 0x07, 0xFF, true, 0x00, check: 0xD0),
        cyclic("crc8-sae-j1850", 8, 0x1D, 0xFF, false, 0xFF, check: 0x4B),
        cyclic("crc8-wcdma", 8, 0x9B, 0x00, true, 0x00, check: 0x25),
        crc16CCITTFalse,
        cyclic("crc16-arc", 16, 0x8005, 0x0000, true, 0x0000, check: 0xBB3D),
        cyclic("crc16-aug-ccitt", 16, 0x1021, 0x1D0F, false, 0x0000, check: 0xE5CC),
        cyclic("crc16-dnp", 16, 0x3D65, 0x0000, true, 0xFFFF, check: 0xEA82),
        cyclic("crc16-genibus", 16, 0x1021, 0xFFFF, false, 0xFFFF, check: 0xD64E),
        cyclic("crc16-kermit", 16, 0x1021, 0x0000, true, 0x0000, check: 0x2189),
        cyclic("crc16-maxim", 16, 0x8005, 0x0000, true, 0xFFFF, check: 0x44C2),
        cyclic("crc16-mcrf4xx", 16, 0x1021, 0xFFFF, true, 0x0000, check: 0x6F91),
        cyclic("crc16-modbus", 16, 0x8005, 0xFFFF, true, 0x0000, check: 0x4B37),
        cyclic("crc16-t10-dif", 16, 0x8BB7, 0x0000, false, 0x0000, check: 0xD0DB),
        cyclic("crc16-usb", 16, 0x8005, 0xFFFF, true, 0xFFFF, check: 0xB4C8),
        cyclic("crc16-x25", 16, 0x1021, 0xFFFF, true, 0xFFFF, check: 0x906E),
        cyclic("crc16-xmodem", 16, 0x1021, 0x0000, false, 0x0000, check: 0x31C3),
        cyclic("crc24-ble", 24, 0x00065B, 0x555555, true, 0x000000, check: 0xC25A56),
        cyclic("crc24-openpgp", 24, 0x864CFB, 0xB704CE, false, 0x000000, check: 0x21CF02),
        cyclic("crc32", 32, 0x04C1_1DB7, 0xFFFF_FFFF, true, 0xFFFF_FFFF, check: 0xCBF4_3926),
        cyclic("crc32-bzip2", 32, 0x04C1_1DB7, 0xFFFF_FFFF, false, 0xFFFF_FFFF, check: 0xFC89_1918),
        cyclic("crc32-mpeg-2", 32, 0x04C1_1DB7, 0xFFFF_FFFF, false, 0x0000_0000, check: 0x0376_E6E7),
        cyclic("crc32-posix", 32, 0x04C1_1DB7, 0x0000_0000, false, 0xFFFF_FFFF, check: 0x765E_7680),
        cyclic("crc32c", 32, 0x1EDC_6F41, 0xFFFF_FFFF, true, 0xFFFF_FFFF, check: 0xE306_9283),
    ]

    private static func cyclic(
        _ name: String, _ width: Int, _ polynomial: UInt32, _ initial: UInt32, _ reflected: Bool,
        _ finalXor: UInt32, check: UInt32
    ) -> Checksum {
        Checksum(
            name, width: width,
            .cyclic(
                polynomial: polynomial, initial: initial, reflected: reflected, finalXor: finalXor),
            check: check)
    }
}
