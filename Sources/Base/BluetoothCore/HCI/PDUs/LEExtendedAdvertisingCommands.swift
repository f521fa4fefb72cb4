public import WireBytes

/// Sets the random device address of one advertising set.
///
/// HCI_LE_Set_Advertising_Set_Random_Address command. Source: Vol 4, Part E, 7.8.52.
public struct LESetAdvertisingSetRandomAddress: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2035) }
    public typealias ReturnParameters = HCIStatusReturn

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8 = 0
    public var randomAddress = DeviceAddress(0, .random)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.address("random_address", &randomAddress)
    }
}

/// Sets the parameters of one advertising set, and creates the set if necessary.
///
/// HCI_LE_Set_Extended_Advertising_Parameters_[v1] command. Source: Vol 4, Part E, 7.8.53.
public struct LESetExtendedAdvertisingParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2036) }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8 = 0
    /// Bits: 0 connectable, 1 scannable, 2 directed, 3 high duty cycle, 4 legacy PDUs, 5 anonymous, 6 with
    /// the transmit power.
    public var advertisingEventProperties: UInt16 = 0
    /// In units of 625 µs, 24 bits.
    public var primaryAdvertisingIntervalMin: UInt32 = 0
    /// In units of 625 µs, 24 bits.
    public var primaryAdvertisingIntervalMax: UInt32 = 0
    public var primaryAdvertisingChannelMap: UInt8 = 0
    public var ownAddressType: UInt8 = 0
    public var peerAddressType: UInt8 = 0
    public var peerAddress = DeviceAddress(0)
    public var advertisingFilterPolicy: UInt8 = 0
    /// In dBm; 127 for no preference.
    public var advertisingTxPower: Int8 = 0
    public var primaryAdvertisingPHY = LEPHY.le1M
    public var secondaryAdvertisingMaxSkip: UInt8 = 0
    public var secondaryAdvertisingPHY = LEPHY.le1M
    public var advertisingSID: UInt8 = 0
    public var scanRequestNotificationEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16("advertising_event_properties", &advertisingEventProperties)
        try coder.u24("primary_advertising_interval_min", &primaryAdvertisingIntervalMin)
        try coder.u24("primary_advertising_interval_max", &primaryAdvertisingIntervalMax)
        try coder.u8("primary_advertising_channel_map", &primaryAdvertisingChannelMap)
        try coder.u8("own_address_type", &ownAddressType)
        try coder.u8("peer_address_type", &peerAddressType)
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.u8("advertising_filter_policy", &advertisingFilterPolicy)
        try coder.i8("advertising_tx_power", &advertisingTxPower)
        try coder.code("primary_advertising_phy", &primaryAdvertisingPHY, width: 1, .number)
        try coder.u8("secondary_advertising_max_skip", &secondaryAdvertisingMaxSkip)
        try coder.code("secondary_advertising_phy", &secondaryAdvertisingPHY, width: 1, .number)
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.u8("scan_request_notification_enable", &scanRequestNotificationEnable)
    }
}

extension LESetExtendedAdvertisingParameters {
    /// Return parameters of ``LESetExtendedAdvertisingParameters``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In dBm.
        public var selectedTxPower: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.i8("selected_tx_power", &selectedTxPower)
        }
    }
}

/// Sets the advertising data of one set, whole or in fragments of up to 251 bytes.
///
/// HCI_LE_Set_Extended_Advertising_Data command. Source: Vol 4, Part E, 7.8.54.
public struct LESetExtendedAdvertisingData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2037) }
    public typealias ReturnParameters = HCIStatusReturn

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8 = 0
    /// 0 an intermediate fragment, 1 the first, 2 the last, 3 all of the data, 4 the existing data.
    public var operation: UInt8 = 0
    public var fragmentPreference: UInt8 = 0
    public var advertisingData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("operation", &operation)
        try coder.u8("fragment_preference", &fragmentPreference)
        try coder.sizedOctets("advertising_data_length", "advertising_data", &advertisingData, .advertising)
    }
}

