public import WireBytes

/// The management event Controller Error, 0x0003.
public struct ManagementControllerErrorEvent: PDUFields, Equatable {
    public var errorCode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("error_code", &errorCode, .hex)
    }
}

/// The management event New Settings, 0x0006.
public struct ManagementNewSettingsEvent: PDUFields, Equatable {
    public var currentSettings: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u32("current_settings", &currentSettings, .bits(MonitorNames.setting))
    }
}

/// The management event Class Of Device Changed, 0x0007.
public struct ManagementClassOfDeviceChangedEvent: PDUFields, Equatable {
    public var classOfDevice: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u24("class_of_device", &classOfDevice, .hex)
    }
}

/// The management event Local Name Changed, 0x0008.
public struct ManagementLocalNameChangedEvent: PDUFields, Equatable {
    /// 249 octets of UTF-8, ended by a zero octet where it is shorter.
    public var name: [UInt8] = []
    /// 11 octets of UTF-8, ended by a zero octet where it is shorter.
    public var shortName: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("name", &name, count: 249, .text)
        try coder.octets("short_name", &shortName, count: 11, .text)
    }
}

/// The management event Device Connected, 0x000B.
public struct ManagementDeviceConnectedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var flags: UInt32 = 0
    public var eirData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u32("flags", &flags, .bits(MonitorNames.foundFlag))
        try coder.sizedOctets("eir_data_length", "eir_data", &eirData, width: 2, .advertising)
    }
}

/// The management event Device Disconnected, 0x000C.
public struct ManagementDeviceDisconnectedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var reason: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("reason", &reason, .code(MonitorNames.disconnectReason))
    }
}

/// The management event Connect Failed, 0x000D.
public struct ManagementConnectFailedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var status: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("status", &status, .code(ManagementStatus.name(of:)))
    }
}

/// The management event Device Found, 0x0012.
public struct ManagementDeviceFoundEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0
    public var flags: UInt32 = 0
    public var eirData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.i8("rssi", &rssi, .dBm)
        try coder.u32("flags", &flags, .bits(MonitorNames.foundFlag))
        try coder.sizedOctets("eir_data_length", "eir_data", &eirData, width: 2, .advertising)
    }
}

/// The management event Discovering, 0x0013.
public struct ManagementDiscoveringEvent: PDUFields, Equatable {
    public var addressType: UInt8 = 0
    public var discovering: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType, .bits(MonitorNames.discoveryType))
        try coder.u8("discovering", &discovering, .code(MonitorNames.enable))
    }
}

/// The management event Device Blocked, 0x0014.
public struct ManagementDeviceBlockedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The management event Device Unblocked, 0x0015.
public struct ManagementDeviceUnblockedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The management event Device Added, 0x001A.
public struct ManagementDeviceAddedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var action: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("action", &action, .code(MonitorNames.deviceAction))
    }
}

/// The management event Device Removed, 0x001B.
public struct ManagementDeviceRemovedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The management event New Connection Parameter, 0x001C.
public struct ManagementNewConnectionParameterEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var storeHint: UInt8 = 0
    /// In units of 1.25 ms.
    public var connectionIntervalMin: UInt16 = 0
    /// In units of 1.25 ms.
    public var connectionIntervalMax: UInt16 = 0
    public var latency: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("store_hint", &storeHint, .code(MonitorNames.enable))
        try coder.u16("connection_interval_min", &connectionIntervalMin, .steps(nanoseconds: 1_250_000))
        try coder.u16("connection_interval_max", &connectionIntervalMax, .steps(nanoseconds: 1_250_000))
        try coder.u16("latency", &latency)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
    }
}

/// The management event Extended Index Added, 0x0020.
public struct ManagementExtendedIndexAddedEvent: PDUFields, Equatable {
    public var type: UInt8 = 0
    public var bus: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("type", &type, .code(MonitorNames.controllerType))
        try coder.u8("bus", &bus, .code(MonitorNames.bus))
    }
}

/// The management event Extended Index Removed, 0x0021.
public struct ManagementExtendedIndexRemovedEvent: PDUFields, Equatable {
    public var type: UInt8 = 0
    public var bus: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("type", &type, .code(MonitorNames.controllerType))
        try coder.u8("bus", &bus, .code(MonitorNames.bus))
    }
}

/// The management event Advertising Added, 0x0023.
public struct ManagementAdvertisingAddedEvent: PDUFields, Equatable {
    public var instance: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
    }
}

/// The management event Advertising Removed, 0x0024.
public struct ManagementAdvertisingRemovedEvent: PDUFields, Equatable {
    public var instance: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
    }
}

/// The management event PHY Configuration Changed, 0x0026.
public struct ManagementPHYConfigurationChangedEvent: PDUFields, Equatable {
    public var selectedPHYs: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u32("selected_phys", &selectedPHYs, .bits(MonitorNames.phy))
    }
}

/// The management event Experimental Feature Changed, 0x0027.
public struct ManagementExperimentalFeatureChangedEvent: PDUFields, Equatable {
    /// 16 octets on the wire.
    public var uuid = BluetoothUUID(0 as UInt16)
    public var flags: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.uuid("uuid", &uuid, width: 16)
        try coder.u32("flags", &flags, .hex)
    }
}

/// The management event Device Flags Changed, 0x002A.
public struct ManagementDeviceFlagsChangedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var supportedFlags: UInt32 = 0
    public var currentFlags: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u32("supported_flags", &supportedFlags, .bits(MonitorNames.deviceFlag))
        try coder.u32("current_flags", &currentFlags, .bits(MonitorNames.deviceFlag))
    }
}

/// The management event Advertisement Monitor Added, 0x002B.
public struct ManagementAdvertisementMonitorAddedEvent: PDUFields, Equatable {
    public var monitorHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("monitor_handle", &monitorHandle, .hex)
    }
}

/// The management event Advertisement Monitor Removed, 0x002C.
public struct ManagementAdvertisementMonitorRemovedEvent: PDUFields, Equatable {
    public var monitorHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("monitor_handle", &monitorHandle, .hex)
    }
}

/// The management event Advertisement Monitor Device Found, 0x002F.
public struct ManagementAdvertisementMonitorDeviceFoundEvent: PDUFields, Equatable {
    public var monitorHandle: UInt16 = 0
    public var peer = ManagementPeer()
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0
    public var flags: UInt32 = 0
    public var eirData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("monitor_handle", &monitorHandle, .hex)
        try peer.code(&coder)
        try coder.i8("rssi", &rssi, .dBm)
        try coder.u32("flags", &flags, .bits(MonitorNames.foundFlag))
        try coder.sizedOctets("eir_data_length", "eir_data", &eirData, width: 2, .advertising)
    }
}

/// The management event Advertisement Monitor Device Lost, 0x0030.
public struct ManagementAdvertisementMonitorDeviceLostEvent: PDUFields, Equatable {
    public var monitorHandle: UInt16 = 0
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("monitor_handle", &monitorHandle, .hex)
        try peer.code(&coder)
    }
}
