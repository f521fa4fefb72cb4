public import WireBytes

/// One advertisement of an extended report.
///
/// Source: Vol 4, Part E, 7.7.65.13.
public struct LEExtendedAdvertisingReportItem: PDUFields, Equatable {
    /// Bits: 0 connectable, 1 scannable, 2 directed, 3 scan response, 4 legacy PDU; 5 and 6 hold 0 for
    /// complete data, 1 if more follows, 2 for data that was cut.
    public var eventType: UInt16 = 0
    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)
    public var primaryPHY = LEPHY.le1M
    /// 0 if there was no packet on a secondary channel.
    public var secondaryPHY = LEPHY(rawValue: 0)
    /// 0xFF if there is no set.
    public var advertisingSID: UInt8 = 0xFF
    /// In dBm; 127 if not available.
    public var txPower: Int8 = 127
    /// In dBm; 127 if not available.
    public var rssi: Int8 = 127
    /// In units of 1.25 ms.
    public var periodicAdvertisingInterval: UInt16 = 0
    public var directAddressType: UInt8 = 0
    public var directAddress = DeviceAddress(0)
    public var data: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("event_type", &eventType)
        try coder.u8("address_type", &addressType)
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
        try coder.code("primary_phy", &primaryPHY, width: 1, .number)
        try coder.code("secondary_phy", &secondaryPHY, width: 1, .number)
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.i8("tx_power", &txPower)
        try coder.i8("rssi", &rssi)
        try coder.u16("periodic_advertising_interval", &periodicAdvertisingInterval)
        try coder.u8("direct_address_type", &directAddressType)
        directAddress.kind = DeviceAddress.Kind(hciType: directAddressType)
        try coder.address("direct_address", &directAddress)
        try coder.sizedOctets("data_length", "data", &data, .advertising)
    }
}

/// Reports advertisements received while scanning with extended commands.
///
/// HCI_LE_Extended_Advertising_Report event. Source: Vol 4, Part E, 7.7.65.13.
public struct LEExtendedAdvertisingReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x0D) }

    public var reports: [LEExtendedAdvertisingReportItem] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_reports", "reports", &reports)
    }
}

/// Reports that scanning ended after its duration.
///
/// HCI_LE_Scan_Timeout event. Source: Vol 4, Part E, 7.7.65.17.
public struct LEScanTimeout: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x11) }

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// Reports that advertising of a set ended: by a connection, its duration or its limit.
///
/// HCI_LE_Advertising_Set_Terminated event. Source: Vol 4, Part E, 7.7.65.18.
public struct LEAdvertisingSetTerminated: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x12) }

    public var status: HCIStatus = .success
    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8 = 0
    /// The connection that ended it; valid only if the status is success.
    public var connectionHandle: UInt16 = 0
    public var numCompletedExtendedAdvertisingEvents: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u8(
            "num_completed_extended_advertising_events", &numCompletedExtendedAdvertisingEvents)
    }
}

/// Reports that a scanner requested the scan response of an advertising set.
///
/// HCI_LE_Scan_Request_Received event. Source: Vol 4, Part E, 7.7.65.19.
public struct LEScanRequestReceived: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x13) }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8 = 0
    public var scannerAddressType: UInt8 = 0
    public var scannerAddress = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("scanner_address_type", &scannerAddressType)
        scannerAddress.kind = DeviceAddress.Kind(hciType: scannerAddressType)
        try coder.address("scanner_address", &scannerAddress)
    }
}
