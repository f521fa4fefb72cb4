import BluetoothCore
import Runtime

// Failed connection attempts. The host's part in them is compared too.

extension RecordedConnection {
    /// Attempts that were cancelled sooner come from an operating system that changes its filter accept list.
    private static let shortestWait = Duration.seconds(1)

    /// Whether the recorded host cancelled the attempt.
    var wasGivenUp: Bool { status == .unknownConnectionIdentifier && !isUnanswered }

    /// Whether the link was lost while it was being established, so that only the host's attempt remains.
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
    /// For each connection, whether it is a failed attempt that the host must make too.
    ///
    /// It must if the log has a connection to the same device, or no connections at all. Other attempts may
    /// come from another application of the recorded phone.
    var comparedAttempts: [Bool] {
        let played = filter(FakeController.isPlayable)
        let peers = Set(played.map(\.peer.value))
        // Last time at which the link to each device was open.
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
