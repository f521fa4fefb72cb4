public import BluetoothCore
public import Runtime
import Synchronization
public import VirtualController

/// A packet that passed between a controller and its host.
public struct RecordedPacket: Hashable, Sendable {
    /// When it passed, in the world's time.
    public let time: Instant
    /// Whose controller it was.
    public let controller: ControllerID
    /// Header and data.
    public let packet: HCIPacket
    /// Whether the host sent it.
    public let isFromHost: Bool
}

/// Keeps what a tap hears, in the order in which it passed, up to a limit.
public final class PacketRecorder: Sendable {
    private struct State {
        var packets: [RecordedPacket] = []
        var dropped = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// A recorder for at most `limit` packets; those that come after are counted.
    public init(limit: Int = 1_000_000) { self.limit = max(0, limit) }

    /// What a world is given.
    public var tap: VirtualRadio.Tap {
        { [self] time, controller, packet, isFromHost in
            let recorded = RecordedPacket(
                time: time, controller: controller, packet: packet, isFromHost: isFromHost)
            state.withLock { state in
                if state.packets.count < limit {
                    state.packets.append(recorded)
                } else {
                    state.dropped += 1
                }
            }
        }
    }

    /// The packets of one controller.
    public func packets(of controller: ControllerID) -> [RecordedPacket] {
        state.withLock { $0.packets.filter { $0.controller == controller } }
    }

    /// Packets that came after the limit.
    public var dropped: Int { state.withLock { $0.dropped } }
}
