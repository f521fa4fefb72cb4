public import WireBytes

/// Asks for the values of two or more attributes whose lengths are known.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.7.
public struct ATTReadMultipleRequest: ATTPDU {
    public static let opcode = ATTOpcode.readMultipleRequest

    /// Two or more handles, two bytes each: ``ATTHandle``.
    public var handles: [UInt8] = []

    public init() {}

    public init(handles: [UInt8]) {
        self.handles = handles
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.attributeElements("Set Of Handles", &handles, width: 2)
    }
}

/// Carries values one after another, in the requested order, up to ATT_MTU − 1 bytes.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.8.
public struct ATTReadMultipleResponse: ATTPDU {
    public static let opcode = ATTOpcode.readMultipleResponse

    /// The values without separators.
    public var values: [UInt8] = []

    public init() {}

    public init(values: [UInt8]) {
        self.values = values
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("Set Of Values", &values, .attributeValue)
    }
}

/// Asks for the values of two or more attributes of any length.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.11.
public struct ATTReadMultipleVariableRequest: ATTPDU {
    public static let opcode = ATTOpcode.readMultipleVariableRequest

    /// Two or more handles, two bytes each: ``ATTHandle``.
    public var handles: [UInt8] = []

    public init() {}

    public init(handles: [UInt8]) {
        self.handles = handles
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.attributeElements("Set Of Handles", &handles, width: 2)
    }
}

/// Carries values with their lengths, in the requested order; the last may be cut to ATT_MTU − 1.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.12.
public struct ATTReadMultipleVariableResponse: ATTPDU {
    public static let opcode = ATTOpcode.readMultipleVariableResponse

    /// Lengths and values: ``ATTLengthValue``.
    public var values: [UInt8] = []

    public init() {}

    public init(values: [UInt8]) {
        self.values = values
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("Length Value Tuple List", &values)
    }
}

/// One handle in a set.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.7.
public struct ATTHandle: PDUFields, Hashable {
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
