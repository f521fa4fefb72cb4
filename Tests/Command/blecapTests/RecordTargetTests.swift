import Analysis
import CaptureFile
import CommandLineKit
import Foundation
import MonitorCapture
import TestSupport
import Testing

@testable import blecap

/// Where records go besides files: an annotation that is shown, Wireshark's pipe.
@Suite struct RecordTargetTests {
    private static let session = PackageRoot.url.path + "/captures/uqdk-unlock.btsnoop"

    private static func arguments(_ words: [String]) throws -> ParsedArguments {
        guard case .run(let arguments) = try CommandTable.blecap.parse(words) else {
            throw Failure(.usage, "no command")
        }
        return arguments
    }

    /// Shows a session again and again to a reader that takes so many octets each time; gives how much
    /// waited and was held at most, and what the reader got in the end.
    private static func show(
        times: Int, longestQueue: Int, reading step: Int
    ) throws -> (queued: Int, held: Int, text: String) {
        let pipe = Pipe()
        let reader = pipe.fileHandleForReading
        let sink = DescriptorSink(borrowing: pipe.fileHandleForWriting.fileDescriptor, name: "a pipe")
        var annotator = try LiveAnnotator(
            try arguments(["record", "--annotate", "--all", "x.btsnoop"]), into: sink,
            longestQueue: longestQueue)
        var (queued, held, got) = (0, 0, Data())
        for _ in 0..<times {
            var set = try CaptureSet(paths: [session])
            while let record = try set.next() { annotator.take(record) }
            queued = max(queued, annotator.queued)
            held = max(held, annotator.held)
            try annotator.settle()
            if step > 0, let part = try reader.read(upToCount: step) { got += part }
        }
        // The reader awakes.
        let rest = Mutex(Data())
        let thread = Thread { rest.set(reader.readDataToEndOfFile()) }
        thread.start()
        while try annotator.settle(within: 100) {}
        // A reader that has come up gets what comes then.
        var set = try CaptureSet(paths: [session])
        while let record = try set.next() { annotator.take(record) }
        while try annotator.settle(within: 100) {}
        try pipe.fileHandleForWriting.close()
        while !thread.isFinished { usleep(1000) }
        return (queued, held, String(decoding: got + rest.value, as: UTF8.self))
    }

    /// A value that two threads have one after the other.
    private final class Mutex: @unchecked Sendable {
        // Guarded by `lock`.
        private var data: Data
        private let lock = NSLock()
        init(_ data: Data) { self.data = data }
        var value: Data { lock.withLock { data } }
        func set(_ new: Data) { lock.withLock { data = new } }
    }

    @Test func `What waits for a reader that takes nothing is bounded, and what is left out is counted`()
        throws
    {
        let longest = 100_000
        let shown = try Self.show(times: 12, longestQueue: longest, reading: 0)
        // The last frame that was let in may be longer than what was left.
        #expect(shown.queued < longest + 4096)
        #expect(
            shown.text.contains(" frames are not shown, because nobody read this output; the file has them\n")
        )
    }

    @Test func `What was written to a slow reader is not held`() throws {
        let longest = 100_000
        let shown = try Self.show(times: 60, longestQueue: longest, reading: 20_000)
        #expect(shown.queued < longest + 4096)
        #expect(shown.held < longest + longest / 8 + 65_536 + 4096)
        #expect(shown.text.count > 5 * longest)
    }

    private static func target(_ descriptor: Int32) throws -> AnnotatedTarget {
        try AnnotatedTarget(
            "fifo", descriptor: descriptor, AnalysisKnowledge(), nil, blanksKeys: false, stop: -1)
    }

    @Test func `Wireshark's pipe: a reader that has gone is no failure, a disk that is full is one`() throws {
        let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        let failure = #expect(throws: Failure.self) { _ = try Self.target(full) }
        #expect(failure?.status == .environment)
        #expect(failure?.line.contains("No space left on device") == true)

        SystemCall.ignoreBrokenPipes()
        // A named one, opened so that no process that another test starts right now has its reading end too.
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let end = unsafe open(path, O_WRONLY | O_CLOEXEC)
        try #require(reader >= 0 && end >= 0)
        var target = try Self.target(end)
        close(reader)
        let gone = #expect(throws: Failure.self) {
            try target.take(
                MonitorNote(.information, "x"), at: CaptureTime(nanoseconds: 1), drops: 0)
            let now = ClockReading.now()
            try target.settle(PumpState(start: now, now: now))
        }
        #expect(gone?.status == .success)
    }

    @Test(.process) func `A folder that can't be synced is not passed over`() async throws {
        // In a process of its own, which may have no more open files than it has and one.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            var options = RecordOptions()
            options.syncs = true
            let now = ClockReading.now()
            do {
                let file = try RecordingFile(folder.path("x.btsnoop"), options, now: now)
                let unsynced = file.unsynced
                #expect(unsynced == nil)
            }
            let lowest = dup(0)
            try #require(lowest >= 0)
            close(lowest)
            var limit = rlimit()
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            try #require(unsafe getrlimit(resource, &limit) == 0)
            let before = limit
            limit.rlim_cur = rlim_t(lowest + 1)
            let path = folder.path("y.btsnoop")
            try #require(unsafe setrlimit(resource, &limit) == 0)
            let file = try RecordingFile(path, options, now: now)
            limit = before
            try #require(unsafe setrlimit(resource, &limit) == 0)
            let unsynced = file.unsynced
            #expect(unsynced == path)
        }
    }
}
