public import WireBytes

/// HCI_Read_Loopback_Mode command.
///
/// Source: Vol 4, Part E, 7.6.1.
public struct HCIReadLoopbackMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1801) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadLoopbackMode {
    /// What the controller returns for ``HCIReadLoopbackMode``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var loopbackMode: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("loopback_mode", &loopbackMode, .code(HCINames.loopback))
        }
    }
}

/// HCI_Write_Loopback_Mode command.
///
/// Source: Vol 4, Part E, 7.6.2.
public struct HCIWriteLoopbackMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1802) }
    public typealias ReturnParameters = HCIStatusReturn

    public var loopbackMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("loopback_mode", &loopbackMode, .code(HCINames.loopback))
    }
}

/// HCI_Enable_Device_Under_Test_Mode command.
///
/// Source: Vol 4, Part E, 7.6.3.
public struct HCIEnableDeviceUnderTestMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1803) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_Write_Simple_Pairing_Debug_Mode command.
///
/// Source: Vol 4, Part E, 7.6.4.
public struct HCIWriteSimplePairingDebugMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1804) }
    public typealias ReturnParameters = HCIStatusReturn

    public var simplePairingDebugMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("simple_pairing_debug_mode", &simplePairingDebugMode, .code(HCINames.enable))
    }
}

/// HCI_Write_Secure_Connections_Test_Mode command.
///
/// Source: Vol 4, Part E, 7.6.8.
public struct HCIWriteSecureConnectionsTestMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x180A) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var dm1ACLUMode: UInt8 = 0
    public var escoLoopbackMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("dm1_acl_u_mode", &dm1ACLUMode, .code(HCINames.enable))
        try coder.u8("esco_loopback_mode", &escoLoopbackMode, .code(HCINames.enable))
    }
}
