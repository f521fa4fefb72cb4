public import WireBytes

/// An inquiry ended.
///
/// HCI_Inquiry_Complete event. Source: Vol 4, Part E, 7.7.1.
public struct HCIInquiryComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x01) }

    public var status: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
    }
}

/// One device that answered an inquiry.
///
/// Source: Vol 4, Part E, 7.7.2.
public struct HCIInquiryResponse: PDUFields, Equatable {
    public var bdAddr = DeviceAddress(0, .public)
    public var pageScanRepetitionMode: UInt8 = 0
    public var reserved: UInt16 = 0
    public var classOfDevice: UInt32 = 0
    public var clockOffset: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("page_scan_repetition_mode", &pageScanRepetitionMode, .code(HCINames.pageScanRepetition))
        try coder.u16("reserved", &reserved, .hex)
        try coder.u24("class_of_device", &classOfDevice, .hex)
        try coder.u16("clock_offset", &clockOffset, .hex)
    }
}

/// HCI_Inquiry_Result event.
///
/// Source: Vol 4, Part E, 7.7.2.
public struct HCIInquiryResult: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x02) }

    public var responses: [HCIInquiryResponse] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_responses", "responses", &responses)
    }
}

/// One device that answered an inquiry, with its signal strength.
///
/// Source: Vol 4, Part E, 7.7.33.
public struct HCIInquiryResponseWithRSSI: PDUFields, Equatable {
    public var bdAddr = DeviceAddress(0, .public)
    public var pageScanRepetitionMode: UInt8 = 0
    public var reserved: UInt8 = 0
    public var classOfDevice: UInt32 = 0
    public var clockOffset: UInt16 = 0
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("page_scan_repetition_mode", &pageScanRepetitionMode, .code(HCINames.pageScanRepetition))
        try coder.u8("reserved", &reserved, .hex)
        try coder.u24("class_of_device", &classOfDevice, .hex)
        try coder.u16("clock_offset", &clockOffset, .hex)
        try coder.i8("rssi", &rssi, .dBm)
    }
}

/// HCI_Inquiry_Result_with_RSSI event.
///
/// Source: Vol 4, Part E, 7.7.33.
public struct HCIInquiryResultWithRSSI: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x22) }

    public var responses: [HCIInquiryResponseWithRSSI] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_responses", "responses", &responses)
    }
}

/// HCI_Extended_Inquiry_Result event.
///
/// Source: Vol 4, Part E, 7.7.38.
public struct HCIExtendedInquiryResult: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x2F) }

    public var numResponses: UInt8 = 0
    public var bdAddr = DeviceAddress(0, .public)
    public var pageScanRepetitionMode: UInt8 = 0
    public var reserved: UInt8 = 0
    public var classOfDevice: UInt32 = 0
    public var clockOffset: UInt16 = 0
    /// In dBm; 127 where it is not available.
    public var rssi: Int8 = 0
    /// 240 octets.
    public var extendedInquiryResponse: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("num_responses", &numResponses)
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("page_scan_repetition_mode", &pageScanRepetitionMode, .code(HCINames.pageScanRepetition))
        try coder.u8("reserved", &reserved, .hex)
        try coder.u24("class_of_device", &classOfDevice, .hex)
        try coder.u16("clock_offset", &clockOffset, .hex)
        try coder.i8("rssi", &rssi, .dBm)
        try coder.octets("extended_inquiry_response", &extendedInquiryResponse, count: 240, .advertising)
    }
}

/// A device's name is known, or could not be read.
///
/// HCI_Remote_Name_Request_Complete event. Source: Vol 4, Part E, 7.7.7.
public struct HCIRemoteNameRequestComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x07) }

    public var status: HCIStatus = .success
    public var bdAddr = DeviceAddress(0, .public)
    /// 248 octets of UTF-8, ended by a zero octet where it is shorter.
    public var remoteName: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.address("bd_addr", &bdAddr)
        try coder.octets("remote_name", &remoteName, count: 248, .text)
    }
}

/// HCI_Remote_Host_Supported_Features_Notification event.
///
/// Source: Vol 4, Part E, 7.7.50.
public struct HCIRemoteHostSupportedFeaturesNotification: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x3D) }

    public var bdAddr = DeviceAddress(0, .public)
    public var hostSupportedFeatures: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u64("host_supported_features", &hostSupportedFeatures, .hex)
    }
}

/// HCI_Page_Scan_Repetition_Mode_Change event.
///
/// Source: Vol 4, Part E, 7.7.31.
public struct HCIPageScanRepetitionModeChange: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x20) }

    public var bdAddr = DeviceAddress(0, .public)
    public var pageScanRepetitionMode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("page_scan_repetition_mode", &pageScanRepetitionMode, .code(HCINames.pageScanRepetition))
    }
}
