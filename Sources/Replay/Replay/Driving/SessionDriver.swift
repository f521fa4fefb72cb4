import BluetoothCore

/// Repeats the recorded host's actions on the application's side, each when its turn comes.
///
/// Calls and callbacks run on the thread that advances virtual time.
protocol SessionDriver: AnyObject, Sendable {
    /// Performs the turn, now or as soon as it is possible.
    func take(_ turn: HostTurn)

    /// State of the driver, for the report of a divergence.
    var stateLines: [String] { get }

    /// Actions of the log that were impossible through the API, or differed from the recording.
    var notes: [String] { get }

    /// Number of values taken from the log as the application's choice. They prove nothing about the stack.
    var given: Int { get }
}

/// Receives the API's callbacks to a driver.
struct DriverListener: Sendable {
    /// Receives a callback as one line for the transcript.
    var note: @Sendable (String) -> Void
    /// Receives an event that the host itself reported, and its device.
    var tell: @Sendable (ApplicationEvent, DeviceAddress) -> Void
}
