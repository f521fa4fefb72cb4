import CommandLineKit
import MonitorCapture
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

/// Quoting of words for a shell.
enum Shell {
    /// The word, quoted if a shell would change it.
    static func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
                    || "/._-+=:,@%".unicodeScalars.contains($0))
        }
        if plain && !word.isEmpty { return word }
        // bash, zsh and ksh read the escapes; to show the characters would be to obey them.
        if word.visible != word { return "$'" + word.escaped.replacing("'", with: "\\'") + "'" }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
