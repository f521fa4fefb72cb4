import PayloadFormat

/// The positions and facts in a message's bytes, even if they break rules; nothing is copied.
struct MessageReading {
    /// Its kind; nil if the bytes don't show it.
    let kind: MessageKind?
    /// The code of its command; 0 if the header has none.
    let command: UInt64
    /// Index of that command in the dialect; nil if the code is unknown.
    let commandIndex: Int?
    let isSecured: Bool
    /// Range of the payload; nil if there are fewer bytes than header and checksum take.
    let payload: Range<Int>?
    /// Every broken rule, the most serious first.
    let errors: [MessageError]
    /// The checksum found and the expected one; nil without a checksum.
    let checksum: (found: UInt64, expected: UInt64)?

    // Inlined, here and below, because passing the dialect on would copy it.

    /// Reads the bytes of a whole message from `sender`.
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

    /// Returns the kind of a message, from its field; without one, from the sender, the range of its id and
    /// its command.
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
