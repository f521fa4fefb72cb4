public import WireBytes

/// The parameters of the management command Set Powered, 0x0005.
public struct ManagementSetPowered: PDUFields, Equatable {
    public var powered: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("powered", &powered, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Set Discoverable, 0x0006.
public struct ManagementSetDiscoverable: PDUFields, Equatable {
    public var discoverable: UInt8 = 0
    /// In seconds.
    public var timeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("discoverable", &discoverable, .code(MonitorNames.discoverable))
        try coder.u16("timeout", &timeout, .steps(nanoseconds: 1_000_000_000))
    }
}

/// The parameters of the management command Set Connectable, 0x0007.
public struct ManagementSetConnectable: PDUFields, Equatable {
    public var connectable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("connectable", &connectable, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Set Fast Connectable, 0x0008.
public struct ManagementSetFastConnectable: PDUFields, Equatable {
    public var enable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("enable", &enable, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Set Bondable, 0x0009.
public struct ManagementSetBondable: PDUFields, Equatable {
    public var bondable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("bondable", &bondable, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Set Link Security, 0x000A.
public struct ManagementSetLinkSecurity: PDUFields, Equatable {
    public var linkSecurity: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("link_security", &linkSecurity, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Set Secure Simple Pairing, 0x000B.
public struct ManagementSetSecureSimplePairing: PDUFields, Equatable {
    public var secureSimplePairing: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("secure_simple_pairing", &secureSimplePairing, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Set High Speed, 0x000C.
public struct ManagementSetHighSpeed: PDUFields, Equatable {
    public var highSpeed: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("high_speed", &highSpeed, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Set Low Energy, 0x000D.
public struct ManagementSetLowEnergy: PDUFields, Equatable {
    public var lowEnergy: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("low_energy", &lowEnergy, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Set Advertising, 0x0029.
public struct ManagementSetAdvertising: PDUFields, Equatable {
    public var advertising: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("advertising", &advertising, .code(MonitorNames.advertising))
    }
}

/// The parameters of the management command Set BR/EDR, 0x002A.
public struct ManagementSetBREDR: PDUFields, Equatable {
    public var brEdr: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("br_edr", &brEdr, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command Set Static Address, 0x002B.
public struct ManagementSetStaticAddress: PDUFields, Equatable {
    public var address = DeviceAddress(0, .random)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("address", &address)
    }
}

/// The parameters of the management command Set Scan Parameters, 0x002C.
public struct ManagementSetScanParameters: PDUFields, Equatable {
    /// In units of 625 µs.
    public var interval: UInt16 = 0
    /// In units of 625 µs.
    public var window: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("interval", &interval, .steps(nanoseconds: 625_000))
        try coder.u16("window", &window, .steps(nanoseconds: 625_000))
    }
}

/// The parameters of the management command Set Secure Connections, 0x002D.
public struct ManagementSetSecureConnections: PDUFields, Equatable {
    public var secureConnections: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("secure_connections", &secureConnections, .code(MonitorNames.secureConnections))
    }
}

/// The parameters of the management command Set Debug Keys, 0x002E.
public struct ManagementSetDebugKeys: PDUFields, Equatable {
    public var debugKeys: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("debug_keys", &debugKeys, .code(MonitorNames.debugKeys))
    }
}

/// The parameters of the management command Set Privacy, 0x002F.
public struct ManagementSetPrivacy: PDUFields, Equatable {
    public var privacy: UInt8 = 0
    /// 16 octets, least significant first; never to be shown.
    public var identityResolvingKey: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("privacy", &privacy, .code(MonitorNames.privacy))
        try coder.octets("identity_resolving_key", &identityResolvingKey, count: 16, .secret)
    }
}

/// The parameters of the management command Set Wideband Speech, 0x0047.
public struct ManagementSetWidebandSpeech: PDUFields, Equatable {
    public var widebandSpeech: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("wideband_speech", &widebandSpeech, .code(MonitorNames.enable))
    }
}
