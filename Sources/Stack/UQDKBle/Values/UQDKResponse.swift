import PayloadFormat
public import UQDK

/// What the car answered.
public struct UQDKResponse: Hashable, Sendable {
    /// The message id, that of the request.
    public var id: UInt64
    /// The code of the command.
    public var command: UInt64
    /// The command's name, where the dialect knows it.
    public var name: String?
    /// The status as it came.
    public var statusCode: UInt64
    /// What the status stands for, where the dialect says so.
    public var status: StatusName?
    /// The fields of the body after a status of success.
    public var fields: [DecodedField]
    /// The octets after the status.
    public var body: [UInt8]
    /// Whether it came secured.
    public var isSecured: Bool
    /// The car's counter; nil where it came in clear.
    public var counter: UInt64?
}

/// What the car told by itself.
public struct UQDKVehicleEvent: Hashable, Sendable {
    /// The message id.
    public var id: UInt64
    /// The code of the event.
    public var command: UInt64
    /// Its name, where the dialect knows it.
    public var name: String?
    /// The fields of its body.
    public var fields: [DecodedField]
    /// The octets of its body.
    public var body: [UInt8]
    /// Whether it came secured.
    public var isSecured: Bool
    /// The car's counter; nil where it came in clear.
    public var counter: UInt64?
}

/// Takes the outcome of a command, in the manager's queue, once.
public typealias UQDKCompletion = @Sendable (Result<UQDKResponse, UQDKBleError>) -> Void
