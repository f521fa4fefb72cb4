public import WireBytes

/// The parameters of the management command Disconnect, 0x0014.
public struct ManagementDisconnect: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// What the kernel returns for the management command Get Connections, 0x0015.
public struct ManagementGetConnectionsReturn: PDUFields, Equatable {
    public var connections: [ManagementPeer] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("connection_count", "connections", &connections, width: 2)
    }
}

/// The parameters of the management command Start Discovery, 0x0023.
public struct ManagementStartDiscovery: PDUFields, Equatable {
    public var addressType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType, .bits(MonitorNames.discoveryType))
    }
}

/// The parameters of the management command Stop Discovery, 0x0024.
public struct ManagementStopDiscovery: PDUFields, Equatable {
    public var addressType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType, .bits(MonitorNames.discoveryType))
    }
}

/// The parameters of the management command Confirm Name, 0x0025.
public struct ManagementConfirmName: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var nameKnown: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("name_known", &nameKnown, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Block Device, 0x0026.
public struct ManagementBlockDevice: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The parameters of the management command Unblock Device, 0x0027.
public struct ManagementUnblockDevice: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The parameters of the management command Get Connection Information, 0x0031.
public struct ManagementGetConnectionInformation: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// What the kernel returns for the management command Get Connection Information, 0x0031.
public struct ManagementGetConnectionInformationReturn: PDUFields, Equatable {
    public var peer = ManagementPeer()
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0
    /// In dBm; 127 where it is not available.
    public var txPower: Int8 = 0
    /// In dBm.
    public var maxTxPower: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.i8("rssi", &rssi, .dBm)
        try coder.i8("tx_power", &txPower, .dBm)
        try coder.i8("max_tx_power", &maxTxPower, .dBm)
    }
}

/// The parameters of the management command Get Clock Information, 0x0032.
public struct ManagementGetClockInformation: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// What the kernel returns for the management command Get Clock Information, 0x0032.
public struct ManagementGetClockInformationReturn: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var localClock: UInt32 = 0
    public var piconetClock: UInt32 = 0
    public var accuracy: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u32("local_clock", &localClock)
        try coder.u32("piconet_clock", &piconetClock)
        try coder.u16("accuracy", &accuracy)
    }
}

/// The parameters of the management command Add Device, 0x0033.
public struct ManagementAddDevice: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var action: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("action", &action, .code(MonitorNames.deviceAction))
    }
}

/// The parameters of the management command Remove Device, 0x0034.
public struct ManagementRemoveDevice: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The connection parameters that a device shall be used with.
public struct ManagementConnectionParameters: PDUFields, Equatable {
    public var peer = ManagementPeer()
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
        try coder.u16("connection_interval_min", &connectionIntervalMin, .steps(nanoseconds: 1_250_000))
        try coder.u16("connection_interval_max", &connectionIntervalMax, .steps(nanoseconds: 1_250_000))
        try coder.u16("latency", &latency)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
    }
}

/// The parameters of the management command Load Connection Parameters, 0x0035.
public struct ManagementLoadConnectionParameters: PDUFields, Equatable {
    public var parameters: [ManagementConnectionParameters] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("parameter_count", "parameters", &parameters, width: 2)
    }
}

/// The parameters of the management command Start Service Discovery, 0x003A.
public struct ManagementStartServiceDiscovery: PDUFields, Equatable {
    public var addressType: UInt8 = 0
    /// In dBm.
    public var rssiThreshold: Int8 = 0
    public var uuids: [ManagementUUID] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType, .bits(MonitorNames.discoveryType))
        try coder.i8("rssi_threshold", &rssiThreshold, .dBm)
        try coder.counted("uuid_count", "uuids", &uuids, width: 2)
    }
}

/// The parameters of the management command Start Limited Discovery, 0x0041.
public struct ManagementStartLimitedDiscovery: PDUFields, Equatable {
    public var addressType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_type", &addressType, .bits(MonitorNames.discoveryType))
    }
}

/// The parameters of the management command Get Device Flags, 0x004F.
public struct ManagementGetDeviceFlags: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// What the kernel returns for the management command Get Device Flags, 0x004F.
public struct ManagementGetDeviceFlagsReturn: PDUFields, Equatable {
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

/// The parameters of the management command Set Device Flags, 0x0050.
public struct ManagementSetDeviceFlags: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var currentFlags: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u32("current_flags", &currentFlags, .bits(MonitorNames.deviceFlag))
    }
}
