import Dispatch
import Synchronization

/// A queue of the program: its identity, and the way to submit blocks to it.
package struct ProgramQueue: Equatable, Sendable {
    private enum Kind: Equatable {
        case inline
        case main
        case other(UInt)
    }

    private let kind: Kind
    package let label: String
    /// Whether blocks that others put on it are awaited; system queues are not.
    let isFollowed: Bool
    /// Submits a block; the first argument says whether as a barrier.
    let submit: @Sendable (Bool, @escaping @Sendable () -> Void) -> Void

    private init(
        _ kind: Kind, label: String, isFollowed: Bool,
        submit: @escaping @Sendable (Bool, @escaping @Sendable () -> Void) -> Void
    ) {
        self.kind = kind
        self.label = label
        self.isFollowed = isFollowed
        self.submit = submit
    }

    /// Wraps a queue that the program gave to the API; nil is the main queue.
    init(_ queue: DispatchQueue?) {
        guard let queue, queue.getSpecific(key: Self.mainKey) == nil else {
            self = .main
            return
        }
        self.init(.other(UInt(bitPattern: ObjectIdentifier(queue))), label: queue.label, isFollowed: true) {
            queue.async(flags: $0 ? .barrier : [], execute: $1)
        }
    }

    // `DispatchQueue.main` is another object each time on Linux.
    private static let mainKey = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is a block of the main queue.
    package static var isCurrentMain: Bool { DispatchQueue.getSpecific(key: mainKey) != nil }

    /// Wraps a queue known by the address of its object in the C library.
    package init(
        address: UInt, label: String, submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.init(.other(address), label: label, isFollowed: false) { submit($1) }
    }

    /// The settling thread itself.
    package static let inline = ProgramQueue(.inline, label: "inline", isFollowed: false) { $1() }

    package static let main = ProgramQueue(.main, label: "main", isFollowed: false) {
        DispatchQueue.main.async(execute: $1)
    }

    package static func == (one: Self, other: Self) -> Bool { one.kind == other.kind }
}

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

/// The program's code that a thread runs.
///
/// A task has task-local values of its own, and one that is detached has none; what the thread runs is the
/// same for all of them.
struct ProgramThread {
    /// The adapter for the managers that the code makes.
    var adapter: BluetoothAdapter?
    var block: ProgramBlock?
    /// Whether this thread settles, and runs the program's code itself.
    var isInline = false

    private static let key = {
        var key = pthread_key_t()
        // Safe: the call fills the value that it is given.
        let status = unsafe pthread_key_create(&key, nil)
        precondition(status == 0, "no key for values of threads is left")
        return key
    }()

    static var current: ProgramThread {
        // Safe: `with` alone sets it, to a value that lives as long.
        unsafe pthread_getspecific(key)?.assumingMemoryBound(to: ProgramThread.self).pointee
            ?? ProgramThread()
    }

    /// Runs `body` with other values.
    static func with<Result>(
        _ change: (inout ProgramThread) -> Void, _ body: () throws -> Result
    ) rethrows -> Result {
        var value = current
        change(&value)
        // Safe: the pointer is taken back before the value goes.
        let outer = unsafe pthread_getspecific(key)
        return try unsafe withUnsafeMutablePointer(to: &value) { pointer in
            unsafe pthread_setspecific(key, pointer)
            defer { unsafe pthread_setspecific(key, outer) }
            return try body()
        }
    }
}
