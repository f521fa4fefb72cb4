import Runtime

/// When the peer does what was recorded.
///
/// Whatever the policy, the peer never answers what was not asked, and what it does by itself keeps its
/// order. What a policy adds to the log's delay is no time for applications, whose timers stand still then.
public enum PlacementPolicy: Hashable, Sendable {
    /// After its cause, by as much as it was recorded to be.
    case causal
    /// When it was recorded, counted from the connection's begin, not before its cause, and not later than a
    /// transaction may last: the host may be far ahead of a begin that was made up.
    case recorded
    /// As soon as its cause was seen.
    case earliest
    /// As late as a transaction may last: 29 s after its cause.
    case latest
    /// By chance, from at once to twice as late as recorded; the same for the same seed.
    case shuffle(seed: UInt64)
}

/// Places what the peer does.
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

    /// How long after its cause something still comes within a transaction, which ends after 30 s (Vol 3,
    /// Part F, 3.3.3; for a pairing Part H, 3.4).
    static var latest: Duration { .seconds(29) }

    /// When something comes whose cause is seen.
    ///
    /// - Parameters:
    ///   - cause: when that was.
    ///   - delay: how long after its cause it was recorded.
    ///   - recorded: its recorded time, on the connection's line as it is replayed.
    mutating func place(cause: Instant, delay: Duration, recorded: Instant) -> Instant {
        switch policy {
        case .causal: return cause.advanced(by: delay)
        case .recorded:
            return min(max(cause, recorded), cause.advanced(by: max(delay, Self.latest)))
        case .earliest: return cause
        case .latest: return cause.advanced(by: max(delay, Self.latest))
        case .shuffle:
            let limit = min(delay, .seconds(15)).saturatedNanoseconds
            return cause.advanced(by: .nanoseconds(Int64(random.next(below: 2 * Int(limit) + 1))))
        }
    }
}
