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
        let values = dialect.message.header.readPrefix(octets[...])
        let width = dialect.message.header.width
        let tail = dialect.checksum?.checksum.octetCount ?? 0
        var errors: [MessageError] = []
        header = values
        self.octets = octets
        headerWidth = width
        let kind = Self.kind(values, dialect, from: sender, id: id)
        self.kind = kind
        Self.check(values, dialect.message, kind, &errors)
        guard octets.count >= width + tail else {
            message = nil
            checksum = nil
            self.errors = errors.contains(.magic) ? errors : [.tooShort(octets.count)] + errors
            return
        }
        let payload = Array(octets[width..<octets.count - tail])
        let counted = dialect.message.lengthMeaning == .payload ? payload.count : octets.count
        if let says = values[.length], says != UInt64(counted) {
            errors.append(.length(says: says, has: counted))
        }
        checksum = dialect.checksum?.compare(octets)
        if let checksum, checksum.found != checksum.expected {
            errors.append(.checksum(found: checksum.found, expected: checksum.expected))
        }
        if let command = values[.command], !dialect.hasCommand(command) {
            errors.append(.unknownCommand(command))
        }
        if let kind {
            let isSecured = (values[.flags] ?? 0) & dialect.message.securedFlag != 0
            message = Message(
                kind, command: values[.command] ?? 0, isSecured: isSecured, payload: payload)
        } else {
            message = nil
        }
        self.errors = errors
    }

    /// The octets of the header, or as many of them as there are.
    public var headerOctets: [UInt8] { Array(octets.prefix(headerWidth)) }

    /// Adds the rules that the header breaks.
    private static func check(
        _ values: HeaderValues, _ format: MessageFormat, _ kind: MessageKind?,
        _ errors: inout [MessageError]
    ) {
        for field in values.wrong {
            switch field.role {
            case .magic: errors.append(.magic)
            case .version: errors.append(.version(values[.version] ?? 0))
            default: errors.append(.reserved)
            }
        }
        if kind == nil, let raw = values[.kind] { errors.append(.kind(raw)) }
        if let flags = values[.flags], flags & ~format.securedFlag != 0, !errors.contains(.reserved) {
            errors.append(.reserved)
        }
    }

    /// What kind a message is: by its field, else by who sends it, the range of its id and its command.
    static func kind(
        _ values: HeaderValues, _ dialect: Dialect, from sender: Sender, id: UInt64
    ) -> MessageKind? {
        let format = dialect.message
        if let raw = values[.kind] {
            switch (sender, raw) {
            case (.phone, format.requestKind): return .request
            case (.car, format.responseKind): return .response
            case (.car, format.eventKind): return .event
            default: return nil
            }
        }
        if format.header.field(.kind) != nil { return nil }
        if sender == .phone { return .request }
        if let fragments = dialect.fragments, fragments.format.header.field(.messageID) != nil {
            return fragments.eventIDs.contains(id) ? .event : .response
        }
        return values[.command].flatMap { dialect.command($0) }?.isEvent == true ? .event : .response
    }
}
