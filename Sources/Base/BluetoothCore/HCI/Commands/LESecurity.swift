public import WireBytes

/// Enciphers one block; the key and the data are carried least significant octet first.
///
/// HCI_LE_Encrypt command. Source: Vol 4, Part E, 7.8.22.
public struct LEEncrypt: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2017) }

    /// 16 octets, least significant first; never to be shown.
    public var key: [UInt8] = []
    /// 16 octets, least significant first; never to be shown.
    public var plaintextData: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("key", &key, count: 16, .secret)
        try coder.octets("plaintext_data", &plaintextData, count: 16, .secret)
    }
}

extension LEEncrypt {
    /// What the controller returns for ``LEEncrypt``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// 16 octets, least significant first; never to be shown.
        public var encryptedData: [UInt8] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.octets("encrypted_data", &encryptedData, count: 16, .secret)
        }
    }
}

/// Asks the controller for a random number.
///
/// HCI_LE_Rand command. Source: Vol 4, Part E, 7.8.23.
public struct LERand: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2018) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LERand {
    /// What the controller returns for ``LERand``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// Hosts make the keys and nonces of pairing from it; never to be shown.
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
    /// 16 octets, least significant first; never to be shown.
    public var longTermKey: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u64("random_number", &randomNumber, .hex)
        try coder.u16("encrypted_diversifier", &encryptedDiversifier, .hex)
        try coder.octets("long_term_key", &longTermKey, count: 16, .secret)
    }
}

/// Gives the controller the key that the central asked to encrypt with.
///
/// HCI_LE_Long_Term_Key_Request_Reply command. Source: Vol 4, Part E, 7.8.25.
public struct LELongTermKeyRequestReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x201A) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    /// 16 octets, least significant first; never to be shown.
    public var longTermKey: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.octets("long_term_key", &longTermKey, count: 16, .secret)
    }
}

/// Tells the controller that there is no key for the central's EDIV and Rand.
///
/// HCI_LE_Long_Term_Key_Request_Negative_Reply command. Source: Vol 4, Part E, 7.8.26.
public struct LELongTermKeyRequestNegativeReply: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x201B) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// Makes a key pair and asks for its public key.
///
/// HCI_LE_Read_Local_P-256_Public_Key command. Source: Vol 4, Part E, 7.8.36.
public struct LEReadLocalP256PublicKey: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2025) }
    public typealias ReturnParameters = HCINoReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// Makes a Diffie-Hellman key from a peer's public key.
///
/// HCI_LE_Generate_DHKey_[v1] command. Source: Vol 4, Part E, 7.8.37.
public struct LEGenerateDHKey: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2026) }
    public typealias ReturnParameters = HCINoReturn

    /// 32 octets, least significant first.
    public var keyXCoordinate: [UInt8] = []
    /// 32 octets, least significant first.
    public var keyYCoordinate: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("key_x_coordinate", &keyXCoordinate, count: 32)
        try coder.octets("key_y_coordinate", &keyYCoordinate, count: 32)
    }
}

/// Makes a Diffie-Hellman key from a peer's public key, or with the debug key.
///
/// HCI_LE_Generate_DHKey_[v2] command. Source: Vol 4, Part E, 7.8.37.
public struct LEGenerateDHKeyV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x205E) }
    public typealias ReturnParameters = HCINoReturn

    /// 32 octets, least significant first.
    public var keyXCoordinate: [UInt8] = []
    /// 32 octets, least significant first.
    public var keyYCoordinate: [UInt8] = []
    public var keyType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("key_x_coordinate", &keyXCoordinate, count: 32)
        try coder.octets("key_y_coordinate", &keyYCoordinate, count: 32)
        try coder.u8("key_type", &keyType, .code(HCINames.dhKeyType))
    }
}

/// Gives the controller the keys to resolve a peer's private addresses and to make its own.
///
/// HCI_LE_Add_Device_To_Resolving_List command. Source: Vol 4, Part E, 7.8.38.
public struct LEAddDeviceToResolvingList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2027) }
    public typealias ReturnParameters = HCIStatusReturn

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)
    /// 16 octets, least significant first; never to be shown.
    public var peerIRK: [UInt8] = []
    /// 16 octets, least significant first; never to be shown.
    public var localIRK: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType, .code(HCINames.addressType))
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
        try coder.octets("peer_irk", &peerIRK, count: 16, .secret)
        try coder.octets("local_irk", &localIRK, count: 16, .secret)
    }
}

