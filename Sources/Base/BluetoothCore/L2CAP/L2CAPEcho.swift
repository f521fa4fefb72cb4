public import WireBytes

/// Asks for an answer, to test the link.
///
/// Source: Core Specification, Vol 3, Part A, 4.8.
@frozen
public struct L2CAPEchoRequest<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .echoRequest }

    /// Any octets.
    public var data: Payload

    @inlinable
    public init() {
        data = Payload()
    }

    @inlinable
    public init(data: Payload) {
        self.data = data
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Echo Data", &data)
    }
}

/// Answers an Echo Request.
///
/// Source: Core Specification, Vol 3, Part A, 4.9.
@frozen
public struct L2CAPEchoResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .echoResponse }

    /// Any octets.
    public var data: Payload

    @inlinable
    public init() {
        data = Payload()
    }

    @inlinable
    public init(data: Payload) {
        self.data = data
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Echo Data", &data)
    }
}
