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
