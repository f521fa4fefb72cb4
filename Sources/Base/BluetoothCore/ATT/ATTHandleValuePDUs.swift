public import WireBytes

/// Carries a value that the server sends at any time, without a reply.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.1.
public struct ATTHandleValueNotification: ATTPDU {
    public static let opcode = ATTOpcode.handleValueNotification

    /// The attribute.
    public var handle: UInt16 = 0
    /// The value, cut to ATT_MTU − 3 bytes.
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

/// Carries a value from the server, which then waits for the client's confirmation.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.2.
public struct ATTHandleValueIndication: ATTPDU {
    public static let opcode = ATTOpcode.handleValueIndication

    /// The attribute.
    public var handle: UInt16 = 0
    /// The value, cut to ATT_MTU − 3 bytes.
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

/// Confirms an indication.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.3.
public struct ATTHandleValueConfirmation: ATTPDU {
    public static let opcode = ATTOpcode.handleValueConfirmation

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// Carries two or more values that the server sends at once, without a reply.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.4.
public struct ATTMultipleHandleValueNotification: ATTPDU {
    public static let opcode = ATTOpcode.multipleHandleValueNotification

    /// Handles, lengths and values: ``ATTHandleLengthValue``.
    public var values: [UInt8] = []

    public init() {}

    public init(values: [UInt8]) {
        self.values = values
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("Handle Length Value Tuple List", &values)
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