/// Sets the scan response data of one set, whole or in fragments of up to 251 bytes.
///
/// HCI_LE_Set_Extended_Scan_Response_Data command. Source: Vol 4, Part E, 7.8.55.
public struct LESetExtendedScanResponseData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2038) }
    public typealias ReturnParameters = HCIStatusReturn

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8 = 0
    /// 0 an intermediate fragment, 1 the first, 2 the last, 3 all of the data, 4 the existing data.
    public var operation: UInt8 = 0
    public var fragmentPreference: UInt8 = 0
    public var scanResponseData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("operation", &operation)
        try coder.u8("fragment_preference", &fragmentPreference)
        try coder.sizedOctets(
            "scan_response_data_length", "scan_response_data", &scanResponseData, .advertising)
    }
}

/// Duration of one advertising set.
///
/// Source: Vol 4, Part E, 7.8.56.
public struct LEAdvertisingSetDuration: PDUFields, Equatable {
    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8 = 0
    /// In units of 10 ms; 0 for no end.
    public var duration: UInt16 = 0
    /// 0 for no limit.
    public var maxExtendedAdvertisingEvents: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16("duration", &duration)
        try coder.u8("max_extended_advertising_events", &maxExtendedAdvertisingEvents)
    }
}

/// Starts or stops advertising of these sets; stops all if the list is empty.
///
/// HCI_LE_Set_Extended_Advertising_Enable command. Source: Vol 4, Part E, 7.8.56.
public struct LESetExtendedAdvertisingEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2039) }
    public typealias ReturnParameters = HCIStatusReturn

    public var enable: UInt8 = 0
    public var sets: [LEAdvertisingSetDuration] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("enable", &enable)
        try coder.counted("num_sets", "sets", &sets)
    }
}

/// Reads the maximum length of an advertising set's data, in bytes.
///
/// HCI_LE_Read_Maximum_Advertising_Data_Length command. Source: Vol 4, Part E, 7.8.57.
public struct LEReadMaximumAdvertisingDataLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203A) }
    public init() {}
}

extension LEReadMaximumAdvertisingDataLength {
    /// Return parameters of ``LEReadMaximumAdvertisingDataLength``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var maxAdvertisingDataLength: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("max_advertising_data_length", &maxAdvertisingDataLength)
        }
    }
}

/// Reads the number of advertising sets that can exist at once.
///
/// HCI_LE_Read_Number_Of_Supported_Advertising_Sets command. Source: Vol 4, Part E, 7.8.58.
public struct LEReadNumberOfSupportedAdvertisingSets: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203B) }
    public init() {}
}

extension LEReadNumberOfSupportedAdvertisingSets {
    /// Return parameters of ``LEReadNumberOfSupportedAdvertisingSets``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var numSupportedAdvertisingSets: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("num_supported_advertising_sets", &numSupportedAdvertisingSets)
        }
    }
}

/// Removes an advertising set that is not enabled.
///
/// HCI_LE_Remove_Advertising_Set command. Source: Vol 4, Part E, 7.8.59.
public struct LERemoveAdvertisingSet: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203C) }
    public typealias ReturnParameters = HCIStatusReturn

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
    }
}

/// Removes all advertising sets; not allowed while one is enabled.
///
/// HCI_LE_Clear_Advertising_Sets command. Source: Vol 4, Part E, 7.8.60.
public struct LEClearAdvertisingSets: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203D) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
}

/// The scan parameters of one PHY.
///
/// Source: Vol 4, Part E, 7.8.64.
public struct LEScanningPHYParameters: PDUFields, Equatable {
    public var scanType: UInt8 = 0
    /// In units of 625 µs.
    public var scanInterval: UInt16 = 0
    /// In units of 625 µs.
    public var scanWindow: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("scan_type", &scanType)
        try coder.u16("scan_interval", &scanInterval)
        try coder.u16("scan_window", &scanWindow)
    }
}

/// Sets the parameters of extended scanning, one set for every bit set in the PHYs.
///
/// HCI_LE_Set_Extended_Scan_Parameters command. Source: Vol 4, Part E, 7.8.64.
public struct LESetExtendedScanParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2041) }
    public typealias ReturnParameters = HCIStatusReturn

    public var ownAddressType: UInt8 = 0
    public var scanningFilterPolicy: UInt8 = 0
    public var scanningPHYs: LEPHYs = []
    public var phys: [LEScanningPHYParameters] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("own_address_type", &ownAddressType)
        try coder.u8("scanning_filter_policy", &scanningFilterPolicy)
        try coder.code("scanning_phys", &scanningPHYs, width: 1, .hex)
        try coder.list("phys", &phys, count: scanningPHYs.rawValue.nonzeroBitCount)
    }
}
