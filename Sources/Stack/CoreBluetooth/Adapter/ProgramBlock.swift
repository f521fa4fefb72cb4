import Dispatch
import Synchronization

/// A block of the program on one of its queues. While it waits for something, virtual time can advance.
///
/// The block and the settling thread take turns, so that only one of them runs and every run is the same.
package final class ProgramBlock: Sendable {
    private struct State {
        var hasEnded = false
        /// Whether it continued after the last resume.
        var hasGoneOn = false
        var isAbandoned = false
    }

    let queue: ProgramQueue
    private let body: @Sendable () -> Void
    private let state = Mutex(State())
    /// Signalled when the block has ended or waits.
    private let stopped = DispatchSemaphore(value: 0)
    /// Signalled when the block may check its condition again.
    private let turn = DispatchSemaphore(value: 0)

    package init(on queue: ProgramQueue, _ body: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.body = body
    }

    package func run() {
        ProgramThread.with {
            ($0.block, $0.isInline) = (self, false)
        } _: {
            body()
        }
        state.withLock { ($0.hasEnded, $0.hasGoneOn) = (true, true) }
        stopped.signal()
    }

    /// Runs the program's code on the settling thread.
    package static func runInline(_ body: () -> Void) {
        ProgramThread.with {
            ($0.block, $0.isInline) = (nil, true)
        } _: {
            body()
        }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    var hasGoneOn: Bool { state.withLock { $0.hasGoneOn } }

    /// Waits until the block has ended or waits itself; returns false if neither happens within the limit.
    func stops(within limit: Duration?) -> Bool {
        // Wait in real time, whatever the caller's adapter.
        AdapterSlot.without {
            guard let limit else {
                stopped.wait()
                return true
            }
            let nanoseconds = Int(clamping: limit.nanosecondsWithinADay)
            return stopped.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
        }
    }

    func resume() {
        state.withLock { $0.hasGoneOn = false }
        turn.signal()
    }

    /// Wakes the block for the last time, since nothing settles any more.
    func abandon() {
        state.withLock { $0.isAbandoned = true }
        turn.signal()
    }

    /// Waits within a block or callback of the program, while other callbacks run and virtual time advances.
    ///
    /// - Parameters:
    ///   - isMet: consumes the awaited result if it has come.
    ///   - isOver: whether the wait has timed out.
    ///   - goOn: lets virtual time advance, on the settling thread; false if no event is scheduled.
    /// - Returns: whether the condition was met; nil outside such a block, or if nothing settles any more.
    package static func wait(_ isMet: () -> Bool, isOver: () -> Bool, goOn: () -> Bool) -> Bool? {
        let block = ProgramThread.current.block
        guard block != nil || ProgramThread.current.isInline else { return nil }
        while true {
            let hasCome = isMet()
            if hasCome || isOver() {
                block?.state.withLock { $0.hasGoneOn = true }
                return hasCome
            }
            guard block?.pause() ?? goOn() else { return nil }
        }
    }

    /// Yields the turn and waits for it; returns false if it never comes again.
    private func pause() -> Bool {
        stopped.signal()
        AdapterSlot.without { turn.wait() }
        return !state.withLock { $0.isAbandoned }
    }
}
