public import WireBytes

/// Asks what the peer can do.
///
/// Source: Core Specification, Vol 3, Part A, 4.10.
@frozen
public struct L2CAPInformationRequest: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .informationRequest }

    /// 1 connectionless MTU, 2 extended features, 3 fixed channels.
    public var type: UInt16

    @inlinable
    public init() {
        type = 0
    }

    @inlinable
    public init(type: UInt16) {
        self.type = type
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("InfoType", &type, .code(.l2capInformationType))
    }
}

/// Says what the device can do.
///
/// Source: Core Specification, Vol 3, Part A, 4.11.
@frozen
public struct L2CAPInformationResponse<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .informationResponse }

    /// What the answer is about.
    public var type: UInt16
    /// 0 where it is supported, else 1.
    public var result: UInt16
    /// The answer, where it is supported.
    public var data: Payload

    @inlinable
    public init() {
        type = 0
        result = 0
        data = Payload()
    }

    @inlinable
    public init(type: UInt16, result: UInt16, data: Payload) {
        self.type = type
        self.result = result
        self.data = data
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("InfoType", &type, .code(.l2capInformationType))
        try coder.u16("Result", &result, .code(.l2capInformationResult))
        try coder.octets("Data", &data)
    }
}
