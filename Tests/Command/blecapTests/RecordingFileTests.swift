import CaptureFile
import CommandLineKit
import Foundation
import MonitorCapture
import Testing
import WireBytes

@testable import blecap

@Suite struct RecordingFileTests {
    private static func reading(_ seconds: Int64) -> ClockReading {
        ClockReading(wall: (1_700_000_000 + seconds) * 1_000_000_000, monotonic: seconds * 1_000_000_000)
    }

    private static func state(_ seconds: Int64, received: Int = 0, lost: Int = 0) -> PumpState {
        var state = PumpState(start: reading(0), now: reading(seconds))
        state.received = received
        state.lost = lost
        return state
    }

    private static func write(_ number: Int, _ octets: [UInt8], to file: inout RecordingFile) throws {
        let header = RecordHeader(
            monitorOpcode: 3, adapter: 0, number: number,
            time: CaptureTime(nanoseconds: 1_700_000_000_000_000_000 + Int64(number) * 1000),
            length: octets.count)
        try file.write(Record(header, octets.borrowedOctets))
    }

    private static func records(_ path: String) throws -> [[UInt8]] {
        var set = try CaptureSet(paths: [path])
        var found: [[UInt8]] = []
        while let record = try set.next() { found.append(record.octets.copied()) }
        return found
    }

    @Test(arguments: [
        ("trace.btsnoop", 1, "trace.0001.btsnoop"), ("a.b/trace", 12, "a.b/trace.0012"),
        ("/x/trace.pcapng", 10_000, "/x/trace.10000.pcapng"), ("/x/.hidden", 1, "/x/.hidden.0001"),
    ])
    func `The number of a part stands before the suffix`(path: String, part: Int, expected: String) {
        #expect(RecordingFile.name(path, part: part) == expected)
    }

