import Runtime

/// Timing of the peer's recorded actions.
///
/// In every policy the peer only answers requests that were made, and its own actions keep their order.
/// Delays added by a policy don't count for applications, whose timers stand still then.
public enum PlacementPolicy: Hashable, Sendable {
    /// After the cause, with the recorded delay.
    case causal
    /// At the recorded time, relative to the beginning of the connection, but not before the cause and not
    /// later than a transaction may last. The host may be far ahead of a made-up beginning.
    case recorded
    /// Immediately after the cause.
    case earliest
    /// As late as a transaction may last: 29 s after the cause.
    case latest
    /// After a random delay of at most twice the recorded one (itself capped at 15 s); the same for the same
    /// seed.
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

    /// Maximum delay within a transaction, which ends after 30 s (Vol 3, Part F, 3.3.3; for a pairing Part H,
    /// 3.4).
    static var latest: Duration { .seconds(29) }

    /// Returns the time of an action.
    ///
    /// - Parameters:
    ///   - cause: the time of its cause.
    ///   - delay: the recorded delay after its cause.
    ///   - recorded: its recorded time, converted to the replay of the connection.
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
