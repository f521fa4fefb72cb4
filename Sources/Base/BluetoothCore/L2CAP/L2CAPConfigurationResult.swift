public import WireBytes

/// Whether the options of a channel are accepted.
///
/// Source: Core Specification, Vol 3, Part A, 4.5.
@frozen
public struct L2CAPConfigurationResult: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var success: Self { .init(rawValue: 0x0000) }
    @inlinable public static var unacceptable: Self { .init(rawValue: 0x0001) }
    @inlinable public static var rejected: Self { .init(rawValue: 0x0002) }
    @inlinable public static var pending: Self { .init(rawValue: 0x0004) }

    /// What it says; nil where it is reserved.
    public var name: StaticText? { ValueSet.l2capConfigurationResult.name(UInt64(rawValue)) }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning { .code(.l2capConfigurationResult) }
}
