public import WireBytes

/// A command is done; its return parameters follow these fields.
///
/// HCI_Command_Complete event. Source: Vol 4, Part E, 7.7.14.
@frozen
public struct HCICommandComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x0E) }

    public var numHCICommandPackets: UInt8 = 0
    public var commandOpcode = HCIOpcode(rawValue: 0)

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("num_hci_command_packets", &numHCICommandPackets)
        try coder.code("command_opcode", &commandOpcode, width: 2, .opcode)
    }
}

/// A command was taken up, or refused.
///
/// HCI_Command_Status event. Source: Vol 4, Part E, 7.7.15.
@frozen
public struct HCICommandStatus: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x0F) }

    public var status: HCIStatus = .success
    public var numHCICommandPackets: UInt8 = 0
    public var commandOpcode = HCIOpcode(rawValue: 0)

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        try coder.u8("num_hci_command_packets", &numHCICommandPackets)
        try coder.code("command_opcode", &commandOpcode, width: 2, .opcode)
    }
}

/// How many packets of one connection left the controller's buffers.
///
/// Source: Vol 4, Part E, 7.7.19.
@frozen
public struct HCICompletedPackets: PDUFields, Equatable {
    public var connectionHandle: UInt16 = 0
    public var numCompletedPackets: UInt16 = 0

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("num_completed_packets", &numCompletedPackets)
    }
}

/// Packets left the controller's buffers, so that the host may send as many more.
///
/// HCI_Number_Of_Completed_Packets event. Source: Vol 4, Part E, 7.7.19.
@frozen
public struct HCINumberOfCompletedPackets: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x13) }

    public var connections: [HCICompletedPackets] = []

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.counted("num_handles", "connections", &connections)
    }
}

/// The host sent more than the controller can hold.
///
/// HCI_Data_Buffer_Overflow event. Source: Vol 4, Part E, 7.7.26.
public struct HCIDataBufferOverflow: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x1A) }

    public var linkType: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("link_type", &linkType, .code(HCINames.linkType))
    }
}

/// HCI_Number_Of_Completed_Data_Blocks event.
///
/// Source: Vol 4, Part E, 7.7.60.
public struct HCINumberOfCompletedDataBlocks: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x48) }

    public var totalNumDataBlocks: UInt16 = 0
    public var connections: [HCICompletedBlocks] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("total_num_data_blocks", &totalNumDataBlocks)
        try coder.counted("num_handles", "connections", &connections)
    }
}

/// How many packets and blocks of one connection left the controller's buffers.
///
/// Source: Vol 4, Part E, 7.7.60.
public struct HCICompletedBlocks: PDUFields, Equatable {
    public var connectionHandle: UInt16 = 0
    public var numCompletedPackets: UInt16 = 0
    public var numCompletedBlocks: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("connection_handle", &connectionHandle, .handle)
        try coder.u16("num_completed_packets", &numCompletedPackets)
        try coder.u16("num_completed_blocks", &numCompletedBlocks)
    }
}

/// HCI_Flush_Occurred event.
///
/// Source: Vol 4, Part E, 7.7.17.
public struct HCIFlushOccurred: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x11) }

    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
    }
}

/// HCI_Enhanced_Flush_Complete event.
///
/// Source: Vol 4, Part E, 7.7.47.
public struct HCIEnhancedFlushComplete: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x39) }

    public var handle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("handle", &handle, .handle)
    }
}

/// The controller broke down; the code is its vendor's.
///
/// HCI_Hardware_Error event. Source: Vol 4, Part E, 7.7.16.
public struct HCIHardwareError: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x10) }

    public var hardwareCode: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("hardware_code", &hardwareCode, .hex)
    }
}

/// HCI_Loopback_Command event.
///
/// Source: Vol 4, Part E, 7.7.25.
public struct HCILoopbackCommand: HCIEvent {
    @inlinable public static var eventCode: HCIEventCode { HCIEventCode(rawValue: 0x19) }

    public var hciCommandPacket: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.octets("hci_command_packet", &hciCommandPacket)
    }
}
