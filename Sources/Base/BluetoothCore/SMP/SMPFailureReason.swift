public import WireBytes

/// Why pairing failed.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.5.
@frozen
public struct SMPFailureReason: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var passkeyEntryFailed: Self { .init(rawValue: 0x01) }
    @inlinable public static var oobNotAvailable: Self { .init(rawValue: 0x02) }
    @inlinable public static var authenticationRequirements: Self { .init(rawValue: 0x03) }
    @inlinable public static var confirmValueFailed: Self { .init(rawValue: 0x04) }
    @inlinable public static var pairingNotSupported: Self { .init(rawValue: 0x05) }
    @inlinable public static var encryptionKeySize: Self { .init(rawValue: 0x06) }
    @inlinable public static var commandNotSupported: Self { .init(rawValue: 0x07) }
    @inlinable public static var unspecifiedReason: Self { .init(rawValue: 0x08) }
    @inlinable public static var repeatedAttempts: Self { .init(rawValue: 0x09) }
    @inlinable public static var invalidParameters: Self { .init(rawValue: 0x0A) }
    @inlinable public static var dhKeyCheckFailed: Self { .init(rawValue: 0x0B) }
    @inlinable public static var numericComparisonFailed: Self { .init(rawValue: 0x0C) }
    @inlinable public static var classicPairingInProgress: Self { .init(rawValue: 0x0D) }
    @inlinable public static var generationNotAllowed: Self { .init(rawValue: 0x0E) }
    @inlinable public static var keyRejected: Self { .init(rawValue: 0x0F) }
    @inlinable public static var busy: Self { .init(rawValue: 0x10) }

    /// What it says; nil where it is reserved.
    public var name: StaticText? { ValueSet.smpFailureReason.name(UInt64(rawValue)) }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning { .code(.smpFailureReason) }
}
