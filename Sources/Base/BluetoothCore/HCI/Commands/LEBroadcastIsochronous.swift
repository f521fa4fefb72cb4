public import WireBytes

/// Starts a group of broadcast isochronous streams.
///
/// HCI_LE_Create_BIG command. Source: Vol 4, Part E, 7.8.103.
public struct LECreateBIG: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2068) }
    public typealias ReturnParameters = HCINoReturn

    public var bigHandle: UInt8 = 0
    public var advertisingHandle: UInt8 = 0
    public var numBIS: UInt8 = 0
    /// In microseconds.
    public var sduInterval: UInt32 = 0
    public var maxSDU: UInt16 = 0
    /// In milliseconds.
    public var maxTransportLatency: UInt16 = 0
    public var rtn: UInt8 = 0
    public var phy: UInt8 = 0
    public var packing: UInt8 = 0
    public var framing: UInt8 = 0
    public var encryption: UInt8 = 0
    /// 16 octets, least significant first; never to be shown.
    public var broadcastCode: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("big_handle", &bigHandle, .handle)
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("num_bis", &numBIS)
        try coder.u24("sdu_interval", &sduInterval, .steps(nanoseconds: 1_000))
        try coder.u16("max_sdu", &maxSDU)
        try coder.u16("max_transport_latency", &maxTransportLatency, .steps(nanoseconds: 1_000_000))
        try coder.u8("rtn", &rtn)
        try coder.u8("phy", &phy, .bits(HCINames.phys))
        try coder.u8("packing", &packing, .code(HCINames.packing))
        try coder.u8("framing", &framing, .code(HCINames.framing))
        try coder.u8("encryption", &encryption, .code(HCINames.enable))
        try coder.octets("broadcast_code", &broadcastCode, count: 16, .secret)
    }
}

/// HCI_LE_Create_BIG_Test command.
///
/// Source: Vol 4, Part E, 7.8.104.
public struct LECreateBIGTest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2069) }
    public typealias ReturnParameters = HCINoReturn

    public var bigHandle: UInt8 = 0
    public var advertisingHandle: UInt8 = 0
    public var numBIS: UInt8 = 0
    /// In microseconds.
    public var sduInterval: UInt32 = 0
    /// In units of 1.25 ms.
    public var isoInterval: UInt16 = 0
    public var nse: UInt8 = 0
    public var maxSDU: UInt16 = 0
    public var maxPDU: UInt16 = 0
    public var phy: UInt8 = 0
    public var packing: UInt8 = 0
    public var framing: UInt8 = 0
    public var bn: UInt8 = 0
    public var irc: UInt8 = 0
    public var pto: UInt8 = 0
    public var encryption: UInt8 = 0
    /// 16 octets, least significant first; never to be shown.
    public var broadcastCode: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("big_handle", &bigHandle, .handle)
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u8("num_bis", &numBIS)
        try coder.u24("sdu_interval", &sduInterval, .steps(nanoseconds: 1_000))
        try coder.u16("iso_interval", &isoInterval, .steps(nanoseconds: 1_250_000))
        try coder.u8("nse", &nse)
        try coder.u16("max_sdu", &maxSDU)
        try coder.u16("max_pdu", &maxPDU)
        try coder.u8("phy", &phy, .bits(HCINames.phys))
        try coder.u8("packing", &packing, .code(HCINames.packing))
        try coder.u8("framing", &framing, .code(HCINames.framing))
        try coder.u8("bn", &bn)
        try coder.u8("irc", &irc)
        try coder.u8("pto", &pto)
        try coder.u8("encryption", &encryption, .code(HCINames.enable))
        try coder.octets("broadcast_code", &broadcastCode, count: 16, .secret)
    }
}

/// Ends a group of broadcast isochronous streams.
///
/// HCI_LE_Terminate_BIG command. Source: Vol 4, Part E, 7.8.105.
public struct LETerminateBIG: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x206A) }
    public typealias ReturnParameters = HCINoReturn

    public var bigHandle: UInt8 = 0
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("big_handle", &bigHandle, .handle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// The number of a BIS in its BIG, 1 to 31.
///
/// Source: Vol 4, Part E, 7.8.106.
public struct LEBISIndex: PDUFields, Equatable {
    public var bis: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("bis", &bis)
    }
}

/// Starts to listen to broadcast isochronous streams.
///
/// HCI_LE_BIG_Create_Sync command. Source: Vol 4, Part E, 7.8.106.
public struct LEBIGCreateSync: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x206B) }
    public typealias ReturnParameters = HCINoReturn

    public var bigHandle: UInt8 = 0
    public var syncHandle: UInt16 = 0
    public var encryption: UInt8 = 0
    /// 16 octets, least significant first; never to be shown.
    public var broadcastCode: [UInt8] = []
    public var mse: UInt8 = 0
    /// In units of 10 ms.
    public var bigSyncTimeout: UInt16 = 0
    public var bis: [LEBISIndex] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("big_handle", &bigHandle, .handle)
        try coder.u16("sync_handle", &syncHandle, .handle)
        try coder.u8("encryption", &encryption, .code(HCINames.enable))
        try coder.octets("broadcast_code", &broadcastCode, count: 16, .secret)
        try coder.u8("mse", &mse)
        try coder.u16("big_sync_timeout", &bigSyncTimeout, .steps(nanoseconds: 10_000_000))
        try coder.counted("num_bis", "bis", &bis)
    }
}

/// HCI_LE_BIG_Terminate_Sync command.
///
/// Source: Vol 4, Part E, 7.8.107.
public struct LEBIGTerminateSync: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x206C) }

    public var bigHandle: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("big_handle", &bigHandle, .handle)
    }
}

extension LEBIGTerminateSync {
    /// What the controller returns for ``LEBIGTerminateSync``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var bigHandle: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("big_handle", &bigHandle, .handle)
        }
    }
}
