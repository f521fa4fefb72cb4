import CaptureFile
import PayloadFormat
import UQDK

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

    /// How far an authentication came.
    public enum Authentication: Sendable {
        /// The phone waits for the car's answer.
        case asked
        /// The car's answer asks for more.
        case answered
        /// The car answered with this status.
        case refused(String)
    }

    /// Secured messages whose bodies could not be read.
    public struct Unread: Sendable {
        public var messages = 0
        /// How many of them are responses: whether the car did what it was asked is in them.
        public var responses = 0
        var reason: Verification.Reason
        /// Why the first of them could not, in words.
        public var why: String { reason.rawValue }
        /// Whether that is for want of a key alone.
        public var needsKey: Bool { reason == .noKey }
        /// The id of the key that it needs; nil where the log does not name it.
        public var keyID: [UInt8]?
    }

    /// The dialect that is spoken.
    public var dialect: String
    /// Whole messages of any kind.
    public var messages = 0
    /// How often a session came to stand.
    public var sessions = 0
    /// Requests that had no response, or none in time.
    public var unanswered = 0
    /// Requests above authentication, and how many of them were answered without a refusal.
    public var commands = 0
    public var succeeded = 0
    /// The ids of the keys that were named, as they were sent.
    public var keyIDs: [[UInt8]] = []
    /// What responses said.
    public var statuses: [StatusCount] = []
    /// The name of the first secured request.
    public var firstCommand: String?
    /// What could not be read; nil where all could.
    public internal(set) var unread: Unread?
    /// Whether a proof could not be checked, or a secured message not be read, for want of a key.
    public internal(set) var lacksKey = false
    /// How far the last authentication came that did not succeed; nil where none was tried since.
    public internal(set) var authentication: Authentication?
    /// The frame with which the car took a proof that is not that of the key that was given; 0 where it took
    /// none. That key is another than the car's.
    public internal(set) var doubtfulFrame = FramePlace()
    /// The id of that key; nil where the log does not name it.
    public internal(set) var doubtfulKeyID: [UInt8]?
    /// The frame that completed it.
    var firstCommandFrame: UInt64 = 0
    /// Whether the last message left a session.
    var isEstablished = false
    /// The id of the key that was named last.
    private var keyID: [UInt8]?
    /// The request whose proof is not that of the key.
    private var wrongProof: UInt64?
    /// A command in clear that was refused for want of an authentication, and none was tried since.
    var refusedInClear: ClearRefusal?

    init(dialect: String) { self.dialect = dialect }

    /// Counts a whole message: whether it answers the first secured request.
    mutating func follow(
        _ message: MessageNote, _ annotation: UQDKAnnotation, _ place: MessagePlace, isFirstCommand: Bool
    ) -> Bool {
        if isFirstCommand {
            firstCommand = message.name
            firstCommandFrame = place.frame.bits
        }
        messages &+= 1
        if let status = message.status { count(status, of: message) }
        if let id = message.keyID { note(keyID: id) }
        if message.unread == .noKey || message.proof?.verification == .notCheckable(.noKey) {
            lacksKey = true
        }
        // That no session stands is a problem of its own.
        if let reason = message.unread, reason != .noSession {
            countUnread(message.kind == .response, reason)
        }
        let isRefused = annotation.problems.contains { $0.code == "uqdk.status" }
        let isRefusal = annotation.problems.contains(where: \.isRefusal)
        let isStanding = annotation.session == .established
        if isStanding, !isEstablished {
            sessions &+= 1
            authentication = nil
        }
        if annotation.session == .authenticating || isRefused { followAuthentication(message, isRefused) }
        if message.purpose == .ordinary { count(message, isRefused: isRefusal) }
        isEstablished = isStanding
        followProof(message, isRefused, place.frame)
        followClear(message, annotation, place)
        return message.requestFrame == firstCommandFrame
    }

    private mutating func count(_ message: MessageNote, isRefused: Bool) {
        if message.kind == .request { commands &+= 1 }
        if message.kind == .response, message.requestFrame != nil, message.status != nil, !isRefused {
            succeeded &+= 1
        }
    }

    private mutating func countUnread(_ isResponse: Bool, _ reason: Verification.Reason) {
        var all = unread ?? Unread(reason: reason, keyID: keyID)
        all.messages &+= 1
        if isResponse { all.responses &+= 1 }
        unread = all
    }

    private mutating func followAuthentication(_ message: MessageNote, _ isRefused: Bool) {
        guard let purpose = message.purpose, purpose == .authBegin || purpose == .authFinish else { return }
        if message.kind == .request {
            authentication = .asked
        } else if isRefused {
            authentication = .refused(message.statusName ?? "an unknown status")
        } else {
            authentication = .answered
        }
    }

    private mutating func followProof(_ message: MessageNote, _ isRefused: Bool, _ frame: FramePlace) {
        if message.kind == .request {
            if message.proof?.verification == .wrong { wrongProof = message.frames.last }
        } else if let wrongProof, message.requestFrame == wrongProof {
            self.wrongProof = nil
            guard !isRefused, message.status != nil, doubtfulFrame.frame == 0 else { return }
            doubtfulFrame = frame
            doubtfulKeyID = keyID
        }
    }

    private mutating func followClear(
        _ message: MessageNote, _ annotation: UQDKAnnotation, _ place: MessagePlace
    ) {
        if refusedInClear != nil {
            // Whatever becomes of an authentication is told of itself.
            let isTried = annotation.session == .authenticating || annotation.session == .established
            if isTried, message.kind == .request { refusedInClear = nil }
            return
        }
        // A response whose request is not in the log may answer a secured one.
        guard message.requestFrame != nil,
            annotation.problems.contains(where: { $0.code == "uqdk.status.authentication-required" })
        else { return }
        refusedInClear = ClearRefusal(
            name: message.name ?? "a command", frame: place.frame, order: place.order,
            time: place.time.nanoseconds)
    }

    private mutating func count(_ status: UInt64, of message: MessageNote) {
        // By their numbers, since a whole entry would be copied to be asked.
        for index in statuses.indices where statuses[index].status == status {
            statuses[index].count &+= 1
            return
        }
        guard statuses.count < Self.limit else { return }
        statuses.append(StatusCount(name: message.statusName, status: status, count: 1))
    }

    private mutating func note(keyID id: [UInt8]) {
        if keyID == id { return }
        keyID = id
        guard keyIDs.count < Self.limit, !keyIDs.contains(id) else { return }
        keyIDs.append(id)
    }
}

/// Where a message became whole.
struct MessagePlace: Sendable {
    /// When that was.
    let time: CaptureTime
    /// The frame that completed it.
    let frame: FramePlace
    /// The number of that record among all of the capture.
    let order: Int
}

/// A command in clear that a car refused for want of an authentication.
struct ClearRefusal: Sendable {
    /// How long after it an authentication may be awaited, in nanoseconds.
    static let patience: Int64 = 5_000_000_000

    /// The name of the command.
    var name: String
    /// The frame of the refusal.
    var frame: FramePlace
    /// The number of that record among all of the capture.
    var order: Int
    /// When that was, in nanoseconds.
    var time: Int64
}
