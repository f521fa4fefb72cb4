import BluetoothCore
@_spi(Host) public import CoreBluetooth
public import Foundation
import PayloadFormat
public import Runtime
import Synchronization
import UQDK

/// A car that speaks the digital-key protocol on a peripheral manager, with advertising and GATT layout.
///
/// It uses its adapter's time and entropy. In virtual time it runs on the thread that advances time, on
/// hardware on the main queue.
public final class SimulatedCar: NSObject, CBPeripheralManagerDelegate, Sendable {
    /// Maximum number of waiting values for one phone. A message that doesn't fit is not sent at all.
    static let waitingLimit = 1_024

    struct State: Sendable {
        var engine: CarEngine
        var centrals: [CarLinkID: CBCentral] = [:]
        var waiting: [(link: CarLinkID, value: [UInt8])] = []
        var nextLink: UInt64 = 1
        var isServiceAsked = false
        var hasService = false
        var advertised: CarAdvertising?
        var timer: (id: EventID, at: Instant)?
        var notes: [CarEvent] = []
    }

    let configuration: CarConfiguration
    let adapter: BluetoothAdapter
    let manager: CBPeripheralManager
    let event: CBMutableCharacteristic
    let service: CBMutableService
    private let state: Mutex<State>
    private let observer: (@Sendable (CarEvent) -> Void)?

    /// Creates a car on an adapter. It advertises when the adapter is on.
    ///
    /// - Parameters:
    ///   - configuration: the properties of the car.
    ///   - adapter: the adapter that it advertises on.
    ///   - observer: receives the events in order.
    public init(
        _ configuration: CarConfiguration, on adapter: BluetoothAdapter,
        observer: (@Sendable (CarEvent) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.adapter = adapter
        self.observer = observer
        let gatt = configuration.dialect.gatt
        let command = CBMutableCharacteristic(
            type: CBUUID(gatt.command), properties: [.write, .writeWithoutResponse], value: nil,
            permissions: [.writeable])
        event = CBMutableCharacteristic(
            type: CBUUID(gatt.event), properties: [.notify], value: nil, permissions: [])
        service = CBMutableService(type: CBUUID(gatt.service), primary: true)
        let info = gatt.info.map { uuid in
            CBMutableCharacteristic(
                type: CBUUID(uuid), properties: [.read],
                value: Data(configuration.dialect.infoValue(vehicleID: configuration.vehicleID)),
                permissions: [.readable])
        }
        service.characteristics = [command, event] + (info.map { [$0] } ?? [])
        state = Mutex(State(engine: CarEngine(configuration, entropy: adapter.entropy)))
        manager = CBPeripheralManager(
            delegate: nil, queue: (adapter.delivery as? SettlingDelivery)?.inline, options: nil,
            adapter: adapter)
        super.init()
        manager.onLink = { [weak self] central, isLinked in
            if isLinked { self?.began(central) } else { self?.ended(central) }
        }
        manager.delegate = self
    }

    // MARK: The car itself

    /// The current state of the vehicle.
    public var vehicle: Vehicle { state.withLock { $0.engine.vehicle } }
    /// The current state of the keys.
    public var keys: [CarKey] { state.withLock { $0.engine.keys } }
    /// The digits of the pairing code; nil while the pairing window is closed.
    public var pairingCode: String? {
        state.withLock { $0.engine.pairingCode.map { String(decoding: $0, as: UTF8.self) } }
    }
    /// The adapter's current time.
    public var now: Instant { adapter.time.now }
    /// The number of links to phones.
    public var links: Int { state.withLock { $0.engine.links.count } }
    /// The number of links with a session.
    public var sessions: Int { state.withLock { $0.engine.links.values.count { $0.session != nil } } }

    /// Opens the pairing window with a given code, or else a random one.
    public func openPairingWindow(code: String? = nil) {
        act { $0.engine.openPairingWindow(code: code) }
    }

    /// Closes the pairing window.
    public func closePairingWindow() { act { $0.engine.closePairingWindow() } }

    /// Revokes a key. Its sessions end, and it can't start new ones.
    public func revoke(_ keyID: [UInt8]) {
        act { state in
            guard let index = state.engine.keys.firstIndex(where: { $0.keyID == keyID }) else { return }
            state.engine.keys[index].isRevoked = true
        }
    }

    /// Changes the vehicle by hand, and reports that to phones with a session.
    public func change(_ body: (inout Vehicle) -> Void) {
        let now = adapter.time.now
        act { $0.engine.change(at: now, body) }
    }

    /// Reports a fault to phones with a session.
    public func raiseFault(_ fault: VehicleFault) {
        let now = adapter.time.now
        act { $0.engine.tell("FAULT_EVENT", fault.values, at: now) }
    }

    /// Reports their proximity to phones with a session.
    public func sense(_ zone: ProximityZone, rssi: Int8) {
        let now = adapter.time.now
        act { $0.engine.tell("PROXIMITY_EVENT", CarEngine.values(zone, rssi: rssi), at: now) }
    }

    // MARK: State changes

    /// Changes the state, performs the resulting outputs, and informs the observer.
    func act(_ body: (inout State) -> Void) {
        let notes = state.withLock { state in
            body(&state)
            settle(&state)
            defer { state.notes = [] }
            return state.notes
        }
        for note in notes { observer?(note) }
    }

    private func settle(_ state: inout State) {
        for output in state.engine.takeOutputs() {
            switch output {
            case .note(let event): state.notes.append(event)
            case .send(let message, let id, let link): queue(message, id, link, &state)
            }
        }
        send(&state)
        advertise(&state)
        setTimer(&state)
    }

    /// Sends waiting values, as far as the manager accepts them.
    private func send(_ state: inout State) {
        var count = 0
        for (link, value) in state.waiting {
            if let central = state.centrals[link] {
                let isTaken = manager.updateValue(Data(value), for: event, onSubscribedCentrals: [central])
                guard isTaken else { break }
            }
            count += 1
        }
        state.waiting.removeFirst(count)
    }

    private func queue(_ message: [UInt8], _ id: UInt64, _ link: CarLinkID, _ state: inout State) {
        guard let central = state.centrals[link] else { return }
        do throws(UQDKEncodeError) {
            let values = try configuration.dialect.values(
                of: message, id: id, valueOctets: central.maximumUpdateValueLength)
            let waiting = state.waiting.count { $0.link == link }
            guard waiting + values.count <= Self.waitingLimit else {
                return state.notes.append(.problem("message \(id) is not sent: too much waits for the phone"))
            }
            state.waiting += values.map { (link, $0) }
        } catch {
            state.notes.append(.problem("message \(id) can't be sent: \(error)"))
        }
    }

    private func advertise(_ state: inout State) {
        guard manager.state == .poweredOn, state.hasService else { return }
        let wanted = CarAdvertising(
            configuration, address: adapter.address ?? DeviceAddress(0),
            flags: state.engine.advertisedFlags)
        guard wanted != state.advertised else { return }
        if state.advertised != nil { manager.stopAdvertising() }
        state.advertised = wanted
        manager.startAdvertising(
            data: wanted.data, scanResponse: wanted.scanResponse,
            interval: configuration.advertisingInterval)
    }

    private func setTimer(_ state: inout State) {
        let deadline = state.engine.nextDeadline
        guard deadline != state.timer?.at else { return }
        if let timer = state.timer { adapter.cancel(timer.id) }
        state.timer = deadline.map { deadline in
            let delay = adapter.time.now.duration(to: deadline)
            let id = adapter.asyncAfter(delay, on: manager.callbackQueue) { [weak self] in
                self?.timeReached()
            }
            return (id, deadline)
        }
    }

    private func timeReached() {
        let now = adapter.time.now
        act { state in
            state.timer = nil
            state.engine.advance(to: now)
        }
    }
}

// Callbacks of the peripheral manager.
extension SimulatedCar {
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return act { $0.advertised = nil } }
        var isFirst = false
        act { state in
            isFirst = !state.isServiceAsked
            state.isServiceAsked = true
        }
        if isFirst { peripheral.add(service) }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {
        act { state in
            if let error {
                state.notes.append(.problem("the service can't be added: \(error.localizedDescription)"))
            } else {
                state.hasService = true
            }
        }
    }

