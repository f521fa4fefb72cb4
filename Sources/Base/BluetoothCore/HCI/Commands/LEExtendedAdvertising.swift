public import WireBytes

/// One advertising set to enable or disable.
///
/// Source: Vol 4, Part E, 7.8.56.
public struct LEAdvertisingSetEnable: PDUFields, Equatable {
    public var advertisingHandle: UInt8 = 0
    /// In units of 10 ms.
    public var duration: UInt16 = 0
    public var maxExtendedAdvertisingEvents: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16("duration", &duration, .steps(nanoseconds: 10_000_000))
        try coder.u8("max_extended_advertising_events", &maxExtendedAdvertisingEvents)
    }
}

/// Sets the random device address of one advertising set.
///
/// HCI_LE_Set_Advertising_Set_Random_Address command. Source: Vol 4, Part E, 7.8.52.
public struct LESetAdvertisingSetRandomAddress: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2035) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingHandle: UInt8 = 0
    public var randomAddress = DeviceAddress(0, .random)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.address("random_address", &randomAddress)
    }
}

/// Makes an advertising set, or sets how one is advertised.
///
/// HCI_LE_Set_Extended_Advertising_Parameters_[v1] command. Source: Vol 4, Part E, 7.8.53.
public struct LESetExtendedAdvertisingParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2036) }

    public var advertisingHandle: UInt8 = 0
    public var advertisingEventProperties: UInt16 = 0
    /// In units of 625 µs.
    public var primaryAdvertisingIntervalMin: UInt32 = 0
    /// In units of 625 µs.
    public var primaryAdvertisingIntervalMax: UInt32 = 0
    public var primaryAdvertisingChannelMap: UInt8 = 0
    public var ownAddressType: UInt8 = 0
    public var peerAddressType: UInt8 = 0
    public var peerAddress = DeviceAddress(0)
    public var advertisingFilterPolicy: UInt8 = 0
    /// In dBm.
    public var advertisingTxPower: Int8 = 0
    public var primaryAdvertisingPHY: UInt8 = 0
    public var secondaryAdvertisingMaxSkip: UInt8 = 0
    public var secondaryAdvertisingPHY: UInt8 = 0
    public var advertisingSID: UInt8 = 0
    public var scanRequestNotificationEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16(
            "advertising_event_properties", &advertisingEventProperties,
            .bits(HCINames.advertisingEventProperties))
        try coder.u24(
            "primary_advertising_interval_min", &primaryAdvertisingIntervalMin, .steps(nanoseconds: 625_000))
        try coder.u24(
            "primary_advertising_interval_max", &primaryAdvertisingIntervalMax, .steps(nanoseconds: 625_000))
        try coder.u8(
            "primary_advertising_channel_map", &primaryAdvertisingChannelMap,
            .bits(HCINames.advertisingChannels))
        try coder.u8("own_address_type", &ownAddressType, .code(HCINames.ownAddressType))
        try coder.u8("peer_address_type", &peerAddressType, .code(HCINames.addressType))
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.u8(
            "advertising_filter_policy", &advertisingFilterPolicy, .code(HCINames.advertisingFilterPolicy))
        try coder.i8("advertising_tx_power", &advertisingTxPower, .dBm)
        try coder.u8("primary_advertising_phy", &primaryAdvertisingPHY, .code(HCINames.phy))
        try coder.u8("secondary_advertising_max_skip", &secondaryAdvertisingMaxSkip)
        try coder.u8("secondary_advertising_phy", &secondaryAdvertisingPHY, .code(HCINames.phy))
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.u8(
            "scan_request_notification_enable", &scanRequestNotificationEnable, .code(HCINames.enable))
    }
}

extension LESetExtendedAdvertisingParameters {
    /// What the controller returns for ``LESetExtendedAdvertisingParameters``.
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
            try coder.i8("selected_tx_power", &selectedTxPower, .dBm)
        }
    }
}

