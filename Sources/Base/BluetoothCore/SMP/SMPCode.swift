/// What a Security Manager PDU is: its first octet.
///
/// Source: Core Specification, Vol 3, Part H, 3.3.
@frozen
public struct SMPCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var pairingRequest: Self { .init(rawValue: 0x01) }
    @inlinable public static var pairingResponse: Self { .init(rawValue: 0x02) }
    @inlinable public static var pairingConfirm: Self { .init(rawValue: 0x03) }
    @inlinable public static var pairingRandom: Self { .init(rawValue: 0x04) }
    @inlinable public static var pairingFailed: Self { .init(rawValue: 0x05) }
    @inlinable public static var encryptionInformation: Self { .init(rawValue: 0x06) }
    @inlinable public static var centralIdentification: Self { .init(rawValue: 0x07) }
    @inlinable public static var identityInformation: Self { .init(rawValue: 0x08) }
    @inlinable public static var identityAddressInformation: Self { .init(rawValue: 0x09) }
    @inlinable public static var signingInformation: Self { .init(rawValue: 0x0A) }
    @inlinable public static var securityRequest: Self { .init(rawValue: 0x0B) }
    @inlinable public static var publicKey: Self { .init(rawValue: 0x0C) }
    @inlinable public static var dhKeyCheck: Self { .init(rawValue: 0x0D) }
    @inlinable public static var keypressNotification: Self { .init(rawValue: 0x0E) }

    /// The name of the PDU; nil where the code is not assigned.
    public var name: StaticString? {
        switch rawValue {
        case 0x01: "Pairing Request"
        case 0x02: "Pairing Response"
        case 0x03: "Pairing Confirm"
        case 0x04: "Pairing Random"
        case 0x05: "Pairing Failed"
        case 0x06: "Encryption Information"
        case 0x07: "Central Identification"
        case 0x08: "Identity Information"
        case 0x09: "Identity Address Information"
        case 0x0A: "Signing Information"
        case 0x0B: "Security Request"
        case 0x0C: "Pairing Public Key"
        case 0x0D: "Pairing DHKey Check"
        case 0x0E: "Pairing Keypress Notification"
        default: nil
        }
    }

    /// Shows a code field by the PDU's name.
    @inlinable public static var meaning: FieldMeaning {
        .code { SMPCode(rawValue: UInt8(truncatingIfNeeded: $0)).name }
    }
}
