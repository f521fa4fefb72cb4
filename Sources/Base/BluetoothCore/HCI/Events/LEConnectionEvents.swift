public import WireBytes

/// A connection was made, or could not be; old controllers send this one.
///
/// HCI_LE_Connection_Complete event. Source: Vol 4, Part E, 7.7.65.1.
@frozen
public struct LEConnectionComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x01) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var role: UInt8 = 0
    public var peerAddressType: UInt8 = 0
    public var peerAddress = DeviceAddress(0)
    /// In units of 1.25 ms.
    public var connectionInterval: UInt16 = 0
    public var peripheralLatency: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0
    public var centralClockAccuracy: UInt8 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("role", &role, .code(HCINames.role))
        try coder.u8("peer_address_type", &peerAddressType, .code(HCINames.addressType))
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.u16("connection_interval", &connectionInterval, .steps(nanoseconds: 1_250_000))
        try coder.u16("peripheral_latency", &peripheralLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
        try coder.u8("central_clock_accuracy", &centralClockAccuracy, .code(HCINames.clockAccuracy))
    }
}

/// The parameters of a connection changed, or could not be changed.
///
/// HCI_LE_Connection_Update_Complete event. Source: Vol 4, Part E, 7.7.65.3.
@frozen
public struct LEConnectionUpdateComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x03) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    /// In units of 1.25 ms.
    public var connectionInterval: UInt16 = 0
    public var peripheralLatency: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("connection_interval", &connectionInterval, .steps(nanoseconds: 1_250_000))
        try coder.u16("peripheral_latency", &peripheralLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
    }
}

/// The peer's LE features are known, or could not be read.
///
/// HCI_LE_Read_Remote_Features_Page_0_Complete event. Source: Vol 4, Part E, 7.7.65.4.
public struct LEReadRemoteFeaturesComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x04) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var leFeatures: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u64("le_features", &leFeatures, .bits(HCINames.leFeatures))
    }
}

/// The central wants to encrypt, and the controller needs the key.
///
/// HCI_LE_Long_Term_Key_Request event. Source: Vol 4, Part E, 7.7.65.5.
public struct LELongTermKeyRequest: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x05) }

    public var connectionHandle: UInt16 = 0
    public var randomNumber: UInt64 = 0
    public var encryptedDiversifier: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u64("random_number", &randomNumber, .hex)
        try coder.u16("encrypted_diversifier", &encryptedDiversifier, .hex)
    }
}

/// The peer asks for other connection parameters.
///
/// HCI_LE_Remote_Connection_Parameter_Request event. Source: Vol 4, Part E, 7.7.65.6.
public struct LERemoteConnectionParameterRequest: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x06) }

    public var connectionHandle: UInt16 = 0
    /// In units of 1.25 ms.
    public var intervalMin: UInt16 = 0
    /// In units of 1.25 ms.
    public var intervalMax: UInt16 = 0
    public var maxLatency: UInt16 = 0
    /// In units of 10 ms.
    public var timeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("interval_min", &intervalMin, .steps(nanoseconds: 1_250_000))
        try coder.u16("interval_max", &intervalMax, .steps(nanoseconds: 1_250_000))
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("timeout", &timeout, .steps(nanoseconds: 10_000_000))
    }
}

/// The length of LL payloads on a connection changed.
///
/// HCI_LE_Data_Length_Change event. Source: Vol 4, Part E, 7.7.65.7.
public struct LEDataLengthChange: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x07) }

    public var connectionHandle: UInt16 = 0
    public var maxTxOctets: UInt16 = 0
    /// In microseconds.
    public var maxTxTime: UInt16 = 0
    public var maxRxOctets: UInt16 = 0
    /// In microseconds.
    public var maxRxTime: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("max_tx_octets", &maxTxOctets)
        try coder.u16("max_tx_time", &maxTxTime, .steps(nanoseconds: 1_000))
        try coder.u16("max_rx_octets", &maxRxOctets)
        try coder.u16("max_rx_time", &maxRxTime, .steps(nanoseconds: 1_000))
    }
}

/// A key pair was made.
///
/// HCI_LE_Read_Local_P-256_Public_Key_Complete event. Source: Vol 4, Part E, 7.7.65.8.
public struct LEReadLocalP256PublicKeyComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x08) }

    public var status: HCIStatus = .success
    /// 32 octets, least significant first.
    public var keyXCoordinate: [UInt8] = []
    /// 32 octets, least significant first.
    public var keyYCoordinate: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.octets("key_x_coordinate", &keyXCoordinate, count: 32)
        try coder.octets("key_y_coordinate", &keyYCoordinate, count: 32)
    }
}

