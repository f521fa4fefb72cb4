public import BluetoothCore

/// What carries packets between a host and its controller: an adapter, a virtual controller, a recording.
///
/// A transport keeps the order of the packets in each direction. It is used by one owner, who pumps it.
public protocol HCITransport: AnyObject, Sendable {
    /// Begins to carry packets: `receive` is called with each packet from the controller, in order and never
    /// from within ``send(_:)``.
    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError)

    /// Takes who is told once that no packet can be carried any more though nobody closed it: the other side
    /// is gone, or what it sends makes no sense. Called before ``open(_:)``.
    func onLoss(_ lost: @escaping @Sendable (HCITransportError) -> Void)

    /// Hands a packet to the controller.
    func send(_ packet: HCIPacket) throws(HCITransportError)

    /// Ends it: no packet is received afterwards.
    func close()
}

extension HCITransport {
    /// A transport within the process can't be lost.
    public func onLoss(_ lost: @escaping @Sendable (HCITransportError) -> Void) {}
}

/// Why a transport can't carry packets.
public struct HCITransportError: Error, Hashable, Sendable {
    /// What was being done, such as "open" or "send".
    public var operation: String
    /// The system's error number; 0 where the transport itself says no.
    public var errno: Int32

    public init(operation: String, errno: Int32 = 0) {
        self.operation = operation
        self.errno = errno
    }
}
