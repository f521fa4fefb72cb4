import Adapters
import BluetoothCore
import CaptureFile
import CommandLineKit
import LEHost
import Replay
import Runtime
import SimulatedDevices
import Synchronization
import VirtualController
import WireBytes

/// Records the traffic between the host under test and the recording replayed to it as a log.
final class ReplayRecording: Sendable {
    private struct State {
        var origin: Int64 = 0
        var address = DeviceAddress(0, .public)
        /// Whether the first replay of the log has begun; later ones repeat it, or leave out connections.
        var isTaken = false
    }

    private static let controller = ControllerID(rawValue: 0)

    private let arguments: ParsedArguments
    private let packets = PacketRecorder()
    private let state = Mutex(State())

    /// Creates the recording; nil if the command line does not request one.
    init?(_ arguments: ParsedArguments) throws(Failure) {
        guard let path = arguments.value(.record) else { return nil }
        guard arguments.operands.count == 1 else {
            throw Failure(.usage, "--record is for one log", advice: "replay the logs one by one")
        }
        _ = try Output.file(path, arguments, madeFrom: arguments.operands)
        self.arguments = arguments
    }

    /// Sets the options so that the first replay is recorded.
    func join(_ options: inout LogReplay.Options) {
        options.transport = { [self] in transport($0, $1, from: $0.model.origin.nanoseconds) }
    }

    /// Returns the adapter, wrapped so that its packets are recorded if it is the first.
    ///
    /// - Parameter origin: the start of its time, in nanoseconds since 1970.
    func transport(
        _ adapter: FakeAdapter, _ time: any Scheduler, from origin: Int64
    ) -> any HCITransport {
        let isFirst = state.withLock { state in
            if state.isTaken { return false }
            state = State(
                origin: origin, address: adapter.model.controller.address ?? state.address, isTaken: true)
            return true
        }
        guard isFirst else { return adapter }
        let tap = packets.tap
        return TappedTransport(adapter) { tap(time.now, Self.controller, $0, $1) }
    }

    func write(_ console: Console) throws(Failure) {
        guard var file = try SimulationRecording.open(arguments) else { return }
        let (origin, address) = state.withLock { ($0.origin, $0.address) }
        try file.write(
            packets.packets(of: Self.controller), of: address, from: origin, note: "blecap replay")
        console.say(
            file.packets.counting("packet") + " recorded to \(file.path); 'blecap diff "
                + "\(Shell.quoted(arguments.operands[0])) \(Shell.quoted(file.path))' compares both logs")
    }
}
