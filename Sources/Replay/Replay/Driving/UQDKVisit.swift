import BluetoothCore
import PayloadFormat
import Runtime
import UQDK
import WireBytes

/// What a recorded phone said to a car on one connection: its requests, each with what the car made of it.
struct UQDKVisit: Sendable {
    /// One request of the phone.
    struct Request: Sendable {
        /// The records of its fragments, in order.
        var frames: [Int] = []
        /// The values that were written.
        var values: [[UInt8]] = []
        /// The message, put together.
        var octets: [UInt8] = []
        var id: UInt64?
        var command: UInt64?
        var name = "a message"
        var purpose = CommandPurpose.ordinary
        var isSecured = false
        /// The body in clear; nil where it can't be read.
        var body: [UInt8]?
        var fields: [DecodedField] = []
        /// Whether the checksum is wrong.
        var isBroken = false
        /// Whether a fragment of it is missing.
        var isTorn = false
        /// Whether the proof in it is that of the key; nil where it has none.
        var proof: Verification?
        /// Whether its tag is that of the session's key; nil where it has none.
        var tag: Verification?
        /// What the car answered; nil where it did not.
        var answer: Answer?
        var status: StatusName? { answer?.status }
        /// When its last fragment was sent.
        var sent = Instant.zero
    }

    /// A car's answer to a request.
    struct Answer: Sendable {
        var status: StatusName?
        var fields: [DecodedField]
        /// Its body in clear after the status; nil where it can't be read.
        var body: [UInt8]?
        /// Whether checksum and tag are right, as far as there are such.
        var isAuthentic: Bool
        var time: Instant
        /// The record of its last fragment.
        var frame: Int
    }

    /// Something that the car told by itself.
    struct Event: Sendable {
        /// The record of its last fragment.
        var frame: Int
        var command: UInt64
        var body: [UInt8]
        /// Whether the application must be told; else it may be.
        var isRequired: Bool
    }

    /// In the order in which they were begun.
    var requests: [Request] = []
    /// The dialect that the link speaks.
    private(set) var dialect: Dialect
    /// Attributes of the connection that are of other services.
    private var foreign: Set<UInt16> = []
    /// Whether the phone wrote its requests without waiting for a response.
    private(set) var writesWithoutResponse = false
    /// The handles that it wrote requests to.
    private(set) var commandHandles: Set<UInt16> = []
    /// The counters of the car's secured messages, by their frames.
    var carCounters: [(frame: Int, counter: UInt64)] = []
    /// What the car told by itself and can be believed.
    var events: [Event] = []
    /// The highest counter of the car's secured messages in the session that stands.
    var highestCounter: UInt64?
    /// What each PDU of the connection means, by its frame.
    private(set) var meanings: [Int: String] = [:]

    /// Nil where the connection has nothing of the protocol.
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
        understand()
        for index in requests.indices {
            let width = spoken.fragments?.format.header.width ?? 0
            requests[index].octets = requests[index].values.flatMap { $0.dropFirst(width) }
            requests[index].purpose =
                requests[index].command.flatMap { spoken.command($0)?.purpose } ?? .ordinary
        }
    }

    /// The attributes of services in which nothing of the protocol is.
    private static func foreign(_ database: PeerDatabase, _ knowledge: UQDKKnowledge) -> Set<UInt16> {
        var own: Set<BluetoothUUID> = []
        for one in database.attributes where knowledge.attribute(of: one.type) != nil {
            if let service = one.service { own.insert(service) }
        }
        return Set(
            database.attributes.lazy.filter { one in !(one.service.map(own.contains) ?? false) }
                .map(\.handle))
    }

    /// Whether a step is about what the protocol's manager knows nothing of.
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
        commandHandles.insert(UInt16(pdu.octets[1]) | UInt16(pdu.octets[2]) << 8)
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

    /// The frame of the first request that is incomplete in the log, or whose answer is, where a manager
    /// needs the missing part; nil if the log has all.
    var frameOfLoss: Int? {
        requests.indices.first { index in
            let request = requests[index]
            // The loss of a Write Request leaves its response; that of a command shows only here.
            if request.isTorn { return writesWithoutResponse && request.status != .badMessage }
            guard request.answer == nil else { return false }
            // A phone does not go on without these answers.
            return switch request.purpose {
            case .authBegin: requests[(index + 1)...].first?.purpose == .authFinish
            case .authFinish: requests[(index + 1)...].first?.isSecured == true
            default: false
            }
        }.map { requests[$0].frames.first ?? 0 }
    }

    /// The request that has a fragment in a record.
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

    /// The id of the key that the phone used: the first that is known, else the first.
    func keyID(in keys: KeyStore) -> [UInt8]? {
        let named = requests.lazy.compactMap { $0.fields.octets("keyId") }
        return named.first { keys.key($0) != nil } ?? named.first
    }

    /// The first authentication counter that the phone sent.
    var firstAuthCounter: UInt64? { requests.lazy.compactMap(\.authCounter).first }

    /// The last authentication counter that the car took.
    var lastAuthCounter: UInt64? {
        requests.lazy.filter { $0.status == .success }.compactMap(\.authCounter).last
    }
}

extension UQDKVisit.Request {
    /// The authentication counter in it; nil where it has none.
    fileprivate var authCounter: UInt64? {
        guard purpose == .authFinish else { return nil }
        switch fields.first(where: { $0.name == "authCounter" })?.value {
        case .unsigned(let counter)?, .hex(let counter, _)?: return counter
        default: return nil
        }
    }
}

/// A value of the protocol's characteristics, out of a PDU.
struct UQDKSpoken {
    var octets: [UInt8]
    /// What its characteristic is for; nil where it has no label.
    var attribute: UQDKAttribute?
    var source: UQDKSource

    init?(_ pdu: RecordedPDU, _ connection: RecordedConnection, _ knowledge: UQDKKnowledge) {
        guard pdu.channel == .attribute, pdu.octets.count >= 1 else { return nil }
        let handle: UInt16
        switch pdu.opcode {
        case .writeRequest, .writeCommand, .handleValueNotification, .handleValueIndication:
            guard pdu.octets.count >= 3 else { return nil }
            handle = UInt16(pdu.octets[1]) | UInt16(pdu.octets[2]) << 8
            octets = Array(pdu.octets[3...])
        case .readResponse:
            guard let asked = pdu.answers, connection.pdus.indices.contains(asked),
                connection.pdus[asked].octets.count >= 3
            else { return nil }
            let request = connection.pdus[asked].octets
            handle = UInt16(request[1]) | UInt16(request[2]) << 8
            octets = Array(pdu.octets[1...])
        default: return nil
        }
        attribute = connection.database[handle].flatMap { knowledge.attribute(of: $0.type) }
        source = UQDKSource(
            handle: handle, sender: pdu.side == connection.server ? .car : .phone, time: pdu.time.nanoseconds,
            frame: UInt64(max(0, pdu.frame)), originalLength: octets.count)
    }
}

extension KeyStore {
    /// The key with an id; nil where none is given.
    func key(_ id: [UInt8]) -> DigitalKey? { uqdk.first { $0.keyID == id } }
}
