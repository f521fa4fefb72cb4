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
        /// Queues that are not waited for any more.
        var hung: [ProgramQueue] = []
        /// Blocks that wait, in virtual time, for something that others are to do.
        var paused: [ProgramBlock] = []
        /// Blocks that the program put on queues and that have not been waited for.
        var begun: [ProgramBlock] = []

        /// Whether a block that waits keeps a queue from running others.
        func isHeld(_ queue: ProgramQueue) -> Bool { paused.contains { $0.queue == queue } }

        /// The first callback whose queue is free.
        mutating func next() -> Waiting? {
            guard let place = waiting.firstIndex(where: { !isHeld($0.queue) }) else { return nil }
            return waiting.remove(at: place)
        }
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

    /// Follows a queue that no callback has come to yet.
    public func follow(_ queue: DispatchQueue) { state.withLock { $0.follow(ProgramQueue(queue)) } }

    /// Waits, before time goes on, for a block that the program has put on a queue.
    package func follow(_ block: ProgramBlock) {
        state.withLock { state in
            state.begun.append(block)
            state.delivered += 1
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

    /// Waits for the blocks that the program put on queues.
    private func awaitBlocks() -> Bool {
        let begun = state.withLock { state in
            let begun = state.begun
            state.begun = begun.filter { state.isHeld($0.queue) }
            return begun.filter { !state.isHeld($0.queue) }
        }
        for block in begun { wait(for: block, within: patience) }
        return !begun.isEmpty
    }

    /// Asks each block that waits whether it can go on, and lets it.
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

    private func run(_ waiting: Waiting) {
        if waiting.queue == .inline { return ProgramBlock.runInline(waiting.body) }
        perform(on: waiting.queue, asBarrier: false, waiting.body)
    }

    // Lets the queues run what callbacks put on them. A barrier waits for a concurrent queue too.
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
        if queue == .main, Thread.isMainThread {
            // This is where the main queue's blocks run: waiting for one here would be for ever. What others
            // put there runs if this is no such block already.
            ProgramBlock.runInline(body)
            runMainQueue()
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
    /// - Returns: false where it did neither in that time; its queue is then named as slow.
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

    /// Runs what waits on the main queue, on whose thread this is called; does nothing within one of its
    /// blocks.
    package func runMainQueue() {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceReferenceDate: 0))
    }

    /// Whether the main queue runs its blocks while this code runs: not if this is one of them.
    package func mainQueueRuns() -> Bool {
        guard DispatchQueue.getSpecific(key: Self.mainKey) != nil else { return true }
        guard Thread.isMainThread else { return false }
        let probe = DispatchWorkItem {}
        DispatchQueue.main.async(execute: probe)
        runMainQueue()
        return probe.wait(timeout: .now()) == .success
    }

    deinit { for block in state.withLock({ $0.paused }) { block.abandon() } }

    private static let mainKey = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

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
