import BluetoothCore
import CommandLineKit
import Runtime
import SimulatedDevices
import Synchronization
import VirtualController
import WireBytes

/// The capture of a device that stays up for whoever comes: each packet of its controller is written as it
/// passes, so that memory does not grow with what hosts send.
final class LiveRecording: Sendable {
    /// Bytes of packets after which no more are written, only counted.
    static let limit = 1 << 30
    /// The same before the device's address is known.
    private static let firstLimit = 1 << 20

    private struct State: ~Copyable {
        var file: SimulationRecording
        var controller: ControllerID?
        var origin: Int64 = 0
        /// Packets that set the controller up.
        var first: [RecordedPacket] = []
        var hasBegun = false
        var size = 0
        var dropped = 0
        var failure: Failure?

        mutating func take(_ packet: RecordedPacket) {
            guard packet.controller == controller, failure == nil else { return }
            size += packet.packet.octets.count
            guard dropped == 0, size <= (hasBegun ? LiveRecording.limit : LiveRecording.firstLimit) else {
                dropped += 1
                return
            }
            guard hasBegun else { return first.append(packet) }
            write(packet)
        }

        mutating func write(_ packet: RecordedPacket) {
            do throws(Failure) {
                try file.put(packet, from: origin)
                try file.flush()
            } catch {
                failure = error
            }
        }
    }

    private let state: Mutex<State>
    private let path: String

    /// Creates the file that `--record` names; nil if it is not given.
    init?(_ arguments: ParsedArguments) throws(Failure) {
        guard let file = try SimulationRecording.open(arguments) else { return nil }
        path = file.path
        state = Mutex(State(file: file))
    }

    /// Hears every packet of the air.
    var tap: VirtualRadio.Tap {
        { [self] time, controller, packet, isFromHost in
            let recorded = RecordedPacket(
                time: time, controller: controller, packet: packet, isFromHost: isFromHost)
            state.withLock { $0.take(recorded) }
        }
    }

    /// Records this controller, and no other of the air.
    func follow(_ controller: ControllerID) { state.withLock { $0.controller = controller } }

    /// Begins the file, now that the device's address is known.
    func begin(of address: DeviceAddress, _ stage: Stage) throws(Failure) {
        try state.withLock { state throws(Failure) in
            state.origin = stage.wallClockOrigin
            try state.file.begin(
                of: address, from: state.origin, note: stage.note,
                digestOf: Array("\(address) \(state.origin)".utf8))
            state.hasBegun = true
            for packet in state.first { state.write(packet) }
            state.first = []
        }
    }

    /// Ends the file.
    ///
    /// - Returns: the packets in it.
    func end(_ stage: Stage, _ console: Console) throws(Failure) -> (path: String, packets: Int) {
        let (packets, dropped) = try state.withLock { state throws(Failure) in
            if let failure = state.failure { throw failure }
            try state.file.end(at: stage.time.now, from: state.origin)
            return (state.file.packets, state.dropped)
        }
        if dropped > 0 {
            console.say("\(path) is full: \(dropped.counting("packet")) left out at the end")
        }
        return (path, packets)
    }
}
