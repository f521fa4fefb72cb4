public import WireBytes

// Fields whose number of bytes or elements is itself a field.

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// Codes a count of `width` bytes (1 to 4), then as many elements.
    @inlinable
    public mutating func counted<Element: PDUFields>(
        _ countName: StaticText, _ name: StaticText, _ elements: inout [Element], width: Int = 1
    ) throws(DecodeError) {
        // Write no more elements than the count can express.
        var count = UInt64(min(elements.count, 1 &<< (8 &* width) &- 1))
        try unsigned(countName, &count, width: width, .number)
        try list(name, &elements, count: Int(count))
    }

    /// Codes a length of `width` bytes (1 to 4), then as many bytes.
    @inlinable
    public mutating func sizedOctets(
        _ lengthName: StaticText, _ name: StaticText, _ value: inout [UInt8], width: Int = 1,
        _ meaning: PayloadMeaning = .octets
    ) throws(DecodeError) {
        var length = UInt64(min(value.count, 1 &<< (8 &* width) &- 1))
        try unsigned(lengthName, &length, width: width, .number)
        try payload(name, &value, count: Int(length), meaning)
    }
}
