import Analysis
import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import LEHost
import Runtime
import WireBytes

/// Repeats a recorded host's actions by public API calls, for logs of any device.
///
/// It scans, connects, discovers, reads, writes, subscribes and disconnects. Actions without an API call are
/// performed directly at the host.
final class GATTDriver: NSObject, @unchecked Sendable {
    /// A connection and its remaining steps.
    struct Visit {
        let session: GATTSession
        var peripheral: CBPeripheral { session.peripheral }
        var isReady = false
        /// The remaining steps in order; while `isBusy` is set, the first one is in progress.
        var steps: [HostStep] = []
        var isBusy = false
    }

    /// Longest scan for a device before connecting to it without an advertisement.
    static let scanLimit = Duration.seconds(10)

    private let adapter: BluetoothAdapter
    private let advertised: Set<DeviceAddress>
    private let listener: DriverListener
    private let connections: [Int: RecordedConnection]
    private var manager: CBCentralManager?
    private var wanted: [DeviceAddress] = []
    /// Connections that wait for the adapter to be on.
    private var early: [(number: Int, address: DeviceAddress)] = []
    /// Keyed by the number of the connection.
    private var visits: [Int: Visit] = [:]
    private var current: [DeviceAddress: Int] = [:]
    /// Connections to devices whose previous visit hasn't ended.
    private var held: [(number: Int, address: DeviceAddress)] = []
    private(set) var notes: [String] = []
    private(set) var given = 0
    /// Subscriptions of the log that no API call can make.
    private(set) var unjudged: [Obstacle] = []

    /// - Parameters:
    ///   - adapter: the adapter of the manager.
    ///   - delivery: its inline queue, which runs on the pumping thread, is the manager's callback queue.
    ///   - listener: receives each callback.
    init(
        _ model: SessionModel, on adapter: BluetoothAdapter, delivery: SettlingDelivery,
        listener: DriverListener
    ) {
        self.adapter = adapter
        self.listener = listener
        connections = Dictionary(uniqueKeysWithValues: model.connections.map { ($0.number, $0) })
        advertised = Set(model.advertising.reports.map(\.address))
        super.init()
        manager = CBCentralManager(delegate: self, queue: delivery.inline, options: nil, adapter: adapter)
    }

    func take(_ turn: HostTurn) {
        switch turn {
        case .connect(let number, let address):
            guard manager?.state == .poweredOn else { return early.append((number, address)) }
            connect(connection: number, address)
        case .giveUp(let number, _):
            if let visit = visits[number] { manager?.cancelPeripheralConnection(visit.peripheral) }
        case .step(let number, let step):
            guard visits[number] != nil else {
                return notes.append("frame \(step.frame) came as connection \(number) was gone already")
            }
            visits[number]?.steps.append(step)
            advance(connection: number)
        }
    }

    var stateLines: [String] {
        visits.keys.sorted().compactMap { number in
            guard let visit = visits[number] else { return nil }
            let address = visit.peripheral.address
            let state = ["disconnected", "connecting", "connected", "disconnecting"]
            let busy = visit.isBusy ? "one call in flight" : "no call in flight"
            return "\(address) \(state[visit.peripheral.state.rawValue]), "
                + (visit.isReady ? "discovered" : "\(visit.session.discoveries) discoveries in flight")
                + ", \(busy), \(visit.steps.count) calls to be made"
        }
    }

    // MARK: Connecting

    private func connect(connection number: Int, _ address: DeviceAddress) {
        guard let manager, let peripheral = manager.peripheral(at: address) else { return }
        // The end of the previous connection may not be reported yet.
        guard current[address] == nil else { return held.append((number, address)) }
        visits[number] = Visit(
            session: GATTSession(peripheral) { [weak self] in self?.take($0, $1, connection: number) })
        current[address] = number
        // A failed attempt is repeated without waiting for an advertisement.
        let isConnection = connections[number]?.status == .success
        guard advertised.contains(address), isConnection else { return manager.connect(peripheral) }
        wanted.append(address)
        manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        adapter.asyncAfter(Self.scanLimit, on: manager.callbackQueue) { [weak self] in self?.found(address) }
    }

    private func found(_ address: DeviceAddress) {
        guard let place = wanted.firstIndex(of: address), let number = current[address],
            let visit = visits[number]
        else { return }
        wanted.remove(at: place)
        if wanted.isEmpty { manager?.stopScan() }
        manager?.connect(visit.peripheral)
    }

