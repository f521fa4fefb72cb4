import Foundation
import Testing
import WireBytes

@testable import CommandLineKit

@Suite struct CommandEnvironmentTests {
    @Test func `The process's environment has its variables, and values with an equals sign whole`() {
        let variables = CommandEnvironment.ofProcess().variables
        #expect(variables == ProcessInfo.processInfo.environment)
        #expect(variables["PATH"]?.isEmpty == false)
    }

    @Test func `Names of standard streams are those of the environment, not of the process`() throws {
        let pipe = Pipe()
        let environment = CommandEnvironment(
            output: .init(pipe.fileHandleForWriting.fileDescriptor), errors: .init(-1))
        for path in ["-", "/dev/stdout"] {
            var sink = try DescriptorSink(OutputFile(path, in: environment))
            var text = TextBuffer()
            text.put("x")
            try sink.drain(&text)
            try sink.finish()
            #expect(try pipe.fileHandleForReading.read(upToCount: 1) == Data("x".utf8))
        }
        #expect(throws: OutputError.self) {
            _ = try DescriptorSink(OutputFile("/dev/stderr", in: environment))
        }
    }

    @Test func `A width is that of the stream, and a descriptor of no stream is asked of the system`() {
        let environment = CommandEnvironment(output: .init(7, isTerminal: true, columns: 80))
        #expect(environment.stream(7).columns == 80)
        #expect(!environment.stream(-1).isTerminal)
    }

    @Test(arguments: [
        ([:], true), (["TERM": "dumb"], false), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true),
    ])
    func `Colour follows the variables of the environment`(variables: [String: String], isColored: Bool) {
        let terminal = CommandEnvironment.Stream(1, isTerminal: true)
        #expect(ColorChoice.auto.resolved(terminal, variables) == isColored)
        #expect(!ColorChoice.auto.resolved(.init(1), variables))
        #expect(ColorChoice.always.resolved(.init(1), variables))
    }

    @Test func `Where signals don't stop a command, nothing does`() throws {
        let signals = try StopSignals(CommandEnvironment())
        var wanted = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        // Safe: the kernel reads and fills one structure, which outlives the call.
        #expect(unsafe poll(&wanted, 1, 0) == 0)
        #expect(signals.take() == nil)
    }
}
