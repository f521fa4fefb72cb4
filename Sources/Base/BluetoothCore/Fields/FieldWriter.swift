public import WireBytes

/// Encodes a PDU's fields as bytes.
@frozen
public struct FieldWriter: FieldCoder {
    /// The encoded bytes so far.
    public var writer: ByteWriter

    /// Creates a coder that appends to `writer`.
    @inlinable
    public init(_ writer: ByteWriter = ByteWriter()) { self.writer = writer }

    @inlinable public var remaining: Int { Int.max }

    @inlinable
    public mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        for index in 0..<width { writer.u8(UInt8(truncatingIfNeeded: value &>> UInt64(8 &* index))) }
    }

    @inlinable
    public mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        var pattern = UInt64(bitPattern: value)
        try unsigned(name, &pattern, width: width, meaning)
    }

    @inlinable
    public mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        writer.u48le(value.value)
    }

    @inlinable
    public mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {
        switch width {
        case 2: writer.u16le(UInt16(truncatingIfNeeded: value.high &>> 32))
        case 4: writer.u32le(UInt32(truncatingIfNeeded: value.high &>> 32))
        default:
            writer.u64le(value.low)
            writer.u64le(value.high)
        }
    }

    /// Codes a payload. If its length differs from `count`, it is cut or padded with zeros, so that the
    /// fields after it stay in place.
    @inlinable
    public mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        guard let count else { return value.append(to: &writer) }
        var part = ByteWriter(capacity: count)
        value.append(to: &part)
        writer.bytes(Array(part.octets.prefix(count)))
        writer.fill(0, count: count - part.count)
    }

    @inlinable
    public mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout FieldWriter) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        for _ in 0..<(count ?? 0) { try element(&self) }
    }
}
