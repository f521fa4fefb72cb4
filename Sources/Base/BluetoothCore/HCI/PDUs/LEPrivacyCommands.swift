public import WireBytes

/// Removes a peer's keys from the controller.
///
/// HCI_LE_Remove_Device_From_Resolving_List command. Source: Vol 4, Part E, 7.8.39.
public struct LERemoveDeviceFromResolvingList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2028) }
    public typealias ReturnParameters = HCIStatusReturn

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType)
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
    }
}

/// Empties the resolving list.
///
/// HCI_LE_Clear_Resolving_List command. Source: Vol 4, Part E, 7.8.40.
public struct LEClearResolvingList: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2029) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
}

/// Reads the number of devices that the resolving list can hold.
///
/// HCI_LE_Read_Resolving_List_Size command. Source: Vol 4, Part E, 7.8.41.
public struct LEReadResolvingListSize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202A) }
    public init() {}
}

extension LEReadResolvingListSize {
    /// Return parameters of ``LEReadResolvingListSize``.
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

/// Reads the private address in use by a listed peer.
///
/// HCI_LE_Read_Peer_Resolvable_Address command. Source: Vol 4, Part E, 7.8.42.
public struct LEReadPeerResolvableAddress: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202B) }

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType)
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
    }
}

extension LEReadPeerResolvableAddress {
    /// Return parameters of ``LEReadPeerResolvableAddress``.
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

/// Reads the private address that the controller uses towards a listed peer.
///
/// HCI_LE_Read_Local_Resolvable_Address command. Source: Vol 4, Part E, 7.8.43.
public struct LEReadLocalResolvableAddress: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202C) }

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType)
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
    }
}

extension LEReadLocalResolvableAddress {
    /// Return parameters of ``LEReadLocalResolvableAddress``.
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

/// Turns the controller's resolution of private addresses on or off.
///
/// HCI_LE_Set_Address_Resolution_Enable command. Source: Vol 4, Part E, 7.8.44.
public struct LESetAddressResolutionEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202D) }
    public typealias ReturnParameters = HCIStatusReturn

    public var addressResolutionEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("address_resolution_enable", &addressResolutionEnable)
    }
}

/// Sets the time that the controller uses a private address that it generated.
///
/// HCI_LE_Set_Resolvable_Private_Address_Timeout command. Source: Vol 4, Part E, 7.8.45.
public struct LESetResolvablePrivateAddressTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202E) }
    public typealias ReturnParameters = HCIStatusReturn

    /// Seconds, 1 to 3600.
    public var rpaTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("rpa_timeout", &rpaTimeout)
    }
}

/// Sets whether packets from a listed peer's identity address are accepted too.
///
/// HCI_LE_Set_Privacy_Mode command. Source: Vol 4, Part E, 7.8.77.
public struct LESetPrivacyMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x204E) }
    public typealias ReturnParameters = HCIStatusReturn

    public var peerIdentityAddressType: UInt8 = 0
    public var peerIdentityAddress = DeviceAddress(0)
    /// 0 network privacy: only private addresses; 1 device privacy: the identity address too.
    public var privacyMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("peer_identity_address_type", &peerIdentityAddressType)
        peerIdentityAddress.kind = DeviceAddress.Kind(hciType: peerIdentityAddressType)
        try coder.address("peer_identity_address", &peerIdentityAddress)
        try coder.u8("privacy_mode", &privacyMode)
    }
}
