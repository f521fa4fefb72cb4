public import WireBytes

/// What the kernel returns for the management command Read Version Information, 0x0001.
public struct ManagementReadVersionInformationReturn: PDUFields, Equatable {
    public var version: UInt8 = 0
    public var revision: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("version", &version)
        try coder.u16("revision", &revision)
    }
}

/// The code of a command or event.
public struct ManagementCode: PDUFields, Equatable {
    public var code: UInt16 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("code", &code, .hex)
    }
}

/// What the kernel returns for the management command Read Supported Commands, 0x0002.
public struct ManagementReadSupportedCommandsReturn: PDUFields, Equatable {
    public var numCommands: UInt16 = 0
    public var numEvents: UInt16 = 0
    public var commands: [ManagementCode] = []
    public var events: [ManagementCode] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("num_commands", &numCommands)
        try coder.u16("num_events", &numEvents)
        try coder.list("commands", &commands, count: Int(numCommands))
        try coder.list("events", &events, count: Int(numEvents))
    }
}

/// What the kernel returns for the management command Read Controller Index List, 0x0003.
public struct ManagementReadControllerIndexListReturn: PDUFields, Equatable {
    public var indices: [ManagementIndex] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_controllers", "indices", &indices, width: 2)
    }
}

/// What the kernel returns for the management command Read Controller Information, 0x0004.
public struct ManagementReadControllerInformationReturn: PDUFields, Equatable {
    public var address = DeviceAddress(0, .public)
    public var bluetoothVersion: UInt8 = 0
    public var manufacturer: UInt16 = 0
    public var supportedSettings: UInt32 = 0
    public var currentSettings: UInt32 = 0
    public var classOfDevice: UInt32 = 0
    /// 249 octets of UTF-8, ended by a zero octet where it is shorter.
    public var name: [UInt8] = []
    /// 11 octets of UTF-8, ended by a zero octet where it is shorter.
    public var shortName: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("address", &address)
        try coder.u8("bluetooth_version", &bluetoothVersion, .code(HCINames.version))
        try coder.u16("manufacturer", &manufacturer, .company)
        try coder.u32("supported_settings", &supportedSettings, .bits(MonitorNames.setting))
        try coder.u32("current_settings", &currentSettings, .bits(MonitorNames.setting))
        try coder.u24("class_of_device", &classOfDevice, .hex)
        try coder.octets("name", &name, count: 249, .text)
        try coder.octets("short_name", &shortName, count: 11, .text)
    }
}

/// The parameters of the management command Set Device Class, 0x000E.
public struct ManagementSetDeviceClass: PDUFields, Equatable {
    public var majorClass: UInt8 = 0
    public var minorClass: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("major_class", &majorClass, .hex)
        try coder.u8("minor_class", &minorClass, .hex)
    }
}

/// The parameters of the management command Set Local Name, 0x000F.
public struct ManagementSetLocalName: PDUFields, Equatable {
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

/// The parameters of the management command Add UUID, 0x0010.
public struct ManagementAddUUID: PDUFields, Equatable {
    /// 16 octets on the wire.
    public var uuid = BluetoothUUID(0 as UInt16)
    public var serviceHint: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.uuid("uuid", &uuid, width: 16)
        try coder.u8("service_hint", &serviceHint, .hex)
    }
}

/// The parameters of the management command Remove UUID, 0x0011.
public struct ManagementRemoveUUID: PDUFields, Equatable {
    /// 16 octets on the wire.
    public var uuid = BluetoothUUID(0 as UInt16)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.uuid("uuid", &uuid, width: 16)
    }
}

/// The parameters of the management command Set IO Capability, 0x0018.
public struct ManagementSetIOCapability: PDUFields, Equatable {
    public var ioCapability: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("io_capability", &ioCapability, .code(HCINames.ioCapability))
    }
}

/// The parameters of the management command Set Device ID, 0x0028.
public struct ManagementSetDeviceID: PDUFields, Equatable {
    public var source: UInt16 = 0
    public var vendor: UInt16 = 0
    public var product: UInt16 = 0
    public var version: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("source", &source)
        try coder.u16("vendor", &vendor, .hex)
        try coder.u16("product", &product, .hex)
        try coder.u16("version", &version, .hex)
    }
}

