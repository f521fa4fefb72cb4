import CaptureFile
import PayloadFormat

/// Use of a private protocol above ATT on a connection.
public struct ProtocolUse: Sendable {
    /// The number of answers with a status.
    public struct StatusCount: Sendable {
        /// The status's name; nil if it has none.
        public var name: String?
        public var status: UInt64
        public var count: Int
    }

    /// Progress of an authentication.
    public enum Authentication: Sendable {
        /// The peer has not answered.
        case asked
        /// The peer's answer asks for more.
        case answered
        /// The peer answered with this status.
        case refused(String)
    }

    /// Secured messages whose bodies could not be read.
    public struct Unread: Sendable {
        public var messages = 0
        /// The number of those messages that are responses, which say whether a request succeeded.
        public var responses = 0
        /// The reason why the first of them could not be read, in words.
        public let why: String
        /// Whether only a key is missing.
        public let needsKey: Bool
        /// The id of the key that it needs; nil if the log does not name it.
        public let keyID: [UInt8]?
    }

    /// A message that contradicts a given key.
    public struct Doubt: Sendable {
        /// The frame in which the peer accepted a proof that does not match the key.
        public let frame: FramePlace
        /// The id of that key; nil if the log does not name it.
        public let keyID: [UInt8]?
    }

    /// The kind of protocol; without sessions, all properties of sessions are empty.
    public let kind: PrivateProtocol
    /// The name of the protocol: of its dialect, or of its profile.
    public let name: String
    /// The devices that its profile is about, in words; nil if it does not say.
    public let title: String?
    /// Number of complete messages.
    public internal(set) var messages = 0
    /// Number of values that do not fit the protocol.
    public internal(set) var misfits = 0
    /// Number of times that a session was established.
    public internal(set) var sessions = 0
    /// Number of requests that had no response, or none in time.
    public internal(set) var unanswered = 0
    /// Number of requests above authentication, and number of those answered without a refusal.
    public internal(set) var commands = 0
    public internal(set) var succeeded = 0
    /// The ids of the keys that were named, as they were sent.
    public internal(set) var keyIDs: [[UInt8]] = []
    /// The statuses in responses.
    public internal(set) var statuses: [StatusCount] = []
    /// The times at which authentication first began, and at which a session was first authenticated.
    public internal(set) var authenticationStarted: CaptureTime?
    public internal(set) var authenticated: CaptureTime?
    /// The times at which the first command above authentication began, was sent whole, and was answered.
    public internal(set) var firstCommandAt: CaptureTime?
    public internal(set) var firstCommandSent: CaptureTime?
    public internal(set) var firstCommandAnswered: CaptureTime?
    /// The name of that command.
    public internal(set) var firstCommand: String?
    /// The messages that could not be read; nil if all could be.
    public internal(set) var unread: Unread?
    /// Whether a missing key kept a proof from being checked, or a secured message from being read.
    public internal(set) var lacksKey = false
    /// Progress of the last authentication that did not succeed; nil if none was tried since the last
    /// session.
    public internal(set) var authentication: Authentication?
    /// The first evidence that the given key is not the peer's.
    public internal(set) var doubt: Doubt?

    init(_ kind: PrivateProtocol, _ name: String, title: String? = nil) {
        self.kind = kind
        self.name = name
        self.title = title
    }
}

extension Link {
    /// Whether a protocol above ATT was found on it.
    public var speaksProtocol: Bool { !uses.isEmpty }

    /// Use of the protocol with sessions; nil if none was found.
    public var session: ProtocolUse? { uses.first { $0.kind.hasSessions } }
}
