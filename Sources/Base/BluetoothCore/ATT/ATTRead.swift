public import WireBytes

/// Asks for the value of an attribute.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.3.
@frozen
public struct ATTReadRequest: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readRequest }

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

/// Gives the value of an attribute, up to ATT_MTU − 1 octets of it.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.4.
@frozen
public struct ATTReadResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readResponse }

    /// The value or its first part.
    public var value: Payload

    @inlinable
    public init() {
        value = Payload()
    }

    @inlinable
    public init(value: Payload) {
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Attribute Value", &value, .attributeValue)
    }
}

/// Asks for the value of an attribute from an offset on.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.5.
@frozen
public struct ATTReadBlobRequest: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readBlobRequest }

    /// The attribute.
    public var handle: UInt16
    /// Octets of the value before the first of these.
    public var offset: UInt16

    @inlinable
    public init() {
        handle = 0
        offset = 0
    }

    @inlinable
    public init(handle: UInt16, offset: UInt16) {
        self.handle = handle
        self.offset = offset
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.u16("Value Offset", &offset)
    }
}

/// Gives a part of the value of an attribute, up to ATT_MTU − 1 octets.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.6.
@frozen
public struct ATTReadBlobResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .readBlobResponse }

    /// The part from the offset asked for.
    public var value: Payload

    @inlinable
    public init() {
        value = Payload()
    }

    @inlinable
    public init(value: Payload) {
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Part Attribute Value", &value, .attributeValue)
    }
}
