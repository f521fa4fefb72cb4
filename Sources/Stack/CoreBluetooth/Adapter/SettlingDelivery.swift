public import Dispatch
import Foundation
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
        var running: String?
    }

    // Blocks that put blocks on a queue in turn are followed this far where none of them calls the API.
    private static let hops = 8

    private let state = Mutex(State())

    /// A queue that is none: what is delivered to it runs at once on the thread that settles. For managers
    /// whose owner lives in virtual time itself.
    public let inline = DispatchQueue(label: "blecap.inline")

    /// The longest that one callback may take on the wall clock, before ``stalled`` names it; nil for any
    /// length.
    public let patience: Duration?

    public init(patience: Duration? = nil) { self.patience = patience }

    public func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
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
            if !state.queues.contains(where: { $0 === queue }) { state.queues.append(queue) }
        }
    }

    /// Callbacks delivered so far.
    public var delivered: Int { state.withLock { $0.delivered } }

    /// The label of the queue whose callback did not end in time; nil while all do. Such a run depends on the
    /// wall clock.
    public var stalled: String? { state.withLock { $0.running } }

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
        let done = DispatchSemaphore(value: 0)
        (queue ?? .main).async(flags: flags) {
            body()
            done.signal()
        }
        guard queue == nil, Thread.isMainThread else {
            wait(for: done, label: queue?.label ?? "main")
            return
        }
        // On the main thread itself, its run loop runs the main queue.
        while done.wait(timeout: .now()) == .timedOut {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceReferenceDate: 0))
        }
    }

    private func wait(for done: DispatchSemaphore, label: String) {
        guard let patience else { return done.wait() }
        let limit = Int(clamping: patience.components.seconds * 1000)
        guard done.wait(timeout: .now() + .milliseconds(limit)) == .timedOut else { return }
        state.withLock { $0.running = label }
        done.wait()
        state.withLock { $0.running = nil }
    }
}
