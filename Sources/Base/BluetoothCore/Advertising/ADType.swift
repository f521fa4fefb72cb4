public import WireBytes

/// The type of an AD structure: the byte after its length.
///
/// Source: Assigned Numbers, 2.3.
@frozen
public struct ADType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var flags: Self { .init(rawValue: 0x01) }
    @inlinable public static var incomplete16: Self { .init(rawValue: 0x02) }
    @inlinable public static var complete16: Self { .init(rawValue: 0x03) }
    @inlinable public static var incomplete32: Self { .init(rawValue: 0x04) }
    @inlinable public static var complete32: Self { .init(rawValue: 0x05) }
    @inlinable public static var incomplete128: Self { .init(rawValue: 0x06) }
    @inlinable public static var complete128: Self { .init(rawValue: 0x07) }
    @inlinable public static var shortenedName: Self { .init(rawValue: 0x08) }
    @inlinable public static var completeName: Self { .init(rawValue: 0x09) }
    @inlinable public static var txPower: Self { .init(rawValue: 0x0A) }
    @inlinable public static var deviceIDOrTK: Self { .init(rawValue: 0x10) }
    @inlinable public static var connectionIntervalRange: Self { .init(rawValue: 0x12) }
    @inlinable public static var serviceData16: Self { .init(rawValue: 0x16) }
    @inlinable public static var publicTargetAddress: Self { .init(rawValue: 0x17) }
    @inlinable public static var appearance: Self { .init(rawValue: 0x19) }
    @inlinable public static var advertisingInterval: Self { .init(rawValue: 0x1A) }
    @inlinable public static var leAddress: Self { .init(rawValue: 0x1B) }
    @inlinable public static var leRole: Self { .init(rawValue: 0x1C) }
    @inlinable public static var serviceData32: Self { .init(rawValue: 0x20) }
    @inlinable public static var serviceData128: Self { .init(rawValue: 0x21) }
    @inlinable public static var uri: Self { .init(rawValue: 0x24) }
    @inlinable public static var channelMapUpdate: Self { .init(rawValue: 0x28) }
    @inlinable public static var meshBeacon: Self { .init(rawValue: 0x2B) }
    @inlinable public static var broadcastCode: Self { .init(rawValue: 0x2D) }
    @inlinable public static var advertisingIntervalLong: Self { .init(rawValue: 0x2F) }
    @inlinable public static var broadcastName: Self { .init(rawValue: 0x30) }
    @inlinable public static var encryptedData: Self { .init(rawValue: 0x31) }
    @inlinable public static var manufacturerData: Self { .init(rawValue: 0xFF) }

    /// The length in bytes of the UUID that service data begins with; nil for other types.
    @inlinable public var serviceDataWidth: Int? {
        switch self {
        case .serviceData16: 2
        case .serviceData32: 4
        case .serviceData128: 16
        default: nil
        }
    }

    /// The name of the type; nil if it is not assigned.
    public var name: StaticText? { ADTable.structures.name(of: UInt16(rawValue)) }
}
