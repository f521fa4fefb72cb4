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

/// A point in time on one clock, in whole nanoseconds since the clock's start.
///
/// Arithmetic saturates: a deadline too far away becomes ``distantFuture`` and never traps.
@frozen
public struct Instant: InstantProtocol, Hashable, Sendable {
    /// Nanoseconds since the clock's start; negative before it.
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's start.
    @inlinable public static var zero: Self { .init(nanoseconds: 0) }
    /// A time after every event.
    @inlinable public static var distantFuture: Self { .init(nanoseconds: .max) }

    public func advanced(by duration: Duration) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
        guard overflow else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: nanoseconds < 0 ? .min : .max)
    }

    public func duration(to other: Instant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(nanoseconds < 0 ? Int64.max : Int64.min)
    }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
    /// Whole nanoseconds, rounded towards zero and clamped to 64 bits.
    public var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carried else { return seconds < 0 ? .min : .max }
        return sum
    }
}
