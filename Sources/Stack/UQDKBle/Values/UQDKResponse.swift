import PayloadFormat
public import UQDK

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
