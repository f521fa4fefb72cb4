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
