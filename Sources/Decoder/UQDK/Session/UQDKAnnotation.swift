import PayloadFormat
public import WireBytes

/// The meaning of one value of the protocol's characteristics, for one frame.
///
/// Immutable, and shared rather than copied.
public final class UQDKAnnotation: Sendable {
    /// Evidence that the value belongs to the protocol.
    public enum Recognition: String, Hashable, Sendable {
        /// The characteristic's UUID.
        case label
        /// The content: a whole message with the right checksum, on a handle without a known UUID.
        case content
    }

    /// The content of an info value or of advertising data.
    enum Told: Sendable {
        case nothing
        case fields([DecodedField])
        /// An info value, whose fields are looked up on demand.
        case info([UInt8])
    }

    /// Evidence by which the protocol was recognized.
    public let recognition: Recognition
    /// The fragment in the value; nil in a dialect without fragments and for an info value.
    public let fragment: FragmentNote?
    /// State of the session after this frame; nil if the frame doesn't concern it.
    public let session: UQDKSessionState?
    /// The problems of the frame.
    public let problems: [AnnotationProblem]
    /// The facts about the message, stored inline so that a frame costs one allocation.
    let facts: MessageFacts
    private let told: Told

    /// Creates the annotation of a value that isn't part of a known message.
    init(
        _ shared: SharedDialect, _ recognition: Recognition, told: Told = .nothing,
        problems: [AnnotationProblem] = []
    ) {
        self.recognition = recognition
        self.told = told
        fragment = nil
        facts = MessageFacts(shared)
        session = nil
        self.problems = problems
    }

    /// Creates the annotation of a fragment, or of a message in a dialect without fragments.
    @inline(__always)
    init(
        _ facts: consuming MessageFacts, _ recognition: Recognition, fragment: FragmentNote? = nil,
        session: UQDKSessionState, problems: [AnnotationProblem]
    ) {
        self.recognition = recognition
        told = .nothing
        self.fragment = fragment
        self.facts = facts
        self.session = session
        self.problems = problems
    }

    /// The name of the dialect.
    public var dialect: String { facts.shared.dialect.name }

    /// The message that this frame completes, or the part known from its first fragment.
    public var message: MessageNote? { facts.isOfMessage ? MessageNote(self) : nil }

    /// Whether this frame completes a message.
    public var completesMessage: Bool { facts.isWhole }

    /// The fields of an info value or of advertising.
    public var fields: [DecodedField] {
        switch told {
        case .nothing: []
        case .fields(let fields): fields
        case .info(let octets): facts.shared.dialect.gatt.infoLayout.decode(octets).fields
        }
    }

    /// Length of an info value, whose fields begin with it; nil for other values.
    public var fieldsFromEnd: Int? { if case .info(let octets) = told { octets.count } else { nil } }
}

/// One fragment and its fate.
public struct FragmentNote: Hashable, Sendable {
    /// The id of the message.
    public var messageID: UInt64
    /// Its number, from 0.
    public var index: Int
    /// Whether it is the last.
    public var isLast: Bool
    /// Number of fragments, if known.
    public var count: Int?
    /// The fate of the fragment.
    public var state: FragmentFate
}

/// Result of checking a tag or a proof.
public enum Verification: Hashable, Sendable {
    /// The tag or proof is right.
    case verified
    /// The tag or proof is wrong.
    case wrong
    /// The check is impossible for this reason.
    case notCheckable(Reason)

    /// Reason why something can't be checked, as readable text.
    public enum Reason: String, Hashable, Sendable {
        case noSession = "no session"
        case startMissing = "the session's start is not in the log"
        case keyIDMissing = "the key id is not in the log"
        case nonceMissing = "the vehicle's nonce is not in the log"
        case noKey = "no key for this key id"
        case noPairingCode = "no pairing code for this key id"
        case keyUnfit = "the key does not fit the dialect, or a nonce is not in the log"
        case valueMissing = "the dialect's formulas need a value that is not known"
    }

    /// The word for the result in every output.
    public var word: String {
        switch self {
        case .verified: "verified"
        case .wrong: "wrong"
        case .notCheckable: "not checkable"
        }
    }
}

/// State of a link's session.
public enum UQDKSessionState: String, Hashable, Sendable {
    /// The log starts after the link did, so there may be a session.
    case unknown
    /// No session exists.
    case none
    /// The nonces are being exchanged.
    case authenticating
    /// A session exists.
    case established
    /// The session's lifetime has ended.
    case expired
    /// The car asks for a new authentication.
    case ended
}

/// A proof in a message's body.
public struct ProofNote: Hashable, Sendable {
    /// The fields that hold proofs.
    public enum Field: String, Hashable, Sendable {
        case proof
        case vehicleProof
        case phoneProof
    }

    /// The field that holds the proof.
    public var field: Field
    /// Result of checking the proof.
    public var verification: Verification
}

