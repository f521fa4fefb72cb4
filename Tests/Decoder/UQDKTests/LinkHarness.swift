import PayloadFormat
import Testing
import WireBytes

@testable import UQDK

/// Feeds a tracker the values of a made link and keeps what it says.
struct LinkHarness {
    static let keys: KeyStore = {
        var keys = KeyStore()
        keys.uqdk = [
            KeyStore.DigitalKey(
                keyID: ReferenceVectors.keyID, key: ReferenceVectors.key,
                pairingCode: Array(ReferenceVectors.pairingCode.utf8))
        ]
        return keys
    }()

    let dialects: [Dialect]
    var tracker: UQDKTracker
    var frame: UInt64 = 0
    var time: Int64 = 1_000_000_000
    var isLabelled = true

    init(
        _ dialects: [Dialect] = [.reference1], keys: KeyStore = LinkHarness.keys, startSeen: Bool = true
    ) {
        self.dialects = dialects
        tracker = UQDKTracker(UQDKKnowledge(dialects: dialects, keys: keys), startSeen: startSeen)
    }

    mutating func send(_ value: [UInt8], _ sender: Sender, originalLength: Int? = nil) -> UQDKAnnotation? {
        frame += 1
        time += 10_000_000
        let attribute =
            isLabelled
            ? UQDKAttribute(role: sender == .phone ? .command : .event, dialects: Array(dialects.indices))
            : nil
        let source = UQDKSource(
            handle: sender == .phone ? 0x20 : 0x22, sender: sender, time: time, frame: frame,
            originalLength: originalLength ?? value.count)
        var tracker = self.tracker
        let annotation = value.withReader { reader in
            tracker.handle(reader.takeRest(), attribute, from: source)
        }
        self.tracker = tracker
        return annotation
    }

    /// Sends a value that must mean something.
    mutating func note(
        _ value: [UInt8], _ sender: Sender, originalLength: Int? = nil
    ) throws -> UQDKAnnotation {
        let annotation = send(value, sender, originalLength: originalLength)
        return try #require(annotation)
    }

    /// Sends every fragment of an exchange; the last one's annotation.
    mutating func send(_ exchange: ReferenceVectors.Exchange) throws -> UQDKAnnotation {
        var last: UQDKAnnotation?
        for value in exchange.values { last = send(try Hex.octets(value), exchange.sender) }
        return try #require(last)
    }

    /// Sends a message cut into fragments; the last one's annotation.
    mutating func send(_ message: Message, id: UInt64, _ sender: Sender) throws -> UQDKAnnotation {
        let dialect = dialects[0]
        var last: UQDKAnnotation?
        for value in try dialect.values(of: message.encoded(dialect, id: id), id: id, valueOctets: 20) {
            last = send(value, sender)
        }
        return try #require(last)
    }

    /// Activation and authentication, without a word about them.
    mutating func authenticate() throws {
        for exchange in ReferenceVectors.all.prefix(6) {
            let annotation = try send(exchange)
            #expect(annotation.problems.isEmpty, "\(exchange.name): \(annotation.problems)")
        }
    }

    /// A secured message of the reference session.
    static func secured(
        _ command: UInt64, _ kind: MessageKind, _ body: [UInt8], id: UInt64, counter: UInt64
    ) throws -> Message {
        try ReferenceVectors.cipher().seal(kind, command: command, body: body, id: id, counter: counter)
    }
}

extension UQDKAnnotation {
    var codes: [String] { problems.map(\.code) }
}

/// Writes down what a walk shows, one line a value.
struct WalkedLines: AnnotationVisitor {
    var lines: [String] = []
    private var path: [String] = []

    private func name(_ name: String) -> String { (path + [name]).joined(separator: ".") }

    mutating func value(_ name: String, _ value: AnnotationValue, unit: String?) {
        lines.append("\(self.name(name))=\(Self.text(value))\(unit.map { " \($0)" } ?? "")")
    }
    mutating func openGroup(_ name: String) { path.append(name) }
    mutating func closeGroup() { path.removeLast() }
    mutating func openList(_ name: String) { path.append(name) }
    mutating func openElement() { path.append("[]") }
    mutating func closeElement() { path.removeLast() }
    mutating func closeList() { path.removeLast() }

    static func text(_ value: AnnotationValue) -> String {
        switch value {
        case .unsigned(let number): "\(number)"
        case .signed(let number): "\(number)"
        case .decimal(let number): number.description
        case .hex(let number, _): "0x" + String(number, radix: 16)
        case .octets(let octets): Hex.text(octets)
        case .text(let text): text
        case .bool(let yes): "\(yes)"
        case .named(let number, let name): name ?? "\(number)"
        case .flags(_, let names): names.joined(separator: "+")
        case .numbers(let numbers): numbers.map(String.init).joined(separator: ",")
        case .group, .list: "?"
        }
    }

    static func of(_ annotation: UQDKAnnotation) -> [String] {
        var lines = WalkedLines()
        annotation.walk(&lines)
        return lines.lines
    }
}

extension Message {
    /// Decodes a whole message; throws the first rule that it breaks.
    init(
        decoding octets: [UInt8], _ dialect: Dialect, from sender: Sender, id: UInt64 = 0
    ) throws(MessageError) {
        let decoding = MessageDecoding(octets, dialect, from: sender, id: id)
        if let error = decoding.errors.first { throw error }
        guard let message = decoding.message else { throw .tooShort(octets.count) }
        self = message
    }
}

extension Dialect {
    /// Returns a response: a status, and after success the values of the body's fields.
    func response(
        _ name: String, status code: StatusName = .success, _ values: [String: AnnotationValue] = [:]
    ) throws -> Message {
        guard let command = command(named: name) else { throw UQDKEncodeError.unknownCommand(name) }
        guard let raw = status.code(code) else { throw UQDKEncodeError.body(.unfit(code.rawValue)) }
        var payload = statusOctets(raw)
        if code == .success { payload += try command.response.encode(values) }
        return Message(.response, command: command.code, payload: payload)
    }
}
