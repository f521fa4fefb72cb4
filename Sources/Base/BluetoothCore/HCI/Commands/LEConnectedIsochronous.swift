public import WireBytes

/// One CIS of a CIG to configure.
///
/// Source: Vol 4, Part E, 7.8.97.
public struct LECISParameters: PDUFields, Equatable {
    public var cisID: UInt8 = 0
    public var maxSDUCToP: UInt16 = 0
    public var maxSDUPToC: UInt16 = 0
    public var phyCToP: UInt8 = 0
    public var phyPToC: UInt8 = 0
    public var rtnCToP: UInt8 = 0
    public var rtnPToC: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("cis_id", &cisID)
        try coder.u16("max_sdu_c_to_p", &maxSDUCToP)
        try coder.u16("max_sdu_p_to_c", &maxSDUPToC)
        try coder.u8("phy_c_to_p", &phyCToP, .bits(HCINames.phys))
        try coder.u8("phy_p_to_c", &phyPToC, .bits(HCINames.phys))
        try coder.u8("rtn_c_to_p", &rtnCToP)
        try coder.u8("rtn_p_to_c", &rtnPToC)
    }
}

/// The handle of a CIS or a BIS.
///
/// Source: Vol 4, Part E, 7.8.97.
public struct LEIsochronousHandle: PDUFields, Equatable {
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_LE_Read_ISO_TX_Sync command.
///
/// Source: Vol 4, Part E, 7.8.96.
public struct LEReadISOTXSync: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2061) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension LEReadISOTXSync {
    /// What the controller returns for ``LEReadISOTXSync``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var packetSequenceNumber: UInt16 = 0
        public var txTimeStamp: UInt32 = 0
        /// In microseconds.
        public var timeOffset: UInt32 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u16("packet_sequence_number", &packetSequenceNumber)
            try coder.u32("tx_time_stamp", &txTimeStamp)
            try coder.u24("time_offset", &timeOffset, .steps(nanoseconds: 1_000))
        }
    }
}

/// Makes a group of connected isochronous streams, or changes one.
///
/// HCI_LE_Set_CIG_Parameters command. Source: Vol 4, Part E, 7.8.97.
public struct LESetCIGParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2062) }

    public var cigID: UInt8 = 0
    /// In microseconds.
    public var sduIntervalCToP: UInt32 = 0
    /// In microseconds.
    public var sduIntervalPToC: UInt32 = 0
    public var worstCaseSCA: UInt8 = 0
    public var packing: UInt8 = 0
    public var framing: UInt8 = 0
    /// In milliseconds.
    public var maxTransportLatencyCToP: UInt16 = 0
    /// In milliseconds.
    public var maxTransportLatencyPToC: UInt16 = 0
    public var cis: [LECISParameters] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("cig_id", &cigID)
        try coder.u24("sdu_interval_c_to_p", &sduIntervalCToP, .steps(nanoseconds: 1_000))
        try coder.u24("sdu_interval_p_to_c", &sduIntervalPToC, .steps(nanoseconds: 1_000))
        try coder.u8("worst_case_sca", &worstCaseSCA, .code(HCINames.clockAccuracy))
        try coder.u8("packing", &packing, .code(HCINames.packing))
        try coder.u8("framing", &framing, .code(HCINames.framing))
        try coder.u16(
            "max_transport_latency_c_to_p", &maxTransportLatencyCToP, .steps(nanoseconds: 1_000_000))
        try coder.u16(
            "max_transport_latency_p_to_c", &maxTransportLatencyPToC, .steps(nanoseconds: 1_000_000))
        try coder.counted("cis_count", "cis", &cis)
    }
}

extension LESetCIGParameters {
    /// What the controller returns for ``LESetCIGParameters``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var cigID: UInt8 = 0
        public var handles: [LEIsochronousHandle] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("cig_id", &cigID)
            try coder.counted("cis_count", "handles", &handles)
        }
    }
}

