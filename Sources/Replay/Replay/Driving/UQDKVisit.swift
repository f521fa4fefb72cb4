import BluetoothCore
import PayloadFormat
import Runtime
public import UQDK
import WireBytes

/// The digital-key messages of one recorded connection: the phone's requests, each with the car's answer.
struct UQDKVisit: Sendable {
    struct Request: Sendable {
        var frames: [Int] = []
        var values: [[UInt8]] = []
        var octets: [UInt8] = []
        var id: UInt64?
        var command: UInt64?
        var name = "a message"
        var purpose = CommandPurpose.ordinary
        var isSecured = false
        /// The decrypted body; nil if it can't be read.
        var body: [UInt8]?
        var fields: [DecodedField] = []
        var isBroken = false
        /// Whether a fragment is missing.
        var isTorn = false
        /// Verification of the proof with the key; nil if the request has none.
        var proof: Verification?
        /// Verification of the tag with the session's key; nil if the request has none.
        var tag: Verification?
        /// The car's answer; nil if absent.
        var answer: Answer?
        var status: StatusName? { answer?.status }
        var sent = Instant.zero
    }

    struct Answer: Sendable {
        var status: StatusName?
        var fields: [DecodedField]
        /// The decrypted body, from `applyDialect` on without the status; nil if it can't be read.
        var body: [UInt8]?
        /// Whether checksum and tag, if any, are right.
        var isAuthentic: Bool
        var time: Instant
        var frame: Int
    }

    /// An event that the car sent on its own.
    struct Event: Sendable {
        var frame: Int
        var command: UInt64
        var body: [UInt8]
        /// Whether the application must get the event; otherwise it may.
        var isRequired: Bool
    }

    /// The requests, in the order of their first fragments.
    var requests: [Request] = []
    private(set) var dialect: Dialect
    /// Handles that belong to services other than the protocol's.
    private var foreign: Set<UInt16> = []
    /// Whether the phone wrote its requests with Write Commands.
    private(set) var writesWithoutResponse = false
    /// Handles to which the phone wrote requests.
    private(set) var commandHandles: Set<UInt16> = []
    /// The counters of the car's secured messages, with their frames.
    var carCounters: [(frame: Int, counter: UInt64)] = []
    /// Authentic events of the car.
    var events: [Event] = []
    /// The highest counter of the car's secured messages in the current session.
    var highestCounter: UInt64?
    /// The meaning of each PDU of the connection, by frame.
    private(set) var meanings: [Int: String] = [:]

    /// Returns nil if the connection has no message of the protocol.
    init?(_ connection: RecordedConnection, _ knowledge: UQDKKnowledge) {
        var knowledge = knowledge
        knowledge.keepsBodies = true
        dialect = .reference1
        var tracker = UQDKTracker(knowledge)
        var open: [UInt64: Int] = [:]
        for pdu in connection.pdus {
            guard let value = UQDKSpoken(pdu, connection, knowledge) else { continue }
            guard
                let annotation = tracker.handle(
                    value.octets.borrowedOctets, value.attribute, from: value.source)
            else {
                continue
            }
            meanings[pdu.frame] = annotation.summary
            if value.source.sender == .phone, value.attribute?.role != .info {
                note(annotation, value.octets, pdu, &open)
            } else if let message = annotation.message {
                hear(message, pdu, isAwaited: pdu.frame < connection.end?.request?.frame ?? .max)
            }
        }
        foreign = Self.foreign(connection.database, knowledge)
        guard !requests.isEmpty, let name = tracker.dialect,
            let spoken = knowledge.dialects.first(where: { $0.name == name })
        else { return nil }
        dialect = spoken
        applyDialect()
        for index in requests.indices {
            let width = spoken.fragments?.format.header.width ?? 0
            requests[index].octets = requests[index].values.flatMap { $0.dropFirst(width) }
            requests[index].purpose =
                requests[index].command.flatMap { spoken.command($0)?.purpose } ?? .ordinary
        }
    }

