import CaptureFile
import CommandLineKit
import Foundation
import MonitorCapture
import TestSupport
import Testing
import WireBytes

@testable import blecap

/// How a recording ends, and what is left of it.
@Suite struct RecordEndTests {
    /// A folder of its own that is gone with the test.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
        func path(_ name: String) -> String { url.appendingPathComponent(name).path }
    }

    private static func makePipe(_ path: String) throws {
        try #require(unsafe mkfifo(path, 0o600) == 0)
    }

    private static let start = ClockReading.now()

    private static func state(received: Int = 0) -> PumpState {
        var state = PumpState(start: start, now: start)
        state.received = received
        return state
    }

    private static func record(
        _ number: Int, drops: UInt32 = 0, to file: inout RecordingFile
    ) throws {
        let octets = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 300)
        var header = RecordHeader(
            monitorOpcode: 3, adapter: 0, number: number,
            time: CaptureTime(nanoseconds: 1_700_000_000_000_000_000), length: octets.count)
        header.cumulativeDrops = drops
        try file.write(Record(header, octets.borrowedOctets))
    }

    @Test func `Records that came before the clock was set back are not after the end`() {
        var latest = LatestWall()
        latest.note(ClockReading(wall: 1000, monotonic: 10))
        latest.note(ClockReading(wall: 500, monotonic: 20))
        #expect(latest.wall(at: 20) == 1010)
        latest.note(ClockReading(wall: 9000, monotonic: 30))
        #expect(latest.wall(at: 30) == 9000)
        #expect(latest.wall(at: .max) == .max)
    }

    @Test(.realTime) func `A reader that takes nothing holds a recording no longer than it was to last`()
        throws
    {
        let folder = try Folder()
        let path = folder.path("pipe")
        try Self.makePipe(path)
        // Both ends are held, so that the pipe can be opened and nobody reads it.
        let reader = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? reader.close() }
        let stop = Pipe()
        var options = RecordOptions()
        options.replaces = true
        options.limits.nanoseconds = 300_000_000
        let began = ClockReading.now()
        var file = try RecordingFile(
            path, options, now: began, stop: stop.fileHandleForReading.fileDescriptor)
        // Where it is held, what is there is read at last, so that nothing is thrown.
        let watch = DispatchWorkItem { while !reader.availableData.isEmpty {} }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watch)
        let failure = #expect(throws: Failure.self) {
            for number in 1...2000 { try Self.record(number, to: &file) }
            try file.flush()
        }
        watch.cancel()
        withExtendedLifetime(stop) {}
        #expect(failure?.status == .environment)
    }

    @Test func `A named pipe that nobody opens is not waited for after a stop`() throws {
        let folder = try Folder()
        let path = folder.path("pipe")
        try Self.makePipe(path)
        let stop = Pipe()
        try stop.fileHandleForWriting.write(contentsOf: Data("x".utf8))
        let problem = #expect(throws: SystemCall.Problem.self) {
            _ = try SystemCall.createAnew(
                path, replacing: true, stop: stop.fileHandleForReading.fileDescriptor)
        }
        withExtendedLifetime(stop) {}
        #expect(problem?.code == EINTR)
    }

    @Test func `A file that is replaced keeps its other names, and links are not followed`() throws {
        let folder = try Folder()
        let (old, other, link) = (folder.path("x.btsnoop"), folder.path("other"), folder.path("l.btsnoop"))
        try Data("kept".utf8).write(to: URL(fileURLWithPath: old))
        try FileManager.default.linkItem(atPath: old, toPath: other)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
        var options = RecordOptions()
        options.replaces = true
        let failure = #expect(throws: Failure.self) { _ = try RecordingFile(link, options, now: Self.start) }
        #expect(failure?.status == .environment)
        _ = try RecordingFile(old, options, now: Self.start)
        #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("kept".utf8))
    }

    @Test(arguments: [
        ("x.0007.btsnoop", true), ("x.10000.btsnoop", true), ("x.007.btsnoop", false),
        ("x.0000.btsnoop", false), ("x.0007.pcap", false), ("y.0007.btsnoop", false), ("x.btsnoop", false),
    ])
    func `Parts of an earlier recording are found before one begins`(name: String, isLeft: Bool) throws {
        let folder = try Folder()
        try Data().write(to: URL(fileURLWithPath: folder.path(name)))
        let found = RecordingFile.leftover(of: folder.path("x.btsnoop"))
        #expect(found == (isLeft ? folder.path(name) : nil))
    }

    @Test func `A part that someone else made is left alone, and the recording goes on behind it`() throws {
        let folder = try Folder()
        var options = RecordOptions()
        options.rotation.octets = 4096
        options.rotation.kept = 1
        let first = folder.path("x.0001.btsnoop")
        var file = try RecordingFile(folder.path("x.btsnoop"), options, now: Self.start)
        try Self.record(1, to: &file)
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: folder.path("x.0002.btsnoop")))
        // What has the name of a part by the time it is to go is another's file.
        try FileManager.default.removeItem(atPath: first)
        try Data("new".utf8).write(to: URL(fileURLWithPath: first))
        try file.rotate(Self.state(received: 1))
        let shown = file.shownName
        #expect(shown == folder.path("x.0003.btsnoop"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("x.0002.btsnoop"))).count == 6)
        #expect(try Data(contentsOf: URL(fileURLWithPath: first)).count == 3)
    }

    @Test func `Drops and what a format can't hold are counted once over all parts`() throws {
        let folder = try Folder()
        var options = RecordOptions()
        options.format = .pcapMonitor
        options.rotation.octets = 4096
        var file = try RecordingFile(folder.path("x.pcap"), options, now: Self.start)
        try Self.record(1, drops: 5, to: &file)
        try file.rotate(Self.state(received: 1))
        try Self.record(2, drops: 5, to: &file)
        try file.rotate(Self.state(received: 2))
        try Self.record(3, drops: 7, to: &file)
        let drops = file.loss.drops
        #expect(drops == 7)
    }

    @Test func `Drops of a part are those since it began, and add up where the parts are read together`()
        throws
    {
        let folder = try Folder()
        var options = RecordOptions()
        options.format = .monitor
        options.rotation.octets = 4096
        var file = try RecordingFile(folder.path("x.btsnoop"), options, now: Self.start)
        for (number, drops) in [UInt32(5), 5, 7].enumerated() {
            if number > 0 { try file.rotate(Self.state(received: number)) }
            try Self.record(number, drops: drops, to: &file)
        }
        try file.flush()
        let paths = (1...3).map { folder.path("x.000\($0).btsnoop") }
        func counts(_ paths: [String]) throws -> [UInt32] {
            var set = try CaptureSet(paths: paths)
            var counts: [UInt32] = []
            while let record = try set.next() { counts.append(record.header.cumulativeDrops) }
            return counts
        }
        #expect(try paths.map { try counts([$0]) } == [[5], [0], [2]])
        #expect(try counts(paths) == [5, 5, 7])
    }

    @Test(.process) func `A file that may not grow on ends with a whole record, and status 4`() throws {
        let folder = try Folder()
        let (path, session) = (
            folder.path("x.btsnoop"), PackageRoot.url.path + "/captures/uqdk-unlock.btsnoop"
        )
        let run = try ProgramRun(
            shell: "ulimit -f 8; exec \"$1\" convert \"$2\" \"$3\"",
            [PackageRoot.command.path, session, path])
        #expect(run.status == 4 && !run.isKilled)
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        #expect(size > 2048 && size <= 8192)
        var set = try CaptureSet(paths: [path])
        var count = 0
        while try set.next() != nil { count += 1 }
        #expect(count > 10)
    }

    @Test(.process) func `A capture holds nothing else where standard descriptors are closed`() throws {
        let folder = try Folder()
        let session = PackageRoot.url.path + "/captures/uqdk-unlock.btsnoop"
        let run = try ProgramRun(
            shell: "exec \"$1\" convert \"$2\" \"$3\" 0<&- 2>&-",
            [PackageRoot.command.path, session, folder.path("x.pcap")])
        #expect(run.status == 0)
        #expect(try CommandRun(["convert", session, folder.path("y.pcap")]).status == 0)
        let closed = try Data(contentsOf: URL(fileURLWithPath: folder.path("x.pcap")))
        #expect(try closed == Data(contentsOf: URL(fileURLWithPath: folder.path("y.pcap"))))
    }

    @Test func `What the kernel does not tell is not called none`() {
        var state = Self.state()
        #expect(Recorder.losses(state) == "none lost")
        state.lossIsUnknown = true
        #expect(Recorder.losses(state).hasPrefix("losses unknown"))
        state.lost = 3
        #expect(Recorder.losses(state).hasPrefix("3 LOST"))
    }
}
