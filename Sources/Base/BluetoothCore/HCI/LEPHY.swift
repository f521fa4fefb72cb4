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

    /// The set with only this PHY.
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
