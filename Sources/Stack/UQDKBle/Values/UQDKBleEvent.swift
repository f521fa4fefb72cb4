import PayloadFormat
public import UQDK

/// An event that no call has requested.
public enum UQDKBleEvent: Hashable, Sendable {
    /// An event from the car.
    case vehicle(UQDKVehicleEvent)
    /// A session was created, with its lifetime in seconds; nil for as long as the link.
    case authenticated(lifetime: Int64?)
    /// The session ended.
    case sessionEnded(UQDKSessionEnd)
    /// The automatic authentication failed.
    case reauthenticationFailed(UQDKBleError)
    /// An input was rejected.
    case problem(UQDKBleProblem)
}

/// Reason why a session ended.
public enum UQDKSessionEnd: Hashable, Sendable {
    /// Its lifetime has ended.
    case expired
    /// The car requested authentication.
    case refusedByVehicle
    /// A direction has used its last counter.
    case countersUsedUp
    /// The link ended.
    case disconnected
}

/// A rejected input from the car; it has no effect other than this report.
public struct UQDKBleProblem: Hashable, Sendable {
    /// Kind of problem.
    public enum Kind: Hashable, Sendable {
        /// A value without a fragment header of the dialect.
        case fragment
        /// A message ended before it was complete.
        case reassembly(Reassembler.Failure)
        /// A message broke a rule.
        case message(MessageError)
        /// A secured message could not be opened, or its counter is not new.
        case security(PhoneSession.Rejection)
        /// A secured message came without a session.
        case noSession
        /// A message came in clear where only secured ones are accepted.
        case inClear
        /// No request waits for this response.
        case unexpectedResponse
        /// The response is for another command than the request with its id.
        case otherCommand
        /// The body of an event doesn't match its layout.
        case body
    }

    /// The kind of problem.
    public var kind: Kind
    /// The message id, if any.
    public var id: UInt64?
}

extension UQDKBleEvent: CustomStringConvertible {
    public var description: String {
        switch self {
        case .vehicle(let told): told.name ?? "event 0x\(String(told.command, radix: 16))"
        case .authenticated(let lifetime): "session" + (lifetime.map { " for \($0) s" } ?? "")
        case .sessionEnded(let why): "session ended: \(why)"
        case .reauthenticationFailed(let error): "no new session: \(error)"
        case .problem(let problem):
            "ignored" + (problem.id.map { ", message \($0)" } ?? "") + ": \(problem.kind)"
        }
    }
}

extension UQDKSessionEnd: CustomStringConvertible {
    public var description: String {
        switch self {
        case .expired: "its lifetime is over"
        case .refusedByVehicle: "the car asked for authentication"
        case .countersUsedUp: "a counter is used up"
        case .disconnected: "the link ended"
        }
    }
}

extension UQDKBleProblem.Kind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .fragment: "not a fragment of the dialect"
        case .reassembly(let failure): "an incomplete message: \(failure)"
        case .message(let error): "\(error)"
        case .security(let rejection): "\(rejection)"
        case .noSession: "a secured message outside a session"
        case .inClear: "a message in clear where only secured ones are taken"
        case .unexpectedResponse: "a response that no request waits for"
        case .otherCommand: "a response to another command"
        case .body: "an event whose fields are wrong"
        }
    }
}

/// A response of the car.
public struct UQDKResponse: Hashable, Sendable {
    /// The message id, the same as the request's.
    public var id: UInt64
    /// The code of the command.
    public var command: UInt64
    /// The command's name, if the dialect knows it.
    public var name: String?
    /// The status as received.
    public var statusCode: UInt64
    /// The meaning of the status, if the dialect defines it.
    public var status: StatusName?
    /// The fields of the body after a status of success.
    public var fields: [DecodedField]
    /// The bytes after the status.
    public var body: [UInt8]
    /// Whether it was secured.
    public var isSecured: Bool
    /// The car's counter; nil if received in clear.
    public var counter: UInt64?
}

/// An event of the car.
public struct UQDKVehicleEvent: Hashable, Sendable {
    /// The message id.
    public var id: UInt64
    /// The code of the event.
    public var command: UInt64
    /// Its name, if the dialect knows it.
    public var name: String?
    /// The fields of its body.
    public var fields: [DecodedField]
    /// The bytes of its body.
    public var body: [UInt8]
    /// Whether it was secured.
    public var isSecured: Bool
    /// The car's counter; nil if received in clear.
    public var counter: UInt64?
}

/// Receives the outcome of a command, in the manager's queue, once.
public typealias UQDKCompletion = @Sendable (Result<UQDKResponse, UQDKBleError>) -> Void

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
