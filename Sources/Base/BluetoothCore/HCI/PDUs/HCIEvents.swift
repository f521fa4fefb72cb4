public import WireBytes

/// Reports that a BR/EDR connection was established or failed.
///
/// HCI_Connection_Complete event. Source: Vol 4, Part E, 7.7.3.
public struct HCIConnectionComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x03) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var bdAddr = DeviceAddress(0, .public)
    public var linkType: UInt8 = 0
    public var encryptionEnabled: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle)
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("link_type", &linkType)
        try coder.u8("encryption_enabled", &encryptionEnabled)
    }
}

/// Reports that a connection ended, or could not be ended.
///
/// HCI_Disconnection_Complete event. Source: Vol 4, Part E, 7.7.5.
@frozen
public struct HCIDisconnectionComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x05) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var reason: HCIStatus = .success

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// Reports the version and the manufacturer of the peer's controller, or that they could not be read.
///
/// HCI_Read_Remote_Version_Information_Complete event. Source: Vol 4, Part E, 7.7.12.
public struct HCIReadRemoteVersionInformationComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x0C) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var version: UInt8 = 0
    public var companyIdentifier: UInt16 = 0
    public var subversion: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u8("version", &version)
        try coder.u16("company_identifier", &companyIdentifier, .company)
        try coder.u16("subversion", &subversion)
    }
}

/// Reports that a command is done; its return parameters follow these fields.
///
/// HCI_Command_Complete event. Source: Vol 4, Part E, 7.7.14.
@frozen
public struct HCICommandComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x0E) }

    public var numHCICommandPackets: UInt8 = 0
    public var commandOpcode = HCIOpcode(rawValue: 0)

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("num_hci_command_packets", &numHCICommandPackets)
        try coder.code("command_opcode", &commandOpcode, width: 2, .opcode)
    }
}

/// Reports that a command was started or refused.
///
/// HCI_Command_Status event. Source: Vol 4, Part E, 7.7.15.
@frozen
public struct HCICommandStatus: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x0F) }

    public var status: HCIStatus = .success
    public var numHCICommandPackets: UInt8 = 0
    public var commandOpcode = HCIOpcode(rawValue: 0)

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u8("num_hci_command_packets", &numHCICommandPackets)
        try coder.code("command_opcode", &commandOpcode, width: 2, .opcode)
    }
}

/// Number of one connection's packets that left the controller's buffers.
///
/// Source: Vol 4, Part E, 7.7.19.
@frozen
public struct HCICompletedPackets: PDUFields, Equatable {
    public var connectionHandle: UInt16 = 0
    public var numCompletedPackets: UInt16 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u16("num_completed_packets", &numCompletedPackets)
    }
}

/// Reports packets that left the controller's buffers, so that the host may send as many more.
///
/// HCI_Number_Of_Completed_Packets event. Source: Vol 4, Part E, 7.7.19.
@frozen
public struct HCINumberOfCompletedPackets: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x13) }

    public var connections: [HCICompletedPackets] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_handles", "connections", &connections)
    }
}

/// Reports that the host sent more than the controller can hold.
///
/// HCI_Data_Buffer_Overflow event. Source: Vol 4, Part E, 7.7.26.
public struct HCIDataBufferOverflow: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x1A) }

    public var linkType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("link_type", &linkType)
    }
}

/// Reports a hardware failure of the controller, with the vendor's code.
///
/// HCI_Hardware_Error event. Source: Vol 4, Part E, 7.7.16.
public struct HCIHardwareError: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x10) }

    public var hardwareCode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("hardware_code", &hardwareCode)
    }
}

/// Reports that encryption was turned on or off, or could not be.
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
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u8("encryption_enabled", &encryptionEnabled)
    }
}

/// Reports that encryption continues with another key.
///
/// HCI_Encryption_Key_Refresh_Complete event. Source: Vol 4, Part E, 7.7.39.
public struct HCIEncryptionKeyRefreshComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x30) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle)
    }
}
