/// A physical layer of LE.
///
/// Source: Vol 4, Part E, 7.8.47.
@frozen
public struct LEPHY: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var le1M: Self { Self(rawValue: 1) }
    @inlinable public static var le2M: Self { Self(rawValue: 2) }
    @inlinable public static var leCoded: Self { Self(rawValue: 3) }

    /// The set that contains only this PHY.
    public var mask: LEPHYs { (1...3).contains(rawValue) ? LEPHYs(rawValue: 1 << (rawValue - 1)) : [] }
}

/// A set of physical layers, as in commands.
///
/// Source: Vol 4, Part E, 7.8.48.
public struct LEPHYs: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let le1M = Self(rawValue: 1)
    public static let le2M = Self(rawValue: 2)
    public static let leCoded = Self(rawValue: 4)
}

/// The Link Layer features of a device that a host or a controller acts on.
///
/// Source: Vol 6, Part B, 4.6.
public struct LEFeatures: OptionSet, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let encryption = Self(rawValue: 1 << 0)
    public static let connectionParametersRequest = Self(rawValue: 1 << 1)
    public static let extendedRejectIndication = Self(rawValue: 1 << 2)
    public static let peripheralInitiatedFeaturesExchange = Self(rawValue: 1 << 3)
    public static let ping = Self(rawValue: 1 << 4)
    public static let dataPacketLengthExtension = Self(rawValue: 1 << 5)
    public static let privacy = Self(rawValue: 1 << 6)
    public static let le2MPHY = Self(rawValue: 1 << 8)
    public static let leCodedPHY = Self(rawValue: 1 << 11)
    public static let extendedAdvertising = Self(rawValue: 1 << 12)
}
