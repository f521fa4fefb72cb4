import PayloadFormat
import WireBytes

/// The decoded bytes of a message, even if they break rules, for explaining them.
public struct MessageDecoding: Sendable {
    /// The values of the header's fields, as far as the bytes go.
    public let header: HeaderValues
    private let octets: [UInt8]
    private let headerWidth: Int
    /// Its kind; nil if the bytes don't show it.
    public let kind: MessageKind?
    /// The message; nil if a broken rule prevents decoding.
    public let message: Message?
    /// Every broken rule, the most serious first.
    public let errors: [MessageError]
    /// The checksum found and the expected one; nil without a checksum.
    public let checksum: (found: UInt64, expected: UInt64)?

    /// Decodes the bytes of a whole message from `sender`.
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

    /// The bytes of the header, or as many as exist.
    public var headerOctets: [UInt8] { Array(octets.prefix(headerWidth)) }
}
