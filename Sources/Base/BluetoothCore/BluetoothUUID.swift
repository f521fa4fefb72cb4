public import WireBytes

/// A UUID of 16, 32 or 128 bits.
///
/// Two values are equal if they name the same 128-bit UUID, whatever width they had on the wire. Source: Core
/// Specification, Vol 3, Part B, 2.5.1.
@frozen
public struct BluetoothUUID: Sendable {
    /// The most significant 64 bits of the 128-bit value.
    public let high: UInt64
    /// The least significant 64 bits of the 128-bit value.
    public let low: UInt64

    @usableFromInline static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB
    @usableFromInline static let baseHighMask: UInt64 = 0x0000_0000_FFFF_FFFF
    @usableFromInline static let baseHigh: UInt64 = 0x0000_1000

    /// Creates a UUID from its 128-bit value.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a 16-bit UUID on the Bluetooth base.
    @inlinable
    public init(_ short: UInt16) { self.init(UInt32(short)) }

    /// Creates a 32-bit UUID on the Bluetooth base.
    @inlinable
    public init(_ short: UInt32) {
        high = UInt64(short) &<< 32 | Self.baseHigh
        low = Self.baseLow
    }

    /// The 32-bit value of a UUID on the Bluetooth base; nil for other UUIDs.
    @inlinable public var shortValue: UInt32? {
        low == Self.baseLow && high & Self.baseHighMask == Self.baseHigh
            ? UInt32(truncatingIfNeeded: high &>> 32) : nil
    }

    /// The 16-bit value of a UUID on the Bluetooth base; nil if it has more bits, and for other UUIDs.
    @inlinable public var assigned16: UInt16? { shortValue.flatMap { UInt16(exactly: $0) } }

    /// Decodes a UUID of `width` bytes (2, 4 or 16), least significant first.
    @inlinable
    public init(decoding reader: inout ByteReader, width: Int) throws(DecodeError) {
        switch width {
        case 2: self.init(try reader.u16le())
        case 4: self.init(try reader.u32le())
        case 16:
            guard reader.remaining >= 16 else {
                throw DecodeError(.truncated(need: 16, have: reader.remaining), at: reader.offset)
            }
            let low = try reader.u64le()
            self.init(high: try reader.u64le(), low: low)
        default: throw DecodeError(.invalidLength, at: reader.offset)
        }
    }

    /// Parses four, eight or 32 hexadecimal digits in any case, with optional hyphens; nil for anything else.
    public init?(_ text: some StringProtocol) {
        var value: UInt128 = 0
        var digits = 0
        for character in String(text).utf8 where character != UInt8(ascii: "-") {
            guard digits < 32, let digit = Hex.value(ofDigit: character) else { return nil }
            value = value &<< 4 | UInt128(digit)
            digits += 1
        }
        switch digits {
        case 4, 8: self.init(UInt32(truncatingIfNeeded: value))
        case 32: self.init(high: UInt64(value &>> 64), low: UInt64(truncatingIfNeeded: value))
        default: return nil
        }
    }

    /// Width of the UUID's shortest form on the wire in bytes: 2, 4 or 16.
    @inlinable public var shortestWidth: Int {
        guard let short = shortValue else { return 16 }
        return short <= 0xFFFF ? 2 : 4
    }

    /// Encodes the shortest form, least significant byte first.
    ///
    /// With `attribute`, a 32-bit UUID is encoded in 128 bits, since ATT has no 32-bit UUIDs.
    public func encode(into writer: inout ByteWriter, attribute: Bool = true) {
        switch (shortValue, shortestWidth) {
        case (let value?, 2): writer.u16le(UInt16(truncatingIfNeeded: value))
        case (let value?, 4) where !attribute: writer.u32le(value)
        default:
            writer.u64le(low)
            writer.u64le(high)
        }
    }
}

extension BluetoothUUID: Hashable {
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.high == right.high && left.low == right.low
    }
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }
}

extension BluetoothUUID: LosslessStringConvertible {
    public var description: String {
        var buffer = TextBuffer(capacity: 64)
        buffer.put(self)
        return String(decoding: buffer.octets.copied(), as: UTF8.self)
    }
}

extension BluetoothUUID: Codable {
    /// Decodes a UUID from its text; throws for other texts.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let uuid = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a UUID"))
        }
        self = uuid
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}

extension TextBuffer {
    /// Appends the shortest form of a UUID, in upper case.
    @inlinable
    public mutating func put(_ uuid: BluetoothUUID) {
        if let short = uuid.shortValue {
            return upperHex(UInt64(short), digits: short <= 0xFFFF ? 4 : 8)
        }
        upperHex(uuid.high &>> 32, digits: 8)
        put(0x2D)
        upperHex(uuid.high &>> 16, digits: 4)
        put(0x2D)
        upperHex(uuid.high, digits: 4)
        put(0x2D)
        upperHex(uuid.low &>> 48, digits: 4)
        put(0x2D)
        upperHex(uuid.low, digits: 12)
    }
}
