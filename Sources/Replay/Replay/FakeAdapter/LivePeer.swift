import BluetoothCore
import Runtime
import SimulatedDevices
import UQDK

/// A live model of the far device, which takes over when the host deviates from the recording.
///
/// It follows the host's writes from the beginning of the connection, so that it is in the recorded device's
/// state. Without a known protocol it is a database that returns read values and accepts writes, and sends
/// the recorded notifications after the same writes.
struct LivePeer: Sendable {
    /// The recorded device's notifications after a write.
    struct Reaction: Sendable {
        var handle: UInt16
        var value: [UInt8]
        var sent: [(handle: UInt16, value: [UInt8])]
    }

    private var car: CarPeer?
    private let commands: Set<UInt16>
    private let event: UInt16
    /// The counters of the recorded device's secured messages, with their frames.
    private let counters: [(frame: Int, counter: UInt64)]
    /// Values that the host wrote, which override those in the log.
    private var written: [UInt16: [UInt8]] = [:]
    /// The reactions in the order of the log; each is used only once.
    private var reactions: [Reaction] = []
    private var pending: [(handle: UInt16, value: [UInt8])] = []
    /// Value handles to which the host has subscribed.
    private var subscribed: Set<UInt16> = []
    /// The statuses that the car has sent, with the names of the commands.
    private(set) var answers: [(command: String, status: StatusName)] = []
    private(set) var sentEvents = 0

    /// Creates a database that reacts like the recorded device.
    init(_ connection: RecordedConnection) {
        commands = []
        event = 0
        counters = []
        reactions = connection.reactions
    }

    /// Creates the car of a visit, with the phone's key.
    ///
    /// - Parameter authCounter: the highest counter that the car accepted on earlier connections; nil without
    ///   one.
    init(
        _ visit: UQDKVisit, _ connection: RecordedConnection, _ key: KeyStore.DigitalKey,
        authCounter: UInt64?, seed: UInt64
    ) {
        let highest = authCounter ?? visit.authCounterBefore
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

    /// Updates the model with a PDU of the host.
    mutating func follow(_ octets: [UInt8], _ database: PeerDatabase, at now: Instant) {
        guard let (handle, value) = Self.write(octets) else { return }
        if commands.contains(handle) {
            car?.write(value, at: now)
        } else if database.valueHandle(ofConfiguration: handle) == event {
            car?.subscribe(value.contains { $0 != 0 })
        } else {
            if let configured = database.valueHandle(ofConfiguration: handle) {
                if value.contains(where: { $0 != 0 }) {
                    subscribed.insert(configured)
                } else {
                    subscribed.remove(configured)
                }
            }
            written[handle] = value
            react(handle, value)
        }
        note()
    }

    /// Reacts as the recorded device did to the same write, else to the next write to the attribute.
    private mutating func react(_ handle: UInt16, _ value: [UInt8]) {
        let same = reactions.firstIndex { $0.handle == handle && $0.value == value }
        guard let place = same ?? reactions.firstIndex(where: { $0.handle == handle }) else { return }
        pending += reactions.remove(at: place).sent
    }

    /// Returns the values to send after the host's writes, with their handles.
    mutating func takeValues(upTo valueOctets: Int) -> [(handle: UInt16, value: [UInt8])] {
        defer { pending = [] }
        return (car?.takeValues(valueOctets: valueOctets) ?? []).map { (event, $0) }
            + pending.filter { subscribed.contains($0.handle) && $0.value.count <= valueOctets }
    }

    /// Sets the model to the recorded device's state before a frame. The recording provides earlier messages,
    /// whose counters the phone has seen.
    mutating func setState(before frame: Int) {
        _ = takeValues(upTo: 512)
        if let last = counters.last(where: { $0.frame < frame }) { car?.resume(after: last.counter) }
    }

    /// Returns the device for its next link, with the reactions recorded there.
    func connectedAgain(_ next: LivePeer?) -> LivePeer {
        var again = self
        again.car?.connectAgain()
        again.reactions = next?.reactions ?? []
        again.pending = []
        again.subscribed = []
        return again
    }

    /// Whether the device keeps state between links that later requests depend on.
    var remembers: Bool { car != nil }

    /// Takes over the device's state from an earlier link: counters, lock-outs, slots and written values.
    mutating func remember(_ earlier: LivePeer) {
        if let before = earlier.car { car?.remember(before) }
        written = earlier.written
    }

    /// Adds an attacker between the car and its phone.
    mutating func tamper(_ tampering: CarTampering) { car?.tamper(tampering) }

    /// Whether there was a message for the attacker to tamper with.
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

    /// Returns the handle and the value of a write; nil for other PDUs.
    static func write(_ octets: [UInt8]) -> (handle: UInt16, value: [UInt8])? {
        guard let opcode = octets.first.map({ ATTOpcode(rawValue: $0) }),
            [.writeRequest, .writeCommand].contains(opcode), let handle = octets.attributeHandle,
            let value = octets.attributeValue
        else { return nil }
        return (handle, value)
    }
}

extension RecordedConnection {
    /// The peer's notifications, grouped by the host's write before them.
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
