public import BluetoothCore
import Runtime

/// Options of a replayed session.
public struct ReplayOptions: Sendable {
    /// Returns a description of a PDU beyond its fields, such as its message in a higher protocol; nil
    /// without one.
    public typealias Describer = @Sendable (TraceEntry) -> String?

    /// The part of the host's behavior that is compared.
    public var tier = MatchingTier.semantic
    /// Whether the session continues after a divergence, so that later ones are also found.
    public var continues = false
    /// Timing of the peer's recorded actions.
    public var policy = PlacementPolicy.causal
    /// Bytes of the host's PDUs that are not compared.
    public var masks: [VolatileMask] = []
    /// Whether callbacks are compared too; see ``FakeAdapter/told(_:by:)``.
    public var judgesApplication = false
    /// Whether calls without a link, and calls that are pending when it ends, fail with an error. On a phone
    /// the application gets no callback for them.
    public var answersLostCalls = true
    /// Whether the callbacks of a server's application are known.
    var hearsServer = false
    /// Attributes of that server whose callbacks are nevertheless unknown.
    var unheard: Set<UInt16> = []
    /// Frames at which the host may deviate from the recording; from there on, a live model of the peer
    /// answers.
    var departures: Set<Int> = []
    /// Whether live models of the peers answer from the beginning.
    var isLive = false
    /// The live models, by the number of their connection.
    var livePeers: [Int: LivePeer] = [:]
    /// Time without events after the end of the log after which the host counts as stuck.
    public var idleLimit: Duration = .seconds(30)
    /// Describes PDUs beyond their fields.
    public var describe: Describer?
    /// Returns lines about the state of the tested program, for the report of a divergence.
    public var stateLines: (@Sendable () -> [String])?

    public init() {}
}

/// An action that the recorded host started itself, and that the driver of the tested host must now perform.
public enum HostTurn: Sendable {
    /// Connect to a device, on the connection with this number in the model.
    case connect(connection: Int, DeviceAddress)
    /// Cancel the connection attempt.
    case giveUp(connection: Int, DeviceAddress)
    /// Perform a step on a connection.
    case step(connection: Int, HostStep)

    var connection: Int {
        switch self {
        case .connect(let number, _), .giveUp(let number, _), .step(let number, _): number
        }
    }
}

/// Timing of the peer's recorded actions.
///
/// With every policy, the peer only answers requests that the host made, and its own actions keep their
/// order. If the log drives the host (``FakeAdapter/onTurn(_:)``), timers stand still during delays that a
/// policy adds, so that no time limit passes. Another application sees a slow peer.
public enum PlacementPolicy: Hashable, Sendable {
    /// After the cause, with the recorded delay.
    case causal
    /// At the recorded time after the beginning of the connection, but not before the cause, nor later than a
    /// transaction may last. The limit matters if the beginning was made up: the host may
    /// then be far ahead of the recorded times.
    case recorded
    /// Immediately after the cause.
    case earliest
    /// As late as a transaction allows: 29 s after the cause.
    case latest
    /// After a random delay of at most twice the recorded one (of which at most 15 s count); equal seeds give
    /// equal delays.
    case shuffle(seed: UInt64)
}

/// Computes times of the peer's actions by a policy.
struct Placement: Sendable {
    let policy: PlacementPolicy
    private var random: SplitMix

    init(_ policy: PlacementPolicy) {
        self.policy = policy
        if case .shuffle(let seed) = policy {
            random = SplitMix(state: seed)
        } else {
            random = SplitMix(state: 0)
        }
    }

    /// Longest delay within a transaction, which ends after 30 s (Vol 3, Part F, 3.3.3; a pairing: Part H,
    /// 3.4).
    static var latest: Duration { .seconds(29) }

    /// Returns the time of an action.
    ///
    /// - Parameters:
    ///   - cause: the time of its cause.
    ///   - delay: the recorded delay after its cause.
    ///   - converted: its recorded time, converted to the replay of the connection.
    mutating func place(cause: Instant, delay: Duration, converted: Instant) -> Instant {
        switch policy {
        case .causal: return cause.advanced(by: delay)
        case .recorded:
            return min(max(cause, converted), cause.advanced(by: max(delay, Self.latest)))
        case .earliest: return cause
        case .latest: return cause.advanced(by: max(delay, Self.latest))
        case .shuffle:
            let limit = min(delay, .seconds(15)).saturatedNanoseconds
            return cause.advanced(by: .nanoseconds(Int64(random.next(below: 2 * Int(limit) + 1))))
        }
    }
}

/// The part of the host's behavior that is compared with the log.
public enum MatchingTier: String, CaseIterable, Sendable {
    /// The host's ATT, L2CAP and SMP PDUs after normalization; for logs of any recorder.
    case semantic
    /// Also every packet from the host to its controller; for logs that this project's stack made.
    case strict
    /// The values that the application writes, except for protocol fields that differ between runs. Reads,
    /// subscriptions and the kind of a write (with or without response) may differ.
    case application
}
