import Glibc

/// The program that pages long output on a terminal, chosen as in git: `$PAGER`, else `less`.
@safe
public final class Pager {
    private let stream: UnsafeMutablePointer<FILE>
    /// The original standard error if that is a terminal, since messages go through the pager too; otherwise
    /// -1.
    private let errors: Int32
    private let interrupted: (@convention(c) (Int32) -> Void)?

    /// Starts the pager; returns nil if the process's standard output is not a terminal or there is no pager.
    public init?(_ environment: CommandEnvironment) {
        guard environment.output.isTerminal, environment.output.descriptor == 1,
            let command = Self.command(environment.variables)
        else { return nil }
        // The options that git uses: quit if everything fits on one screen, show colors, leave the text
        // there.
        let line = "LESS=${LESS-FRX}; export LESS; \(command)"
        // Safe: both texts are terminated by a zero and outlive the call.
        guard let stream = unsafe popen(line, "w") else { return nil }
        unsafe self.stream = unsafe stream
        errors = environment.errors.isTerminal ? dup(2) : -1
        if errors >= 0 { dup2(unsafe fileno(stream), 2) }
        // Ctrl-C is for the pager; when it quits, the pipe breaks.
        interrupted = signal(SIGINT, SIG_IGN)
    }

    /// The descriptor of its input.
    public var descriptor: Int32 {
        // Safe: opened by popen, and only closed in `finish`.
        unsafe fileno(stream)
    }

    /// Closes its input and waits until the user has quit.
    public func finish() {
        if errors >= 0 {
            dup2(errors, 2)
            close(errors)
        }
        // Safe: opened by popen, and only closed here.
        _ = unsafe pclose(stream)
        _ = signal(SIGINT, interrupted)
    }

    /// The shell command; nil if no pager is wanted or available.
    private static func command(_ variables: [String: String]) -> String? {
        if let wanted = variables["PAGER"] {
            return wanted.isEmpty || wanted == "cat" ? nil : wanted
        }
        let folders = (variables["PATH"] ?? "").split(separator: ":")
        // Safe: the path is terminated by a zero and outlives the call.
        return folders.contains { unsafe access("\($0)/less", X_OK) == 0 } ? "less" : nil
    }
}
