import BluetoothCore
import CommandLineKit
import Replay
import WireBytes

/// The connections of a log selected by `--connection` and `--peer`.
struct ConnectionChoice: Sendable {
    private let numbers: Set<Int>
    private let peers: Set<UInt64>

    init(_ arguments: ParsedArguments) throws(Failure) {
        numbers = Set(try FrameFilter.numbers(arguments, .connection, 1...Int.max))
        peers = try FrameFilter.peers(arguments)
    }

    /// Whether all connections are replayed.
    var isEmpty: Bool { numbers.isEmpty && peers.isEmpty }

    /// Keeps only the selected connections of a log.
    func choose(in model: inout SessionModel, _ path: String) throws(Failure) {
        guard !isEmpty else { return }
        let count = model.connections.count { $0.number > 0 }
        model.choose { connection in
            (numbers.isEmpty || numbers.contains(connection.number))
                && (peers.isEmpty || peers.contains(connection.peer.value))
        }
        guard model.connections.isEmpty else { return }
        throw Failure(
            .unreplayable,
            "\(path): --connection and --peer choose none of its \(count.counting("connection"))",
            advice: "'blecap info' lists them")
    }
}
