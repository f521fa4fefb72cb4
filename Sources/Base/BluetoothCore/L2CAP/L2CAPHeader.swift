public import WireBytes

/// The basic header: the length of the information that follows, and its channel.
///
/// Source: Core Specification, Vol 3, Part A, 3.1.
@frozen
public struct L2CAPHeader: Hashable, Sendable {
    /// Length of the header in bytes.
    @inlinable public static var size: Int { 4 }

    /// Length of the information after the header, in bytes.
    public var length: UInt16
    /// The channel of the frame.
    public var channel: L2CAPChannelID

    @inlinable
    public init(length: UInt16, channel: L2CAPChannelID) {
        self.length = length
        self.channel = channel
    }

    /// Decodes the four bytes.
    @inlinable
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        guard reader.remaining >= 4 else {
            throw DecodeError(.truncated(need: 4, have: reader.remaining), at: reader.offset)
        }
        length = try reader.u16le()
        channel = L2CAPChannelID(rawValue: try reader.u16le())
    }

    /// Appends the four bytes.
    @inlinable
    public func encode(into writer: inout ByteWriter) {
        writer.u16le(length)
        writer.u16le(channel.rawValue)
    }
}

/// The endpoint of a logical channel.
///
/// Source: Core Specification, Vol 3, Part A, 2.1.
@frozen
public struct L2CAPChannelID: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The Attribute Protocol.
    @inlinable public static var attribute: Self { .init(rawValue: 0x0004) }
    /// The signalling channel of an LE link.
    @inlinable public static var leSignalling: Self { .init(rawValue: 0x0005) }
    /// The Security Manager Protocol on LE.
    @inlinable public static var securityManager: Self { .init(rawValue: 0x0006) }

    /// The purpose of a fixed channel; nil for other channels.
    public var name: StaticText? { ValueSet.l2capChannel.name(UInt64(rawValue)) }
}
