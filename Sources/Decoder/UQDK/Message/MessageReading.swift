import PayloadFormat
import WireBytes

/// What the octets of a message give, also where they break rules: places in them, and a copy of none.
struct MessageReading {
    /// What kind it is; nil where the octets do not tell.
    let kind: MessageKind?
    /// The code of its command; 0 where the header has none.
    let command: UInt64
    /// Where the dialect has that command; nil where it has none of this code.
    let commandIndex: Int?
    /// Whether its payload is secured.
    let isSecured: Bool
    /// Where the payload lies; nil where there are fewer octets than header and checksum take.
    let payload: Range<Int>?
    /// Every rule that is broken, the gravest first.
    let errors: [MessageError]
    /// The checksum that stands there and the right one; nil without one.
    let checksum: (found: UInt64, expected: UInt64)?

    // Inlined, here and below: who passes a dialect on copies it.

    /// Looks at the octets of a whole message from `sender`.
    @inline(__always)
    init(_ octets: RawSpan, _ dialect: borrowing Dialect, from sender: Sender, id: UInt64) {
        let width = dialect.message.header.width
        let tail = dialect.checksum?.checksum.octetCount ?? 0
        let kind = Self.kind(octets, dialect, from: sender, id: id)
        let flags = dialect.message.header.value(of: .flags, in: octets) ?? 0
        var errors: [MessageError] = []
        Self.check(octets, dialect.message, kind, flags, &errors)
        self.kind = kind
        let command = dialect.message.header.value(of: .command, in: octets)
        self.command = command ?? 0
        commandIndex = Self.index(of: command, in: dialect.commands)
        isSecured = flags & dialect.message.securedFlag != 0
        guard octets.byteCount >= width + tail else {
            payload = nil
            checksum = nil
            self.errors = errors.contains(.magic) ? errors : [.tooShort(octets.byteCount)] + errors
            return
        }
        let payload = width..<(octets.byteCount - tail)
        let counted = dialect.message.lengthMeaning == .payload ? payload.count : octets.byteCount
        if let says = dialect.message.header.value(of: .length, in: octets), says != UInt64(counted) {
            errors.append(.length(says: says, has: counted))
        }
        checksum = dialect.checksum?.compare(octets)
        if let checksum, checksum.found != checksum.expected {
            errors.append(.checksum(found: checksum.found, expected: checksum.expected))
        }
        if let command, commandIndex == nil { errors.append(.unknownCommand(command)) }
        self.payload = payload
        self.errors = errors
    }

    /// Adds the rules that the header breaks.
    @inline(__always)
    private static func check(
        _ octets: RawSpan, _ format: borrowing MessageFormat, _ kind: MessageKind?, _ flags: UInt64,
        _ errors: inout [MessageError]
    ) {
        if format.header.hasWrongFields(in: octets) {
            for field in format.header.wrongFields(in: octets) {
                switch field.role {
                case .magic: errors.append(.magic)
                case .version: errors.append(.version(format.header.value(of: .version, in: octets) ?? 0))
                default: errors.append(.reserved)
                }
            }
        }
        if kind == nil, let raw = format.header.value(of: .kind, in: octets) { errors.append(.kind(raw)) }
        if flags & ~format.securedFlag != 0, !errors.contains(.reserved) { errors.append(.reserved) }
    }

    /// What kind a message is: by its field, else by who sends it, the range of its id and its command.
    @inline(__always)
    static func kind(
        _ octets: RawSpan, _ dialect: borrowing Dialect, from sender: Sender, id: UInt64
    ) -> MessageKind? {
        if let raw = dialect.message.header.value(of: .kind, in: octets) {
            switch (sender, raw) {
            case (.phone, dialect.message.requestKind): return .request
            case (.car, dialect.message.responseKind): return .response
            case (.car, dialect.message.eventKind): return .event
            default: return nil
            }
        }
        if dialect.message.header.field(.kind) != nil { return nil }
        if sender == .phone { return .request }
        if let fragments = dialect.fragments, fragments.format.header.field(.messageID) != nil {
            return fragments.eventIDs.contains(id) ? .event : .response
        }
        let command = dialect.message.header.value(of: .command, in: octets)
        guard let index = index(of: command, in: dialect.commands) else { return .response }
        return dialect.commands[index].isEvent ? .event : .response
    }

    /// Where the command of a code stands.
    private static func index(of code: UInt64?, in commands: [DialectCommand]) -> Int? {
        guard let code else { return nil }
        for index in commands.indices where commands[index].code == code { return index }
        return nil
    }
}

extension MessageFormat {
    /// Whether a message that starts with `octets` has a secured payload.
    @inline(__always)
    func isSecured(_ octets: RawSpan) -> Bool {
        (header.value(of: .flags, in: octets) ?? 0) & securedFlag != 0
    }
}
