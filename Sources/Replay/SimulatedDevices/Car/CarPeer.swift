public import BluetoothCore
public import Runtime
public import UQDK

/// A car without a radio: what a phone writes comes in, the values of its event characteristic go out. For
/// whoever has a car's attributes elsewhere, such as in a recording. It takes no time and no chance of its
/// own.
public struct CarPeer: Sendable {
    private var engine: CarEngine
    private let link = CarLinkID(rawValue: 1)
    private var messages: [(octets: [UInt8], id: UInt64)] = []
    /// What happened since it was last taken.
    private var events: [CarEvent] = []

    /// A car to which a phone has a link.
    ///
    /// - Parameters:
    ///   - entropy: where its nonces come from.
    ///   - phone: the phone's address.
    public init(_ configuration: CarConfiguration, entropy: any Entropy, phone: DeviceAddress) {
        engine = CarEngine(configuration, entropy: entropy)
        engine.begin(link, phone)
    }

    /// What a car with this address advertises, by which phones find it.
    public static func advertisement(of address: DeviceAddress, _ dialect: Dialect) -> [UInt8] {
        CarAdvertising(CarConfiguration(keys: [], dialect: dialect), address: address, flags: []).data
    }

    /// Takes a value of the command characteristic.
    public mutating func write(_ value: [UInt8], at now: Instant) {
        engine.receive(value, on: link, at: now)
        gather()
    }

    /// The link ends, and the phone makes another.
    public mutating func connectAgain() {
        guard let phone = engine.links[link]?.peer else { return }
        engine.end(link)
        engine.begin(link, phone)
        messages = []
    }

    /// Takes over what a car keeps from one link to the next: its keys with their counters, lock-outs and
    /// slots, the vehicle, and whether the pairing window is open.
    public mutating func remember(_ earlier: CarPeer) {
        engine.keys = earlier.engine.keys
        engine.vehicle = earlier.engine.vehicle
        engine.pairingCode = earlier.engine.pairingCode
    }

    /// Takes whether the phone wants the values of the event characteristic.
    public mutating func subscribe(_ isSubscribed: Bool) { engine.links[link]?.isSubscribed = isSubscribed }

    /// Lets time pass.
    public mutating func advance(to now: Instant) {
        engine.advance(to: now)
        gather()
    }

    /// When ``advance(to:)`` is due; nil where nothing happens by itself.
    public var nextDeadline: Instant? { engine.nextDeadline }

    /// Lets the session's counter go on behind this one, that the phone has seen already.
    public mutating func resume(after counter: UInt64) {
        guard let next = engine.links[link]?.session?.next, next <= counter else { return }
        engine.links[link]?.session?.next = counter &+ 1
    }

    /// The values of the event characteristic since the last call, none longer than `valueOctets`.
    public mutating func takeValues(valueOctets: Int) -> [[UInt8]] {
        defer { messages = [] }
        return messages.flatMap { message in
            (try? engine.dialect.values(of: message.octets, id: message.id, valueOctets: valueOctets)) ?? []
        }
    }

    /// What happened since the last call.
    public mutating func takeEvents() -> [CarEvent] {
        defer { events = [] }
        return events
    }

    private mutating func gather() {
        for output in engine.takeOutputs() {
            switch output {
            case .note(let event): events.append(event)
            case .send(let octets, let id, _): messages.append((octets, id))
            }
        }
    }
}
