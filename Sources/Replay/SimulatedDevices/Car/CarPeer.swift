public import BluetoothCore
public import Runtime
public import UQDK

/// A car without a radio, for a caller that has a car's attributes elsewhere, such as in a recording.
///
/// It takes the phone's writes and returns the values of its event characteristic. Time and randomness come
/// from the caller.
public struct CarPeer: Sendable {
    private var engine: CarEngine
    private let link = CarLinkID(rawValue: 1)
    private var messages: [(octets: [UInt8], id: UInt64)] = []
    /// A delayed message, and the time at which it is sent.
    private var held: (octets: [UInt8], id: UInt64, due: Instant)?
    /// Events since the last call of ``takeEvents()``.
    private var events: [CarEvent] = []

    /// Creates a car with a link to a phone.
    ///
    /// - Parameters:
    ///   - configuration: the properties of the car.
    ///   - entropy: the source of its nonces.
    ///   - phone: the phone's address.
    public init(_ configuration: CarConfiguration, entropy: any Entropy, phone: DeviceAddress) {
        engine = CarEngine(configuration, entropy: entropy)
        engine.begin(link, phone)
    }

    /// Returns the advertising data of a car with this address, by which phones find it.
    public static func advertisement(of address: DeviceAddress, _ dialect: Dialect) -> [UInt8] {
        CarAdvertising(CarConfiguration(keys: [], dialect: dialect), address: address, flags: []).data
    }

    /// Handles a value of the command characteristic.
    public mutating func write(_ value: [UInt8], at now: Instant) {
        engine.receive(value, on: link, at: now)
        gather(at: now)
    }

    /// Ends the link and begins another one to the same phone.
    public mutating func connectAgain() {
        guard let phone = engine.links[link]?.peer else { return }
        engine.end(link)
        engine.begin(link, phone)
        messages = []
        held = nil
        // Tampering concerns only the first link.
        engine.tampering = nil
    }

    /// Takes over a car's state from an earlier link: its keys with their counters, lock-outs and slots, the
    /// vehicle, and whether the pairing window is open.
    public mutating func remember(_ earlier: CarPeer) {
        engine.keys = earlier.engine.keys
        engine.vehicle = earlier.engine.vehicle
        engine.pairingCode = earlier.engine.pairingCode
    }

    /// Sets whether the phone has subscribed to the event characteristic.
    public mutating func subscribe(_ isSubscribed: Bool) { engine.links[link]?.isSubscribed = isSubscribed }

    /// Advances time.
    public mutating func advance(to now: Instant) {
        engine.advance(to: now)
        gather(at: now)
        guard let late = held, late.due <= now else { return }
        messages.append((late.octets, late.id))
        held = nil
    }

    /// Time at which ``advance(to:)`` is due; nil if no event is pending.
    public var nextDeadline: Instant? { [engine.nextDeadline, held?.due].compactMap(\.self).min() }

    /// Adds an attacker between the car and its phone.
    public mutating func tamper(_ tampering: CarTampering) { engine.tampering = tampering }

    /// Whether there was a message to tamper with.
    public var wasTampered: Bool { engine.wasTampered }

    /// Continues the session's counter after this one, which the phone has already seen.
    public mutating func resume(after counter: UInt64) {
        guard let next = engine.links[link]?.session?.next, next <= counter else { return }
        engine.links[link]?.session?.next = counter &+ 1
    }

    /// Returns the values of the event characteristic since the last call, of at most `valueOctets` bytes
    /// each.
    public mutating func takeValues(valueOctets: Int) -> [[UInt8]] {
        defer { messages = [] }
        return messages.flatMap { message in
            (try? engine.dialect.values(of: message.octets, id: message.id, valueOctets: valueOctets)) ?? []
        }
    }

    /// Returns the events since the last call.
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
