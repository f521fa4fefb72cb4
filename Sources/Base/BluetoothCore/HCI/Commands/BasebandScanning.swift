public import WireBytes

/// HCI_Read_Page_Scan_Activity command.
///
/// Source: Vol 4, Part E, 7.3.19.
public struct HCIReadPageScanActivity: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C1B) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadPageScanActivity {
    /// What the controller returns for ``HCIReadPageScanActivity``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In units of 625 µs.
        public var pageScanInterval: UInt16 = 0
        /// In units of 625 µs.
        public var pageScanWindow: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("page_scan_interval", &pageScanInterval, .steps(nanoseconds: 625_000))
            try coder.u16("page_scan_window", &pageScanWindow, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Write_Page_Scan_Activity command.
///
/// Source: Vol 4, Part E, 7.3.20.
public struct HCIWritePageScanActivity: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C1C) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 625 µs.
    public var pageScanInterval: UInt16 = 0
    /// In units of 625 µs.
    public var pageScanWindow: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("page_scan_interval", &pageScanInterval, .steps(nanoseconds: 625_000))
        try coder.u16("page_scan_window", &pageScanWindow, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Read_Inquiry_Scan_Activity command.
///
/// Source: Vol 4, Part E, 7.3.21.
public struct HCIReadInquiryScanActivity: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C1D) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadInquiryScanActivity {
    /// What the controller returns for ``HCIReadInquiryScanActivity``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In units of 625 µs.
        public var inquiryScanInterval: UInt16 = 0
        /// In units of 625 µs.
        public var inquiryScanWindow: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("inquiry_scan_interval", &inquiryScanInterval, .steps(nanoseconds: 625_000))
            try coder.u16("inquiry_scan_window", &inquiryScanWindow, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Write_Inquiry_Scan_Activity command.
///
/// Source: Vol 4, Part E, 7.3.22.
public struct HCIWriteInquiryScanActivity: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C1E) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 625 µs.
    public var inquiryScanInterval: UInt16 = 0
    /// In units of 625 µs.
    public var inquiryScanWindow: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("inquiry_scan_interval", &inquiryScanInterval, .steps(nanoseconds: 625_000))
        try coder.u16("inquiry_scan_window", &inquiryScanWindow, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Read_Class_Of_Device command.
///
/// Source: Vol 4, Part E, 7.3.25.
public struct HCIReadClassOfDevice: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C23) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadClassOfDevice {
    /// What the controller returns for ``HCIReadClassOfDevice``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var classOfDevice: UInt32 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u24("class_of_device", &classOfDevice, .hex)
        }
    }
}

/// HCI_Write_Class_Of_Device command.
///
/// Source: Vol 4, Part E, 7.3.26.
public struct HCIWriteClassOfDevice: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C24) }
    public typealias ReturnParameters = HCIStatusReturn

    public var classOfDevice: UInt32 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u24("class_of_device", &classOfDevice, .hex)
    }
}

/// HCI_Read_Voice_Setting command.
///
/// Source: Vol 4, Part E, 7.3.27.
public struct HCIReadVoiceSetting: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C25) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadVoiceSetting {
    /// What the controller returns for ``HCIReadVoiceSetting``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var voiceSetting: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("voice_setting", &voiceSetting, .hex)
        }
    }
}

/// HCI_Write_Voice_Setting command.
///
/// Source: Vol 4, Part E, 7.3.28.
public struct HCIWriteVoiceSetting: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C26) }
    public typealias ReturnParameters = HCIStatusReturn

    public var voiceSetting: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("voice_setting", &voiceSetting, .hex)
    }
}

/// HCI_Read_Automatic_Flush_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.29.
public struct HCIReadAutomaticFlushTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C27) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension HCIReadAutomaticFlushTimeout {
    /// What the controller returns for ``HCIReadAutomaticFlushTimeout``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        /// In units of 625 µs.
        public var flushTimeout: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u16("flush_timeout", &flushTimeout, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Write_Automatic_Flush_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.30.
public struct HCIWriteAutomaticFlushTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C28) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    /// In units of 625 µs.
    public var flushTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("flush_timeout", &flushTimeout, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Read_Num_Broadcast_Retransmissions command.
///
/// Source: Vol 4, Part E, 7.3.31.
public struct HCIReadNumBroadcastRetransmissions: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C29) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadNumBroadcastRetransmissions {
    /// What the controller returns for ``HCIReadNumBroadcastRetransmissions``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var numBroadcastRetransmissions: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("num_broadcast_retransmissions", &numBroadcastRetransmissions)
        }
    }
}

/// HCI_Write_Num_Broadcast_Retransmissions command.
///
/// Source: Vol 4, Part E, 7.3.32.
public struct HCIWriteNumBroadcastRetransmissions: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C2A) }
    public typealias ReturnParameters = HCIStatusReturn

    public var numBroadcastRetransmissions: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("num_broadcast_retransmissions", &numBroadcastRetransmissions)
    }
}

/// HCI_Read_Hold_Mode_Activity command.
///
/// Source: Vol 4, Part E, 7.3.33.
public struct HCIReadHoldModeActivity: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C2B) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadHoldModeActivity {
    /// What the controller returns for ``HCIReadHoldModeActivity``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var holdModeActivity: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("hold_mode_activity", &holdModeActivity, .bits(HCINames.holdModeActivity))
        }
    }
}

/// HCI_Write_Hold_Mode_Activity command.
///
/// Source: Vol 4, Part E, 7.3.34.
public struct HCIWriteHoldModeActivity: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C2C) }
    public typealias ReturnParameters = HCIStatusReturn

    public var holdModeActivity: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("hold_mode_activity", &holdModeActivity, .bits(HCINames.holdModeActivity))
    }
}

/// HCI_Read_Transmit_Power_Level command.
///
/// Source: Vol 4, Part E, 7.3.35.
public struct HCIReadTransmitPowerLevel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C2D) }

    public var connectionHandle: UInt16 = 0
    public var type: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("type", &type, .code(HCINames.powerLevelType))
    }
}

extension HCIReadTransmitPowerLevel {
    /// What the controller returns for ``HCIReadTransmitPowerLevel``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        /// In dBm.
        public var txPowerLevel: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.i8("tx_power_level", &txPowerLevel, .dBm)
        }
    }
}
