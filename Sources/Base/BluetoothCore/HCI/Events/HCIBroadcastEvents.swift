public import WireBytes

/// HCI_Triggered_Clock_Capture event.
///
/// Source: Vol 4, Part E, 7.7.66.
public struct HCITriggeredClockCapture: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x4E) }

    public var connectionHandle: UInt16 = 0
    public var whichClock: UInt8 = 0
    public var clock: UInt32 = 0
    /// In microseconds.
    public var slotOffset: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("which_clock", &whichClock, .code(HCINames.whichClock))
        try coder.u32("clock", &clock)
        try coder.u16("slot_offset", &slotOffset, .steps(nanoseconds: 1_000))
    }
}

/// HCI_Synchronization_Train_Complete event.
///
/// Source: Vol 4, Part E, 7.7.67.
public struct HCISynchronizationTrainComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x4F) }

    public var status: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
    }
}

/// HCI_Synchronization_Train_Received event.
///
/// Source: Vol 4, Part E, 7.7.68.
public struct HCISynchronizationTrainReceived: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x50) }

    public var status: HCIStatus = .success
    public var bdAddr = DeviceAddress(0, .public)
    public var clockOffset: UInt32 = 0
    /// 10 octets: a bit for each channel, from channel 0 in the lowest bit of the first.
    public var afhChannelMap: [UInt8] = []
    public var ltAddr: UInt8 = 0
    public var nextBroadcastInstant: UInt32 = 0
    /// In units of 625 µs.
    public var connectionlessPeripheralBroadcastInterval: UInt16 = 0
    public var serviceData: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.address("bd_addr", &bdAddr)
        try coder.u32("clock_offset", &clockOffset)
        try coder.octets("afh_channel_map", &afhChannelMap, count: 10)
        try coder.u8("lt_addr", &ltAddr)
        try coder.u32("next_broadcast_instant", &nextBroadcastInstant)
        try coder.u16(
            "connectionless_peripheral_broadcast_interval", &connectionlessPeripheralBroadcastInterval,
            .steps(nanoseconds: 625_000))
        try coder.u8("service_data", &serviceData, .hex)
    }
}

/// HCI_Connectionless_Peripheral_Broadcast_Receive event.
///
/// Source: Vol 4, Part E, 7.7.69.
public struct HCIConnectionlessPeripheralBroadcastReceive: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x51) }

    public var bdAddr = DeviceAddress(0, .public)
    public var ltAddr: UInt8 = 0
    public var clock: UInt32 = 0
    public var offset: UInt32 = 0
    public var rxStatus: UInt8 = 0
    public var fragment: UInt8 = 0
    public var data: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("lt_addr", &ltAddr)
        try coder.u32("clock", &clock)
        try coder.u32("offset", &offset)
        try coder.u8("rx_status", &rxStatus)
        try coder.u8("fragment", &fragment, .code(HCINames.dataOperation))
        try coder.sizedOctets("data_length", "data", &data)
    }
}

/// HCI_Connectionless_Peripheral_Broadcast_Timeout event.
///
/// Source: Vol 4, Part E, 7.7.70.
public struct HCIConnectionlessPeripheralBroadcastTimeout: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x52) }

    public var bdAddr = DeviceAddress(0, .public)
    public var ltAddr: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("lt_addr", &ltAddr)
    }
}

/// HCI_Truncated_Page_Complete event.
///
/// Source: Vol 4, Part E, 7.7.71.
public struct HCITruncatedPageComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x53) }

    public var status: HCIStatus = .success
    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.address("bd_addr", &bdAddr)
    }
}

/// HCI_Peripheral_Page_Response_Timeout event.
///
/// Source: Vol 4, Part E, 7.7.72.
public struct HCIPeripheralPageResponseTimeout: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x54) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_Connectionless_Peripheral_Broadcast_Channel_Map_Change event.
///
/// Source: Vol 4, Part E, 7.7.73.
public struct HCIConnectionlessPeripheralBroadcastChannelMapChange: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x55) }

    /// 10 octets: a bit for each channel, from channel 0 in the lowest bit of the first.
    public var channelMap: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("channel_map", &channelMap, count: 10)
    }
}

/// HCI_Inquiry_Response_Notification event.
///
/// Source: Vol 4, Part E, 7.7.74.
public struct HCIInquiryResponseNotification: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x56) }

    public var lap: UInt32 = 0
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u24("lap", &lap, .hex)
        try coder.i8("rssi", &rssi, .dBm)
    }
}

/// HCI_SAM_Status_Change event.
///
/// Source: Vol 4, Part E, 7.7.76.
public struct HCISAMStatusChange: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x58) }

    public var connectionHandle: UInt16 = 0
    public var localSamIndex: UInt8 = 0
    public var localSamTxAvailability: UInt8 = 0
    public var localSamRxAvailability: UInt8 = 0
    public var remoteSamIndex: UInt8 = 0
    public var remoteSamTxAvailability: UInt8 = 0
    public var remoteSamRxAvailability: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("local_sam_index", &localSamIndex)
        try coder.u8("local_sam_tx_availability", &localSamTxAvailability)
        try coder.u8("local_sam_rx_availability", &localSamRxAvailability)
        try coder.u8("remote_sam_index", &remoteSamIndex)
        try coder.u8("remote_sam_tx_availability", &remoteSamTxAvailability)
        try coder.u8("remote_sam_rx_availability", &remoteSamRxAvailability)
    }
}
