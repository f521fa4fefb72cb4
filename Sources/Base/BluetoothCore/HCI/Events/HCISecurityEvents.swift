public import WireBytes

/// The peer was authenticated, or could not be.
///
/// HCI_Authentication_Complete event. Source: Vol 4, Part E, 7.7.6.
public struct HCIAuthenticationComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x06) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// Encryption went on or off, or could not.
///
/// HCI_Encryption_Change_[v1] event. Source: Vol 4, Part E, 7.7.8.
public struct HCIEncryptionChange: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x08) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var encryptionEnabled: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("encryption_enabled", &encryptionEnabled, .code(HCINames.encryption))
    }
}

/// Encryption went on or off, or could not, with the size of the key.
///
/// HCI_Encryption_Change_[v2] event. Source: Vol 4, Part E, 7.7.8.
public struct HCIEncryptionChangeV2: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x59) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var encryptionEnabled: UInt8 = 0
    public var encryptionKeySize: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("encryption_enabled", &encryptionEnabled, .code(HCINames.encryption))
        try coder.u8("encryption_key_size", &encryptionKeySize)
    }
}

/// HCI_Change_Connection_Link_Key_Complete event.
///
/// Source: Vol 4, Part E, 7.7.9.
public struct HCIChangeConnectionLinkKeyComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x09) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_Link_Key_Type_Changed event.
///
/// Source: Vol 4, Part E, 7.7.10.
public struct HCILinkKeyTypeChanged: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x0A) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var keyFlag: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("key_flag", &keyFlag, .code(HCINames.keyFlag))
    }
}

/// Encryption goes on with another key.
///
/// HCI_Encryption_Key_Refresh_Complete event. Source: Vol 4, Part E, 7.7.39.
public struct HCIEncryptionKeyRefreshComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x30) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// The controller needs the PIN for a peer.
///
/// HCI_PIN_Code_Request event. Source: Vol 4, Part E, 7.7.22.
public struct HCIPINCodeRequest: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x16) }

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// The controller needs the link key for a peer.
///
/// HCI_Link_Key_Request event. Source: Vol 4, Part E, 7.7.23.
public struct HCILinkKeyRequest: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x17) }

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// A new link key was made with a peer.
///
/// HCI_Link_Key_Notification event. Source: Vol 4, Part E, 7.7.24.
public struct HCILinkKeyNotification: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x18) }

    public var bdAddr = DeviceAddress(0, .public)
    /// 16 octets, least significant first; never to be shown.
    public var linkKey: [UInt8] = []
    public var keyType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.octets("link_key", &linkKey, count: 16, .secret)
        try coder.u8("key_type", &keyType, .code(HCINames.keyType))
    }
}

/// A link key as the controller stores it.
///
/// Source: Vol 4, Part E, 7.7.21.
public struct HCIStoredLinkKey: PDUFields, Equatable {
    public var bdAddr = DeviceAddress(0, .public)
    /// 16 octets, least significant first; never to be shown.
    public var linkKey: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.octets("link_key", &linkKey, count: 16, .secret)
    }
}

/// HCI_Return_Link_Keys event.
///
/// Source: Vol 4, Part E, 7.7.21.
public struct HCIReturnLinkKeys: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x15) }

    public var keys: [HCIStoredLinkKey] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_keys", "keys", &keys)
    }
}

/// The controller needs to know what this device can show and be told.
///
/// HCI_IO_Capability_Request event. Source: Vol 4, Part E, 7.7.40.
public struct HCIIOCapabilityRequest: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x31) }

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// The peer tells what it can show and be told.
///
/// HCI_IO_Capability_Response event. Source: Vol 4, Part E, 7.7.41.
public struct HCIIOCapabilityResponse: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x32) }

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

/// The user is to compare the number with the peer's.
///
/// HCI_User_Confirmation_Request event. Source: Vol 4, Part E, 7.7.42.
public struct HCIUserConfirmationRequest: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x33) }

    public var bdAddr = DeviceAddress(0, .public)
    public var numericValue: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u32("numeric_value", &numericValue)
    }
}

/// The user is to type the number that the peer shows.
///
/// HCI_User_Passkey_Request event. Source: Vol 4, Part E, 7.7.43.
public struct HCIUserPasskeyRequest: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x34) }

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// HCI_Remote_OOB_Data_Request event.
///
/// Source: Vol 4, Part E, 7.7.44.
public struct HCIRemoteOOBDataRequest: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x35) }

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// Pairing ended, with success or without.
///
/// HCI_Simple_Pairing_Complete event. Source: Vol 4, Part E, 7.7.45.
public struct HCISimplePairingComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x36) }

    public var status: HCIStatus = .success
    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.address("bd_addr", &bdAddr)
    }
}

/// The number is to be shown, for the user to type into the peer.
///
/// HCI_User_Passkey_Notification event. Source: Vol 4, Part E, 7.7.48.
public struct HCIUserPasskeyNotification: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x3B) }

    public var bdAddr = DeviceAddress(0, .public)
    /// Six decimal digits; never to be shown.
    public var passkey: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u32("passkey", &passkey, .secret)
    }
}

/// HCI_Keypress_Notification event.
///
/// Source: Vol 4, Part E, 7.7.49.
public struct HCIKeypressNotification: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x3C) }

    public var bdAddr = DeviceAddress(0, .public)
    public var notificationType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("notification_type", &notificationType, .code(HCINames.keypress))
    }
}
