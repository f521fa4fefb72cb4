public import WireBytes

/// Asks for the values of two or more attributes whose lengths are known.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.7.
@frozen
public struct ATTReadMultipleRequest<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readMultipleRequest }

    /// Two or more handles, two octets each: ``ATTHandle``.
    public var handles: Payload

    @inlinable
    public init() {
        handles = Payload()
    }

    @inlinable
    public init(handles: Payload) {
        self.handles = handles
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.attributeElements("Set Of Handles", &handles, of: ATTHandle.self, width: 2)
    }
}

/// Gives values one after another, in the order asked, up to ATT_MTU − 1 octets.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.8.
@frozen
public struct ATTReadMultipleResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readMultipleResponse }

    /// The values, with nothing between them.
    public var values: Payload

    @inlinable
    public init() {
        values = Payload()
    }

    @inlinable
    public init(values: Payload) {
        self.values = values
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Set Of Values", &values, .attributeValue)
    }
}

/// Asks for the values of two or more attributes of any length.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.11.
@frozen
public struct ATTReadMultipleVariableRequest<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readMultipleVariableRequest }

    /// Two or more handles, two octets each: ``ATTHandle``.
    public var handles: Payload

    @inlinable
    public init() {
        handles = Payload()
    }

    @inlinable
    public init(handles: Payload) {
        self.handles = handles
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.attributeElements("Set Of Handles", &handles, of: ATTHandle.self, width: 2)
    }
}

/// Gives values with their lengths, in the order asked; the last may be cut to ATT_MTU − 1.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.12.
@frozen
public struct ATTReadMultipleVariableResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readMultipleVariableResponse }

    /// Lengths and values: ``ATTLengthValue``.
    public var values: Payload

    @inlinable
    public init() {
        values = Payload()
    }

    @inlinable
    public init(values: Payload) {
        self.values = values
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.elements(
            "Length Value Tuple List", &values, of: ATTLengthValue<Payload>.self, width: nil)
    }
}

/// One handle in a set.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.7.
@frozen
public struct ATTHandle: PDUFields, Hashable {
    /// The attribute.
    public var handle: UInt16

    @inlinable
    public init() {
        handle = 0
    }

    @inlinable
    public init(handle: UInt16) {
        self.handle = handle
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
    }
}

/// A value with its length. Where the PDU had no room for it, fewer octets than that are there.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.12.
@frozen
public struct ATTLengthValue<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// Octets of the whole value.
    public var length: UInt16
    /// The value or its first part.
    public var value: Payload

    @inlinable
    public init() {
        length = 0
        value = Payload()
    }

    @inlinable
    public init(length: UInt16, value: Payload) {
        self.length = length
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Value Length", &length)
        let held = coder.isWriting ? value.count : min(Int(length), coder.remaining)
        try coder.octets("Attribute Value", &value, count: held, .attributeValue)
    }
}
