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

/// A time whose owner lets it pass: virtual time, or the machine's own.
public protocol PassingTime: Scheduler, Clock {
    /// Lets time pass until the condition holds, but no longer than `limit`.
    ///
    /// - Parameter settling: is called between events, to bring callbacks to their queues.
    /// - Returns: whether the condition held.
    @discardableResult
    func run(for limit: Duration, settling: () -> Void, until condition: () -> Bool) -> Bool
}

extension PassingTime {
    /// Lets time pass where no callbacks are to be brought to queues.
    @discardableResult
    public func run(for limit: Duration, until condition: () -> Bool) -> Bool {
        run(for: limit, settling: {}, until: condition)
    }
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
