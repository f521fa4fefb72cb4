public import WireBytes

// Fields by their width on the wire, so that a PDU's properties can have natural types.

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// Codes one byte.
    @inlinable
    public mutating func u8(
        _ name: StaticText, _ value: inout UInt8, _ meaning: FieldMeaning = .number
    ) throws(DecodeError) {
        var wide = UInt64(value)
        try unsigned(name, &wide, width: 1, meaning)
        value = UInt8(truncatingIfNeeded: wide)
    }

    /// Codes two bytes.
    @inlinable
    public mutating func u16(
        _ name: StaticText, _ value: inout UInt16, _ meaning: FieldMeaning = .number
    ) throws(DecodeError) {
        var wide = UInt64(value)
        try unsigned(name, &wide, width: 2, meaning)
        value = UInt16(truncatingIfNeeded: wide)
    }

    /// Codes three bytes, in the low 24 bits.
    @inlinable
    public mutating func u24(
        _ name: StaticText, _ value: inout UInt32, _ meaning: FieldMeaning = .number
    ) throws(DecodeError) {
        var wide = UInt64(value)
        try unsigned(name, &wide, width: 3, meaning)
        value = UInt32(truncatingIfNeeded: wide)
    }

    /// Codes four bytes.
    @inlinable
    public mutating func u32(
        _ name: StaticText, _ value: inout UInt32, _ meaning: FieldMeaning = .number
    ) throws(DecodeError) {
        var wide = UInt64(value)
        try unsigned(name, &wide, width: 4, meaning)
        value = UInt32(truncatingIfNeeded: wide)
    }

    /// Codes eight bytes.
    @inlinable
    public mutating func u64(
        _ name: StaticText, _ value: inout UInt64, _ meaning: FieldMeaning = .number
    ) throws(DecodeError) {
        try unsigned(name, &value, width: 8, meaning)
    }

    /// Codes one byte in two's complement.
    @inlinable
    public mutating func i8(
        _ name: StaticText, _ value: inout Int8, _ meaning: FieldMeaning = .number
    ) throws(DecodeError) {
        var wide = Int64(value)
        try signed(name, &wide, width: 1, meaning)
        value = Int8(truncatingIfNeeded: wide)
    }

    /// Codes two bytes in two's complement.
    @inlinable
    public mutating func i16(
        _ name: StaticText, _ value: inout Int16, _ meaning: FieldMeaning = .number
    ) throws(DecodeError) {
        var wide = Int64(value)
        try signed(name, &wide, width: 2, meaning)
        value = Int16(truncatingIfNeeded: wide)
    }

    /// Codes an open set of code points, `width` bytes wide, with its own type.
    @inlinable
    public mutating func code<Code: RawRepresentable>(
        _ name: StaticText, _ value: inout Code, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) where Code.RawValue: FixedWidthInteger & UnsignedInteger {
        var wide = UInt64(value.rawValue)
        let start = offset
        try unsigned(name, &wide, width: width, meaning)
        guard let code = Code(rawValue: Code.RawValue(truncatingIfNeeded: wide)) else {
            throw DecodeError(.invalidValue, at: start)
        }
        value = code
    }

    /// Codes `count` bytes, or all remaining bytes if `count` is nil.
    @inlinable
    public mutating func octets<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int? = nil, _ meaning: PayloadMeaning = .octets
    ) throws(DecodeError) {
        try payload(name, &value, count: count, meaning)
    }
}
