public import WireBytes

/// The subevent code of an LE Meta event.
///
/// Source: Vol 4, Part E, 7.7.65.
@frozen
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The name in the specification; nil if none is assigned.
    public var name: StaticText? { HCIEventTable.leEvents.name(of: UInt16(rawValue)) }

    @inlinable public static var leExtendedAdvertisingReport: Self { Self(rawValue: 0x0D) }
}
