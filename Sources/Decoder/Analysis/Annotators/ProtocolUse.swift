import CaptureFile
import PayloadFormat

/// What a private protocol above ATT did on a connection.
public struct ProtocolUse: Sendable {
    /// How often a status was answered.
    public struct StatusCount: Sendable {
        /// The status's name; nil where it has none.
        public var name: String?
        public var status: UInt64
        public var count: Int
    }

    /// How far an authentication came.
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
        /// How many of them are responses: whether what was asked was done is in them.
        public var responses = 0
        /// Why the first of them could not, in words.
        public let why: String
        /// Whether that is for want of a key alone.
        public let needsKey: Bool
        /// The id of the key that it needs; nil where the log does not name it.
        public let keyID: [UInt8]?
    }

    /// A message that contradicts a key that was given.
    public struct Doubt: Sendable {
        /// The frame in which the peer took a proof that is not that of the key.
        public let frame: FramePlace
        /// The id of that key; nil where the log does not name it.
        public let keyID: [UInt8]?
    }

    /// The kind of protocol; of one without sessions all that sessions have is empty.
    public let kind: PrivateProtocol
    /// The name of the protocol: of the dialect, or the profile.
    public let name: String
    /// Whole messages.
    public internal(set) var messages = 0
    /// Values that do not fit.
    public internal(set) var misfits = 0
    /// How often a session came to stand.
    public internal(set) var sessions = 0
    /// Requests that had no response, or none in time.
    public internal(set) var unanswered = 0
    /// Requests above authentication, and how many of them were answered without a refusal.
    public internal(set) var commands = 0
    public internal(set) var succeeded = 0
    /// The ids of the keys that were named, as they were sent.
    public internal(set) var keyIDs: [[UInt8]] = []
    /// What responses said.
    public internal(set) var statuses: [StatusCount] = []
    /// The authentication began, and a session was authenticated, for the first time.
    public internal(set) var authenticationStarted: CaptureTime?
    public internal(set) var authenticated: CaptureTime?
    /// The first command above authentication was sent, and it was answered.
    public internal(set) var firstCommandAt: CaptureTime?
    public internal(set) var firstCommandAnswered: CaptureTime?
    /// Its name.
    public internal(set) var firstCommand: String?
    /// What could not be read; nil where all could.
    public internal(set) var unread: Unread?
    /// Whether a proof could not be checked, or a secured message not be read, for want of a key.
    public internal(set) var lacksKey = false
    /// How far the last authentication came that did not succeed; nil where none was tried since.
    public internal(set) var authentication: Authentication?
    /// The first reason to think that the key that was given is another than the peer's.
    public internal(set) var doubt: Doubt?

    init(_ kind: PrivateProtocol, _ name: String) {
        self.kind = kind
        self.name = name
    }
}

extension Link {
    /// Whether a protocol above ATT was met on it.
    public var speaksProtocol: Bool { !uses.isEmpty }

    /// What the protocol with sessions did on it; nil where none was met.
    public var session: ProtocolUse? { uses.first { $0.kind.hasSessions } }
}
