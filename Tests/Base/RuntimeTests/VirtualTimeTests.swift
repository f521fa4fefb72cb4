import Runtime
import Synchronization
import Testing

/// Lines that tasks and actions wrote, in their order.
final class Log: Sendable {
    private let kept = Mutex<[String]>([])
    func add(_ line: String) { kept.withLock { $0.append(line) } }
    var lines: [String] { kept.withLock { $0 } }
}

actor Teller {
    let time: VirtualTime
    let log: Log
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // Safe: the actor keeps the time, and so its executor.
        unsafe time.executor.asUnownedSerialExecutor()
    }

    init(_ time: VirtualTime, _ log: Log) {
        self.time = time
        self.log = log
    }

    func say(_ text: String) { log.add("\(time.now.nanoseconds / 1_000_000) \(text)") }
}

@Suite struct VirtualTimeTests {
    @Test func `actions run at their time and time stands there`() {
        let time = VirtualTime()
        let log = Log()
        for (delay, name) in [(30, "c"), (10, "a"), (20, "b")] {
            time.schedule(after: .milliseconds(delay), from: .host) {
                log.add("\(time.now.nanoseconds / 1_000_000) \(name)")
            }
        }
        #expect(time.run(until: Instant(nanoseconds: 20_000_000)) == 2)
        #expect(log.lines == ["10 a", "20 b"])
        #expect(time.now == Instant(nanoseconds: 20_000_000))
        #expect(time.run() == 1)
        #expect(log.lines.last == "30 c")
    }

    @Test func `an action may schedule and cancel others, and the past is now`() {
        let time = VirtualTime(start: Instant(nanoseconds: 1_000))
        let log = Log()
        let doomed = time.schedule(after: .seconds(9), from: .host) { log.add("doomed") }
        time.schedule(at: .zero, from: .host) {
            log.add("past")
            time.cancel(doomed)
            time.schedule(at: .zero, from: .host) { log.add("after") }
        }
        time.run()
        #expect(log.lines == ["past", "after"])
        #expect(time.now == Instant(nanoseconds: 1_000))
        #expect(time.pending == 0)
    }

    @Test func `timers of applications stand still where time is held, and others go on`() {
        let time = VirtualTime()
        let seen = Mutex<[String]>([])
        func timer(_ seconds: Int64, _ source: EventSource, _ name: String) -> EventID {
            time.schedule(after: .seconds(seconds), from: source) {
                let now = time.now.nanoseconds / 1_000_000_000
                let own = time.applicationNow.nanoseconds / 1_000_000_000
                seen.withLock { $0.append("\(name) \(now) \(own)") }
            }
        }
        _ = timer(1, .application, "early")
        _ = timer(3, .application, "late")
        _ = timer(2, .application, "at the begin")
        _ = timer(5, .host, "host")
        let gone = timer(4, .application, "cancelled")
        func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }
        time.hold(from: at(2), until: at(10))
        time.hold(from: at(8), until: at(12))
        time.hold(from: at(20), until: at(30))
        time.run(until: at(6))
        _ = timer(2, .application, "begun in between")
        _ = timer(0, .application, "at once")
        time.cancel(gone)
        time.run(until: at(14))
        _ = timer(7, .application, "over the next")
        time.run()
        #expect(
            seen.withLock { $0 } == [
                "early 1 1", "host 5 2", "at once 6 2", "at the begin 12 2", "late 13 3",
                "begun in between 14 4", "over the next 31 11",
            ])
    }

    @Test func `ten hours pass in no time`() {
        let time = VirtualTime()
        #expect(time.run(for: .seconds(36_000)) == 0)
        #expect(time.now.nanoseconds == 36_000_000_000_000)
    }

    static func session() -> [String] {
        let time = VirtualTime()
        let log = Log()
        let teller = Teller(time, log)
        for index in 0..<3 {
            Task(executorPreference: time.executor) {
                for round in 0..<3 {
                    try await time.sleep(for: .milliseconds(10 * (index + 1)))
                    await teller.say("task \(index) round \(round)")
                }
            }
        }
        Task(executorPreference: time.executor) {
            let sleeper = Task(executorPreference: time.executor) {
                try await time.sleep(for: .seconds(3_600))
            }
            try await time.sleep(for: .milliseconds(25))
            sleeper.cancel()
            let result = await sleeper.result
            await teller.say("cancelled \(result)")
        }
        Task(executorPreference: time.executor) {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for value in 0..<3 {
                        try? await time.sleep(for: .milliseconds(7))
                        continuation.yield(value)
                    }
                    continuation.finish()
                }
                group.addTask { for await value in stream { await teller.say("value \(value)") } }
            }
            await teller.say("group done")
        }
        time.run()
        return log.lines
    }

    @Test func `tasks, actors, groups, streams and cancellation take one order in 500 runs`() {
        let first = Self.session()
        #expect(first.contains("25 cancelled failure(Swift.CancellationError())"))
        #expect(first.contains("21 group done"))
        #expect(first.count == 14)
        for _ in 0..<500 { #expect(Self.session() == first) }
    }

    @Test func `a sleep in the past does not wait, and a cancelled task does not sleep`() {
        let time = VirtualTime(start: Instant(nanoseconds: 50))
        let log = Log()
        let task = Task(executorPreference: time.executor) {
            try await time.sleep(until: Instant(nanoseconds: 40))
            log.add("past")
            do {
                try await time.sleep(for: .seconds(5))
            } catch {
                log.add("\(error)")
            }
        }
        time.executor.drain()
        task.cancel()
        time.run()
        #expect(log.lines == ["past", "CancellationError()"])
        #expect(time.now == Instant(nanoseconds: 50))
    }

    @Test func `a drain stops at its limit`() {
        let executor = PumpedExecutor()
        let log = Log()
        for index in 0..<3 { Task(executorPreference: executor) { log.add("\(index)") } }
        #expect(executor.drain(limit: 1) == 1)
        #expect(executor.pending >= 2)
        #expect(log.lines.count <= 1)
        #expect(executor.drain() >= 2)
        #expect(executor.pending == 0)
        #expect(log.lines == ["0", "1", "2"])
    }
}
