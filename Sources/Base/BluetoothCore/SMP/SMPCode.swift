public import WireBytes

/// The code of a Security Manager PDU: its first byte.
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
    @inlinable public static var pairingPublicKey: Self { .init(rawValue: 0x0C) }
    @inlinable public static var pairingDHKeyCheck: Self { .init(rawValue: 0x0D) }
    @inlinable public static var keypressNotification: Self { .init(rawValue: 0x0E) }

    /// The name of the PDU; nil if the code is not assigned.
    public var name: StaticText? { SMPTable.pdus.name(of: UInt16(rawValue)) }
}