    public func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?
    ) {
        guard let error else { return }
        act { $0.notes.append(.problem("it can't advertise: \(error.localizedDescription)")) }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
    ) {
        guard let first = requests.first else { return }
        guard let value = Self.joined(requests) else {
            return peripheral.respond(to: first, withResult: .invalidOffset)
        }
        guard value.count <= configuration.dialect.limits.valueOctets else {
            return peripheral.respond(to: first, withResult: .invalidAttributeValueLength)
        }
        peripheral.respond(to: first, withResult: .success)
        let now = adapter.time.now
        act { state in
            guard let link = Self.link(of: first.central, state) else { return }
            state.engine.receive(value, on: link, at: now)
        }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        subscribe(central, true)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        subscribe(central, false)
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        act { _ in }
    }

    /// Returns the joined parts of a long write; nil unless they are consecutive from the start.
    private static func joined(_ requests: [CBATTRequest]) -> [UInt8]? {
        var value: [UInt8] = []
        for request in requests {
            guard request.offset == value.count else { return nil }
            value += request.value ?? Data()
        }
        return value
    }

    private static func link(of central: CBCentral, _ state: State) -> CarLinkID? {
        state.centrals.first { $0.value === central }?.key
    }

    private func subscribe(_ central: CBCentral, _ isSubscribed: Bool) {
        act { state in
            guard let link = Self.link(of: central, state) else { return }
            state.engine.links[link]?.isSubscribed = isSubscribed
        }
    }

    func began(_ central: CBCentral) {
        act { state in
            let link = CarLinkID(rawValue: state.nextLink)
            state.nextLink += 1
            state.centrals[link] = central
            state.engine.begin(link, central.address)
        }
    }

    func ended(_ central: CBCentral) {
        act { state in
            guard let link = Self.link(of: central, state) else { return }
            state.centrals[link] = nil
            state.waiting.removeAll { $0.link == link }
            state.engine.end(link)
        }
    }
}

struct CarLinkID: Hashable, Comparable, Sendable {
    var rawValue: UInt64

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

struct CarLink: Sendable {
    let peer: DeviceAddress
    var reassembler: Reassembler
    /// The commands from the first fragments of open messages, by message id.
    var commands: [UInt64: UInt64] = [:]
    /// The fields of a started authentication, valid for one attempt to finish it.
    var begun: FormulaVariables?
    var session: CarSession?
    /// Whether an impostor answers instead of the car.
    var isImpostor = false
    /// Whether the phone has subscribed to notifications, without which it gets no events.
    var isSubscribed = false
    /// Whether the phone tried a pairing code, and whether it activated a key.
    var hasUsedCode = false
    var hasActivated = false
    var lastEventID: UInt64?

    init(_ peer: DeviceAddress, _ dialect: Dialect) {
        self.peer = peer
        reassembler = Reassembler(limits: dialect.reassemblyLimits)
    }
}

struct CarSession: Sendable {
    let cipher: SessionCipher?
    let keyID: [UInt8]
    let end: Instant
    /// The counter of the next message to the phone.
    var next: UInt64
    var highest: UInt64?
}

enum CarOutput: Sendable {
    /// Sends a complete message to a phone.
    case send([UInt8], id: UInt64, to: CarLinkID)
    case note(CarEvent)
}
