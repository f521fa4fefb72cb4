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
