import BluetoothCore

/// Does on the application's side what the recorded host did, when its turn comes.
///
/// Its calls and callbacks are on the thread that pumps virtual time.
protocol SessionDriver: AnyObject, Sendable {
    /// Does it, or keeps it until it can be done.
    func take(_ turn: HostTurn)

    /// Where it stands, for the report of a divergence.
    var stateLines: [String] { get }

    /// What of the log could not be done through the API, or not in the recorded way.
    var notes: [String] { get }

    /// How many values it took from the log as an application chooses them: those say nothing of what is
    /// tested.
    var given: Int { get }
}

/// Hears what the API tells a driver.
struct DriverListener: Sendable {
    /// A callback in one line, for the transcript.
    var note: @Sendable (String) -> Void
    /// What was told by the host itself, and of which device.
    var tell: @Sendable (ApplicationEvent, DeviceAddress) -> Void
}
