public import WireBytes

/// A BR/EDR link key.
public struct ManagementLinkKey: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var keyType: UInt8 = 0
    /// 16 octets, least significant first; never to be shown.
    public var value: [UInt8] = []
    public var pinLength: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("key_type", &keyType, .code(MonitorNames.linkKeyType))
        try coder.octets("value", &value, count: 16, .secret)
        try coder.u8("pin_length", &pinLength)
    }
}

/// An LE long term key.
public struct ManagementLongTermKey: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var keyType: UInt8 = 0
    public var central: UInt8 = 0
    public var encryptionSize: UInt8 = 0
    public var encryptionDiversifier: UInt16 = 0
    public var randomNumber: UInt64 = 0
    /// 16 octets, least significant first; never to be shown.
    public var value: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("key_type", &keyType, .code(MonitorNames.ltkType))
        try coder.u8("central", &central)
        try coder.u8("encryption_size", &encryptionSize)
        try coder.u16("encryption_diversifier", &encryptionDiversifier, .hex)
        try coder.u64("random_number", &randomNumber, .hex)
        try coder.octets("value", &value, count: 16, .secret)
    }
}

/// The key that resolves a device's private addresses.
public struct ManagementIdentityResolvingKey: PDUFields, Equatable {
    public var peer = ManagementPeer()
    /// 16 octets, least significant first; never to be shown.
    public var value: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.octets("value", &value, count: 16, .secret)
    }
}

/// The parameters of the management command Load Link Keys, 0x0012.
public struct ManagementLoadLinkKeys: PDUFields, Equatable {
    public var debugKeys: UInt8 = 0
    public var keys: [ManagementLinkKey] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("debug_keys", &debugKeys, .code(MonitorNames.enable))
        try coder.counted("key_count", "keys", &keys, width: 2)
    }
}

/// The parameters of the management command Load Long Term Keys, 0x0013.
public struct ManagementLoadLongTermKeys: PDUFields, Equatable {
    public var keys: [ManagementLongTermKey] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("key_count", "keys", &keys, width: 2)
    }
}

/// The parameters of the management command PIN Code Reply, 0x0016.
public struct ManagementPINCodeReply: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var pinLength: UInt8 = 0
    /// 16 octets, least significant first; never to be shown.
    public var pinCode: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("pin_length", &pinLength)
        try coder.octets("pin_code", &pinCode, count: 16, .secret)
    }
}

/// The parameters of the management command PIN Code Negative Reply, 0x0017.
public struct ManagementPINCodeNegativeReply: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The parameters of the management command Pair Device, 0x0019.
public struct ManagementPairDevice: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var ioCapability: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("io_capability", &ioCapability, .code(HCINames.ioCapability))
    }
}

/// The parameters of the management command Cancel Pair Device, 0x001A.
public struct ManagementCancelPairDevice: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The parameters of the management command Unpair Device, 0x001B.
public struct ManagementUnpairDevice: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var disconnect: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("disconnect", &disconnect, .code(MonitorNames.enable))
    }
}

/// The parameters of the management command User Confirmation Reply, 0x001C.
public struct ManagementUserConfirmationReply: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The parameters of the management command User Confirmation Negative Reply, 0x001D.
public struct ManagementUserConfirmationNegativeReply: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The parameters of the management command User Passkey Reply, 0x001E.
public struct ManagementUserPasskeyReply: PDUFields, Equatable {
    public var peer = ManagementPeer()
    /// 4 octets, least significant first; never to be shown.
    public var passkey: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.octets("passkey", &passkey, count: 4, .secret)
    }
}

/// The parameters of the management command User Passkey Negative Reply, 0x001F.
public struct ManagementUserPasskeyNegativeReply: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The parameters of the management command Remove Remote Out Of Band Data, 0x0022.
public struct ManagementRemoveRemoteOutOfBandData: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The parameters of the management command Load Identity Resolving Keys, 0x0030.
public struct ManagementLoadIdentityResolvingKeys: PDUFields, Equatable {
    public var keys: [ManagementIdentityResolvingKey] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("key_count", "keys", &keys, width: 2)
    }
}
