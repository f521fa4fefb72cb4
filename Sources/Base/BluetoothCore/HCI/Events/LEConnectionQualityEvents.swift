public import WireBytes

/// HCI_LE_Request_Peer_SCA_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.31.
public struct LERequestPeerSCAComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x1F) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var peerClockAccuracy: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("peer_clock_accuracy", &peerClockAccuracy, .code(HCINames.clockAccuracy))
    }
}

/// HCI_LE_Path_Loss_Threshold event.
///
/// Source: Vol 4, Part E, 7.7.65.32.
public struct LEPathLossThreshold: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x20) }

    public var connectionHandle: UInt16 = 0
    public var currentPathLoss: UInt8 = 0
    public var zoneEntered: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("current_path_loss", &currentPathLoss)
        try coder.u8("zone_entered", &zoneEntered, .code(HCINames.pathLossZone))
    }
}

/// HCI_LE_Transmit_Power_Reporting event.
///
/// Source: Vol 4, Part E, 7.7.65.33.
public struct LETransmitPowerReporting: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x21) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var reason: UInt8 = 0
    public var phy: UInt8 = 0
    /// In dBm.
    public var txPowerLevel: Int8 = 0
    public var txPowerLevelFlag: UInt8 = 0
    public var delta: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("reason", &reason, .code(HCINames.powerReportReason))
        try coder.u8("phy", &phy, .code(HCINames.powerPHY))
        try coder.i8("tx_power_level", &txPowerLevel, .dBm)
        try coder.u8("tx_power_level_flag", &txPowerLevelFlag, .bits(HCINames.powerLevelFlags))
        try coder.i8("delta", &delta)
    }
}

/// The subrate of a connection changed, or could not be changed.
///
/// HCI_LE_Subrate_Change event. Source: Vol 4, Part E, 7.7.65.35.
public struct LESubrateChange: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x23) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var subrateFactor: UInt16 = 0
    public var peripheralLatency: UInt16 = 0
    public var continuationNumber: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("subrate_factor", &subrateFactor)
        try coder.u16("peripheral_latency", &peripheralLatency)
        try coder.u16("continuation_number", &continuationNumber)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
    }
}

/// HCI_LE_Read_All_Remote_Features_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.38.
public struct LEReadAllRemoteFeaturesComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x2B) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var maxRemotePage: UInt8 = 0
    public var maxValidPage: UInt8 = 0
    /// 248 octets.
    public var leFeatures: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("max_remote_page", &maxRemotePage)
        try coder.u8("max_valid_page", &maxValidPage)
        try coder.octets("le_features", &leFeatures, count: 248)
    }
}

/// HCI_LE_Frame_Space_Update_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.48.
public struct LEFrameSpaceUpdateComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x35) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var initiator: UInt8 = 0
    /// In microseconds.
    public var frameSpace: UInt16 = 0
    public var phys: UInt8 = 0
    public var spacingTypes: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("initiator", &initiator, .code(HCINames.frameSpaceInitiator))
        try coder.u16("frame_space", &frameSpace, .steps(nanoseconds: 1_000))
        try coder.u8("phys", &phys, .bits(HCINames.phys))
        try coder.u16("spacing_types", &spacingTypes, .bits(HCINames.spacingTypes))
    }
}

/// HCI_LE_Connection_Rate_Change event.
///
/// Source: Vol 4, Part E, 7.7.65.50.
public struct LEConnectionRateChange: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x37) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    /// In units of 125 µs.
    public var connectionInterval: UInt16 = 0
    public var subrateFactor: UInt16 = 0
    public var peripheralLatency: UInt16 = 0
    public var continuationNumber: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("connection_interval", &connectionInterval, .steps(nanoseconds: 125_000))
        try coder.u16("subrate_factor", &subrateFactor)
        try coder.u16("peripheral_latency", &peripheralLatency)
        try coder.u16("continuation_number", &continuationNumber)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
    }
}
