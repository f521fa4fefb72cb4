import Glibc

/// The program that long output on a terminal goes through, as with git: `$PAGER`, else `less`.
@safe
public final class Pager {
    private let stream: UnsafeMutablePointer<FILE>
    /// Standard error as it was, if that is the terminal: what is said there goes through the pager too.
    private let errors: Int32
    private let interrupted: (@convention(c) (Int32) -> Void)?

    /// Starts it, where the process's own standard output is a terminal and there is one.
    public init?(_ environment: CommandEnvironment) {
        guard environment.output.isTerminal, environment.output.descriptor == 1,
            let command = Self.command(environment.variables)
        else { return nil }
        // What git gives it: to quit where all fits one screen, to show colours, and to leave the text there.
        let line = "LESS=${LESS-FRX}; export LESS; \(command)"
        // Safe: both texts have a zero at their end and outlive the call.
        guard let stream = unsafe popen(line, "w") else { return nil }
        unsafe self.stream = unsafe stream
        errors = environment.errors.isTerminal ? dup(2) : -1
        if errors >= 0 { dup2(unsafe fileno(stream), 2) }
        // Ctrl-C is for the pager; when it quits, the pipe breaks.
        interrupted = signal(SIGINT, SIG_IGN)
    }

    /// Where its input goes.
    public var descriptor: Int32 {
        // Safe: opened by popen, and closed in `finish` alone.
        unsafe fileno(stream)
    }

    /// Ends its input and waits until its reader has quit.
    public func finish() {
        if errors >= 0 {
            dup2(errors, 2)
            close(errors)
        }
        // Safe: opened by popen, and closed here alone.
        _ = unsafe pclose(stream)
        _ = signal(SIGINT, interrupted)
    }

    /// The shell command; nil if no pager is wanted, or there is none.
    private static func command(_ variables: [String: String]) -> String? {
        if let wanted = variables["PAGER"] {
            return wanted.isEmpty || wanted == "cat" ? nil : wanted
        }
        let folders = (variables["PATH"] ?? "").split(separator: ":")
        // Safe: the path has a zero at its end and outlives the call.
        return folders.contains { unsafe access("\($0)/less", X_OK) == 0 } ? "less" : nil
    }
}
