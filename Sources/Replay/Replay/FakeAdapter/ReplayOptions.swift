public import BluetoothCore

/// Options of a replayed session.
public struct ReplayOptions: Sendable {
    /// Describes a PDU beyond its fields, such as the message of a higher protocol; nil for no description.
    public typealias Describer = @Sendable (TraceEntry) -> String?

    /// The part of the host's behavior that is compared.
    public var tier = MatchingTier.semantic
    /// Whether the session continues after a divergence, so that later ones are also found.
    public var continues = false
    /// Timing of the peer's recorded actions.
    public var policy = PlacementPolicy.causal
    /// Bytes of the host's PDUs that are not compared.
    public var masks: [VolatileMask] = []
    /// Whether the API's callbacks are compared too; see ``FakeAdapter/told(_:by:)``.
    public var judgesApplication = false
    /// Whether calls without a link, and pending ones when it ends, fail with an error. On a phone the
    /// application gets no callback for them.
    public var answersLostCalls = true
    /// Whether the callbacks of a server's application are known.
    var hearsServer = false
    /// Attributes whose callbacks are unknown nevertheless.
    var unheard: Set<UInt16> = []
    /// Frames at which the host may deviate from the recording. A live model of the peer takes over there.
    var departures: Set<Int> = []
    /// Whether live models of the peers answer from the beginning.
    var isLive = false
    /// Live models of the peers, by connection number.
    var livePeers: [Int: LivePeer] = [:]
    /// Time without events, past the end of the log, after which the host is stuck.
    public var idleLimit: Duration = .seconds(30)
    /// Describes PDUs beyond their fields.
    public var describe: Describer?
    /// Returns lines about the state of the tested program, for the report of a divergence.
    public var stateLines: (@Sendable () -> [String])?

    public init() {}
}

/// An action that the recorded host started itself, and that the tested host's driver must now perform.
public enum HostTurn: Sendable {
    /// Connect to a device; the connection's number in the model.
    case connect(connection: Int, DeviceAddress)
    /// Cancel the connection attempt.
    case giveUp(connection: Int, DeviceAddress)
    /// Perform a step on a connection.
    case step(connection: Int, HostStep)
}
