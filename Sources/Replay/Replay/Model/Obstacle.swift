import WireBytes

/// Why a log, or a part of it, can't be replayed as it was; or what was made up so that it can.
public struct Obstacle: Hashable, Sendable {
    /// What stands in the way; the raw value is its name in reports.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A PDU is not there whole: the recorder cut its packets, or kept none of their content.
        case truncated = "truncated-packets"
        /// Fragments are missing in the middle of a PDU.
        case fragmentsLost = "fragments-lost"
        /// The log ends inside a PDU.
        case endsInPDU = "ends-in-the-middle-of-a-PDU"
        /// The connection was open before the log began.
        case startsInMidConnection = "starts-in-mid-connection"
        /// The recorder says that it dropped packets.
        case recorderDrops = "recorder-drops"
        /// Responses without their requests, or requests without their responses: someone filtered the log.
        case filtered = "filtered-log"
        /// What can't have happened: a PDU longer than both sides had agreed on, or a malformed response.
        case contradiction
        /// The file can't be read to its end.
        case damagedFile = "damaged-file"
        /// What a handle that the host used stands for is not known.
        case missingDatabase = "missing-database"
        /// No advertisement shows the device as its manager looks for it.
        case missingAdvertisement = "missing-advertisement"
        /// A write has no response in the log, though the same host goes on.
        case missingResponse = "missing-response"
        /// A value that managers of the device read is not in the log.
        case missingValue = "missing-value"
        /// A key is needed that is not given.
        case missingKey = "missing-key"
        /// The link was encrypted in a way that can't be played: it was kept though the attempt failed, the
        /// log does not show that the host began it, or the host that plays it is another program, which has
        /// its own bonds.
        case encrypted = "encrypted-by-a-bond"
        /// The devices paired, or tried to, in a way that can't be played.
        case pairing = "pairing"
        /// The recorded host, a peripheral, was a client too, or declared its attributes as no host of this
        /// project does; or the host that plays it is another program.
        case peripheralRole = "peripheral-role"
        /// The recorded host stopped before it had discovered all: a discovery is not compared.
        case endsInDiscovery = "ends-in-discovery"
        /// A subscription that no call of the API makes.
        case noCall = "no-call"
        /// Connections of an adapter that was not chosen.
        case otherAdapter = "other-adapter"
        /// Connection-oriented channels were used.
        case channels = "connection-oriented-channels"
        /// More was recorded than a model holds.
        case limit = "too-large"
        /// No LE connection that can be played is in the log.
        case noConnection = "no-connection"
        /// Nothing that a peer sees of a host is in it: whatever a host did would be the same.
        case nothingToCompare = "nothing-to-compare"
    }

    public var kind: Kind
    /// The number of the first record concerned; 0 where it is the whole log.
    public var frame: Int
    /// The number of the connection concerned; 0 for several or none.
    public var connection: Int
    /// How often it was met.
    public var count = 1

    init(_ kind: Kind, frame: Int = 0, connection: Int = 0, count: Int = 1) {
        self.kind = kind
        self.frame = frame
        self.connection = connection
        self.count = count
    }

    /// One line that says it.
    public var text: String {
        var text = kind.rawValue
        if kind == .otherAdapter {
            return text + ": \(count.counting("connection")) of a central not played (--adapter)"
        }
        if frame > 0 { text += " at frame \(frame)" }
        if connection > 0 { text += ", connection \(connection)" }
        if count > 1 { text += ", \(count) times" }
        switch kind {
        case .missingKey, .missingDatabase: return text + ": messages are sent as recorded, and not made anew"
        case .noCall: return text + ": it is done at the host itself"
        default: return text
        }
    }
}

extension Obstacle {
    /// One line that says what was made up.
    public var assumption: String {
        switch kind {
        case .startsInMidConnection:
            "the beginning of connection \(connection): the log shows it from frame \(frame) on"
        case .missingDatabase:
            "\(count.counting("attribute")) of connection \(connection), from the way they are used"
        case .missingResponse: "\(count.counting("response")) to writes of connection \(connection)"
        case .missingValue: "what the car of connection \(connection) says of itself"
        case .missingAdvertisement:
            "an advertisement of the device of connection \(connection), by which it is found"
        default: text
        }
    }
}

extension [Obstacle] {
    /// Notes one more, or counts it where its like is there.
    mutating func note(_ kind: Obstacle.Kind, frame: Int = 0, connection: Int = 0) {
        if let known = firstIndex(where: { $0.kind == kind && $0.connection == connection }) {
            self[known].count &+= 1
        } else {
            append(Obstacle(kind, frame: frame, connection: connection))
        }
    }
}
