import CLinux
import Glibc
import WireBytes

/// The signals that request the program's end, as a descriptor that can be polled with others.
public struct StopSignals: ~Copyable, Sendable {
    /// Readable as soon as a signal has arrived.
    public let descriptor: Int32
    /// The pipe's writing end.
    private let end: Int32
    /// Whether a handler may write to the pipe.
    private let isHandled: Bool

    /// Handles SIGINT, SIGTERM and SIGHUP if signals stop the command; SIGHUP only if it was not ignored on
    /// purpose (nohup).
    ///
    /// Only one instance at a time: a second one would take over the first one's signals.
    public init(_ environment: CommandEnvironment) throws(Failure) {
        try self.init(isHandled: environment.takesSignals)
        guard isHandled else { return }
        for number in [SIGINT, SIGTERM, SIGHUP] { Self.handle(number, Self.note) }
    }

    /// Creates the pipe, to which no handler writes yet.
    private init(isHandled: Bool) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        // Safe: the kernel writes two descriptors into an array of two.
        guard unsafe pipe(&ends) == 0 else {
            throw Failure(.environment, "can't wait for signals: \(SystemMessage.text(errno))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        end = ends[1]
        self.isHandled = isHandled
        // Safe: no handler that reads it is installed yet.
        if isHandled { unsafe signalEnd = end }
    }

    /// Handles the first SIGINT or SIGTERM; a second one ends the program immediately.
    ///
    /// Intended for reading from another program that gets the same signal: it has `grace` seconds to write
    /// its last output and end before the descriptor becomes readable.
    ///
    /// - Parameter grace: seconds, at least 1.
    public init(_ environment: CommandEnvironment, firstAfter grace: UInt32) throws(Failure) {
        try self.init(isHandled: environment.takesSignals)
        guard isHandled else { return }
        // Safe: no handler that reads it is installed yet.
        unsafe graceSeconds = grace
        Self.handle(SIGALRM, Self.note)
        for number in [SIGINT, SIGTERM] { Self.handle(number, Self.begin) }
    }

    deinit {
        close(descriptor)
        // A handler may still run.
        if !isHandled { close(end) }
    }

    /// Records that a signal has arrived.
    private static let note: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var octet = UInt8(truncatingIfNeeded: number)
        // Safe: one byte is read, and write is safe in a handler (signal-safety(7)).
        _ = unsafe write(signalEnd, &octet, 1)
        errno = before
    }

    /// Restores the default action for further signals, and schedules SIGALRM after the grace.
    private static let begin: @convention(c) (Int32) -> Void = { _ in
        // Safe: both calls are safe in a handler (signal-safety(7)).
        _ = signal(SIGINT, SIG_DFL)
        _ = signal(SIGTERM, SIG_DFL)
        _ = unsafe alarm(graceSeconds)
    }

    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        // Safe: the kernel reads and fills structures that outlive the calls; the handler's address is only
        // compared.
        guard unsafe sigaction(number, nil, &action) == 0 else { return }
        let was = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        if number == SIGHUP, was == 1 { return }
        unsafe action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        _ = unsafe sigaction(number, &action, nil)
        // A multithreaded parent may have left it blocked.
        var taken = sigset_t()
        // Safe: the calls read and fill one set, which outlives them.
        unsafe sigemptyset(&taken)
        unsafe sigaddset(&taken, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    }

    /// Consumes the signals that have arrived, so that the next one can be waited for; returns the name of
    /// the first, nil if absent.
    public func take() -> String? {
        var octets = [UInt8](repeating: 0, count: 16)
        // Safe: the kernel writes at most as many bytes as the array has.
        guard unsafe read(descriptor, &octets, octets.count) > 0 else { return nil }
        switch Int32(octets[0]) {
        case SIGINT: return "SIGINT"
        case SIGTERM: return "SIGTERM"
        case SIGHUP: return "SIGHUP"
        case let number: return "signal \(number)"
        }
    }
}

/// The descriptor to which the handler writes a signal's number.
///
/// Safe: set before any handler that reads it is installed, and one word.
nonisolated(unsafe) private var signalEnd: Int32 = -1

/// Delay in seconds before a signal is recorded.
///
/// Safe: set before any handler that reads it is installed, and one word.
nonisolated(unsafe) private var graceSeconds: UInt32 = 0
