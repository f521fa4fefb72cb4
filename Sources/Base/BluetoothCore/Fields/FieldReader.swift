public import WireBytes

/// Decodes a PDU's fields from bytes.
@frozen
public struct FieldReader: ReadingCoder, ~Copyable, ~Escapable {
    public var reader: ByteReader

    /// Creates a coder that reads from the start of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan) { reader = ByteReader(octets) }

    /// Creates a coder that reads from the byte at `start` (at most the end).
    ///
    /// Offsets and ranges count from the start of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan, from start: Int) {
        reader = ByteReader(octets, from: start)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.unsigned(width: width)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.signed(width: width)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(try reader.u48le(), value.kind)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {
        value = try BluetoothUUID(decoding: &reader, width: width)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        value = try P(reading: &reader, count: count ?? reader.remaining)
    }
}