/// One CIS of a CIG to configure for a test.
///
/// Source: Vol 4, Part E, 7.8.98.
public struct LECISTestParameters: PDUFields, Equatable {
    public var cisID: UInt8 = 0
    public var nse: UInt8 = 0
    public var maxSDUCToP: UInt16 = 0
    public var maxSDUPToC: UInt16 = 0
    public var maxPDUCToP: UInt16 = 0
    public var maxPDUPToC: UInt16 = 0
    public var phyCToP: UInt8 = 0
    public var phyPToC: UInt8 = 0
    public var bnCToP: UInt8 = 0
    public var bnPToC: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("cis_id", &cisID)
        try coder.u8("nse", &nse)
        try coder.u16("max_sdu_c_to_p", &maxSDUCToP)
        try coder.u16("max_sdu_p_to_c", &maxSDUPToC)
        try coder.u16("max_pdu_c_to_p", &maxPDUCToP)
        try coder.u16("max_pdu_p_to_c", &maxPDUPToC)
        try coder.u8("phy_c_to_p", &phyCToP, .bits(HCINames.phys))
        try coder.u8("phy_p_to_c", &phyPToC, .bits(HCINames.phys))
        try coder.u8("bn_c_to_p", &bnCToP)
        try coder.u8("bn_p_to_c", &bnPToC)
    }
}

/// HCI_LE_Set_CIG_Parameters_Test command.
///
/// Source: Vol 4, Part E, 7.8.98.
public struct LESetCIGParametersTest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2063) }

    public var cigID: UInt8 = 0
    /// In microseconds.
    public var sduIntervalCToP: UInt32 = 0
    /// In microseconds.
    public var sduIntervalPToC: UInt32 = 0
    public var ftCToP: UInt8 = 0
    public var ftPToC: UInt8 = 0
    /// In units of 1.25 ms.
    public var isoInterval: UInt16 = 0
    public var worstCaseSCA: UInt8 = 0
    public var packing: UInt8 = 0
    public var framing: UInt8 = 0
    public var cis: [LECISTestParameters] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("cig_id", &cigID)
        try coder.u24("sdu_interval_c_to_p", &sduIntervalCToP, .steps(nanoseconds: 1_000))
        try coder.u24("sdu_interval_p_to_c", &sduIntervalPToC, .steps(nanoseconds: 1_000))
        try coder.u8("ft_c_to_p", &ftCToP)
        try coder.u8("ft_p_to_c", &ftPToC)
        try coder.u16("iso_interval", &isoInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("worst_case_sca", &worstCaseSCA, .code(HCINames.clockAccuracy))
        try coder.u8("packing", &packing, .code(HCINames.packing))
        try coder.u8("framing", &framing, .code(HCINames.framing))
        try coder.counted("cis_count", "cis", &cis)
    }
}

extension LESetCIGParametersTest {
    /// What the controller returns for ``LESetCIGParametersTest``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var cigID: UInt8 = 0
        public var handles: [LEIsochronousHandle] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("cig_id", &cigID)
            try coder.counted("cis_count", "handles", &handles)
        }
    }
}

/// A CIS with the connection that it is created for.
///
/// Source: Vol 4, Part E, 7.8.99.
public struct LECISToCreate: PDUFields, Equatable {
    public var cisConnectionHandle: UInt16 = 0
    public var aclConnectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("cis_connection_handle", &cisConnectionHandle, .handle)
        try coder.u16("acl_connection_handle", &aclConnectionHandle, .handle)
    }
}

/// Starts to make connected isochronous streams on connections.
///
/// HCI_LE_Create_CIS command. Source: Vol 4, Part E, 7.8.99.
public struct LECreateCIS: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2064) }
    public typealias ReturnParameters = HCINoReturn

    public var cis: [LECISToCreate] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("cis_count", "cis", &cis)
    }
}

/// HCI_LE_Remove_CIG command.
///
/// Source: Vol 4, Part E, 7.8.100.
public struct LERemoveCIG: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2065) }

    public var cigID: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("cig_id", &cigID)
    }
}

extension LERemoveCIG {
    /// What the controller returns for ``LERemoveCIG``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var cigID: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("cig_id", &cigID)
        }
    }
}

/// Accepts the connected isochronous stream that a central asks for.
///
/// HCI_LE_Accept_CIS_Request command. Source: Vol 4, Part E, 7.8.101.
public struct LEAcceptCISRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2066) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// Refuses the connected isochronous stream that a central asks for.
///
/// HCI_LE_Reject_CIS_Request command. Source: Vol 4, Part E, 7.8.102.
public struct LERejectCISRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2067) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}
