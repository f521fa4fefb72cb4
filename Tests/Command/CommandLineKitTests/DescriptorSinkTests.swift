import Foundation
import Testing
import WireBytes

@testable import CommandLineKit

@Suite struct DescriptorSinkTests {
    private static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    private static func buffer(_ octets: [UInt8]) -> TextBuffer {
        var buffer = TextBuffer()
        for octet in octets { buffer.put(octet) }
        return buffer
    }

    @Test func `All octets arrive through a pipe that takes few at a time`() async throws {
        let pipe = Pipe()
        let expected = Self.pattern(300_000)
        // A thread of its own: a task would wait for its turn while this one holds a turn with its writing.
        let (arrived, arrival) = AsyncStream.makeStream(of: Data.self)
        Thread.detachNewThread { arrival.yield(pipe.fileHandleForReading.readDataToEndOfFile()) }
        var buffer = Self.buffer(expected)
        var sink = DescriptorSink(borrowing: pipe.fileHandleForWriting.fileDescriptor, name: "pipe")
        try sink.drain(&buffer)
        try pipe.fileHandleForWriting.close()
        #expect(buffer.count == 0)
        #expect(sink.written == expected.count)
        #expect(await arrived.first { _ in true }.map { [UInt8]($0) } == expected)
    }

    @Test func `A reader that has gone is no failure`() throws {
        SystemCall.ignoreBrokenPipes()
        // Opened so that no process that another test starts right now has the reading end too.
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        var buffer = Self.buffer([1])
        var sink = DescriptorSink(borrowing: ends[1], name: "pipe")
        #expect(throws: OutputError.readerGone) { try sink.drain(&buffer) }
        #expect(OutputError.readerGone.failure == nil)
    }

    @Test func `A full disk is the environment's failure`() throws {
        var buffer = Self.buffer([1])
        var sink = try DescriptorSink(OutputFile("/dev/full", in: CommandEnvironment()))
        do throws(OutputError) {
            try sink.drain(&buffer)
            Issue.record("written to a full device")
        } catch {
            #expect(error.failure?.status == .environment)
            let line = error.failure?.line ?? ""
            #expect(line.hasPrefix("/dev/full: can't write: No space left on device; make room"))
        }
    }

    @Test func `A place that can't be written to is named`() {
        do throws(OutputError) {
            _ = try DescriptorSink(OutputFile("/nonexistent/file", in: CommandEnvironment()))
            Issue.record("created")
        } catch {
            #expect(error.failure?.line.hasPrefix("/nonexistent/file: can't create: No such file") == true)
        }
    }
}
