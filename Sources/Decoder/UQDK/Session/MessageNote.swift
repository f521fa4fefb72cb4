public import WireBytes

/// A message: whole, or as far as its first fragment tells.
///
/// Small, since there is one for every frame: names and fields are looked up when somebody asks for them.
public struct MessageNote: Hashable, Sendable {
    /// Whether the checksum is that of the octets.
    public enum ChecksumState: Hashable, Sendable {
        /// The dialect has none, or the message is not whole.
        case absent
        case right
        case wrong(found: UInt64, expected: UInt64)
    }

    /// Its id; nil in dialects without one.
    public var messageID: UInt64?
    /// Request, response or event; nil where the octets do not tell.
    public var kind: MessageKind?
    /// The code of its command; nil where the octets do not reach it.
    public var command: UInt64?
    /// Whether it is whole.
    public var isWhole = false
    /// Whether its payload is secured.
    public var isSecured = false
    /// The frames of its fragments.
    public var frames = FrameNumbers()
    /// Its octets.
    public var octetCount = 0
    /// Whether its checksum is right.
    public var checksum = ChecksumState.absent
    /// A response's status.
    public var status: UInt64?
    /// A secured payload's counter.
    public var counter: UInt64?
    /// Whether a secured payload's tag is right; nil for payloads in clear.
    public var tag: Verification?
    /// The proof in its body; nil where it has none.
    public var proof: ProofNote?
    /// The frame that completed the request of a response.
    public var requestFrame: UInt64?
    /// From the request to the response, in nanoseconds.
    public var latency: Int64?
    /// Where its body lies, and how much of it can be read.
    var content = MessageContent()
    private let shared: SharedDialect

    init(_ shared: SharedDialect) { self.shared = shared }

    /// The name of its command; nil where the dialect has none.
    public var name: String? { shared.name(ofCommand: command) }

    /// The name of its status; nil where it has no status, or the dialect no name for it.
    public var statusName: String? { status.flatMap { shared.name(ofStatus: $0) } }

    /// The octets of a body that can't be read: enciphered without a key, or of an unknown command.
    public var opaque: [UInt8]? { content.isOpaque ? Array(content.octets[content.place]) : nil }

    /// The octets of the body in clear, where ``UQDKKnowledge/keepsBodies`` asks for them.
    public var bodyOctets: [UInt8]? {
        content.clearStart.map { Array(content.octets[$0..<content.place.upperBound]) }
    }

    /// The fields of the body, up to the first that does not fit.
    public var body: [DecodedField] {
        guard content.hasFields, let index = shared.commandIndex(command) else { return [] }
        return shared.layout(index, ofResponse: kind == .response).decode(content.octets[content.place])
            .fields
    }

    /// The id of the digital key that the body names; nil where it names none.
    public var keyID: [UInt8]? {
        guard content.hasFields, let index = shared.commandIndex(command) else { return nil }
        let facts = shared.facts(index, ofResponse: kind == .response)
        guard facts.mayHaveKeyID else { return nil }
        if let place = facts.keyID, facts.plainWidth == content.place.count {
            return Array(content.octets[content.place].dropFirst(place.lowerBound).prefix(place.count))
        }
        return body.octets(FormulaVariable.keyID)
    }
}

/// Where a message's body lies, and how much of it can be read.
struct MessageContent: Hashable, Sendable {
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
