public import Dispatch
import Foundation
public import Runtime
import Synchronization

/// Hands callbacks over one at a time, and waits until each has done its work: for virtual time, which goes
/// on only when everything is quiet.
///
/// Its owner calls ``settle()`` between two events. The order of the callbacks is the order in which they
/// were delivered, whatever their queues, so that a run is the same each time. What a callback puts on a
/// queue that was given to the API has run too when ``settle()`` returns.
public final class SettlingDelivery: CallbackDelivery {
    private struct Waiting: Sendable {
        let queue: DispatchQueue?
        let body: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Waiting] = []
        var queues: [DispatchQueue] = []
        var usesMain = false
        var delivered = 0
        /// Labels of queues whose callbacks took longer than the patience.
        var slow: [String] = []
        /// Queues that are not waited for any more.
        var hung: [DispatchQueue] = []
    }

    // Blocks that put blocks on a queue in turn are followed this far where none of them calls the API.
    private static let hops = 8

    private let state = Mutex(State())

    /// Stands for no queue: what is delivered to it runs at once on the thread that settles. For managers
    /// whose owner lives in virtual time itself.
    public let inline = DispatchQueue(label: "blecap.inline")

    /// The longest that one callback may take on the wall clock, before ``stalled`` names it; nil for any
    /// length.
    public let patience: Duration?

    public init(patience: Duration? = nil) { self.patience = patience }

    public func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
        // The main queue has two names.
        let queue = queue === DispatchQueue.main ? nil : queue
        state.withLock { state in
            state.waiting.append(Waiting(queue: queue, body: body))
            state.delivered += 1
            guard let queue else {
                state.usesMain = true
                return
            }
            if queue !== inline, !state.queues.contains(where: { $0 === queue }) {
                state.queues.append(queue)
            }
        }
    }

    /// Follows a queue that no callback has come to yet.
    public func follow(_ queue: DispatchQueue) {
        state.withLock { state in
            guard queue !== DispatchQueue.main else {
                state.usesMain = true
                return
            }
            if !state.queues.contains(where: { $0 === queue }) { state.queues.append(queue) }
        }
    }

    /// Callbacks delivered so far.
    public var delivered: Int { state.withLock { $0.delivered } }

    /// The labels of queues on which a callback took longer than the patience. Such a run depends on the wall
    /// clock. A queue that holds one for 60 s more is not waited for any more.
    public var stalled: [String] { state.withLock { $0.slow } }

    /// Runs what waits, and what that brings about, until nothing waits.
    ///
    /// - Returns: whether anything ran.
    @discardableResult
    public func settle() -> Bool {
        var hasRun = false
        repeat {
            while let next = take() {
                run(next)
                hasRun = true
            }
            if hasRun { flush() }
        } while state.withLock { !$0.waiting.isEmpty }
        return hasRun
    }

    /// Runs callbacks and events in turn until the condition holds, or `limit` has passed.
    ///
    /// - Returns: whether the condition held.
    @discardableResult
    public func run(
        _ time: any PassingTime, for limit: Duration, until condition: () -> Bool = { false }
    ) -> Bool {
        time.run(for: limit, settling: { settle() }, until: condition)
    }

    /// Lets the wall clock go on, for code that waits for it.
    public func pause(microseconds: Int) {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(microseconds))
    }

    private func take() -> Waiting? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    private func run(_ waiting: Waiting) {
        if waiting.queue === inline { return waiting.body() }
        perform(on: waiting.queue, flags: [], waiting.body)
    }

    // Lets the queues run what callbacks put on them. A barrier waits for a concurrent queue too.
    private func flush() {
        let (queues, usesMain) = state.withLock { ($0.queues, $0.usesMain) }
        guard !queues.isEmpty || usesMain else { return }
        for _ in 0..<Self.hops {
            for queue in queues { perform(on: queue, flags: .barrier) {} }
            if usesMain { perform(on: nil, flags: []) {} }
        }
    }

    private func perform(
        on queue: DispatchQueue?, flags: DispatchWorkItemFlags, _ body: @escaping @Sendable () -> Void
    ) {
        if queue == nil, Thread.isMainThread {
            // This is where the main queue's blocks run: waiting for one here would be for ever. What others
            // put there runs if this is no such block already.
            body()
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceReferenceDate: 0))
            return
        }
        let done = DispatchSemaphore(value: 0)
        (queue ?? .main).async(flags: flags) {
            body()
            done.signal()
        }
        if let queue, state.withLock({ $0.hung.contains { $0 === queue } }) { return }
        wait(for: done, queue)
    }

    private func wait(for done: DispatchSemaphore, _ queue: DispatchQueue?) {
        guard let patience else { return done.wait() }
        let limit = Int(clamping: patience.nanosecondsWithinADay)
        guard done.wait(timeout: .now() + .nanoseconds(limit)) == .timedOut else { return }
        let label = queue?.label ?? "main"
        state.withLock { state in
            if !state.slow.contains(label) { state.slow.append(label) }
        }
        guard done.wait(timeout: .now() + .seconds(Self.hardLimitSeconds)) == .timedOut, let queue else {
            return
        }
        state.withLock { $0.hung.append(queue) }
    }

    private static let hardLimitSeconds = 60
}

extension Duration {
    fileprivate var nanosecondsWithinADay: Int64 {
        let day = Duration.seconds(86_400)
        let (seconds, attoseconds) = (self < day ? self : day).components
        return max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
