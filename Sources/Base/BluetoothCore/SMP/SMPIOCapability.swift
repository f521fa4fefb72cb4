public import WireBytes

/// What a device can show to its user and take in.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.1.
@frozen
public struct SMPIOCapability: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var displayOnly: Self { .init(rawValue: 0x00) }
    @inlinable public static var displayYesNo: Self { .init(rawValue: 0x01) }
    @inlinable public static var keyboardOnly: Self { .init(rawValue: 0x02) }
    @inlinable public static var noInputNoOutput: Self { .init(rawValue: 0x03) }
    @inlinable public static var keyboardDisplay: Self { .init(rawValue: 0x04) }

    /// What it says; nil where it is reserved.
    public var name: StaticText? { ValueSet.smpIOCapability.name(UInt64(rawValue)) }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning { .code(.smpIOCapability) }
}
