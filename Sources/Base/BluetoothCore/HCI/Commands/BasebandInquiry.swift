public import WireBytes

/// The lower address part of an inquiry access code.
///
/// Source: Vol 4, Part E, 7.3.44.
public struct HCIInquiryAccessCode: PDUFields, Equatable {
    public var iacLAP: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u24("iac_lap", &iacLAP, .hex)
    }
}

/// HCI_Read_Number_Of_Supported_IAC command.
///
/// Source: Vol 4, Part E, 7.3.43.
public struct HCIReadNumberOfSupportedIAC: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C38) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadNumberOfSupportedIAC {
    /// What the controller returns for ``HCIReadNumberOfSupportedIAC``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var numSupportedIAC: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("num_supported_iac", &numSupportedIAC)
        }
    }
}

/// HCI_Read_Current_IAC_LAP command.
///
/// Source: Vol 4, Part E, 7.3.44.
public struct HCIReadCurrentIACLAP: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C39) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadCurrentIACLAP {
    /// What the controller returns for ``HCIReadCurrentIACLAP``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var codes: [HCIInquiryAccessCode] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.counted("num_current_iac", "codes", &codes)
        }
    }
}

/// HCI_Write_Current_IAC_LAP command.
///
/// Source: Vol 4, Part E, 7.3.45.
public struct HCIWriteCurrentIACLAP: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C3A) }
    public typealias ReturnParameters = HCIStatusReturn

    public var codes: [HCIInquiryAccessCode] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_current_iac", "codes", &codes)
    }
}

/// HCI_Set_AFH_Host_Channel_Classification command.
///
/// Source: Vol 4, Part E, 7.3.46.
public struct HCISetAFHHostChannelClassification: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C3F) }
    public typealias ReturnParameters = HCIStatusReturn

    /// 10 octets: a bit for each channel, from channel 0 in the lowest bit of the first.
    public var afhHostChannelClassification: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("afh_host_channel_classification", &afhHostChannelClassification, count: 10)
    }
}

/// HCI_Read_Inquiry_Scan_Type command.
///
/// Source: Vol 4, Part E, 7.3.47.
public struct HCIReadInquiryScanType: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C42) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadInquiryScanType {
    /// What the controller returns for ``HCIReadInquiryScanType``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var scanType: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("scan_type", &scanType, .code(HCINames.inquiryScanType))
        }
    }
}

/// HCI_Write_Inquiry_Scan_Type command.
///
/// Source: Vol 4, Part E, 7.3.48.
public struct HCIWriteInquiryScanType: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C43) }
    public typealias ReturnParameters = HCIStatusReturn

    public var scanType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("scan_type", &scanType, .code(HCINames.inquiryScanType))
    }
}

/// HCI_Read_Inquiry_Mode command.
///
/// Source: Vol 4, Part E, 7.3.49.
public struct HCIReadInquiryMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C44) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadInquiryMode {
    /// What the controller returns for ``HCIReadInquiryMode``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var inquiryMode: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("inquiry_mode", &inquiryMode, .code(HCINames.inquiryMode))
        }
    }
}

/// HCI_Write_Inquiry_Mode command.
///
/// Source: Vol 4, Part E, 7.3.50.
public struct HCIWriteInquiryMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C45) }
    public typealias ReturnParameters = HCIStatusReturn

    public var inquiryMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("inquiry_mode", &inquiryMode, .code(HCINames.inquiryMode))
    }
}

/// HCI_Read_Page_Scan_Type command.
///
/// Source: Vol 4, Part E, 7.3.51.
public struct HCIReadPageScanType: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C46) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadPageScanType {
    /// What the controller returns for ``HCIReadPageScanType``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var pageScanType: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("page_scan_type", &pageScanType, .code(HCINames.inquiryScanType))
        }
    }
}