/// Makes an advertising set, or sets how one is advertised, with the coding of its PHYs.
///
/// HCI_LE_Set_Extended_Advertising_Parameters_[v2] command. Source: Vol 4, Part E, 7.8.53.
public struct LESetExtendedAdvertisingParametersV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x207F) }

    public var advertisingHandle: UInt8 = 0
    public var advertisingEventProperties: UInt16 = 0
    /// In units of 625 µs.
    public var primaryAdvertisingIntervalMin: UInt32 = 0
    /// In units of 625 µs.
    public var primaryAdvertisingIntervalMax: UInt32 = 0
    public var primaryAdvertisingChannelMap: UInt8 = 0
    public var ownAddressType: UInt8 = 0
    public var peerAddressType: UInt8 = 0
    public var peerAddress = DeviceAddress(0)
    public var advertisingFilterPolicy: UInt8 = 0
    /// In dBm.
    public var advertisingTxPower: Int8 = 0
    public var primaryAdvertisingPHY: UInt8 = 0
    public var secondaryAdvertisingMaxSkip: UInt8 = 0
    public var secondaryAdvertisingPHY: UInt8 = 0
    public var advertisingSID: UInt8 = 0
    public var scanRequestNotificationEnable: UInt8 = 0
    public var primaryAdvertisingPHYOptions: UInt8 = 0
    public var secondaryAdvertisingPHYOptions: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16(
            "advertising_event_properties", &advertisingEventProperties,
            .bits(HCINames.advertisingEventProperties))
        try coder.u24(
            "primary_advertising_interval_min", &primaryAdvertisingIntervalMin, .steps(nanoseconds: 625_000))
        try coder.u24(
            "primary_advertising_interval_max", &primaryAdvertisingIntervalMax, .steps(nanoseconds: 625_000))
        try coder.u8(
            "primary_advertising_channel_map", &primaryAdvertisingChannelMap,
            .bits(HCINames.advertisingChannels))
        try coder.u8("own_address_type", &ownAddressType, .code(HCINames.ownAddressType))
        try coder.u8("peer_address_type", &peerAddressType, .code(HCINames.addressType))
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.u8(
            "advertising_filter_policy", &advertisingFilterPolicy, .code(HCINames.advertisingFilterPolicy))
        try coder.i8("advertising_tx_power", &advertisingTxPower, .dBm)
        try coder.u8("primary_advertising_phy", &primaryAdvertisingPHY, .code(HCINames.phy))
        try coder.u8("secondary_advertising_max_skip", &secondaryAdvertisingMaxSkip)
        try coder.u8("secondary_advertising_phy", &secondaryAdvertisingPHY, .code(HCINames.phy))
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.u8(
            "scan_request_notification_enable", &scanRequestNotificationEnable, .code(HCINames.enable))
        try coder.u8(
            "primary_advertising_phy_options", &primaryAdvertisingPHYOptions, .code(HCINames.phyOptions))
        try coder.u8(
            "secondary_advertising_phy_options", &secondaryAdvertisingPHYOptions, .code(HCINames.phyOptions))
    }
}

extension LESetExtendedAdvertisingParametersV2 {
    /// What the controller returns for ``LESetExtendedAdvertisingParametersV2``.
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
            try coder.i8("selected_tx_power", &selectedTxPower, .dBm)
        }
    }
}

/// Sets the data of an advertising set, in one piece or in fragments.
///
/// HCI_LE_Set_Extended_Advertising_Data command. Source: Vol 4, Part E, 7.8.54.
public struct LESetExtendedAdvertisingData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2037) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingHandle: UInt8 = 0
    public var operation: UInt8 = 0
    public var fragmentPreference: UInt8 = 0
    public var advertisingData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("operation", &operation, .code(HCINames.dataOperation))
        try coder.u8("fragment_preference", &fragmentPreference, .code(HCINames.fragmentPreference))
        try coder.sizedOctets("advertising_data_length", "advertising_data", &advertisingData, .advertising)
    }
}

/// Sets the scan response data of an advertising set, in one piece or in fragments.
///
/// HCI_LE_Set_Extended_Scan_Response_Data command. Source: Vol 4, Part E, 7.8.55.
public struct LESetExtendedScanResponseData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2038) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingHandle: UInt8 = 0
    public var operation: UInt8 = 0
    public var fragmentPreference: UInt8 = 0
    public var scanResponseData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("operation", &operation, .code(HCINames.dataOperation))
        try coder.u8("fragment_preference", &fragmentPreference, .code(HCINames.fragmentPreference))
        try coder.sizedOctets(
            "scan_response_data_length", "scan_response_data", &scanResponseData, .advertising)
    }
}

/// No set in the list, with enable 0, disables every set.
///
/// HCI_LE_Set_Extended_Advertising_Enable command. Source: Vol 4, Part E, 7.8.56.
public struct LESetExtendedAdvertisingEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2039) }
    public typealias ReturnParameters = HCIStatusReturn

    public var enable: UInt8 = 0
    public var sets: [LEAdvertisingSetEnable] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("enable", &enable, .code(HCINames.enable))
        try coder.counted("num_sets", "sets", &sets)
    }
}

/// HCI_LE_Read_Maximum_Advertising_Data_Length command.
///
/// Source: Vol 4, Part E, 7.8.57.
public struct LEReadMaximumAdvertisingDataLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203A) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadMaximumAdvertisingDataLength {
    /// What the controller returns for ``LEReadMaximumAdvertisingDataLength``.
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

/// HCI_LE_Read_Number_Of_Supported_Advertising_Sets command.
///
/// Source: Vol 4, Part E, 7.8.58.
public struct LEReadNumberOfSupportedAdvertisingSets: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203B) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadNumberOfSupportedAdvertisingSets {
    /// What the controller returns for ``LEReadNumberOfSupportedAdvertisingSets``.
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

/// Takes back one advertising set.
///
/// HCI_LE_Remove_Advertising_Set command. Source: Vol 4, Part E, 7.8.59.
public struct LERemoveAdvertisingSet: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203C) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingHandle: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
    }
}

/// Takes back all advertising sets.
///
/// HCI_LE_Clear_Advertising_Sets command. Source: Vol 4, Part E, 7.8.60.
public struct LEClearAdvertisingSets: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203D) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_LE_Set_Data_Related_Address_Changes command.
///
/// Source: Vol 4, Part E, 7.8.122.
public struct LESetDataRelatedAddressChanges: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x207C) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingHandle: UInt8 = 0
    public var changeReasons: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("change_reasons", &changeReasons, .bits(HCINames.addressChangeReasons))
    }
}
