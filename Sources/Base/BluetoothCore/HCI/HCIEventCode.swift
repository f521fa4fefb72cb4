public import WireBytes

/// The code of an HCI event.
///
/// Source: Vol 4, Part E, 5.4.4 and 7.7.
@frozen
public struct HCIEventCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The name in the specification; nil if none is assigned.
    public var name: StaticText? { HCIEventTable.events.name(of: UInt16(rawValue)) }

    @inlinable public static var connectionComplete: Self { Self(rawValue: 0x03) }
    @inlinable public static var connectionRequest: Self { Self(rawValue: 0x04) }
    @inlinable public static var disconnectionComplete: Self { Self(rawValue: 0x05) }
    @inlinable public static var encryptionChangeV1: Self { Self(rawValue: 0x08) }
    @inlinable public static var commandComplete: Self { Self(rawValue: 0x0E) }
    @inlinable public static var commandStatus: Self { Self(rawValue: 0x0F) }
    @inlinable public static var hardwareError: Self { Self(rawValue: 0x10) }
    @inlinable public static var numberOfCompletedPackets: Self { Self(rawValue: 0x13) }
    @inlinable public static var dataBufferOverflow: Self { Self(rawValue: 0x1A) }
    @inlinable public static var encryptionKeyRefreshComplete: Self { Self(rawValue: 0x30) }
    @inlinable public static var keypressNotification: Self { Self(rawValue: 0x3C) }
    @inlinable public static var leMeta: Self { Self(rawValue: 0x3E) }
    @inlinable public static var encryptionChangeV2: Self { Self(rawValue: 0x59) }
}

/// The subevent code of an LE Meta event.
///
/// Source: Vol 4, Part E, 7.7.65.
@frozen
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The name in the specification; nil if none is assigned.
    public var name: StaticText? { HCIEventTable.leEvents.name(of: UInt16(rawValue)) }

    @inlinable public static var leExtendedAdvertisingReport: Self { Self(rawValue: 0x0D) }
}
