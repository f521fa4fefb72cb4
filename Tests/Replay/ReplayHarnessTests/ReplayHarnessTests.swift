import CoreBluetooth
import Foundation
import Replay
import ReplayHarness
import Runtime
import Synchronization
import Testing

/// Lines in the order in which they were written.
final class Lines: Sendable {
    private let kept = Mutex<[String]>([])
    func add(_ line: String) { kept.withLock { $0.append(line) } }
    var all: [String] { kept.withLock { $0 } }
}

@Suite struct ReplayHarnessTests {
    static let unlock = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../captures/uqdk-unlock.btsnoop").standardizedFileURL.path
    static let service = CBUUID(string: "5551444B-0001-4449-4749-54414C4B4559")
    static let info = CBUUID(string: "5551444B-0004-4449-4749-54414C4B4559")

    /// Reads the car's information, then waits 10 s for what does not come.
    static func awaited(_ harness: ReplayHarness, _ lines: Lines) throws {
        let clock = harness.clock
        let visit = AwaitedVisit()
        let add: @Sendable (String) -> Void = { line in
            lines.add("\(clock.now.nanoseconds) \(line)")
        }
        try harness.run {
            try await visit.begin(DispatchQueue(label: "awaited"))
            try await visit.find(service)
            add("found")
            try await visit.connect()
            add("connected")
            try await visit.discover(service)
            let value = try await visit.read(info)
            add("read \(value.map { Array($0) } ?? [])")
            try await Task.sleep(for: .seconds(10), clock: clock)
            add("timed out")
        }
        withExtendedLifetime(visit) {}
    }

    @Test func `a device that the program remembers has the identifier that a callback shows`() throws {
        let harness = try ReplayHarness(Self.unlock)
        let car = try #require(harness.session.recording.model.connections.first?.peer)
        let lines = Lines()
        let visit = AwaitedVisit()
        try harness.run {
            try await visit.begin(DispatchQueue(label: "remembered"))
            try await visit.find(Self.service)
            lines.add(visit.peripheral?.identifier.uuidString ?? "none")
        }
        #expect(lines.all == [harness.identifier(of: car).uuidString])
    }

    @Test func `a program that awaits runs in virtual time, a hundred times the same`() throws {
        var first: [String] = []
        var transcript: [UInt8] = []
        // A callback is not on the wall clock because this machine is busy.
        var options = ReplayHarness.Options()
        options.patience = .seconds(600)
        for run in 0..<100 {
            let harness = try ReplayHarness(Self.unlock, options: options)
            let lines = Lines()
            try Self.awaited(harness, lines)
            #expect(harness.usedWallTime.isEmpty)
            let found = lines.all
            if run == 0 {
                first = found
                transcript = harness.transcript
            }
            #expect(found == first)
            #expect(harness.transcript == transcript)
        }
        try #require(first.count == 4)
        #expect(first[2].hasSuffix("read [1, 16, 0, 67, 65, 82, 48, 48, 48, 48, 49]"))
        let read = try #require(Int64(first[2].split(separator: " ")[0]))
        let ended = try #require(Int64(first[3].split(separator: " ")[0]))
        #expect(ended - read == 10_000_000_000)
    }

    @Test func `a program that does nothing more is stuck, in no time`() throws {
        let harness = try ReplayHarness(Self.unlock)
        let lines = Lines()
        try Self.awaited(harness, lines)
        // The recorded phone subscribed; this one never does.
        #expect(harness.report.verdict.word == "stuck", "\(harness.report.text)")
        #expect(harness.report.text.contains("frame 208"), "\(harness.report.text)")
    }

    @Test func `a program that waits on the wall clock is told of`() throws {
        var options = ReplayHarness.Options()
        options.patience = .seconds(600)
        let harness = try ReplayHarness(Self.unlock, options: options)
        let queue = DispatchQueue(label: "wall")
        let manager = harness.make { CBCentralManager(delegate: nil, queue: queue) }
        // Again and again, until the harness was waiting when it came.
        let thread = Thread {
            for number in 0..<100_000 where harness.usedWallTime.isEmpty {
                usleep(20_000)
                if number % 2 == 0 {
                    manager.scanForPeripherals(withServices: nil)
                } else {
                    manager.stopScan()
                }
            }
        }
        thread.start()
        harness.run { !harness.usedWallTime.isEmpty }
        #expect(harness.usedWallTime == ["something called after the wall clock was waited for"])
        let text = harness.report.text.split(separator: "\n")
        #expect(text.first?.hasSuffix(", used wall time") == true, "\(harness.report.text)")
        #expect(text.contains("  wall time something called after the wall clock was waited for"))
        #expect("\(harness.annotation)".split(separator: "wall time something").count == 2)
        while !thread.isFinished { usleep(1000) }
    }

    @Test func `a file that is no capture, or holds no session, is an error`() throws {
        #expect(throws: (any Error).self) { try ReplayHarness("/nonexistent.btsnoop") }
        #expect(throws: (any Error).self) { try ReplayHarness(#filePath) }
    }
}
