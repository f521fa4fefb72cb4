// What a link was used for, kept as it goes along for a report: counts and a few names, all bounded.

/// What the digital-key protocol did on a link.
public struct UQDKUse: Sendable {
    /// How many key ids, and how many kinds of status, are kept.
    static let limit = 8

    /// How often a status was answered.
    public struct StatusCount: Sendable {
        /// The status's name in the dialect; nil where it has none.
        public var name: String?
        public var status: UInt64
        public var count: Int
    }

    /// The dialect that is spoken.
    public var dialect: String
    /// Whole messages of any kind.
    public var messages = 0
    /// How often a session came to stand.
    public var sessions = 0
    /// Requests that had no response, or none in time.
    public var unanswered = 0
    /// The ids of the keys that were named, as they were sent.
    public var keyIDs: [[UInt8]] = []
    /// What responses said.
    public var statuses: [StatusCount] = []
    /// The name of the first secured request.
    public var firstCommand: String?
    /// The frame that completed it.
    var firstCommandFrame: UInt64 = 0
    /// Whether the last message left a session.
    var isEstablished = false

    init(dialect: String) { self.dialect = dialect }

    mutating func count(status: UInt64, name: String?) {
        if let known = statuses.firstIndex(where: { $0.status == status }) {
            statuses[known].count &+= 1
        } else if statuses.count < Self.limit {
            statuses.append(StatusCount(name: name, status: status, count: 1))
        }
    }

    mutating func note(keyID: [UInt8]) {
        guard keyIDs.count < Self.limit, !keyIDs.contains(keyID) else { return }
        keyIDs.append(keyID)
    }
}

/// What a profile's protocol did on a link.
public struct ProfileUse: Sendable {
    /// How many profiles are kept of a link.
    static let limit = 8

    public var profile: String
    /// Messages that fit.
    public var messages = 0
    /// Values that do not fit.
    public var misfits = 0
}

/// A request that had no response when the log ended, and still had time for one.
public struct OpenRequest: Sendable {
    /// How many are kept of a link.
    static let limit = 8

    /// The frame that asked.
    public var frame: Int
    /// What it asked: the name of the message, or of the ATT PDU.
    public var name: String
    /// Nanoseconds from the asking frame to the log's last record.
    public var waited: Int64
}
