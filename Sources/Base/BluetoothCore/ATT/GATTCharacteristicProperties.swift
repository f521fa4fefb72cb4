/// Operations that a characteristic permits on its value.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.1.1.
@frozen
public struct GATTCharacteristicProperties: OptionSet, Hashable, Codable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var broadcast: Self { .init(rawValue: 0x01) }
    @inlinable public static var read: Self { .init(rawValue: 0x02) }
    @inlinable public static var writeWithoutResponse: Self { .init(rawValue: 0x04) }
    @inlinable public static var write: Self { .init(rawValue: 0x08) }
    @inlinable public static var notify: Self { .init(rawValue: 0x10) }
    @inlinable public static var indicate: Self { .init(rawValue: 0x20) }
    @inlinable public static var authenticatedSignedWrites: Self { .init(rawValue: 0x40) }
    @inlinable public static var extendedProperties: Self { .init(rawValue: 0x80) }

    /// Shows the field by the names of its bits.
    @inlinable public static var meaning: FieldMeaning { .bits(.gattProperties) }
}

/// The value updates that a client requests for a characteristic.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.3.
@frozen
public struct GATTClientConfiguration: OptionSet, Hashable, Codable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var notification: Self { .init(rawValue: 0x0001) }
    @inlinable public static var indication: Self { .init(rawValue: 0x0002) }

    /// Shows the field by the names of its bits.
    @inlinable public static var meaning: FieldMeaning { .bits(.gattClientConfiguration) }
}
