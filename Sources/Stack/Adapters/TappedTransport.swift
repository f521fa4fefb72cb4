public import BluetoothCore
public import LEHost

/// Reports every packet of a transport to an observer.
public final class TappedTransport: HCITransport {
    private let transport: any HCITransport
    private let tap: @Sendable (_ packet: HCIPacket, _ isFromHost: Bool) -> Void

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - transport: the transport whose packets are reported.
    ///   - tap: called with each packet before it is passed on.
    public init(
        _ transport: any HCITransport,
        _ tap: @escaping @Sendable (_ packet: HCIPacket, _ isFromHost: Bool) -> Void
    ) {
        self.transport = transport
        self.tap = tap
    }

    public func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        let tap = tap
        try transport.open { packet in
            tap(packet, false)
            receive(packet)
        }
    }

    public func onLoss(_ lost: @escaping @Sendable (HCITransportError) -> Void) { transport.onLoss(lost) }

    public func send(_ packet: HCIPacket) throws(HCITransportError) {
        tap(packet, true)
        try transport.send(packet)
    }

    public func close() { transport.close() }
}
