import CommandLineKit
import MonitorCapture

/// The command `blecap mark`: adds a line to every running recording.
struct Mark {
    let arguments: ParsedArguments
    let console: Console

    func run() throws(Failure) -> ExitStatus {
        let text = arguments.operands.joined(separator: " ")
        guard !text.isEmpty else { throw Failure(.usage, "the mark has no text") }
        guard text.utf8.count <= MonitorNote.longestText else {
            throw Failure(
                .usage, "the mark is too long: the kernel passes on \(MonitorNote.longestText) bytes")
        }
        do throws(MonitorError) {
            try LoggingChannel.send(MonitorNote(.notice, text))
        } catch {
            throw Failure(error, "the kernel's logging channel")
        }
        return .success
    }
}
