public import WireBytes

/// Periodic advertising is being listened to, or could not be.
///
/// HCI_LE_Periodic_Advertising_Sync_Established_[v1] event. Source: Vol 4, Part E, 7.7.65.14.
public struct LEPeriodicAdvertisingSyncEstablished: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x0E) }

    public var status: HCIStatus = .success
    public var syncHandle: UInt16 = 0
    public var advertisingSID: UInt8 = 0
    public var advertiserAddressType: UInt8 = 0
    public var advertiserAddress = DeviceAddress(0)
    public var advertiserPHY: UInt8 = 0
    /// In units of 1.25 ms.
    public var periodicAdvertisingInterval: UInt16 = 0
    public var advertiserClockAccuracy: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.u8("advertiser_address_type", &advertiserAddressType, .code(HCINames.addressType))
        advertiserAddress.kind = DeviceAddress.Kind(hciType: advertiserAddressType)
        try coder.address("advertiser_address", &advertiserAddress)
        try coder.u8("advertiser_phy", &advertiserPHY, .code(HCINames.phy))
        try coder.u16(
            "periodic_advertising_interval", &periodicAdvertisingInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("advertiser_clock_accuracy", &advertiserClockAccuracy, .code(HCINames.clockAccuracy))
    }
}

/// HCI_LE_Periodic_Advertising_Sync_Established_[v2] event.
///
/// Source: Vol 4, Part E, 7.7.65.14.
public struct LEPeriodicAdvertisingSyncEstablishedV2: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x24) }

    public var status: HCIStatus = .success
    public var syncHandle: UInt16 = 0
    public var advertisingSID: UInt8 = 0
    public var advertiserAddressType: UInt8 = 0
    public var advertiserAddress = DeviceAddress(0)
    public var advertiserPHY: UInt8 = 0
    /// In units of 1.25 ms.
    public var periodicAdvertisingInterval: UInt16 = 0
    public var advertiserClockAccuracy: UInt8 = 0
    public var numSubevents: UInt8 = 0
    /// In units of 1.25 ms.
    public var subeventInterval: UInt8 = 0
    /// In units of 1.25 ms.
    public var responseSlotDelay: UInt8 = 0
    /// In units of 125 µs.
    public var responseSlotSpacing: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.u8("advertiser_address_type", &advertiserAddressType, .code(HCINames.addressType))
        advertiserAddress.kind = DeviceAddress.Kind(hciType: advertiserAddressType)
        try coder.address("advertiser_address", &advertiserAddress)
        try coder.u8("advertiser_phy", &advertiserPHY, .code(HCINames.phy))
        try coder.u16(
            "periodic_advertising_interval", &periodicAdvertisingInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("advertiser_clock_accuracy", &advertiserClockAccuracy, .code(HCINames.clockAccuracy))
        try coder.u8("num_subevents", &numSubevents)
        try coder.u8("subevent_interval", &subeventInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("response_slot_delay", &responseSlotDelay, .steps(nanoseconds: 1_250_000))
        try coder.u8("response_slot_spacing", &responseSlotSpacing, .steps(nanoseconds: 125_000))
    }
}

/// HCI_LE_Periodic_Advertising_Report_[v1] event.
///
/// Source: Vol 4, Part E, 7.7.65.15.
public struct LEPeriodicAdvertisingReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x0F) }

    public var syncHandle: UInt16 = 0
    /// In dBm; 127 where it is not available.
    public var txPower: Int8 = 0
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0
    public var cteType: UInt8 = 0
    public var dataStatus: UInt8 = 0
    public var data: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.i8("tx_power", &txPower, .dBm)
        try coder.i8("rssi", &rssi, .dBm)
        try coder.u8("cte_type", &cteType, .code(HCINames.cteType))
        try coder.u8("data_status", &dataStatus, .code(HCINames.dataStatus))
        try coder.sizedOctets("data_length", "data", &data, .advertising)
    }
}

/// HCI_LE_Periodic_Advertising_Report_[v2] event.
///
/// Source: Vol 4, Part E, 7.7.65.15.
public struct LEPeriodicAdvertisingReportV2: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x25) }

    public var syncHandle: UInt16 = 0
    /// In dBm; 127 where it is not available.
    public var txPower: Int8 = 0
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0
    public var cteType: UInt8 = 0
    public var periodicEventCounter: UInt16 = 0
    public var subevent: UInt8 = 0
    public var dataStatus: UInt8 = 0
    public var data: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.i8("tx_power", &txPower, .dBm)
        try coder.i8("rssi", &rssi, .dBm)
        try coder.u8("cte_type", &cteType, .code(HCINames.cteType))
        try coder.u16("periodic_event_counter", &periodicEventCounter)
        try coder.u8("subevent", &subevent)
        try coder.u8("data_status", &dataStatus, .code(HCINames.dataStatus))
        try coder.sizedOctets("data_length", "data", &data, .advertising)
    }
}

/// Periodic advertising was no longer heard.
///
/// HCI_LE_Periodic_Advertising_Sync_Lost event. Source: Vol 4, Part E, 7.7.65.16.
public struct LEPeriodicAdvertisingSyncLost: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x10) }

    public var syncHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
    }
}

