public import WireBytes

/// Asks the controller for a random number.
///
/// HCI_LE_Rand command. Source: Vol 4, Part E, 7.8.23.
public struct LERand: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2018) }
    public init() {}
}

extension LERand {
    /// Return parameters of ``LERand``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// Hosts derive the keys and nonces of pairing from it; never show it.
        public var randomNumber: UInt64 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u64("random_number", &randomNumber, .secret)
        }
    }
}

/// Starts or restarts encryption as the central, with the key that EDIV and Rand identify.
///
/// HCI_LE_Enable_Encryption command. Source: Vol 4, Part E, 7.8.24.
public struct LEEnableEncryption: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2019) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var randomNumber: UInt64 = 0
    public var encryptedDiversifier: UInt16 = 0
    /// 16 bytes, least significant first; never show it.
    public var longTermKey: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u64("random_number", &randomNumber)
        try coder.u16("encrypted_diversifier", &encryptedDiversifier)
        try coder.octets("long_term_key", &longTermKey, count: 16, .secret)
    }
}

/// Returns the key for the encryption that the central requested.
///
/// HCI_LE_Long_Term_Key_Request_Reply command. Source: Vol 4, Part E, 7.8.25.
public struct LELongTermKeyRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x201A) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    /// 16 bytes, least significant first; never show it.
    public var longTermKey: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.octets("long_term_key", &longTermKey, count: 16, .secret)
    }
}

/// Reports that no key exists for the encryption that the central requested.
///
/// HCI_LE_Long_Term_Key_Request_Negative_Reply command. Source: Vol 4, Part E, 7.8.26.
public struct LELongTermKeyRequestNegativeReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x201B) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
    }
}

/// Gives the controller the keys to resolve a peer's private addresses and to generate its own.
///
/// HCI_LE_Add_Device_To_Resolving_List command. Source: Vol 4, Part E, 7.8.38.
public struct LEAddDeviceToResolvingList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2027) }
    public typealias ReturnParameters = HCIStatusReturn

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)
    /// 16 bytes, least significant first; never show it.
    public var peerIRK: [UInt8] = []
    /// 16 bytes, least significant first; never show it.
    public var localIRK: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType)
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
        try coder.octets("peer_irk", &peerIRK, count: 16, .secret)
        try coder.octets("local_irk", &localIRK, count: 16, .secret)
    }
}
