import PayloadFormat
import WireBytes

/// A message: whole, or as far as its first fragment tells.
///
/// It shows what the annotation of its frame has. Names and fields are looked up when somebody asks for them:
/// most messages are only counted.
public struct MessageNote: Sendable {
    /// Whether the checksum is that of the octets.
    public enum ChecksumState: Hashable, Sendable {
        /// The dialect has none, or the message is not whole.
        case absent
        case right
        case wrong(found: UInt64, expected: UInt64)
    }

    let annotation: UQDKAnnotation

    init(_ annotation: UQDKAnnotation) { self.annotation = annotation }

    /// Its id; nil in dialects without one.
    public var messageID: UInt64? { annotation.facts.messageID }
    /// Request, response or event; nil where the octets do not tell.
    public var kind: MessageKind? { annotation.facts.kind }
    /// The code of its command; nil where the octets do not reach it.
    public var command: UInt64? { annotation.facts.command }
    /// Whether it is whole.
    public var isWhole: Bool { annotation.facts.isWhole }
    /// Whether its payload is secured.
    public var isSecured: Bool { annotation.facts.isSecured }
    /// The frames of its fragments.
    public var frames: FrameNumbers { annotation.facts.frames }
    /// Its octets.
    public var octetCount: Int { annotation.facts.octetCount }
    /// Whether its checksum is right.
    public var checksum: ChecksumState { annotation.facts.checksum }
    /// A response's status.
    public var status: UInt64? { annotation.facts.status }
    /// A secured payload's counter.
    public var counter: UInt64? { annotation.facts.counter }
    /// Whether a secured payload's tag is right; nil for payloads in clear.
    public var tag: Verification? { annotation.facts.tag }
    /// The proof in its body; nil where it has none.
    public var proof: ProofNote? { annotation.facts.proof }
    /// The frame that completed the request of a response.
    public var requestFrame: UInt64? { annotation.facts.requestFrame }
    /// From the request to the response, in nanoseconds.
    public var latency: Int64? { annotation.facts.latency }

    /// The name of its command; nil where the dialect has none.
    public var name: String? { annotation.facts.name }

    /// What its command is for; nil where the dialect has none of its code.
    public var purpose: CommandPurpose? {
        annotation.facts.shared.commandIndex(command).map { annotation.facts.shared.purpose($0) }
    }

    /// Why its secured body can't be read; nil where it can, and of one whose tag is wrong.
    public var unread: Verification.Reason? {
        guard annotation.facts.isWhole, annotation.facts.content.isOpaque,
            case .notCheckable(let reason)? = annotation.facts.tag
        else {
            return nil
        }
        return reason
    }

    /// The name of its status; nil where it has no status, or the dialect no name for it.
    public var statusName: String? { annotation.facts.statusName }

    /// The octets of a body that can't be read: enciphered without a key, or of an unknown command.
    public var opaque: [UInt8]? {
        annotation.facts.content.isOpaque
            ? Array(annotation.facts.content.octets[annotation.facts.content.place]) : nil
    }

    /// The octets of the body in clear, where ``UQDKKnowledge/keepsBodies`` asks for them.
    public var bodyOctets: [UInt8]? {
        annotation.facts.content.clearStart.map {
            Array(annotation.facts.content.octets[$0..<annotation.facts.content.place.upperBound])
        }
    }

    /// The fields of the body, up to the first that does not fit.
    public var body: [DecodedField] {
        guard annotation.facts.content.hasFields, let index = annotation.facts.shared.commandIndex(command)
        else { return [] }
        let layout = annotation.facts.shared.layout(index, ofResponse: kind == .response)
        return layout.decode(annotation.facts.content.octets[annotation.facts.content.place]).fields
    }

    /// The id of the digital key that the body names; nil where it names none.
    public var keyID: [UInt8]? {
        guard annotation.facts.content.hasFields, let index = annotation.facts.shared.commandIndex(command)
        else { return nil }
        let isResponse = kind == .response
        guard annotation.facts.shared.mayHave(.keyID, index, ofResponse: isResponse) else { return nil }
        if annotation.facts.shared.plainWidth(index, ofResponse: isResponse)
            == annotation.facts.content.place.count,
            let place = annotation.facts.shared.place(of: .keyID, index, ofResponse: isResponse),
            place.isOctets
        {
            let octets = annotation.facts.content.octets[annotation.facts.content.place]
            return Array(octets.dropFirst(place.octets.lowerBound).prefix(place.octets.count))
        }
        return self.body.octets(FormulaVariable.keyID)
    }
}

/// What a message's first fragment tells.
struct MessageBeginning: Sendable {
    var messageID: UInt64
    var kind: MessageKind?
    var command: UInt64?
    var isSecured = false
}

/// What is known of a message, while it is found out.
///
/// Not copied, since it is large: the annotation takes it over.
struct MessageFacts: ~Copyable, Sendable {
    /// Whether there is a message at all that this is about.
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
    /// Where its body lies, and how much of it can be read.
    var content = MessageContent()
    let shared: SharedDialect

    init(_ shared: SharedDialect) { self.shared = shared }

    /// Takes over what a first fragment tells.
    mutating func begin(_ beginning: MessageBeginning) {
        isOfMessage = true
        messageID = beginning.messageID
        kind = beginning.kind
        command = beginning.command
        isSecured = beginning.isSecured
    }

    /// The name of its command; nil where the dialect has none.
    var name: String? { shared.name(ofCommand: command) }

    /// The name of its status; nil where it has no status, or the dialect no name for it.
    var statusName: String? { status.flatMap { shared.name(ofStatus: $0) } }
}

/// Where a message's body lies, and how much of it can be read.
struct MessageContent: Sendable {
    /// The octets of the message, or those of its body deciphered.
    var octets: [UInt8] = []
    /// Where among them the body lies, after a response's status.
    var place = 0..<0
    /// Where the body in clear starts, status and all, where it is kept for who acts on it.
    var clearStart: Int?
    /// Whether the fields of the body can be read, all or some.
    var hasFields = false
    /// Whether the octets are shown as they are.
    var isOpaque = false
}