/// What the kernel returns for the management command Read Unconfigured Controller Index List, 0x0036.
public struct ManagementReadUnconfiguredControllerIndexListReturn: PDUFields, Equatable {
    public var indices: [ManagementIndex] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_controllers", "indices", &indices, width: 2)
    }
}

/// What the kernel returns for the management command Read Controller Configuration Information, 0x0037.
public struct ManagementReadControllerConfigurationInformationReturn: PDUFields, Equatable {
    public var manufacturer: UInt16 = 0
    public var supportedOptions: UInt32 = 0
    public var missingOptions: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("manufacturer", &manufacturer, .company)
        try coder.u32("supported_options", &supportedOptions, .hex)
        try coder.u32("missing_options", &missingOptions, .hex)
    }
}

/// A controller with its kind and bus.
public struct ManagementExtendedIndex: PDUFields, Equatable {
    public var index: UInt16 = 0
    public var type: UInt8 = 0
    public var bus: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("index", &index)
        try coder.u8("type", &type, .code(MonitorNames.controllerType))
        try coder.u8("bus", &bus, .code(MonitorNames.bus))
    }
}

/// What the kernel returns for the management command Read Extended Controller Index List, 0x003C.
public struct ManagementReadExtendedControllerIndexListReturn: PDUFields, Equatable {
    public var indices: [ManagementExtendedIndex] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_controllers", "indices", &indices, width: 2)
    }
}

/// What the kernel returns for the management command Read Extended Controller Information, 0x0042.
public struct ManagementReadExtendedControllerInformationReturn: PDUFields, Equatable {
    public var address = DeviceAddress(0, .public)
    public var bluetoothVersion: UInt8 = 0
    public var manufacturer: UInt16 = 0
    public var supportedSettings: UInt32 = 0
    public var currentSettings: UInt32 = 0
    public var eirData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("address", &address)
        try coder.u8("bluetooth_version", &bluetoothVersion, .code(HCINames.version))
        try coder.u16("manufacturer", &manufacturer, .company)
        try coder.u32("supported_settings", &supportedSettings, .bits(MonitorNames.setting))
        try coder.u32("current_settings", &currentSettings, .bits(MonitorNames.setting))
        try coder.sizedOctets("eir_data_length", "eir_data", &eirData, width: 2, .advertising)
    }
}

/// The parameters of the management command Set Appearance, 0x0043.
public struct ManagementSetAppearance: PDUFields, Equatable {
    public var appearance: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("appearance", &appearance, .hex)
    }
}

/// What the kernel returns for the management command Get PHY Configuration, 0x0044.
public struct ManagementGetPHYConfigurationReturn: PDUFields, Equatable {
    public var supportedPHYs: UInt32 = 0
    public var configurablePHYs: UInt32 = 0
    public var selectedPHYs: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u32("supported_phys", &supportedPHYs, .bits(MonitorNames.phy))
        try coder.u32("configurable_phys", &configurablePHYs, .bits(MonitorNames.phy))
        try coder.u32("selected_phys", &selectedPHYs, .bits(MonitorNames.phy))
    }
}

/// The parameters of the management command Set PHY Configuration, 0x0045.
public struct ManagementSetPHYConfiguration: PDUFields, Equatable {
    public var selectedPHYs: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u32("selected_phys", &selectedPHYs, .bits(MonitorNames.phy))
    }
}

/// An experimental feature and whether it is on.
public struct ManagementExperimentalFeature: PDUFields, Equatable {
    /// 16 octets on the wire.
    public var uuid = BluetoothUUID(0 as UInt16)
    public var flags: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.uuid("uuid", &uuid, width: 16)
        try coder.u32("flags", &flags, .hex)
    }
}

/// What the kernel returns for the management command Read Experimental Features Information, 0x0049.
public struct ManagementReadExperimentalFeaturesInformationReturn: PDUFields, Equatable {
    public var features: [ManagementExperimentalFeature] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("feature_count", "features", &features, width: 2)
    }
}

/// The parameters of the management command Set Experimental Feature, 0x004A.
public struct ManagementSetExperimentalFeature: PDUFields, Equatable {
    /// 16 octets on the wire.
    public var uuid = BluetoothUUID(0 as UInt16)
    public var action: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.uuid("uuid", &uuid, width: 16)
        try coder.u8("action", &action, .code(MonitorNames.enable))
    }
}