    /// Returns the attributes of services that don't belong to the protocol.
    private static func foreign(_ database: PeerDatabase, _ knowledge: UQDKKnowledge) -> Set<UInt16> {
        var own: Set<BluetoothUUID> = []
        for one in database.attributes where knowledge.attribute(of: one.type) != nil {
            if let service = one.service { own.insert(service) }
        }
        return Set(
            database.attributes.lazy.filter { one in !(one.service.map(own.contains) ?? false) }
                .map(\.handle))
    }

    /// Whether a step is about a service that the protocol's manager doesn't use.
    func isForeign(_ step: HostStep) -> Bool {
        if case .request = step.action { return true }
        return step.handle.map(foreign.contains) ?? false
    }

    private mutating func note(
        _ annotation: UQDKAnnotation, _ value: [UInt8], _ pdu: RecordedPDU, _ open: inout [UInt64: Int]
    ) {
        let id = annotation.fragment?.messageID ?? 0
        let isFirst = (annotation.fragment?.index ?? 0) == 0
        if isFirst || open[id] == nil {
            open[id] = requests.count
            requests.append(Request())
        }
        guard let place = open[id] else { return }
        if annotation.fragment?.state == .failed { requests[place].isTorn = true }
        requests[place].frames.append(pdu.frame)
        requests[place].sent = pdu.time
        if let handle = pdu.octets.attributeHandle { commandHandles.insert(handle) }
        writesWithoutResponse = pdu.opcode == .writeCommand
        requests[place].values.append(value)
        requests[place].id = annotation.fragment?.messageID
        guard let message = annotation.message else { return }
        if let command = message.command { requests[place].command = command }
        if let name = message.name { requests[place].name = name }
        guard message.isWhole else { return }
        open[id] = nil
        requests[place].isSecured = message.isSecured
        requests[place].tag = message.tag
        requests[place].body = message.bodyOctets
        requests[place].fields = message.body
        requests[place].proof = message.proof?.verification
        if case .wrong = message.checksum { requests[place].isBroken = true }
    }

    /// The frame of the first request that lacks a part which a manager needs, of the request itself or of
    /// its answer; nil if nothing is missing.
    var frameOfLoss: Int? {
        requests.indices.first { index in
            let request = requests[index]
            // A lost Write Request is found by its response; a lost command, only here.
            if request.isTorn { return writesWithoutResponse && request.status != .badMessage }
            guard request.answer == nil else { return false }
            // A phone does not continue without these answers.
            return switch request.purpose {
            case .authBegin: requests[(index + 1)...].first?.purpose == .authFinish
            case .authFinish: requests[(index + 1)...].first?.isSecured == true
            default: false
            }
        }.map { requests[$0].frames.first ?? 0 }
    }

    func request(at frame: Int) -> Request? { requests.first { $0.frames.contains(frame) } }

    /// The nonces that the phone drew, in order.
    var nonces: [[UInt8]] {
        requests.filter { $0.purpose == .authBegin }.compactMap { $0.fields.octets("phoneNonce") }
    }

    /// The nonces that the car drew, in order.
    var carNonces: [[UInt8]] {
        requests.filter { $0.purpose == .authBegin }
            .compactMap { $0.answer?.fields.octets("vehicleNonce") }
    }

    /// Returns the id of the phone's key: the first known one, else the first one.
    func keyID(in keys: KeyStore) -> [UInt8]? {
        let named = requests.lazy.compactMap { $0.fields.octets("keyId") }
        return named.first { keys.key($0) != nil } ?? named.first
    }

    /// The highest authentication counter that the phone can have sent before the visit; nil if it sent none
    /// in the visit, or 0 first.
    var authCounterBefore: UInt64? {
        requests.lazy.compactMap(\.authCounter).first.flatMap { $0 == 0 ? nil : $0 - 1 }
    }

    /// The last authentication counter that the car accepted.
    var lastAuthCounter: UInt64? {
        requests.lazy.filter { $0.status == .success }.compactMap(\.authCounter).last
    }
}

