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
    /// A message that was lost, and when it comes again.
    private var held: (octets: [UInt8], id: UInt64, due: Instant)?
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
        gather(at: now)
    }

    /// The link ends, and the phone makes another.
    public mutating func connectAgain() {
        guard let phone = engine.links[link]?.peer else { return }
        engine.end(link)
        engine.begin(link, phone)
        messages = []
        held = nil
        // What is done to a message of the first link is not done on the next.
        engine.tampering = nil
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
        gather(at: now)
        guard let late = held, late.due <= now else { return }
        messages.append((late.octets, late.id))
        held = nil
    }

    /// When ``advance(to:)`` is due; nil where nothing happens by itself.
    public var nextDeadline: Instant? { [engine.nextDeadline, held?.due].compactMap(\.self).min() }

    /// Lets somebody be between the car and its phone.
    public mutating func tamper(_ tampering: CarTampering) { engine.tampering = tampering }

    /// Whether there was a message for it.
    public var wasTampered: Bool { engine.wasTampered }

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

    private mutating func gather(at now: Instant) {
        for output in engine.takeOutputs() {
            switch output {
            case .note(let event): events.append(event)
            case .send(let octets, let id, _) where engine.tampers(.late):
                held = (octets, id, now.advanced(by: .seconds(2)))
            case .send(let octets, let id, _): messages.append((octets, id))
            }
        }
    }
}
