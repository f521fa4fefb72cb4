public import WireBytes

/// Tells where the audio of a stream comes from or goes to, and how it is coded.
///
/// HCI_LE_Setup_ISO_Data_Path command. Source: Vol 4, Part E, 7.8.109.
public struct LESetupISODataPath: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x206E) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var dataPathDirection: UInt8 = 0
    public var dataPathID: UInt8 = 0
    public var codingFormat: UInt8 = 0
    public var companyIdentifier: UInt16 = 0
    public var vendorCodecID: UInt16 = 0
    /// In microseconds.
    public var controllerDelay: UInt32 = 0
    public var codecConfiguration: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("data_path_direction", &dataPathDirection, .code(HCINames.dataPathDirection))
        try coder.u8("data_path_id", &dataPathID, .code(HCINames.dataPathID))
        try coder.u8("coding_format", &codingFormat, .code(HCINames.codingFormat))
        try coder.u16("company_identifier", &companyIdentifier, .company)
        try coder.u16("vendor_codec_id", &vendorCodecID, .hex)
        try coder.u24("controller_delay", &controllerDelay, .steps(nanoseconds: 1_000))
        try coder.sizedOctets("codec_configuration_length", "codec_configuration", &codecConfiguration)
    }
}

/// HCI_LE_Remove_ISO_Data_Path command.
///
/// Source: Vol 4, Part E, 7.8.110.
public struct LERemoveISODataPath: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x206F) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var dataPathDirection: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("data_path_direction", &dataPathDirection, .bits(HCINames.dataPathDirections))
    }
}

/// HCI_LE_ISO_Transmit_Test command.
///
/// Source: Vol 4, Part E, 7.8.111.
public struct LEISOTransmitTest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2070) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var payloadType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("payload_type", &payloadType, .code(HCINames.isoTestPayload))
    }
}

/// HCI_LE_ISO_Receive_Test command.
///
/// Source: Vol 4, Part E, 7.8.112.
public struct LEISOReceiveTest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2071) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    public var payloadType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("payload_type", &payloadType, .code(HCINames.isoTestPayload))
    }
}

/// HCI_LE_ISO_Read_Test_Counters command.
///
/// Source: Vol 4, Part E, 7.8.113.
public struct LEISOReadTestCounters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2072) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension LEISOReadTestCounters {
    /// What the controller returns for ``LEISOReadTestCounters``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var receivedSDUCount: UInt32 = 0
        public var missedSDUCount: UInt32 = 0
        public var failedSDUCount: UInt32 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u32("received_sdu_count", &receivedSDUCount)
            try coder.u32("missed_sdu_count", &missedSDUCount)
            try coder.u32("failed_sdu_count", &failedSDUCount)
        }
    }
}

/// HCI_LE_ISO_Test_End command.
///
/// Source: Vol 4, Part E, 7.8.114.
public struct LEISOTestEnd: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2073) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension LEISOTestEnd {
    /// What the controller returns for ``LEISOTestEnd``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var receivedSDUCount: UInt32 = 0
        public var missedSDUCount: UInt32 = 0
        public var failedSDUCount: UInt32 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u32("received_sdu_count", &receivedSDUCount)
            try coder.u32("missed_sdu_count", &missedSDUCount)
            try coder.u32("failed_sdu_count", &failedSDUCount)
        }
    }
}

/// HCI_LE_Read_ISO_Link_Quality command.
///
/// Source: Vol 4, Part E, 7.8.116.
public struct LEReadISOLinkQuality: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2075) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension LEReadISOLinkQuality {
    /// What the controller returns for ``LEReadISOLinkQuality``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var txUnackedPackets: UInt32 = 0
        public var txFlushedPackets: UInt32 = 0
        public var txLastSubeventPackets: UInt32 = 0
        public var retransmittedPackets: UInt32 = 0
        public var crcErrorPackets: UInt32 = 0
        public var rxUnreceivedPackets: UInt32 = 0
        public var duplicatePackets: UInt32 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u32("tx_unacked_packets", &txUnackedPackets)
            try coder.u32("tx_flushed_packets", &txFlushedPackets)
            try coder.u32("tx_last_subevent_packets", &txLastSubeventPackets)
            try coder.u32("retransmitted_packets", &retransmittedPackets)
            try coder.u32("crc_error_packets", &crcErrorPackets)
            try coder.u32("rx_unreceived_packets", &rxUnreceivedPackets)
            try coder.u32("duplicate_packets", &duplicatePackets)
        }
    }
}
