import PayloadFormat

/// A message: whole, or the part known from its first fragment.
///
/// A view of the annotation of its frame. Names and fields are looked up on demand, since most messages are
/// only counted.
public struct MessageNote: Sendable {
    /// The result of comparing the checksum with the bytes.
    public enum ChecksumState: Hashable, Sendable {
        /// The dialect has no checksum, or the message is incomplete.
        case absent
        case right
        case wrong(found: UInt64, expected: UInt64)
    }

    let annotation: UQDKAnnotation

    init(_ annotation: UQDKAnnotation) { self.annotation = annotation }

    /// Its id; nil in dialects without one.
    public var messageID: UInt64? { annotation.facts.messageID }
    /// Request, response or event; nil if the bytes don't show it.
    public var kind: MessageKind? { annotation.facts.kind }
    /// The code of its command; nil if the bytes end before it.
    public var command: UInt64? { annotation.facts.command }
    /// Whether it is whole.
    public var isWhole: Bool { annotation.facts.isWhole }
    /// Whether its payload is secured.
    public var isSecured: Bool { annotation.facts.isSecured }
    /// The frames of its fragments.
    public var frames: FrameNumbers { annotation.facts.frames }
    /// Its length in bytes.
    public var octetCount: Int { annotation.facts.octetCount }
    /// Whether its checksum is right.
    public var checksum: ChecksumState { annotation.facts.checksum }
    /// A response's status.
    public var status: UInt64? { annotation.facts.status }
    /// A secured payload's counter.
    public var counter: UInt64? { annotation.facts.counter }
    /// Whether a secured payload's tag is right; nil for payloads in clear.
    public var tag: Verification? { annotation.facts.tag }
    /// The proof in its body; nil if it has none.
    public var proof: ProofNote? { annotation.facts.proof }
    /// The frame that completed the request of a response.
    public var requestFrame: UInt64? { annotation.facts.requestFrame }
    /// Time from the request to the response, in nanoseconds.
    public var latency: Int64? { annotation.facts.latency }

    /// The name of its command; nil if the dialect doesn't name it.
    public var name: String? { annotation.facts.name }

    /// The purpose of its command; nil if the dialect has no command with this code.
    public var purpose: CommandPurpose? {
        annotation.facts.shared.commandIndex(command).map { annotation.facts.shared.purpose(command: $0) }
    }

    /// Reason why its secured body can't be read; nil if it can, or if its tag is wrong.
    public var unread: Verification.Reason? {
        guard annotation.facts.isWhole, annotation.facts.content.isOpaque,
            case .notCheckable(let reason)? = annotation.facts.tag
        else {
            return nil
        }
        return reason
    }

    /// The name of its status; nil without a status, or if the dialect doesn't name it.
    public var statusName: String? { annotation.facts.statusName }

    /// The bytes of an unreadable body: encrypted without a key, or of an unknown command.
    public var opaque: [UInt8]? {
        annotation.facts.content.isOpaque
            ? Array(annotation.facts.content.octets[annotation.facts.content.place]) : nil
    }

    /// The bytes of the body in clear, if ``UQDKKnowledge/keepsBodies`` is set.
    public var bodyOctets: [UInt8]? {
        annotation.facts.content.clearStart.map {
            Array(annotation.facts.content.octets[$0..<annotation.facts.content.place.upperBound])
        }
    }

    /// The fields of the body, up to the first that does not fit.
    public var body: [DecodedField] {
        guard annotation.facts.content.hasFields, let index = annotation.facts.shared.commandIndex(command)
        else { return [] }
        let layout = annotation.facts.shared.layout(command: index, ofResponse: kind == .response)
        return layout.decode(annotation.facts.content.octets[annotation.facts.content.place]).fields
    }

    /// Number of bytes from the body to the end of the frame's value; nil if the body came in several frames,
    /// or not in clear.
    public var bodyFromEnd: Int? {
        guard isWhole, !isSecured, frames.count == 1 else { return nil }
        return octetCount - annotation.facts.content.place.lowerBound
    }

    /// The id of the digital key that the body names; nil if absent.
    public var keyID: [UInt8]? {
        guard annotation.facts.content.hasFields, let index = annotation.facts.shared.commandIndex(command)
        else { return nil }
        let isResponse = kind == .response
        guard annotation.facts.shared.mayHave(.keyID, command: index, ofResponse: isResponse) else {
            return nil
        }
        if annotation.facts.shared.plainWidth(command: index, ofResponse: isResponse)
            == annotation.facts.content.place.count,
            let place = annotation.facts.shared.place(of: .keyID, command: index, ofResponse: isResponse),
            place.isOctets
        {
            let octets = annotation.facts.content.octets[annotation.facts.content.place]
            return Array(octets.dropFirst(place.octets.lowerBound).prefix(place.octets.count))
        }
        return self.body.octets(FormulaVariable.keyID)
    }
}

/// The facts that a message's first fragment reveals.
struct MessageBeginning: Sendable {
    var messageID: UInt64
    var kind: MessageKind?
    var command: UInt64?
    var isSecured = false
}

/// The facts about a message, collected step by step.
///
/// Not copyable because it is large; the annotation takes it over.
struct MessageFacts: ~Copyable, Sendable {
    /// Whether these facts belong to a message at all.
    var isOfMessage = false
    var messageID: UInt64?
    var kind: MessageKind?
    var command: UInt64?
    var isWhole = false
    var isSecured = false
    var frames = FrameNumbers()
    var octetCount = 0
    var checksum = MessageNote.ChecksumState.absent
    var status: UInt64?
    var counter: UInt64?
    var tag: Verification?
    var proof: ProofNote?
    var requestFrame: UInt64?
    var latency: Int64?
    /// Position of the body, and whether it can be read.
    var content = MessageContent()
    let shared: SharedDialect

    init(_ shared: SharedDialect) { self.shared = shared }

    /// Adopts the facts from a first fragment.
    mutating func begin(_ beginning: MessageBeginning) {
        isOfMessage = true
        messageID = beginning.messageID
        kind = beginning.kind
        command = beginning.command
        isSecured = beginning.isSecured
    }

    var name: String? { shared.name(ofCommand: command) }

    /// The name of its status; nil without a status, or if the dialect doesn't name it.
    var statusName: String? { status.flatMap { shared.name(ofStatus: $0) } }
}

/// Position of a message's body, and whether it can be read.
struct MessageContent: Sendable {
    var octets: [UInt8] = []
    /// Range of the body in `octets`, after a response's status.
    var place = 0..<0
    /// Start of the body in clear, including the status; kept for callers that act on messages.
    var clearStart: Int?
    /// Whether some or all fields of the body can be read.
    var hasFields = false
    /// Whether the body is shown as raw bytes.
    var isOpaque = false
}
