public import WireBytes

/// Selects the events of page 2 that the controller sends.
///
/// HCI_Set_Event_Mask_Page_2 command. Source: Vol 4, Part E, 7.3.69.
public struct HCISetEventMaskPage2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C63) }
    public typealias ReturnParameters = HCIStatusReturn

    public var eventMaskPage2: UInt64 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u64("event_mask_page_2", &eventMaskPage2)
    }
}

/// Reads the time that an encrypted connection may go without a packet with a message integrity check.
///
/// HCI_Read_Authenticated_Payload_Timeout command. Source: Vol 4, Part E, 7.3.93.
public struct HCIReadAuthenticatedPayloadTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C7B) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
    }
}

extension HCIReadAuthenticatedPayloadTimeout {
    /// Return parameters of ``HCIReadAuthenticatedPayloadTimeout``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var connectionHandle: UInt16 = 0
        /// In units of 10 ms.
        public var authenticatedPayloadTimeout: UInt16 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u16("connection_handle", &connectionHandle)
            try coder.u16("authenticated_payload_timeout", &authenticatedPayloadTimeout)
        }
    }
}

/// Sets the time that an encrypted connection may go without a packet with a message integrity check.
///
/// HCI_Write_Authenticated_Payload_Timeout command. Source: Vol 4, Part E, 7.3.94.
public struct HCIWriteAuthenticatedPayloadTimeout: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x0C7C) }
    public typealias ReturnParameters = HCIConnectionStatusReturn

    public var connectionHandle: UInt16 = 0
    /// In units of 10 ms.
    public var authenticatedPayloadTimeout: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
        try coder.u16("authenticated_payload_timeout", &authenticatedPayloadTimeout)
    }
}

/// Reports that an encrypted connection received no authenticated packet within its timeout.
///
/// HCI_Authenticated_Payload_Timeout_Expired event. Source: Vol 4, Part E, 7.7.75.
public struct HCIAuthenticatedPayloadTimeoutExpired: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x57) }

    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle)
    }
}
