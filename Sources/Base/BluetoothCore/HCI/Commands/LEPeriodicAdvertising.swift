public import WireBytes

/// HCI_LE_Set_Periodic_Advertising_Parameters_[v1] command.
///
/// Source: Vol 4, Part E, 7.8.61.
public struct LESetPeriodicAdvertisingParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203E) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingHandle: UInt8 = 0
    /// In units of 1.25 ms.
    public var periodicAdvertisingIntervalMin: UInt16 = 0
    /// In units of 1.25 ms.
    public var periodicAdvertisingIntervalMax: UInt16 = 0
    public var periodicAdvertisingProperties: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16(
            "periodic_advertising_interval_min", &periodicAdvertisingIntervalMin,
            .steps(nanoseconds: 1_250_000))
        try coder.u16(
            "periodic_advertising_interval_max", &periodicAdvertisingIntervalMax,
            .steps(nanoseconds: 1_250_000))
        try coder.u16(
            "periodic_advertising_properties", &periodicAdvertisingProperties,
            .bits(HCINames.periodicProperties))
    }
}

/// HCI_LE_Set_Periodic_Advertising_Parameters_[v2] command.
///
/// Source: Vol 4, Part E, 7.8.61.
public struct LESetPeriodicAdvertisingParametersV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2086) }

    public var advertisingHandle: UInt8 = 0
    /// In units of 1.25 ms.
    public var periodicAdvertisingIntervalMin: UInt16 = 0
    /// In units of 1.25 ms.
    public var periodicAdvertisingIntervalMax: UInt16 = 0
    public var periodicAdvertisingProperties: UInt16 = 0
    public var numSubevents: UInt8 = 0
    /// In units of 1.25 ms.
    public var subeventInterval: UInt8 = 0
    /// In units of 1.25 ms.
    public var responseSlotDelay: UInt8 = 0
    /// In units of 125 µs.
    public var responseSlotSpacing: UInt8 = 0
    public var numResponseSlots: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16(
            "periodic_advertising_interval_min", &periodicAdvertisingIntervalMin,
            .steps(nanoseconds: 1_250_000))
        try coder.u16(
            "periodic_advertising_interval_max", &periodicAdvertisingIntervalMax,
            .steps(nanoseconds: 1_250_000))
        try coder.u16(
            "periodic_advertising_properties", &periodicAdvertisingProperties,
            .bits(HCINames.periodicProperties))
        try coder.u8("num_subevents", &numSubevents)
        try coder.u8("subevent_interval", &subeventInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("response_slot_delay", &responseSlotDelay, .steps(nanoseconds: 1_250_000))
        try coder.u8("response_slot_spacing", &responseSlotSpacing, .steps(nanoseconds: 125_000))
        try coder.u8("num_response_slots", &numResponseSlots)
    }
}

extension LESetPeriodicAdvertisingParametersV2 {
    /// What the controller returns for ``LESetPeriodicAdvertisingParametersV2``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var advertisingHandle: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("advertising_handle", &advertisingHandle, .handle)
        }
    }
}

/// HCI_LE_Set_Periodic_Advertising_Data command.
///
/// Source: Vol 4, Part E, 7.8.62.
public struct LESetPeriodicAdvertisingData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x203F) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertisingHandle: UInt8 = 0
    public var operation: UInt8 = 0
    public var advertisingData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("operation", &operation, .code(HCINames.dataOperation))
        try coder.sizedOctets("advertising_data_length", "advertising_data", &advertisingData, .advertising)
    }
}

/// HCI_LE_Set_Periodic_Advertising_Enable command.
///
/// Source: Vol 4, Part E, 7.8.63.
public struct LESetPeriodicAdvertisingEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2040) }
    public typealias ReturnParameters = HCIStatusReturn

    public var enable: UInt8 = 0
    public var advertisingHandle: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("enable", &enable, .bits(HCINames.periodicEnable))
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
    }
}

/// HCI_LE_Periodic_Advertising_Create_Sync command.
///
/// Source: Vol 4, Part E, 7.8.67.
public struct LEPeriodicAdvertisingCreateSync: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2044) }
    public typealias ReturnParameters = HCINoReturn

    public var options: UInt8 = 0
    public var advertisingSID: UInt8 = 0
    public var advertiserAddressType: UInt8 = 0
    public var advertiserAddress = DeviceAddress(0)
    public var skip: UInt16 = 0
    /// In units of 10 ms.
    public var syncTimeout: UInt16 = 0
    public var syncCTEType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("options", &options, .bits(HCINames.createSyncOptions))
        try coder.u8("advertising_sid", &advertisingSID)
        try coder.u8("advertiser_address_type", &advertiserAddressType, .code(HCINames.addressType))
        advertiserAddress.kind = DeviceAddress.Kind(hciType: advertiserAddressType)
        try coder.address("advertiser_address", &advertiserAddress)
        try coder.u16("skip", &skip)
        try coder.u16("sync_timeout", &syncTimeout, .steps(nanoseconds: 10_000_000))
        try coder.u8("sync_cte_type", &syncCTEType, .bits(HCINames.syncCTEType))
    }
}

/// HCI_LE_Periodic_Advertising_Create_Sync_Cancel command.
///
/// Source: Vol 4, Part E, 7.8.68.
public struct LEPeriodicAdvertisingCreateSyncCancel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2045) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_LE_Periodic_Advertising_Terminate_Sync command.
///
/// Source: Vol 4, Part E, 7.8.69.
public struct LEPeriodicAdvertisingTerminateSync: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2046) }
    public typealias ReturnParameters = HCIStatusReturn

    public var syncHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
    }
}

/// HCI_LE_Add_Device_To_Periodic_Advertiser_List command.
///
/// Source: Vol 4, Part E, 7.8.70.
public struct LEAddDeviceToPeriodicAdvertiserList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2047) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertiserAddressType: UInt8 = 0
    public var advertiserAddress = DeviceAddress(0)
    public var advertisingSID: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertiser_address_type", &advertiserAddressType, .code(HCINames.addressType))
        advertiserAddress.kind = DeviceAddress.Kind(hciType: advertiserAddressType)
        try coder.address("advertiser_address", &advertiserAddress)
        try coder.u8("advertising_sid", &advertisingSID)
    }
}

/// HCI_LE_Remove_Device_From_Periodic_Advertiser_List command.
///
/// Source: Vol 4, Part E, 7.8.71.
public struct LERemoveDeviceFromPeriodicAdvertiserList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2048) }
    public typealias ReturnParameters = HCIStatusReturn

    public var advertiserAddressType: UInt8 = 0
    public var advertiserAddress = DeviceAddress(0)
    public var advertisingSID: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertiser_address_type", &advertiserAddressType, .code(HCINames.addressType))
        advertiserAddress.kind = DeviceAddress.Kind(hciType: advertiserAddressType)
        try coder.address("advertiser_address", &advertiserAddress)
        try coder.u8("advertising_sid", &advertisingSID)
    }
}

/// HCI_LE_Clear_Periodic_Advertiser_List command.
///
/// Source: Vol 4, Part E, 7.8.72.
public struct LEClearPeriodicAdvertiserList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2049) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_LE_Read_Periodic_Advertiser_List_Size command.
///
/// Source: Vol 4, Part E, 7.8.73.
public struct LEReadPeriodicAdvertiserListSize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x204A) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadPeriodicAdvertiserListSize {
    /// What the controller returns for ``LEReadPeriodicAdvertiserListSize``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var periodicAdvertiserListSize: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("periodic_advertiser_list_size", &periodicAdvertiserListSize)
        }
    }
}
