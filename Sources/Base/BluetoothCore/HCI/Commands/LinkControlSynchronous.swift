public import WireBytes

/// HCI_Setup_Synchronous_Connection command.
///
/// Source: Vol 4, Part E, 7.1.26.
public struct HCISetupSynchronousConnection: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0428) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var transmitBandwidth: UInt32 = 0
    public var receiveBandwidth: UInt32 = 0
    /// In milliseconds.
    public var maxLatency: UInt16 = 0
    public var voiceSetting: UInt16 = 0
    public var retransmissionEffort: UInt8 = 0
    public var packetType: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u32("transmit_bandwidth", &transmitBandwidth)
        try coder.u32("receive_bandwidth", &receiveBandwidth)
        try coder.u16("max_latency", &maxLatency, .steps(nanoseconds: 1_000_000))
        try coder.u16("voice_setting", &voiceSetting, .hex)
        try coder.u8("retransmission_effort", &retransmissionEffort, .code(HCINames.retransmissionEffort))
        try coder.u16("packet_type", &packetType, .bits(HCINames.synchronousPacketTypes))
    }
}

/// HCI_Accept_Synchronous_Connection_Request command.
///
/// Source: Vol 4, Part E, 7.1.27.
public struct HCIAcceptSynchronousConnectionRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0429) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var transmitBandwidth: UInt32 = 0
    public var receiveBandwidth: UInt32 = 0
    /// In milliseconds.
    public var maxLatency: UInt16 = 0
    public var voiceSetting: UInt16 = 0
    public var retransmissionEffort: UInt8 = 0
    public var packetType: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u32("transmit_bandwidth", &transmitBandwidth)
        try coder.u32("receive_bandwidth", &receiveBandwidth)
        try coder.u16("max_latency", &maxLatency, .steps(nanoseconds: 1_000_000))
        try coder.u16("voice_setting", &voiceSetting, .hex)
        try coder.u8("retransmission_effort", &retransmissionEffort, .code(HCINames.retransmissionEffort))
        try coder.u16("packet_type", &packetType, .bits(HCINames.synchronousPacketTypes))
    }
}

