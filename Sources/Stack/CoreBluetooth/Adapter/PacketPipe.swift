public import BluetoothCore
import LEHost
import Synchronization

/// A pipe for HCI packets between an adapter's host and its controller, as closures.
///
/// For callers that have a controller and don't know the host.
public struct PacketPipe: Sendable {
    /// Starts the pipe with a closure that receives the controller's packets in order and is never called
    /// from within `send`; nil ends it.
    public var attach: @Sendable ((@Sendable (HCIPacket) -> Void)?) -> Void
    /// Sends a packet to the controller.
    public var send: @Sendable (HCIPacket) -> Void

    public init(
        attach: @escaping @Sendable ((@Sendable (HCIPacket) -> Void)?) -> Void,
        send: @escaping @Sendable (HCIPacket) -> Void
    ) {
        self.attach = attach
        self.send = send
    }
}

final class PipeTransport: HCITransport {
    private let pipe: PacketPipe
    private let isOpen = Mutex(false)

    init(_ pipe: PacketPipe) { self.pipe = pipe }

    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        isOpen.withLock { $0 = true }
        pipe.attach(receive)
    }

    func send(_ packet: HCIPacket) throws(HCITransportError) {
        guard isOpen.withLock({ $0 }) else { throw HCITransportError(operation: "send") }
        pipe.send(packet)
    }

    func close() {
        isOpen.withLock { $0 = false }
        pipe.attach(nil)
    }
}
