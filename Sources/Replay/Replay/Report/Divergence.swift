public import BluetoothCore
public import Runtime

/// Where the host did something else than the recorded one.
public struct Divergence: Hashable, Sendable {
    /// What kind of difference it is.
    public enum Kind: String, Hashable, Sendable {
        /// What was due was something else.
        case different
        /// Nothing was due any more.
        case unexpected
        /// The host asked while its request before had no response.
        case requestWhilePending = "request-while-pending"
        /// The host's PDU can't be read.
        case malformed
        /// The application was told something else.
        case application
        /// A packet to the controller was another.
        case packet
        /// The host asked for a connection again and again.
        case attempt
        /// The host scans on.
        case scan
        /// The host did not do it, and the session went on without.
        case missing
    }

    /// The place of a recorded PDU that is what the host sent.
    public struct Nearest: Hashable, Sendable {
        public var frame: Int
        /// Whether the host had sent it before; else it was still to come.
        public var wasSeen: Bool

        public init(frame: Int, wasSeen: Bool) {
            self.frame = frame
            self.wasSeen = wasSeen
        }
    }

    /// What the application was told beside what the log entails, or the host's packet beside the recorded
    /// one.
    public struct Told: Hashable, Sendable {
        /// The frame that entails it; 0 where the log does not have it.
        public var frame: Int
        /// What was due; nil for nothing.
        public var expected: String?
        /// What came; nil for nothing.
        public var got: String?
    }

    public var kind: Kind
    /// When, in virtual time.
    public var time: Instant
    /// The connection, by its number in the model.
    public var connection: Int
    /// The far device.
    public var peer: DeviceAddress
    /// What the application was told or the controller sent, where that is the difference.
    public var told: Told?
    /// What was due, with the frame of the record; nil where nothing was.
    public var expected: HostStep?
    /// What came: the octets of the PDU, or nil where the host ended the connection.
    public var got: [UInt8]?
    /// The channel it came on.
    public var channel: L2CAPChannelID
    /// What the host did that is no PDU, such as the end of the connection with its reason.
    public var other: String?
    /// The first octet that differs, counted from the opcode; nil where there is nothing to compare.
    public var firstDifference: Int?
    public var nearest: Nearest?
    /// The last PDUs of both sides before it on this connection, and what the application was told since the
    /// first of them.
    public var before: [TraceEntry]
    public var callbacks: [Transcript.Callback] = []
    /// What stood open on each connection.
    public var state: [String]
}

/// What a host that does nothing more was waited for.
public struct Stuck: Hashable, Sendable {
    /// When nothing more was to come, in virtual time.
    public var time: Instant
    /// The connection that was to be made or to go on, by its number in the model.
    public var connection: Int
    public var peer: DeviceAddress
    /// What the host was to do next; nil where it was to connect, or where the peer's part was not reached.
    public var expected: HostStep?
    /// Whether the connection was never made.
    public var isUnconnected: Bool
    /// Whether the host waits for a device that the recorded one had given up.
    public var waitsOn = false
    /// Where no connection was made: what the host heard, and what it wanted.
    public var search: [String] = []
    /// The last PDUs of both sides on this connection, and what the application was told since the first.
    public var before: [TraceEntry]
    public var callbacks: [Transcript.Callback] = []
    public var state: [String]
}

/// How a replay ended.
public enum ReplayVerdict: Hashable, Sendable {
    /// The host did what the log holds.
    case same
    /// The host did what the log holds, as far as it could be played; what could not is left out.
    case partlySame([Obstacle])
    case diverged(Divergence)
    case stuck(Stuck)
    /// Nothing of the log can be replayed.
    case notReplayable([Obstacle])
    /// The replay has not come to its end.
    case unfinished

    /// One word.
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
