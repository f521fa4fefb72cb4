public import WireBytes

/// HCI_Read_PIN_Type command.
///
/// Source: Vol 4, Part E, 7.3.5.
public struct HCIReadPINType: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C09) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadPINType {
    /// What the controller returns for ``HCIReadPINType``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var pinType: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("pin_type", &pinType, .code(HCINames.pinType))
        }
    }
}

/// HCI_Write_PIN_Type command.
///
/// Source: Vol 4, Part E, 7.3.6.
public struct HCIWritePINType: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C0A) }
    public typealias ReturnParameters = HCIStatusReturn

    public var pinType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("pin_type", &pinType, .code(HCINames.pinType))
    }
}

/// HCI_Read_Stored_Link_Key command.
///
/// Source: Vol 4, Part E, 7.3.8.
public struct HCIReadStoredLinkKey: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C0D) }

    public var bdAddr = DeviceAddress(0, .public)
    public var readAll: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("read_all", &readAll, .code(HCINames.enable))
    }
}

extension HCIReadStoredLinkKey {
    /// What the controller returns for ``HCIReadStoredLinkKey``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var maxNumKeys: UInt16 = 0
        public var numKeysRead: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("max_num_keys", &maxNumKeys)
            try coder.u16("num_keys_read", &numKeysRead)
        }
    }
}

/// HCI_Write_Stored_Link_Key command.
///
/// Source: Vol 4, Part E, 7.3.9.
public struct HCIWriteStoredLinkKey: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C11) }

    public var keys: [HCIStoredLinkKey] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_keys_to_write", "keys", &keys)
    }
}

extension HCIWriteStoredLinkKey {
    /// What the controller returns for ``HCIWriteStoredLinkKey``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var numKeysWritten: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("num_keys_written", &numKeysWritten)
        }
    }
}

/// HCI_Delete_Stored_Link_Key command.
///
/// Source: Vol 4, Part E, 7.3.10.
public struct HCIDeleteStoredLinkKey: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C12) }

    public var bdAddr = DeviceAddress(0, .public)
    public var deleteAll: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("delete_all", &deleteAll, .code(HCINames.enable))
    }
}

extension HCIDeleteStoredLinkKey {
    /// What the controller returns for ``HCIDeleteStoredLinkKey``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var numKeysDeleted: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("num_keys_deleted", &numKeysDeleted)
        }
    }
}

/// HCI_Read_Authentication_Enable command.
///
/// Source: Vol 4, Part E, 7.3.23.
public struct HCIReadAuthenticationEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C1F) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadAuthenticationEnable {
    /// What the controller returns for ``HCIReadAuthenticationEnable``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var authenticationEnable: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("authentication_enable", &authenticationEnable, .code(HCINames.enable))
        }
    }
}

/// HCI_Write_Authentication_Enable command.
///
/// Source: Vol 4, Part E, 7.3.24.
public struct HCIWriteAuthenticationEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C20) }
    public typealias ReturnParameters = HCIStatusReturn

    public var authenticationEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("authentication_enable", &authenticationEnable, .code(HCINames.enable))
    }
}

/// HCI_Refresh_Encryption_Key command.
///
/// Source: Vol 4, Part E, 7.3.57.
public struct HCIRefreshEncryptionKey: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C53) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_Read_Simple_Pairing_Mode command.
///
/// Source: Vol 4, Part E, 7.3.58.
public struct HCIReadSimplePairingMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C55) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadSimplePairingMode {
    /// What the controller returns for ``HCIReadSimplePairingMode``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var simplePairingMode: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("simple_pairing_mode", &simplePairingMode, .code(HCINames.enable))
        }
    }
}

/// HCI_Write_Simple_Pairing_Mode command.
///
/// Source: Vol 4, Part E, 7.3.59.
public struct HCIWriteSimplePairingMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C56) }
    public typealias ReturnParameters = HCIStatusReturn

    public var simplePairingMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("simple_pairing_mode", &simplePairingMode, .code(HCINames.enable))
    }
}

