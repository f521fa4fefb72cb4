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
    public var name: StaticString? {
        switch rawValue {
        case 0x01: "Passkey Entry Failed"
        case 0x02: "OOB Not Available"
        case 0x03: "Authentication Requirements"
        case 0x04: "Confirm Value Failed"
        case 0x05: "Pairing Not Supported"
        case 0x06: "Encryption Key Size"
        case 0x07: "Command Not Supported"
        case 0x08: "Unspecified Reason"
        case 0x09: "Repeated Attempts"
        case 0x0A: "Invalid Parameters"
        case 0x0B: "DHKey Check Failed"
        case 0x0C: "Numeric Comparison Failed"
        case 0x0D: "BR/EDR pairing in progress"
        case 0x0E: "Cross-transport Key Derivation/Generation not allowed"
        case 0x0F: "Key Rejected"
        case 0x10: "Busy"
        default: nil
        }
    }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning {
        .code { SMPFailureReason(rawValue: UInt8(truncatingIfNeeded: $0)).name }
    }
}
