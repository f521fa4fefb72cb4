public import WireBytes

/// One advertisement of a legacy report.
///
/// Source: Vol 4, Part E, 7.7.65.2.
@frozen
public struct LEAdvertisingReportItem: PDUFields, Equatable {
    public var eventType: UInt8 = 0
    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)
    public var data: [UInt8] = []
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("event_type", &eventType, .code(HCINames.advertisingReportType))
        try coder.u8("address_type", &addressType, .code(HCINames.addressType))
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
        try coder.sizedOctets("data_length", "data", &data, .advertising)
        try coder.i8("rssi", &rssi, .dBm)
    }
}

/// Advertisements that were heard, by legacy PDUs only.
///
/// HCI_LE_Advertising_Report event. Source: Vol 4, Part E, 7.7.65.2.
@frozen
public struct LEAdvertisingReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x02) }

    public var reports: [LEAdvertisingReportItem] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_reports", "reports", &reports)
    }
}

/// One directed advertisement to a resolvable private address.
///
/// Source: Vol 4, Part E, 7.7.65.11.
public struct LEDirectedAdvertisingReportItem: PDUFields, Equatable {
    public var eventType: UInt8 = 0
    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)
    public var directAddressType: UInt8 = 0
    public var directAddress = DeviceAddress(0)
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("event_type", &eventType, .code(HCINames.advertisingReportType))
        try coder.u8("address_type", &addressType, .code(HCINames.addressType))
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
        try coder.u8("direct_address_type", &directAddressType, .code(HCINames.addressType))
        directAddress.kind = DeviceAddress.Kind(hciType: directAddressType)
        try coder.address("direct_address", &directAddress)
        try coder.i8("rssi", &rssi, .dBm)
    }
}

/// Advertisements that were directed to a private address of this device.
///
/// HCI_LE_Directed_Advertising_Report event. Source: Vol 4, Part E, 7.7.65.11.
public struct LEDirectedAdvertisingReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x0B) }

    public var reports: [LEDirectedAdvertisingReportItem] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_reports", "reports", &reports)
    }
}

/// One advertisement of an extended report.
///
/// Source: Vol 4, Part E, 7.7.65.13.
@frozen
public struct LEExtendedAdvertisingReportItem: PDUFields, Equatable {
    public var eventType: UInt16 = 0
    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)
    public var primaryPHY: UInt8 = 0
    public var secondaryPHY: UInt8 = 0
    public var advertisingSID: UInt8 = 0
    /// In dBm; 127 where it is not available.
    public var txPower: Int8 = 0
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0
    /// In units of 1.25 ms.
    public var periodicAdvertisingInterval: UInt16 = 0
    public var directAddressType: UInt8 = 0
    public var directAddress = DeviceAddress(0)
    public var data: [UInt8] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("event_type", &eventType, .bits(HCINames.extendedEventType))
        try coder.u8("address_type", &addressType, .code(HCINames.addressType))
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
        try coder.u8("primary_phy", &primaryPHY, .code(HCINames.phy))
        try coder.u8("secondary_phy", &secondaryPHY, .code(HCINames.phy))
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.i8("tx_power", &txPower, .dBm)
        try coder.i8("rssi", &rssi, .dBm)
        try coder.u16(
            "periodic_advertising_interval", &periodicAdvertisingInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("direct_address_type", &directAddressType, .code(HCINames.addressType))
        directAddress.kind = DeviceAddress.Kind(hciType: directAddressType)
        try coder.address("direct_address", &directAddress)
        try coder.sizedOctets("data_length", "data", &data, .advertising)
    }
}

/// Advertisements that were heard, by legacy or extended PDUs.
///
/// HCI_LE_Extended_Advertising_Report event. Source: Vol 4, Part E, 7.7.65.13.
@frozen
public struct LEExtendedAdvertisingReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x0D) }

    public var reports: [LEExtendedAdvertisingReportItem] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_reports", "reports", &reports)
    }
}

/// Extended scanning ended with its duration.
///
/// HCI_LE_Scan_Timeout event. Source: Vol 4, Part E, 7.7.65.17.
public struct LEScanTimeout: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x11) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// An advertising set ended: by a connection, its duration or its number of events.
///
/// HCI_LE_Advertising_Set_Terminated event. Source: Vol 4, Part E, 7.7.65.18.
public struct LEAdvertisingSetTerminated: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x12) }

    public var status: HCIStatus = .success
    public var advertisingHandle: UInt8 = 0
    public var connectionHandle: UInt16 = 0
    public var numCompletedExtendedAdvertisingEvents: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("num_completed_extended_advertising_events", &numCompletedExtendedAdvertisingEvents)
    }
}

/// A scanner asked an advertising set for its scan response.
///
/// HCI_LE_Scan_Request_Received event. Source: Vol 4, Part E, 7.7.65.19.
public struct LEScanRequestReceived: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x13) }

    public var advertisingHandle: UInt8 = 0
    public var scannerAddressType: UInt8 = 0
    public var scannerAddress = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("scanner_address_type", &scannerAddressType, .code(HCINames.addressType))
        scannerAddress.kind = DeviceAddress.Kind(hciType: scannerAddressType)
        try coder.address("scanner_address", &scannerAddress)
    }
}

/// HCI_LE_Monitored_Advertisers_Report event.
///
/// Source: Vol 4, Part E, 7.7.65.47.
public struct LEMonitoredAdvertisersReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x34) }

    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)
    public var condition: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType, .code(HCINames.addressType))
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
        try coder.u8("condition", &condition, .code(HCINames.monitoredCondition))
    }
}
