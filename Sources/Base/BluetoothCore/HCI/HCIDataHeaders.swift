public import WireBytes

/// The header of an HCI ACL data packet: four bytes before the data.
///
/// Source: Vol 4, Part E, 5.4.2.
@frozen
public struct HCIACLHeader: PDUFields, Equatable {
    /// Length of the header in bytes.
    @inlinable public static var size: Int { 4 }

    /// Handle in bits 0 to 11, packet boundary in 12 and 13, broadcast in 14 and 15.
    public var handleAndFlags: UInt16 = 0
    /// Length of the data in bytes, according to the header.
    public var dataLength: UInt16 = 0

    @inlinable
    public init() {}

    /// Creates a header from its parts; bits that don't fit are dropped.
    @inlinable
    public init(handle: UInt16, boundary: UInt8, broadcast: UInt8 = 0, dataLength: UInt16) {
        handleAndFlags = handle & 0xFFF | UInt16(boundary & 3) &<< 12 | UInt16(broadcast & 3) &<< 14
        self.dataLength = dataLength
    }

    /// The connection handle, 0 to 0xEFF; vendors use higher handles for other data.
    @inlinable public var handle: UInt16 { handleAndFlags & 0xFFF }
    /// Packet boundary: 0 the first packet of a non-flushable PDU from the host, 1 a continuation, 2 a first
    /// packet, 3 a complete PDU.
    @inlinable public var boundary: UInt8 { UInt8(truncatingIfNeeded: handleAndFlags &>> 12) & 3 }
    /// Broadcast: 0 point to point, 1 BR/EDR broadcast.
    @inlinable public var broadcast: UInt8 { UInt8(truncatingIfNeeded: handleAndFlags &>> 14) }
    /// Whether the packet continues the PDU of an earlier packet.
    @inlinable public var isContinuation: Bool { boundary == 1 }

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u16("handle_and_flags", &handleAndFlags, .hex)
        try coder.u16("data_total_length", &dataLength)
    }
}

/// The header of an HCI synchronous (SCO or eSCO) data packet: three bytes before the data.
///
/// Source: Vol 4, Part E, 5.4.3.
@frozen
public struct HCISynchronousHeader: PDUFields, Equatable {
    /// Length of the header in bytes.
    @inlinable public static var size: Int { 3 }

    /// Handle in bits 0 to 11, packet status in 12 and 13.
    public var handleAndFlags: UInt16 = 0
    /// Length of the data in bytes, according to the header.
    public var dataLength: UInt8 = 0

    @inlinable
    public init() {}

    /// The connection handle.
    @inlinable public var handle: UInt16 { handleAndFlags & 0xFFF }
    /// Packet status: 0 correct, 1 possibly invalid, 2 none received, 3 partly lost.
    @inlinable public var packetStatus: UInt8 { UInt8(truncatingIfNeeded: handleAndFlags &>> 12) & 3 }

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u16("handle_and_flags", &handleAndFlags, .hex)
        try coder.u8("data_total_length", &dataLength)
    }
}

/// The header of an HCI ISO data packet: four bytes, then, if present, a time stamp and the SDU's header.
///
/// Source: Vol 4, Part E, 5.4.5.
@frozen
public struct HCIISOHeader: PDUFields, Equatable {
    /// Handle in bits 0 to 11, packet boundary in 12 and 13, time stamp flag in 14.
    public var handleAndFlags: UInt16 = 0
    /// Length of the data in bytes, in bits 0 to 13, according to the header.
    public var dataLoadLength: UInt16 = 0
    /// Time at which the SDU was created or received, in microseconds of the controller's clock; 0 if absent.
    public var timeStamp: UInt32 = 0
    /// The number of the SDU; 0 if the packet doesn't start an SDU.
    public var packetSequenceNumber: UInt16 = 0
    /// The SDU's length in bits 0 to 11, its status in 14 and 15; 0 if the packet doesn't start an SDU.
    public var sduLengthAndStatus: UInt16 = 0

    @inlinable
    public init() {}

    /// The handle of the CIS or BIS.
    @inlinable public var handle: UInt16 { handleAndFlags & 0xFFF }
    /// Packet boundary: 0 first fragment, 1 continuation, 2 a complete SDU, 3 last fragment.
    @inlinable public var boundary: UInt8 { UInt8(truncatingIfNeeded: handleAndFlags &>> 12) & 3 }
    /// Whether the packet has a time stamp.
    @inlinable public var hasTimeStamp: Bool { handleAndFlags & 0x4000 != 0 }
    /// Whether the packet starts an SDU, and so contains its number and length.
    @inlinable public var startsSDU: Bool { boundary & 1 == 0 }
    /// The length of the SDU in bytes.
    @inlinable public var sduLength: UInt16 { sduLengthAndStatus & 0xFFF }
    /// Packet status: 0 valid, 1 possibly invalid, 2 lost.
    @inlinable public var packetStatus: UInt8 { UInt8(truncatingIfNeeded: sduLengthAndStatus &>> 14) }

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u16("handle_and_flags", &handleAndFlags, .hex)
        try coder.u16("data_load_length", &dataLoadLength)
        if hasTimeStamp { try coder.u32("time_stamp", &timeStamp) }
        if startsSDU {
            try coder.u16("packet_sequence_number", &packetSequenceNumber)
            try coder.u16("iso_sdu_length", &sduLengthAndStatus, .hex)
        }
    }
}
