/// A source of time that is passed in, never read from the machine.
public protocol Clock: _Concurrency.Clock where Instant == Runtime.Instant, Duration == Swift.Duration {}

/// Runs actions at given times.
public protocol Scheduler: Sendable {
    /// The current time.
    var now: Instant { get }

    /// Runs `action` at `deadline`; if that has passed, as soon as possible but not before this returns.
    ///
    /// Actions due at the same time run in the order of their sources, then in the order of scheduling.
    @discardableResult
    func schedule(
        at deadline: Instant, from source: EventSource, _ action: @escaping @Sendable () -> Void
    ) -> EventID

    /// Cancels an action; does nothing if it has run.
    func cancel(_ id: EventID)

    /// The current time for applications, which stops while ``hold(from:until:)`` says so.
    var applicationNow: Instant { get }

    /// Stops the timers of applications and sleeping tasks between two future times.
    func hold(from start: Instant, until end: Instant)
}

/// A time that its owner advances: virtual time, or the machine's own.
public protocol PassingTime: Scheduler, Clock {
    /// Lets time pass until the condition holds, but no longer than `limit`.
    ///
    /// - Parameter settling: called between events, to deliver callbacks to their queues.
    /// - Returns: whether the condition held.
    @discardableResult
    func run(for limit: Duration, settling: () -> Void, until condition: () -> Bool) -> Bool
}

extension PassingTime {
    /// Lets time pass without callbacks to deliver.
    @discardableResult
    public func run(for limit: Duration, until condition: () -> Bool) -> Bool {
        run(for: limit, settling: {}, until: condition)
    }
}

extension Scheduler {
    public var applicationNow: Instant { now }

    /// Does nothing by default: timers of real time go on.
    public func hold(from start: Instant, until end: Instant) {}

    /// Runs `action` after `delay`.
    @discardableResult
    public func schedule(
        after delay: Duration, from source: EventSource, _ action: @escaping @Sendable () -> Void
    ) -> EventID {
        schedule(at: now.advanced(by: delay), from: source, action)
    }
}
