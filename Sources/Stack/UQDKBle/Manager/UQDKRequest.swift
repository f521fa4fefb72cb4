import UQDK

/// A request without a message id.
struct UQDKRequest {
    var command: UInt64
    var body: [UInt8]
    /// Whether the session secures it if its command requires that.
    var isOrdinary: Bool
    /// Time limit of its response; nil if something else limits it.
    var timeout: Duration?
    /// The authentication try that it belongs to.
    var attempt: Int?
    var completion: UQDKCompletion
}

/// A request with an outstanding response.
struct UQDKOutstanding {
    /// The command; nil for raw bytes.
    var command: UInt64?
    /// The session that secured it; nil if sent in clear.
    var session: Int?
    var timeout: Duration?
    var attempt: Int?
    /// Runs from the last fragment.
    var timer: UQDKTimer?
    var completion: UQDKCompletion

    func end(_ result: Result<UQDKResponse, UQDKBleError>) {
        timer?.cancel()
        completion(result)
    }
}

/// A queued activation or authentication.
struct UQDKOperation {
    var isAuthentication: Bool
    var run: () -> Void
    var fail: @Sendable (UQDKBleError) -> Void
}

/// A running authentication.
struct UQDKAuthenticationRun {
    var phone: PhoneAuthentication
    /// Number of the try.
    var attempt: Int
    var triesLeft: Int
    var timer: UQDKTimer
    var completion: @Sendable (UQDKBleError?) -> Void
}