/// HCI_Reject_Synchronous_Connection_Request command.
///
/// Source: Vol 4, Part E, 7.1.28.
public struct HCIRejectSynchronousConnectionRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x042A) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// How a synchronous connection carries and codes audio.
///
/// Source: Vol 4, Part E, 7.1.45.
public struct HCISynchronousParameters: PDUFields, Equatable {
    public var transmitBandwidth: UInt32 = 0
    public var receiveBandwidth: UInt32 = 0
    public var transmitCodingFormat: UInt8 = 0
    public var transmitCompanyIdentifier: UInt16 = 0
    public var transmitVendorCodecID: UInt16 = 0
    public var receiveCodingFormat: UInt8 = 0
    public var receiveCompanyIdentifier: UInt16 = 0
    public var receiveVendorCodecID: UInt16 = 0
    public var transmitCodecFrameSize: UInt16 = 0
    public var receiveCodecFrameSize: UInt16 = 0
    public var inputBandwidth: UInt32 = 0
    public var outputBandwidth: UInt32 = 0
    public var inputCodingFormat: UInt8 = 0
    public var inputCompanyIdentifier: UInt16 = 0
    public var inputVendorCodecID: UInt16 = 0
    public var outputCodingFormat: UInt8 = 0
    public var outputCompanyIdentifier: UInt16 = 0
    public var outputVendorCodecID: UInt16 = 0
    public var inputCodedDataSize: UInt16 = 0
    public var outputCodedDataSize: UInt16 = 0
    public var inputPcmDataFormat: UInt8 = 0
    public var outputPcmDataFormat: UInt8 = 0
    public var inputPcmSamplePayloadMsbPosition: UInt8 = 0
    public var outputPcmSamplePayloadMsbPosition: UInt8 = 0
    public var inputDataPath: UInt8 = 0
    public var outputDataPath: UInt8 = 0
    public var inputTransportUnitSize: UInt8 = 0
    public var outputTransportUnitSize: UInt8 = 0
    /// In milliseconds.
    public var maxLatency: UInt16 = 0
    public var packetType: UInt16 = 0
    public var retransmissionEffort: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u32("transmit_bandwidth", &transmitBandwidth)
        try coder.u32("receive_bandwidth", &receiveBandwidth)
        try coder.u8("transmit_coding_format", &transmitCodingFormat, .code(HCINames.codingFormat))
        try coder.u16("transmit_company_identifier", &transmitCompanyIdentifier, .company)
        try coder.u16("transmit_vendor_codec_id", &transmitVendorCodecID, .hex)
        try coder.u8("receive_coding_format", &receiveCodingFormat, .code(HCINames.codingFormat))
        try coder.u16("receive_company_identifier", &receiveCompanyIdentifier, .company)
        try coder.u16("receive_vendor_codec_id", &receiveVendorCodecID, .hex)
        try coder.u16("transmit_codec_frame_size", &transmitCodecFrameSize)
        try coder.u16("receive_codec_frame_size", &receiveCodecFrameSize)
        try coder.u32("input_bandwidth", &inputBandwidth)
        try coder.u32("output_bandwidth", &outputBandwidth)
        try coder.u8("input_coding_format", &inputCodingFormat, .code(HCINames.codingFormat))
        try coder.u16("input_company_identifier", &inputCompanyIdentifier, .company)
        try coder.u16("input_vendor_codec_id", &inputVendorCodecID, .hex)
        try coder.u8("output_coding_format", &outputCodingFormat, .code(HCINames.codingFormat))
        try coder.u16("output_company_identifier", &outputCompanyIdentifier, .company)
        try coder.u16("output_vendor_codec_id", &outputVendorCodecID, .hex)
        try coder.u16("input_coded_data_size", &inputCodedDataSize)
        try coder.u16("output_coded_data_size", &outputCodedDataSize)
        try coder.u8("input_pcm_data_format", &inputPcmDataFormat, .code(HCINames.pcmFormat))
        try coder.u8("output_pcm_data_format", &outputPcmDataFormat, .code(HCINames.pcmFormat))
        try coder.u8("input_pcm_sample_payload_msb_position", &inputPcmSamplePayloadMsbPosition)
        try coder.u8("output_pcm_sample_payload_msb_position", &outputPcmSamplePayloadMsbPosition)
        try coder.u8("input_data_path", &inputDataPath, .code(HCINames.dataPathID))
        try coder.u8("output_data_path", &outputDataPath, .code(HCINames.dataPathID))
        try coder.u8("input_transport_unit_size", &inputTransportUnitSize)
        try coder.u8("output_transport_unit_size", &outputTransportUnitSize)
        try coder.u16("max_latency", &maxLatency, .steps(nanoseconds: 1_000_000))
        try coder.u16("packet_type", &packetType, .bits(HCINames.synchronousPacketTypes))
        try coder.u8("retransmission_effort", &retransmissionEffort, .code(HCINames.retransmissionEffort))
    }
}

/// HCI_Enhanced_Setup_Synchronous_Connection command.
///
/// Source: Vol 4, Part E, 7.1.45.
public struct HCIEnhancedSetupSynchronousConnection: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x043D) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var parameters = HCISynchronousParameters()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try parameters.code(&coder)
    }
}

/// HCI_Enhanced_Accept_Synchronous_Connection_Request command.
///
/// Source: Vol 4, Part E, 7.1.46.
public struct HCIEnhancedAcceptSynchronousConnectionRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x043E) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var parameters = HCISynchronousParameters()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try parameters.code(&coder)
    }
}

/// HCI_Truncated_Page command.
///
/// Source: Vol 4, Part E, 7.1.47.
public struct HCITruncatedPage: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x043F) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var pageScanRepetitionMode: UInt8 = 0
    public var clockOffset: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("page_scan_repetition_mode", &pageScanRepetitionMode, .code(HCINames.pageScanRepetition))
        try coder.u16("clock_offset", &clockOffset, .hex)
    }
}

