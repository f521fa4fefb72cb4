public import WireBytes

/// One antenna of a switching pattern.
///
/// Source: Vol 4, Part E, 7.8.80.
public struct LEAntennaID: PDUFields, Equatable {
    public var antennaID: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("antenna_id", &antennaID)
    }
}

/// HCI_LE_Set_Connectionless_CTE_Transmit_Parameters command.
///
/// Source: Vol 4, Part E, 7.8.80.
public struct LESetConnectionlessCTETransmitParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2051) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingHandle: UInt8 = 0
    /// In units of 8 µs.
    public var cteLength: UInt8 = 0
    public var cteType: UInt8 = 0
    public var cteCount: UInt8 = 0
    public var antennas: [LEAntennaID] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("cte_length", &cteLength, .steps(nanoseconds: 8_000))
        try coder.u8("cte_type", &cteType, .code(HCINames.cteType))
        try coder.u8("cte_count", &cteCount)
        try coder.counted("switching_pattern_length", "antennas", &antennas)
    }
}

/// HCI_LE_Set_Connectionless_CTE_Transmit_Enable command.
///
/// Source: Vol 4, Part E, 7.8.81.
public struct LESetConnectionlessCTETransmitEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2052) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingHandle: UInt8 = 0
    public var cteEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("cte_enable", &cteEnable, .code(HCINames.enable))
    }
}

/// HCI_LE_Set_Connectionless_IQ_Sampling_Enable command.
///
/// Source: Vol 4, Part E, 7.8.82.
public struct LESetConnectionlessIQSamplingEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2053) }

    public var syncHandle: UInt16 = 0
    public var samplingEnable: UInt8 = 0
    public var slotDurations: UInt8 = 0
    public var maxSampledCtes: UInt8 = 0
    public var antennas: [LEAntennaID] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u8("sampling_enable", &samplingEnable, .code(HCINames.enable))
        try coder.u8("slot_durations", &slotDurations, .code(HCINames.slotDurations))
        try coder.u8("max_sampled_ctes", &maxSampledCtes)
        try coder.counted("switching_pattern_length", "antennas", &antennas)
    }
}

extension LESetConnectionlessIQSamplingEnable {
    /// What the controller returns for ``LESetConnectionlessIQSamplingEnable``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var syncHandle: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("sync_handle", &syncHandle, .handle)
        }
    }
}

/// HCI_LE_Set_Connection_CTE_Receive_Parameters command.
///
/// Source: Vol 4, Part E, 7.8.83.
public struct LESetConnectionCTEReceiveParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2054) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var samplingEnable: UInt8 = 0
    public var slotDurations: UInt8 = 0
    public var antennas: [LEAntennaID] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("sampling_enable", &samplingEnable, .code(HCINames.enable))
        try coder.u8("slot_durations", &slotDurations, .code(HCINames.slotDurations))
        try coder.counted("switching_pattern_length", "antennas", &antennas)
    }
}

/// HCI_LE_Set_Connection_CTE_Transmit_Parameters command.
///
/// Source: Vol 4, Part E, 7.8.84.
public struct LESetConnectionCTETransmitParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2055) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var cteTypes: UInt8 = 0
    public var antennas: [LEAntennaID] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("cte_types", &cteTypes, .bits(HCINames.cteTypes))
        try coder.counted("switching_pattern_length", "antennas", &antennas)
    }
}

/// HCI_LE_Connection_CTE_Request_Enable command.
///
/// Source: Vol 4, Part E, 7.8.85.
public struct LEConnectionCTERequestEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2056) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var enable: UInt8 = 0
    public var cteRequestInterval: UInt16 = 0
    /// In units of 8 µs.
    public var requestedCTELength: UInt8 = 0
    public var requestedCTEType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("enable", &enable, .code(HCINames.enable))
        try coder.u16("cte_request_interval", &cteRequestInterval)
        try coder.u8("requested_cte_length", &requestedCTELength, .steps(nanoseconds: 8_000))
        try coder.u8("requested_cte_type", &requestedCTEType, .code(HCINames.cteType))
    }
}

/// HCI_LE_Connection_CTE_Response_Enable command.
///
/// Source: Vol 4, Part E, 7.8.86.
public struct LEConnectionCTEResponseEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2057) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var enable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("enable", &enable, .code(HCINames.enable))
    }
}

/// HCI_LE_Read_Antenna_Information command.
///
/// Source: Vol 4, Part E, 7.8.87.
public struct LEReadAntennaInformation: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2058) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadAntennaInformation {
    /// What the controller returns for ``LEReadAntennaInformation``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var supportedSwitchingSamplingRates: UInt8 = 0
        public var numAntennae: UInt8 = 0
        public var maxSwitchingPatternLength: UInt8 = 0
        /// In units of 8 µs.
        public var maxCTELength: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8(
                "supported_switching_sampling_rates", &supportedSwitchingSamplingRates,
                .bits(HCINames.samplingRates))
            try coder.u8("num_antennae", &numAntennae)
            try coder.u8("max_switching_pattern_length", &maxSwitchingPatternLength)
            try coder.u8("max_cte_length", &maxCTELength, .steps(nanoseconds: 8_000))
        }
    }
}
