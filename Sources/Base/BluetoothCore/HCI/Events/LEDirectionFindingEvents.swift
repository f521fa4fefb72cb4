public import WireBytes

/// One sample of a Constant Tone Extension; -128 in both stands for none.
///
/// Source: Vol 4, Part E, 7.7.65.21.
public struct LEIQSample: PDUFields, Equatable {
    public var iSample: Int8 = 0
    public var qSample: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.i8("i_sample", &iSample)
        try coder.i8("q_sample", &qSample)
    }
}

/// The signal strength is in units of 0.1 dBm.
///
/// HCI_LE_Connectionless_IQ_Report event. Source: Vol 4, Part E, 7.7.65.21.
public struct LEConnectionlessIQReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x15) }

    public var syncHandle: UInt16 = 0
    public var channelIndex: UInt8 = 0
    public var rssiTenths: Int16 = 0
    public var rssiAntennaID: UInt8 = 0
    public var cteType: UInt8 = 0
    public var slotDurations: UInt8 = 0
    public var packetStatus: UInt8 = 0
    public var periodicEventCounter: UInt16 = 0
    public var samples: [LEIQSample] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u8("channel_index", &channelIndex)
        try coder.i16("rssi_tenths", &rssiTenths, .number)
        try coder.u8("rssi_antenna_id", &rssiAntennaID, .number)
        try coder.u8("cte_type", &cteType, .code(HCINames.cteType))
        try coder.u8("slot_durations", &slotDurations, .code(HCINames.slotDurations))
        try coder.u8("packet_status", &packetStatus, .code(HCINames.iqPacketStatus))
        try coder.u16("periodic_event_counter", &periodicEventCounter)
        try coder.counted("sample_count", "samples", &samples)
    }
}

/// The signal strength is in units of 0.1 dBm.
///
/// HCI_LE_Connection_IQ_Report event. Source: Vol 4, Part E, 7.7.65.22.
public struct LEConnectionIQReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x16) }

    public var connectionHandle: UInt16 = 0
    public var rxPHY: UInt8 = 0
    public var dataChannelIndex: UInt8 = 0
    public var rssiTenths: Int16 = 0
    public var rssiAntennaID: UInt8 = 0
    public var cteType: UInt8 = 0
    public var slotDurations: UInt8 = 0
    public var packetStatus: UInt8 = 0
    public var connectionEventCounter: UInt16 = 0
    public var samples: [LEIQSample] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("rx_phy", &rxPHY, .code(HCINames.phy))
        try coder.u8("data_channel_index", &dataChannelIndex)
        try coder.i16("rssi_tenths", &rssiTenths, .number)
        try coder.u8("rssi_antenna_id", &rssiAntennaID, .number)
        try coder.u8("cte_type", &cteType, .code(HCINames.cteType))
        try coder.u8("slot_durations", &slotDurations, .code(HCINames.slotDurations))
        try coder.u8("packet_status", &packetStatus, .code(HCINames.iqPacketStatus))
        try coder.u16("connection_event_counter", &connectionEventCounter)
        try coder.counted("sample_count", "samples", &samples)
    }
}

/// HCI_LE_CTE_Request_Failed event.
///
/// Source: Vol 4, Part E, 7.7.65.23.
public struct LECTERequestFailed: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x17) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}
