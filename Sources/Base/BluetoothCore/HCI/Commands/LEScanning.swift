public import WireBytes

/// Sets how legacy scanning is done; not allowed while it is enabled.
///
/// HCI_LE_Set_Scan_Parameters command. Source: Vol 4, Part E, 7.8.10.
public struct LESetScanParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x200B) }
    public typealias ReturnParameters = HCIStatusReturn

    public var leScanType: UInt8 = 0
    /// In units of 625 µs.
    public var leScanInterval: UInt16 = 0
    /// In units of 625 µs.
    public var leScanWindow: UInt16 = 0
    public var ownAddressType: UInt8 = 0
    public var scanningFilterPolicy: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("le_scan_type", &leScanType, .code(HCINames.scanType))
        try coder.u16("le_scan_interval", &leScanInterval, .steps(nanoseconds: 625_000))
        try coder.u16("le_scan_window", &leScanWindow, .steps(nanoseconds: 625_000))
        try coder.u8("own_address_type", &ownAddressType, .code(HCINames.ownAddressType))
        try coder.u8("scanning_filter_policy", &scanningFilterPolicy, .code(HCINames.scanFilterPolicy))
    }
}

/// Starts or stops legacy scanning.
///
/// HCI_LE_Set_Scan_Enable command. Source: Vol 4, Part E, 7.8.11.
public struct LESetScanEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x200C) }
    public typealias ReturnParameters = HCIStatusReturn

    public var leScanEnable: UInt8 = 0
    public var filterDuplicates: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("le_scan_enable", &leScanEnable, .code(HCINames.enable))
        try coder.u8("filter_duplicates", &filterDuplicates, .code(HCINames.enable))
    }
}

/// How to scan on one PHY.
///
/// Source: Vol 4, Part E, 7.8.64.
public struct LEScanPHYParameters: PDUFields, Equatable {
    public var scanType: UInt8 = 0
    /// In units of 625 µs.
    public var scanInterval: UInt16 = 0
    /// In units of 625 µs.
    public var scanWindow: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("scan_type", &scanType, .code(HCINames.scanType))
        try coder.u16("scan_interval", &scanInterval, .steps(nanoseconds: 625_000))
        try coder.u16("scan_window", &scanWindow, .steps(nanoseconds: 625_000))
    }
}

/// One set of parameters follows for every bit set in the PHYs.
///
/// HCI_LE_Set_Extended_Scan_Parameters command. Source: Vol 4, Part E, 7.8.64.
public struct LESetExtendedScanParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2041) }
    public typealias ReturnParameters = HCIStatusReturn

    public var ownAddressType: UInt8 = 0
    public var scanningFilterPolicy: UInt8 = 0
    public var scanningPHYs: UInt8 = 0
    public var phys: [LEScanPHYParameters] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("own_address_type", &ownAddressType, .code(HCINames.ownAddressType))
        try coder.u8("scanning_filter_policy", &scanningFilterPolicy, .code(HCINames.scanFilterPolicy))
        try coder.u8("scanning_phys", &scanningPHYs, .bits(HCINames.phys))
        try coder.list("phys", &phys, count: scanningPHYs.nonzeroBitCount)
    }
}

/// Starts or stops extended scanning, for a time where a duration is given.
///
/// HCI_LE_Set_Extended_Scan_Enable command. Source: Vol 4, Part E, 7.8.65.
public struct LESetExtendedScanEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2042) }
    public typealias ReturnParameters = HCIStatusReturn

    public var enable: UInt8 = 0
    public var filterDuplicates: UInt8 = 0
    /// In units of 10 ms.
    public var duration: UInt16 = 0
    /// In units of 1280 ms.
    public var period: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("enable", &enable, .code(HCINames.enable))
        try coder.u8("filter_duplicates", &filterDuplicates, .code(HCINames.filterDuplicates))
        try coder.u16("duration", &duration, .steps(nanoseconds: 10_000_000))
        try coder.u16("period", &period, .steps(nanoseconds: 1_280_000_000))
    }
}

/// RSSI thresholds are in dBm; the timeout is in seconds.
///
/// HCI_LE_Add_Device_To_Monitored_Advertisers_List command. Source: Vol 4, Part E, 7.8.144.
public struct LEAddDeviceToMonitoredAdvertisersList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2098) }
    public typealias ReturnParameters = HCIStatusReturn

    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)
    /// In dBm.
    public var rssiThresholdLow: Int8 = 0
    /// In dBm.
    public var rssiThresholdHigh: Int8 = 0
    /// In seconds.
    public var timeout: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType, .code(HCINames.addressType))
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
        try coder.i8("rssi_threshold_low", &rssiThresholdLow, .dBm)
        try coder.i8("rssi_threshold_high", &rssiThresholdHigh, .dBm)
        try coder.u8("timeout", &timeout, .steps(nanoseconds: 1_000_000_000))
    }
}

/// HCI_LE_Remove_Device_From_Monitored_Advertisers_List command.
///
/// Source: Vol 4, Part E, 7.8.145.
public struct LERemoveDeviceFromMonitoredAdvertisersList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2099) }
    public typealias ReturnParameters = HCIStatusReturn

    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType, .code(HCINames.addressType))
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
    }
}

/// HCI_LE_Clear_Monitored_Advertisers_List command.
///
/// Source: Vol 4, Part E, 7.8.146.
public struct LEClearMonitoredAdvertisersList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x209A) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_LE_Read_Monitored_Advertisers_List_Size command.
///
/// Source: Vol 4, Part E, 7.8.147.
public struct LEReadMonitoredAdvertisersListSize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x209B) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadMonitoredAdvertisersListSize {
    /// What the controller returns for ``LEReadMonitoredAdvertisersListSize``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var monitoredAdvertisersListSize: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("monitored_advertisers_list_size", &monitoredAdvertisersListSize)
        }
    }
}

/// HCI_LE_Enable_Monitoring_Advertisers command.
///
/// Source: Vol 4, Part E, 7.8.148.
public struct LEEnableMonitoringAdvertisers: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x209C) }
    public typealias ReturnParameters = HCIStatusReturn

    public var enable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("enable", &enable, .code(HCINames.enable))
    }
}
