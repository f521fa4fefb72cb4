public import WireBytes

/// What a controller is set to after a command.
public struct ManagementSettings: PDUFields, Equatable {
    public var currentSettings: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u32("current_settings", &currentSettings, .bits(MonitorNames.setting))
    }
}

/// The class of device after a command.
public struct ManagementClass: PDUFields, Equatable {
    public var classOfDevice: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u24("class_of_device", &classOfDevice, .hex)
    }
}

/// Which kinds of device are looked for.
public struct ManagementAddressType: PDUFields, Equatable {
    public var addressType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType, .bits(MonitorNames.discoveryType))
    }
}

/// An advertising instance.
public struct ManagementInstance: PDUFields, Equatable {
    public var instance: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
    }
}

/// The index of a controller.
public struct ManagementIndex: PDUFields, Equatable {
    public var index: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("index", &index)
    }
}

/// A UUID in its 128-bit form, least significant octet first.
public struct ManagementUUID: PDUFields, Equatable {
    /// 16 octets on the wire.
    public var uuid = BluetoothUUID(0 as UInt16)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.uuid("uuid", &uuid, width: 16)
    }
}

/// An advertisement monitor.
public struct ManagementMonitorHandle: PDUFields, Equatable {
    public var monitorHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("monitor_handle", &monitorHandle, .hex)
    }
}

/// The names of a controller.
public struct ManagementNames: PDUFields, Equatable {
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
