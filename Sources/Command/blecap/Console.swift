import CommandLineKit
import WireBytes

/// Standard error, for messages about a run.
struct Console: Sendable {
    /// The program's name, which begins every line.
    let program: String
    let environment: CommandEnvironment

    func say(_ line: String) {
        var buffer = TextBuffer(capacity: 256)
        buffer.put(program)
        buffer.put(": ")
        buffer.visible(line)
        buffer.put("\n")
        var sink = environment.errorSink
        // There is nowhere left to report that standard error is closed.
        try? sink.drain(&buffer)
    }

    /// Reports a failure and returns its status.
    func report(_ failure: Failure) -> ExitStatus {
        say(failure.line)
        return failure.status
    }
}
