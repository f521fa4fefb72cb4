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
