import PayloadFormat
import WireBytes

/// The kind of a message.
public enum MessageKind: Hashable, Sendable {
    case request
    case response
    case event
}

/// The sender: the phone writes, the car notifies.
public enum Sender: Hashable, Sendable {
    case phone
    case car
}

/// A whole message, reassembled from fragments or still to be cut into them.
public struct Message: Hashable, Sendable {
    /// Request, response or event.
    public var kind: MessageKind
    /// The code of its command.
    public var command: UInt64
    /// Whether its payload is secured.
    public var isSecured: Bool
    /// The payload: a plain or a secured body.
    public var payload: [UInt8]

    /// Creates a message.
    public init(_ kind: MessageKind, command: UInt64, isSecured: Bool = false, payload: [UInt8]) {
        self.kind = kind
        self.command = command
        self.isSecured = isSecured
        self.payload = payload
    }

    /// Returns the bytes of the message.
    ///
    /// `id` matters only in dialects whose message header carries it.
    public func encoded(_ dialect: Dialect, id: UInt64 = 0) -> [UInt8] {
        var octets = header(dialect, id: id) + payload
        if let placement = dialect.checksum {
            octets += placement.octets(of: octets)
        }
        return octets
    }

    /// Returns the bytes of the header alone, which secured payloads authenticate.
    public func header(_ dialect: Dialect, id: UInt64 = 0) -> [UInt8] {
        let format = dialect.message
        var values = HeaderValues()
        values[.messageID] = id
        values[.command] = command
        values[.flags] = isSecured ? format.securedFlag : 0
        let around =
            format.lengthMeaning == .payload
            ? 0 : format.header.width + (dialect.checksum?.checksum.octetCount ?? 0)
        values[.length] = UInt64(payload.count + around)
        switch kind {
        case .request: values[.kind] = format.requestKind
        case .response: values[.kind] = format.responseKind
        case .event: values[.kind] = format.eventKind
        }
        return format.header.write(values)
    }
}

/// The rule that a message breaks.
public enum MessageError: Error, Hashable, Sendable {
    /// Fewer bytes than header and checksum take.
    case tooShort(Int)
    /// Not the constant that starts every message.
    case magic
    /// Not this dialect's version.
    case version(UInt64)
    /// An unknown kind, or one that this side does not send.
    case kind(UInt64)
    /// A bit that must be 0 is set, or a fixed field holds another value.
    case reserved
    /// The length field differs from the number of bytes.
    case length(says: UInt64, has: Int)
    /// The checksum doesn't match the bytes.
    case checksum(found: UInt64, expected: UInt64)
    /// The dialect has no such command.
    case unknownCommand(UInt64)

    /// The kind of the problem in every output.
    var problem: AnnotationProblem.Kind {
        switch self {
        case .tooShort: .messageShort
        case .magic: .messageMagic
        case .version: .messageVersion
        case .kind: .messageType
        case .reserved: .messageReserved
        case .length: .messageLength
        case .checksum: .messageChecksum
        case .unknownCommand: .messageCommand
        }
    }

    /// The problem as readable text.
    public var text: String {
        var out = TextBuffer(capacity: 128)
        put(into: &out)
        return out.text
    }

    private func put(into out: inout TextBuffer) {
        switch self {
        case .tooShort(let count): out.put("the message has only \(count) bytes")
        case .magic: out.put("the message does not start with the bytes of this dialect")
        case .version(let version): out.put("version \(version) is not this dialect's")
        case .kind(let kind): out.put("kind \(kind) does not come from this side")
        case .reserved: out.put("a reserved bit is set")
        case .length(let says, let has): out.put("the length field says \(says), the message has \(has)")
        case .checksum(let found, let expected):
            out.put("bad checksum: ")
            Self.put(hex: found, into: &out)
            out.put(", expected ")
            Self.put(hex: expected, into: &out)
        case .unknownCommand(let code):
            out.put("command ")
            Self.put(hex: code, into: &out)
            out.put(" is not known")
        }
    }

    private static func put(hex number: UInt64, into out: inout TextBuffer) {
        out.hexNumber(number, digits: max(4, (67 - number.leadingZeroBitCount) / 4))
    }
}

extension ChecksumPlacement {
    private func value(of octets: RawSpan) -> UInt32 { checksum.value(of: octets.dropping(skipsFirst)) }

