import WireBytes

/// The reason why a log, or a part of it, can't be replayed as recorded; also a part that was made up.
public struct Obstacle: Hashable, Sendable {
    /// The kind of an obstacle; the raw value is its name in reports.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A PDU is incomplete: the recorder truncated its packets, or kept no content.
        case truncated = "truncated-packets"
        /// Fragments are missing in the middle of a PDU.
        case fragmentsLost = "fragments-lost"
        /// The log ends inside a PDU.
        case endsInPDU = "ends-in-the-middle-of-a-PDU"
        /// The connection was open before the log began.
        case startsInMidConnection = "starts-in-mid-connection"
        /// The recorder reports dropped packets.
        case recorderDrops = "recorder-drops"
        /// The log lacks the end of a connection, which must come before another connection.
        case missingEnd = "missing-end"
        /// A sniffer missed packets of the connection.
        case notHeard = "not-heard"
        /// The connection was encrypted on the air, and the key is not known.
        case closed = "encrypted-on-the-air"
        /// The log was filtered: it has responses without requests, or requests without responses.
        case filtered = "filtered-log"
        /// Impossible contents: a PDU longer than the agreed MTU, or a malformed one.
        case contradiction
        /// The file can't be read to its end.
        case damagedFile = "damaged-file"
        /// The host used a handle whose attribute is unknown.
        case missingDatabase = "missing-database"
        /// The log has no advertisement by which a manager would find the device.
        case missingAdvertisement = "missing-advertisement"
        /// A write has no response in the log, although the host continues.
        case missingResponse = "missing-response"
        /// A value that the device's managers read is not in the log.
        case missingValue = "missing-value"
        /// A required key was not provided.
        case missingKey = "missing-key"
        /// The link was encrypted in a way that can't be played: it was kept although encryption failed, the
        /// log does not show that the host started encryption, or another program's host, with other bonds,
        /// is tested.
        case encrypted = "encrypted-by-a-bond"
        /// The devices paired, or tried to, in a way that can't be played.
        case pairing = "pairing"
        /// A link was encrypted before both devices had proved that they have the same key.
        case skippedCheck = "skipped-check"
        /// The recorded host, a peripheral, was also a client, or declared its attributes in a way that this
        /// project's host can't; or another program's host is tested.
        case peripheralRole = "peripheral-role"
        /// The recorded host stopped in the middle of a discovery, and discovery is not compared.
        case endsInDiscovery = "ends-in-discovery"
        /// A subscription that no API call makes.
        case noCall = "no-call"
        /// The connections belong to an adapter that was not chosen.
        case otherAdapter = "other-adapter"
        /// The host used connection-oriented channels.
        case channels = "connection-oriented-channels"
        /// The log exceeds a limit of the model.
        case limit = "too-large"
        /// The log has no playable LE connection.
        case noConnection = "no-connection"
        /// The log has nothing that a peer notices of a host, so that any host would pass.
        case nothingToCompare = "nothing-to-compare"

        /// The kind in words; nil where the name says it.
        var words: String? {
            switch self {
            case .startsInMidConnection: "the connection was open before the log began"
            case .recorderDrops: "the recorder lost packets"
            case .notHeard: "the sniffer missed packets"
            case .closed: "the connection was encrypted on the air"
            case .filtered: "the log has responses without requests, or requests without responses"
            case .contradiction: "the log has a PDU that no host sends"
            case .missingKey: "without the session's key, messages are sent as recorded, and not made anew"
            case .missingDatabase:
                "the log lacks the discovery of the characteristics, so messages are sent as recorded"
            case .noCall: "no call of the API does it, so it is done at the host itself"
            case .truncated: "the recorder cut packets short"
            case .fragmentsLost: "parts of packets are missing"
            case .endsInPDU: "the log ends there"
            case .damagedFile: "the file can't be read to its end"
            case .encrypted:
                "the log does not show how the host began this encryption, the link outlived its failure, or "
                    + "another program's host has no key for it"
            case .pairing:
                "the log lacks a PDU of this pairing, or it is one that needs a person, out-of-band data or "
                    + "a second try; its PDUs are left out"
            case .skippedCheck:
                "the log's central encrypted the link without both DHKey Checks, which the specification "
                    + "forbids (Vol 3, Part H, 2.3.5.6.5), or the log lacks one"
            case .peripheralRole:
                "the API has no call for what a peripheral asks of its central, or for its attributes"
            case .channels: "the stack has no connection-oriented channels, so their data is left out"
            case .noConnection: "the log has no LE connection that can be played"
            case .nothingToCompare: "the log has nothing in which a wrong host would differ"
            case .endsInDiscovery: "the recorded host stopped in a discovery, which is not compared"
            default: nil
            }
        }

        /// Advice for a replay of the same log; nil where no option helps.
        var option: String? {
            switch self {
            case .closed: "give --keys FILE with the key of the link (docs/keys.md: which files hold keys)"
            case .missingKey:
                "give --keys FILE with the key of the session (docs/keys.md: which files hold keys)"
            case .missingDatabase: "give --gatt FILE with the device's attributes"
            default: nil
            }
        }

        /// Advice for the next recording; nil where no recording helps.
        var advice: String? {
            switch self {
            case .truncated, .fragmentsLost, .recorderDrops:
                "let the recorder keep all packets whole: a phone's snoop log in full, not filtered; a "
                    + "sniffer close to both devices"
            case .startsInMidConnection, .noConnection:
                "start recording before the phone connects, and let it connect by Bluetooth Low Energy"
            case .notHeard: "record at the phone, or with the sniffer closer to both devices"
            case .closed: "record at the phone, where the packets are in clear"
            case .missingDatabase, .pairing, .encrypted:
                "record from before the devices pair and the phone discovers the device's services, such as "
                    + "after it has forgotten the device"
            case .filtered: "record or export all packets, without a filter"
            case .damagedFile: "take the file from the recorder again"
            case .nothingToCompare:
                "let the app read, write or subscribe, and answer, while the log is on"
            default: nil
            }
        }
    }

    public var kind: Kind
    /// The number of the first record concerned; 0 for the whole log.
    public var frame: Int
    /// The number of the connection concerned; 0 for several, or without one.
    public var connection: Int
    /// Number of occurrences.
    public var count = 1

    init(_ kind: Kind, frame: Int = 0, connection: Int = 0, count: Int = 1) {
        self.kind = kind
        self.frame = frame
        self.connection = connection
        self.count = count
    }

    /// One line for the report.
    public var text: String {
        var text = kind.rawValue
        if kind == .otherAdapter {
            return text + ": \(count.counting("connection")) of a central not played (--adapter)"
        }
        if frame > 0 { text += " at frame \(frame)" }
        if connection > 0 { text += ", connection \(connection)" }
        if count > 1 { text += ", \(count) times" }
        return text + (kind.words.map { ": \($0)" } ?? "")
    }

    /// A line that says which part was made up.
    public var assumption: String {
        switch kind {
        case .startsInMidConnection:
            "the beginning of connection \(connection): the log shows it from frame \(frame) on"
        case .missingEnd: "the end of connection \(connection), before frame \(frame)"
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
    func has(_ kind: Obstacle.Kind, on connection: Int) -> Bool {
        contains { $0.kind == kind && $0.connection == connection }
    }

    /// Adds an obstacle; if the connection already has one of this kind, counts it.
    mutating func note(_ kind: Obstacle.Kind, frame: Int = 0, connection: Int = 0) {
        if let known = firstIndex(where: { $0.kind == kind && $0.connection == connection }) {
            self[known].count &+= 1
        } else {
            append(Obstacle(kind, frame: frame, connection: connection))
        }
    }
}
