/// Discoverability flags of a device.
///
/// Source: Supplement to the Core Specification, Part A, 1.3.
@frozen
public struct ADFlags: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var limitedDiscoverable: Self { .init(rawValue: 0x01) }
    @inlinable public static var generalDiscoverable: Self { .init(rawValue: 0x02) }
    @inlinable public static var classicNotSupported: Self { .init(rawValue: 0x04) }
    @inlinable public static var simultaneousController: Self { .init(rawValue: 0x08) }
    @inlinable public static var simultaneousHost: Self { .init(rawValue: 0x10) }
}
