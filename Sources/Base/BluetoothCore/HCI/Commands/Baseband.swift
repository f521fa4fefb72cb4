public import WireBytes

/// Chooses which events the controller sends.
///
/// HCI_Set_Event_Mask command. Source: Vol 4, Part E, 7.3.1.
public struct HCISetEventMask: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C01) }
    public typealias ReturnParameters = HCIStatusReturn

    public var eventMask: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u64("event_mask", &eventMask, .bits(HCINames.eventMask))
    }
}

/// Puts controller and link manager into their initial state: every connection is gone.
///
/// HCI_Reset command. Source: Vol 4, Part E, 7.3.2.
public struct HCIReset: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C03) }
    public typealias ReturnParameters = HCIStatusReturn
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

/// HCI_Flush command.
///
/// Source: Vol 4, Part E, 7.3.4.
public struct HCIFlush: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C08) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
    }
}

/// HCI_Write_Local_Name command.
///
/// Source: Vol 4, Part E, 7.3.11.
public struct HCIWriteLocalName: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C13) }
    public typealias ReturnParameters = HCIStatusReturn

    /// 248 octets of UTF-8, ended by a zero octet where it is shorter.
    public var localName: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("local_name", &localName, count: 248, .text)
    }
}

/// HCI_Read_Local_Name command.
///
/// Source: Vol 4, Part E, 7.3.12.
public struct HCIReadLocalName: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C14) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadLocalName {
    /// What the controller returns for ``HCIReadLocalName``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// 248 octets of UTF-8, ended by a zero octet where it is shorter.
        public var localName: [UInt8] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.octets("local_name", &localName, count: 248, .text)
        }
    }
}

/// HCI_Read_Connection_Accept_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.13.
public struct HCIReadConnectionAcceptTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C15) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadConnectionAcceptTimeout {
    /// What the controller returns for ``HCIReadConnectionAcceptTimeout``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In units of 625 µs.
        public var connectionAcceptTimeout: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_accept_timeout", &connectionAcceptTimeout, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Write_Connection_Accept_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.14.
public struct HCIWriteConnectionAcceptTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C16) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 625 µs.
    public var connectionAcceptTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_accept_timeout", &connectionAcceptTimeout, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Read_Page_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.15.
public struct HCIReadPageTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C17) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadPageTimeout {
    /// What the controller returns for ``HCIReadPageTimeout``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In units of 625 µs.
        public var pageTimeout: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("page_timeout", &pageTimeout, .steps(nanoseconds: 625_000))
        }
    }
}

/// HCI_Write_Page_Timeout command.
///
/// Source: Vol 4, Part E, 7.3.16.
public struct HCIWritePageTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C18) }
    public typealias ReturnParameters = HCIStatusReturn

    /// In units of 625 µs.
    public var pageTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("page_timeout", &pageTimeout, .steps(nanoseconds: 625_000))
    }
}

/// HCI_Read_Scan_Enable command.
///
/// Source: Vol 4, Part E, 7.3.17.
public struct HCIReadScanEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C19) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadScanEnable {
    /// What the controller returns for ``HCIReadScanEnable``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var scanEnable: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("scan_enable", &scanEnable, .code(HCINames.scanEnable))
        }
    }
}

/// HCI_Write_Scan_Enable command.
///
/// Source: Vol 4, Part E, 7.3.18.
public struct HCIWriteScanEnable: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C1A) }
    public typealias ReturnParameters = HCIStatusReturn

    public var scanEnable: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("scan_enable", &scanEnable, .code(HCINames.scanEnable))
    }
}