    @Test func `A recording is its owner's alone, and what is there is not replaced unasked`() throws {
        let folder = try TemporaryFolder()
        var options = RecordOptions()
        let path = folder.path("x.btsnoop")
        _ = try RecordingFile(path, options, now: Self.reading(0))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let failure = #expect(throws: Failure.self) {
            _ = try RecordingFile(path, options, now: Self.reading(0))
        }
        #expect(failure?.status == .environment)
        #expect(failure?.line.contains("--force") == true)
        options.replaces = true
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = try RecordingFile(path, options, now: Self.reading(0))
        let replaced = try FileManager.default.attributesOfItem(atPath: path)
        #expect(replaced[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [CaptureWriter.Format.monitor, .pcapMonitor, .pcapngMonitor])
    func `Files are rotated before they grow over their size, and the newest are kept`(
        format: CaptureWriter.Format
    ) throws {
        let folder = try TemporaryFolder()
        var options = RecordOptions()
        options.format = format
        options.rotation.octets = 4096
        options.rotation.kept = 3
        var file = try RecordingFile(folder.path("x.dat"), options, now: Self.reading(0))
        let octets = [UInt8](repeating: 7, count: 300)
        var rotations = 0
        for number in 1...100 {
            if file.isFull(for: octets.count, Self.reading(0)) {
                try file.rotate(Self.state(1, received: number))
                rotations += 1
            }
            try Self.write(number, [UInt8(number)] + octets, to: &file)
        }
        try file.end(Self.state(2, received: 100))
        #expect(rotations >= 7)
        let parts = rotations + 1
        #expect(folder.names == (parts - 2...parts).map { RecordingFile.name("x.dat", part: $0) })
        let kept = file.kept
        #expect(kept.count == 3)
        let all = try folder.names.flatMap { try Self.records(folder.path($0)) }
        #expect(all.compactMap(\.first) == (101 - all.count...100).map { UInt8($0) })
        for name in folder.names {
            let size = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.size] as? Int
            #expect(size ?? 0 <= 4096)
        }
        // The parts are one log to a reader of several.
        var set = try CaptureSet(paths: folder.names.map { folder.path($0) })
        #expect(Set(set.logOfFile).count == 1)
        var count = 0
        while try set.next() != nil { count += 1 }
        #expect(count == all.count)
    }

    @Test func `A file is rotated when its time is over, but never an empty one`() throws {
        let folder = try TemporaryFolder()
        var options = RecordOptions()
        options.rotation.nanoseconds = 10_000_000_000
        var file = try RecordingFile(folder.path("x.btsnoop"), options, now: Self.reading(0))
        do {
            let isFull = file.isFull(for: 1, Self.reading(60))
            #expect(!isFull)
        }
        try Self.write(1, [1], to: &file)
        do {
            let isFull = file.isFull(for: 1, Self.reading(9))
            #expect(!isFull)
        }
        do {
            let isFull = file.isFull(for: 1, Self.reading(10))
            #expect(isFull)
        }
        try file.rotate(Self.state(10))
        try Self.write(2, [2], to: &file)
        do {
            let isFull = file.isFull(for: 1, Self.reading(19))
            #expect(!isFull)
        }
        do {
            let isFull = file.isFull(for: 1, Self.reading(20))
            #expect(isFull)
        }
    }

    @Test func `What was handed over is there whatever comes, and ends with a whole record`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("x.btsnoop")
        var file = try RecordingFile(path, RecordOptions(), now: Self.reading(0))
        for number in 1...50 {
            try Self.write(number, [UInt8](repeating: 1, count: number), to: &file)
            try file.flush(syncing: number % 10 == 0)
            #expect(try Self.records(path).count == number)
        }
    }

    @Test func `A record of 64 KiB passes whole`() throws {
        let folder = try TemporaryFolder()
        for name in ["x.btsnoop", "x.pcap", "x.pcapng"] {
            var options = RecordOptions()
            options.format = try #require(CaptureWriter.Format.named(by: name, holding: .monitor))
            var file = try RecordingFile(folder.path(name), options, now: Self.reading(0))
            let octets = (0..<65_535).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try Self.write(1, octets, to: &file)
            try file.end(Self.state(1, received: 1))
            #expect(try Self.records(folder.path(name)) == [octets])
        }
    }

    @Test func `pcapng holds how many records were received and lost`() throws {
        let folder = try TemporaryFolder()
        var options = RecordOptions()
        options.format = .pcapngMonitor
        let path = folder.path("x.pcapng")
        var file = try RecordingFile(path, options, now: Self.reading(0))
        try Self.write(1, [1], to: &file)
        try file.end(Self.state(3, received: 5, lost: 4))
        let octets = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let block = octets.suffix(76)
        // type 5, length 76, interface 0; received (option 4) 5; dropped (option 5) 4
        #expect(Hex.text(Array(block.prefix(12))) == "050000004c00000000000000")
        #expect(
            Hex.text(Array(block.suffix(32))) == "04000800" + "0500000000000000" + "05000800"
                + "0400000000000000" + "00000000" + "4c000000")
        #expect(try Self.records(path) == [[1]])
    }

    @Test func `A file that is deleted while it is recorded, and a folder that is gone, are noticed`() throws
    {
        let folder = try TemporaryFolder()
        var options = RecordOptions()
        options.rotation.octets = 4096
        var file = try RecordingFile(folder.path("x.btsnoop"), options, now: Self.reading(0))
        try Self.write(1, [1], to: &file)
        try file.flush()
        try file.requireFile()
        try FileManager.default.removeItem(at: folder.url)
        let gone = #expect(throws: Failure.self) { try file.requireFile() }
        #expect(gone?.status == .environment)
        let rotated = #expect(throws: Failure.self) { try file.rotate(Self.state(1)) }
        #expect(rotated?.status == .environment)
        #expect(rotated?.line.contains("can't create") == true)
    }

    @Test func `A full disk is one line and status 4`() throws {
        var options = RecordOptions()
        options.replaces = true
        var file = try RecordingFile("/dev/full", options, now: Self.reading(0))
        try Self.write(1, [1], to: &file)
        let failure = #expect(throws: Failure.self) { try file.flush() }
        #expect(failure?.status == .environment)
        #expect(failure?.line.contains("No space left on device") == true)
        #expect(failure?.line.contains("it holds everything recorded before") == true)
    }

    private static let hasBluetooth = (try? CommandRun(["devices"]).status) == 0

    @Test(.disabled(if: hasBluetooth, "this kernel has Bluetooth"))
    func `Without Bluetooth in the kernel record, devices and mark say so and exit with 4`() throws {
        let devices = try CommandRun(["devices"])
        let folder = try TemporaryFolder()
        let path = folder.path("x.btsnoop")
        for run in [
            devices, try CommandRun(["record", path]), try CommandRun(["mark", "x"]),
            try CommandRun(["record", "-"]),
        ] {
            #expect(run.status == 4)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("this kernel has no Bluetooth"))
            #expect(run.errors.filter { $0 == "\n" }.count == 1)
        }
        #expect(folder.names.isEmpty)
    }
}
