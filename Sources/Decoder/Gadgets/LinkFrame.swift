public import WireBytes

/// The ten-byte frame of BLELinkManager's devices: `AA 03 12 72 hh ll 01 72 30 55`.
///
/// hh and ll are the two digits of the number in base 100, each a binary value of 0 to 99. All other bytes
/// are constant; there is no checksum.
public struct LinkFrame: Hashable, Sendable {
    /// The bytes before the number.
    public static let prefix: [UInt8] = [0xAA, 0x03, 0x12, 0x72]
    /// The bytes after it.
    public static let suffix: [UInt8] = [0x01, 0x72, 0x30, 0x55]
    /// The upload rates that a device accepts over LE, in bytes per second.
    public static let speeds = 0...1_000

    /// The number: 0 to 9,999.
    public let number: Int

    /// Creates a frame with a number of 0 to 9,999; nil for any other number.
    public init?(number: Int) {
        guard (0...9_999).contains(number) else { return nil }
        self.number = number
    }

    /// Creates a frame that sets the upload rate, 0 to 1,000 bytes per second; nil for any other rate.
    public init?(speed: Int) {
        guard Self.speeds.contains(speed) else { return nil }
        number = speed
    }

    /// Reads a frame, which must be the whole content of `reader`.
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        try Self.expect(Self.prefix, &reader)
        let place = reader.offset
        let high = try reader.u8()
        let low = try reader.u8()
        guard high < 100 else { throw DecodeError(.invalidValue, at: place) }
        guard low < 100 else { throw DecodeError(.invalidValue, at: place + 1) }
        try Self.expect(Self.suffix, &reader)
        try reader.expectEnd()
        number = Int(high) * 100 + Int(low)
    }

    /// Appends the ten bytes.
    public func encode(into writer: inout ByteWriter) {
        writer.bytes(Self.prefix)
        writer.u8(UInt8(truncatingIfNeeded: number / 100))
        writer.u8(UInt8(truncatingIfNeeded: number % 100))
        writer.bytes(Self.suffix)
    }

    private static func expect(_ octets: [UInt8], _ reader: inout ByteReader) throws(DecodeError) {
        for octet in octets {
            let place = reader.offset
            guard try reader.u8() == octet else { throw DecodeError(.invalidValue, at: place) }
        }
    }
}

/// A command to a BLELinkManager device: its type, then the frame with the upload rate.
///
/// The types are written as their names read in hexadecimal, most significant byte first: `0A BA` for ABA.
/// This is the project's choice: the source of the frame does not specify the types' bytes.
public struct LinkCommand: Hashable, Sendable {
    /// The four types.
    public enum Kind: UInt16, CaseIterable, Hashable, Sendable {
        case aba = 0x0ABA
        case bab = 0x0BAB
        case cdc = 0x0CDC
        case dcd = 0x0DCD
    }

    /// Its type.
    public let kind: Kind
    /// The frame that carries the rate.
    public let frame: LinkFrame

    /// Creates a command with an upload rate of 0 to 1,000 bytes per second; nil for any other rate.
    public init?(_ kind: Kind, speed: Int) {
        guard let frame = LinkFrame(speed: speed) else { return nil }
        self.kind = kind
        self.frame = frame
    }

    /// Reads a command, which must be the whole content of `reader`; a rate above 1,000 is a forbidden value.
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        let place = reader.offset
        guard let kind = Kind(rawValue: try reader.u16be()) else {
            throw DecodeError(.invalidValue, at: place)
        }
        self.kind = kind
        let start = reader.offset
        frame = try LinkFrame(decoding: &reader)
        guard LinkFrame.speeds.contains(frame.number) else { throw DecodeError(.invalidValue, at: start + 4) }
    }

    /// Appends the twelve bytes.
    public func encode(into writer: inout ByteWriter) {
        writer.u16be(kind.rawValue)
        frame.encode(into: &writer)
    }
}
