import UQDK

/// A request that has no message id yet.
struct UQDKRequest {
    var command: UInt64
    var body: [UInt8]
    /// Whether a session secures it, where its command is one to be secured.
    var isOrdinary: Bool
    /// How long its response may take; nil where something else limits that.
    var timeout: Duration?
    /// The try of an authentication that it belongs to.
    var attempt: Int?
    var completion: UQDKCompletion
}

/// A request whose response is outstanding.
struct UQDKOutstanding {
    /// The command; nil for octets of which the manager knows nothing.
    var command: UInt64?
    /// The session that it was secured in; nil where it went in clear.
    var session: Int?
    var timeout: Duration?
    var attempt: Int?
    /// Runs from the last fragment on.
    var timer: UQDKTimer?
    var completion: UQDKCompletion

    func end(_ result: Result<UQDKResponse, UQDKBleError>) {
        timer?.cancel()
        completion(result)
    }
}

/// An activation or an authentication that waits for its turn.
struct UQDKOperation {
    var isAuthentication: Bool
    var run: () -> Void
    var fail: @Sendable (UQDKBleError) -> Void
}

/// An authentication that runs.
struct UQDKAuthenticationRun {
    var phone: PhoneAuthentication
    /// Which try it is.
    var attempt: Int
    var triesLeft: Int
    var timer: UQDKTimer
    var completion: @Sendable (UQDKBleError?) -> Void
}
