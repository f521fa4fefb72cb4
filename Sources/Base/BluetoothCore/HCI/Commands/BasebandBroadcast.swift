public import WireBytes

/// Tells the controller which radio next to it is in use; frequencies are in MHz, bandwidths in kHz.
///
/// HCI_Set_MWS_Channel_Parameters command. Source: Vol 4, Part E, 7.3.80.
public struct HCISetMWSChannelParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C6E) }
    public typealias ReturnParameters = HCIStatusReturn

    public var mwsChannelEnable: UInt8 = 0
    public var mwsRxCenterFrequency: UInt16 = 0
    public var mwsTxCenterFrequency: UInt16 = 0
    public var mwsRxChannelBandwidth: UInt16 = 0
    public var mwsTxChannelBandwidth: UInt16 = 0
    public var mwsChannelType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("mws_channel_enable", &mwsChannelEnable, .code(HCINames.enable))
        try coder.u16("mws_rx_center_frequency", &mwsRxCenterFrequency)
        try coder.u16("mws_tx_center_frequency", &mwsTxCenterFrequency)
        try coder.u16("mws_rx_channel_bandwidth", &mwsRxChannelBandwidth)
        try coder.u16("mws_tx_channel_bandwidth", &mwsTxChannelBandwidth)
        try coder.u8("mws_channel_type", &mwsChannelType)
    }
}

/// HCI_Set_MWS_Transport_Layer command.
///
/// Source: Vol 4, Part E, 7.3.83.
public struct HCISetMWSTransportLayer: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C71) }
    public typealias ReturnParameters = HCIStatusReturn

    public var transportLayer: UInt8 = 0
    public var toMWSBaudRate: UInt32 = 0
    public var fromMWSBaudRate: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("transport_layer", &transportLayer)
        try coder.u32("to_mws_baud_rate", &toMWSBaudRate)
        try coder.u32("from_mws_baud_rate", &fromMWSBaudRate)
    }
}

/// HCI_Set_Reserved_LT_ADDR command.
///
/// Source: Vol 4, Part E, 7.3.86.
public struct HCISetReservedLTADDR: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C74) }

    public var ltAddr: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("lt_addr", &ltAddr)
    }
}

extension HCISetReservedLTADDR {
    /// What the controller returns for ``HCISetReservedLTADDR``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var ltAddr: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("lt_addr", &ltAddr)
        }
    }
}

/// HCI_Delete_Reserved_LT_ADDR command.
///
/// Source: Vol 4, Part E, 7.3.87.
public struct HCIDeleteReservedLTADDR: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C75) }

    public var ltAddr: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("lt_addr", &ltAddr)
    }
}

extension HCIDeleteReservedLTADDR {
    /// What the controller returns for ``HCIDeleteReservedLTADDR``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var ltAddr: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("lt_addr", &ltAddr)
        }
    }
}

/// HCI_Set_Connectionless_Peripheral_Broadcast_Data command.
///
/// Source: Vol 4, Part E, 7.3.88.
public struct HCISetConnectionlessPeripheralBroadcastData: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C76) }

    public var ltAddr: UInt8 = 0
    public var fragment: UInt8 = 0
    public var data: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("lt_addr", &ltAddr)
        try coder.u8("fragment", &fragment, .code(HCINames.dataOperation))
        try coder.sizedOctets("data_length", "data", &data)
    }
}

extension HCISetConnectionlessPeripheralBroadcastData {
    /// What the controller returns for ``HCISetConnectionlessPeripheralBroadcastData``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var ltAddr: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("lt_addr", &ltAddr)
        }
    }
}

/// HCI_Read_Synchronization_Train_Parameters command.
///
/// Source: Vol 4, Part E, 7.3.89.
public struct HCIReadSynchronizationTrainParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C77) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadSynchronizationTrainParameters {
    /// What the controller returns for ``HCIReadSynchronizationTrainParameters``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In units of 625 µs.
        public var syncTrainInterval: UInt16 = 0
        /// In units of 625 µs.
        public var synchronizationTrainTimeout: UInt32 = 0
        public var serviceData: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("sync_train_interval", &syncTrainInterval, .steps(nanoseconds: 625_000))
            try coder.u32(
                "synchronization_train_timeout", &synchronizationTrainTimeout, .steps(nanoseconds: 625_000))
            try coder.u8("service_data", &serviceData, .hex)
        }
    }
}

/// HCI_Write_Synchronization_Train_Parameters command.
///
/// Source: Vol 4, Part E, 7.3.90.
public struct HCIWriteSynchronizationTrainParameters: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C78) }

    /// In units of 625 µs.
    public var intervalMin: UInt16 = 0
    /// In units of 625 µs.
    public var intervalMax: UInt16 = 0
    /// In units of 625 µs.
    public var synchronizationTrainTimeout: UInt32 = 0
    public var serviceData: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("interval_min", &intervalMin, .steps(nanoseconds: 625_000))
        try coder.u16("interval_max", &intervalMax, .steps(nanoseconds: 625_000))
        try coder.u32(
            "synchronization_train_timeout", &synchronizationTrainTimeout, .steps(nanoseconds: 625_000))
        try coder.u8("service_data", &serviceData, .hex)
    }
}

extension HCIWriteSynchronizationTrainParameters {
    /// What the controller returns for ``HCIWriteSynchronizationTrainParameters``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In units of 625 µs.
        public var syncTrainInterval: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("sync_train_interval", &syncTrainInterval, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Read_Extended_Page_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.96.
public struct HCIReadExtendedPageTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C7E) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadExtendedPageTimeout {
    /// What the controller returns for ``HCIReadExtendedPageTimeout``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In units of 625 µs.
        public var extendedPageTimeout: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("extended_page_timeout", &extendedPageTimeout, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Write_Extended_Page_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.97.
public struct HCIWriteExtendedPageTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C7F) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 625 µs.
    public var extendedPageTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("extended_page_timeout", &extendedPageTimeout, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Read_Extended_Inquiry_Length command.
///
/// Source: Vol 4, Part E, 7.3.98.
public struct HCIReadExtendedInquiryLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C80) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadExtendedInquiryLength {
    /// What the controller returns for ``HCIReadExtendedInquiryLength``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In units of 625 µs.
        public var extendedInquiryLength: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("extended_inquiry_length", &extendedInquiryLength, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Write_Extended_Inquiry_Length command.
///
/// Source: Vol 4, Part E, 7.3.99.
public struct HCIWriteExtendedInquiryLength: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C81) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 625 µs.
    public var extendedInquiryLength: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("extended_inquiry_length", &extendedInquiryLength, .steps(nanoseconds: 625_000))
    }
}
