public import WireBytes

/// Gives the controller the link key for a peer.
///
/// HCI_Link_Key_Request_Reply command. Source: Vol 4, Part E, 7.1.10.
public struct HCILinkKeyRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x040B) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)
    /// 16 octets, least significant first; never to be shown.
    public var linkKey: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.octets("link_key", &linkKey, count: 16, .secret)
    }
}

/// Tells the controller that there is no link key for a peer.
///
/// HCI_Link_Key_Request_Negative_Reply command. Source: Vol 4, Part E, 7.1.11.
public struct HCILinkKeyRequestNegativeReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x040C) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// Gives the controller the PIN for a peer.
///
/// HCI_PIN_Code_Request_Reply command. Source: Vol 4, Part E, 7.1.12.
public struct HCIPINCodeRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x040D) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var pinCodeLength: UInt8 = 0
    /// 16 octets, least significant first; never to be shown.
    public var pinCode: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("pin_code_length", &pinCodeLength)
        try coder.octets("pin_code", &pinCode, count: 16, .secret)
    }
}

/// HCI_PIN_Code_Request_Negative_Reply command.
///
/// Source: Vol 4, Part E, 7.1.13.
public struct HCIPINCodeRequestNegativeReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x040E) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// Asks to authenticate the peer of a connection.
///
/// HCI_Authentication_Requested command. Source: Vol 4, Part E, 7.1.15.
public struct HCIAuthenticationRequested: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0411) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// Starts or stops encryption on a BR/EDR connection.
///
/// HCI_Set_Connection_Encryption command. Source: Vol 4, Part E, 7.1.16.
public struct HCISetConnectionEncryption: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0413) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var encryptionEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("encryption_enable", &encryptionEnable, .code(HCINames.enable))
    }
}

/// HCI_Change_Connection_Link_Key command.
///
/// Source: Vol 4, Part E, 7.1.17.
public struct HCIChangeConnectionLinkKey: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0415) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_Link_Key_Selection command.
///
/// Source: Vol 4, Part E, 7.1.18.
public struct HCILinkKeySelection: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0417) }
    public typealias ReturnParameters = HCINoReturn

    public var keyFlag: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("key_flag", &keyFlag, .code(HCINames.keyFlag))
    }
}

/// HCI_IO_Capability_Request_Reply command.
///
/// Source: Vol 4, Part E, 7.1.29.
public struct HCIIOCapabilityRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x042B) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var ioCapability: UInt8 = 0
    public var oobDataPresent: UInt8 = 0
    public var authenticationRequirements: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("io_capability", &ioCapability, .code(HCINames.ioCapability))
        try coder.u8("oob_data_present", &oobDataPresent, .code(HCINames.oobData))
        try coder.u8(
            "authentication_requirements", &authenticationRequirements,
            .code(HCINames.authenticationRequirements))
    }
}

/// HCI_User_Confirmation_Request_Reply command.
///
/// Source: Vol 4, Part E, 7.1.30.
public struct HCIUserConfirmationRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x042C) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// HCI_User_Confirmation_Request_Negative_Reply command.
///
/// Source: Vol 4, Part E, 7.1.31.
public struct HCIUserConfirmationRequestNegativeReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x042D) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// HCI_User_Passkey_Request_Reply command.
///
/// Source: Vol 4, Part E, 7.1.32.
public struct HCIUserPasskeyRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x042E) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)
    /// The passkey that the user typed; never to be shown.
    public var numericValue: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u32("numeric_value", &numericValue, .secret)
    }
}

/// HCI_User_Passkey_Request_Negative_Reply command.
///
/// Source: Vol 4, Part E, 7.1.33.
public struct HCIUserPasskeyRequestNegativeReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x042F) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// HCI_Remote_OOB_Data_Request_Reply command.
///
/// Source: Vol 4, Part E, 7.1.34.
public struct HCIRemoteOOBDataRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0430) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)
    /// 16 octets, least significant first; never to be shown.
    public var c: [UInt8] = []
    /// 16 octets, least significant first; never to be shown.
    public var r: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.octets("c", &c, count: 16, .secret)
        try coder.octets("r", &r, count: 16, .secret)
    }
}

/// HCI_Remote_OOB_Data_Request_Negative_Reply command.
///
/// Source: Vol 4, Part E, 7.1.35.
public struct HCIRemoteOOBDataRequestNegativeReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0433) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// HCI_IO_Capability_Request_Negative_Reply command.
///
/// Source: Vol 4, Part E, 7.1.36.
public struct HCIIOCapabilityRequestNegativeReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0434) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// HCI_Remote_OOB_Extended_Data_Request_Reply command.
///
/// Source: Vol 4, Part E, 7.1.53.
public struct HCIRemoteOOBExtendedDataRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0445) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)
    /// 16 octets, least significant first; never to be shown.
    public var c192: [UInt8] = []
    /// 16 octets, least significant first; never to be shown.
    public var r192: [UInt8] = []
    /// 16 octets, least significant first; never to be shown.
    public var c256: [UInt8] = []
    /// 16 octets, least significant first; never to be shown.
    public var r256: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.octets("c_192", &c192, count: 16, .secret)
        try coder.octets("r_192", &r192, count: 16, .secret)
        try coder.octets("c_256", &c256, count: 16, .secret)
        try coder.octets("r_256", &r256, count: 16, .secret)
    }
}
