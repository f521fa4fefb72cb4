import PayloadFormat
import WireBytes

/// A dialect shared by every link of a run: copying it copies one reference, not a tree of fields.
///
/// Facts needed for every value and message are computed here once.
final class SharedDialect: Hashable, Sendable {
    let dialect: Dialect

    /// Whether messages are cut into fragments.
    let isFragmented: Bool
    /// Whether messages carry ids.
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
    /// Facts about each command.
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

    /// Reads the bytes of a whole message.
    func read(_ octets: RawSpan, from sender: Sender, id: UInt64) -> MessageReading {
        MessageReading(octets, dialect, from: sender, id: id)
    }

    /// Returns the index of the command with a code.
    func commandIndex(_ code: UInt64?) -> Int? {
        guard let code else { return nil }
        for index in codes.indices where codes[index] == code { return index }
        return nil
    }

    func name(ofCommand code: UInt64?) -> String? { commandIndex(code).map { names[$0] } }

    /// Returns the text that the command at an index must be secured.
    func mustBeSecured(_ command: Int) -> String { unsecured[command] }

    func purpose(_ command: Int) -> CommandPurpose { commands[command].purpose }

    /// Whether the command at an index is sent secured during a session.
    func isSecured(_ command: Int) -> Bool { commands[command].isSecured }

    /// Returns the length in bytes of a valid body if the length is the only rule; nil if its bytes must be
    /// checked.
    func plainWidth(_ command: Int, ofResponse: Bool) -> Int? {
        ofResponse ? commands[command].response.plainWidth : commands[command].request.plainWidth
    }

    /// Whether a body of the command at an index may have a field.
    func mayHave(_ field: SessionField, _ command: Int, ofResponse: Bool) -> Bool {
        ofResponse ? commands[command].response.mayHave(field) : commands[command].request.mayHave(field)
    }

    /// Returns the position of a field in a body of ``plainWidth(_:ofResponse:)``.
    func place(of field: SessionField, _ command: Int, ofResponse: Bool) -> FieldPlace? {
        ofResponse ? commands[command].response[field] : commands[command].request[field]
    }

    func layout(_ command: Int, ofResponse: Bool) -> Layout {
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
        return terms.compactMap { term in
            guard case .variable(let name, _) = term,
                challenges.contains(where: { $0.response.fields.contains { $0.name == name } })
            else { return nil }
            return name
        }
    }
}
