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
