import CoreBluetooth
import Foundation
import ReplayHarness
import Runtime
import Testing

private actor Pool {
    private var count = 0

    @discardableResult
    func enter() -> Int {
        count += 1
        return count
    }

    /// Blocks in a task, as code that is not asynchronous does.
    func wait(_ semaphore: DispatchSemaphore) -> DispatchTimeoutResult {
        { semaphore.wait(timeout: .now() + 7200) }()
    }
}

/// A program with the timers that iOS has: what they take is hours, so that no test passes on the wall clock.
@Suite struct ProgramTimeTests {
    /// Calls back once, on a queue, and then for each device.
    private final class Program: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
        let queue = DispatchQueue(label: "program")
        let begins: (Program) -> Void
        let found = DispatchSemaphore(value: 0)
        private(set) var central: CBCentralManager?

        init(_ begins: @escaping (Program) -> Void) {
            self.begins = begins
            super.init()
            central = CBCentralManager(delegate: self, queue: queue)
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            if central.state == .poweredOn { begins(self) }
        }

        func centralManager(
            _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any], rssi: NSNumber
        ) {
            found.signal()
        }
    }

    /// What a program wrote, with the virtual seconds since it began.
    private static func lines(
        _ count: Int, _ begins: @escaping (Program, @escaping @Sendable (String) -> Void) -> Void
    ) throws -> [String] {
        var options = ReplayHarness.Options()
        options.patience = .seconds(600)
        let harness = try ReplayHarness(ReplayHarnessTests.unlock, options: options)
        let lines = Lines()
        let clock = harness.clock
        let program = harness.make {
            Program { program in
                let begun = clock.now
                begins(program) { lines.add("\(begun.duration(to: clock.now).components.seconds) s: \($0)") }
            }
        }
        harness.run { lines.all.count >= count }
        #expect(harness.usedWallTime.isEmpty)
        withExtendedLifetime(program) {}
        return lines.all
    }

    @Test func `blocks that are put off run in virtual time, on their queues`() throws {
        let lines = try Self.lines(4) { program, add in
            let begun = DispatchTime.now()
            program.queue.asyncAfter(deadline: .now() + 7200) {
                add("late after \((DispatchTime.now().uptimeNanoseconds - begun.uptimeNanoseconds) / 1_000)")
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { add("from a block") }
            }
            let item = DispatchWorkItem { add("never") }
            program.queue.asyncAfter(deadline: .now() + 3, execute: item)
            item.cancel()
            program.queue.async {
                program.queue.asyncAfter(deadline: .now() + 60) { add("from another queue") }
                add("hopped")
            }
        }
        #expect(
            lines == [
                "0 s: hopped", "60 s: from another queue", "7200 s: late after 7200000000",
                "7201 s: from a block",
            ])
    }

    @Test func `what waits for something lets virtual time go on`() throws {
        let lines = try Self.lines(3) { program, add in
            let worker = DispatchQueue(label: "worker")
            worker.async {
                let never = DispatchSemaphore(value: 0)
                add("\(never.wait(timeout: .now() + 7200))")
                program.central?.scanForPeripherals(withServices: nil)
                program.found.wait()
                program.central?.stopScan()
                add("found")
                let group = DispatchGroup()
                group.enter()
                program.queue.asyncAfter(deadline: .now() + 3600) { group.leave() }
                add("\(group.wait(timeout: .now() + 7200))")
            }
        }
        #expect(
            lines.map { $0.split(separator: " ").last.map(String.init) } == ["timedOut", "found", "success"])
        #expect(lines.first == "7200 s: timedOut")
    }

    @Test func `tasks that a callback begins run in virtual time, detached ones too`() throws {
        let lines = try Self.lines(4) { program, add in
            let pool = Pool()
            Task {
                await pool.enter()
                let value = await Task.detached {
                    try? await Task.sleep(for: .seconds(7200))
                    return await pool.enter()
                }.value
                add("entered \(value)")
                let never = DispatchSemaphore(value: 0)
                program.queue.asyncAfter(deadline: .now() + 3600) { add("signalled") }
                add("\(await pool.wait(never))")
            }
            add("first")
        }
        #expect(lines == ["0 s: first", "7200 s: entered 2", "10800 s: signalled", "14400 s: timedOut"])
    }

    @Test func `a callback that waits for one on another queue gets it`() throws {
        let lines = try Self.lines(1) { program, add in
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().asyncAfter(deadline: .now() + 7200) { done.signal() }
            add("\(done.wait(timeout: .distantFuture))")
        }
        #expect(lines == ["7200 s: success"])
    }

    @Test func `timers of a run loop fire in virtual time`() throws {
        let harness = try ReplayHarness(ReplayHarnessTests.unlock)
        let lines = Lines()
        let clock = harness.clock
        let timer = harness.make {
            let timer = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { timer in
                lines.add("\(clock.now.nanoseconds / 1_000_000_000)")
                if lines.all.count >= 3 { timer.invalidate() }
            }
            _ = Timer.scheduledTimer(withTimeInterval: 5400, repeats: false) { _ in lines.add("once") }
            return timer
        }
        harness.run { !timer.isValid }
        #expect(lines.all == ["3600", "once", "7200"])
    }

    @MainActor @Test func `a test that is a block of the main queue runs what comes there`() throws {
        let harness = try ReplayHarness(ReplayHarnessTests.unlock)
        let lines = Lines()
        harness.make {
            DispatchQueue.main.async { lines.add("block") }
            DispatchQueue(label: "worker").async { DispatchQueue.main.sync { lines.add("waited for") } }
        }
        try harness.run { @MainActor in
            try await Task.sleep(for: .seconds(7200))
            lines.add("woke")
        }
        #expect(lines.all == ["block", "waited for", "woke"])
        #expect(harness.usedWallTime.isEmpty)
    }

    @MainActor @Test func `a main queue that can't run is named`() throws {
        let harness = try ReplayHarness(ReplayHarnessTests.unlock)
        let lines = Lines()
        // What comes by a function that the harness does not stand before.
        harness.make { DispatchGroup().notify(queue: .main) { lines.add("never") } }
        harness.run { !lines.all.isEmpty }
        #expect(lines.all.isEmpty)
        #expect(
            harness.usedWallTime == ["the main queue, which can't run while one of its own blocks calls run"])
    }

    @Test func `a task sleeps in virtual time`() throws {
        let harness = try ReplayHarness(ReplayHarnessTests.unlock)
        let lines = Lines()
        let clock = harness.clock
        try harness.run {
            try await Task.sleep(for: .seconds(7200))
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            // To the second: the library's own clock is read a moment before the harness is asked.
            lines.add("\((clock.now.nanoseconds + 500_000_000) / 1_000_000_000)")
        }
        #expect(lines.all == ["10800"])
    }
}
