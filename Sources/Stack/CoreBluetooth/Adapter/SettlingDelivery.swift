public import Dispatch
import Foundation
public import Runtime
import Synchronization

/// Runs callbacks one at a time and waits for each to finish: for virtual time, which advances only when
/// nothing is left to run.
///
/// Its owner calls ``settle()`` between two events. Callbacks run in the order of delivery, whatever their
/// queues, so that every run is the same. When ``settle()`` returns, blocks that a callback put on a queue
/// known to the API have run too.
public final class SettlingDelivery: CallbackDelivery {
    fileprivate struct Waiting: Sendable {
        let queue: ProgramQueue
        let body: @Sendable () -> Void
    }

    fileprivate struct State {
        var waiting: [Waiting] = []
        var queues: [ProgramQueue] = []
        var usesMain = false
        var delivered = 0
        /// Labels of queues whose callbacks took longer than the patience.
        var slow: [String] = []
        /// Queues that are no longer waited for.
        var hung: [ProgramQueue] = []
        /// Blocks that wait, in virtual time, for something that others must do.
        var paused: [ProgramBlock] = []
        var isOver = false
        /// Blocks that the program put on queues and that have not been awaited.
        var begun: [ProgramBlock] = []

        /// Whether a waiting block keeps a queue from running others.
        func isHeld(_ queue: ProgramQueue) -> Bool { paused.contains { $0.queue == queue } }

        /// Removes and returns the first callback whose queue is free.
        mutating func next() -> Waiting? {
            guard let place = waiting.firstIndex(where: { !isHeld($0.queue) }) else { return nil }
            return waiting.remove(at: place)
        }
    }

    // Maximum depth of blocks that queue further blocks without calling the API.
    private static let hops = 8

    private let state = Mutex(State())

    /// A marker for running at once on the settling thread.
    ///
    /// For managers whose owner itself lives in virtual time.
    public let inline = DispatchQueue(label: "blecap.inline")

    /// Maximum real time for one callback before ``stalled`` names its queue; nil for no limit.
    public let patience: Duration?

    public init(patience: Duration? = nil) { self.patience = patience }

