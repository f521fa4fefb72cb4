public import WireBytes

/// HCI_LE_CS_Set_Default_Settings command.
///
/// Source: Vol 4, Part E, 7.8.134.
public struct LECSSetDefaultSettings: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x208D) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var roleEnable: UInt8 = 0
    public var csSyncAntennaSelection: UInt8 = 0
    /// In dBm.
    public var maxTxPower: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("role_enable", &roleEnable, .bits(HCINames.csRoles))
        try coder.u8("cs_sync_antenna_selection", &csSyncAntennaSelection)
        try coder.i8("max_tx_power", &maxTxPower, .dBm)
    }
}

/// HCI_LE_CS_Read_Remote_FAE_Table command.
///
/// Source: Vol 4, Part E, 7.8.135.
public struct LECSReadRemoteFAETable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x208E) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_LE_CS_Write_Cached_Remote_FAE_Table command.
///
/// Source: Vol 4, Part E, 7.8.136.
public struct LECSWriteCachedRemoteFAETable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x208F) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    /// 72 octets.
    public var remoteFAETable: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.octets("remote_fae_table", &remoteFAETable, count: 72)
    }
}

/// HCI_LE_CS_Create_Config command.
///
/// Source: Vol 4, Part E, 7.8.137.
public struct LECSCreateConfig: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2090) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var configID: UInt8 = 0
    public var createContext: UInt8 = 0
    public var mainModeType: UInt8 = 0
    public var subModeType: UInt8 = 0
    public var minMainModeSteps: UInt8 = 0
    public var maxMainModeSteps: UInt8 = 0
    public var mainModeRepetition: UInt8 = 0
    public var mode0Steps: UInt8 = 0
    public var role: UInt8 = 0
    public var rttType: UInt8 = 0
    public var csSyncPHY: UInt8 = 0
    /// 10 octets: a bit for each channel, from channel 0 in the lowest bit of the first.
    public var channelMap: [UInt8] = []
    public var channelMapRepetition: UInt8 = 0
    public var channelSelectionType: UInt8 = 0
    public var ch3cShape: UInt8 = 0
    public var ch3cJump: UInt8 = 0
    public var csEnhancements: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("config_id", &configID)
        try coder.u8("create_context", &createContext, .code(HCINames.csContext))
        try coder.u8("main_mode_type", &mainModeType)
        try coder.u8("sub_mode_type", &subModeType)
        try coder.u8("min_main_mode_steps", &minMainModeSteps)
        try coder.u8("max_main_mode_steps", &maxMainModeSteps)
        try coder.u8("main_mode_repetition", &mainModeRepetition)
        try coder.u8("mode_0_steps", &mode0Steps)
        try coder.u8("role", &role, .code(HCINames.csRole))
        try coder.u8("rtt_type", &rttType, .code(HCINames.csRTTType))
        try coder.u8("cs_sync_phy", &csSyncPHY, .code(HCINames.phy))
        try coder.octets("channel_map", &channelMap, count: 10)
        try coder.u8("channel_map_repetition", &channelMapRepetition)
        try coder.u8("channel_selection_type", &channelSelectionType, .code(HCINames.csChannelSelection))
        try coder.u8("ch3c_shape", &ch3cShape, .code(HCINames.csShape))
        try coder.u8("ch3c_jump", &ch3cJump)
        try coder.u8("cs_enhancements", &csEnhancements, .hex)
    }
}

/// HCI_LE_CS_Remove_Config command.
///
/// Source: Vol 4, Part E, 7.8.138.
public struct LECSRemoveConfig: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2091) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var configID: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("config_id", &configID)
    }
}

/// HCI_LE_CS_Set_Channel_Classification command.
///
/// Source: Vol 4, Part E, 7.8.139.
public struct LECSSetChannelClassification: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2092) }
    public typealias ReturnParameters = HCIStatusReturn

    /// 10 octets: a bit for each channel, from channel 0 in the lowest bit of the first.
    public var channelClassification: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("channel_classification", &channelClassification, count: 10)
    }
}

/// HCI_LE_CS_Set_Procedure_Parameters command.
///
/// Source: Vol 4, Part E, 7.8.140.
public struct LECSSetProcedureParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2093) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var configID: UInt8 = 0
    /// In units of 625 µs.
    public var maxProcedureLen: UInt16 = 0
    public var minProcedureInterval: UInt16 = 0
    public var maxProcedureInterval: UInt16 = 0
    public var maxProcedureCount: UInt16 = 0
    /// In microseconds.
    public var minSubeventLen: UInt32 = 0
    /// In microseconds.
    public var maxSubeventLen: UInt32 = 0
    public var toneAntennaConfigSelection: UInt8 = 0
    public var phy: UInt8 = 0
    public var txPowerDelta: Int8 = 0
    public var preferredPeerAntenna: UInt8 = 0
    public var snrControlInitiator: UInt8 = 0
    public var snrControlReflector: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("config_id", &configID)
        try coder.u16("max_procedure_len", &maxProcedureLen, .steps(nanoseconds: 625_000))
        try coder.u16("min_procedure_interval", &minProcedureInterval)
        try coder.u16("max_procedure_interval", &maxProcedureInterval)
        try coder.u16("max_procedure_count", &maxProcedureCount)
        try coder.u24("min_subevent_len", &minSubeventLen, .steps(nanoseconds: 1_000))
        try coder.u24("max_subevent_len", &maxSubeventLen, .steps(nanoseconds: 1_000))
        try coder.u8("tone_antenna_config_selection", &toneAntennaConfigSelection)
        try coder.u8("phy", &phy, .code(HCINames.powerPHY))
        try coder.i8("tx_power_delta", &txPowerDelta)
        try coder.u8("preferred_peer_antenna", &preferredPeerAntenna, .hex)
        try coder.u8("snr_control_initiator", &snrControlInitiator, .code(HCINames.csSNR))
        try coder.u8("snr_control_reflector", &snrControlReflector, .code(HCINames.csSNR))
    }
}

