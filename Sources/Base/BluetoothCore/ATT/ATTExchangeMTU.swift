public import WireBytes

/// Announces the longest PDU that the client can receive.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.2.1.
public struct ATTExchangeMTURequest: ATTPDU {
    public static let opcode = ATTOpcode.exchangeMTURequest

    /// Length in bytes of the longest PDU that the client receives; 23 or more on LE.
    public var clientMTU: UInt16 = 0

    public init() {}

    public init(clientMTU: UInt16) {
        self.clientMTU = clientMTU
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("Client Rx MTU", &clientMTU)
    }
}

/// Announces the longest PDU that the server can receive; from then on the smaller MTU applies.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.2.2.
public struct ATTExchangeMTUResponse: ATTPDU {
    public static let opcode = ATTOpcode.exchangeMTUResponse

    /// Length in bytes of the longest PDU that the server receives; 23 or more on LE.
    public var serverMTU: UInt16 = 0

    public init() {}

    public init(serverMTU: UInt16) {
        self.serverMTU = serverMTU
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("Server Rx MTU", &serverMTU)
    }
}