    /// Ends a visit and starts the next one to the same device.
    private func ended(_ address: DeviceAddress) {
        guard let number = current.removeValue(forKey: address) else { return }
        visits[number] = nil
        guard let next = held.firstIndex(where: { $0.address == address }) else { return }
        connect(connection: held.remove(at: next).number, address)
    }

    // MARK: Steps

    private func advance(connection number: Int) {
        guard let visit = visits[number], visit.isReady, !visit.isBusy, let step = visit.steps.first else {
            return
        }
        visits[number]?.isBusy = true
        perform(step, visit.peripheral, connection: number)
    }

    private func done(connection number: Int) {
        guard let visit = visits[number], visit.isBusy else { return }
        visits[number]?.isBusy = false
        if !visit.steps.isEmpty { visits[number]?.steps.removeFirst() }
        advance(connection: number)
    }

    private func perform(_ step: HostStep, _ peripheral: CBPeripheral, connection number: Int) {
        switch step.action {
        case .read(let handle):
            if let one = peripheral.characteristic(at: handle) { return peripheral.readValue(for: one) }
            if let one = peripheral.descriptor(handle: handle) { return peripheral.readValue(for: one) }
            perform(.read(handle), step, peripheral, connection: number)
        case .write(let handle, let value, let withResponse):
            given += 1
            if let one = peripheral.characteristic(at: handle) {
                peripheral.writeValue(
                    Data(value), for: one, type: withResponse ? .withResponse : .withoutResponse)
                if !withResponse { done(connection: number) }
            } else if let one = peripheral.descriptor(handle: handle), withResponse {
                peripheral.writeValue(Data(value), for: one)
            } else if withResponse {
                perform(.write(handle, value), step, peripheral, connection: number)
            } else {
                noteHost(step)
                peripheral.writeCommand(value, to: handle)
                done(connection: number)
            }
        case .configure(let handle, let value):
            guard let one = peripheral.descriptor(handle: handle)?.characteristic else {
                // Without discovery this may be the value that the API writes.
                if ![[0, 0], [1, 0], [2, 0]].contains(value) {
                    unjudged.note(.noCall, frame: step.frame, connection: number)
                }
                return perform(.write(handle, value), step, peripheral, connection: number)
            }
            if one.isWritten(value) {
                peripheral.setNotifyValue(value.contains { $0 != 0 }, for: one)
            } else {
                noteHost(step)
                if !one.mayBeWritten(value), connections[number]?.database.isDiscovered(handle) == true {
                    unjudged.note(.noCall, frame: step.frame, connection: number)
                }
                peripheral.configure(value, for: one)
            }
        case .request(let octets):
            given += 1
            perform(.request(octets), step, peripheral, connection: number)
        case .disconnect(let reason): manager?.cancelPeripheralConnection(peripheral, reason: reason)
        // The host does these by itself.
        case .confirm, .serve, .signal, .security, .pair, .encrypt: done(connection: number)
        }
    }

    /// Performs a step directly at the host, since the API has no call for it.
    private func perform(
        _ operation: GATTOperation, _ step: HostStep, _ peripheral: CBPeripheral, connection number: Int
    ) {
        noteHost(step)
        peripheral.perform(operation) { [weak self] result in
            guard let self else { return }
            let database = connections[number]?.database
            if let event = step.callback(for: result, database) { listener.tell(event, peripheral.address) }
            listener.note("host: frame \(step.frame) \(result.failure.text)")
            done(connection: number)
        }
    }

    private func noteHost(_ step: HostStep) {
        // A step that no frame shows follows from another one.
        guard step.frame > 0 else { return }
        notes.append("frame \(step.frame) has no call in the API: it is done at the host itself")
    }
}

extension PeerDatabase {
    /// Whether the characteristic of a descriptor was discovered, rather than inferred from its use.
    fileprivate func isDiscovered(_ descriptor: UInt16) -> Bool {
        attributes.last { $0.handle < descriptor && $0.type == .characteristicDeclaration }?.source
            == .discovered
    }
}

extension CBCharacteristic {
    /// Whether ``CBPeripheral/setNotifyValue(_:for:)`` writes this configuration at all.
    fileprivate func mayBeWritten(_ value: [UInt8]) -> Bool {
        switch value {
        case [0, 0]: true
        case [1, 0]: properties.contains(.notify)
        case [2, 0]: properties.contains(.indicate) && !properties.contains(.notify)
        default: false
        }
    }