/// Takes back the keys of one peer.
///
/// HCI_LE_Remove_Device_From_Resolving_List command. Source: Vol 4, Part E, 7.8.39.
public struct LERemoveDeviceFromResolvingList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2028) }
    public typealias ReturnParameters = HCIStatusReturn

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType, .code(HCINames.addressType))
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
    }
}

/// Takes back the keys of all peers.
///
/// HCI_LE_Clear_Resolving_List command. Source: Vol 4, Part E, 7.8.40.
public struct LEClearResolvingList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2029) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_LE_Read_Resolving_List_Size command.
///
/// Source: Vol 4, Part E, 7.8.41.
public struct LEReadResolvingListSize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202A) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadResolvingListSize {
    /// What the controller returns for ``LEReadResolvingListSize``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var resolvingListSize: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("resolving_list_size", &resolvingListSize)
        }
    }
}

/// HCI_LE_Read_Peer_Resolvable_Address command.
///
/// Source: Vol 4, Part E, 7.8.42.
public struct LEReadPeerResolvableAddress: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202B) }

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType, .code(HCINames.addressType))
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
    }
}

extension LEReadPeerResolvableAddress {
    /// What the controller returns for ``LEReadPeerResolvableAddress``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var peerResolvableAddress = DeviceAddress(0, .random)

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.address("peer_resolvable_address", &peerResolvableAddress)
        }
    }
}

/// HCI_LE_Read_Local_Resolvable_Address command.
///
/// Source: Vol 4, Part E, 7.8.43.
public struct LEReadLocalResolvableAddress: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202C) }

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType, .code(HCINames.addressType))
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
    }
}

extension LEReadLocalResolvableAddress {
    /// What the controller returns for ``LEReadLocalResolvableAddress``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var localResolvableAddress = DeviceAddress(0, .random)

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.address("local_resolvable_address", &localResolvableAddress)
        }
    }
}

/// Starts or stops the resolving of private addresses in the controller.
///
/// HCI_LE_Set_Address_Resolution_Enable command. Source: Vol 4, Part E, 7.8.44.
public struct LESetAddressResolutionEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202D) }
    public typealias ReturnParameters = HCIStatusReturn

    public var addressResolutionEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_resolution_enable", &addressResolutionEnable, .code(HCINames.enable))
    }
}

/// Sets for how long the controller uses one resolvable private address.
///
/// HCI_LE_Set_Resolvable_Private_Address_Timeout_[v1] command. Source: Vol 4, Part E, 7.8.45.
public struct LESetResolvablePrivateAddressTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202E) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In seconds.
    public var rpaTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("rpa_timeout", &rpaTimeout, .steps(nanoseconds: 1_000_000_000))
    }
}

/// HCI_LE_Set_Resolvable_Private_Address_Timeout_[v2] command.
///
/// Source: Vol 4, Part E, 7.8.45.
public struct LESetResolvablePrivateAddressTimeoutV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x209E) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In seconds.
    public var rpaTimeoutMin: UInt16 = 0
    /// In seconds.
    public var rpaTimeoutMax: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("rpa_timeout_min", &rpaTimeoutMin, .steps(nanoseconds: 1_000_000_000))
        try coder.u16("rpa_timeout_max", &rpaTimeoutMax, .steps(nanoseconds: 1_000_000_000))
    }
}

/// Sets whether a peer in the resolving list may also use its identity address.
///
/// HCI_LE_Set_Privacy_Mode command. Source: Vol 4, Part E, 7.8.77.
public struct LESetPrivacyMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x204E) }
    public typealias ReturnParameters = HCIStatusReturn

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)
    public var privacyMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType, .code(HCINames.addressType))
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
        try coder.u8("privacy_mode", &privacyMode, .code(HCINames.privacyMode))
    }
}
