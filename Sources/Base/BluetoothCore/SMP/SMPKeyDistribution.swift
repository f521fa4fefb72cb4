/// The keys that a device gives after pairing.
///
/// Source: Core Specification, Vol 3, Part H, 3.6.1.
@frozen
public struct SMPKeyDistribution: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var encryptionKey: Self { .init(rawValue: 0x01) }
    @inlinable public static var identityKey: Self { .init(rawValue: 0x02) }
    @inlinable public static var signKey: Self { .init(rawValue: 0x04) }
    @inlinable public static var linkKey: Self { .init(rawValue: 0x08) }

    /// Shows the field by the names of its bits.
    @inlinable public static var meaning: FieldMeaning { .bits(.smpKeyDistribution) }
}
