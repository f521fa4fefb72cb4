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
}
