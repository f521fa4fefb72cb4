import PayloadFormat
public import Runtime
import UQDK

/// The vehicle behind the protocol: its state, what the commands do to it, and when it refuses them.
public struct Vehicle: Hashable, Sendable {
    /// The doors and the trunk: bit 0 front left, 1 front right, 2 rear left, 3 rear right, 4 trunk.
    public static let everyDoor: UInt8 = 0x1F
    /// The trunk's bit.
    public static let trunk: UInt8 = 0x10
    /// The mask that means all of them.
    static let all: UInt64 = 0xFF
    /// How long windows move; until then they are busy.
    static let windowTime = Duration.seconds(1)

    /// The doors that are locked.
    public var doorsLocked: UInt8 = everyDoor
    /// The doors that are open.
    public var doorsOpen: UInt8 = 0
    /// Whether the engine runs.
    public var engineRuns = false
    /// The battery's charge in percent.
    public var battery: UInt8 = 60
    /// How far it goes, in km.
    public var range: UInt16 = 412
    /// How far it has gone, in 0.1 km.
    public var odometer: UInt32 = 123_456
    /// How far each window is open, in percent.
    public var windows: [UInt8] = [0, 0, 0, 0]
    /// When an engine that was started from afar stops; nil where none was.
    public internal(set) var engineStops: Instant?
    /// When horn and lights fall silent; nil where they are.
    public internal(set) var signalsUntil: Instant?
    private var windowsBusyUntil: Instant?

    /// A locked car, parked.
    public init() {}

    /// The fields of the state, as messages carry them.
    public var values: [String: AnnotationValue] {
        [
            "doorsLocked": .unsigned(UInt64(doorsLocked)), "doorsOpen": .unsigned(UInt64(doorsOpen)),
            "engine": .unsigned(engineRuns ? 1 : 0), "battery": .unsigned(UInt64(battery)),
            "range": .unsigned(UInt64(range)), "odometer": .unsigned(UInt64(odometer)),
        ]
    }

    /// Whether two states differ in what messages carry.
    func differs(from other: Vehicle) -> Bool { values != other.values }

    /// Lets time pass.
    mutating func advance(to now: Instant) {
        if let stops = engineStops, stops <= now {
            engineStops = nil
            engineRuns = false
        }
        if let until = signalsUntil, until <= now { signalsUntil = nil }
    }

    /// When it changes by itself; nil where it does not.
    var nextDeadline: Instant? { engineStops }
}

// What the commands do, by their names.
extension Vehicle {
    /// What a command gave.
    struct Outcome {
        var status: StatusName
        var values: [String: AnnotationValue] = [:]
        /// The door that is ajar, which is a fault to be told of.
        var fault: VehicleFault?

        init(_ status: StatusName, _ values: [String: AnnotationValue] = [:], fault: VehicleFault? = nil) {
            self.status = status
            self.values = values
            self.fault = fault
        }
    }

    /// Does what a request asks for. Fields that its dialect does not have mean everything there is.
    mutating func perform(_ name: String, _ fields: [DecodedField], at now: Instant) -> Outcome {
        advance(to: now)
        switch name {
        case "STATUS_QUERY": return Outcome(.success, values)
        case "DOOR_LOCK": return lock(Self.mask(fields.number("doors")))
        case "DOOR_UNLOCK":
            guard let mask = Self.mask(fields.number("doors")) else { return Outcome(.badMessage) }
            doorsLocked &= ~mask
            return Outcome(.success)
        case "TRUNK_OPEN":
            doorsLocked &= ~Self.trunk
            doorsOpen |= Self.trunk
            return Outcome(.success)
        case "FIND_VEHICLE": return find(fields.number("duration") ?? 5, fields.number("mode") ?? 3, at: now)
        case "ENGINE_START": return startEngine(minutes: fields.number("duration") ?? 10, at: now)
        case "ENGINE_STOP":
            engineRuns = false
            engineStops = nil
            return Outcome(.success)
        case "WINDOW_SET":
            return setWindows(
                Self.mask(fields.number("windows")), percent: fields.number("open") ?? 100, at: now)
        default: return Outcome(.unsupportedCommand)
        }
    }

    /// The doors that a mask means; nil for none, or for bits that are no door.
    private static func mask(_ raw: UInt64?) -> UInt8? {
        guard let raw, raw != all else { return everyDoor }
        guard raw != 0, raw & ~UInt64(everyDoor) == 0 else { return nil }
        return UInt8(raw)
    }

    private mutating func lock(_ mask: UInt8?) -> Outcome {
        guard let mask else { return Outcome(.badMessage) }
        guard doorsOpen & mask == 0 else { return Outcome(.refusedInState, fault: .doorAjar) }
        doorsLocked |= mask
        return Outcome(.success)
    }

    private mutating func find(_ seconds: UInt64, _ mode: UInt64, at now: Instant) -> Outcome {
        guard mode != 0, mode & ~0x03 == 0 else { return Outcome(.badMessage) }
        signalsUntil = now.advanced(by: .seconds(Int64(clamping: min(seconds, 3_600))))
        return Outcome(.success)
    }

    private mutating func startEngine(minutes: UInt64, at now: Instant) -> Outcome {
        guard minutes > 0 else { return Outcome(.badMessage) }
        guard !engineRuns, doorsOpen == 0, battery > 0 else { return Outcome(.refusedInState) }
        engineRuns = true
        engineStops = now.advanced(by: .seconds(60 * Int64(min(minutes, 1_440))))
        return Outcome(.success)
    }

    private mutating func setWindows(_ mask: UInt8?, percent: UInt64, at now: Instant) -> Outcome {
        guard let mask, let percent = UInt8(exactly: percent), percent <= 100 else {
            return Outcome(.badMessage)
        }
        if let busy = windowsBusyUntil, now < busy { return Outcome(.busy) }
        windowsBusyUntil = now.advanced(by: Self.windowTime)
        for window in windows.indices where mask >> UInt8(window) & 1 != 0 { windows[window] = percent }
        return Outcome(.success)
    }
}

/// A fault that the vehicle tells of.
public struct VehicleFault: Hashable, Sendable {
    /// What is wrong.
    public var code: UInt16
    /// How grave it is.
    public var severity: UInt8

    public init(code: UInt16, severity: UInt8) {
        self.code = code
        self.severity = severity
    }

    /// A door that is to be locked stands open.
    public static let doorAjar = VehicleFault(code: 0x0101, severity: 1)

    var values: [String: AnnotationValue] {
        ["code": .unsigned(UInt64(code)), "severity": .unsigned(UInt64(severity))]
    }
}

/// How near a phone is.
public enum ProximityZone: UInt8, CaseIterable, Hashable, Sendable {
    case far = 0
    case approach = 1
    case unlock = 2
    case inside = 3
}
