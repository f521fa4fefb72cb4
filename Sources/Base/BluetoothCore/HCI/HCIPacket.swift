public import WireBytes

/// A packet between host and controller: its type, and its bytes without the packet type byte.
public struct HCIPacket: Hashable, Sendable {
    /// The packet type.
    public var type: HCIPacketType
    /// Header and data.
    public var octets: [UInt8]

    public init(_ type: HCIPacketType, _ octets: [UInt8]) {
        self.type = type
        self.octets = octets
    }

    /// The packet's bytes on a UART transport: the packet type byte, then the rest.
    public var h4: [UInt8] { [type.rawValue] + octets }

    /// Creates a packet from its bytes on a UART; nil if empty.
    public init?(h4: [UInt8]) {
        guard let first = h4.first else { return nil }
        self.init(HCIPacketType(rawValue: first), Array(h4.dropFirst()))
    }
}

/// The packet type byte of the UART transports.
///
/// Source: Vol 4, Part A, 2.
@frozen
public struct HCIPacketType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let command = HCIPacketType(rawValue: 1)
    public static let acl = HCIPacketType(rawValue: 2)
    public static let synchronous = HCIPacketType(rawValue: 3)
    public static let event = HCIPacketType(rawValue: 4)
    public static let iso = HCIPacketType(rawValue: 5)

    /// The packet type's name; nil for a value that is not assigned.
    public var name: StaticText? {
        switch rawValue {
        case 1: "Command"
        case 2: "ACL Data"
        case 3: "Synchronous Data"
        case 4: "Event"
        case 5: "ISO Data"
        default: nil
        }
    }
}

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
    /// Whether the packet continues the PDU of an earlier packet.
    @inlinable public var isContinuation: Bool { boundary == 1 }

    @inlinable public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
        throws(DecodeError)
    {
        try coder.number("handle_and_flags", &handleAndFlags, .hex)
        try coder.number("data_total_length", &dataLength)
    }
}