extension UQDKAnnotation {
    /// Visits everything except the problems, under the names that NDJSON uses.
    public func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) {
        visitor.value("dialect", .text(dialect), unit: nil)
        visitor.value("recognized_by", .text(recognition.rawValue), unit: nil)
        if let fragment {
            visitor.openGroup("fragment")
            visitor.value("message_id", .unsigned(fragment.messageID), unit: nil)
            visitor.value("index", .unsigned(UInt64(fragment.index)), unit: nil)
            visitor.value("last", .bool(fragment.isLast), unit: nil)
            if let count = fragment.count {
                visitor.value("count", .unsigned(UInt64(max(0, count))), unit: nil)
            }
            visitor.value("state", .text(fragment.state.rawValue), unit: nil)
            visitor.closeGroup()
        }
        message?.walk(&visitor)
        if !fields.isEmpty { DecodedField("fields", .group(fields)).walk(&visitor) }
        if let session { visitor.value("session", .text(session.rawValue), unit: nil) }
    }

    /// The frame in one line.
    public var summary: String {
        var out = TextBuffer(capacity: 256)
        put(summary: &out)
        return String(decoding: out.copied(from: 0), as: UTF8.self)
    }

    /// Appends the frame in one line, with names from the dialect file escaped.
    public func put(summary out: inout TextBuffer) {
        var isFirst = true
        if let message {
            message.put(summary: &out)
            isFirst = false
        } else if !fields.isEmpty {
            out.put("vehicle information")
            isFirst = false
        }
        guard let fragment, fragment.state != .complete || message == nil else { return }
        if !isFirst { out.put(", ") }
        out.put("fragment ")
        out.decimal(fragment.index + 1)
        if let count = fragment.count {
            out.put(" of ")
            out.decimal(count)
        }
        out.put(", id ")
        out.decimal(fragment.messageID)
        switch fragment.state {
        case .open: out.put(", more follow")
        case .repeated: out.put(", repeated, ignored")
        case .dropped: out.put(", dropped, its message has failed")
        case .failed: out.put(", message failed")
        case .complete: break
        }
    }
}

extension MessageNote {
    func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) {
        visitor.openGroup("message")
        if let messageID { visitor.value("message_id", .unsigned(messageID), unit: nil) }
        if let kind { visitor.value("kind", .text(kind.word), unit: nil) }
        if let command { visitor.value("command", .hex(command, digits: 4), unit: nil) }
        if let name { visitor.value("name", .text(name), unit: nil) }
        visitor.value("whole", .bool(isWhole), unit: nil)
        visitor.value("secured", .bool(isSecured), unit: nil)
        if !frames.isEmpty { visitor.frames("frames", frames) }
        if isWhole { visitor.value("length", .unsigned(UInt64(octetCount)), unit: nil) }
        switch checksum {
        case .absent: break
        case .right: visitor.value("checksum", .text("right"), unit: nil)
        case .wrong: visitor.value("checksum", .text("wrong"), unit: nil)
        }
        if let status { visitor.value("status", .named(status, statusName), unit: nil) }
        if let counter { visitor.value("counter", .unsigned(counter), unit: nil) }
        if let tag { visitor.value("tag", .text(tag.word), unit: nil) }
        if let proof { visitor.value("proof", .text(proof.verification.word), unit: nil) }
        if let reason { visitor.value("not_checkable", .text(reason), unit: nil) }
        if let opaque { visitor.value("opaque", .octets(opaque), unit: nil) }
        let body = self.body
        if !body.isEmpty { DecodedField("fields", .group(body)).walk(&visitor) }
        if let requestFrame { visitor.frame("request_frame", FramePlace(bits: requestFrame)) }
        if let latency { visitor.value("latency_us", .signed(latency / 1000), unit: nil) }
        visitor.closeGroup()
    }

    /// Reason why a tag or a proof can't be checked.
    private var reason: String? {
        if case .notCheckable(let reason)? = tag { return reason.rawValue }
        if case .notCheckable(let reason)? = proof?.verification { return reason.rawValue }
        return nil
    }

    func put(summary out: inout TextBuffer) {
        if let name {
            out.escaped(name)
        } else if let command {
            out.put("command ")
            out.hexNumber(command, digits: command > 0xFFFF ? 16 : 4)
        } else {
            out.put("message")
        }
        if let kind {
            out.put(0x20)
            out.put(kind.word)
        }
        if let status {
            out.put(", ")
            if let statusName {
                out.escaped(statusName)
            } else {
                out.put("status ")
                out.decimal(status)
            }
        }
        if isWhole, let messageID {
            out.put(", id ")
            out.decimal(messageID)
        }
        if frames.count > 1 {
            out.put(", ")
            out.decimal(frames.count)
            out.put(" fragments")
        }
        if case .wrong = checksum { out.put(", checksum wrong") }
        if let tag {
            out.put(", tag ")
            tag.put(into: &out)
        }
        if let proof {
            out.put(", proof ")
            proof.verification.put(into: &out)
        }
    }
}

extension Verification {
    fileprivate func put(into out: inout TextBuffer) {
        out.put(word)
        guard case .notCheckable(let reason) = self else { return }
        out.put(" (")
        out.put(reason.rawValue)
        out.put(0x29)
    }
}

extension MessageKind {
    /// The word for the kind in every output.
    public var word: String {
        switch self {
        case .request: "request"
        case .response: "response"
        case .event: "event"
        }
    }
}
