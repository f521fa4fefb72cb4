import BluetoothCore
import Runtime
import SimulatedDevices
import UQDK

/// The far device as it lives: where the host does something else than the recorded one, the recording has no
/// answer, and this goes on in its place.
///
/// It follows what the host writes from the connection's begin on, so that it stands where the recorded
/// device stood. Without a protocol that it knows it is a database: values that were read are read again, and
/// what is written is taken. It sends what the recorded device sent after the same write.
struct LivePeer: Sendable {
    /// What the recorded device sent by itself after a write.
    struct Reaction: Sendable {
        var handle: UInt16
        var value: [UInt8]
        var sent: [(handle: UInt16, value: [UInt8])]
    }

    private var car: CarPeer?
    private let commands: Set<UInt16>
    private let event: UInt16
    /// The counter of the recorded device's last secured message before each frame, by frame.
    private let counters: [(frame: Int, counter: UInt64)]
    /// What was written, over what was read of the recorded device.
    private var written: [UInt16: [UInt8]] = [:]
    /// In the order of the log; each is used once.
    private var reactions: [Reaction] = []
    /// What is to be sent.
    private var pending: [(handle: UInt16, value: [UInt8])] = []
    /// The values that the host has subscribed to.
    private var wanted: Set<UInt16> = []
    /// What a car's answers were, by the names of the commands.
    private(set) var answers: [(command: String, status: StatusName)] = []
    /// The number of authentic events that a car sent.
    private(set) var sentEvents = 0

    /// A database that reacts as the recorded device did.
    init(_ connection: RecordedConnection) {
        commands = []
        event = 0
        counters = []
        reactions = connection.reactions
    }

    /// The car of a visit, with the phone's key.
    ///
    /// - Parameter authCounter: the highest that the car took on earlier connections; nil where the log shows
    ///   none.
    init(
        _ visit: UQDKVisit, _ connection: RecordedConnection, _ key: KeyStore.DigitalKey,
        authCounter: UInt64?, seed: UInt64
    ) {
        let highest = authCounter ?? visit.firstAuthCounter.flatMap { $0 == 0 ? nil : $0 - 1 }
        var configuration = CarConfiguration(
            keys: [CarKey(keyID: key.keyID, key: key.key, slot: 0, authCounter: highest)],
            dialect: visit.dialect)
        configuration.pairingCode = key.pairingCode.map { String(decoding: $0, as: UTF8.self) }
        car = CarPeer(
            configuration,
            entropy: RecordedEntropy([.nonce: visit.carNonces], fallback: SeededEntropy(seed: seed)),
            phone: connection.peer)
        let gatt = visit.dialect.gatt
        let attributes = connection.database.attributes
        commands = Set(attributes.lazy.filter { $0.type == gatt.command }.map(\.handle))
        event = attributes.first { $0.type == gatt.event }?.handle ?? 0
        counters = visit.carCounters
    }

    /// Follows a PDU of the host.
    mutating func follow(_ octets: [UInt8], _ database: PeerDatabase, at now: Instant) {
        guard let (handle, value) = Self.write(octets) else { return }
        if commands.contains(handle) {
            car?.write(value, at: now)
        } else if database.value(ofConfiguration: handle) == event {
            car?.subscribe(value.contains { $0 != 0 })
        } else {
            if let configured = database.value(ofConfiguration: handle) {
                if value.contains(where: { $0 != 0 }) {
                    wanted.insert(configured)
                } else {
                    wanted.remove(configured)
                }
            }
            written[handle] = value
            react(handle, value)
        }
        note()
    }

    /// Reacts as the recorded device did to the same write, or to the next one to the same attribute.
    private mutating func react(_ handle: UInt16, _ value: [UInt8]) {
        let same = reactions.firstIndex { $0.handle == handle && $0.value == value }
        guard let place = same ?? reactions.firstIndex(where: { $0.handle == handle }) else { return }
        pending += reactions.remove(at: place).sent
    }

    /// What it sends by itself after what it was told: values by their handles.
    mutating func takeValues(_ valueOctets: Int) -> [(handle: UInt16, value: [UInt8])] {
        defer { pending = [] }
        return (car?.takeValues(valueOctets: valueOctets) ?? []).map { (event, $0) }
            + pending.filter { wanted.contains($0.handle) && $0.value.count <= valueOctets }
    }

    /// Stands where the recorded device stood before a frame: what it had to say until then is in the
    /// recording, and the phone has seen its counters.
    mutating func stand(before frame: Int) {
        _ = takeValues(512)
        if let last = counters.last(where: { $0.frame < frame }) { car?.resume(after: last.counter) }
    }

    /// The same device on the next link, where it reacts as it did on that one.
    func connectedAgain(_ next: LivePeer?) -> LivePeer {
        var again = self
        again.car?.connectAgain()
        again.reactions = next?.reactions ?? []
        again.pending = []
        again.wanted = []
        return again
    }

    /// Whether it keeps something from one link to the next that the host's requests hang on.
    var remembers: Bool { car != nil }

    /// Takes over what the device remembers of an earlier link: counters, lock-outs, slots, what was written.
    mutating func remember(_ earlier: LivePeer) {
        if let before = earlier.car { car?.remember(before) }
        written = earlier.written
    }

    /// Lets somebody be between a car and its phone.
    mutating func tamper(_ tampering: CarTampering) { car?.tamper(tampering) }

    /// Whether there was a message for it.
    var wasTampered: Bool { car?.wasTampered ?? false }

    mutating func advance(to now: Instant) {
        car?.advance(to: now)
        note()
    }

    var nextDeadline: Instant? { car?.nextDeadline }

    func value(of handle: UInt16, _ database: PeerDatabase) -> [UInt8]? {
        written[handle] ?? database.value(of: handle)
    }

    private mutating func note() {
        for event in car?.takeEvents() ?? [] {
            switch event {
            case .answered(let command, let status, _): answers.append((command, status))
            case .sent: sentEvents += 1
            default: break
            }
        }
    }

    /// The attribute that a PDU writes, and what.
    static func write(_ octets: [UInt8]) -> (handle: UInt16, value: [UInt8])? {
        guard octets.count >= 3,
            [.writeRequest, .writeCommand].contains(ATTOpcode(rawValue: octets[0]))
        else { return nil }
        return (UInt16(octets[1]) | UInt16(octets[2]) << 8, Array(octets[3...]))
    }
}

extension RecordedConnection {
    /// What the peer notified of, by the write of the host before it.
    fileprivate var reactions: [LivePeer.Reaction] {
        var reactions: [LivePeer.Reaction] = []
        for pdu in pdus where pdu.channel == .attribute {
            if pdu.side == .host, let (handle, value) = LivePeer.write(pdu.octets) {
                reactions.append(.init(handle: handle, value: value, sent: []))
            } else if pdu.side == .peer, !reactions.isEmpty, pdu.opcode == .handleValueNotification {
                reactions[reactions.count - 1].sent += pdu.sentValues
            }
        }
        return reactions
    }
}