/// HCI_Truncated_Page_Cancel command.
///
/// Source: Vol 4, Part E, 7.1.48.
public struct HCITruncatedPageCancel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0440) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// HCI_Set_Connectionless_Peripheral_Broadcast command.
///
/// Source: Vol 4, Part E, 7.1.49.
public struct HCISetConnectionlessPeripheralBroadcast: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0441) }

    public var enable: UInt8 = 0
    public var ltAddr: UInt8 = 0
    public var lpoAllowed: UInt8 = 0
    public var packetType: UInt16 = 0
    /// In units of 625 µs.
    public var intervalMin: UInt16 = 0
    /// In units of 625 µs.
    public var intervalMax: UInt16 = 0
    /// In units of 625 µs.
    public var supervisionTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("enable", &enable, .code(HCINames.enable))
        try coder.u8("lt_addr", &ltAddr)
        try coder.u8("lpo_allowed", &lpoAllowed)
        try coder.u16("packet_type", &packetType, .hex)
        try coder.u16("interval_min", &intervalMin, .steps(nanoseconds: 625_000))
        try coder.u16("interval_max", &intervalMax, .steps(nanoseconds: 625_000))
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 625_000))
    }
}

extension HCISetConnectionlessPeripheralBroadcast {
    /// What the controller returns for ``HCISetConnectionlessPeripheralBroadcast``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var ltAddr: UInt8 = 0
        /// In units of 625 µs.
        public var interval: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("lt_addr", &ltAddr)
            try coder.u16("interval", &interval, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Set_Connectionless_Peripheral_Broadcast_Receive command.
///
/// Source: Vol 4, Part E, 7.1.50.
public struct HCISetConnectionlessPeripheralBroadcastReceive: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0442) }

    public var enable: UInt8 = 0
    public var bdAddr = DeviceAddress(0, .public)
    public var ltAddr: UInt8 = 0
    /// In units of 625 µs.
    public var interval: UInt16 = 0
    public var clockOffset: UInt32 = 0
    public var nextConnectionlessPeripheralBroadcastClock: UInt32 = 0
    /// In units of 625 µs.
    public var supervisionTimeout: UInt16 = 0
    public var remoteTimingAccuracy: UInt8 = 0
    public var skip: UInt8 = 0
    public var packetType: UInt16 = 0
    /// 10 octets: a bit for each channel, from channel 0 in the lowest bit of the first.
    public var afhChannelMap: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("enable", &enable, .code(HCINames.enable))
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("lt_addr", &ltAddr)
        try coder.u16("interval", &interval, .steps(nanoseconds: 625_000))
        try coder.u32("clock_offset", &clockOffset)
        try coder.u32(
            "next_connectionless_peripheral_broadcast_clock", &nextConnectionlessPeripheralBroadcastClock)
        try coder.u16("supervision_timeout", &supervisionTimeout, .steps(nanoseconds: 625_000))
        try coder.u8("remote_timing_accuracy", &remoteTimingAccuracy)
        try coder.u8("skip", &skip)
        try coder.u16("packet_type", &packetType, .hex)
        try coder.octets("afh_channel_map", &afhChannelMap, count: 10)
    }
}

extension HCISetConnectionlessPeripheralBroadcastReceive {
    /// What the controller returns for ``HCISetConnectionlessPeripheralBroadcastReceive``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var bdAddr = DeviceAddress(0, .public)
        public var ltAddr: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.address("bd_addr", &bdAddr)
            try coder.u8("lt_addr", &ltAddr)
        }
    }
}

/// HCI_Start_Synchronization_Train command.
///
/// Source: Vol 4, Part E, 7.1.51.
public struct HCIStartSynchronizationTrain: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0443) }
    public typealias ReturnParameters = HCINoReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_Receive_Synchronization_Train command.
///
/// Source: Vol 4, Part E, 7.1.52.
public struct HCIReceiveSynchronizationTrain: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0444) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    /// In units of 625 µs.
    public var syncScanTimeout: UInt16 = 0
    /// In units of 625 µs.
    public var syncScanWindow: UInt16 = 0
    /// In units of 625 µs.
    public var syncScanInterval: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u16("sync_scan_timeout", &syncScanTimeout, .steps(nanoseconds: 625_000))
        try coder.u16("sync_scan_window", &syncScanWindow, .steps(nanoseconds: 625_000))
        try coder.u16("sync_scan_interval", &syncScanInterval, .steps(nanoseconds: 625_000))
    }
}
