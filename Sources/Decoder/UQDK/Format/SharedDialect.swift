import PayloadFormat
import WireBytes

/// A dialect shared by every link of a run: copying it copies one reference, not a tree of fields.
///
/// Facts needed for every value and message are computed here once.
final class SharedDialect: Hashable, Sendable {
    let dialect: Dialect

    let isFragmented: Bool
    let hasMessageIDs: Bool
    /// Ids of requests and of events, if fragments carry ids.
    let ids: (requests: ClosedRange<UInt64>, events: ClosedRange<UInt64>)?
    /// The header of a fragment; without fields if messages are not cut.
    private let format: FragmentFormat
    /// Length of a fragment's header in bytes.
    let fragmentWidth: Int
    /// Length of a message's header in bytes.
    let headerWidth: Int
    /// Length of a message without payload, in bytes.
    let emptyWidth: Int
    /// Protection of payloads; nil if the dialect has none.
    let securing: SecuringFacts?
    /// Fields of the vehicle's challenge that the phone's proof needs, and those that a session needs beside
    /// its digital key.
    let challengeNeeds: (phone: [String], session: [String])
    /// Length in bytes of a valid info value if the length is the only rule; otherwise nil.
    let infoWidth: Int?
    /// Time that a request may wait for its response, in nanoseconds.
    let patience: Int64
    /// The codes of the commands, in the dialect's order.
    private let codes: [UInt64]
    private let names: [String]
    /// Problem text of each command for a message that must be secured and isn't.
    private let unsecured: [String]
    private let commands: [CommandFacts]
    private let statuses: [(code: UInt64, name: String, meaning: StatusName?)]

    init(_ dialect: Dialect) {
        self.dialect = dialect
        isFragmented = dialect.fragments != nil
        let hasFragmentIDs = dialect.fragments?.format.header.field(.messageID) != nil
        hasMessageIDs = hasFragmentIDs || dialect.message.header.field(.messageID) != nil
        ids = hasFragmentIDs ? dialect.fragments.map { ($0.requestIDs, $0.eventIDs) } : nil
        format = dialect.fragments?.format ?? FragmentFormat(header: HeaderFormat([], order: .big))
        fragmentWidth = format.header.width
        headerWidth = dialect.message.header.width
        emptyWidth = headerWidth + (dialect.checksum?.checksum.octetCount ?? 0)
        securing = dialect.securing.flatMap { SecuringFacts($0) }
        challengeNeeds = (
            dialect.challengeFields(in: dialect.proofs.phone.terms),
            dialect.challengeFields(
                in: dialect.proofs.sessionKey.terms + (dialect.securing?.nonce ?? []))
        )
        infoWidth = dialect.gatt.infoLayout.plainWidth
        patience = dialect.limits.command &* 1_000_000
        codes = dialect.commands.map(\.code)
        names = dialect.commands.map(\.name)
        unsecured = names.map { $0 + " must be secured" }
        commands = dialect.commands.map(CommandFacts.init)
        statuses = dialect.status.names.sorted { $0.key < $1.key }.map {
            ($0.key, $0.value, StatusName(rawValue: $0.value))
        }
    }

    static func == (left: SharedDialect, right: SharedDialect) -> Bool {
        left === right || left.dialect == right.dialect
    }

    func hash(into hasher: inout Hasher) { hasher.combine(dialect) }

    // The functions below borrow the dialect; called on a link's copy, each would copy all of it.

    /// Reads a fragment's header; nil for other values.
    func fragment(_ value: RawSpan) -> FragmentHeader? {
        isFragmented ? FragmentHeader(value, format) : nil
    }

    func read(_ octets: RawSpan, from sender: Sender, id: UInt64) -> MessageReading {
        MessageReading(octets, dialect, from: sender, id: id)
    }

    func commandIndex(_ code: UInt64?) -> Int? {
        guard let code else { return nil }
        for index in codes.indices where codes[index] == code { return index }
        return nil
    }

    func name(ofCommand code: UInt64?) -> String? { commandIndex(code).map { names[$0] } }

    func mustBeSecured(command: Int) -> String { unsecured[command] }

    func purpose(command: Int) -> CommandPurpose { commands[command].purpose }

    /// Whether the command at an index is sent secured during a session.
    func isSecured(command: Int) -> Bool { commands[command].isSecured }

    /// Returns the length in bytes of a valid body if the length is the only rule; nil if its bytes must be
    /// checked.
    func plainWidth(command: Int, ofResponse: Bool) -> Int? {
        ofResponse ? commands[command].response.plainWidth : commands[command].request.plainWidth
    }

    func mayHave(_ field: SessionField, command: Int, ofResponse: Bool) -> Bool {
        ofResponse ? commands[command].response.mayHave(field) : commands[command].request.mayHave(field)
    }

    /// Returns the position of a field in a body of ``plainWidth(command:ofResponse:)``.
    func place(of field: SessionField, command: Int, ofResponse: Bool) -> FieldPlace? {
        ofResponse ? commands[command].response[field] : commands[command].request[field]
    }

    func layout(command: Int, ofResponse: Bool) -> Layout {
        ofResponse ? dialect.commands[command].response : dialect.commands[command].request
    }

    func name(ofStatus code: UInt64) -> String? {
        for index in statuses.indices where statuses[index].code == code { return statuses[index].name }
        return nil
    }

    /// Returns the meaning of a status, if the protocol's own flow needs it.
    func meaning(ofStatus code: UInt64) -> StatusName? {
        for index in statuses.indices where statuses[index].code == code { return statuses[index].meaning }
        return nil
    }

