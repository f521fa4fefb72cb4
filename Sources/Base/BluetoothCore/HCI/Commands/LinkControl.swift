public import WireBytes

/// Ends a connection, BR/EDR or LE.
///
/// HCI_Disconnect command. Source: Vol 4, Part E, 7.1.6.
public struct HCIDisconnect: HCICommand {
    public static let opcode = HCIOpcode(rawValue: 0x0406)
    public typealias ReturnParameters = HCINoReturn
    public var connectionHandle: UInt16 = 0
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// HCI_Read_Remote_Version_Information command.
///
/// Source: Vol 4, Part E, 7.1.23.
public struct HCIReadRemoteVersionInformation: HCICommand {
    public static let opcode = HCIOpcode(rawValue: 0x041D)
    public typealias ReturnParameters = HCINoReturn
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}
