public import WireBytes

/// Sets the parameters of legacy advertising; not allowed while it is enabled.
///
/// HCI_LE_Set_Advertising_Parameters command. Source: Vol 4, Part E, 7.8.5.
public struct LESetAdvertisingParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2006) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 625 µs.
    public var advertisingIntervalMin: UInt16 = 0
    /// In units of 625 µs.
    public var advertisingIntervalMax: UInt16 = 0
    public var advertisingType: UInt8 = 0
    public var ownAddressType: UInt8 = 0
    public var peerAddressType: UInt8 = 0
    public var peerAddress = DeviceAddress(0)
    public var advertisingChannelMap: UInt8 = 0
    public var advertisingFilterPolicy: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("advertising_interval_min", &advertisingIntervalMin)
        try coder.u16("advertising_interval_max", &advertisingIntervalMax)
        try coder.u8("advertising_type", &advertisingType)
        try coder.u8("own_address_type", &ownAddressType)
        try coder.u8("peer_address_type", &peerAddressType)
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.u8("advertising_channel_map", &advertisingChannelMap)
        try coder.u8("advertising_filter_policy", &advertisingFilterPolicy)
    }
}

/// HCI_LE_Read_Advertising_Physical_Channel_Tx_Power command.
///
/// Source: Vol 4, Part E, 7.8.6.
public struct LEReadAdvertisingPhysicalChannelTxPower: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2007) }
    public init() {}
}

extension LEReadAdvertisingPhysicalChannelTxPower {
    /// Return parameters of ``LEReadAdvertisingPhysicalChannelTxPower``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In dBm.
        public var txPowerLevel: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.i8("tx_power_level", &txPowerLevel)
        }
    }
}

/// Sets the data of legacy advertising.
///
/// The data field is always 31 bytes long; bytes after the significant part are zero.
///
/// HCI_LE_Set_Advertising_Data command. Source: Vol 4, Part E, 7.8.7.
public struct LESetAdvertisingData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2008) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingDataLength: UInt8 = 0
    /// 31 bytes.
    public var advertisingData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_data_length", &advertisingDataLength)
        try coder.octets("advertising_data", &advertisingData, count: 31, .advertising)
    }
}

/// Sets the scan response data of legacy advertising.
///
/// The data field is always 31 bytes long; bytes after the significant part are zero.
///
/// HCI_LE_Set_Scan_Response_Data command. Source: Vol 4, Part E, 7.8.8.
public struct LESetScanResponseData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2009) }
    public typealias ReturnParameters = HCIStatusReturn

    public var scanResponseDataLength: UInt8 = 0
    /// 31 bytes.
    public var scanResponseData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("scan_response_data_length", &scanResponseDataLength)
        try coder.octets("scan_response_data", &scanResponseData, count: 31, .advertising)
    }
}

/// Starts or stops legacy advertising.
///
/// HCI_LE_Set_Advertising_Enable command. Source: Vol 4, Part E, 7.8.9.
public struct LESetAdvertisingEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x200A) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_enable", &advertisingEnable)
    }
}

/// Sets the parameters of legacy scanning; not allowed while it is enabled.
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
        try coder.u8("le_scan_type", &leScanType)
        try coder.u16("le_scan_interval", &leScanInterval)
        try coder.u16("le_scan_window", &leScanWindow)
        try coder.u8("own_address_type", &ownAddressType)
        try coder.u8("scanning_filter_policy", &scanningFilterPolicy)
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
        try coder.u8("le_scan_enable", &leScanEnable)
        try coder.u8("filter_duplicates", &filterDuplicates)
    }
}

/// Starts or stops extended scanning, with an optional duration.
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
        try coder.u8("enable", &enable)
        try coder.u8("filter_duplicates", &filterDuplicates)
        try coder.u16("duration", &duration)
        try coder.u16("period", &period)
    }
}
