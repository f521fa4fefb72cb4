public import WireBytes

/// Starts establishing a BR/EDR connection.
///
/// HCI_Create_Connection command. Source: Vol 4, Part E, 7.1.5.
public struct HCICreateConnection: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0405) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var packetType: UInt16 = 0
    public var pageScanRepetitionMode: UInt8 = 0
    public var reserved: UInt8 = 0
    public var clockOffset: UInt16 = 0
    public var allowRoleSwitch: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u16("packet_type", &packetType)
        try coder.u8("page_scan_repetition_mode", &pageScanRepetitionMode)
        try coder.u8("reserved", &reserved)
        try coder.u16("clock_offset", &clockOffset)
        try coder.u8("allow_role_switch", &allowRoleSwitch)
    }
}

/// Ends a connection, BR/EDR or LE.
///
/// HCI_Disconnect command. Source: Vol 4, Part E, 7.1.6.
public struct HCIDisconnect: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0406) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// Asks for the version and the manufacturer of the peer's controller.
///
/// HCI_Read_Remote_Version_Information command. Source: Vol 4, Part E, 7.1.23.
public struct HCIReadRemoteVersionInformation: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x041D) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
    }
}

/// Starts establishing a connection as the central, with legacy parameters.
///
/// HCI_LE_Create_Connection command. Source: Vol 4, Part E, 7.8.12.
public struct LECreateConnection: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x200D) }
    public typealias ReturnParameters = HCINoReturn

    /// In units of 625 µs.
    public var leScanInterval: UInt16 = 0
    /// In units of 625 µs.
    public var leScanWindow: UInt16 = 0
    public var initiatorFilterPolicy: UInt8 = 0
    public var peerAddressType: UInt8 = 0
    public var peerAddress = DeviceAddress(0)
    public var ownAddressType: UInt8 = 0
    /// In units of 1.25 ms.
    public var connectionIntervalMin: UInt16 = 0
    /// In units of 1.25 ms.
    public var connectionIntervalMax: UInt16 = 0
    public var maxLatency: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0
    /// In units of 625 µs.
    public var minCELength: UInt16 = 0
    /// In units of 625 µs.
    public var maxCELength: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("le_scan_interval", &leScanInterval)
        try coder.u16("le_scan_window", &leScanWindow)
        try coder.u8("initiator_filter_policy", &initiatorFilterPolicy)
        try coder.u8("peer_address_type", &peerAddressType)
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.u8("own_address_type", &ownAddressType)
        try coder.u16("connection_interval_min", &connectionIntervalMin)
        try coder.u16("connection_interval_max", &connectionIntervalMax)
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout)
        try coder.u16("min_ce_length", &minCELength)
        try coder.u16("max_ce_length", &maxCELength)
    }
}

/// Cancels the creation of a connection; a connection complete event follows.
///
/// HCI_LE_Create_Connection_Cancel command. Source: Vol 4, Part E, 7.8.13.
public struct LECreateConnectionCancel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x200E) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
}

/// Changes the parameters of a connection.
///
/// HCI_LE_Connection_Update command. Source: Vol 4, Part E, 7.8.18.
public struct LEConnectionUpdate: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2013) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    /// In units of 1.25 ms.
    public var connectionIntervalMin: UInt16 = 0
    /// In units of 1.25 ms.
    public var connectionIntervalMax: UInt16 = 0
    public var maxLatency: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0
    /// In units of 625 µs.
    public var minCELength: UInt16 = 0
    /// In units of 625 µs.
    public var maxCELength: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u16("connection_interval_min", &connectionIntervalMin)
        try coder.u16("connection_interval_max", &connectionIntervalMax)
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout)
        try coder.u16("min_ce_length", &minCELength)
        try coder.u16("max_ce_length", &maxCELength)
    }
}

/// Asks for the peer's LE features.
///
/// HCI_LE_Read_Remote_Features_Page_0 command. Source: Vol 4, Part E, 7.8.21.
public struct LEReadRemoteFeatures: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2016) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
    }
}

