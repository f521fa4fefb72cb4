import CommandLineKit
import Foundation
import Testing

@testable import blecap

/// Frames are shown while the pipe they come from is still open.
@Suite struct LivePipeTests {
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
