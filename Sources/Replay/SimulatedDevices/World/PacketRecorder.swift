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

    public init(time: Instant, controller: ControllerID, packet: HCIPacket, isFromHost: Bool) {
        self.time = time
        self.controller = controller
        self.packet = packet
        self.isFromHost = isFromHost
    }
}

/// Stores the packets of a tap in order, up to a limit in bytes.
public final class PacketRecorder: Sendable {
    private struct State {
        var packets: [RecordedPacket] = []
        var size = 0
        var dropped = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// Overhead of a stored packet, in bytes.
    private static let overhead = 96

    /// Creates a recorder for packets of at most `limit` bytes; further ones are only counted.
    public init(limit: Int = 64 << 20) { self.limit = max(0, limit) }

    /// The tap to pass to a world.
    public var tap: VirtualRadio.Tap {
        { [self] time, controller, packet, isFromHost in
            let recorded = RecordedPacket(
                time: time, controller: controller, packet: packet, isFromHost: isFromHost)
            state.withLock { state in
                let size = packet.octets.count + Self.overhead
                if state.dropped == 0, state.size + size <= limit {
                    state.size += size
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