extension UQDKVisit.Request {
    /// The request's authentication counter; nil if it has none.
    fileprivate var authCounter: UInt64? {
        guard purpose == .authFinish else { return nil }
        switch fields.first(where: { $0.name == "authCounter" })?.value {
        case .unsigned(let counter)?, .hex(let counter, _)?: return counter
        default: return nil
        }
    }
}

/// A value of one of the protocol's characteristics.
struct UQDKSpoken {
    var octets: [UInt8]
    /// The purpose of the characteristic; nil if it has no label.
    var attribute: UQDKAttribute?
    var source: UQDKSource

    init?(_ pdu: RecordedPDU, _ connection: RecordedConnection, _ knowledge: UQDKKnowledge) {
        let named: RecordedPDU
        switch pdu.opcode {
        case .writeRequest, .writeCommand, .handleValueNotification, .handleValueIndication: named = pdu
        case .readResponse:
            guard let asked = pdu.answers else { return nil }
            named = connection.pdus[asked]
        default: return nil
        }
        guard pdu.channel == .attribute, let handle = named.octets.attributeHandle,
            let value = pdu.octets.attributeValue
        else { return nil }
        octets = value
        attribute = connection.database[handle].flatMap { knowledge.attribute(of: $0.type) }
        source = UQDKSource(
            handle: handle, sender: pdu.side == connection.server ? .car : .phone, time: pdu.time.nanoseconds,
            frame: UInt64(max(0, pdu.frame)), originalLength: octets.count)
    }
}

extension KeyStore {
    func key(_ id: [UInt8]) -> DigitalKey? { uqdk.first { $0.keyID == id } }
}

// The car's messages, and whether a phone must trust them.
extension UQDKVisit {
    /// Adds a message of the car.
    ///
    /// - Parameter isAwaited: whether the phone still listens, because it has not disconnected.
    mutating func hear(_ message: MessageNote, _ pdu: RecordedPDU, isAwaited: Bool) {
        if let counter = message.counter { carCounters.append((pdu.frame, counter)) }
        guard message.isWhole else { return }
        var isAuthentic = message.tag == nil || message.tag == .verified
        if case .wrong = message.checksum { isAuthentic = false }
        let isNew = message.counter.map { $0 > highestCounter ?? 0 || highestCounter == nil } ?? true
        if isAuthentic, isNew { highestCounter = message.counter ?? highestCounter }
        switch message.kind {
        case .response: answer(message, pdu, isAuthentic: isAuthentic)
        case .event where isAuthentic && isNew: note(message, pdu, isAwaited: isAwaited)
        default: break
        }
    }

    private mutating func answer(_ message: MessageNote, _ pdu: RecordedPDU, isAuthentic: Bool) {
        guard let place = requests.lastIndex(where: { $0.id == message.messageID }),
            requests[place].answer == nil, message.isSecured || !requests[place].isSecured
        else { return }
        let status = message.statusName.flatMap { StatusName(rawValue: $0) }
        requests[place].answer = Answer(
            status: status, fields: message.body,
            body: message.bodyOctets, isAuthentic: isAuthentic, time: pdu.time, frame: pdu.frame)
        // Counters restart with each session.
        if message.purpose == .authFinish, status == .success { highestCounter = nil }
    }

    /// Removes the status from the bodies of the answers, and makes events optional whose body the dialect
    /// can't decode. It is called once, when the dialect is known.
    mutating func applyDialect() {
        for index in requests.indices {
            let rest = requests[index].answer?.body?.dropFirst(dialect.status.width)
            requests[index].answer?.body = rest.map { Array($0) }
        }
        for index in events.indices where events[index].isRequired {
            let command = dialect.command(events[index].command)
            events[index].isRequired = command?.request.decode(events[index].body).misfit == nil
        }
    }

    private mutating func note(_ message: MessageNote, _ pdu: RecordedPDU, isAwaited: Bool) {
        guard let code = message.command, let body = message.bodyOctets else { return }
        events.append(
            Event(
                frame: pdu.frame, command: code, body: body,
                isRequired: isAwaited && message.tag == .verified))
    }
}

