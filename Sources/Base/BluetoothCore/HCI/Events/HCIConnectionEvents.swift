public import WireBytes

/// A BR/EDR connection was made, or could not be.
///
/// HCI_Connection_Complete event. Source: Vol 4, Part E, 7.7.3.
public struct HCIConnectionComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x03) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var bdAddr = DeviceAddress(0, .public)
    public var linkType: UInt8 = 0
    public var encryptionEnabled: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("link_type", &linkType, .code(HCINames.linkType))
        try coder.u8("encryption_enabled", &encryptionEnabled, .code(HCINames.enable))
    }
}

/// A BR/EDR device asks for a connection.
///
/// HCI_Connection_Request event. Source: Vol 4, Part E, 7.7.4.
public struct HCIConnectionRequest: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x04) }

    public var bdAddr = DeviceAddress(0, .public)
    public var classOfDevice: UInt32 = 0
    public var linkType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u24("class_of_device", &classOfDevice, .hex)
        try coder.u8("link_type", &linkType, .code(HCINames.linkType))
    }
}

/// A connection ended, or could not be ended.
///
/// HCI_Disconnection_Complete event. Source: Vol 4, Part E, 7.7.5.
@frozen
public struct HCIDisconnectionComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x05) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var reason: HCIStatus = .success

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// HCI_Synchronous_Connection_Complete event.
///
/// Source: Vol 4, Part E, 7.7.35.
public struct HCISynchronousConnectionComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x2C) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var bdAddr = DeviceAddress(0, .public)
    public var linkType: UInt8 = 0
    /// In units of 625 µs.
    public var transmissionInterval: UInt8 = 0
    /// In units of 625 µs.
    public var retransmissionWindow: UInt8 = 0
    public var rxPacketLength: UInt16 = 0
    public var txPacketLength: UInt16 = 0
    public var airMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("link_type", &linkType, .code(HCINames.linkType))
        try coder.u8("transmission_interval", &transmissionInterval, .steps(nanoseconds: 625_000))
        try coder.u8("retransmission_window", &retransmissionWindow, .steps(nanoseconds: 625_000))
        try coder.u16("rx_packet_length", &rxPacketLength)
        try coder.u16("tx_packet_length", &txPacketLength)
        try coder.u8("air_mode", &airMode, .code(HCINames.airMode))
    }
}

/// HCI_Synchronous_Connection_Changed event.
///
/// Source: Vol 4, Part E, 7.7.36.
public struct HCISynchronousConnectionChanged: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x2D) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    /// In units of 625 µs.
    public var transmissionInterval: UInt8 = 0
    /// In units of 625 µs.
    public var retransmissionWindow: UInt8 = 0
    public var rxPacketLength: UInt16 = 0
    public var txPacketLength: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("transmission_interval", &transmissionInterval, .steps(nanoseconds: 625_000))
        try coder.u8("retransmission_window", &retransmissionWindow, .steps(nanoseconds: 625_000))
        try coder.u16("rx_packet_length", &rxPacketLength)
        try coder.u16("tx_packet_length", &txPacketLength)
    }
}

/// Central and peripheral of a BR/EDR connection changed places, or could not.
///
/// HCI_Role_Change event. Source: Vol 4, Part E, 7.7.18.
public struct HCIRoleChange: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x12) }

    public var status: HCIStatus = .success
    public var bdAddr = DeviceAddress(0, .public)
    public var newRole: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("new_role", &newRole, .code(HCINames.role))
    }
}

/// A BR/EDR connection went into another mode.
///
/// HCI_Mode_Change event. Source: Vol 4, Part E, 7.7.20.
public struct HCIModeChange: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x14) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var currentMode: UInt8 = 0
    /// In units of 625 µs.
    public var interval: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("current_mode", &currentMode, .code(HCINames.mode))
        try coder.u16("interval", &interval, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Sniff_Subrating event.
///
/// Source: Vol 4, Part E, 7.7.37.
public struct HCISniffSubrating: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x2E) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    /// In units of 625 µs.
    public var maxTxLatency: UInt16 = 0
    /// In units of 625 µs.
    public var maxRxLatency: UInt16 = 0
    /// In units of 625 µs.
    public var minRemoteTimeout: UInt16 = 0
    /// In units of 625 µs.
    public var minLocalTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("max_tx_latency", &maxTxLatency, .steps(nanoseconds: 625_000))
        try coder.u16("max_rx_latency", &maxRxLatency, .steps(nanoseconds: 625_000))
        try coder.u16("min_remote_timeout", &minRemoteTimeout, .steps(nanoseconds: 625_000))
        try coder.u16("min_local_timeout", &minLocalTimeout, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Max_Slots_Change event.
///
/// Source: Vol 4, Part E, 7.7.27.
public struct HCIMaxSlotsChange: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x1B) }

    public var connectionHandle: UInt16 = 0
    public var lmpMaxSlots: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("lmp_max_slots", &lmpMaxSlots)
    }
}

