import Adapters
import Runtime
import Synchronization
import Testing

/// Lines in the order in which they were written.
final class Lines: Sendable {
    private let kept = Mutex<[String]>([])
    func add(_ line: String) { kept.withLock { $0.append(line) } }
    var all: [String] { kept.withLock { $0 } }
}

@Suite struct RealTimeTests {
    @Test func `actions run when they are due, in the order of time, and never before`() {
        let time = RealTime()
        let lines = Lines()
        let begin = time.now
        for (name, delay) in [("late", 30), ("early", 10), ("cancelled", 20)] {
            let due = begin.advanced(by: .milliseconds(delay))
            let id = time.schedule(at: due, from: .host) {
                lines.add(time.now >= due ? name : "\(name) too early")
            }
            if name == "cancelled" { time.cancel(id) }
        }
        #expect(time.run(for: .seconds(30)) { lines.all.count == 2 })
        #expect(lines.all == ["early", "late"])
    }

    @Test func `an action from another thread ends the wait`() async {
        let time = RealTime()
        let lines = Lines()
        time.start()
        time.start()
        await withCheckedContinuation { continuation in
            time.schedule(after: .milliseconds(1), from: .host) {
                lines.add("first")
                time.schedule(at: time.now, from: .host) { continuation.resume() }
            }
        }
        #expect(lines.all == ["first"])
        try? await time.sleep(until: time.now.advanced(by: .milliseconds(5)))
        let task = Task { try await time.sleep(until: .distantFuture) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a wait ends at its limit`() {
        let time = RealTime()
        let begin = time.now
        #expect(!time.run(for: .milliseconds(20)) { false })
        #expect(time.now >= begin.advanced(by: .milliseconds(20)))
    }

    @Test func `the system's random bytes differ`() {
        let bytes = SystemEntropy().octets(32, for: .nonce)
        #expect(bytes.count == 32)
        #expect(bytes != SystemEntropy().octets(32, for: .nonce))
    }
}