/// HCI_Write_Page_Scan_Type command.
///
/// Source: Vol 4, Part E, 7.3.52.
public struct HCIWritePageScanType: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C47) }
    public typealias ReturnParameters = HCIStatusReturn

    public var pageScanType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("page_scan_type", &pageScanType, .code(HCINames.inquiryScanType))
    }
}

/// HCI_Read_AFH_Channel_Assessment_Mode command.
///
/// Source: Vol 4, Part E, 7.3.53.
public struct HCIReadAFHChannelAssessmentMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C48) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadAFHChannelAssessmentMode {
    /// What the controller returns for ``HCIReadAFHChannelAssessmentMode``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var afhChannelAssessmentMode: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("afh_channel_assessment_mode", &afhChannelAssessmentMode, .code(HCINames.enable))
        }
    }
}

/// HCI_Write_AFH_Channel_Assessment_Mode command.
///
/// Source: Vol 4, Part E, 7.3.54.
public struct HCIWriteAFHChannelAssessmentMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C49) }
    public typealias ReturnParameters = HCIStatusReturn

    public var afhChannelAssessmentMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("afh_channel_assessment_mode", &afhChannelAssessmentMode, .code(HCINames.enable))
    }
}

/// HCI_Read_Extended_Inquiry_Response command.
///
/// Source: Vol 4, Part E, 7.3.55.
public struct HCIReadExtendedInquiryResponse: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C51) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadExtendedInquiryResponse {
    /// What the controller returns for ``HCIReadExtendedInquiryResponse``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var fecRequired: UInt8 = 0
        /// 240 octets.
        public var extendedInquiryResponse: [UInt8] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("fec_required", &fecRequired, .code(HCINames.enable))
            try coder.octets("extended_inquiry_response", &extendedInquiryResponse, count: 240, .advertising)
        }
    }
}

/// HCI_Write_Extended_Inquiry_Response command.
///
/// Source: Vol 4, Part E, 7.3.56.
public struct HCIWriteExtendedInquiryResponse: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C52) }
    public typealias ReturnParameters = HCIStatusReturn

    public var fecRequired: UInt8 = 0
    /// 240 octets.
    public var extendedInquiryResponse: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("fec_required", &fecRequired, .code(HCINames.enable))
        try coder.octets("extended_inquiry_response", &extendedInquiryResponse, count: 240, .advertising)
    }
}

/// HCI_Read_Inquiry_Response_Transmit_Power_Level command.
///
/// Source: Vol 4, Part E, 7.3.61.
public struct HCIReadInquiryResponseTransmitPowerLevel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C58) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadInquiryResponseTransmitPowerLevel {
    /// What the controller returns for ``HCIReadInquiryResponseTransmitPowerLevel``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In dBm; 127 where it is not available.
        public var txPower: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.i8("tx_power", &txPower, .dBm)
        }
    }
}

/// HCI_Write_Inquiry_Transmit_Power_Level command.
///
/// Source: Vol 4, Part E, 7.3.62.
public struct HCIWriteInquiryTransmitPowerLevel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C59) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In dBm; 127 where it is not available.
    public var txPower: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.i8("tx_power", &txPower, .dBm)
    }
}

/// HCI_Read_Default_Erroneous_Data_Reporting command.
///
/// Source: Vol 4, Part E, 7.3.64.
public struct HCIReadDefaultErroneousDataReporting: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C5A) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadDefaultErroneousDataReporting {
    /// What the controller returns for ``HCIReadDefaultErroneousDataReporting``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var erroneousDataReporting: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("erroneous_data_reporting", &erroneousDataReporting, .code(HCINames.enable))
        }
    }
}

/// HCI_Write_Default_Erroneous_Data_Reporting command.
///
/// Source: Vol 4, Part E, 7.3.65.
public struct HCIWriteDefaultErroneousDataReporting: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C5B) }
    public typealias ReturnParameters = HCIStatusReturn

    public var erroneousDataReporting: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("erroneous_data_reporting", &erroneousDataReporting, .code(HCINames.enable))
    }
}
