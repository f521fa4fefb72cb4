public import BluetoothCore
public import Runtime

/// A PDU between the host and the far device in a replay.
public struct TraceEntry: Hashable, Sendable {
    /// Virtual time.
    public var time: Instant
    /// The connection's number in the model.
    public var connection: Int
    /// The sender.
    public var side: RecordedPDU.Side
    public var channel: L2CAPChannelID
    public var octets: [UInt8]
    /// The number of the record with which it was compared, or from which it comes; 0 without one.
    public var frame: Int

    /// Whether it belongs to discovery or the MTU exchange.
    var isDiscovery: Bool {
        guard channel == .attribute, let first = octets.first else { return false }
        let opcode = first == ATTOpcode.errorResponse.rawValue ? octets.dropFirst().first ?? 0 : first
        return (0x02...0x09).contains(opcode) || (0x10...0x11).contains(opcode)
    }

    public init(
        time: Instant, connection: Int, side: RecordedPDU.Side, channel: L2CAPChannelID, octets: [UInt8],
        frame: Int
    ) {
        self.time = time
        self.connection = connection
        self.side = side
        self.channel = channel
        self.octets = octets
        self.frame = frame
    }
}
