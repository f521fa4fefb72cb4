public import PayloadFormat
import UQDK

// The same calls for async code; they throw the error that a completion would get.
extension UQDKBleManager {
    /// Scans for the car, connects, discovers and subscribes.
    ///
    /// Cancelling the task cancels the connect, which then throws ``UQDKBleError/cancelled``.
    public func connect() async throws(UQDKBleError) {
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { done in connectToVehicle { done.resume(returning: $0) } }
        } onCancel: {
            disconnect()
        }
        if let error { throw error }
    }

    /// Ends the link or a running connect; returns when no link exists.
    public func close() async {
        await withCheckedContinuation { done in disconnect { done.resume() } }
    }

    /// Activates the key with the code that the car shows.
    @discardableResult
    public func activate(pairingCode: String) async throws(UQDKBleError) -> UQDKResponse {
        try await response { activate(pairingCode: pairingCode, $0) }
    }

    /// Authenticates with the key, so that later commands are sent secured.
    public func authenticate() async throws(UQDKBleError) {
        let error = await withCheckedContinuation { done in authenticate { done.resume(returning: $0) } }
        if let error { throw error }
    }

    /// Locks doors.
    @discardableResult
    public func lock(doors: UQDKDoors = .all) async throws(UQDKBleError) -> UQDKResponse {
        try await response { lock(doors: doors, $0) }
    }

    /// Unlocks doors.
    @discardableResult
    public func unlock(doors: UQDKDoors = .all) async throws(UQDKBleError) -> UQDKResponse {
        try await response { unlock(doors: doors, $0) }
    }

    /// Sends a command by its name in the dialect, with the fields of its body.
    @discardableResult
    public func send(
        _ command: String, _ values: [String: AnnotationValue] = [:]
    ) async throws(UQDKBleError) -> UQDKResponse {
        try await response { send(command, values, $0) }
    }

    /// Requests the state of the vehicle; ``UQDKVehicleState`` decodes the response's fields.
    public func queryStatus() async throws(UQDKBleError) -> UQDKResponse {
        try await response { queryStatus($0) }
    }

    private func response(
        _ start: (@escaping UQDKCompletion) -> Void
    ) async throws(UQDKBleError) -> UQDKResponse {
        try await withCheckedContinuation { done in start { done.resume(returning: $0) } }.get()
    }
}