/// HCI_Connection_Packet_Type_Changed event.
///
/// Source: Vol 4, Part E, 7.7.29.
public struct HCIConnectionPacketTypeChanged: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x1D) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var packetType: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("packet_type", &packetType, .hex)
    }
}

/// HCI_QoS_Setup_Complete event.
///
/// Source: Vol 4, Part E, 7.7.13.
public struct HCIQoSSetupComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x0D) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var unused: UInt8 = 0
    public var serviceType: UInt8 = 0
    public var tokenRate: UInt32 = 0
    public var peakBandwidth: UInt32 = 0
    /// In microseconds.
    public var latency: UInt32 = 0
    /// In microseconds.
    public var delayVariation: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("unused", &unused)
        try coder.u8("service_type", &serviceType, .code(HCINames.serviceType))
        try coder.u32("token_rate", &tokenRate)
        try coder.u32("peak_bandwidth", &peakBandwidth)
        try coder.u32("latency", &latency, .steps(nanoseconds: 1_000))
        try coder.u32("delay_variation", &delayVariation, .steps(nanoseconds: 1_000))
    }
}

/// HCI_QoS_Violation event.
///
/// Source: Vol 4, Part E, 7.7.30.
public struct HCIQoSViolation: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x1E) }

    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
    }
}

/// HCI_Flow_Specification_Complete event.
///
/// Source: Vol 4, Part E, 7.7.32.
public struct HCIFlowSpecificationComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x21) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var unused: UInt8 = 0
    public var flowDirection: UInt8 = 0
    public var serviceType: UInt8 = 0
    public var tokenRate: UInt32 = 0
    public var tokenBucketSize: UInt32 = 0
    public var peakBandwidth: UInt32 = 0
    /// In microseconds.
    public var accessLatency: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("unused", &unused)
        try coder.u8("flow_direction", &flowDirection, .code(HCINames.flowDirection))
        try coder.u8("service_type", &serviceType, .code(HCINames.serviceType))
        try coder.u32("token_rate", &tokenRate)
        try coder.u32("token_bucket_size", &tokenBucketSize)
        try coder.u32("peak_bandwidth", &peakBandwidth)
        try coder.u32("access_latency", &accessLatency, .steps(nanoseconds: 1_000))
    }
}

/// HCI_Link_Supervision_Timeout_Changed event.
///
/// Source: Vol 4, Part E, 7.7.46.
public struct HCILinkSupervisionTimeoutChanged: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x38) }

    public var connectionHandle: UInt16 = 0
    /// In units of 625 µs.
    public var linkSupervisionTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("link_supervision_timeout", &linkSupervisionTimeout, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Authenticated_Payload_Timeout_Expired event.
///
/// Source: Vol 4, Part E, 7.7.75.
public struct HCIAuthenticatedPayloadTimeoutExpired: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x57) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_Read_Clock_Offset_Complete event.
///
/// Source: Vol 4, Part E, 7.7.28.
public struct HCIReadClockOffsetComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x1C) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var clockOffset: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("clock_offset", &clockOffset, .hex)
    }
}

/// HCI_Read_Remote_Supported_Features_Complete event.
///
/// Source: Vol 4, Part E, 7.7.11.
public struct HCIReadRemoteSupportedFeaturesComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x0B) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var lmpFeatures: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u64("lmp_features", &lmpFeatures, .bits(HCINames.lmpFeatures))
    }
}

/// HCI_Read_Remote_Extended_Features_Complete event.
///
/// Source: Vol 4, Part E, 7.7.34.
public struct HCIReadRemoteExtendedFeaturesComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x23) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var pageNumber: UInt8 = 0
    public var maximumPageNumber: UInt8 = 0
    public var extendedLMPFeatures: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("page_number", &pageNumber)
        try coder.u8("maximum_page_number", &maximumPageNumber)
        try coder.u64("extended_lmp_features", &extendedLMPFeatures, .hex)
    }
}

/// The version and the maker of the peer's controller are known, or could not be read.
///
/// HCI_Read_Remote_Version_Information_Complete event. Source: Vol 4, Part E, 7.7.12.
public struct HCIReadRemoteVersionInformationComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x0C) }

    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0
    public var version: UInt8 = 0
    public var companyIdentifier: UInt16 = 0
    public var subversion: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("version", &version, .code(HCINames.version))
        try coder.u16("company_identifier", &companyIdentifier, .company)
        try coder.u16("subversion", &subversion, .hex)
    }
}
