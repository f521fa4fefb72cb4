import Dispatch
import Synchronization

/// A block of the program on one of its queues. While it waits for something, virtual time can go on.
///
/// It and the thread that settles take turns: one of the two runs, so that a run is the same each time.
package final class ProgramBlock: Sendable {
    private struct State {
        var hasEnded = false
        /// Whether it ran on after it was last asked.
        var hasGoneOn = false
        var isAbandoned = false
    }

    /// The block that runs on this thread.
    @TaskLocal private static var current: ProgramBlock?
    /// Whether this thread settles, and runs a callback itself.
    @TaskLocal private static var isInline = false

    let queue: ProgramQueue
    private let body: @Sendable () -> Void
    private let state = Mutex(State())
    /// It has ended, or waits.
    private let stopped = DispatchSemaphore(value: 0)
    /// It may ask again whether what it waits for has come.
    private let turn = DispatchSemaphore(value: 0)

    package init(on queue: ProgramQueue, _ body: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.body = body
    }

    package func run() {
        Self.$current.withValue(self) { body() }
        state.withLock { ($0.hasEnded, $0.hasGoneOn) = (true, true) }
        stopped.signal()
    }

    /// Runs a callback on the thread that settles.
    static func runInline(_ body: () -> Void) { $isInline.withValue(true) { body() } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    var hasGoneOn: Bool { state.withLock { $0.hasGoneOn } }

    /// Waits until it has ended or waits itself; whether it did so within the limit.
    func stops(within limit: Duration?) -> Bool {
        // On the machine's clock, whoever calls.
        AdapterSlot.$bound.withValue(nil) {
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

    /// Nobody settles any more.
    func abandon() {
        state.withLock { $0.isAbandoned = true }
        turn.signal()
    }

    /// Waits within a block or callback of the program, while other callbacks run and virtual time goes on.
    ///
    /// - Parameters:
    ///   - isMet: takes what is waited for, if it has come.
    ///   - isOver: whether the time for it is up.
    ///   - goOn: lets virtual time go on, on the thread that settles; false if nothing is to come.
    /// - Returns: whether it came; nil where this is no such block, or nobody settles any more.
    package static func wait(_ isMet: () -> Bool, isOver: () -> Bool, goOn: () -> Bool) -> Bool? {
        let block = current
        guard block != nil || isInline else { return nil }
        while true {
            let hasCome = isMet()
            if hasCome || isOver() {
                block?.state.withLock { $0.hasGoneOn = true }
                return hasCome
            }
            guard block?.pause() ?? goOn() else { return nil }
        }
    }

    /// Gives the turn away, and waits for it; false where it never comes again.
    private func pause() -> Bool {
        stopped.signal()
        AdapterSlot.$bound.withValue(nil) { turn.wait() }
        return !state.withLock { $0.isAbandoned }
    }
}
