/// What kind of pairing a device asks for.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.1.
@frozen
public struct SMPAuthReq: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var bonding: Self { .init(rawValue: 0x01) }
    @inlinable public static var mitm: Self { .init(rawValue: 0x04) }
    @inlinable public static var secureConnections: Self { .init(rawValue: 0x08) }
    @inlinable public static var keypress: Self { .init(rawValue: 0x10) }
    @inlinable public static var ct2: Self { .init(rawValue: 0x20) }

    /// Shows the field by the names of its bits.
    @inlinable public static var meaning: FieldMeaning { .bits(.smpAuthReq) }
}
