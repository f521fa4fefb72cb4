/// Doors or windows in a command, by name; the dialect defines their bits.
public struct UQDKDoors: OptionSet, Hashable, Sendable {
    /// Bits of this type only, not those of any wire format.
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let frontLeft = UQDKDoors(rawValue: 1)
    public static let frontRight = UQDKDoors(rawValue: 2)
    public static let rearLeft = UQDKDoors(rawValue: 4)
    public static let rearRight = UQDKDoors(rawValue: 8)
    public static let trunk = UQDKDoors(rawValue: 16)
    /// All doors of the car, encoded with the dialect's own value for it.
    public static let all = UQDKDoors(rawValue: 0xFF)

    /// The names of the bits in dialects; nil for all.
    var names: [String]? {
        if self == .all { return nil }
        let known: [(UQDKDoors, String)] = [
            (.frontLeft, "frontLeft"), (.frontRight, "frontRight"), (.rearLeft, "rearLeft"),
            (.rearRight, "rearRight"), (.trunk, "trunk"),
        ]
        return known.filter { contains($0.0) }.map(\.1)
    }
}
