public import BluetoothCore
public import Runtime
import Synchronization
public import VirtualController

/// A packet between a controller and its host.
public struct RecordedPacket: Hashable, Sendable {
    /// The world's time of the packet.
    public let time: Instant
    /// The packet's controller.
    public let controller: ControllerID
    /// The packet's header and data.
    public let packet: HCIPacket
    /// Whether the host sent it.
    public let isFromHost: Bool
}

/// Stores the packets of a tap in order, up to a limit.
public final class PacketRecorder: Sendable {
    private struct State {
        var packets: [RecordedPacket] = []
        var dropped = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// Creates a recorder for at most `limit` packets; further ones are only counted.
    public init(limit: Int = 1_000_000) { self.limit = max(0, limit) }

    /// The tap to pass to a world.
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

    /// Returns the packets of one controller.
    public func packets(of controller: ControllerID) -> [RecordedPacket] {
        state.withLock { $0.packets.filter { $0.controller == controller } }
    }

    /// The number of packets beyond the limit.
    public var dropped: Int { state.withLock { $0.dropped } }
}
