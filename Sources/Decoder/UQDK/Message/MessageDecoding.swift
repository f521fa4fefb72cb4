import PayloadFormat
import WireBytes

/// What the octets of a message give, also where they break rules: for who explains them.
public struct MessageDecoding: Sendable {
    /// The values of the header's fields, as far as the octets go.
    public let header: HeaderValues
    private let octets: [UInt8]
    private let headerWidth: Int
    /// What kind it is; nil where the octets do not tell.
    public let kind: MessageKind?
    /// The message; nil where a rule is broken that leaves none.
    public let message: Message?
    /// Every rule that is broken, the gravest first.
    public let errors: [MessageError]
    /// The checksum that stands there and the right one; nil without one.
    public let checksum: (found: UInt64, expected: UInt64)?

    /// Looks at the octets of a whole message from `sender`.
    public init(_ octets: [UInt8], _ dialect: borrowing Dialect, from sender: Sender, id: UInt64) {
        header = dialect.message.header.readPrefix(octets[...])
        let reading = MessageReading(octets.borrowedOctets, dialect, from: sender, id: id)
        self.octets = octets
        headerWidth = dialect.message.header.width
        kind = reading.kind
        errors = reading.errors
        checksum = reading.checksum
        if let kind = reading.kind, let payload = reading.payload {
            message = Message(
                kind, command: reading.command, isSecured: reading.isSecured,
                payload: Array(octets[payload]))
        } else {
            message = nil
        }
    }

    /// The octets of the header, or as many of them as there are.
    public var headerOctets: [UInt8] { Array(octets.prefix(headerWidth)) }
}
