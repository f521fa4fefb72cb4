import BluetoothCore
import Runtime

// Attempts to connect that led to no connection: what a host did is compared there, too.

extension RecordedConnection {
    /// Attempts that were given up sooner are those of an operating system that changes its filter accept
    /// list.
    private static let shortestWait = Duration.seconds(1)

    /// Whether the recorded host gave the attempt up.
    var wasGivenUp: Bool { status == .unknownConnectionIdentifier && !isUnanswered }

    /// Whether the link was lost while it was being made: that the host asked for it is all there is.
    var wasLostAtOnce: Bool {
        guard isCentral, status == .success, asked != nil, !wasOpenAtStart, let end, end.request == nil
        else { return false }
        return !steps.contains(where: \.isRequired)
            && (pdus.isEmpty || end.reason == .connectionFailedToBeEstablishedOrSynchronizationTimeout)
    }

    fileprivate var isClearAttempt: Bool {
        guard isCentral, status != .success, !isLeftOut, peer.value != 0, let asked else { return false }
        return status != .unknownConnectionIdentifier || asked.duration(to: completed) >= Self.shortestWait
    }
}

extension [RecordedConnection] {
    /// For each whether it is an attempt that led to nothing and that the host must make, too: one to a
    /// device that the log has a connection to, or any in a log without connections.
    ///
    /// Others may be of another application of the recorded phone.
    var comparedAttempts: [Bool] {
        let played = filter(FakeController.isPlayable)
        let peers = Set(played.map(\.peer.value))
        // The time at which the link to each device was last open.
        var open: [UInt64: Instant] = [:]
        return map { connection in
            if connection.status == .success {
                let end = connection.end?.time ?? .distantFuture
                open[connection.peer.value] = Swift.max(open[connection.peer.value] ?? .zero, end)
            }
            guard connection.isClearAttempt, let asked = connection.asked else { return false }
            return (played.isEmpty || peers.contains(connection.peer.value))
                && open[connection.peer.value] ?? .zero <= asked
        }
    }
}
