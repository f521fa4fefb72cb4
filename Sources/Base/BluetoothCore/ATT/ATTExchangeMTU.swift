public import WireBytes

/// Tells the server how long a PDU the client can receive.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.2.1.
@frozen
public struct ATTExchangeMTURequest: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .exchangeMTURequest }

    /// Octets of the longest PDU the client receives; 23 or more on LE.
    public var clientMTU: UInt16

    @inlinable
    public init() {
        clientMTU = 0
    }

    @inlinable
    public init(clientMTU: UInt16) {
        self.clientMTU = clientMTU
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Client Rx MTU", &clientMTU)
    }
}

/// Tells the client how long a PDU the server can receive; the smaller of both holds from then on.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.2.2.
@frozen
public struct ATTExchangeMTUResponse: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .exchangeMTUResponse }

    /// Octets of the longest PDU the server receives; 23 or more on LE.
    public var serverMTU: UInt16

    @inlinable
    public init() {
        serverMTU = 0
    }

    @inlinable
    public init(serverMTU: UInt16) {
        self.serverMTU = serverMTU
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Server Rx MTU", &serverMTU)
    }
}
