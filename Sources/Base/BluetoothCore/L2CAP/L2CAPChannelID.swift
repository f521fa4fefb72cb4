public import WireBytes

/// The endpoint of a logical channel.
///
/// Source: Core Specification, Vol 3, Part A, 2.1.
@frozen
public struct L2CAPChannelID: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The signalling channel of a BR/EDR link.
    @inlinable public static var signalling: Self { .init(rawValue: 0x0001) }
    /// Group data on BR/EDR.
    @inlinable public static var connectionless: Self { .init(rawValue: 0x0002) }
    /// The Attribute Protocol.
    @inlinable public static var attribute: Self { .init(rawValue: 0x0004) }
    /// The signalling channel of an LE link.
    @inlinable public static var leSignalling: Self { .init(rawValue: 0x0005) }
    /// The Security Manager Protocol on LE.
    @inlinable public static var securityManager: Self { .init(rawValue: 0x0006) }
    /// The Security Manager Protocol on BR/EDR.
    @inlinable public static var securityManagerClassic: Self { .init(rawValue: 0x0007) }

    /// Whether it is allocated when a channel is opened: 0x0040 to 0xFFFF, on LE to 0x007F.
    @inlinable public var isDynamic: Bool { rawValue >= 0x0040 }

    /// The purpose of a fixed channel; nil for other channels.
    public var name: StaticText? { ValueSet.l2capChannel.name(UInt64(rawValue)) }
}
