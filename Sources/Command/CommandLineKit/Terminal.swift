import CLinux
import Glibc

/// The terminal that a person reads on.
public enum Terminal {
    /// The columns of the terminal behind a descriptor; nil if there is none, or it does not say.
    public static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        // Safe: the kernel fills one structure, which outlives the call.
        guard unsafe blecap_terminal_size(descriptor, &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

/// The program that long output on a terminal goes through, as with git: `$PAGER`, else `less`.
@safe
public final class Pager {
    private let stream: UnsafeMutablePointer<FILE>
    /// Standard error as it was, if that is the terminal: what is said there goes through the pager too.
    private let errors: Int32
    private let interrupted: (@convention(c) (Int32) -> Void)?

    /// Starts it, where standard output is a terminal and there is one.
    public init?() {
        guard SystemCall.isTerminal(1), let command = Self.command else { return nil }
        // What git gives it: to quit where all fits one screen, to show colours, and to leave the text there.
        unsafe setenv("LESS", "FRX", 0)
        // Safe: both texts have a zero at their end and outlive the call.
        guard let stream = unsafe popen(command, "w") else { return nil }
        unsafe self.stream = unsafe stream
        errors = SystemCall.isTerminal(2) ? dup(2) : -1
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
    private static var command: String? {
        if let wanted = SystemCall.environment("PAGER") {
            return wanted.isEmpty || wanted == "cat" ? nil : wanted
        }
        let folders = (SystemCall.environment("PATH") ?? "").split(separator: ":")
        // Safe: the path has a zero at its end and outlives the call.
        return folders.contains { unsafe access("\($0)/less", X_OK) == 0 } ? "less" : nil
    }
}
