public import WireBytes

/// A connected isochronous stream was made, or could not be.
///
/// HCI_LE_CIS_Established_[v1] event. Source: Vol 4, Part E, 7.7.65.25.
public struct LECISEstablished: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x19) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    /// In microseconds.
    public var cigSyncDelay: UInt32 = 0
    /// In microseconds.
    public var cisSyncDelay: UInt32 = 0
    /// In microseconds.
    public var transportLatencyCToP: UInt32 = 0
    /// In microseconds.
    public var transportLatencyPToC: UInt32 = 0
    public var phyCToP: UInt8 = 0
    public var phyPToC: UInt8 = 0
    public var nse: UInt8 = 0
    public var bnCToP: UInt8 = 0
    public var bnPToC: UInt8 = 0
    public var ftCToP: UInt8 = 0
    public var ftPToC: UInt8 = 0
    public var maxPDUCToP: UInt16 = 0
    public var maxPDUPToC: UInt16 = 0
    /// In units of 1.25 ms.
    public var isoInterval: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u24("cig_sync_delay", &cigSyncDelay, .steps(nanoseconds: 1_000))
        try coder.u24("cis_sync_delay", &cisSyncDelay, .steps(nanoseconds: 1_000))
        try coder.u24("transport_latency_c_to_p", &transportLatencyCToP, .steps(nanoseconds: 1_000))
        try coder.u24("transport_latency_p_to_c", &transportLatencyPToC, .steps(nanoseconds: 1_000))
        try coder.u8("phy_c_to_p", &phyCToP, .code(HCINames.phy))
        try coder.u8("phy_p_to_c", &phyPToC, .code(HCINames.phy))
        try coder.u8("nse", &nse)
        try coder.u8("bn_c_to_p", &bnCToP)
        try coder.u8("bn_p_to_c", &bnPToC)
        try coder.u8("ft_c_to_p", &ftCToP)
        try coder.u8("ft_p_to_c", &ftPToC)
        try coder.u16("max_pdu_c_to_p", &maxPDUCToP)
        try coder.u16("max_pdu_p_to_c", &maxPDUPToC)
        try coder.u16("iso_interval", &isoInterval, .steps(nanoseconds: 1_250_000))
    }
}

/// HCI_LE_CIS_Established_[v2] event.
///
/// Source: Vol 4, Part E, 7.7.65.25.
public struct LECISEstablishedV2: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x2A) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    /// In microseconds.
    public var cigSyncDelay: UInt32 = 0
    /// In microseconds.
    public var cisSyncDelay: UInt32 = 0
    /// In microseconds.
    public var transportLatencyCToP: UInt32 = 0
    /// In microseconds.
    public var transportLatencyPToC: UInt32 = 0
    public var phyCToP: UInt8 = 0
    public var phyPToC: UInt8 = 0
    public var nse: UInt8 = 0
    public var bnCToP: UInt8 = 0
    public var bnPToC: UInt8 = 0
    public var ftCToP: UInt8 = 0
    public var ftPToC: UInt8 = 0
    public var maxPDUCToP: UInt16 = 0
    public var maxPDUPToC: UInt16 = 0
    /// In units of 1.25 ms.
    public var isoInterval: UInt16 = 0
    /// In microseconds.
    public var subInterval: UInt32 = 0
    public var maxSDUCToP: UInt16 = 0
    public var maxSDUPToC: UInt16 = 0
    /// In microseconds.
    public var sduIntervalCToP: UInt32 = 0
    /// In microseconds.
    public var sduIntervalPToC: UInt32 = 0
    public var framing: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u24("cig_sync_delay", &cigSyncDelay, .steps(nanoseconds: 1_000))
        try coder.u24("cis_sync_delay", &cisSyncDelay, .steps(nanoseconds: 1_000))
        try coder.u24("transport_latency_c_to_p", &transportLatencyCToP, .steps(nanoseconds: 1_000))
        try coder.u24("transport_latency_p_to_c", &transportLatencyPToC, .steps(nanoseconds: 1_000))
        try coder.u8("phy_c_to_p", &phyCToP, .code(HCINames.phy))
        try coder.u8("phy_p_to_c", &phyPToC, .code(HCINames.phy))
        try coder.u8("nse", &nse)
        try coder.u8("bn_c_to_p", &bnCToP)
        try coder.u8("bn_p_to_c", &bnPToC)
        try coder.u8("ft_c_to_p", &ftCToP)
        try coder.u8("ft_p_to_c", &ftPToC)
        try coder.u16("max_pdu_c_to_p", &maxPDUCToP)
        try coder.u16("max_pdu_p_to_c", &maxPDUPToC)
        try coder.u16("iso_interval", &isoInterval, .steps(nanoseconds: 1_250_000))
        try coder.u24("sub_interval", &subInterval, .steps(nanoseconds: 1_000))
        try coder.u16("max_sdu_c_to_p", &maxSDUCToP)
        try coder.u16("max_sdu_p_to_c", &maxSDUPToC)
        try coder.u24("sdu_interval_c_to_p", &sduIntervalCToP, .steps(nanoseconds: 1_000))
        try coder.u24("sdu_interval_p_to_c", &sduIntervalPToC, .steps(nanoseconds: 1_000))
        try coder.u8("framing", &framing, .code(HCINames.framing))
    }
}

