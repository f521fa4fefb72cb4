import PayloadFormat
import WireBytes

/// A dialect that every link of a run shares: what refers to it copies one reference, not a tree of fields.
///
/// What is asked of every value and message is worked out here, once.
final class SharedDialect: Hashable, Sendable {
    let dialect: Dialect

    /// Whether a message is cut into fragments.
    let isFragmented: Bool
    /// Whether messages carry ids at all.
    let hasMessageIDs: Bool
    /// The ids of requests and of events, where fragments carry ids.
    let ids: (requests: ClosedRange<UInt64>, events: ClosedRange<UInt64>)?
    /// The header of a fragment; without a field where messages are not cut.
    private let format: FragmentFormat
    /// Octets of the header of a fragment.
    let fragmentWidth: Int
    /// Octets of the header of a message.
    let headerWidth: Int
    /// Octets of a message without its payload.
    let emptyWidth: Int
    /// How payloads are secured; nil where none are.
    let securing: SecuringFacts?
    /// The fields of the vehicle's challenge that the phone's proof needs, and those that a session needs
    /// beside its digital key.
    let challengeNeeds: (phone: [String], session: [String])
    /// Octets of an info value that fits, where that is the only rule; nil elsewhere.
    let infoWidth: Int?
    /// How long a request may wait for its response, in nanoseconds.
    let patience: Int64
    /// The codes of the commands, in the order of the dialect's.
    private let codes: [UInt64]
    /// Their names.
    private let names: [String]
    /// What is said of each of them that comes in clear where it must not.
    private let unsecured: [String]
    /// What is asked of each of them.
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

    // The dialect is borrowed here: asked of what a link holds, each question would copy all of it.

    /// Reads a fragment's header; nil for other values.
    func fragment(_ value: RawSpan) -> FragmentHeader? {
        isFragmented ? FragmentHeader(value, format) : nil
    }

    /// Looks at the octets of a whole message.
    func read(_ octets: RawSpan, from sender: Sender, id: UInt64) -> MessageReading {
        MessageReading(octets, dialect, from: sender, id: id)
    }

    /// Where the command of a code stands.
    func commandIndex(_ code: UInt64?) -> Int? {
        guard let code else { return nil }
        for index in codes.indices where codes[index] == code { return index }
        return nil
    }

    /// The name of the command of a code.
    func name(ofCommand code: UInt64?) -> String? { commandIndex(code).map { names[$0] } }

    /// That the command at a place must be secured, for a person.
    func mustBeSecured(_ command: Int) -> String { unsecured[command] }

    /// What the command at a place is for.
    func purpose(_ command: Int) -> CommandPurpose { commands[command].purpose }

    /// Whether the command at a place travels secured once a session stands.
    func isSecured(_ command: Int) -> Bool { commands[command].isSecured }

    /// The octets of a body of the command at a place, where that is the only rule; nil where its octets must
    /// be looked at.
    func plainWidth(_ command: Int, ofResponse: Bool) -> Int? {
        ofResponse ? commands[command].response.plainWidth : commands[command].request.plainWidth
    }

    /// Whether a body of the command at a place may have a field.
    func mayHave(_ field: SessionField, _ command: Int, ofResponse: Bool) -> Bool {
        ofResponse ? commands[command].response.mayHave(field) : commands[command].request.mayHave(field)
    }

    /// Where a body of the command at a place that is of its ``plainWidth(_:ofResponse:)`` has a field.
    func place(of field: SessionField, _ command: Int, ofResponse: Bool) -> FieldPlace? {
        ofResponse ? commands[command].response[field] : commands[command].request[field]
    }

    /// The fields of a body of the command at a place.
    func layout(_ command: Int, ofResponse: Bool) -> Layout {
        ofResponse ? dialect.commands[command].response : dialect.commands[command].request
    }

    /// The name of a status.
    func name(ofStatus code: UInt64) -> String? {
        for index in statuses.indices where statuses[index].code == code { return statuses[index].name }
        return nil
    }

    /// What a status stands for, where the protocol's own flow needs it.
    func meaning(ofStatus code: UInt64) -> StatusName? {
        for index in statuses.indices where statuses[index].code == code { return statuses[index].meaning }
        return nil
    }

    /// The status at the start of a response's body; nil where the body is too short.
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

/// What every message asks of its command, apart from its name and fields.
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
    /// The names among those of what is concatenated that are fields of the vehicle's challenge.
    fileprivate func challengeFields(in terms: [FormulaTerm]) -> [String] {
        let challenges = commands.filter { $0.purpose == .authBegin }
        return terms.compactMap { term in
            guard case .variable(let name, _) = term,
                challenges.contains(where: { $0.response.fields.contains { $0.name == name } })
            else { return nil }
            return name
        }
    }
}
