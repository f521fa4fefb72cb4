/// A source of time: passed in, never taken from the machine.
public protocol Clock: _Concurrency.Clock where Instant == Runtime.Instant, Duration == Swift.Duration {}

/// Where actions wait for their time.
public protocol Scheduler: Sendable {
    /// The present.
    var now: Instant { get }

    /// Runs `action` at `deadline`, at once (but not before this returns) if that has passed. Actions of
    /// one instant run in the order of their source, then in the order in which they were scheduled.
    @discardableResult
    func schedule(
        at deadline: Instant, from source: EventSource, _ action: @escaping @Sendable () -> Void
    ) -> EventID

    /// Cancels an action; does nothing if it has run.
    func cancel(_ id: EventID)

    /// The present of applications: it stands still while ``hold(from:until:)`` says so.
    var applicationNow: Instant { get }

    /// Stops the timers of applications and sleeping tasks between two future instants.
    func hold(from start: Instant, until end: Instant)
}

extension Scheduler {
    public var applicationNow: Instant { now }

    /// The timers of a time that is not virtual go on.
    public func hold(from start: Instant, until end: Instant) {}

    /// Runs `action` after `delay`.
    @discardableResult
    public func schedule(
        after delay: Duration, from source: EventSource, _ action: @escaping @Sendable () -> Void
    ) -> EventID {
        schedule(at: now.advanced(by: delay), from: source, action)
    }
}
