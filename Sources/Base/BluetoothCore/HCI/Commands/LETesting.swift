public import WireBytes

/// HCI_LE_Receiver_Test_[v1] command.
///
/// Source: Vol 4, Part E, 7.8.28.
public struct LEReceiverTest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x201D) }
    public typealias ReturnParameters = HCIStatusReturn

    public var rxChannel: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("rx_channel", &rxChannel)
    }
}

/// HCI_LE_Transmitter_Test_[v1] command.
///
/// Source: Vol 4, Part E, 7.8.29.
public struct LETransmitterTest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x201E) }
    public typealias ReturnParameters = HCIStatusReturn

    public var txChannel: UInt8 = 0
    public var testDataLength: UInt8 = 0
    public var packetPayload: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("tx_channel", &txChannel)
        try coder.u8("test_data_length", &testDataLength)
        try coder.u8("packet_payload", &packetPayload, .code(HCINames.testPayload))
    }
}

/// HCI_LE_Test_End command.
///
/// Source: Vol 4, Part E, 7.8.30.
public struct LETestEnd: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x201F) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LETestEnd {
    /// What the controller returns for ``LETestEnd``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var numPackets: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("num_packets", &numPackets)
        }
    }
}

/// HCI_LE_Receiver_Test_[v2] command.
///
/// Source: Vol 4, Part E, 7.8.28.
public struct LEReceiverTestV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2033) }
    public typealias ReturnParameters = HCIStatusReturn

    public var rxChannel: UInt8 = 0
    public var phy: UInt8 = 0
    public var modulationIndex: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("rx_channel", &rxChannel)
        try coder.u8("phy", &phy, .code(HCINames.phy))
        try coder.u8("modulation_index", &modulationIndex, .code(HCINames.modulationIndex))
    }
}

/// HCI_LE_Transmitter_Test_[v2] command.
///
/// Source: Vol 4, Part E, 7.8.29.
public struct LETransmitterTestV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2034) }
    public typealias ReturnParameters = HCIStatusReturn

    public var txChannel: UInt8 = 0
    public var testDataLength: UInt8 = 0
    public var packetPayload: UInt8 = 0
    public var phy: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("tx_channel", &txChannel)
        try coder.u8("test_data_length", &testDataLength)
        try coder.u8("packet_payload", &packetPayload, .code(HCINames.testPayload))
        try coder.u8("phy", &phy, .code(HCINames.testPHY))
    }
}

/// HCI_LE_Receiver_Test_[v3] command.
///
/// Source: Vol 4, Part E, 7.8.28.
public struct LEReceiverTestV3: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x204F) }
    public typealias ReturnParameters = HCIStatusReturn

    public var rxChannel: UInt8 = 0
    public var phy: UInt8 = 0
    public var modulationIndex: UInt8 = 0
    /// In units of 8 µs.
    public var expectedCTELength: UInt8 = 0
    public var expectedCTEType: UInt8 = 0
    public var slotDurations: UInt8 = 0
    public var antennas: [LEAntennaID] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("rx_channel", &rxChannel)
        try coder.u8("phy", &phy, .code(HCINames.phy))
        try coder.u8("modulation_index", &modulationIndex, .code(HCINames.modulationIndex))
        try coder.u8("expected_cte_length", &expectedCTELength, .steps(nanoseconds: 8_000))
        try coder.u8("expected_cte_type", &expectedCTEType, .code(HCINames.cteType))
        try coder.u8("slot_durations", &slotDurations, .code(HCINames.slotDurations))
        try coder.counted("switching_pattern_length", "antennas", &antennas)
    }
}

/// HCI_LE_Transmitter_Test_[v3] command.
///
/// Source: Vol 4, Part E, 7.8.29.
public struct LETransmitterTestV3: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2050) }
    public typealias ReturnParameters = HCIStatusReturn

    public var txChannel: UInt8 = 0
    public var testDataLength: UInt8 = 0
    public var packetPayload: UInt8 = 0
    public var phy: UInt8 = 0
    /// In units of 8 µs.
    public var cteLength: UInt8 = 0
    public var cteType: UInt8 = 0
    public var antennas: [LEAntennaID] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("tx_channel", &txChannel)
        try coder.u8("test_data_length", &testDataLength)
        try coder.u8("packet_payload", &packetPayload, .code(HCINames.testPayload))
        try coder.u8("phy", &phy, .code(HCINames.testPHY))
        try coder.u8("cte_length", &cteLength, .steps(nanoseconds: 8_000))
        try coder.u8("cte_type", &cteType, .code(HCINames.cteType))
        try coder.counted("switching_pattern_length", "antennas", &antennas)
    }
}

/// HCI_LE_Transmitter_Test_[v4] command.
///
/// Source: Vol 4, Part E, 7.8.29.
public struct LETransmitterTestV4: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x207B) }
    public typealias ReturnParameters = HCIStatusReturn

    public var txChannel: UInt8 = 0
    public var testDataLength: UInt8 = 0
    public var packetPayload: UInt8 = 0
    public var phy: UInt8 = 0
    /// In units of 8 µs.
    public var cteLength: UInt8 = 0
    public var cteType: UInt8 = 0
    public var antennas: [LEAntennaID] = []
    /// In dBm.
    public var txPowerLevel: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("tx_channel", &txChannel)
        try coder.u8("test_data_length", &testDataLength)
        try coder.u8("packet_payload", &packetPayload, .code(HCINames.testPayload))
        try coder.u8("phy", &phy, .code(HCINames.testPHY))
        try coder.u8("cte_length", &cteLength, .steps(nanoseconds: 8_000))
        try coder.u8("cte_type", &cteType, .code(HCINames.cteType))
        try coder.counted("switching_pattern_length", "antennas", &antennas)
        try coder.i8("tx_power_level", &txPowerLevel, .dBm)
    }
}
