public import WireBytes

/// Asks the server to write a value and to say that it has.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.5.1.
@frozen
public struct ATTWriteRequest<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .writeRequest }

    /// The attribute.
    public var handle: UInt16
    /// The value, up to ATT_MTU − 3 octets.
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

/// Says that the value was written.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.5.2.
@frozen
public struct ATTWriteResponse: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .writeResponse }

    @inlinable public init() {}

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {}
}

/// Asks the server to write a value; nothing answers, whether it does or not.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.5.3.
@frozen
public struct ATTWriteCommand<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .writeCommand }

    /// The attribute.
    public var handle: UInt16
    /// The value, up to ATT_MTU − 3 octets.
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

/// Asks the server to write a value on an unencrypted link, signed with the CSRK.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.5.4.
@frozen
public struct ATTSignedWriteCommand<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .signedWriteCommand }

    /// The attribute.
    public var handle: UInt16
    /// The value, up to ATT_MTU − 15 octets.
    public var value: Payload
    /// 12 octets: the sign counter and the message authentication code.
    public var signature: Payload

    @inlinable
    public init() {
        handle = 0
        value = Payload()
        signature = Payload()
    }

    @inlinable
    public init(handle: UInt16, value: Payload, signature: Payload) {
        self.handle = handle
        self.value = value
        self.signature = signature
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        let held = coder.isWriting ? nil : max(0, coder.remaining &- 12)
        try coder.octets("Attribute Value", &value, count: held, .attributeValue)
        try coder.octets("Authentication Signature", &signature, count: 12)
    }
}
