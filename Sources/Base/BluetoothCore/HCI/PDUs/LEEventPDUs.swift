public import WireBytes

/// Reports that a connection was established or failed; sent by older controllers.
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
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u8("role", &role)
        try coder.u8("peer_address_type", &peerAddressType)
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.u16("connection_interval", &connectionInterval)
        try coder.u16("peripheral_latency", &peripheralLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout)
        try coder.u8("central_clock_accuracy", &centralClockAccuracy)
    }
}

/// Reports that the parameters of a connection changed, or could not be changed.
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
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u16("connection_interval", &connectionInterval)
        try coder.u16("peripheral_latency", &peripheralLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout)
    }
}

/// Reports the peer's LE features, or that they could not be read.
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
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u64("le_features", &leFeatures)
    }
}

/// Reports that the peer requests other connection parameters.
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
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u16("interval_min", &intervalMin)
        try coder.u16("interval_max", &intervalMax)
        try coder.u16("max_latency", &maxLatency)
        try coder.u16("timeout", &timeout)
    }
}

/// Reports that the length of Link Layer payloads on a connection changed.
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
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u16("max_tx_octets", &maxTxOctets)
        try coder.u16("max_tx_time", &maxTxTime)
        try coder.u16("max_rx_octets", &maxRxOctets)
        try coder.u16("max_rx_time", &maxRxTime)
    }
}

/// Reports that a connection was established or failed, with the resolvable private addresses in use.
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
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u8("role", &role)
        try coder.u8("peer_address_type", &peerAddressType)
        peerAddress.kind = DeviceAddress.Kind(hciType: peerAddressType)
        try coder.address("peer_address", &peerAddress)
        try coder.address("local_resolvable_private_address", &localResolvablePrivateAddress)
        try coder.address("peer_resolvable_private_address", &peerResolvablePrivateAddress)
        try coder.u16("connection_interval", &connectionInterval)
        try coder.u16("peripheral_latency", &peripheralLatency)
        try coder.u16("supervision_timeout", &supervisionTimeout)
        try coder.u8("central_clock_accuracy", &centralClockAccuracy)
    }
}

/// One advertisement of a legacy report.
///
/// Source: Vol 4, Part E, 7.7.65.2.
@frozen
public struct LEAdvertisingReportItem: PDUFields, Equatable {
    public var eventType: UInt8 = 0
    public var addressType: UInt8 = 0
    public var address = DeviceAddress(0)
    public var data: [UInt8] = []
    /// In dBm; 127 if not available.
    public var rssi: Int8 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("event_type", &eventType)
        try coder.u8("address_type", &addressType)
        address.kind = DeviceAddress.Kind(hciType: addressType)
        try coder.address("address", &address)
        try coder.sizedOctets("data_length", "data", &data, .advertising)
        try coder.i8("rssi", &rssi)
    }
}

/// Reports received advertisements, from legacy PDUs only.
///
/// HCI_LE_Advertising_Report event. Source: Vol 4, Part E, 7.7.65.2.
@frozen
public struct LEAdvertisingReport: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x02) }

    public var reports: [LEAdvertisingReportItem] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_reports", "reports", &reports)
    }
}

/// Reports that the central requests encryption with the key that EDIV and Rand identify.
///
/// HCI_LE_Long_Term_Key_Request event. Source: Vol 4, Part E, 7.7.65.5.
public struct LELongTermKeyRequest: LEEvent {
    @inlinable public static var subeventCode: LESubeventCode { LESubeventCode(rawValue: 0x05) }

    public var connectionHandle: UInt16 = 0
    public var randomNumber: UInt64 = 0
    public var encryptedDiversifier: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u64("random_number", &randomNumber)
        try coder.u16("encrypted_diversifier", &encryptedDiversifier)
    }
}
