public import WireBytes

/// Asks the server to write a value and to confirm it.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.5.1.
public struct ATTWriteRequest: ATTPDU {
    public static let opcode = ATTOpcode.writeRequest

    /// The attribute.
    public var handle: UInt16 = 0
    /// The value, up to ATT_MTU − 3 bytes.
    public var value: [UInt8] = []

    public init() {}

    public init(handle: UInt16, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}

/// Confirms that the value was written.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.5.2.
public struct ATTWriteResponse: ATTPDU {
    public static let opcode = ATTOpcode.writeResponse

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// Asks the server to write a value; there is no reply, even on failure.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.5.3.
public struct ATTWriteCommand: ATTPDU {
    public static let opcode = ATTOpcode.writeCommand

    /// The attribute.
    public var handle: UInt16 = 0
    /// The value, up to ATT_MTU − 3 bytes.
    public var value: [UInt8] = []

    public init() {}

    public init(handle: UInt16, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}
