import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import blecap

/// Frames are shown while the pipe they come from is still open.
@Suite(.process) struct LivePipeTests {
    private static let capture = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.btsnoop")

    /// Feeds the first octets of a capture and waits for output; ends the input then, and gives both parts.
    private static func run(
        _ arguments: [String], _ capture: Data, first: Int, enough: (Data) -> Bool
    ) throws -> (live: Data, rest: Data, status: Int32) {
        // Writing to a process that was ended is an error of this test alone.
        SystemCall.ignoreBrokenPipes()
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = PackageRoot.command
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: capture.prefix(first))
        var live = Data()
        // The watch ends the process where nothing comes, so that reading comes to its end.
        let watch = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: watch)
        while !enough(live) {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            live += part
        }
        watch.cancel()
        try input.fileHandleForWriting.write(contentsOf: capture.dropFirst(first))
        try input.fileHandleForWriting.close()
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (live, rest, process.terminationStatus)
    }

    /// Octets of a btsnoop capture up to the end of a record, at least `least`.
    private static func end(ofRecordIn capture: Data, after least: Int) -> Int {
        var place = 16
        while place < least {
            let length = capture[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
            place += 24 + length
        }
        return place
    }

    @Test(arguments: [("text", SIGINT), ("text", SIGTERM), ("ndjson", SIGINT), ("pcapng", SIGINT)])
    func `A signal ends the pipe, and what was read of it is judged`(format: String, signal: Int32) throws {
        let capture = try Data(contentsOf: Self.capture)
        let part = capture.prefix(Self.end(ofRecordIn: capture, after: 11_000))
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = PackageRoot.command
        process.arguments = ["annotate", "--all", "--format", format, "-"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: part)
        // Once something comes out the process has taken the signals over.
        let first = output.fileHandleForReading.availableData
        kill(process.processIdentifier, signal)
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        let whole = try CommandRun(process.arguments ?? [], input: part)
        #expect(first + rest == whole.output)
        if format == "text" {
            #expect(
                whole.text.contains("  frame 221, connection 1  ACTIVATE is ")
                    && whole.text.contains(" bytes read = "))
        }
        // The writer has kept the pipe open until here.
        try input.fileHandleForWriting.close()
    }

    @Test func `A named pipe without a writer is given up at the first signal`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        // Safe: the path is terminated by a zero and outlives the call.
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let process = Process()
        process.executableURL = PackageRoot.command
        process.arguments = ["annotate", path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let status = "/proc/\(process.processIdentifier)/status"
        var takesSignals = false
        while !takesSignals {
            let lines = try String(contentsOfFile: status, encoding: .utf8).split(separator: "\n")
            let mask = lines.first { $0.hasPrefix("SigCgt:") }?.dropFirst(7).filter { !$0.isWhitespace }
            takesSignals = mask.flatMap { UInt64($0, radix: 16) }.map { $0 >> (SIGINT - 1) & 1 == 1 } ?? false
        }
        kill(process.processIdentifier, SIGINT)
        let watch = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watch)
        process.waitUntilExit()
        watch.cancel()
        #expect(process.terminationReason == .exit)
    }

    @Test(arguments: ["text", "ndjson", "pcapng"])
    func `Frames come out before the input ends, and the whole is what the file gives`(format: String) throws
    {
        let capture = try Data(contentsOf: Self.capture)
        let arguments = ["annotate", "--all", "--format", format, "-"]
        // 40 records and a part of the next: what is whole must be shown.
        let first = 4000
        let lines = { (data: Data) in data.filter { $0 == 0x0A }.count }
        let run = try Self.run(arguments, capture, first: first) {
            format == "pcapng" ? $0.count > 2000 : lines($0) > 20
        }
        #expect(run.status == 0)
        #expect(format == "pcapng" ? run.live.count > 2000 : lines(run.live) > 20)
        let whole = try CommandRun(arguments, input: capture)
        #expect(run.live + run.rest == whole.output)
    }
}
