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

    /// The packet on a UART transport: the packet type byte, then the rest.
    public var h4: [UInt8] { [type.rawValue] + octets }

    /// Creates a packet from its bytes on a UART; nil if empty.
    public init?(h4: [UInt8]) {
        guard let first = h4.first else { return nil }
        self.init(HCIPacketType(rawValue: first), Array(h4.dropFirst()))
    }
}
