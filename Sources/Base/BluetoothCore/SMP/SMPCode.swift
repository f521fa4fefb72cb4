public import WireBytes

/// What a Security Manager PDU is: its first byte.
///
/// Source: Core Specification, Vol 3, Part H, 3.3.
@frozen
public struct SMPCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var pairingRequest: Self { .init(rawValue: 0x01) }
    @inlinable public static var pairingFailed: Self { .init(rawValue: 0x05) }
    @inlinable public static var identityInformation: Self { .init(rawValue: 0x08) }
    @inlinable public static var identityAddressInformation: Self { .init(rawValue: 0x09) }
    @inlinable public static var securityRequest: Self { .init(rawValue: 0x0B) }

    /// The name of the PDU; nil if the code is not assigned.
    public var name: StaticText? { SMPTable.pdus.name(of: UInt16(rawValue)) }
}