extension SessionModel {
    /// Returns the nonces that the digital-key phone drew, in order.
    public func nonces(_ knowledge: UQDKKnowledge) -> [[UInt8]] {
        connections.flatMap { UQDKVisit($0, knowledge)?.nonces ?? [] }
    }
}

// The fields of requests, to name a byte in a report and to exclude bytes from the comparison.

extension UQDKVisit {
    /// The bytes of the requests that differ between runs: message ids, checksums, sealed payloads, nonces,
    /// proofs and counters.
    var volatileMasks: [VolatileMask] {
        var masks: [VolatileMask] = []
        for request in requests {
            let volatile = Set(request.fields.filter(\.isVolatile).map(\.name))
                .union([
                    "fragment header", "checksum", "secured payload", "secured counter", "ciphertext", "tag",
                ])
            for (frame, value) in zip(request.frames, request.values) {
                for offset in value.indices {
                    guard let name = field(at: offset, ofValueIn: frame), volatile.contains(name) else {
                        continue
                    }
                    if let last = masks.last, last.frame == frame, last.reason == name,
                        last.range.upperBound == offset + 3
                    {
                        masks[masks.count - 1].range = last.range.lowerBound..<offset + 4
                    } else {
                        masks.append(.init(frame: frame, range: offset + 3..<offset + 4, reason: name))
                    }
                }
            }
        }
        return masks
    }

    /// Describes a byte of a value in the report of a difference: its field and message, and whether the
    /// message was already wrong in the log.
    func subject(at offset: Int, ofValueIn frame: Int) -> String? {
        guard let field = field(at: offset, ofValueIn: frame) else { return nil }
        guard let request = request(at: frame) else { return "\(field) of a message" }
        let text = "\(field) of \(request.name)"
        if request.isBroken { return text + ", whose checksum is wrong in the log" }
        if request.tag == .wrong { return text + ", whose tag is wrong in the log" }
        return text
    }

    /// Returns the name of the field that contains a byte of a value.
    func field(at offset: Int, ofValueIn frame: Int) -> String? {
        guard let request = request(at: frame), let place = request.frames.firstIndex(of: frame) else {
            return nil
        }
        let width = dialect.fragments?.format.header.width ?? 0
        guard offset >= width else { return "fragment header" }
        let before = request.values[..<place].reduce(0) { $0 + max(0, $1.count - width) }
        let position = before + offset - width
        let header = dialect.message.header.width
        let tail = dialect.checksum?.checksum.octetCount ?? 0
        if position < header { return "\(dialect.message.header.role(at: position)) in the header" }
        if position >= request.octets.count - tail { return "checksum" }
        guard !request.isSecured else {
            return securedPart(at: position - header, of: request.octets.count - tail - header)
        }
        return request.fields.first { $0.range.contains(position - header) }?.name
    }

    /// Returns the part of a secured payload of `count` bytes that contains a byte.
    private func securedPart(at position: Int, of count: Int) -> String {
        guard let securing = dialect.securing else { return "secured payload" }
        var end = 0
        for part in securing.parts {
            switch part {
            case .counter: end += securing.counterWidth
            case .tag: end += securing.tagLength
            case .body: end += max(0, count - securing.counterWidth - securing.tagLength)
            }
            guard position >= end else { return Self.securedNames[part] ?? "secured payload" }
        }
        return "secured payload"
    }

    private static let securedNames: [SecuringFormat.Part: String] = [
        .counter: "secured counter", .body: "ciphertext", .tag: "tag",
    ]
}

extension HeaderFormat {
    /// Returns the role of the field that contains a byte; of several fields, that of the first.
    fileprivate func role(at position: Int) -> HeaderRole {
        var bits = 0
        for field in fields {
            bits += field.bits
            if position * 8 < bits { return field.role }
        }
        return .reserved
    }
}
