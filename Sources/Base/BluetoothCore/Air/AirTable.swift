public import WireBytes

/// The PDUs of the LE link layer on the air.
public enum AirTable {
    /// Advertising physical channel PDUs by type, with the fields after the header.
    ///
    /// The fields of types 7 and 8 depend on bits (``ExtendedAdvertisingHeader``).
    ///
    /// Source: Core Specification, Vol 6, Part B, 2.3.
    static let advertising = PDUTable(
        trusting: """
            00 2.3.1.1 ADV_IND
            > AdvA:addr AdvData:*ad
            01 2.3.1.2 ADV_DIRECT_IND
            > AdvA:addr TargetA:addr
            02 2.3.1.3 ADV_NONCONN_IND
            > AdvA:addr AdvData:*ad
            03 2.3.2.1 SCAN_REQ
            > ScanA:addr AdvA:addr
            04 2.3.2.2 SCAN_RSP
            > AdvA:addr ScanRspData:*ad
            05 2.3.3.1 CONNECT_IND
            > InitA:addr AdvA:addr "Access Address":4x CRCInit:3x WinSize:1*1.25ms WinOffset:2*1.25ms
              Interval:2*1.25ms Latency:2 Timeout:2*10ms ChM:5b "Hop and SCA":1x
            06 2.3.1.4 ADV_SCAN_IND
            > AdvA:addr AdvData:*ad
            07 2.3.4.1 ADV_EXT_IND
            > ?
            08 2.3.3.3 AUX_CONNECT_RSP
            > ?
            """)

    /// Link layer control PDUs by opcode, with the fields after it.
    ///
    /// Source: Core Specification, Vol 6, Part B, 2.4.2.
    static let control = PDUTable(
        trusting: """
            @parameters "Interval Min":2*1.25ms "Interval Max":2*1.25ms Latency:2 Timeout:2*10ms
              PreferredPeriodicity:1 ReferenceConnEventCount:2 Offset0:2 Offset1:2 Offset2:2 Offset3:2
              Offset4:2 Offset5:2
            @length MaxRxOctets:2 MaxRxTime:2*us MaxTxOctets:2 MaxTxTime:2*us
            00 2.4.2.1 LL_CONNECTION_UPDATE_IND
            > WinSize:1*1.25ms WinOffset:2*1.25ms Interval:2*1.25ms Latency:2 Timeout:2*10ms Instant:2
            01 2.4.2.2 LL_CHANNEL_MAP_IND
            > ChM:5b Instant:2
            02 2.4.2.3 LL_TERMINATE_IND
            > ErrorCode:status
            03 2.4.2.4 LL_ENC_REQ
            > Rand:8x EDIV:2x SKD_C:8x IV_C:4x
            04 2.4.2.5 LL_ENC_RSP
            > SKD_P:8x IV_P:4x
            05 2.4.2.6 LL_START_ENC_REQ
            06 2.4.2.7 LL_START_ENC_RSP
            07 2.4.2.8 LL_UNKNOWN_RSP
            > UnknownType:1=ll_control
            08 2.4.2.9 LL_FEATURE_REQ
            > FeatureSet:8x
            09 2.4.2.10 LL_FEATURE_RSP
            > FeatureSet:8x
            0A 2.4.2.11 LL_PAUSE_ENC_REQ
            0B 2.4.2.12 LL_PAUSE_ENC_RSP
            0C 2.4.2.13 LL_VERSION_IND
            > Version:1=version Company:company Subversion:2x
            0D 2.4.2.14 LL_REJECT_IND
            > ErrorCode:status
            0E 2.4.2.15 LL_PERIPHERAL_FEATURE_REQ
            > FeatureSet:8x
            0F 2.4.2.16 LL_CONNECTION_PARAM_REQ
            > @parameters
            10 2.4.2.17 LL_CONNECTION_PARAM_RSP
            > @parameters
            11 2.4.2.18 LL_REJECT_EXT_IND
            > RejectOpcode:1=ll_control ErrorCode:status
            12 2.4.2.19 LL_PING_REQ
            13 2.4.2.20 LL_PING_RSP
            14 2.4.2.21 LL_LENGTH_REQ
            > @length
            15 2.4.2.21 LL_LENGTH_RSP
            > @length
            16 2.4.2.22 LL_PHY_REQ
            > TX_PHYS:1|phys RX_PHYS:1|phys
            17 2.4.2.22 LL_PHY_RSP
            > TX_PHYS:1|phys RX_PHYS:1|phys
            18 2.4.2.23 LL_PHY_UPDATE_IND
            > PHY_C_TO_P:1|phys PHY_P_TO_C:1|phys Instant:2
            19 2.4.2.24 LL_MIN_USED_CHANNELS_IND
            > PHYS:1|phys MinUsedChannels:1
            1A 2.4.2.25 LL_CTE_REQ
            > "CTE Request":1x
            1B 2.4.2.26 LL_CTE_RSP
            1C 2.4.2.27 LL_PERIODIC_SYNC_IND
            > ?
            1D 2.4.2.28 LL_CLOCK_ACCURACY_REQ
            > SCA:1
            1E 2.4.2.28 LL_CLOCK_ACCURACY_RSP
            > SCA:1
            1F 2.4.2.29 LL_CIS_REQ
            > ?
            20 2.4.2.30 LL_CIS_RSP
            > ?
            21 2.4.2.31 LL_CIS_IND
            > ?
            22 2.4.2.32 LL_CIS_TERMINATE_IND
            > CIG_ID:1 CIS_ID:1 ErrorCode:status
            23 2.4.2.33 LL_POWER_CONTROL_REQ
            > PHY:1|phys Delta:i1 TxPower:i1
            24 2.4.2.34 LL_POWER_CONTROL_RSP
            > "Min and Max":1x Delta:i1 TxPower:i1 APR:1
            25 2.4.2.35 LL_POWER_CHANGE_IND
            > PHY:1|phys "Min and Max":1x Delta:i1 TxPower:i1
            26 2.4.2.36 LL_SUBRATE_REQ
            > SubrateFactorMin:2 SubrateFactorMax:2 MaxLatency:2 ContinuationNumber:2 Timeout:2*10ms
            27 2.4.2.37 LL_SUBRATE_IND
            > SubrateFactor:2 SubrateBaseEvent:2 Latency:2 ContinuationNumber:2 Timeout:2*10ms
            28 2.4.2.38 LL_CHANNEL_REPORTING_IND
            > Enable:1 MinSpacing:1 MaxDelay:1
            29 2.4.2.39 LL_CHANNEL_STATUS_IND
            > ChannelClassification:10b
            2A 2.4.2.40 LL_PERIODIC_SYNC_WR_IND
            > ?
            """)

