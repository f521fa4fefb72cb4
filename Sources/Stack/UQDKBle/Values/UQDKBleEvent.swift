import PayloadFormat
public import UQDK

/// What happens without having been asked for.
public enum UQDKBleEvent: Hashable, Sendable {
    /// The car told something.
    case vehicle(UQDKVehicleEvent)
    /// A session stands, for so many seconds; nil for as long as the link.
    case authenticated(lifetime: Int64?)
    /// The session stands no more.
    case sessionEnded(UQDKSessionEnd)
    /// The authentication that followed by itself has failed.
    case reauthenticationFailed(UQDKBleError)
    /// Something came that is not taken.
    case problem(UQDKBleProblem)
}

/// Why a session ended.
public enum UQDKSessionEnd: Hashable, Sendable {
    /// Its lifetime is over.
    case expired
    /// The car asked for authentication.
    case refusedByVehicle
    /// A direction has used its last counter.
    case countersUsedUp
    /// The link ended.
    case disconnected
}

/// Something that came from the car and is not taken: it changes nothing but what is told here.
public struct UQDKBleProblem: Hashable, Sendable {
    /// What is wrong with it.
    public enum Kind: Hashable, Sendable {
        /// A value starts with no fragment header of the dialect.
        case fragment
        /// A message ended before it was whole.
        case reassembly(Reassembler.Failure)
        /// A rule of messages is broken.
        case message(MessageError)
        /// It is secured and can't be opened, or its counter came before.
        case security(PhoneSession.Rejection)
        /// It is secured, and no session stands.
        case noSession
        /// It came in clear where only secured ones are taken.
        case inClear
        /// No request waits for this response.
        case unexpectedResponse
        /// It answers another command than was asked under its id.
        case otherCommand
        /// The fields of an event's body are not those of its layout.
        case body
    }

    /// What is wrong with it.
    public var kind: Kind
    /// The message id, where there is one.
    public var id: UInt64?
}
