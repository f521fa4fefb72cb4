import Glibc

/// The signals that ask a program to end, as a descriptor that can be waited on with others.
public struct StopSignals: ~Copyable {
    /// Readable as soon as a signal has come.
    public let descriptor: Int32

    /// Takes SIGINT, SIGTERM and SIGHUP over; SIGHUP only where it was not ignored on purpose (nohup).
    ///
    /// One at a time: a second one would take the first one's signals.
    public init() throws(Failure) {
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
        // Safe: no handler that reads it is installed yet.
        unsafe signalEnd = ends[1]
        for number in [SIGINT, SIGTERM, SIGHUP] { Self.handle(number) }
    }

    // The writing end stays: a handler may still run.
    deinit { close(descriptor) }

    private static func handle(_ number: Int32) {
        var action = sigaction()
        // Safe: the kernel reads and fills structures that outlive the calls; the handler's address is only
        // compared. What the handler calls is safe in one (signal-safety(7)).
        guard unsafe sigaction(number, nil, &action) == 0 else { return }
        let was = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        if number == SIGHUP, was == 1 { return }
        unsafe action.__sigaction_handler.sa_handler = { number in
            let before = errno
            var octet = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(signalEnd, &octet, 1)
            errno = before
        }
        action.sa_flags = SA_RESTART
        _ = unsafe sigaction(number, &action, nil)
    }

    /// Takes the signals that have come, so that the next one can be waited for; the name of the first, nil
    /// where none has.
    public func take() -> String? {
        var octets = [UInt8](repeating: 0, count: 16)
        // Safe: the kernel writes at most as many octets as the array has.
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
