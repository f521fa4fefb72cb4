public import WireBytes

/// Whether other limits of credit based channels are accepted.
///
/// Source: Core Specification, Vol 3, Part A, 4.28.
@frozen
public struct L2CAPReconfigureResult: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var successful: Self { .init(rawValue: 0x0000) }
    @inlinable public static var mtuReduced: Self { .init(rawValue: 0x0001) }
    @inlinable public static var unacceptableParameters: Self { .init(rawValue: 0x0004) }

    /// What it says; nil where it is reserved.
    public var name: StaticText? { ValueSet.l2capReconfigureResult.name(UInt64(rawValue)) }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning { .code(.l2capReconfigureResult) }
}