/// A Diffie-Hellman key was made.
///
/// HCI_LE_Generate_DH_Key_Complete event. Source: Vol 4, Part E, 7.7.65.9.
public struct LEGenerateDHKeyComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x09) }

    public var status: HCIStatus = .success
    /// 32 octets, least significant first; never to be shown.
    public var dhkey: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.octets("dhkey", &dhkey, count: 32, .secret)
    }
}

/// A connection was made, or could not be, with the resolvable private addresses in use.
///
/// HCI_LE_Enhanced_Connection_Complete_[v1] event. Source: Vol 4, Part E, 7.7.65.10.
@frozen
public struct LEEnhancedConnectionComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x0A) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var role: UInt8 = 0
    public var peerAddressType: UInt8 = 0
    public var peerAddress = DeviceAddress(0)
    public var localResolvablePrivateAddress = DeviceAddress(0, .random)
    public var peerResolvablePrivateAddress = DeviceAddress(0, .random)
    /// In units of 1.25 ms.
    public var connectionInterval: UInt16 = 0
    public var peripheralLatency: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0
    public var centralClockAccuracy: UInt8 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("role", &role, .code(HCINames.role))
        try coder.u8("peer_address_type", &peerAddressType, .code(HCINames.addressType))
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.address("local_resolvable_private_address", &localResolvablePrivateAddress)
        try coder.address("peer_resolvable_private_address", &peerResolvablePrivateAddress)
        try coder.u16("connection_interval", &connectionInterval, .steps(nanoseconds: 1_250_000))
        try coder.u16("peripheral_latency", &peripheralLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
        try coder.u8("central_clock_accuracy", &centralClockAccuracy, .code(HCINames.clockAccuracy))
    }
}

/// A connection was made, or could not be, also from periodic advertising with responses.
///
/// HCI_LE_Enhanced_Connection_Complete_[v2] event. Source: Vol 4, Part E, 7.7.65.10.
@frozen
public struct LEEnhancedConnectionCompleteV2: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x29) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var role: UInt8 = 0
    public var peerAddressType: UInt8 = 0
    public var peerAddress = DeviceAddress(0)
    public var localResolvablePrivateAddress = DeviceAddress(0, .random)
    public var peerResolvablePrivateAddress = DeviceAddress(0, .random)
    /// In units of 1.25 ms.
    public var connectionInterval: UInt16 = 0
    public var peripheralLatency: UInt16 = 0
    /// In units of 10 ms.
    public var supervisionTimeout: UInt16 = 0
    public var centralClockAccuracy: UInt8 = 0
    public var advertisingHandle: UInt8 = 0
    public var syncHandle: UInt16 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("role", &role, .code(HCINames.role))
        try coder.u8("peer_address_type", &peerAddressType, .code(HCINames.addressType))
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.address("local_resolvable_private_address", &localResolvablePrivateAddress)
        try coder.address("peer_resolvable_private_address", &peerResolvablePrivateAddress)
        try coder.u16("connection_interval", &connectionInterval, .steps(nanoseconds: 1_250_000))
        try coder.u16("peripheral_latency", &peripheralLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 10_000_000))
        try coder.u8("central_clock_accuracy", &centralClockAccuracy, .code(HCINames.clockAccuracy))
        try coder.u8("advertising_handle", &advertisingHandle, .handle)
        try coder.u16("sync_handle", &syncHandle, .handle)
    }
}

/// The PHYs of a connection changed, or could not be changed.
///
/// HCI_LE_PHY_Update_Complete event. Source: Vol 4, Part E, 7.7.65.12.
public struct LEPHYUpdateComplete: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x0C) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var txPHY: UInt8 = 0
    public var rxPHY: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("tx_phy", &txPHY, .code(HCINames.phy))
        try coder.u8("rx_phy", &rxPHY, .code(HCINames.phy))
    }
}

/// Tells how a new connection chooses its channels.
///
/// HCI_LE_Channel_Selection_Algorithm event. Source: Vol 4, Part E, 7.7.65.20.
public struct LEChannelSelectionAlgorithm: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x14) }

    public var connectionHandle: UInt16 = 0
    public var channelSelectionAlgorithm: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8(
            "channel_selection_algorithm", &channelSelectionAlgorithm, .code(HCINames.channelSelection))
    }
}
