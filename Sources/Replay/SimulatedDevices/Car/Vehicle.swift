import PayloadFormat
public import Runtime
import UQDK

/// The vehicle behind the protocol: its state, the effects of commands, and the conditions for refusing them.
public struct Vehicle: Hashable, Sendable {
    /// All doors and the trunk: bit 0 front left, 1 front right, 2 rear left, 3 rear right, 4 trunk.
    public static let everyDoor: UInt8 = 0x1F
    /// The trunk's bit.
    public static let trunk: UInt8 = 0x10
    /// The mask value for all doors.
    static let all: UInt64 = 0xFF
    /// Time that windows take to move, during which they are busy.
    static let windowTime = Duration.seconds(1)

    /// The mask of locked doors.
    public var doorsLocked: UInt8 = everyDoor
    /// The mask of open doors.
    public var doorsOpen: UInt8 = 0
    /// Whether the engine runs.
    public var engineRuns = false
    /// The battery's charge in percent.
    public var battery: UInt8 = 60
    /// Remaining range, in km.
    public var range: UInt16 = 412
    /// Driven distance, in 0.1 km.
    public var odometer: UInt32 = 123_456
    /// Opening of each window, in percent.
    public var windows: [UInt8] = [0, 0, 0, 0]
    /// Time at which a remotely started engine stops; nil if absent.
    public internal(set) var engineStops: Instant?
    /// Time at which horn and lights stop; nil if they are off.
    public internal(set) var signalsUntil: Instant?
    private var windowsBusyUntil: Instant?

    /// Creates a locked, parked car.
    public init() {}

    /// The state as message fields.
    public var values: [String: AnnotationValue] {
        [
            "doorsLocked": .unsigned(UInt64(doorsLocked)), "doorsOpen": .unsigned(UInt64(doorsOpen)),
            "engine": .unsigned(engineRuns ? 1 : 0), "battery": .unsigned(UInt64(battery)),
            "range": .unsigned(UInt64(range)), "odometer": .unsigned(UInt64(odometer)),
        ]
    }

    /// Whether two states differ in their message fields.
    func differs(from other: Vehicle) -> Bool { values != other.values }

    mutating func advance(to now: Instant) {
        if let stops = engineStops, stops <= now {
            engineStops = nil
            engineRuns = false
        }
        if let until = signalsUntil, until <= now { signalsUntil = nil }
    }

    /// Time of the next change without a command; nil if absent.
    var nextDeadline: Instant? { engineStops }
}

// Effects of the commands, by name.
extension Vehicle {
    struct Outcome {
        var status: StatusName
        var values: [String: AnnotationValue] = [:]
        /// A fault to report, such as an open door.
        var fault: VehicleFault?

        init(_ status: StatusName, _ values: [String: AnnotationValue] = [:], fault: VehicleFault? = nil) {
            self.status = status
            self.values = values
            self.fault = fault
        }
    }

    /// Performs a command. Fields that its dialect lacks mean everything.
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

    /// Returns the doors in a mask; nil for no doors, or for invalid bits.
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

/// A fault that the vehicle reports.
public struct VehicleFault: Hashable, Sendable {
    /// The kind of fault.
    public var code: UInt16
    /// The severity.
    public var severity: UInt8

    public init(code: UInt16, severity: UInt8) {
        self.code = code
        self.severity = severity
    }

    /// A door that is to be locked is open.
    public static let doorAjar = VehicleFault(code: 0x0101, severity: 1)

    var values: [String: AnnotationValue] {
        ["code": .unsigned(UInt64(code)), "severity": .unsigned(UInt64(severity))]
    }
}

/// The proximity of a phone.
public enum ProximityZone: UInt8, CaseIterable, Hashable, Sendable {
    case far = 0
    case approach = 1
    case unlock = 2
    case inside = 3
}
