import CLinux
import Glibc

/// The signals that ask a program to end, as a descriptor that can be waited on with others.
public struct StopSignals: ~Copyable, Sendable {
    /// Readable as soon as a signal has come.
    public let descriptor: Int32
    /// The writing end.
    private let end: Int32
    /// Whether a handler may write there.
    private let isHandled: Bool

    /// Takes SIGINT, SIGTERM and SIGHUP over, where signals stop the command; SIGHUP only where it was not
    /// ignored on purpose (nohup).
    ///
    /// One at a time: a second one would take the first one's signals.
    public init(_ environment: CommandEnvironment) throws(Failure) {
        try self.init(isHandled: environment.takesSignals)
        guard isHandled else { return }
        for number in [SIGINT, SIGTERM, SIGHUP] { Self.handle(number, Self.note) }
    }

    /// A pipe that no handler writes to yet.
    private init(isHandled: Bool) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        // Safe: the kernel writes two descriptors into an array of two.
        guard unsafe pipe(&ends) == 0 else {
            throw Failure(.environment, "can't wait for signals: \(SystemCall.message(errno))")
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

    /// Takes the first SIGINT or SIGTERM over; a second one ends the program at once.
    ///
    /// Meant for what reads from another program that the same signal reaches: that has `grace` to write its
    /// last words and end, and only then is the descriptor readable.
    ///
    /// - Parameter grace: in seconds, 1 or more.
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

    /// Notes that a signal has come.
    private static let note: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var octet = UInt8(truncatingIfNeeded: number)
        // Safe: one byte is read, and write is safe in a handler (signal-safety(7)).
        _ = unsafe write(signalEnd, &octet, 1)
        errno = before
    }

    /// Leaves the next signals to the system, and has SIGALRM come after the grace.
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
        // A parent with threads may have left it blocked.
        var taken = sigset_t()
        // Safe: the calls read and fill one set, which outlives them.
        unsafe sigemptyset(&taken)
        unsafe sigaddset(&taken, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    }

    /// Takes the signals that have come, so that the next one can be waited for; the name of the first, nil
    /// if none has.
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

/// Where the handler writes a signal's number.
///
/// Safe: set before any handler that reads it is installed, and one word.
nonisolated(unsafe) private var signalEnd: Int32 = -1

/// How long after a signal it is noted, in seconds.
///
/// Safe: set before any handler that reads it is installed, and one word.
nonisolated(unsafe) private var graceSeconds: UInt32 = 0
