import CaptureFile
import CommandLineKit
import Foundation
import MonitorCapture
import TestSupport
import Testing
import WireBytes

@testable import blecap

/// Recorders that are killed, and the process that keeps their files whole.
@Suite(.serialized) struct RecordingGuardTests {
    private static func start() throws(SystemCall.Problem) -> ChildProcess {
        try ChildProcess(named: RecordingGuard.name, program: PackageRoot.command.path)
    }

    /// The processes that this one has started by this name and not waited for. What the kernel calls them
    /// they say themselves, some time after; and other tests start the same program by its own name.
    private static func children() throws -> [Int32] {
        let parent = "PPid:\t\(getpid())\n"
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter {
            let words = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\($0)/cmdline"))) ?? Data()
            let status = (try? String(contentsOfFile: "/proc/\($0)/status", encoding: .utf8)) ?? ""
            // One that has ended and is not waited for has no words, but the name that it gave itself.
            let isNamed =
                words.isEmpty
                ? status.contains("State:\tZ") && status.contains("Name:\t\(RecordingGuard.name)\n")
                : words.starts(with: Data(RecordingGuard.name.utf8) + [0])
            return isNamed && status.contains(parent)
        }
    }

    /// The only such process that was not there before. Its words are there soon after it was started: the
    /// kernel lets this process go on while it still reads the program.
    private static func onlyChild(besides before: Set<Int32>) throws -> Int32? {
        var new: Set<Int32> = []
        for _ in 0..<6000 {
            new = Set(try children()).subtracting(before)
            if new.count == 1 { return new.first }
            usleep(10_000)
        }
        return nil
    }

    private static func options(_ format: CaptureWriter.Format = .monitor, rotates: Bool = false)
        -> RecordOptions
    {
        var options = RecordOptions()
        options.format = format
        if rotates { options.rotation.octets = 3 << 20 }
        return options
    }

