public import BluetoothCore

/// How a session is replayed.
public struct ReplayOptions: Sendable {
    /// Says more about a PDU than its fields do, such as the message of a protocol above; nil for nothing.
    public typealias Describer = @Sendable (TraceEntry) -> String?

    /// What of the host is compared.
    public var tier = MatchingTier.semantic
    /// Whether the session goes on where the host did something else, so that the differences behind the
    /// first are found, too.
    public var continues = false
    /// When the peer does what was recorded.
    public var policy = PlacementPolicy.causal
    /// Octets of the host's PDUs that are not compared.
    public var masks: [VolatileMask] = []
    /// Whether what the API tells the application is compared, too; see ``FakeAdapter/told(_:by:)``.
    public var judgesApplication = false
    /// Whether calls without a link, and those that wait when it ends, are answered with an error; on a phone
    /// the application hears nothing of them.
    public var answersLostCalls = true
    /// Whether the application of a server says what it is told.
    var hearsServer = false
    /// The attributes of which it does not.
    var unheard: Set<UInt16> = []
    /// Frames at which the host may do something else than was recorded: a live model of the peer goes on
    /// there.
    var departures: Set<Int> = []
    /// Whether the models of the peers answer from the beginning.
    var isLive = false
    /// Models of the peers, by the numbers of their connections.
    var livePeers: [Int: LivePeer] = [:]
    /// How long nothing may happen, past the end of the log, before the host is stuck.
    public var idleLimit: Duration = .seconds(30)
    /// Says more about a PDU.
    public var describe: Describer?
    /// Further lines about the state of what is tested, for the report of a divergence.
    public var stateLines: (@Sendable () -> [String])?

    public init() {}
}

/// Something that the recorded host did of its own accord: whoever drives the host under test does it now.
public enum HostTurn: Sendable {
    /// It connected to a device; by the connection's number in the model.
    case connect(connection: Int, DeviceAddress)
    /// It gave up its attempt to connect.
    case giveUp(connection: Int, DeviceAddress)
    /// It did this on a connection.
    case step(connection: Int, HostStep)
}