/// Accepts the connection parameters that the peer requests.
///
/// HCI_LE_Remote_Connection_Parameter_Request_Reply command. Source: Vol 4, Part E, 7.8.31.
public struct LERemoteConnectionParameterRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2020) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    /// In units of 1.25 ms.
    public var intervalMin: UInt16 = 0
    /// In units of 1.25 ms.
    public var intervalMax: UInt16 = 0
    public var maxLatency: UInt16 = 0
    /// In units of 10 ms.
    public var timeout: UInt16 = 0
    /// In units of 625 µs.
    public var minCELength: UInt16 = 0
    /// In units of 625 µs.
    public var maxCELength: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u16("interval_min", &intervalMin)
        try coder.u16("interval_max", &intervalMax)
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("timeout", &timeout)
        try coder.u16("min_ce_length", &minCELength)
        try coder.u16("max_ce_length", &maxCELength)
    }
}

/// Rejects the connection parameters that the peer requests.
///
/// HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply command. Source: Vol 4, Part E, 7.8.32.
public struct LERemoteConnectionParameterRequestNegativeReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2021) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// Suggests the maximum length of Link Layer payloads on one connection.
///
/// HCI_LE_Set_Data_Length command. Source: Vol 4, Part E, 7.8.33.
public struct LESetDataLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2022) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var txOctets: UInt16 = 0
    /// In microseconds.
    public var txTime: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u16("tx_octets", &txOctets)
        try coder.u16("tx_time", &txTime)
    }
}

/// The initiating parameters of one PHY.
///
/// Source: Vol 4, Part E, 7.8.66.
public struct LEInitiatingPHYParameters: PDUFields, Equatable {
    /// In units of 625 µs.
    public var scanInterval: UInt16 = 0
    /// In units of 625 µs.
    public var scanWindow: UInt16 = 0
    /// In units of 1.25 ms.
    public var connectionIntervalMin: UInt16 = 0
    /// In units of 1.25 ms.
    public var connectionIntervalMax: UInt16 = 0
    public var maxLatency: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0
    /// In units of 625 µs.
    public var minCELength: UInt16 = 0
    /// In units of 625 µs.
    public var maxCELength: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("scan_interval", &scanInterval)
        try coder.u16("scan_window", &scanWindow)
        try coder.u16("connection_interval_min", &connectionIntervalMin)
        try coder.u16("connection_interval_max", &connectionIntervalMax)
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout)
        try coder.u16("min_ce_length", &minCELength)
        try coder.u16("max_ce_length", &maxCELength)
    }
}

/// Starts establishing a connection as the central, with one set of parameters for every bit set in the PHYs.
///
/// HCI_LE_Extended_Create_Connection_[v1] command. Source: Vol 4, Part E, 7.8.66.
public struct LEExtendedCreateConnection: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2043) }
    public typealias ReturnParameters = HCINoReturn

    public var initiatorFilterPolicy: UInt8 = 0
    public var ownAddressType: UInt8 = 0
    public var peerAddressType: UInt8 = 0
    public var peerAddress = DeviceAddress(0)
    public var initiatingPHYs: UInt8 = 0
    public var phys: [LEInitiatingPHYParameters] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("initiator_filter_policy", &initiatorFilterPolicy)
        try coder.u8("own_address_type", &ownAddressType)
        try coder.u8("peer_address_type", &peerAddressType)
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.u8("initiating_phys", &initiatingPHYs)
        try coder.list("phys", &phys, count: initiatingPHYs.nonzeroBitCount)
    }
}

/// Starts establishing a connection as the central, with one set of parameters for every bit set in the PHYs.
///
/// HCI_LE_Extended_Create_Connection_[v2] command. Source: Vol 4, Part E, 7.8.66.
public struct LEExtendedCreateConnectionV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2085) }
    public typealias ReturnParameters = HCINoReturn

    public var advertisingHandle: UInt8 = 0
    public var subevent: UInt8 = 0
    /// The parameters that both versions have.
    public var connection = LEExtendedCreateConnection()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle)
        try coder.u8("subevent", &subevent)
        try connection.code(&coder)
    }
}