    /// Returns the status at the start of a response's body; nil if the body is too short.
    func status(_ body: RawSpan) -> UInt64? {
        let width = dialect.status.width
        guard body.byteCount >= width else { return nil }
        var code: UInt64 = 0
        for place in 0..<width {
            let octet = body.octet(at: dialect.status.order == .big ? place : width &- 1 &- place)
            code = code &<< 8 | UInt64(octet ?? 0)
        }
        return code
    }
}

/// Facts about a command that every message needs, apart from its name and fields.
private struct CommandFacts: Sendable {
    let purpose: CommandPurpose
    let isSecured: Bool
    let request: BodyFacts
    let response: BodyFacts

    init(_ command: DialectCommand) {
        purpose = command.purpose
        isSecured = command.isSecured
        request = BodyFacts(command.request)
        response = BodyFacts(command.response)
    }
}

extension Dialect {
    /// Returns the names in `terms` that are fields of the vehicle's challenge.
    fileprivate func challengeFields(in terms: [FormulaTerm]) -> [String] {
        let challenges = commands.filter { $0.purpose == .authBegin }
        return terms.flatMap(\.names).filter { name in
            challenges.contains { $0.response.fields.contains { $0.name == name } }
        }
    }
}

// Queries that need only the dialect. They are kept apart from the link so that callers don't copy the link.

extension SharedDialect {
    /// Returns the facts that the first fragment reveals about an incomplete message.
    func read(
        first slice: RawSpan, of id: UInt64, _ sender: Sender
    ) -> (beginning: MessageBeginning, fragments: Int?, isDoubtful: Bool) {
        var beginning = MessageBeginning(messageID: id)
        let isWrong = dialect.message.header.hasWrongFields(in: slice)
        if isWrong,
            dialect.message.header.wrongFields(in: slice).contains(where: { $0.role == .magic })
        {
            return (beginning, nil, true)
        }
        beginning.kind = MessageReading.kind(slice, dialect, from: sender, id: id)
        let isDoubtful = isWrong || beginning.kind == nil
        beginning.command = dialect.message.header.value(of: .command, in: slice)
        beginning.isSecured = dialect.message.isSecured(slice)
        guard let says = dialect.message.header.value(of: .length, in: slice), !slice.isEmpty,
            says <= UInt64(dialect.limits.messageOctets)
        else { return (beginning, nil, isDoubtful) }
        var total = Int(says)
        if dialect.message.lengthMeaning == .payload { total += emptyWidth }
        return (beginning, max(1, (total + slice.byteCount - 1) / slice.byteCount), isDoubtful)
    }

    /// Reports an id outside the range of its message kind.
    func checkID(_ message: UQDKLink.Whole, _ problems: inout [AnnotationProblem]) {
        guard let ids else { return }
        let (id, kind) = (message.id, message.kind)
        let range = kind == .event ? ids.events : ids.requests
        guard !range.contains(id) else { return }
        problems.append(
            AnnotationProblem(
                .fragmentID,
                "id \(id) is not in the range of a\(kind == .event ? "n event" : " \(kind.word)"), "
                    + "\(range.lowerBound) to \(range.upperBound)"))
    }

    /// Reads the status of a body in clear, and checks that the rest has the expected fields.
    func explain(
        _ message: UQDKLink.Whole, _ note: inout MessageFacts, answersClear: Bool,
        _ problems: inout [AnnotationProblem]
    ) {
        let isResponse = message.kind == .response
        if isResponse {
            let body = note.content.place
            note.content.place =
                min(body.lowerBound + dialect.status.width, body.upperBound)..<body.upperBound
            guard let status = self.status(note.content.octets.borrowedOctets.clamped(body)) else {
                problems.append(AnnotationProblem(.body, "a response without a status"))
                return
            }
            note.status = status
            let meaning = self.meaning(ofStatus: status)
            if meaning != .success {
                // A car may answer a message in clear by asking for authentication: that is not a refusal.
                let isAsking = answersClear && meaning == .authenticationRequired
                return refused(status, isAsking: isAsking, &note, &problems)
            }
        }
        guard let command = message.commandIndex else {
            note.content.isOpaque = !note.content.place.isEmpty
            return
        }
        note.content.hasFields = true
        if plainWidth(command: command, ofResponse: isResponse) == note.content.place.count { return }
        let decoded = layout(command: command, ofResponse: isResponse)
            .decode(note.content.octets[note.content.place])
        if let misfit = decoded.misfit {
            problems.append(AnnotationProblem(.body, "\(misfit)"))
            note.content.isOpaque = true
        }
    }

    /// Reports the meaning of a failure status; nothing should follow it.
    private func refused(
        _ status: UInt64, isAsking: Bool, _ note: inout MessageFacts, _ problems: inout [AnnotationProblem]
    ) {
        let name = note.statusName ?? "an unknown status, \(status)"
        var text = TextBuffer(capacity: 128)
        text.put(note.name ?? "the request")
        text.put(" is answered with ")
        text.put(name)
        problems.append(
            AnnotationProblem(
                isAsking ? .authenticationRequired : .status(meaning(ofStatus: status)),
                "\(text.text)"))
        guard !note.content.place.isEmpty else { return }
        problems.append(
            AnnotationProblem(.body, "\(note.content.place.count) bytes after a status of failure"))
        note.content.isOpaque = true
    }
}

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
