import CoreBluetooth

// As an application for iOS has it, in the style of Swift 6: an actor that lives on the queue of its manager,
// async calls, a stream of values, and subclasses of the classes that may be subclassed.

/// Runs an actor's work on a queue, as the callbacks of a manager are.
final class QueueExecutor: SerialExecutor {
    let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

/// A manager that counts its connections and takes only those of its own queue.
class CountingCentralManager: CBCentralManager, @unchecked Sendable {
    private let queue: DispatchQueue?
    private(set) var connects = 0

    override init(
        delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
    ) {
        self.queue = queue
        super.init(delegate: delegate, queue: queue, options: options)
    }

    override func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        dispatchPrecondition(condition: .onQueue(queue ?? .main))
        connects += 1
        super.connect(peripheral, options: options)
    }
}

/// Finds a pulse sensor, and reads so many values that it sends by itself.
actor PulseReader {
    enum Failure: Error {
        case busy
        case noRadio(CBManagerState)
        case noPulse
    }

    static let service = CBUUID(string: "180D")
    static let measurement = CBUUID(string: "2A37")

    private enum Step: Hashable { case power, discovery, connection, services, characteristics, descriptors }

    private let executor = QueueExecutor(label: "pulse")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var queue: DispatchQueue { executor.queue }

    private let events = PulseEvents()
    private let central: CountingCentralManager
    private var steps: [Step: CheckedContinuation<Void, any Error>] = [:]
    private var sensor: CBPeripheral?
    private var values: AsyncStream<Data>.Continuation?
    private(set) var log: [String] = []

    init() {
        // The two-argument initializer comes with the overridden one.
        central = CountingCentralManager(delegate: events, queue: executor.queue)
        events.reader = self
    }

    var connects: Int { central.connects }

    /// Connects, subscribes, takes values and disconnects.
    func pulses(_ count: Int) async throws -> [Data] {
        guard sensor == nil else { throw Failure.busy }
        if central.state != .poweredOn { try await step(.power) {} }
        try await step(.discovery) {
            central.scanForPeripherals(withServices: [Self.service])
        }
        guard let sensor else { throw Failure.noPulse }
        // It is kept until the end of the link is told.
        defer { central.cancelPeripheralConnection(sensor) }
        try await step(.connection) { central.connect(sensor) }
        sensor.delegate = events
        try await step(.services) { sensor.discoverServices([Self.service]) }
        guard let service = sensor.services?.first(where: { $0.uuid == Self.service }) else {
            throw Failure.noPulse
        }
        try await step(.characteristics) { sensor.discoverCharacteristics(nil, for: service) }
        guard let measurement = service.characteristics?.first(where: \.isPulse) else {
            throw Failure.noPulse
        }
        try await step(.descriptors) { sensor.discoverDescriptors(for: measurement) }
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        values = continuation
        sensor.setNotifyValue(true, for: measurement)
        var found: [Data] = []
        for await value in stream {
            found.append(value)
            if found.count == count { break }
        }
        return found
    }

    private func step(_ step: Step, _ start: () -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            steps[step] = continuation
            start()
        }
    }

    private func end(_ step: Step, _ error: (any Error)? = nil) {
        guard let continuation = steps.removeValue(forKey: step) else { return }
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }

    // What the delegate hears is heard on this actor's queue.

    fileprivate func stateDidChange(_ state: CBManagerState) {
        switch state {
        case .poweredOn: end(.power)
        case .unsupported, .unauthorized, .poweredOff: end(.power, Failure.noRadio(state))
        case .unknown, .resetting: break
        @unknown default: break
        }
    }

    fileprivate func found(_ peripheral: CBPeripheral, _ name: String?) {
        guard sensor == nil else { return }
        log.append("found \(name ?? "?")")
        sensor = peripheral
        central.stopScan()
        end(.discovery)
    }

    fileprivate func connected(_ error: (any Error)?) { end(.connection, error) }

    fileprivate func disconnected(_ error: (any Error)?) {
        log.append("disconnected \((error as? CBError)?.code.rawValue ?? -1)")
        for step in steps.keys { end(step, error ?? CBError(.peripheralDisconnected)) }
        values?.finish()
        sensor = nil
    }

    fileprivate func servicesFound(_ error: (any Error)?) { end(.services, error) }
    fileprivate func characteristicsFound(_ error: (any Error)?) { end(.characteristics, error) }

    fileprivate func descriptorsFound(_ characteristic: CBCharacteristic, _ error: (any Error)?) {
        log += (characteristic.descriptors ?? []).map(\.uuid.uuidString)
        end(.descriptors, error)
    }

    fileprivate func valueCame(_ value: Data?) {
        if let value { values?.yield(value) }
    }
}

extension CBCharacteristic {
    fileprivate var isPulse: Bool {
        uuid == PulseReader.measurement && properties.isSuperset(of: [.notify, .read])
    }
}

/// Hands the callbacks over to the actor, on whose queue they come.
private final class PulseEvents: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable
{
    weak var reader: PulseReader?

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        let state = central.state
        reader?.assumeIsolated { $0.stateDidChange(state) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        reader?.assumeIsolated { $0.found(peripheral, name) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        reader?.assumeIsolated { $0.connected(nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        reader?.assumeIsolated { $0.connected(error ?? CBError(.connectionFailed)) }
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        reader?.assumeIsolated { $0.disconnected(error) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        reader?.assumeIsolated { $0.servicesFound(error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        reader?.assumeIsolated { $0.characteristicsFound(error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        reader?.assumeIsolated { $0.descriptorsFound(characteristic, error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        reader?.assumeIsolated { $0.valueCame(characteristic.value) }
    }
}
