public import WireBytes

/// HCI_LE_Set_Periodic_Advertising_Receive_Enable command.
///
/// Source: Vol 4, Part E, 7.8.88.
public struct LESetPeriodicAdvertisingReceiveEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2059) }
    public typealias ReturnParameters = HCIStatusReturn

    public var syncHandle: UInt16 = 0
    public var enable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u8("enable", &enable, .bits(HCINames.receiveEnable))
    }
}

/// HCI_LE_Periodic_Advertising_Sync_Transfer command.
///
/// Source: Vol 4, Part E, 7.8.89.
public struct LEPeriodicAdvertisingSyncTransfer: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x205A) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var serviceData: UInt16 = 0
    public var syncHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("service_data", &serviceData, .hex)
        try coder.u16("sync_handle", &syncHandle, .handle)
    }
}

/// HCI_LE_Periodic_Advertising_Set_Info_Transfer command.
///
/// Source: Vol 4, Part E, 7.8.90.
public struct LEPeriodicAdvertisingSetInfoTransfer: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x205B) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var serviceData: UInt16 = 0
    public var advertisingHandle: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("service_data", &serviceData, .hex)
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
    }
}

/// HCI_LE_Set_Periodic_Advertising_Sync_Transfer_Parameters command.
///
/// Source: Vol 4, Part E, 7.8.91.
public struct LESetPeriodicAdvertisingSyncTransferParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x205C) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var mode: UInt8 = 0
    public var skip: UInt16 = 0
    /// In units of 10 ms.
    public var syncTimeout: UInt16 = 0
    public var cteType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("mode", &mode, .code(HCINames.syncTransferMode))
        try coder.u16("skip", &skip)
        try coder.u16("sync_timeout", &syncTimeout, .steps(nanoseconds: 10_000_000))
        try coder.u8("cte_type", &cteType, .bits(HCINames.syncCTEType))
    }
}

/// HCI_LE_Set_Default_Periodic_Advertising_Sync_Transfer_Parameters command.
///
/// Source: Vol 4, Part E, 7.8.92.
public struct LESetDefaultPeriodicAdvertisingSyncTransferParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x205D) }
    public typealias ReturnParameters = HCIStatusReturn

    public var mode: UInt8 = 0
    public var skip: UInt16 = 0
    /// In units of 10 ms.
    public var syncTimeout: UInt16 = 0
    public var cteType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("mode", &mode, .code(HCINames.syncTransferMode))
        try coder.u16("skip", &skip)
        try coder.u16("sync_timeout", &syncTimeout, .steps(nanoseconds: 10_000_000))
        try coder.u8("cte_type", &cteType, .bits(HCINames.syncCTEType))
    }
}

/// The data of one periodic advertising subevent.
///
/// Source: Vol 4, Part E, 7.8.125.
public struct LESubeventDataItem: PDUFields, Equatable {
    public var subevent: UInt8 = 0
    public var responseSlotStart: UInt8 = 0
    public var responseSlotCount: UInt8 = 0
    public var subeventData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("subevent", &subevent)
        try coder.u8("response_slot_start", &responseSlotStart)
        try coder.u8("response_slot_count", &responseSlotCount)
        try coder.sizedOctets("subevent_data_length", "subevent_data", &subeventData, .advertising)
    }
}

/// HCI_LE_Set_Periodic_Advertising_Subevent_Data command.
///
/// Source: Vol 4, Part E, 7.8.125.
public struct LESetPeriodicAdvertisingSubeventData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2082) }

    public var advertisingHandle: UInt8 = 0
    public var subevents: [LESubeventDataItem] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.counted("num_subevents", "subevents", &subevents)
    }
}

extension LESetPeriodicAdvertisingSubeventData {
    /// What the controller returns for ``LESetPeriodicAdvertisingSubeventData``.
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

/// HCI_LE_Set_Periodic_Advertising_Response_Data command.
///
/// Source: Vol 4, Part E, 7.8.126.
public struct LESetPeriodicAdvertisingResponseData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2083) }

    public var syncHandle: UInt16 = 0
    public var requestEvent: UInt16 = 0
    public var requestSubevent: UInt8 = 0
    public var responseSubevent: UInt8 = 0
    public var responseSlot: UInt8 = 0
    public var responseData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u16("request_event", &requestEvent)
        try coder.u8("request_subevent", &requestSubevent)
        try coder.u8("response_subevent", &responseSubevent)
        try coder.u8("response_slot", &responseSlot)
        try coder.sizedOctets("response_data_length", "response_data", &responseData, .advertising)
    }
}

extension LESetPeriodicAdvertisingResponseData {
    /// What the controller returns for ``LESetPeriodicAdvertisingResponseData``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var syncHandle: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("sync_handle", &syncHandle, .handle)
        }
    }
}

/// The number of a periodic advertising subevent.
///
/// Source: Vol 4, Part E, 7.8.127.
public struct LESubeventNumber: PDUFields, Equatable {
    public var subevent: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("subevent", &subevent)
    }
}

/// HCI_LE_Set_Periodic_Sync_Subevent command.
///
/// Source: Vol 4, Part E, 7.8.127.
public struct LESetPeriodicSyncSubevent: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2084) }

    public var syncHandle: UInt16 = 0
    public var periodicAdvertisingProperties: UInt16 = 0
    public var subevents: [LESubeventNumber] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u16(
            "periodic_advertising_properties", &periodicAdvertisingProperties,
            .bits(HCINames.periodicProperties))
        try coder.counted("num_subevents", "subevents", &subevents)
    }
}

extension LESetPeriodicSyncSubevent {
    /// What the controller returns for ``LESetPeriodicSyncSubevent``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var syncHandle: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("sync_handle", &syncHandle, .handle)
        }
    }
}