/// HCI_LE_CS_Procedure_Enable command.
///
/// Source: Vol 4, Part E, 7.8.141.
public struct LECSProcedureEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2094) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var configID: UInt8 = 0
    public var enable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("config_id", &configID)
        try coder.u8("enable", &enable, .code(HCINames.enable))
    }
}

/// HCI_LE_CS_Test command.
///
/// Source: Vol 4, Part E, 7.8.142.
public struct LECSTest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2095) }
    public typealias ReturnParameters = HCIStatusReturn

    public var mainModeType: UInt8 = 0
    public var subModeType: UInt8 = 0
    public var mainModeRepetition: UInt8 = 0
    public var mode0Steps: UInt8 = 0
    public var role: UInt8 = 0
    public var rttType: UInt8 = 0
    public var csSyncPHY: UInt8 = 0
    public var csSyncAntennaSelection: UInt8 = 0
    /// In microseconds.
    public var subeventLen: UInt32 = 0
    /// In units of 625 µs.
    public var subeventInterval: UInt16 = 0
    public var maxNumSubevents: UInt8 = 0
    /// In dBm.
    public var transmitPowerLevel: Int8 = 0
    /// In microseconds.
    public var tIP1Time: UInt8 = 0
    /// In microseconds.
    public var tIP2Time: UInt8 = 0
    /// In microseconds.
    public var tFCSTime: UInt8 = 0
    /// In microseconds.
    public var tPMTime: UInt8 = 0
    /// In microseconds.
    public var tSWTime: UInt8 = 0
    public var toneAntennaConfigSelection: UInt8 = 0
    public var csEnhancements: UInt8 = 0
    public var snrControlInitiator: UInt8 = 0
    public var snrControlReflector: UInt8 = 0
    public var drbgNonce: UInt16 = 0
    public var channelMapRepetition: UInt8 = 0
    public var overrideConfig: UInt16 = 0
    public var overrideParametersData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("main_mode_type", &mainModeType)
        try coder.u8("sub_mode_type", &subModeType)
        try coder.u8("main_mode_repetition", &mainModeRepetition)
        try coder.u8("mode_0_steps", &mode0Steps)
        try coder.u8("role", &role, .code(HCINames.csRole))
        try coder.u8("rtt_type", &rttType, .code(HCINames.csRTTType))
        try coder.u8("cs_sync_phy", &csSyncPHY, .code(HCINames.phy))
        try coder.u8("cs_sync_antenna_selection", &csSyncAntennaSelection)
        try coder.u24("subevent_len", &subeventLen, .steps(nanoseconds: 1_000))
        try coder.u16("subevent_interval", &subeventInterval, .steps(nanoseconds: 625_000))
        try coder.u8("max_num_subevents", &maxNumSubevents)
        try coder.i8("transmit_power_level", &transmitPowerLevel, .dBm)
        try coder.u8("t_ip1_time", &tIP1Time, .steps(nanoseconds: 1_000))
        try coder.u8("t_ip2_time", &tIP2Time, .steps(nanoseconds: 1_000))
        try coder.u8("t_fcs_time", &tFCSTime, .steps(nanoseconds: 1_000))
        try coder.u8("t_pm_time", &tPMTime, .steps(nanoseconds: 1_000))
        try coder.u8("t_sw_time", &tSWTime, .steps(nanoseconds: 1_000))
        try coder.u8("tone_antenna_config_selection", &toneAntennaConfigSelection)
        try coder.u8("cs_enhancements", &csEnhancements, .hex)
        try coder.u8("snr_control_initiator", &snrControlInitiator, .code(HCINames.csSNR))
        try coder.u8("snr_control_reflector", &snrControlReflector, .code(HCINames.csSNR))
        try coder.u16("drbg_nonce", &drbgNonce, .hex)
        try coder.u8("channel_map_repetition", &channelMapRepetition)
        try coder.u16("override_config", &overrideConfig, .hex)
        try coder.sizedOctets(
            "override_parameters_length", "override_parameters_data", &overrideParametersData)
    }
}

/// HCI_LE_CS_Test_End command.
///
/// Source: Vol 4, Part E, 7.8.143.
public struct LECSTestEnd: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2096) }
    public typealias ReturnParameters = HCINoReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}
