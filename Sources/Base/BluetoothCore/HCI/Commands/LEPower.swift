public import WireBytes

/// HCI_LE_Enhanced_Read_Transmit_Power_Level command.
///
/// Source: Vol 4, Part E, 7.8.117.
public struct LEEnhancedReadTransmitPowerLevel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2076) }

    public var connectionHandle: UInt16 = 0
    public var phy: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("phy", &phy, .code(HCINames.powerPHY))
    }
}

extension LEEnhancedReadTransmitPowerLevel {
    /// What the controller returns for ``LEEnhancedReadTransmitPowerLevel``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var phy: UInt8 = 0
        /// In dBm.
        public var currentTxPowerLevel: Int8 = 0
        /// In dBm.
        public var maxTxPowerLevel: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u8("phy", &phy, .code(HCINames.powerPHY))
            try coder.i8("current_tx_power_level", &currentTxPowerLevel, .dBm)
            try coder.i8("max_tx_power_level", &maxTxPowerLevel, .dBm)
        }
    }
}

/// HCI_LE_Read_Remote_Transmit_Power_Level command.
///
/// Source: Vol 4, Part E, 7.8.118.
public struct LEReadRemoteTransmitPowerLevel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2077) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var phy: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("phy", &phy, .code(HCINames.powerPHY))
    }
}

/// Thresholds and hystereses are in dB.
///
/// HCI_LE_Set_Path_Loss_Reporting_Parameters command. Source: Vol 4, Part E, 7.8.119.
public struct LESetPathLossReportingParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2078) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var highThreshold: UInt8 = 0
    public var highHysteresis: UInt8 = 0
    public var lowThreshold: UInt8 = 0
    public var lowHysteresis: UInt8 = 0
    public var minTimeSpent: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("high_threshold", &highThreshold)
        try coder.u8("high_hysteresis", &highHysteresis)
        try coder.u8("low_threshold", &lowThreshold)
        try coder.u8("low_hysteresis", &lowHysteresis)
        try coder.u16("min_time_spent", &minTimeSpent)
    }
}

/// HCI_LE_Set_Path_Loss_Reporting_Enable command.
///
/// Source: Vol 4, Part E, 7.8.120.
public struct LESetPathLossReportingEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2079) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var enable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("enable", &enable, .code(HCINames.enable))
    }
}

/// HCI_LE_Set_Transmit_Power_Reporting_Enable command.
///
/// Source: Vol 4, Part E, 7.8.121.
public struct LESetTransmitPowerReportingEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x207A) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var localEnable: UInt8 = 0
    public var remoteEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("local_enable", &localEnable, .code(HCINames.enable))
        try coder.u8("remote_enable", &remoteEnable, .code(HCINames.enable))
    }
}
