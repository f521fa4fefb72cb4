public import WireBytes

/// What the kernel returns for the management command Read Advertising Features, 0x003D.
public struct ManagementReadAdvertisingFeaturesReturn: PDUFields, Equatable {
    public var supportedFlags: UInt32 = 0
    public var maxAdvertisingDataLength: UInt8 = 0
    public var maxScanResponseLength: UInt8 = 0
    public var maxInstances: UInt8 = 0
    public var instances: [ManagementInstance] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u32("supported_flags", &supportedFlags, .bits(MonitorNames.advertisingFlag))
        try coder.u8("max_advertising_data_length", &maxAdvertisingDataLength)
        try coder.u8("max_scan_response_length", &maxScanResponseLength)
        try coder.u8("max_instances", &maxInstances)
        try coder.counted("num_instances", "instances", &instances)
    }
}

/// The parameters of the management command Add Advertising, 0x003E.
public struct ManagementAddAdvertising: PDUFields, Equatable {
    public var instance: UInt8 = 0
    public var flags: UInt32 = 0
    /// In seconds.
    public var duration: UInt16 = 0
    /// In seconds.
    public var timeout: UInt16 = 0
    public var advertisingDataLength: UInt8 = 0
    public var scanResponseLength: UInt8 = 0
    public var advertisingData: [UInt8] = []
    public var scanResponse: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
        try coder.u32("flags", &flags, .bits(MonitorNames.advertisingFlag))
        try coder.u16("duration", &duration, .steps(nanoseconds: 1_000_000_000))
        try coder.u16("timeout", &timeout, .steps(nanoseconds: 1_000_000_000))
        try coder.u8("advertising_data_length", &advertisingDataLength)
        try coder.u8("scan_response_length", &scanResponseLength)
        try coder.octets(
            "advertising_data", &advertisingData, count: Int(advertisingDataLength), .advertising)
        try coder.octets("scan_response", &scanResponse, count: Int(scanResponseLength), .advertising)
    }
}

/// The parameters of the management command Remove Advertising, 0x003F.
public struct ManagementRemoveAdvertising: PDUFields, Equatable {
    public var instance: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
    }
}

/// The parameters of the management command Get Advertising Size Information, 0x0040.
public struct ManagementGetAdvertisingSizeInformation: PDUFields, Equatable {
    public var instance: UInt8 = 0
    public var flags: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
        try coder.u32("flags", &flags, .bits(MonitorNames.advertisingFlag))
    }
}

/// What the kernel returns for the management command Get Advertising Size Information, 0x0040.
public struct ManagementGetAdvertisingSizeInformationReturn: PDUFields, Equatable {
    public var instance: UInt8 = 0
    public var flags: UInt32 = 0
    public var maxAdvertisingDataLength: UInt8 = 0
    public var maxScanResponseLength: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
        try coder.u32("flags", &flags, .bits(MonitorNames.advertisingFlag))
        try coder.u8("max_advertising_data_length", &maxAdvertisingDataLength)
        try coder.u8("max_scan_response_length", &maxScanResponseLength)
    }
}

/// The parameters of the management command Add Extended Advertising Parameters, 0x0054.
public struct ManagementAddExtendedAdvertisingParameters: PDUFields, Equatable {
    public var instance: UInt8 = 0
    public var flags: UInt32 = 0
    /// In seconds.
    public var duration: UInt16 = 0
    /// In seconds.
    public var timeout: UInt16 = 0
    /// In units of 625 µs.
    public var intervalMin: UInt32 = 0
    /// In units of 625 µs.
    public var intervalMax: UInt32 = 0
    /// In dBm; 127 where it is not available.
    public var txPower: Int8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
        try coder.u32("flags", &flags, .bits(MonitorNames.advertisingFlag))
        try coder.u16("duration", &duration, .steps(nanoseconds: 1_000_000_000))
        try coder.u16("timeout", &timeout, .steps(nanoseconds: 1_000_000_000))
        try coder.u32("interval_min", &intervalMin, .steps(nanoseconds: 625_000))
        try coder.u32("interval_max", &intervalMax, .steps(nanoseconds: 625_000))
        try coder.i8("tx_power", &txPower, .dBm)
    }
}

