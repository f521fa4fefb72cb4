public import WireBytes

/// HCI_Read_Failed_Contact_Counter command.
///
/// Source: Vol 4, Part E, 7.5.1.
public struct HCIReadFailedContactCounter: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1401) }

    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
    }
}

extension HCIReadFailedContactCounter {
    /// What the controller returns for ``HCIReadFailedContactCounter``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var handle: UInt16 = 0
        public var failedContactCounter: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("handle", &handle, .handle)
            try coder.u16("failed_contact_counter", &failedContactCounter)
        }
    }
}

/// HCI_Reset_Failed_Contact_Counter command.
///
/// Source: Vol 4, Part E, 7.5.2.
public struct HCIResetFailedContactCounter: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1402) }

    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
    }
}

extension HCIResetFailedContactCounter {
    /// What the controller returns for ``HCIResetFailedContactCounter``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var handle: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("handle", &handle, .handle)
        }
    }
}

/// HCI_Read_Link_Quality command.
///
/// Source: Vol 4, Part E, 7.5.3.
public struct HCIReadLinkQuality: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1403) }

    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
    }
}

extension HCIReadLinkQuality {
    /// What the controller returns for ``HCIReadLinkQuality``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var handle: UInt16 = 0
        public var linkQuality: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("handle", &handle, .handle)
            try coder.u8("link_quality", &linkQuality)
        }
    }
}

/// Tells the signal strength on a connection.
///
/// HCI_Read_RSSI command. Source: Vol 4, Part E, 7.5.4.
public struct HCIReadRSSI: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1405) }

    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
    }
}

extension HCIReadRSSI {
    /// What the controller returns for ``HCIReadRSSI``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var handle: UInt16 = 0
        /// In dBm; 127 where it is not available.
        public var rssi: Int8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("handle", &handle, .handle)
            try coder.i8("rssi", &rssi, .dBm)
        }
    }
}

/// HCI_Read_AFH_Channel_Map command.
///
/// Source: Vol 4, Part E, 7.5.5.
public struct HCIReadAFHChannelMap: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1406) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension HCIReadAFHChannelMap {
    /// What the controller returns for ``HCIReadAFHChannelMap``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var afhMode: UInt8 = 0
        /// 10 octets: a bit for each channel, from channel 0 in the lowest bit of the first.
        public var afhChannelMap: [UInt8] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u8("afh_mode", &afhMode, .code(HCINames.enable))
            try coder.octets("afh_channel_map", &afhChannelMap, count: 10)
        }
    }
}

/// HCI_Read_Clock command.
///
/// Source: Vol 4, Part E, 7.5.6.
public struct HCIReadClock: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1407) }

    public var connectionHandle: UInt16 = 0
    public var whichClock: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("which_clock", &whichClock, .code(HCINames.whichClock))
    }
}

extension HCIReadClock {
    /// What the controller returns for ``HCIReadClock``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var clock: UInt32 = 0
        public var accuracy: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u32("clock", &clock)
            try coder.u16("accuracy", &accuracy)
        }
    }
}

/// HCI_Read_Encryption_Key_Size command.
///
/// Source: Vol 4, Part E, 7.5.7.
public struct HCIReadEncryptionKeySize: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x1408) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension HCIReadEncryptionKeySize {
    /// What the controller returns for ``HCIReadEncryptionKeySize``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var keySize: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u8("key_size", &keySize)
        }
    }
}

/// HCI_Set_Triggered_Clock_Capture command.
///
/// Source: Vol 4, Part E, 7.5.12.
public struct HCISetTriggeredClockCapture: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x140D) }
    public typealias ReturnParameters = HCIStatusReturn

    public var connectionHandle: UInt16 = 0
    public var enable: UInt8 = 0
    public var whichClock: UInt8 = 0
    public var lpoAllowed: UInt8 = 0
    public var numClockCapturesToFilter: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("enable", &enable, .code(HCINames.enable))
        try coder.u8("which_clock", &whichClock, .code(HCINames.whichClock))
        try coder.u8("lpo_allowed", &lpoAllowed)
        try coder.u8("num_clock_captures_to_filter", &numClockCapturesToFilter)
    }
}
