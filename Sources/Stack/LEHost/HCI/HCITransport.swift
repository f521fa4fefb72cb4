public import BluetoothCore

/// Carries packets between a host and its controller: an adapter, a virtual controller, or a recording.
///
/// A transport keeps the order of packets in each direction. It has one owner, which pumps it.
public protocol HCITransport: AnyObject, Sendable {
    /// Opens the transport. `receive` is called with each packet from the controller, in order, but never
    /// during a call of ``send(_:)``.
    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError)

    /// Sets the handler for an unexpected end: the other side is gone, or has sent invalid data.
    ///
    /// It is called at most once. Call this before ``open(_:)``.
    func onLoss(_ lost: @escaping @Sendable (HCITransportError) -> Void)

    /// Sends a packet to the controller.
    func send(_ packet: HCIPacket) throws(HCITransportError)

    /// Closes the transport; no packet is received afterwards.
    func close()
}

extension HCITransport {
    /// Does nothing, since a transport within the process can't be lost.
    public func onLoss(_ lost: @escaping @Sendable (HCITransportError) -> Void) {}
}

/// Reason why a transport can't carry packets.
public struct HCITransportError: Error, Hashable, Sendable {
    /// The failed operation, such as "open" or "send".
    public var operation: String
    /// The system's error number; 0 if the transport itself refused.
    public var errno: Int32

    public init(operation: String, errno: Int32 = 0) {
        self.operation = operation
        self.errno = errno
    }
}
