import Glibc

/// Waits for events of a recording.
public enum WaitSet {
    /// Events that end a wait.
    public struct Events: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Records are waiting.
        public static let records = Events(rawValue: 1)
        /// A stop signal has arrived.
        public static let stop = Events(rawValue: 2)
        /// The output's reader has closed its end.
        public static let readerGone = Events(rawValue: 4)
    }

    /// Waits for the first event, at most `milliseconds`.
    ///
    /// - Parameters:
    ///   - output: a pipe whose reader is watched; nil for none.
    ///   - wantsRoom: whether to end the wait when the output is writable again.
    public static func wait(
        channel: Int32, stop: Int32, output: Int32?, wantsRoom: Bool = false, milliseconds: Int32
    ) -> Events {
        var wanted = [
            pollfd(fd: channel, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output ?? -1, events: wantsRoom ? Int16(POLLOUT) : 0, revents: 0),
        ]
        // Safe: the kernel fills as many structures as the array has.
        guard unsafe poll(&wanted, nfds_t(wanted.count), milliseconds) > 0 else { return [] }
        var events: Events = []
        if wanted[0].revents != 0 { events.insert(.records) }
        if wanted[1].revents != 0 { events.insert(.stop) }
        if wanted[2].revents & Int16(POLLERR | POLLHUP) != 0 { events.insert(.readerGone) }
        return events
    }
}