    /// Whether the call would write this configuration in the current state.
    fileprivate func isWritten(_ value: [UInt8]) -> Bool {
        mayBeWritten(value) && isNotifying == (value == [0, 0])
    }
}

extension HostStep {
    /// Returns the callback that corresponds to an operation at the host; nil if the link was lost.
    fileprivate func callback(
        for result: Result<GATTOutcome, any Error>, _ database: PeerDatabase?
    ) -> ApplicationEvent? {
        let refusal = result.failure.flatMap(\.refusal)
        if result.failure != nil, refusal == nil { return nil }
        switch (action, result) {
        case (.read(let handle), .success(.value(let value))): return .value(handle: handle, value)
        case (.read(let handle), _): return refusal.map { .readFailed(handle: handle, $0) }
        case (.write(let handle, _, _), _): return .written(handle: handle, refusal)
        case (.configure(let handle, _), _):
            return database?.valueHandle(ofConfiguration: handle).map { .configured(handle: $0, refusal) }
        case (_, .success(.response(let octets))): return .response(octets)
        default: return refusal.map { .requestFailed($0) }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate var failure: (any Error)? {
        if case .failure(let error) = self { return error }
        return nil
    }
}

extension GATTDriver: GATTCentral {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        listener.note("central state \(central.state)")
        guard central.state == .poweredOn else { return }
        let waiting = early
        early = []
        for one in waiting { connect(connection: one.number, one.address) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard wanted.contains(peripheral.address) else { return }
        listener.note("didDiscover \(peripheral.address) \(rssi) dBm")
        found(peripheral.address)
    }
}

// Events of the devices.
extension GATTDriver {
    private func take(_ event: GATTSession.Event, _ session: GATTSession, connection number: Int) {
        let address = session.peripheral.address
        switch event {
        case .connected:
            listener.note("didConnect \(address)")
            session.discover(isDeep: true)
        case .connectFailed(let error):
            listener.note("didFailToConnect \(address) \(error.text)")
            ended(address)
        case .disconnected(let error):
            listener.note("didDisconnect \(address) \(error.text)")
            ended(address)
        case .services(let error):
            listener.note("didDiscoverServices \(session.peripheral.services?.count ?? 0) \(error.text)")
        case .characteristics(let one, let error):
            let count = one.characteristics?.count ?? 0
            listener.note("didDiscoverCharacteristics \(one.uuid) \(count) \(error.text)")
        case .discovered: discovered(connection: number)
        case .value(let attribute, let value, let error):
            listener.note("didUpdateValue \(attribute.uuid) \(Hex.text(value)) \(error.text)")
            if let one = attribute as? CBCharacteristic {
                guard case .read(let handle)? = visits[number]?.steps.first?.action,
                    handle == one.valueHandle
                else { return }
            }
            done(connection: number)
        case .written(let attribute, let error):
            listener.note("didWriteValue \(attribute.uuid) \(error.text)")
            done(connection: number)
        case .subscription(let one, let error):
            listener.note("didUpdateNotificationState \(one.uuid) \(one.isNotifying) \(error.text)")
            done(connection: number)
        case .descriptors, .strength, .readyToWrite, .modified: break
        }
    }

    private func discovered(connection number: Int) {
        visits[number]?.isReady = true
        // If the log begins in mid-connection, subscriptions from before it are made first.
        let earlier = connections[number]?.earlierSubscriptions ?? []
        visits[number]?.steps.insert(contentsOf: earlier.map(HostStep.init(subscribingTo:)), at: 0)
        advance(connection: number)
    }
}

extension HostStep {
    /// A subscription made before the log began.
    fileprivate init(subscribingTo configuration: UInt16) {
        self.init(
            index: -1, action: .configure(handle: configuration, value: [1, 0]), frame: 0, time: .zero,
            lastTime: .zero, pdus: [])
    }
}

extension CBPeripheral {
    fileprivate func descriptor(handle: UInt16) -> CBDescriptor? {
        characteristics.flatMap { $0.descriptors ?? [] }.first { $0.attributeHandle == handle }
    }
}

extension (any Error)? {
    /// The domain and number of a callback's error, for transcripts: they stay the same when texts change.
    var text: String {
        switch self {
        case nil: "ok"
        case let error as CBError: "CBError \(error.errorCode)"
        case let error as CBATTError: "CBATTError \(error.errorCode)"
        case let error?: "\(type(of: error))"
        }
    }
}