    private static func write(_ number: Int, to file: inout RecordingFile, length: Int = 300) throws {
        var octets = [UInt8](repeating: 0x5A, count: length)
        for index in 0..<8 { octets[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        let header = RecordHeader(
            monitorOpcode: 3, adapter: 0, number: number,
            time: CaptureTime(nanoseconds: 1_700_000_000_000_000_000 + Int64(number) * 1000),
            length: octets.count)
        try file.write(Record(header, octets.borrowedOctets))
    }

    /// Writes batches of records until this process is killed by one of its own threads, and notes beside
    /// them how many have to be in the file then: all that were collected but the last, handed over or not.
    private static func recordUntilKilled(
        _ path: String, _ format: CaptureWriter.Format, rotates: Bool, microseconds: UInt32
    ) throws {
        let start = ClockReading.now()
        let options = options(format, rotates: rotates)
        var file = try RecordingFile(path, options, now: start, keeper: RecordingGuard(start: Self.start))
        try #require(file.unguarded == nil)
        try file.flush()
        let count = try FileHandle(forWritingTo: URL(fileURLWithPath: path + ".count"))
        let thread = Thread {
            usleep(microseconds)
            kill(getpid(), SIGKILL)
        }
        var number = 0
        while true {
            for _ in 0..<10 {
                for _ in 0..<50 {
                    number += 1
                    if file.isFull(for: 300, start) {
                        try file.rotate(PumpState(start: start, now: start))
                    }
                    try write(number, to: &file, length: 250 + number % 100)
                }
                try note(number - 1, in: count)
            }
            try file.flush()
            try note(number, in: count)
            if number == 500 { thread.start() }
        }
    }

    private static func note(_ number: Int, in file: FileHandle) throws {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }))
    }

    /// The numbers of the records of a file; nil where it ends inside one.
    private static func numbers(_ path: String, _ format: CaptureWriter.Format) throws -> [Int]? {
        let octets = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        func value(_ place: Int, _ count: Int, mostSignificantFirst: Bool = false) -> Int {
            let part = octets[place..<place + count]
            return (mostSignificantFirst ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        var (place, numbers) = (format == .monitor ? 16 : format == .pcapMonitor ? 24 : 0, [Int]())
        while place < octets.count {
            let head = format == .monitor ? 24 : format == .pcapMonitor ? 16 : 8
            guard place + head <= octets.count else { return nil }
            let (length, data): (Int, Int?) =
                switch format {
                case .monitor: (24 + value(place + 4, 4, mostSignificantFirst: true), place + 24)
                case .pcapMonitor: (16 + value(place + 8, 4), place + 20)
                default: (value(place + 4, 4), value(place, 4) == 6 ? place + 32 : nil)
                }
            guard length >= 8, place + length <= octets.count else { return nil }
            if let data { numbers.append(value(data, 8)) }
            place += length
        }
        return numbers
    }

    static let kills: [(CaptureWriter.Format, Bool)] = [
        (.monitor, false), (.pcapMonitor, false), (.pcapngMonitor, false), (.monitor, true),
    ]

    @Test(.process, arguments: kills)
    func `A recorder that is killed in the middle of a write leaves whole records, and all of them`(
        format: CaptureWriter.Format, rotates: Bool
    ) async throws {
        var torn = 0
        for number in 0..<6 {
            let folder = try TemporaryFolder()
            let path: String = folder.path("x")
            let name: String = format.rawValue
            try Data(count: 8).write(to: URL(fileURLWithPath: path + ".count"))
            let delay: UInt32 = 2000 + 3571 * UInt32(number)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = path as String, name = name as String, rotates = rotates as Bool,
                    delay = delay as UInt32
                ] in
                let format = try #require(CaptureWriter.Format(rawValue: name))
                try Self.recordUntilKilled(path, format, rotates: rotates, microseconds: delay)
            }
            let noted = try Data(contentsOf: URL(fileURLWithPath: path + ".count")).enumerated()
                .reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
            let files = folder.names.filter { $0 != "x.count" }.map { folder.path($0) }
            var found: [Int]?
            // The guard has time to see the end and to write: one look shows how often it was needed.
            for look in 0..<1200 {
                found = try files.reduce([]) { all, file in
                    try all.flatMap { all in try Self.numbers(file, format).map { all + $0 } }
                }
                if look == 0, found == nil { torn += 1 }
                if let found, found.count >= noted { break }
                try await Task.sleep(for: .milliseconds(100))
            }
            let whole = try #require(found, "a file ends inside a record (kill \(number))")
            #expect(whole == Array(1...max(1, whole.count)))
            #expect(whole.count >= noted)
            #expect(noted > 0)
        }
        print("\(format.rawValue): \(torn) of 6 not yet whole at the first look")
    }

    @Test(.process) func `The process goes with the recording, at once`() throws {
        let folder = try TemporaryFolder()
        let before = Set(try Self.children())
        do {
            var file = try RecordingFile(
                folder.path("x.btsnoop"), Self.options(), now: ClockReading.now(),
                keeper: RecordingGuard(start: Self.start))
            try Self.write(1, to: &file)
            #expect(try Self.onlyChild(besides: before) != nil)
            try file.end(PumpState(start: ClockReading.now(), now: ClockReading.now()))
            let unguarded = file.unguarded
            #expect(unguarded == nil)
        }
        #expect(Set(try Self.children()).subtracting(before).isEmpty)
        #expect(try Self.numbers(folder.path("x.btsnoop"), .monitor) == [1])
    }

    @Test func `A recording goes on where the process can't be started, and says so`() throws {
        let folder = try TemporaryFolder()
        var file = try RecordingFile(
            folder.path("x.btsnoop"), Self.options(), now: ClockReading.now(),
            keeper: RecordingGuard {
                () throws(SystemCall.Problem) in
                try ChildProcess(named: RecordingGuard.name, program: "/nonexistent")
            })
        let problem = file.unguarded
        #expect(problem == "No such file or directory")
        try Self.write(1, to: &file)
        try file.flush()
        #expect(try Self.numbers(folder.path("x.btsnoop"), .monitor) == [1])
    }

    @Test(.process) func `A process that was ended is noticed, and the next part has a new one`() throws {
        let folder = try TemporaryFolder()
        let before = Set(try Self.children())
        let now = ClockReading.now()
        var file = try RecordingFile(
            folder.path("x.btsnoop"), Self.options(rotates: true), now: now,
            keeper: RecordingGuard(start: Self.start))
        let child = try #require(try Self.onlyChild(besides: before))
        // It does not hear what is said to the recorder's group, nor what asks to end.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { kill(child, number) }
        try Self.write(1, to: &file)
        try file.requireFile()
        do {
            let problem = file.unguarded
            #expect(problem == nil)
        }
        kill(child, SIGKILL)
        var problem: String?
        for _ in 0..<6000 where problem == nil {
            usleep(20_000)
            try file.requireFile()
            problem = file.unguarded
        }
        #expect(problem == "it has ended")
        try file.rotate(PumpState(start: now, now: now))
        problem = file.unguarded
        #expect(problem == nil)
        #expect(try Self.onlyChild(besides: before) != nil)
    }

    @Test func `No process is started for a pipe or for standard output`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let reader = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? reader.close() }
        var options = Self.options()
        options.replaces = true
        for path in [path, "-", "/dev/null"] {
            let file = try RecordingFile(
                path, options, now: ClockReading.now(),
                keeper: RecordingGuard {
                    () throws(SystemCall.Problem) in
                    Issue.record("started for \(path)")
                    throw SystemCall.Problem(code: EPERM)
                })
            let problem = file.unguarded
            #expect(problem == nil)
        }
    }

    @Test(.process) func `Nobody becomes one by its name alone`() throws {
        let line = "exec -a recording-guard \"$0\" --version"
        let run = try ProgramRun("/bin/bash", ["-c", line, PackageRoot.command.path])
        #expect(run.status == 0 && !run.output.isEmpty)
    }
}
