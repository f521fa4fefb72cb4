public import WireBytes

/// Asks the server to keep a part of a value until the queue is executed.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.6.1.
@frozen
public struct ATTPrepareWriteRequest<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .prepareWriteRequest }

    /// The attribute.
    public var handle: UInt16
    /// Octets of the value before the first of these.
    public var offset: UInt16
    /// The part, up to ATT_MTU − 5 octets.
    public var value: Payload

    @inlinable
    public init() {
        handle = 0
        offset = 0
        value = Payload()
    }

    @inlinable
    public init(handle: UInt16, offset: UInt16, value: Payload) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.u16("Value Offset", &offset)
        try coder.octets("Part Attribute Value", &value, .attributeValue)
    }
}

/// Repeats what the server has kept.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.6.2.
@frozen
public struct ATTPrepareWriteResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .prepareWriteResponse }

    /// The attribute.
    public var handle: UInt16
    /// Octets of the value before the first of these.
    public var offset: UInt16
    /// The part as it arrived.
    public var value: Payload

    @inlinable
    public init() {
        handle = 0
        offset = 0
        value = Payload()
    }

    @inlinable
    public init(handle: UInt16, offset: UInt16, value: Payload) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        try coder.u16("Value Offset", &offset)
        try coder.octets("Part Attribute Value", &value, .attributeValue)
    }
}

/// Asks the server to write, or to forget, all parts it has kept.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.6.3.
@frozen
public struct ATTExecuteWriteRequest: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .executeWriteRequest }

    /// 0 to forget all, 1 to write all at once.
    public var flags: UInt8

    @inlinable
    public init() {
        flags = 0
    }

    @inlinable
    public init(flags: UInt8) {
        self.flags = flags
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8("Flags", &flags, .code(.attExecuteWriteFlags))
    }
}

/// Says that the kept parts were written or forgotten.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.6.4.
@frozen
public struct ATTExecuteWriteResponse: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .executeWriteResponse }

    @inlinable public init() {}

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {}
}
