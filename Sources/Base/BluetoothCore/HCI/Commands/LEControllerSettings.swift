public import WireBytes

/// Tells the longest LL payloads that the controller supports.
///
/// HCI_LE_Read_Maximum_Data_Length command. Source: Vol 4, Part E, 7.8.46.
public struct LEReadMaximumDataLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x202F) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadMaximumDataLength {
    /// What the controller returns for ``LEReadMaximumDataLength``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var supportedMaxTxOctets: UInt16 = 0
        /// In microseconds.
        public var supportedMaxTxTime: UInt16 = 0
        public var supportedMaxRxOctets: UInt16 = 0
        /// In microseconds.
        public var supportedMaxRxTime: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("supported_max_tx_octets", &supportedMaxTxOctets)
            try coder.u16("supported_max_tx_time", &supportedMaxTxTime, .steps(nanoseconds: 1_000))
            try coder.u16("supported_max_rx_octets", &supportedMaxRxOctets)
            try coder.u16("supported_max_rx_time", &supportedMaxRxTime, .steps(nanoseconds: 1_000))
        }
    }
}

/// HCI_LE_Read_Suggested_Default_Data_Length command.
///
/// Source: Vol 4, Part E, 7.8.34.
public struct LEReadSuggestedDefaultDataLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2023) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadSuggestedDefaultDataLength {
    /// What the controller returns for ``LEReadSuggestedDefaultDataLength``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var suggestedMaxTxOctets: UInt16 = 0
        /// In microseconds.
        public var suggestedMaxTxTime: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("suggested_max_tx_octets", &suggestedMaxTxOctets)
            try coder.u16("suggested_max_tx_time", &suggestedMaxTxTime, .steps(nanoseconds: 1_000))
        }
    }
}

/// Suggests how long LL payloads of new connections shall be.
///
/// HCI_LE_Write_Suggested_Default_Data_Length command. Source: Vol 4, Part E, 7.8.35.
public struct LEWriteSuggestedDefaultDataLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2024) }
    public typealias ReturnParameters = HCIStatusReturn

    public var suggestedMaxTxOctets: UInt16 = 0
    /// In microseconds.
    public var suggestedMaxTxTime: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("suggested_max_tx_octets", &suggestedMaxTxOctets)
        try coder.u16("suggested_max_tx_time", &suggestedMaxTxTime, .steps(nanoseconds: 1_000))
    }
}

/// HCI_LE_Read_Transmit_Power command.
///
/// Source: Vol 4, Part E, 7.8.74.
public struct LEReadTransmitPower: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x204B) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadTransmitPower {
    /// What the controller returns for ``LEReadTransmitPower``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In dBm.
        public var minTxPower: Int8 = 0
        /// In dBm.
        public var maxTxPower: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.i8("min_tx_power", &minTxPower, .dBm)
            try coder.i8("max_tx_power", &maxTxPower, .dBm)
        }
    }
}

/// HCI_LE_Read_RF_Path_Compensation command.
///
/// Source: Vol 4, Part E, 7.8.75.
public struct LEReadRFPathCompensation: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x204C) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadRFPathCompensation {
    /// What the controller returns for ``LEReadRFPathCompensation``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var rfTxPathCompensationValue: Int16 = 0
        public var rfRxPathCompensationValue: Int16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.i16("rf_tx_path_compensation_value", &rfTxPathCompensationValue)
            try coder.i16("rf_rx_path_compensation_value", &rfRxPathCompensationValue)
        }
    }
}

/// Compensation values are in units of 0.1 dB.
///
/// HCI_LE_Write_RF_Path_Compensation command. Source: Vol 4, Part E, 7.8.76.
public struct LEWriteRFPathCompensation: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x204D) }
    public typealias ReturnParameters = HCIStatusReturn

    public var rfTxPathCompensationValue: Int16 = 0
    public var rfRxPathCompensationValue: Int16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.i16("rf_tx_path_compensation_value", &rfTxPathCompensationValue)
        try coder.i16("rf_rx_path_compensation_value", &rfRxPathCompensationValue)
    }
}

/// HCI_LE_Modify_Sleep_Clock_Accuracy command.
///
/// Source: Vol 4, Part E, 7.8.94.
public struct LEModifySleepClockAccuracy: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x205F) }
    public typealias ReturnParameters = HCIStatusReturn

    public var action: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("action", &action, .code(HCINames.sleepClockAction))
    }
}

/// Tells how many LE ACL and ISO packets of which size the controller can hold.
///
/// HCI_LE_Read_Buffer_Size_[v2] command. Source: Vol 4, Part E, 7.8.2.
public struct LEReadBufferSizeV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2060) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadBufferSizeV2 {
    /// What the controller returns for ``LEReadBufferSizeV2``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var leACLDataPacketLength: UInt16 = 0
        public var totalNumLEACLDataPackets: UInt8 = 0
        public var isoDataPacketLength: UInt16 = 0
        public var totalNumISODataPackets: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("le_acl_data_packet_length", &leACLDataPacketLength)
            try coder.u8("total_num_le_acl_data_packets", &totalNumLEACLDataPackets)
            try coder.u16("iso_data_packet_length", &isoDataPacketLength)
            try coder.u8("total_num_iso_data_packets", &totalNumISODataPackets)
        }
    }
}

/// HCI_LE_Set_Host_Feature_[v1] command.
///
/// Source: Vol 4, Part E, 7.8.115.
public struct LESetHostFeature: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2074) }
    public typealias ReturnParameters = HCIStatusReturn

    public var bitNumber: UInt8 = 0
    public var bitValue: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("bit_number", &bitNumber, .code(HCINames.leFeatureBit))
        try coder.u8("bit_value", &bitValue, .code(HCINames.enable))
    }
}

/// HCI_LE_Set_Host_Feature_[v2] command.
///
/// Source: Vol 4, Part E, 7.8.115.
public struct LESetHostFeatureV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2097) }
    public typealias ReturnParameters = HCIStatusReturn

    public var bitNumber: UInt16 = 0
    public var bitValue: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("bit_number", &bitNumber, .code(HCINames.leFeatureBit))
        try coder.u8("bit_value", &bitValue, .code(HCINames.enable))
    }
}

/// HCI_LE_Read_All_Local_Supported_Features command.
///
/// Source: Vol 4, Part E, 7.8.128.
public struct LEReadAllLocalSupportedFeatures: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2087) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension LEReadAllLocalSupportedFeatures {
    /// What the controller returns for ``LEReadAllLocalSupportedFeatures``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var maxPage: UInt8 = 0
        /// 248 octets.
        public var leFeatures: [UInt8] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("max_page", &maxPage)
            try coder.octets("le_features", &leFeatures, count: 248)
        }
    }
}
