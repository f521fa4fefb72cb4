public import WireBytes

/// The management event New Link Key, 0x0009.
public struct ManagementNewLinkKeyEvent: PDUFields, Equatable {
    public var storeHint: UInt8 = 0
    public var key = ManagementLinkKey()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("store_hint", &storeHint, .code(MonitorNames.enable))
        try key.code(&coder)
    }
}

/// The management event New Long Term Key, 0x000A.
public struct ManagementNewLongTermKeyEvent: PDUFields, Equatable {
    public var storeHint: UInt8 = 0
    public var key = ManagementLongTermKey()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("store_hint", &storeHint, .code(MonitorNames.enable))
        try key.code(&coder)
    }
}

/// The management event PIN Code Request, 0x000E.
public struct ManagementPINCodeRequestEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var secure: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("secure", &secure, .code(MonitorNames.enable))
    }
}

/// The management event User Confirmation Request, 0x000F.
public struct ManagementUserConfirmationRequestEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var confirmHint: UInt8 = 0
    public var value: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("confirm_hint", &confirmHint, .code(MonitorNames.enable))
        try coder.u32("value", &value)
    }
}

/// The management event User Passkey Request, 0x0010.
public struct ManagementUserPasskeyRequestEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The management event Authentication Failed, 0x0011.
public struct ManagementAuthenticationFailedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    public var status: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u8("status", &status, .code(ManagementStatus.name(of:)))
    }
}

/// The management event Device Unpaired, 0x0016.
public struct ManagementDeviceUnpairedEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
    }
}

/// The management event Passkey Notify, 0x0017.
public struct ManagementPasskeyNotifyEvent: PDUFields, Equatable {
    public var peer = ManagementPeer()
    /// Six decimal digits; never to be shown.
    public var passkey: UInt32 = 0
    public var entered: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try peer.code(&coder)
        try coder.u32("passkey", &passkey, .secret)
        try coder.u8("entered", &entered)
    }
}

/// The management event New Identity Resolving Key, 0x0018.
public struct ManagementNewIdentityResolvingKeyEvent: PDUFields, Equatable {
    public var storeHint: UInt8 = 0
    public var randomAddress = DeviceAddress(0, .random)
    public var key = ManagementIdentityResolvingKey()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("store_hint", &storeHint, .code(MonitorNames.enable))
        try coder.address("random_address", &randomAddress)
        try key.code(&coder)
    }
}

/// The management event New Signature Resolving Key, 0x0019.
public struct ManagementNewSignatureResolvingKeyEvent: PDUFields, Equatable {
    public var storeHint: UInt8 = 0
    public var peer = ManagementPeer()
    public var keyType: UInt8 = 0
    /// 16 octets, least significant first; never to be shown.
    public var value: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("store_hint", &storeHint, .code(MonitorNames.enable))
        try peer.code(&coder)
        try coder.u8("key_type", &keyType, .code(MonitorNames.csrkType))
        try coder.octets("value", &value, count: 16, .secret)
    }
}
