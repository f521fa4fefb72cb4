import Synchronization

/// A clock, scheduler and executor whose time advances only when its owner says so.
///
/// One heap holds all future events, ordered by (time, source, sequence). Between two events all tasks run
/// until each of them waits, so an event's consequences are done before time advances.
public final class VirtualTime: PassingTime {
    private typealias Sleeper = (event: EventID, continuation: CheckedContinuation<Void, any Error>)

    private struct State {
        var now: Instant
        var heap = EventHeap<@Sendable () -> Void>()
        var sleeping: [UInt64: Sleeper] = [:]
        var cancelled: Set<UInt64> = []
        var nextSleeper: UInt64 = 0
        var held = HeldTime()

        /// Returns the time of an event scheduled for `deadline`, including held time.
        func due(_ deadline: Instant, from source: EventSource) -> Instant {
            guard deadline > now, source >= .application else { return max(deadline, now) }
            return held.deadline(after: now.duration(to: deadline), from: now)
        }
    }

    /// The executor of the tasks that live in this time.
    public let executor: PumpedExecutor
    private let state: Mutex<State>
    private let onNewEvent: (@Sendable () -> Void)?

    /// Creates time that rests at `start`.
    ///
    /// - Parameter onNewEvent: called after each new event, for an owner that waits for the next one.
    public init(
        start: Instant = .zero, executor: PumpedExecutor = PumpedExecutor(),
        onNewEvent: (@Sendable () -> Void)? = nil
    ) {
        self.executor = executor
        self.onNewEvent = onNewEvent
        state = Mutex(State(now: start))
    }

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Time of the next event; nil without events.
    public var nextDeadline: Instant? { state.withLock { $0.heap.nextTime } }

    /// Number of scheduled events.
    public var pending: Int { state.withLock { $0.heap.count } }

    @discardableResult
    public func schedule(
        at deadline: Instant, from source: EventSource, _ action: @escaping @Sendable () -> Void
    ) -> EventID {
        let id = state.withLock {
            $0.heap.push(action, at: $0.due(deadline, from: source), from: source)
        }
        onNewEvent?()
        return id
    }

    public func cancel(_ id: EventID) {
        // Release the action outside the lock: the deinit of what it holds may call back here.
        let taken = state.withLock { $0.heap.remove(id) }
        withExtendedLifetime(taken) {}
    }

    public var applicationNow: Instant {
        state.withLock { $0.now.advanced(by: .zero - $0.held.length(before: $0.now)) }
    }

    public func hold(from start: Instant, until end: Instant) {
        state.withLock { state in
            let now = state.now
            guard end > max(start, now) else { return }
            let before = state.held
            state.held.forget(before: now)
            state.held.add(max(start, now)..<end)
            let after = state.held
            state.heap.putOff { event in
                guard event.time > now, event.source >= .application else { return event.time }
                let held = before.length(before: event.time) - before.length(before: now)
                return after.deadline(after: now.duration(to: event.time) - held, from: now)
            }
        }
    }

    /// Waits until time has advanced to `deadline`; throws `CancellationError` if the task is cancelled
    /// first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleeper = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        defer { state.withLock { _ = $0.cancelled.remove(sleeper) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(sleeper) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    let event = state.heap.push(
                        { [weak self] in self?.wake(sleeper) }, at: state.due(deadline, from: .sleeper),
                        from: .sleeper)
                    state.sleeping[sleeper] = (event, continuation)
                    return nil
                }
                if let early { continuation.resume(with: early) } else { onNewEvent?() }
            }
        } onCancel: {
            cancel(sleeper: sleeper)
        }
    }

    private func wake(_ sleeper: UInt64) {
        state.withLock { $0.sleeping.removeValue(forKey: sleeper) }?.continuation.resume()
    }

    private func cancel(sleeper: UInt64) {
        let asleep = state.withLock { state -> Sleeper? in
            let asleep = state.sleeping.removeValue(forKey: sleeper)
            if let asleep { state.heap.remove(asleep.event) } else { state.cancelled.insert(sleeper) }
            return asleep
        }
        asleep?.continuation.resume(throwing: CancellationError())
    }

    /// Runs the ready tasks, advances time to the next event, and runs it and its consequences.
    ///
    /// - Returns: false if no event is due by `limit`; time has then not advanced.
    @discardableResult
    public func step(notAfter limit: Instant = .distantFuture) -> Bool {
        executor.drain()
        let due = state.withLock { state -> (@Sendable () -> Void)? in
            guard let event = state.heap.pop(notAfter: limit) else { return nil }
            state.now = max(state.now, event.time)
            return event.payload
        }
        guard let due else { return false }
        due()
        executor.drain()
        return true
    }

    /// Runs all events due by `limit`, then advances time to `limit`.
    ///
    /// - Returns: the number of events run.
    @discardableResult
    public func run(until limit: Instant) -> Int {
        var count = 0
        while step(notAfter: limit) { count += 1 }
        state.withLock { $0.now = max($0.now, limit) }
        return count
    }

    /// Advances time by `duration`.
    @discardableResult
    public func run(for duration: Duration) -> Int { run(until: now.advanced(by: duration)) }

    /// Runs events until the condition holds or `limit` has passed.
    @discardableResult
    public func run(for limit: Duration, settling: () -> Void, until condition: () -> Bool) -> Bool {
        let end = now.advanced(by: limit)
        while true {
            settling()
            if condition() { return true }
            guard step(notAfter: end) else { break }
        }
        run(until: end)
        settling()
        return condition()
    }

    /// Runs events until none is left, `maxEvents` have run, or `condition` holds.
    ///
    /// - Returns: the number of events run.
    @discardableResult
    public func run(maxEvents: Int = 10_000_000, until condition: () -> Bool = { false }) -> Int {
        var count = 0
        executor.drain()
        while count < maxEvents, !condition(), step() { count += 1 }
        return count
    }
}

/// Time spans during which application timers are stopped.
struct HeldTime: Sendable {
    /// Spans that are not over, in order and without overlap.
    private var parts: [Range<Instant>] = []
    /// Total length of the spans that are over.
    private var passed = Duration.zero

    /// Returns the amount of held time before an instant.
    func length(before instant: Instant) -> Duration {
        parts.reduce(passed) { length, part in
            length + max(.zero, part.lowerBound.duration(to: min(part.upperBound, instant)))
        }
    }

    /// Returns the deadline of a timer with `delay` left.
    ///
    /// A span that begins exactly at the deadline postpones it.
    func deadline(after delay: Duration, from now: Instant) -> Instant {
        var deadline = now.advanced(by: delay)
        for part in parts where part.upperBound > now && part.lowerBound <= deadline {
            deadline = deadline.advanced(by: max(now, part.lowerBound).duration(to: part.upperBound))
        }
        return deadline
    }

    mutating func add(_ part: Range<Instant>) {
        var whole = part
        parts.removeAll { other in
            guard other.lowerBound <= whole.upperBound, whole.lowerBound <= other.upperBound else {
                return false
            }
            whole =
                min(whole.lowerBound, other.lowerBound)..<max(whole.upperBound, other.upperBound)
            return true
        }
        parts.insert(whole, at: parts.firstIndex { $0.lowerBound > whole.lowerBound } ?? parts.count)
    }

    /// Removes the spans that are over.
    mutating func forget(before now: Instant) {
        while let first = parts.first, first.upperBound <= now {
            passed += first.lowerBound.duration(to: first.upperBound)
            parts.removeFirst()
        }
    }
}