    /// Returns the checksum at the end of a message and the expected one.
    ///
    /// In both, the first byte on the wire is the most significant, as messages show it.
    func compare(_ octets: RawSpan) -> (found: UInt64, expected: UInt64) {
        let start = octets.byteCount - checksum.octetCount
        var found: UInt64 = 0
        for index in 0..<checksum.octetCount {
            found = found &<< 8 | UInt64(octets.octet(at: start &+ index) ?? 0)
        }
        let right = value(of: octets.clamped(0..<max(0, start)))
        var expected = UInt64(right)
        if order == .little {
            expected = 0
            for index in 0..<checksum.octetCount {
                expected = expected << 8 | UInt64(right >> UInt32(8 * index)) & 0xFF
            }
        }
        return (found, expected)
    }

    /// Returns the checksum bytes for a message that starts with `octets`.
    func octets(of octets: [UInt8]) -> [UInt8] {
        let value = value(of: octets.borrowedOctets)
        let little = value.littleOctets(checksum.octetCount)
        return order == .little ? little : little.reversed()
    }
}

extension MessageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooShort(let length): "a message of \(length) bytes, too short for its header"
        case .magic: "not the beginning of a message"
        case .version(let version): "a message of version \(version)"
        case .kind(let kind): "a message of kind \(kind), which this side does not send"
        case .reserved: "a message with another value in a fixed field"
        case .length(let says, let has): "a message of \(has) bytes that says \(says)"
        case .checksum(let found, let expected): "checksum \(found) instead of \(expected)"
        case .unknownCommand(let code): "command 0x\(String(code, radix: 16)), unknown to the dialect"
        }
    }
}

/// The decoded bytes of a message, even if they break rules, for explaining them.
public struct MessageDecoding: Sendable {
    /// The values of the header's fields, as far as the bytes go.
    public let header: HeaderValues
    private let octets: [UInt8]
    private let headerWidth: Int
    /// The message; nil if a broken rule prevents decoding.
    public let message: Message?
    /// Every broken rule, the most serious first.
    public let errors: [MessageError]

    /// Decodes the bytes of a whole message from `sender`.
    public init(_ octets: [UInt8], _ dialect: borrowing Dialect, from sender: Sender, id: UInt64) {
        header = dialect.message.header.readPrefix(octets[...])
        let reading = MessageReading(octets.borrowedOctets, dialect, from: sender, id: id)
        self.octets = octets
        headerWidth = dialect.message.header.width
        errors = reading.errors
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

/// Reason why a message can't be sent.
public enum UQDKEncodeError: Error, Hashable, Sendable {
    /// The message has more bytes than the dialect or the fragment index allows.
    case messageTooLong(Int)
    /// An ATT value of this many bytes has no room for a fragment.
    case noRoom(Int)
    /// The dialect has no such command.
    case unknownCommand(String)
    /// The body lacks a field, or a value does not fit its field.
    case body(LayoutError)
    /// The dialect's formula needs an unknown value.
    case missingVariable(String)
    /// The counter of this direction is used up, so the session has ended.
    case counterUsedUp
    /// The dialect secures nothing.
    case notSecured
    /// The cryptographic library refused.
    case cryptography
}

extension UQDKEncodeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .messageTooLong(let length): "a message of \(length) bytes is too long"
        case .noRoom(let length): "a value of \(length) bytes has no room for a fragment"
        case .unknownCommand(let name): "no command \(name)"
        case .body(let problem): "in the body, \(problem)"
        case .missingVariable(let name): "\(name) is not known"
        case .counterUsedUp: "the counter is used up"
        case .notSecured: "it secures nothing"
        case .cryptography: "the cryptographic library refused"
        }
    }
}

extension Dialect {
    /// Returns the values that carry a message, each of at most `valueOctets` bytes.
    ///
    /// Throws if the message is longer or takes more fragments than the dialect allows, or if a value has no
    /// room beyond the header.
    public func values(
        of message: [UInt8], id: UInt64, valueOctets: Int
    ) throws(UQDKEncodeError) -> [[UInt8]] {
        guard message.count <= limits.messageOctets else { throw .messageTooLong(message.count) }
        let room = min(valueOctets, limits.valueOctets)
        guard let fragments else {
            guard message.count <= room else { throw .messageTooLong(message.count) }
            return [message]
        }
        guard let values = fragments.format.cut(message, id: id, valueOctets: room) else {
            // If a fragment has room, the number of fragments exceeds the header's index.
            throw room > fragments.format.header.width ? .messageTooLong(message.count) : .noRoom(room)
        }
        guard values.count <= limits.fragments else { throw .messageTooLong(message.count) }
        return values
    }

    /// The limits of reassembly.
    public var reassemblyLimits: ReassemblyLimits {
        var bounds = ReassemblyLimits()
        bounds.octets = limits.messageOctets
        bounds.fragments = limits.fragments
        bounds.timeout = limits.reassembly &* 1_000_000
        return bounds
    }
}
