public import WireBytes

/// Whether a channel on BR/EDR is granted.
///
/// Source: Core Specification, Vol 3, Part A, 4.3.
@frozen
public struct L2CAPConnectionResult: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var successful: Self { .init(rawValue: 0x0000) }
    @inlinable public static var pending: Self { .init(rawValue: 0x0001) }
    @inlinable public static var invalidSourceCID: Self { .init(rawValue: 0x0006) }
    @inlinable public static var sourceCIDAllocated: Self { .init(rawValue: 0x0007) }

    /// What it says; nil where it is reserved.
    public var name: StaticText? { ValueSet.l2capConnectionResult.name(UInt64(rawValue)) }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning { .code(.l2capConnectionResult) }
}
