public import WireBytes

/// Fills a PDU's fields from octets.
@frozen
public struct FieldReader: FieldCoder, ~Copyable, ~Escapable {
    @usableFromInline var reader: ByteReader

    /// A coder that reads from the start of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan) { reader = ByteReader(octets) }

    /// A coder that reads from the octet at `start` (at most the end); offsets and ranges count from the
    /// start of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan, from start: Int) {
        reader = ByteReader(octets, from: start)
    }

    /// Octets read so far.
    @inlinable public var offset: Int { reader.offset }
    @inlinable public var remaining: Int { reader.remaining }

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

    @inlinable
    @_lifetime(self: copy self)
    public mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout FieldReader) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        var seen = 0
        while count.map({ seen < $0 }) ?? (reader.remaining > 0) {
            let before = reader.offset
            try element(&self)
            // An element without octets would never use up what is left.
            guard reader.offset > before else { throw DecodeError(.invalidLength, at: before) }
            seen &+= 1
        }
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func within(
        _ width: Int, _ element: (inout FieldReader) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        let whole = reader.wholeSpan
        let end = reader.offset &+ width
        reader = ByteReader(whole.clamped(0..<end), from: reader.offset)
        try element(&self)
        reader = ByteReader(whole, from: end)
    }
}