    public func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
        deliver(on: queue === inline ? .inline : ProgramQueue(queue), body)
    }

    /// Delivers to a queue that is known by more than one name.
    package func deliver(on queue: ProgramQueue, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.waiting.append(Waiting(queue: queue, body: body))
            state.delivered += 1
            state.follow(queue)
        }
    }

    /// Follows a queue that no callback has been delivered to yet.
    public func follow(_ queue: DispatchQueue) { state.withLock { $0.follow(ProgramQueue(queue)) } }

    /// Waits, before time advances, for a block that the program has put on a queue.
    package func follow(_ block: ProgramBlock) {
        state.withLock { state in
            state.begun.append(block)
            state.delivered += 1
        }
    }

    /// Whether its owner has stopped settling: what is delivered then waits until it begins again.
    package var isOver: Bool {
        get { state.withLock { $0.isOver } }
        set { state.withLock { $0.isOver = newValue } }
    }

    /// Number of callbacks delivered so far.
    public var delivered: Int { state.withLock { $0.delivered } }

    /// The labels of queues on which a callback took longer than the patience.
    ///
    /// Such a run depends on real time. A queue blocked for 60 s more is no longer waited for.
    public var stalled: [String] { state.withLock { $0.slow } }

    /// Runs waiting callbacks and their consequences until none is left.
    ///
    /// - Returns: whether anything ran.
    @discardableResult
    public func settle() -> Bool {
        var hasRun = false
        var goesOn = true
        while goesOn {
            while let next = state.withLock({ $0.next() }) {
                run(next)
                hasRun = true
            }
            if hasRun { flush() }
            goesOn = awaitBlocks()
            if resumeBlocks() { goesOn = true }
            if !goesOn {
                goesOn = state.withLock { state in state.waiting.contains { !state.isHeld($0.queue) } }
            }
            hasRun = hasRun || goesOn
        }
        return hasRun
    }

    /// Waits for the blocks that the program put on queues; returns whether there were any.
    private func awaitBlocks() -> Bool {
        let begun = state.withLock { state in
            let begun = state.begun
            state.begun = begun.filter { state.isHeld($0.queue) }
            return begun.filter { !state.isHeld($0.queue) }
        }
        for block in begun { wait(for: block, within: patience) }
        return !begun.isEmpty
    }

    /// Lets each waiting block check its condition; returns whether one continued.
    private func resumeBlocks() -> Bool {
        let paused = state.withLock { state in
            let paused = state.paused
            state.paused = []
            return paused
        }
        var hasGoneOn = false
        for block in paused {
            block.resume()
            wait(for: block, within: patience)
            if block.hasGoneOn { hasGoneOn = true }
        }
        return hasGoneOn
    }

    /// Runs callbacks and events alternately until the condition holds or `limit` has passed.
    ///
    /// - Returns: whether the condition held.
    @discardableResult
    public func run(
        _ time: any PassingTime, for limit: Duration, until condition: () -> Bool = { false }
    ) -> Bool {
        time.run(for: limit, settling: { settle() }, until: condition)
    }

    /// Lets real time pass, for code that waits for it.
    public func pause(microseconds: Int) {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(microseconds))
    }

    private func run(_ waiting: Waiting) {
        if waiting.queue == .inline { return ProgramBlock.runInline(waiting.body) }
        perform(on: waiting.queue, asBarrier: false, waiting.body)
    }

    // Lets the queues run what callbacks put on them. A barrier also waits for a concurrent queue.
    private func flush() {
        let queues = state.withLock { state in
            (state.queues + (state.usesMain ? [.main] : [])).filter { !state.isHeld($0) }
        }
        guard !queues.isEmpty else { return }
        for _ in 0..<Self.hops {
            for queue in queues { perform(on: queue, asBarrier: true) {} }
        }
    }

    private func perform(
        on queue: ProgramQueue, asBarrier: Bool, _ body: @escaping @Sendable () -> Void
    ) {
        if queue == .main, Thread.isMainThread || ProgramQueue.isCurrentMain {
            // This is where the main queue's blocks run: waiting for one here would be for ever. What others
            // put there runs if this is no such block already.
            ProgramBlock.runInline(body)
            if Thread.isMainThread { runMainQueue() }
            return
        }
        let block = ProgramBlock(on: queue, body)
        queue.submit(asBarrier) { block.run() }
        if state.withLock({ $0.hung.contains(queue) }) { return }
        guard !wait(for: block, within: patience), queue != .main else { return }
        guard !wait(for: block, within: .seconds(Self.hardLimitSeconds)) else { return }
        state.withLock { $0.hung.append(queue) }
    }

    /// Waits until a block has ended or waits itself.
    ///
    /// - Returns: false if it did neither in that time; its queue is then recorded as slow.
    @discardableResult
    private func wait(for block: ProgramBlock, within limit: Duration?) -> Bool {
        guard block.stops(within: limit) else {
            state.withLock { state in
                if !state.slow.contains(block.queue.label) { state.slow.append(block.queue.label) }
            }
            return false
        }
        if !block.hasEnded { state.withLock { $0.paused.append(block) } }
        return true
    }

    /// Runs the blocks waiting on the main queue, from its own thread; does nothing within one of its blocks.
    package func runMainQueue() {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceReferenceDate: 0))
    }

    /// Returns whether the main queue runs its blocks while this code runs; false if this code is one of
    /// them.
    package func mainQueueRuns() -> Bool {
        guard ProgramQueue.isCurrentMain else { return true }
        guard Thread.isMainThread else { return false }
        let probe = DispatchWorkItem {}
        DispatchQueue.main.async(execute: probe)
        runMainQueue()
        return probe.wait(timeout: .now()) == .success
    }

    deinit { for block in state.withLock({ $0.paused }) { block.abandon() } }

    private static let hardLimitSeconds = 60
}

extension SettlingDelivery.State {
    fileprivate mutating func follow(_ queue: ProgramQueue) {
        if queue == .main {
            usesMain = true
        } else if queue.isFollowed, !queues.contains(queue) {
            queues.append(queue)
        }
    }
}

extension Duration {
    var nanosecondsWithinADay: Int64 {
        let day = Duration.seconds(86_400)
        let (seconds, attoseconds) = (self < day ? self : day).components
        return max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}

/// Delivers callbacks to the application's queues.
public protocol CallbackDelivery: Sendable {
    /// Runs `body` on `queue` (the main queue if nil), after everything delivered to that queue before.
    ///
    /// Never runs it synchronously.
    func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void)
}

/// Delivers callbacks immediately: for hardware, whose time is real.
public struct LiveDelivery: CallbackDelivery {
    public init() {}

    public func deliver(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
        (queue ?? .main).async(execute: body)
    }
}
