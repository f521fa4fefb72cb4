public import WireBytes

/// Why a signalling command was refused.
///
/// Source: Core Specification, Vol 3, Part A, 4.1.
@frozen
public struct L2CAPRejectReason: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var notUnderstood: Self { .init(rawValue: 0x0000) }
    @inlinable public static var mtuExceeded: Self { .init(rawValue: 0x0001) }

    /// What it says; nil where it is reserved.
    public var name: StaticText? { ValueSet.l2capRejectReason.name(UInt64(rawValue)) }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning { .code(.l2capRejectReason) }
}
