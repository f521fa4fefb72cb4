public import WireBytes

/// The basic header: how many bytes of information follow, and for which channel.
///
/// Source: Core Specification, Vol 3, Part A, 3.1.
@frozen
public struct L2CAPHeader: Hashable, Sendable {
    /// Bytes that the header takes.
    @inlinable public static var size: Int { 4 }

    /// Bytes of information after the header.
    public var length: UInt16
    /// The channel that the frame belongs to.
    public var channel: L2CAPChannelID

    @inlinable
    public init(length: UInt16, channel: L2CAPChannelID) {
        self.length = length
        self.channel = channel
    }

    /// Reads the four bytes.
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

/// The length field that begins the first K-frame of an SDU on a credit based channel.
///
/// Source: Core Specification, Vol 3, Part A, 3.4.3.
@frozen
public struct L2CAPSDULength: Hashable, Sendable {
    /// Bytes of the whole SDU, over all its K-frames.
    public var length: UInt16

    @inlinable public init(length: UInt16) { self.length = length }

    /// Reads the two bytes.
    @inlinable
    public init(decoding reader: inout ByteReader) throws(DecodeError) { length = try reader.u16le() }

    /// Appends the two bytes.
    @inlinable
    public func encode(into writer: inout ByteWriter) { writer.u16le(length) }
}
