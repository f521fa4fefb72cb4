/// Where time comes from: handed in, never taken from the machine.
public protocol Clock: _Concurrency.Clock where Instant == Runtime.Instant, Duration == Swift.Duration {}

/// Where actions wait for their time.
public protocol Scheduler: Sendable {
    /// The present.
    var now: Instant { get }

    /// Runs `action` at `deadline`, at once (but not before this returns) where that has passed. Actions of
    /// one instant run in the order of their source, then in the order in which they were scheduled.
    @discardableResult
    func schedule(
        at deadline: Instant, from source: EventSource, _ action: @escaping @Sendable () -> Void
    ) -> EventID

    /// Takes an action back; nothing happens where it has run.
    func cancel(_ id: EventID)
}

extension Scheduler {
    /// Runs `action` after `delay`.
    @discardableResult
    public func schedule(
        after delay: Duration, from source: EventSource, _ action: @escaping @Sendable () -> Void
    ) -> EventID {
        schedule(at: now.advanced(by: delay), from: source, action)
    }
}