    /// Returns the name of a type of advertising PDU; nil for a reserved type.
    ///
    /// - Parameter isSecondary: whether the PDU was on one of the 37 secondary channels.
    public static func advertisingName(_ type: UInt8, isSecondary: Bool) -> StaticText? {
        guard isSecondary else { return advertising.name(of: UInt16(type)) }
        switch type {
        case 3: return "AUX_SCAN_REQ"
        case 5: return "AUX_CONNECT_REQ"
        // Only their context distinguishes AUX_ADV_IND, AUX_SCAN_RSP, AUX_SYNC_IND and AUX_CHAIN_IND.
        case 7: return "AUX_ADV_IND"
        default: return advertising.name(of: UInt16(type))
        }
    }

    /// Returns the name of a control opcode; nil for a reserved opcode.
    public static func controlName(_ opcode: UInt8) -> StaticText? { control.name(of: UInt16(opcode)) }

    /// Passes the fields of an advertising PDU to `coder`, which is positioned after the header.
    ///
    /// - Returns: whether the type is assigned.
    @inlinable
    @discardableResult
    public static func codeAdvertising<C: FieldCoder & ~Copyable & ~Escapable>(
        _ type: UInt8, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        if type == 7 || type == 8 {
            try coder.pdu(ExtendedAdvertisingHeader.self)
            var data: [UInt8] = []
            if coder.remaining > 0 { try coder.payload("AdvData", &data, count: nil, .advertising) }
            return true
        }
        return try PDULayout.code(advertisingLayout(type), &coder)
    }

    /// Passes the fields of a control PDU to `coder`, which is positioned after the opcode.
    ///
    /// - Returns: whether the opcode is assigned.
    @inlinable
    @discardableResult
    public static func codeControl<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: UInt8, _ coder: inout C
    ) throws(DecodeError) -> Bool { try PDULayout.code(controlLayout(opcode), &coder) }

    /// Returns the fields of an advertising PDU; nil if the table does not have them.
    public static func advertisingLayout(_ type: UInt8) -> PDULayout? {
        advertising[UInt16(type)]?.parameters
    }

    /// Returns the fields of a control PDU; nil if they are unknown.
    public static func controlLayout(_ opcode: UInt8) -> PDULayout? { control[UInt16(opcode)]?.parameters }

    /// Returns the reason why a control PDU, from its opcode, doesn't fit its definition; nil if it fits, or
    /// if its fields are unknown.
    public static func fault(inControl pdu: RawSpan) -> DecodeError? {
        pdu.octet(at: 0).flatMap { controlLayout($0) }?.fault(in: pdu, after: 1)
    }
}

/// Opcodes of link layer control PDUs that are followed or sent, named as in the table of PDUs.
///
/// Source: Core Specification, Vol 6, Part B, 2.4.2.
public enum LLControlOpcode: UInt8, Sendable {
    case connectionUpdateIndication = 0x00
    case channelMapIndication = 0x01
    case terminateIndication = 0x02
    case encryptionRequest = 0x03
    case encryptionResponse = 0x04
    case startEncryptionRequest = 0x05
    case startEncryptionResponse = 0x06
    case unknownResponse = 0x07
    case featureRequest = 0x08
    case featureResponse = 0x09
    case pauseEncryptionRequest = 0x0A
    case pauseEncryptionResponse = 0x0B
    case versionIndication = 0x0C
    case rejectIndication = 0x0D
    case peripheralFeatureRequest = 0x0E
    case connectionParameterRequest = 0x0F
    case extendedRejectIndication = 0x11
    case lengthRequest = 0x14
    case lengthResponse = 0x15
    case phyRequest = 0x16
    case phyResponse = 0x17
    case phyUpdateIndication = 0x18
}
