public import BluetoothCore
public import Runtime

/// A reassembled PDU of a recorded connection.
public struct RecordedPDU: Hashable, Sendable {
    /// One of the two devices.
    public enum Side: UInt8, Hashable, Sendable {
        /// The device that recorded the log.
        case host
        /// The far device.
        case peer
    }

    /// The number of the record that completed the PDU.
    public var frame: Int
    /// Time of that record, on the model's timeline.
    public var time: Instant
    /// The sender.
    public var side: Side
    /// The channel it was sent on.
    public var channel: L2CAPChannelID
    /// The information payload, as far as the log holds it.
    public var octets: [UInt8]
    /// Whether a part of the PDU is missing from the log.
    public var isCut: Bool
    /// The index of the PDU that it answers, among those of its connection; nil if it answers none.
    public var answers: Int?
    /// Whether the PDU is a made-up response that the log lacks.
    var isMadeUp = false

    /// The opcode of an Attribute Protocol PDU; 0 if the PDU is empty.
    public var opcode: ATTOpcode { ATTOpcode(rawValue: octets.first ?? 0) }

    /// Whether it is a request of an ATT client.
    var isRequest: Bool { channel == .attribute && opcode.kind == .request }

    /// Whether this can be the response to a request with this opcode (Vol 3, Part F, 3.4).
    func fits(_ request: ATTOpcode) -> Bool {
        opcode == .errorResponse ? octets.dropFirst().first == request.rawValue : opcode.answers == request
    }
}
