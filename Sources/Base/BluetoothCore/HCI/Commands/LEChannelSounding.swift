public import WireBytes

/// What a controller can do in Channel Sounding.
///
/// Source: Vol 4, Part E, 7.8.130.
public struct LECSCapabilities: PDUFields, Equatable {
    public var numConfigSupported: UInt8 = 0
    public var maxConsecutiveProceduresSupported: UInt16 = 0
    public var numAntennasSupported: UInt8 = 0
    public var maxAntennaPathsSupported: UInt8 = 0
    public var rolesSupported: UInt8 = 0
    public var modesSupported: UInt8 = 0
    public var rttCapability: UInt8 = 0
    public var rttAAOnlyN: UInt8 = 0
    public var rttSoundingN: UInt8 = 0
    public var rttRandomPayloadN: UInt8 = 0
    public var nadmSoundingCapability: UInt16 = 0
    public var nadmRandomCapability: UInt16 = 0
    public var csSyncPHYsSupported: UInt8 = 0
    public var subfeaturesSupported: UInt16 = 0
    public var tIP1TimesSupported: UInt16 = 0
    public var tIP2TimesSupported: UInt16 = 0
    public var tFCSTimesSupported: UInt16 = 0
    public var tPMTimesSupported: UInt16 = 0
    /// In microseconds.
    public var tSWTimeSupported: UInt8 = 0
    public var txSNRCapability: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("num_config_supported", &numConfigSupported)
        try coder.u16("max_consecutive_procedures_supported", &maxConsecutiveProceduresSupported)
        try coder.u8("num_antennas_supported", &numAntennasSupported)
        try coder.u8("max_antenna_paths_supported", &maxAntennaPathsSupported)
        try coder.u8("roles_supported", &rolesSupported, .bits(HCINames.csRoles))
        try coder.u8("modes_supported", &modesSupported, .bits(HCINames.csModes))
        try coder.u8("rtt_capability", &rttCapability, .bits(HCINames.csRTT))
        try coder.u8("rtt_aa_only_n", &rttAAOnlyN)
        try coder.u8("rtt_sounding_n", &rttSoundingN)
        try coder.u8("rtt_random_payload_n", &rttRandomPayloadN)
        try coder.u16("nadm_sounding_capability", &nadmSoundingCapability, .hex)
        try coder.u16("nadm_random_capability", &nadmRandomCapability, .hex)
        try coder.u8("cs_sync_phys_supported", &csSyncPHYsSupported, .bits(HCINames.csSyncPHYs))
        try coder.u16("subfeatures_supported", &subfeaturesSupported, .bits(HCINames.csSubfeatures))
        try coder.u16("t_ip1_times_supported", &tIP1TimesSupported, .hex)
        try coder.u16("t_ip2_times_supported", &tIP2TimesSupported, .hex)
        try coder.u16("t_fcs_times_supported", &tFCSTimesSupported, .hex)
        try coder.u16("t_pm_times_supported", &tPMTimesSupported, .hex)
        try coder.u8("t_sw_time_supported", &tSWTimeSupported, .steps(nanoseconds: 1_000))
        try coder.u8("tx_snr_capability", &txSNRCapability, .hex)
    }
}

/// What a controller can do in inline phase-based ranging and 2M round-trip timing.
///
/// Source: Vol 4, Part E, 7.8.130.
public struct LECSInlinePhaseCapabilities: PDUFields, Equatable {
    public var tIP2IPTTimesSupported: UInt16 = 0
    /// In microseconds.
    public var tSWIPTTimesSupported: UInt8 = 0
    public var rtt2mAAOnlyN: UInt8 = 0
    public var rtt2mSoundingN: UInt8 = 0
    public var rtt2mRandomPayloadN: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("t_ip2_ipt_times_supported", &tIP2IPTTimesSupported, .hex)
        try coder.u8("t_sw_ipt_times_supported", &tSWIPTTimesSupported, .steps(nanoseconds: 1_000))
        try coder.u8("rtt_2m_aa_only_n", &rtt2mAAOnlyN)
        try coder.u8("rtt_2m_sounding_n", &rtt2mSoundingN)
        try coder.u8("rtt_2m_random_payload_n", &rtt2mRandomPayloadN)
    }
}

/// HCI_LE_CS_Read_Local_Supported_Capabilities_[v1] command.
///
/// Source: Vol 4, Part E, 7.8.130.
public struct LECSReadLocalSupportedCapabilities: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2089) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LECSReadLocalSupportedCapabilities {
    /// What the controller returns for ``LECSReadLocalSupportedCapabilities``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var capabilities = LECSCapabilities()

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try capabilities.code(&coder)
        }
    }
}

/// HCI_LE_CS_Read_Local_Supported_Capabilities_[v2] command.
///
/// Source: Vol 4, Part E, 7.8.130.
public struct LECSReadLocalSupportedCapabilitiesV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x20A5) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LECSReadLocalSupportedCapabilitiesV2 {
    /// What the controller returns for ``LECSReadLocalSupportedCapabilitiesV2``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var capabilities = LECSCapabilities()
        public var inlinePhase = LECSInlinePhaseCapabilities()

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try capabilities.code(&coder)
            try inlinePhase.code(&coder)
        }
    }
}

/// HCI_LE_CS_Read_Remote_Supported_Capabilities command.
///
/// Source: Vol 4, Part E, 7.8.131.
public struct LECSReadRemoteSupportedCapabilities: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x208A) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_LE_CS_Write_Cached_Remote_Supported_Capabilities_[v1] command.
///
/// Source: Vol 4, Part E, 7.8.132.
public struct LECSWriteCachedRemoteSupportedCapabilities: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x208B) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var capabilities = LECSCapabilities()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try capabilities.code(&coder)
    }
}

/// HCI_LE_CS_Security_Enable command.
///
/// Source: Vol 4, Part E, 7.8.133.
public struct LECSSecurityEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x208C) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}