/// HCI_Read_Local_OOB_Data command.
///
/// Source: Vol 4, Part E, 7.3.60.
public struct HCIReadLocalOOBData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C57) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadLocalOOBData {
    /// What the controller returns for ``HCIReadLocalOOBData``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// 16 octets, least significant first; never to be shown.
        public var c: [UInt8] = []
        /// 16 octets, least significant first; never to be shown.
        public var r: [UInt8] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.octets("c", &c, count: 16, .secret)
            try coder.octets("r", &r, count: 16, .secret)
        }
    }
}

/// HCI_Send_Keypress_Notification command.
///
/// Source: Vol 4, Part E, 7.3.63.
public struct HCISendKeypressNotification: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C60) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var notificationType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("notification_type", &notificationType, .code(HCINames.keypress))
    }
}

/// HCI_Read_Secure_Connections_Host_Support command.
///
/// Source: Vol 4, Part E, 7.3.91.
public struct HCIReadSecureConnectionsHostSupport: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C79) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadSecureConnectionsHostSupport {
    /// What the controller returns for ``HCIReadSecureConnectionsHostSupport``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var secureConnectionsHostSupport: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8(
                "secure_connections_host_support", &secureConnectionsHostSupport, .code(HCINames.enable))
        }
    }
}

/// HCI_Write_Secure_Connections_Host_Support command.
///
/// Source: Vol 4, Part E, 7.3.92.
public struct HCIWriteSecureConnectionsHostSupport: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C7A) }
    public typealias ReturnParameters = HCIStatusReturn

    public var secureConnectionsHostSupport: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("secure_connections_host_support", &secureConnectionsHostSupport, .code(HCINames.enable))
    }
}

/// HCI_Read_Authenticated_Payload_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.93.
public struct HCIReadAuthenticatedPayloadTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C7B) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension HCIReadAuthenticatedPayloadTimeout {
    /// What the controller returns for ``HCIReadAuthenticatedPayloadTimeout``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        /// In units of 10 ms.
        public var authenticatedPayloadTimeout: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u16(
                "authenticated_payload_timeout", &authenticatedPayloadTimeout, .steps(nanoseconds: 10_000_000)
            )
        }
    }
}

/// HCI_Write_Authenticated_Payload_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.94.
public struct HCIWriteAuthenticatedPayloadTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C7C) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    /// In units of 10 ms.
    public var authenticatedPayloadTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16(
            "authenticated_payload_timeout", &authenticatedPayloadTimeout, .steps(nanoseconds: 10_000_000))
    }
}

/// HCI_Read_Local_OOB_Extended_Data command.
///
/// Source: Vol 4, Part E, 7.3.95.
public struct HCIReadLocalOOBExtendedData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C7D) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadLocalOOBExtendedData {
    /// What the controller returns for ``HCIReadLocalOOBExtendedData``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// 16 octets, least significant first; never to be shown.
        public var c192: [UInt8] = []
        /// 16 octets, least significant first; never to be shown.
        public var r192: [UInt8] = []
        /// 16 octets, least significant first; never to be shown.
        public var c256: [UInt8] = []
        /// 16 octets, least significant first; never to be shown.
        public var r256: [UInt8] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.octets("c_192", &c192, count: 16, .secret)
            try coder.octets("r_192", &r192, count: 16, .secret)
            try coder.octets("c_256", &c256, count: 16, .secret)
            try coder.octets("r_256", &r256, count: 16, .secret)
        }
    }
}

/// HCI_Set_Min_Encryption_Key_Size command.
///
/// Source: Vol 4, Part E, 7.3.102.
public struct HCISetMinEncryptionKeySize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C84) }
    public typealias ReturnParameters = HCIStatusReturn

    public var minEncryptionKeySize: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("min_encryption_key_size", &minEncryptionKeySize)
    }
}
