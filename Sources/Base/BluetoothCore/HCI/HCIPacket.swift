/// A packet between host and controller: its type, and its bytes without the type's byte.
public struct HCIPacket: Hashable, Sendable {
    /// Which of the five kinds it is.
    public var type: HCIPacketType
    /// Header and data.
    public var octets: [UInt8]

    public init(_ type: HCIPacketType, _ octets: [UInt8]) {
        self.type = type
        self.octets = octets
    }

    /// The packet as the UART transports carry it: the type's byte, then the rest.
    public var h4: [UInt8] { [type.rawValue] + octets }

    /// A packet from its bytes on a UART; nil for none at all.
    public init?(h4: [UInt8]) {
        guard let first = h4.first else { return nil }
        self.init(HCIPacketType(rawValue: first), Array(h4.dropFirst()))
    }
}
