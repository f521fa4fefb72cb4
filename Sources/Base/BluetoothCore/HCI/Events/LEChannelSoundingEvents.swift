public import WireBytes

/// HCI_LE_CS_Read_Remote_Supported_Capabilities_Complete_[v1] event.
///
/// Source: Vol 4, Part E, 7.7.65.39.
public struct LECSReadRemoteSupportedCapabilitiesComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x2C) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var capabilities = LECSCapabilities()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try capabilities.code(&coder)
    }
}

/// HCI_LE_CS_Read_Remote_Supported_Capabilities_Complete_[v2] event.
///
/// Source: Vol 4, Part E, 7.7.65.39.
public struct LECSReadRemoteSupportedCapabilitiesCompleteV2: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x38) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var capabilities = LECSCapabilities()
    public var inlinePhase = LECSInlinePhaseCapabilities()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try capabilities.code(&coder)
        try inlinePhase.code(&coder)
    }
}

/// HCI_LE_CS_Read_Remote_FAE_Table_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.40.
public struct LECSReadRemoteFAETableComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x2D) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    /// 72 octets.
    public var remoteFAETable: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.octets("remote_fae_table", &remoteFAETable, count: 72)
    }
}

/// HCI_LE_CS_Security_Enable_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.41.
public struct LECSSecurityEnableComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x2E) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_LE_CS_Config_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.42.
public struct LECSConfigComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x2F) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var configID: UInt8 = 0
    public var action: UInt8 = 0
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
    /// In microseconds.
    public var tIP1Time: UInt8 = 0
    /// In microseconds.
    public var tIP2Time: UInt8 = 0
    /// In microseconds.
    public var tFCSTime: UInt8 = 0
    /// In microseconds.
    public var tPMTime: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("config_id", &configID)
        try coder.u8("action", &action, .code(HCINames.csAction))
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
        try coder.u8("t_ip1_time", &tIP1Time, .steps(nanoseconds: 1_000))
        try coder.u8("t_ip2_time", &tIP2Time, .steps(nanoseconds: 1_000))
        try coder.u8("t_fcs_time", &tFCSTime, .steps(nanoseconds: 1_000))
        try coder.u8("t_pm_time", &tPMTime, .steps(nanoseconds: 1_000))
    }
}

/// HCI_LE_CS_Procedure_Enable_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.43.
public struct LECSProcedureEnableComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x30) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var configID: UInt8 = 0
    public var state: UInt8 = 0
    public var toneAntennaConfigSelection: UInt8 = 0
    /// In dBm.
    public var selectedTxPower: Int8 = 0
    /// In microseconds.
    public var subeventLen: UInt32 = 0
    public var subeventsPerEvent: UInt8 = 0
    /// In units of 625 µs.
    public var subeventInterval: UInt16 = 0
    public var eventInterval: UInt16 = 0
    public var procedureInterval: UInt16 = 0
    public var procedureCount: UInt16 = 0
    /// In units of 625 µs.
    public var maxProcedureLen: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("config_id", &configID)
        try coder.u8("state", &state, .code(HCINames.enable))
        try coder.u8("tone_antenna_config_selection", &toneAntennaConfigSelection)
        try coder.i8("selected_tx_power", &selectedTxPower, .dBm)
        try coder.u24("subevent_len", &subeventLen, .steps(nanoseconds: 1_000))
        try coder.u8("subevents_per_event", &subeventsPerEvent)
        try coder.u16("subevent_interval", &subeventInterval, .steps(nanoseconds: 625_000))
        try coder.u16("event_interval", &eventInterval)
        try coder.u16("procedure_interval", &procedureInterval)
        try coder.u16("procedure_count", &procedureCount)
        try coder.u16("max_procedure_len", &maxProcedureLen, .steps(nanoseconds: 625_000))
    }
}

/// One step of a Channel Sounding subevent.
///
/// Source: Vol 4, Part E, 7.7.65.44.
public struct LECSStep: PDUFields, Equatable {
    public var stepMode: UInt8 = 0
    public var stepChannel: UInt8 = 0
    public var stepData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("step_mode", &stepMode)
        try coder.u8("step_channel", &stepChannel)
        try coder.sizedOctets("step_data_length", "step_data", &stepData)
    }
}

/// HCI_LE_CS_Subevent_Result event.
///
/// Source: Vol 4, Part E, 7.7.65.44.
public struct LECSSubeventResult: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x31) }

    public var connectionHandle: UInt16 = 0
    public var configID: UInt8 = 0
    public var startACLConnEventCounter: UInt16 = 0
    public var procedureCounter: UInt16 = 0
    public var frequencyCompensation: UInt16 = 0
    /// In dBm.
    public var referencePowerLevel: Int8 = 0
    public var procedureDoneStatus: UInt8 = 0
    public var subeventDoneStatus: UInt8 = 0
    public var abortReason: UInt8 = 0
    public var numAntennaPaths: UInt8 = 0
    public var steps: [LECSStep] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("config_id", &configID)
        try coder.u16("start_acl_conn_event_counter", &startACLConnEventCounter)
        try coder.u16("procedure_counter", &procedureCounter)
        try coder.u16("frequency_compensation", &frequencyCompensation, .hex)
        try coder.i8("reference_power_level", &referencePowerLevel, .dBm)
        try coder.u8("procedure_done_status", &procedureDoneStatus, .code(HCINames.csDone))
        try coder.u8("subevent_done_status", &subeventDoneStatus, .code(HCINames.csDone))
        try coder.u8("abort_reason", &abortReason, .hex)
        try coder.u8("num_antenna_paths", &numAntennaPaths)
        try coder.counted("num_steps_reported", "steps", &steps)
    }
}

/// HCI_LE_CS_Subevent_Result_Continue event.
///
/// Source: Vol 4, Part E, 7.7.65.45.
public struct LECSSubeventResultContinue: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x32) }

    public var connectionHandle: UInt16 = 0
    public var configID: UInt8 = 0
    public var procedureDoneStatus: UInt8 = 0
    public var subeventDoneStatus: UInt8 = 0
    public var abortReason: UInt8 = 0
    public var numAntennaPaths: UInt8 = 0
    public var steps: [LECSStep] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("config_id", &configID)
        try coder.u8("procedure_done_status", &procedureDoneStatus, .code(HCINames.csDone))
        try coder.u8("subevent_done_status", &subeventDoneStatus, .code(HCINames.csDone))
        try coder.u8("abort_reason", &abortReason, .hex)
        try coder.u8("num_antenna_paths", &numAntennaPaths)
        try coder.counted("num_steps_reported", "steps", &steps)
    }
}

/// HCI_LE_CS_Test_End_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.46.
public struct LECSTestEndComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x33) }

    public var connectionHandle: UInt16 = 0
    public var status: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.code("status", &status, width: 1, .status)
    }
}
