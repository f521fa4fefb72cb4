import Synchronization

/// Runs tasks and actors only on the thread that pumps it, in order of arrival.
///
/// Create tasks with it (`Task(executorPreference:)`), and let actors return it as their executor; a program
/// of tasks then runs in the same order every time.
public final class PumpedExecutor: TaskExecutor, SerialExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var taken = 0

        mutating func next() -> UnownedJob? {
            guard taken < jobs.count else {
                jobs.removeAll(keepingCapacity: true)
                taken = 0
                return nil
            }
            defer { taken += 1 }
            return jobs[taken]
        }
    }

    private let queue = Mutex(Queue())
    private let around = Mutex<(@Sendable (() -> Void) -> Void)?>(nil)

    public init() {}

    /// Has each job run within `around`, which must run what it is given.
    package func surround(_ around: @escaping @Sendable (() -> Void) -> Void) {
        self.around.withLock { $0 = around }
    }

    /// Number of waiting jobs.
    public var pending: Int { queue.withLock { $0.jobs.count - $0.taken } }

    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.withLock { $0.jobs.append(unowned) }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        // Safe: an actor that answers with it keeps the executor itself.
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Runs jobs, including new ones, until none is left or `limit` have run.
    ///
    /// - Returns: the number of jobs run.
    @discardableResult
    public func drain(limit: Int = .max) -> Int {
        var count = 0
        while count < limit, let job = queue.withLock({ $0.next() }) {
            let run = {
                // Safe: the job was taken from the queue, so it is run once, on this executor.
                unsafe job.runSynchronously(
                    isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
            }
            if let around = around.withLock({ $0 }) { around(run) } else { run() }
            count += 1
        }
        return count
    }
}
