import CLinux
import Glibc
public import Runtime
import Synchronization

/// Real time, with one thread that runs due timers and serves ready descriptors.
///
/// It is a `VirtualTime` that follows the machine's monotonic clock, so actions run one at a time and in
/// the same order. Nothing happens until someone calls ``run(for:settling:until:)``, or once ``start()``.
public final class RealTime: PassingTime {
    /// Reads or writes without blocking when its descriptor is ready.
    public typealias Handler = @Sendable () -> Void

    private struct State {
        var handlers: [Int32: (read: Handler, write: Handler)] = [:]
        var hasThread = false
    }

    /// Nanoseconds from 1970 (UTC) to the start of this time.
    public let wallClockOrigin: Int64
    private let events: VirtualTime
    private let waker: Waker
    private let origin: Int64
    private let poll: Int32
    private let state = Mutex(State())

    /// Creates time that starts now.
    public init() {
        let waker = Waker()
        self.waker = waker
        events = VirtualTime(onNewEvent: { waker.wake() })
        origin = Self.nanoseconds(CLOCK_MONOTONIC)
        wallClockOrigin = Self.nanoseconds(CLOCK_REALTIME)
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        control(EPOLL_CTL_ADD, waker.descriptor, EPOLLIN.rawValue)
    }

    deinit { close(poll) }

    public var now: Instant { Instant(nanoseconds: Self.nanoseconds(CLOCK_MONOTONIC) - origin) }
    public var minimumResolution: Duration { .nanoseconds(1) }

    @discardableResult
    public func schedule(
        at deadline: Instant, from source: EventSource, _ action: @escaping @Sendable () -> Void
    ) -> EventID {
        events.schedule(at: deadline, from: source, action)
    }

    public func cancel(_ id: EventID) { events.cancel(id) }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await events.sleep(until: deadline, tolerance: tolerance)
    }

    /// Longer than any wait.
    public static let forever = Duration.seconds(1_000_000_000)

    /// Runs due actions until the condition holds, but no longer than `limit`.
    @discardableResult
    public func run(for limit: Duration, settling: () -> Void, until condition: () -> Bool) -> Bool {
        let begin = now
        let end = begin.advanced(by: limit)
        // Bytes that arrived while this process was stopped are handled before timers that expired meanwhile.
        var lastPoll = wait(until: begin)
        while true {
            events.run(until: lastPoll)
            settling()
            if condition() { return true }
            guard lastPoll < end else { return false }
            lastPoll = wait(until: end)
        }
    }

    /// Runs due actions on a thread of its own from now on; further calls do nothing.
    public func start() {
        let isFirst = state.withLock { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isFirst else { return }
        var thread = pthread_t()
        let owner = unsafe Unmanaged.passRetained(self)
        // Safe: the thread keeps its time, which never ends.
        unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let time = unsafe Unmanaged<RealTime>.fromOpaque(argument).takeRetainedValue()
                time.run(for: RealTime.forever) { false }
                return nil
            }, owner.toOpaque())
    }

    // MARK: Descriptors

    /// Calls `read` whenever a descriptor has bytes or an end, and `write` when one that was full accepts
    /// bytes again.
    public func watch(_ descriptor: Int32, read: @escaping Handler, write: @escaping Handler = {}) {
        state.withLock { $0.handlers[descriptor] = (read, write) }
        control(EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue)
    }

    /// Sets whether `write` is called too.
    func wantRoom(_ descriptor: Int32, _ wants: Bool) {
        control(EPOLL_CTL_MOD, descriptor, wants ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue)
    }

    /// Ends ``watch(_:read:write:)``; call it before the descriptor is closed.
    public func unwatch(_ descriptor: Int32) {
        let handler = state.withLock { $0.handlers.removeValue(forKey: descriptor) }
        if handler != nil { control(EPOLL_CTL_DEL, descriptor, 0) }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ wanted: UInt32) {
        _ = blecap_epoll_control(poll, operation, descriptor, wanted)
    }

    /// Waits for bytes or due actions, and handles the bytes.
    ///
    /// - Returns: the time of the last check for bytes.
    private func wait(until end: Instant) -> Instant {
        waker.isAsleep = true
        let due = min(events.nextDeadline ?? end, end)
        let nanoseconds = max(0, now.duration(to: due).saturatedNanoseconds)
        // Round up: waking too early would waste a turn.
        let milliseconds = Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
        var ready = [blecap_ready](repeating: blecap_ready(), count: 32)
        // Safe: the call fills at most 32 structures.
        let count = unsafe blecap_epoll_wait(poll, &ready, milliseconds)
        waker.isAsleep = false
        let lastPoll = now
        for event in ready.prefix(Int(max(0, count))) { take(event.descriptor, event.events) }
        return lastPoll
    }

    private func take(_ descriptor: Int32, _ happened: UInt32) {
        guard descriptor != waker.descriptor else { return waker.clear() }
        if happened & ~EPOLLOUT.rawValue != 0 { state.withLock { $0.handlers[descriptor] }?.read() }
        // The first handler may have ended the watch.
        if happened & EPOLLOUT.rawValue != 0 { state.withLock { $0.handlers[descriptor] }?.write() }
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Safe: the kernel fills one structure, which outlives the call.
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Ends a wait from another thread.
private final class Waker: Sendable {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private let asleep = Atomic(false)

    deinit { close(descriptor) }

    var isAsleep: Bool {
        get { asleep.load(ordering: .sequentiallyConsistent) }
        set { asleep.store(newValue, ordering: .sequentiallyConsistent) }
    }

    func wake() {
        guard asleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
        eventfd_write(descriptor, 1)
    }

    func clear() {
        var count: eventfd_t = 0
        // Safe: the kernel fills one number.
        unsafe eventfd_read(descriptor, &count)
    }
}

/// The system's random bytes.
public struct SystemEntropy: Entropy {
    public init() {}

    public func octets(_ count: Int, for purpose: EntropyPurpose) -> [UInt8] {
        var system = SystemRandomNumberGenerator()
        return (0..<max(0, count)).map { _ in UInt8.random(in: 0...255, using: &system) }
    }
}