/// HCI_LE_Periodic_Advertising_Sync_Transfer_Received_[v1] event.
///
/// Source: Vol 4, Part E, 7.7.65.24.
public struct LEPeriodicAdvertisingSyncTransferReceived: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x18) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var serviceData: UInt16 = 0
    public var syncHandle: UInt16 = 0
    public var advertisingSID: UInt8 = 0
    public var advertiserAddressType: UInt8 = 0
    public var advertiserAddress = DeviceAddress(0)
    public var advertiserPHY: UInt8 = 0
    /// In units of 1.25 ms.
    public var periodicAdvertisingInterval: UInt16 = 0
    public var advertiserClockAccuracy: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("service_data", &serviceData, .hex)
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.u8("advertiser_address_type", &advertiserAddressType, .code(HCINames.addressType))
        advertiserAddress.kind = DeviceAddress.Kind(hciType: advertiserAddressType)
        try coder.address("advertiser_address", &advertiserAddress)
        try coder.u8("advertiser_phy", &advertiserPHY, .code(HCINames.phy))
        try coder.u16(
            "periodic_advertising_interval", &periodicAdvertisingInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("advertiser_clock_accuracy", &advertiserClockAccuracy, .code(HCINames.clockAccuracy))
    }
}

/// HCI_LE_Periodic_Advertising_Sync_Transfer_Received_[v2] event.
///
/// Source: Vol 4, Part E, 7.7.65.24.
public struct LEPeriodicAdvertisingSyncTransferReceivedV2: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x26) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var serviceData: UInt16 = 0
    public var syncHandle: UInt16 = 0
    public var advertisingSID: UInt8 = 0
    public var advertiserAddressType: UInt8 = 0
    public var advertiserAddress = DeviceAddress(0)
    public var advertiserPHY: UInt8 = 0
    /// In units of 1.25 ms.
    public var periodicAdvertisingInterval: UInt16 = 0
    public var advertiserClockAccuracy: UInt8 = 0
    public var numSubevents: UInt8 = 0
    /// In units of 1.25 ms.
    public var subeventInterval: UInt8 = 0
    /// In units of 1.25 ms.
    public var responseSlotDelay: UInt8 = 0
    /// In units of 125 µs.
    public var responseSlotSpacing: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("service_data", &serviceData, .hex)
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.u8("advertiser_address_type", &advertiserAddressType, .code(HCINames.addressType))
        advertiserAddress.kind = DeviceAddress.Kind(hciType: advertiserAddressType)
        try coder.address("advertiser_address", &advertiserAddress)
        try coder.u8("advertiser_phy", &advertiserPHY, .code(HCINames.phy))
        try coder.u16(
            "periodic_advertising_interval", &periodicAdvertisingInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("advertiser_clock_accuracy", &advertiserClockAccuracy, .code(HCINames.clockAccuracy))
        try coder.u8("num_subevents", &numSubevents)
        try coder.u8("subevent_interval", &subeventInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("response_slot_delay", &responseSlotDelay, .steps(nanoseconds: 1_250_000))
        try coder.u8("response_slot_spacing", &responseSlotSpacing, .steps(nanoseconds: 125_000))
    }
}

/// HCI_LE_Periodic_Advertising_Subevent_Data_Request event.
///
/// Source: Vol 4, Part E, 7.7.65.36.
public struct LEPeriodicAdvertisingSubeventDataRequest: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x27) }

    public var advertisingHandle: UInt8 = 0
    public var subeventStart: UInt8 = 0
    public var subeventDataCount: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("subevent_start", &subeventStart)
        try coder.u8("subevent_data_count", &subeventDataCount)
    }
}

/// One response slot of a periodic advertising subevent.
///
/// Source: Vol 4, Part E, 7.7.65.37.
public struct LEPeriodicAdvertisingResponseItem: PDUFields, Equatable {
    /// In dBm; 127 where it is not available.
    public var txPower: Int8 = 0
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0
    public var cteType: UInt8 = 0
    public var responseSlot: UInt8 = 0
    public var dataStatus: UInt8 = 0
    public var data: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.i8("tx_power", &txPower, .dBm)
        try coder.i8("rssi", &rssi, .dBm)
        try coder.u8("cte_type", &cteType, .code(HCINames.cteType))
        try coder.u8("response_slot", &responseSlot)
        try coder.u8("data_status", &dataStatus, .code(HCINames.dataStatus))
        try coder.sizedOctets("data_length", "data", &data, .advertising)
    }
}

/// HCI_LE_Periodic_Advertising_Response_Report event.
///
/// Source: Vol 4, Part E, 7.7.65.37.
public struct LEPeriodicAdvertisingResponseReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x28) }

    public var advertisingHandle: UInt8 = 0
    public var subevent: UInt8 = 0
    public var txStatus: UInt8 = 0
    public var responses: [LEPeriodicAdvertisingResponseItem] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("subevent", &subevent)
        try coder.u8("tx_status", &txStatus, .code(HCINames.txStatus))
        try coder.counted("num_responses", "responses", &responses)
    }
}
