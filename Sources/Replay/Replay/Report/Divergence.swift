public import BluetoothCore
public import Runtime

/// A difference between the tested host and the recorded host.
public struct Divergence: Hashable, Sendable {
    /// The kind of a divergence.
    public enum Kind: String, Hashable, Sendable {
        /// The host did something other than the due step.
        case different
        /// The host did something although no step was due any more.
        case unexpected
        /// The host sent a request before the previous one had a response.
        case requestWhilePending = "request-while-pending"
        /// The host's PDU can't be decoded.
        case malformed
        /// The application's callback was wrong or missing.
        case application
        /// A packet to the controller was different.
        case packet
        /// The host repeated its connection attempt too often.
        case attempt
        /// The host continues to scan.
        case scan
        /// The host did not perform a step, and the session continued without it.
        case missing
    }

    /// A recorded PDU that equals the host's PDU.
    public struct Nearest: Hashable, Sendable {
        public var frame: Int
        /// Whether the host had sent the PDU already; otherwise it was still to come.
        public var wasSeen: Bool

        public init(frame: Int, wasSeen: Bool) {
            self.frame = frame
            self.wasSeen = wasSeen
        }
    }

    /// A wrong callback with the one that the log implies, or a wrong packet of the host with the recorded
    /// one.
    public struct Told: Hashable, Sendable {
        /// The frame that implies the callback or packet; 0 if the log has no such frame.
        public var frame: Int
        /// The expected callback or packet; nil if none was expected.
        public var expected: String?
        /// The actual callback or packet; nil if none came.
        public var got: String?
    }

    /// A wrong callback, packet, scan or attempt, which is no PDU. A connection with the number 0 is unknown.
    static func told(
        _ kind: Kind, at time: Instant, on connection: Int, to peer: DeviceAddress?, frame: Int,
        expected: String?, got: String?, before: [TraceEntry] = [], callbacks: [Transcript.Callback] = [],
        state: [String] = []
    ) -> Divergence {
        Divergence(
            kind: kind, time: time, connection: connection, peer: peer ?? DeviceAddress(0),
            told: Told(frame: frame, expected: expected, got: got), channel: .attribute, before: before,
            callbacks: callbacks, state: state)
    }

    public var kind: Kind
    /// Virtual time.
    public var time: Instant
    /// The connection's number in the model.
    public var connection: Int
    /// The far device.
    public var peer: DeviceAddress
    /// The callback or packet that differs; nil if it is a PDU.
    public var told: Told?
    /// The due step with its frame; nil if no step was due.
    public var expected: HostStep?
    /// The bytes of the host's PDU; nil if the host ended the connection.
    public var got: [UInt8]?
    /// The PDU's channel.
    public var channel: L2CAPChannelID
    /// An action of the host that is not a PDU, such as a disconnection with its reason.
    public var other: String?
    /// Offset of the first different byte, counted from the opcode; nil if there is no PDU to compare with.
    public var firstDifference: Int?
    public var nearest: Nearest?
    /// The last PDUs of both sides on this connection.
    public var before: [TraceEntry]
    /// The callbacks so far; the report shows those since the first of these PDUs.
    public var callbacks: [Transcript.Callback] = []
    /// State of each connection.
    public var state: [String]
}

/// A host that does not perform its next step, and what it was expected to do.
public struct Stuck: Hashable, Sendable {
    /// The virtual time when no more events were left.
    public var time: Instant
    /// The number in the model of the connection that was to begin or to continue.
    public var connection: Int
    public var peer: DeviceAddress
    /// The host's next step; nil if it had to connect, or if the peer's next event was not reached.
    public var expected: HostStep?
    /// Whether the connection was never made.
    public var isUnconnected: Bool
    /// Whether the host still waits for a device, although the recorded host gave up.
    public var waitsOn = false
    /// For a missing connection: the advertisements that the host received, and its pending attempt.
    public var search: [String] = []
    /// The last PDUs of both sides on this connection.
    public var before: [TraceEntry]
    /// The callbacks so far; the report shows those since the first of these PDUs.
    public var callbacks: [Transcript.Callback] = []
    public var state: [String]
}

/// The verdict of a replay.
public enum ReplayVerdict: Hashable, Sendable {
    /// The host matched the log.
    case same
    /// The host matched the part of the log that can be played; obstacles prevent the rest.
    case partlySame([Obstacle])
    case diverged(Divergence)
    case stuck(Stuck)
    /// The log can't be replayed.
    case notReplayable([Obstacle])
    /// The replay has not ended.
    case unfinished

    /// The verdict in one or two words.
    public var word: String {
        switch self {
        case .same: "same"
        case .partlySame: "partly same"
        case .diverged: "diverged"
        case .stuck: "stuck"
        case .notReplayable: "not replayable"
        case .unfinished: "unfinished"
        }
    }
}
