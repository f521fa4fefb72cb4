import PayloadFormat
import WireBytes

/// The content of the car's status responses and events, by the names that dialects use.
public struct UQDKVehicleState: Hashable, Sendable {
    /// The names of the locked doors.
    public var locked: [String]
    /// The names of the open doors.
    public var open: [String]
    /// Whether the engine runs; nil if the dialect doesn't have it.
    public var isEngineOn: Bool?
    /// The battery in percent; nil if the dialect doesn't have it.
    public var battery: Int?
    /// The range in the field's unit, kilometres in reference format 1; nil if the dialect doesn't have it.
    public var range: Int?
    /// The odometer in the field's unit, kilometres in reference format 1; nil if the dialect doesn't have
    /// it.
    public var odometer: FixedDecimal?

    /// Decodes the fields of a response or an event; nil if they don't include the doors.
    public init?(_ fields: [DecodedField]) {
        func value(_ name: String) -> AnnotationValue? { fields.first { $0.name == name }?.value }
        func names(_ name: String) -> [String]? {
            switch value(name) {
            case .flags(_, let names)?: names
            case .named(_, let name?)?: [name]
            default: nil
            }
        }
        func number(_ name: String) -> Int? {
            guard case .unsigned(let raw)? = value(name) else { return nil }
            return Int(exactly: raw)
        }
        guard let locked = names("doorsLocked"), let open = names("doorsOpen") else { return nil }
        self.locked = locked
        self.open = open
        if case .named(_, let name?)? = value("engine") { isEngineOn = name == "on" }
        battery = number("battery")
        range = number("range")
        if case .decimal(let decimal)? = value("odometer") { odometer = decimal }
    }
}

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