/// What the kernel returns for the management command Add Extended Advertising Parameters, 0x0054.
public struct ManagementAddExtendedAdvertisingParametersReturn: PDUFields, Equatable {
    public var instance: UInt8 = 0
    /// In dBm; 127 where it is not available.
    public var txPower: Int8 = 0
    public var maxAdvertisingDataLength: UInt8 = 0
    public var maxScanResponseLength: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
        try coder.i8("tx_power", &txPower, .dBm)
        try coder.u8("max_advertising_data_length", &maxAdvertisingDataLength)
        try coder.u8("max_scan_response_length", &maxScanResponseLength)
    }
}

/// The parameters of the management command Add Extended Advertising Data, 0x0055.
public struct ManagementAddExtendedAdvertisingData: PDUFields, Equatable {
    public var instance: UInt8 = 0
    public var advertisingDataLength: UInt8 = 0
    public var scanResponseLength: UInt8 = 0
    public var advertisingData: [UInt8] = []
    public var scanResponse: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("instance", &instance)
        try coder.u8("advertising_data_length", &advertisingDataLength)
        try coder.u8("scan_response_length", &scanResponseLength)
        try coder.octets(
            "advertising_data", &advertisingData, count: Int(advertisingDataLength), .advertising)
        try coder.octets("scan_response", &scanResponse, count: Int(scanResponseLength), .advertising)
    }
}

/// What the kernel returns for the management command Read Advertisement Monitor Features, 0x0051.
public struct ManagementReadAdvertisementMonitorFeaturesReturn: PDUFields, Equatable {
    public var supportedFeatures: UInt32 = 0
    public var enabledFeatures: UInt32 = 0
    public var maxNumHandles: UInt16 = 0
    public var maxNumPatterns: UInt8 = 0
    public var monitors: [ManagementMonitorHandle] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u32("supported_features", &supportedFeatures, .hex)
        try coder.u32("enabled_features", &enabledFeatures, .hex)
        try coder.u16("max_num_handles", &maxNumHandles)
        try coder.u8("max_num_patterns", &maxNumPatterns)
        try coder.counted("num_handles", "monitors", &monitors, width: 2)
    }
}

/// A pattern that an advertisement is compared with.
public struct ManagementPattern: PDUFields, Equatable {
    public var adType: UInt8 = 0
    public var offset: UInt8 = 0
    public var patternLength: UInt8 = 0
    /// 31 octets.
    public var value: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("ad_type", &adType, .hex)
        try coder.u8("offset", &offset)
        try coder.u8("pattern_length", &patternLength)
        try coder.octets("value", &value, count: 31)
    }
}

/// The parameters of the management command Add Advertisement Patterns Monitor, 0x0052.
public struct ManagementAddAdvertisementPatternsMonitor: PDUFields, Equatable {
    public var patterns: [ManagementPattern] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("pattern_count", "patterns", &patterns)
    }
}

/// The parameters of the management command Remove Advertisement Monitors, 0x0053.
public struct ManagementRemoveAdvertisementMonitors: PDUFields, Equatable {
    public var monitorHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("monitor_handle", &monitorHandle, .hex)
    }
}

/// The parameters of the management command Add Advertisement Patterns Monitor With RSSI Threshold, 0x0056.
public struct ManagementAddAdvertisementPatternsMonitorWithRSSIThreshold: PDUFields, Equatable {
    /// In dBm.
    public var highThreshold: Int8 = 0
    /// In seconds.
    public var highTimeout: UInt16 = 0
    /// In dBm.
    public var lowThreshold: Int8 = 0
    /// In seconds.
    public var lowTimeout: UInt16 = 0
    /// In units of 100 ms.
    public var samplingPeriod: UInt8 = 0
    public var patterns: [ManagementPattern] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.i8("high_threshold", &highThreshold, .dBm)
        try coder.u16("high_timeout", &highTimeout, .steps(nanoseconds: 1_000_000_000))
        try coder.i8("low_threshold", &lowThreshold, .dBm)
        try coder.u16("low_timeout", &lowTimeout, .steps(nanoseconds: 1_000_000_000))
        try coder.u8("sampling_period", &samplingPeriod, .steps(nanoseconds: 100_000_000))
        try coder.counted("pattern_count", "patterns", &patterns)
    }
}
