import CaptureFile
import PayloadFormat
import UQDK

/// Use of the digital-key protocol on a connection, updated with each value: counts and a few names, all
/// bounded.
struct KeyProtocolUse: Sendable {
    /// Most key ids, kinds of status and begun messages that are kept.
    private static let limit = 8

    /// The use as it is reported; nil before the first complete message.
    var shown: ProtocolUse?
    /// A command in the clear that was refused for lack of authentication, if none was tried since.
    private(set) var refusedInClear: ClearRefusal?
    /// The frame that completed the first secured request.
    private var firstCommandFrame: UInt64 = 0
    /// Whether a session was established after the last message.
    private var isEstablished = false
    private(set) var keyID: [UInt8]?
    /// The request whose proof does not match the key.
    private var wrongProof: UInt64?
    /// The first fragments of messages that are not complete.
    private var begun: [(frame: UInt64, time: CaptureTime)] = []

    mutating func follow(_ annotation: UQDKAnnotation, _ context: ValueContext) {
        let begin = begin(of: annotation, context)
        if annotation.completesMessage, let message = annotation.message {
            if shown == nil { shown = ProtocolUse(.uqdk, annotation.dialect) }
            follow(message, annotation, context, begin)
        }
        if annotation.session == .authenticating, shown?.authenticationStarted == nil {
            shown?.authenticationStarted = begin
        }
        if annotation.session == .established, shown?.authenticated == nil {
            shown?.authenticated = context.time
        }
    }

    /// Returns the time of the first fragment of the message that a fragment completes, or of the fragment.
    private mutating func begin(of annotation: UQDKAnnotation, _ context: ValueContext) -> CaptureTime {
        if let fragment = annotation.fragment, fragment.state == .open, fragment.index == 0 {
            if begun.count >= Self.limit { begun.removeFirst() }
            begun.append((context.frame.bits, context.time))
        }
        guard annotation.completesMessage, let first = annotation.message?.frames.first,
            let place = begun.firstIndex(where: { $0.frame == first })
        else { return context.time }
        return begun.remove(at: place).time
    }

    private mutating func follow(
        _ message: MessageNote, _ annotation: UQDKAnnotation, _ context: ValueContext, _ begin: CaptureTime
    ) {
        if firstCommandFrame == 0, message.isSecured, message.kind == .request {
            firstCommandFrame = context.frame.bits
            shown?.firstCommandAt = begin
            shown?.firstCommandSent = context.time
            shown?.firstCommand = message.name
        }
        shown?.messages &+= 1
        if let status = message.status { count(status, of: message) }
        if let id = message.keyID { note(keyID: id) }
        if message.unread == .noKey || message.proof?.verification == .notCheckable(.noKey) {
            shown?.lacksKey = true
        }
        // A missing session is a problem of its own.
        if let reason = message.unread, reason != .noSession {
            countUnread(message.kind == .response, reason)
        }
        let isRefused = annotation.problems.contains { $0.kind == .status }
        let isRefusal = annotation.problems.contains { $0.kind.traits.contains(.refusal) }
        let isStanding = annotation.session == .established
        if isStanding, !isEstablished {
            shown?.sessions &+= 1
            shown?.authentication = nil
        }
        if annotation.session == .authenticating || isRefused { followAuthentication(message, isRefused) }
        if message.purpose == .ordinary { count(message, isRefused: isRefusal) }
        isEstablished = isStanding
        followProof(message, isRefused, context.frame)
        followClear(message, annotation, context)
        if message.requestFrame == firstCommandFrame, shown?.firstCommandAnswered == nil,
            !annotation.problems.contains(where: { $0.kind == .unsecuredResponse })
        {
            shown?.firstCommandAnswered = context.time
        }
    }

    private mutating func count(_ message: MessageNote, isRefused: Bool) {
        if message.kind == .request { shown?.commands &+= 1 }
        if message.kind == .response, message.requestFrame != nil, message.status != nil, !isRefused {
            shown?.succeeded &+= 1
        }
    }

    private mutating func countUnread(_ isResponse: Bool, _ reason: Verification.Reason) {
        var all =
            shown?.unread
            ?? ProtocolUse.Unread(why: reason.rawValue, needsKey: reason == .noKey, keyID: keyID)
        all.messages &+= 1
        if isResponse { all.responses &+= 1 }
        shown?.unread = all
    }

    private mutating func followAuthentication(_ message: MessageNote, _ isRefused: Bool) {
        guard let purpose = message.purpose, purpose == .authBegin || purpose == .authFinish else { return }
        if message.kind == .request {
            shown?.authentication = .asked
        } else if isRefused {
            shown?.authentication = .refused(message.statusName ?? "an unknown status")
        } else {
            shown?.authentication = .answered
        }
    }

    private mutating func followProof(_ message: MessageNote, _ isRefused: Bool, _ frame: FramePlace) {
        if message.kind == .request {
            if message.proof?.verification == .wrong { wrongProof = message.frames.last }
        } else if let wrongProof, message.requestFrame == wrongProof {
            self.wrongProof = nil
            guard !isRefused, message.status != nil, shown?.doubt == nil else { return }
            shown?.doubt = ProtocolUse.Doubt(frame: frame, keyID: keyID)
        }
    }

    private mutating func followClear(
        _ message: MessageNote, _ annotation: UQDKAnnotation, _ context: ValueContext
    ) {
        if refusedInClear != nil {
            // The outcome of an authentication is reported separately.
            let isTried = annotation.session == .authenticating || annotation.session == .established
            if isTried, message.kind == .request { refusedInClear = nil }
            return
        }
        // A response whose request is not in the log may answer a secured one.
        guard message.requestFrame != nil,
            annotation.problems.contains(where: { $0.kind == .authenticationRequired })
        else { return }
        refusedInClear = ClearRefusal(
            name: message.name ?? "a command", frame: context.frame, order: context.order,
            time: context.time.nanoseconds)
    }

    private mutating func count(_ status: UInt64, of message: MessageNote) {
        if let place = shown?.statuses.firstIndex(where: { $0.status == status }) {
            shown?.statuses[place].count &+= 1
        } else if (shown?.statuses.count ?? 0) < Self.limit {
            shown?.statuses.append(
                ProtocolUse.StatusCount(name: message.statusName, status: status, count: 1))
        }
    }

    private mutating func note(keyID id: [UInt8]) {
        if keyID == id { return }
        keyID = id
        guard let known = shown?.keyIDs, known.count < Self.limit, !known.contains(id) else { return }
        shown?.keyIDs.append(id)
    }
}

/// A command in the clear that a car refused for lack of authentication.
struct ClearRefusal: Sendable {
    /// Longest time in which an authentication may follow it, in nanoseconds.
    static let patience: Int64 = 5_000_000_000

    var name: String
    var frame: FramePlace
    /// The number of its record in the whole capture.
    var order: Int
    /// The time of the refusal, in nanoseconds.
    var time: Int64
}
