public import BluetoothCore
public import Runtime

/// One PDU of a recorded connection, put together from its fragments.
public struct RecordedPDU: Hashable, Sendable {
    /// Which of the two devices sent something.
    public enum Side: UInt8, Hashable, Sendable {
        /// The device whose log it is.
        case host
        /// The far one.
        case peer
    }

    /// The number of the record that completed it.
    public var frame: Int
    /// When that was, on the model's line of time.
    public var time: Instant
    /// Who sent it.
    public var side: Side
    /// The channel it was sent on.
    public var channel: L2CAPChannelID
    /// Its information payload, as far as the log holds it.
    public var octets: [UInt8]
    /// Whether octets of it are missing from the log.
    public var isCut: Bool
    /// The place of the PDU that it answers among those of its connection; nil where it answers none.
    public var answers: Int?
    /// Whether the log does not hold it: an answer that a host must have had.
    var isMadeUp = false

    /// The opcode, for a PDU of the Attribute Protocol; 0 where it has none.
    public var opcode: ATTOpcode { ATTOpcode(rawValue: octets.first ?? 0) }

    /// Whether it is a request of an ATT client.
    var isRequest: Bool { channel == .attribute && opcode.kind == .request }

    /// Whether the response can be one to a request of this opcode (Vol 3, Part F, 3.4).
    func fits(_ request: ATTOpcode) -> Bool {
        opcode == .errorResponse ? octets.dropFirst().first == request.rawValue : opcode.answers == request
    }
}
