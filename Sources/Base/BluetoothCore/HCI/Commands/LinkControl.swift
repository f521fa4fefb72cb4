public import WireBytes

/// Looks for discoverable BR/EDR devices.
///
/// HCI_Inquiry command. Source: Vol 4, Part E, 7.1.1.
public struct HCIInquiry: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0401) }
    public typealias ReturnParameters = HCINoReturn

    public var lap: UInt32 = 0
    /// In units of 1280 ms.
    public var inquiryLength: UInt8 = 0
    public var numResponses: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u24("lap", &lap, .hex)
        try coder.u8("inquiry_length", &inquiryLength, .steps(nanoseconds: 1_280_000_000))
        try coder.u8("num_responses", &numResponses)
    }
}

/// HCI_Inquiry_Cancel command.
///
/// Source: Vol 4, Part E, 7.1.2.
public struct HCIInquiryCancel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0402) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_Periodic_Inquiry_Mode command.
///
/// Source: Vol 4, Part E, 7.1.3.
public struct HCIPeriodicInquiryMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0403) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 1280 ms.
    public var maxPeriodLength: UInt16 = 0
    /// In units of 1280 ms.
    public var minPeriodLength: UInt16 = 0
    public var lap: UInt32 = 0
    /// In units of 1280 ms.
    public var inquiryLength: UInt8 = 0
    public var numResponses: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("max_period_length", &maxPeriodLength, .steps(nanoseconds: 1_280_000_000))
        try coder.u16("min_period_length", &minPeriodLength, .steps(nanoseconds: 1_280_000_000))
        try coder.u24("lap", &lap, .hex)
        try coder.u8("inquiry_length", &inquiryLength, .steps(nanoseconds: 1_280_000_000))
        try coder.u8("num_responses", &numResponses)
    }
}

/// HCI_Exit_Periodic_Inquiry_Mode command.
///
/// Source: Vol 4, Part E, 7.1.4.
public struct HCIExitPeriodicInquiryMode: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0404) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// Starts to make a BR/EDR connection.
///
/// HCI_Create_Connection command. Source: Vol 4, Part E, 7.1.5.
public struct HCICreateConnection: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0405) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var packetType: UInt16 = 0
    public var pageScanRepetitionMode: UInt8 = 0
    public var reserved: UInt8 = 0
    public var clockOffset: UInt16 = 0
    public var allowRoleSwitch: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u16("packet_type", &packetType, .bits(HCINames.aclPacketTypes))
        try coder.u8("page_scan_repetition_mode", &pageScanRepetitionMode, .code(HCINames.pageScanRepetition))
        try coder.u8("reserved", &reserved, .hex)
        try coder.u16("clock_offset", &clockOffset, .hex)
        try coder.u8("allow_role_switch", &allowRoleSwitch, .code(HCINames.enable))
    }
}

/// Ends a connection, BR/EDR or LE.
///
/// HCI_Disconnect command. Source: Vol 4, Part E, 7.1.6.
public struct HCIDisconnect: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0406) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// HCI_Create_Connection_Cancel command.
///
/// Source: Vol 4, Part E, 7.1.7.
public struct HCICreateConnectionCancel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0408) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// Accepts a BR/EDR connection that a peer asks for.
///
/// HCI_Accept_Connection_Request command. Source: Vol 4, Part E, 7.1.8.
public struct HCIAcceptConnectionRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0409) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var role: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("role", &role, .code(HCINames.role))
    }
}

/// Refuses a BR/EDR connection that a peer asks for.
///
/// HCI_Reject_Connection_Request command. Source: Vol 4, Part E, 7.1.9.
public struct HCIRejectConnectionRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x040A) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var reason: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.code("reason", &reason, width: 1, .status)
    }
}

/// HCI_Change_Connection_Packet_Type command.
///
/// Source: Vol 4, Part E, 7.1.14.
public struct HCIChangeConnectionPacketType: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x040F) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var packetType: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("packet_type", &packetType, .bits(HCINames.aclPacketTypes))
    }
}

/// Asks a BR/EDR device for its name.
///
/// HCI_Remote_Name_Request command. Source: Vol 4, Part E, 7.1.19.
public struct HCIRemoteNameRequest: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0419) }
    public typealias ReturnParameters = HCINoReturn

    public var bdAddr = DeviceAddress(0, .public)
    public var pageScanRepetitionMode: UInt8 = 0
    public var reserved: UInt8 = 0
    public var clockOffset: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
        try coder.u8("page_scan_repetition_mode", &pageScanRepetitionMode, .code(HCINames.pageScanRepetition))
        try coder.u8("reserved", &reserved, .hex)
        try coder.u16("clock_offset", &clockOffset, .hex)
    }
}

/// HCI_Remote_Name_Request_Cancel command.
///
/// Source: Vol 4, Part E, 7.1.20.
public struct HCIRemoteNameRequestCancel: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x041A) }
    public typealias ReturnParameters = HCIAddressStatusReturn

    public var bdAddr = DeviceAddress(0, .public)

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.address("bd_addr", &bdAddr)
    }
}

/// HCI_Read_Remote_Supported_Features command.
///
/// Source: Vol 4, Part E, 7.1.21.
public struct HCIReadRemoteSupportedFeatures: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x041B) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_Read_Remote_Extended_Features command.
///
/// Source: Vol 4, Part E, 7.1.22.
public struct HCIReadRemoteExtendedFeatures: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x041C) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0
    public var pageNumber: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u8("page_number", &pageNumber)
    }
}

/// Asks the peer for the version and the maker of its controller.
///
/// HCI_Read_Remote_Version_Information command. Source: Vol 4, Part E, 7.1.23.
public struct HCIReadRemoteVersionInformation: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x041D) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_Read_Clock_Offset command.
///
/// Source: Vol 4, Part E, 7.1.24.
public struct HCIReadClockOffset: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x041F) }
    public typealias ReturnParameters = HCINoReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_Read_LMP_Handle command.
///
/// Source: Vol 4, Part E, 7.1.25.
public struct HCIReadLMPHandle: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0420) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

extension HCIReadLMPHandle {
    /// What the controller returns for ``HCIReadLMPHandle``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        public var lmpHandle: UInt8 = 0
        public var reserved: UInt32 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle, .handle)
            try coder.u8("lmp_handle", &lmpHandle, .handle)
            try coder.u32("reserved", &reserved, .hex)
        }
    }
}
