public import WireBytes

extension ATTFindInformationResponse {
    /// Length of each element in bytes; nil if the format is not assigned.
    public var elementWidth: Int? {
        switch format {
        case 1: 4
        case 2: 18
        default: nil
        }
    }
}

/// A value with its length.
///
/// It has fewer bytes than its length if the PDU had no room for all.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.12.
public struct ATTLengthValue: PDUFields, Hashable {
    /// Length of the whole value in bytes.
    public var length: UInt16 = 0
    /// The value or its first part.
    public var value: [UInt8] = []

    public init() {}

    public init(length: UInt16, value: [UInt8]) {
        self.length = length
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("Value Length", &length)
        let held = coder.isWriting ? value.count : min(Int(length), coder.remaining)
        try coder.octets("Attribute Value", &value, count: held, .attributeValue)
    }
}

/// A value with its handle and length.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.4.
public struct ATTHandleLengthValue: PDUFields, Hashable {
    /// The attribute.
    public var handle: UInt16 = 0
    /// The value, up to 65535 bytes.
    public var value: [UInt8] = []

    public init() {}

    public init(handle: UInt16, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        var length = UInt16(clamping: value.count)
        try coder.u16("Value Length", &length)
        try coder.octets("Attribute Value", &value, count: Int(length), .attributeValue)
    }
}
