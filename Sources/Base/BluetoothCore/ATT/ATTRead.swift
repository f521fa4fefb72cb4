public import WireBytes

/// Asks for the value of an attribute.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.3.
public struct ATTReadRequest: ATTPDU {
    public static let opcode = ATTOpcode.readRequest

    /// The attribute.
    public var handle: UInt16 = 0

    public init() {}

    public init(handle: UInt16) {
        self.handle = handle
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
    }
}

/// Carries the value of an attribute, up to ATT_MTU − 1 bytes of it.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.4.
public struct ATTReadResponse: ATTPDU {
    public static let opcode = ATTOpcode.readResponse

    /// The value or its first part.
    public var value: [UInt8] = []

    public init() {}

    public init(value: [UInt8]) {
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}

/// Asks for the value of an attribute from an offset.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.5.
public struct ATTReadBlobRequest: ATTPDU {
    public static let opcode = ATTOpcode.readBlobRequest

    /// The attribute.
    public var handle: UInt16 = 0
    /// Offset in the value of the first byte to read.
    public var offset: UInt16 = 0

    public init() {}

    public init(handle: UInt16, offset: UInt16) {
        self.handle = handle
        self.offset = offset
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.u16("Value Offset", &offset)
    }
}

/// Carries a part of an attribute's value, up to ATT_MTU − 1 bytes.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.6.
public struct ATTReadBlobResponse: ATTPDU {
    public static let opcode = ATTOpcode.readBlobResponse

    /// The part from the requested offset.
    public var value: [UInt8] = []

    public init() {}

    public init(value: [UInt8]) {
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("Part Attribute Value", &value, .attributeValue)
    }
}
