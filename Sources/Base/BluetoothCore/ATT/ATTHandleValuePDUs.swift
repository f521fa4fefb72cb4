public import WireBytes

/// Brings a value from the server at any time; nothing answers it.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.1.
@frozen
public struct ATTHandleValueNotification<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .handleValueNotification }

    /// The attribute.
    public var handle: UInt16
    /// The value, cut to ATT_MTU − 3 octets.
    public var value: Payload

    @inlinable
    public init() {
        handle = 0
        value = Payload()
    }

    @inlinable
    public init(handle: UInt16, value: Payload) {
        self.handle = handle
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}

/// Brings a value from the server, which waits until the client has confirmed it.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.2.
@frozen
public struct ATTHandleValueIndication<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .handleValueIndication }

    /// The attribute.
    public var handle: UInt16
    /// The value, cut to ATT_MTU − 3 octets.
    public var value: Payload

    @inlinable
    public init() {
        handle = 0
        value = Payload()
    }

    @inlinable
    public init(handle: UInt16, value: Payload) {
        self.handle = handle
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}

/// Confirms an indication.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.3.
@frozen
public struct ATTHandleValueConfirmation: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .handleValueConfirmation }

    @inlinable public init() {}

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {}
}

/// Brings two or more values from the server at once; nothing answers it.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.4.
@frozen
public struct ATTMultipleHandleValueNotification<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .multipleHandleValueNotification }

    /// Handles, lengths and values: ``ATTHandleLengthValue``.
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
            "Handle Length Value Tuple List", &values, of: ATTHandleLengthValue<Payload>.self, width: nil)
    }
}

/// A value with its handle and length.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.4.
@frozen
public struct ATTHandleLengthValue<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// The attribute.
    public var handle: UInt16
    /// The value, up to 65535 octets.
    public var value: Payload

    @inlinable
    public init() {
        handle = 0
        value = Payload()
    }

    @inlinable
    public init(handle: UInt16, value: Payload) {
        self.handle = handle
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        var length = UInt16(clamping: value.count)
        try coder.u16("Value Length", &length)
        try coder.octets("Attribute Value", &value, count: Int(length), .attributeValue)
    }
}