/// A central asks for a connected isochronous stream.
///
/// HCI_LE_CIS_Request event. Source: Vol 4, Part E, 7.7.65.26.
public struct LECISRequest: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x1A) }

    public var aclConnectionHandle: UInt16 = 0
    public var cisConnectionHandle: UInt16 = 0
    public var cigID: UInt8 = 0
    public var cisID: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("acl_connection_handle", &aclConnectionHandle, .handle)
        try coder.u16("cis_connection_handle", &cisConnectionHandle, .handle)
        try coder.u8("cig_id", &cigID)
        try coder.u8("cis_id", &cisID)
    }
}

/// HCI_LE_Create_BIG_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.27.
public struct LECreateBIGComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x1B) }

    public var status: HCIStatus = .success
    public var bigHandle: UInt8 = 0
    /// In microseconds.
    public var bigSyncDelay: UInt32 = 0
    /// In microseconds.
    public var transportLatencyBIG: UInt32 = 0
    public var phy: UInt8 = 0
    public var nse: UInt8 = 0
    public var bn: UInt8 = 0
    public var pto: UInt8 = 0
    public var irc: UInt8 = 0
    public var maxPDU: UInt16 = 0
    /// In units of 1.25 ms.
    public var isoInterval: UInt16 = 0
    public var handles: [LEIsochronousHandle] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u8("big_handle", &bigHandle, .handle)
        try coder.u24("big_sync_delay", &bigSyncDelay, .steps(nanoseconds: 1_000))
        try coder.u24("transport_latency_big", &transportLatencyBIG, .steps(nanoseconds: 1_000))
        try coder.u8("phy", &phy, .code(HCINames.phy))
        try coder.u8("nse", &nse)
        try coder.u8("bn", &bn)
        try coder.u8("pto", &pto)
        try coder.u8("irc", &irc)
        try coder.u16("max_pdu", &maxPDU)
        try coder.u16("iso_interval", &isoInterval, .steps(nanoseconds: 1_250_000))
        try coder.counted("num_bis", "handles", &handles)
    }
}

/// HCI_LE_Terminate_BIG_Complete event.
///
/// Source: Vol 4, Part E, 7.7.65.28.
public struct LETerminateBIGComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x1C) }

    public var bigHandle: UInt8 = 0
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("big_handle", &bigHandle, .handle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// HCI_LE_BIG_Sync_Established event.
///
/// Source: Vol 4, Part E, 7.7.65.29.
public struct LEBIGSyncEstablished: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x1D) }

    public var status: HCIStatus = .success
    public var bigHandle: UInt8 = 0
    /// In microseconds.
    public var transportLatencyBIG: UInt32 = 0
    public var nse: UInt8 = 0
    public var bn: UInt8 = 0
    public var pto: UInt8 = 0
    public var irc: UInt8 = 0
    public var maxPDU: UInt16 = 0
    /// In units of 1.25 ms.
    public var isoInterval: UInt16 = 0
    public var handles: [LEIsochronousHandle] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u8("big_handle", &bigHandle, .handle)
        try coder.u24("transport_latency_big", &transportLatencyBIG, .steps(nanoseconds: 1_000))
        try coder.u8("nse", &nse)
        try coder.u8("bn", &bn)
        try coder.u8("pto", &pto)
        try coder.u8("irc", &irc)
        try coder.u16("max_pdu", &maxPDU)
        try coder.u16("iso_interval", &isoInterval, .steps(nanoseconds: 1_250_000))
        try coder.counted("num_bis", "handles", &handles)
    }
}

/// HCI_LE_BIG_Sync_Lost event.
///
/// Source: Vol 4, Part E, 7.7.65.30.
public struct LEBIGSyncLost: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x1E) }

    public var bigHandle: UInt8 = 0
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("big_handle", &bigHandle, .handle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// HCI_LE_BIGInfo_Advertising_Report event.
///
/// Source: Vol 4, Part E, 7.7.65.34.
public struct LEBIGInfoAdvertisingReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x22) }

    public var syncHandle: UInt16 = 0
    public var numBIS: UInt8 = 0
    public var nse: UInt8 = 0
    /// In units of 1.25 ms.
    public var isoInterval: UInt16 = 0
    public var bn: UInt8 = 0
    public var pto: UInt8 = 0
    public var irc: UInt8 = 0
    public var maxPDU: UInt16 = 0
    /// In microseconds.
    public var sduInterval: UInt32 = 0
    public var maxSDU: UInt16 = 0
    public var phy: UInt8 = 0
    public var framing: UInt8 = 0
    public var encryption: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u8("num_bis", &numBIS)
        try coder.u8("nse", &nse)
        try coder.u16("iso_interval", &isoInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("bn", &bn)
        try coder.u8("pto", &pto)
        try coder.u8("irc", &irc)
        try coder.u16("max_pdu", &maxPDU)
        try coder.u24("sdu_interval", &sduInterval, .steps(nanoseconds: 1_000))
        try coder.u16("max_sdu", &maxSDU)
        try coder.u8("phy", &phy, .code(HCINames.phy))
        try coder.u8("framing", &framing, .code(HCINames.framing))
        try coder.u8("encryption", &encryption, .code(HCINames.enable))
    }
}
