import WireBytes

/// What the octets of a message give, also where they break rules: for who explains them.
public struct MessageDecoding: Sendable {
    /// The values of the header's fields, as far as the octets go.
    public let header: HeaderValues
    /// The octets of the header.
    public let headerOctets: [UInt8]
    /// What kind it is; nil where the octets do not tell.
    public let kind: MessageKind?
    /// The message; nil where a rule is broken that leaves none.
    public let message: Message?
    /// Every rule that is broken, the gravest first.
    public let errors: [MessageError]
    /// The checksum that stands there and the right one; nil without one.
    public let checksum: (found: UInt64, expected: UInt64)?

    /// Looks at the octets of a whole message from `sender`.
    public init(_ octets: [UInt8], _ dialect: Dialect, from sender: Sender, id: UInt64) {
        let format = dialect.message
        let values = format.header.readPrefix(octets[...])
        let width = format.header.width
        let tail = dialect.checksum?.checksum.octetCount ?? 0
        var errors: [MessageError] = []
        header = values
        headerOctets = Array(octets.prefix(width))
        let kind = Self.kind(values, dialect, from: sender, id: id)
        self.kind = kind
        errors += Self.headerErrors(values, format, kind, octets.count)
        guard octets.count >= width + tail else {
            message = nil
            checksum = nil
            self.errors = errors.contains(.magic) ? errors : [.tooShort(octets.count)] + errors
            return
        }
        let payload = Array(octets[width..<octets.count - tail])
        let counted = format.lengthMeaning == .payload ? payload.count : octets.count
        if let says = values[.length], says != UInt64(counted) {
            errors.append(.length(says: says, has: counted))
        }
        checksum = dialect.checksum.map { $0.compare(octets) }
        if let checksum, checksum.found != checksum.expected {
            errors.append(.checksum(found: checksum.found, expected: checksum.expected))
        }
        if let command = values[.command], !dialect.hasCommand(command) {
            errors.append(.unknownCommand(command))
        }
        message = kind.map {
            Message(
                $0, command: values[.command] ?? 0,
                isSecured: (values[.flags] ?? 0) & format.securedFlag != 0, payload: payload)
        }
        self.errors = errors
    }

    static func headerErrors(
        _ values: HeaderValues, _ format: MessageFormat, _ kind: MessageKind?, _ count: Int
    ) -> [MessageError] {
        var errors: [MessageError] = []
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
        return errors
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
