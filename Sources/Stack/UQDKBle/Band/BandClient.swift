@_spi(Host) public import CoreBluetooth
public import Foundation
public import Gadgets
import Synchronization
import WireBytes

/// The client of the band named MI: finds it, subscribes to its answers, and requests its battery level.
///
/// Methods may be called from anywhere; they run in the queue of the context, which also receives all
/// callbacks. All state except `handlers` is used only in that queue; hence the unchecked conformance.
public final class BandClient: NSObject, @unchecked Sendable {
    /// Receives the outcome of an action, once.
    public typealias Completion<Value> = @Sendable (Result<Value, BandError>) -> Void

    struct Handlers {
        var state: (@Sendable (CBManagerState) -> Void)?
        var found: (@Sendable (BandDevice) -> Void)?
        var value: (@Sendable ([UInt8]) -> Void)?
        var closed: (@Sendable () -> Void)?
    }

    static let service = CBUUID(string: "FEE0")
    static let answers = CBUUID(string: "FF01")
    static let commands = CBUUID(string: "FF02")

    let handlers = Mutex(Handlers())
    let options: BandOptions
    let central: CBCentralManager
    let queue: UQDKQueue
    var peripheral: CBPeripheral?
    var answering: CBCharacteristic?
    var commanding: CBCharacteristic?
    var isScanning = false
    var timer: UQDKTimer?
    var connecting: (@Sendable (BandError?) -> Void)?
    /// Completions waiting for a battery level, a text and a write, each in the order of the calls.
    var batteries: [(completion: Completion<BandBattery>, timer: UQDKTimer)] = []
    var texts: [Completion<String>] = []
    var writes: [@Sendable (BandError?) -> Void] = []

    public init(options: BandOptions = BandOptions(), context: ManagerContext = ManagerContext()) {
        self.options = options
        var manager: [String: Any] = [CBCentralManagerOptionShowPowerAlertKey: options.showsPowerAlert]
        manager[CBCentralManagerOptionRestoreIdentifierKey] = options.restoreIdentifier
        central = CBCentralManager(delegate: nil, options: manager, context: context)
        queue = UQDKQueue(central)
        super.init()
        central.delegate = self
    }

    /// Called on each change of the radio's state.
    public var onState: (@Sendable (CBManagerState) -> Void)? {
        get { handlers.withLock { $0.state } }
        set { handlers.withLock { $0.state = newValue } }
    }

    /// Called for each device that a scan finds.
    public var onFound: (@Sendable (BandDevice) -> Void)? {
        get { handlers.withLock { $0.found } }
        set { handlers.withLock { $0.found = newValue } }
    }

    /// Called for each value that the band sends by itself.
    public var onValue: (@Sendable ([UInt8]) -> Void)? {
        get { handlers.withLock { $0.value } }
        set { handlers.withLock { $0.value = newValue } }
    }

    /// Called when a link has ended.
    public var onClosed: (@Sendable () -> Void)? {
        get { handlers.withLock { $0.closed } }
        set { handlers.withLock { $0.closed = newValue } }
    }

    /// Passes the property names of the discovered characteristics, by UUID.
    public func describe(_ completion: @escaping @Sendable ([String: [String]]) -> Void) {
        queue.run { [self] in
            let all = (peripheral?.services ?? []).flatMap { $0.characteristics ?? [] }
            completion(
                Dictionary(all.map { ($0.uuid.uuidString, $0.properties.names) }) { first, _ in first })
        }
    }

    // MARK: Connecting

    /// Scans for the band, connects and subscribes.
    public func connect(_ completion: @escaping @Sendable (BandError?) -> Void) {
        queue.run { [self] in
            guard connecting == nil, answering == nil else { return completion(.busy) }
            connecting = completion
            if central.state == .poweredOn { begin() } else { stateDidChange() }
        }
    }

    func begin() {
        guard connecting != nil, !isScanning, central.state == .poweredOn else { return }
        // A restored peripheral needs no scan.
        if let peripheral { return link(peripheral) }
        isScanning = true
        central.scanForPeripherals(
            withServices: [Self.service],
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: options.allowsDuplicates])
        limit(options.scanTimeout, .scanTimedOut)
    }

    func link(_ found: CBPeripheral) {
        peripheral = found
        found.delegate = self
        limit(options.connectTimeout, .connectTimedOut)
        if found.state == .connected { discover(found) } else { central.connect(found) }
    }

    func discover(_ peripheral: CBPeripheral) {
        peripheral.discoverServices(options.discoversEverything ? nil : [Self.service])
    }

    private func limit(_ duration: Duration, _ error: BandError) {
        timer?.cancel()
        timer = queue.after(duration) { [weak self] in self?.end(error) }
    }

    func subscribed() {
        timer?.cancel()
        let completion = connecting
        connecting = nil
        completion?(nil)
    }

    // MARK: Ending

    /// Turns notifications off, which also ends the link.
    public func stopNotifications() {
        queue.run { [self] in
            guard let peripheral, let answering else { return }
            peripheral.setNotifyValue(false, for: answering)
        }
    }

    /// Ends the scan and the link, then forgets all state.
    public func close() {
        queue.run { [self] in end(.cancelled) }
    }

    func end(_ error: BandError) {
        timer?.cancel()
        if isScanning {
            isScanning = false
            if central.state == .poweredOn { central.stopScan() }
        }
        if let peripheral, peripheral.state != .disconnected, central.state == .poweredOn {
            central.cancelPeripheralConnection(peripheral)
        }
        forget(error)
    }

    /// Forgets the band and fails all pending calls.
    func forget(_ error: BandError) {
        let wasLinked = answering != nil
        timer?.cancel()
        peripheral?.delegate = nil
        (peripheral, answering, commanding) = (nil, nil, nil)
        let (connecting, batteries, texts, writes) = (connecting, batteries, texts, writes)
        self.connecting = nil
        (self.batteries, self.texts, self.writes) = ([], [], [])
        connecting?(error)
        for one in batteries {
            one.timer.cancel()
            one.completion(.failure(error))
        }
        for completion in texts { completion(.failure(error)) }
        for completion in writes { completion(error) }
        let handler = handlers.withLock { $0.closed }
        if wasLinked { handler?() }
    }
}

// Values of the band: its battery, its text, and raw writes.
extension BandClient {
    /// Requests the battery's level: a command without response, answered by a notification.
    public func readBattery(_ completion: @escaping Completion<BandBattery>) {
        queue.run { [self] in
            guard let peripheral, let commanding, answering?.isNotifying == true else {
                return completion(.failure(.notConnected))
            }
            let timer = queue.after(options.answerTimeout) { [weak self] in self?.batteryDidTimeOut() }
            batteries.append((completion, timer))
            peripheral.writeValue(Data(BandBattery.command), for: commanding, type: .withoutResponse)
        }
    }

    // Answers come in the order of the commands with equal timeouts, so the first one is late.
    private func batteryDidTimeOut() {
        guard !batteries.isEmpty else { return }
        batteries.removeFirst().completion(.failure(.timedOut))
    }

    /// Reads the value of the answer characteristic as text.
    public func readText(_ completion: @escaping Completion<String>) {
        queue.run { [self] in
            guard let peripheral, let answering else { return completion(.failure(.notConnected)) }
            texts.append(completion)
            peripheral.readValue(for: answering)
        }
    }

    /// Writes bytes given in hexadecimal, with response.
    public func writeDataWithHexStr(
        _ text: String, _ completion: @escaping @Sendable (BandError?) -> Void
    ) {
        let octets: [UInt8]
        do throws(Hex.Problem) {
            octets = try HexText.octets(text, oddDigit: options.oddDigit)
        } catch {
            return queue.run { completion(.invalidHex(error)) }
        }
        queue.run { [self] in
            guard let peripheral, let commanding else { return completion(.notConnected) }
            let limit = peripheral.maximumWriteValueLength(for: .withoutResponse)
            guard octets.count <= limit else { return completion(.tooLong(limit: limit)) }
            writes.append(completion)
            peripheral.writeValue(Data(octets), for: commanding, type: .withResponse)
        }
    }

    /// Handles a value of the answer characteristic: read values are text, notified ones are answers.
    func take(_ value: [UInt8]) {
        let handler = handlers.withLock { $0.value }
        handler?(value)
        do throws(BandBattery.Problem) {
            let battery = try BandBattery(value)
            guard !batteries.isEmpty else { return }
            let first = batteries.removeFirst()
            first.timer.cancel()
            first.completion(.success(battery))
        } catch {
            // Reads and notifications have the same callback, but a text is not an answer.
            if !texts.isEmpty {
                let text = String(validating: value, as: UTF8.self)
                texts.removeFirst()(text.map { .success($0) } ?? .failure(.notText))
            } else if !batteries.isEmpty {
                let first = batteries.removeFirst()
                first.timer.cancel()
                first.completion(.failure(.badAnswer(error)))
            }
        }
    }
}

// Callbacks of the API.
extension BandClient: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        let handler = handlers.withLock { $0.state }
        handler?(central.state)
        stateDidChange()
    }

    /// Starts with power, waits without it, and fails with the reason if there can't be any.
    func stateDidChange() {
        switch central.state {
        case .poweredOn: begin()
        case .poweredOff, .resetting:
            // The scan and the link are gone; a connect waits for the power.
            isScanning = false
            timer?.cancel()
            let waiting = answering == nil ? connecting : nil
            connecting = nil
            forget(.bluetooth(central.state))
            connecting = waiting
        case .unsupported, .unauthorized: end(.bluetooth(central.state))
        case .unknown: break
        }
    }

    public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let restored = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        guard peripheral == nil, let first = restored.first else { return }
        peripheral = first
        first.delegate = self
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard isScanning else { return }
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? peripheral.name
        let device = BandDevice(
            name: name, address: AdvertisedAddress.of(advertisementData).map { "\($0)" },
            strength: BandDevice.strength(rssi: rssi.intValue))
        let handler = handlers.withLock { $0.found }
        handler?(device)
        guard name == options.name else { return }
        isScanning = false
        central.stopScan()
        link(peripheral)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        guard peripheral === self.peripheral else { return }
        discover(peripheral)
    }

    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        guard peripheral === self.peripheral else { return }
        forget(.connectFailed)
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        guard peripheral === self.peripheral else { return }
        forget(.notConnected)
    }
}

extension BandClient: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first(where: { $0.uuid == Self.service }) else {
            return end(.notABand)
        }
        peripheral.discoverCharacteristics(
            options.discoversEverything ? nil : [Self.answers, Self.commands], for: service)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        guard service.uuid == Self.service else { return }
        let all = service.characteristics ?? []
        guard let answers = all.first(where: { $0.uuid == Self.answers }),
            let commands = all.first(where: { $0.uuid == Self.commands }), error == nil
        else { return end(.notABand) }
        (answering, commanding) = (answers, commands)
        peripheral.setNotifyValue(true, for: answers)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard characteristic === answering else { return }
        if error == nil, characteristic.isNotifying { return subscribed() }
        end(connecting == nil ? .cancelled : .notABand)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard characteristic === answering else { return }
        if let error {
            guard !texts.isEmpty else { return }
            let code = (error as? CBATTError)?.code
            return texts.removeFirst()(.failure(code.map { .refused($0) } ?? .notConnected))
        }
        take(Array(characteristic.value ?? Data()))
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard characteristic === commanding, !writes.isEmpty else { return }
        let completion = writes.removeFirst()
        guard let error else { return completion(nil) }
        completion((error as? CBATTError).map { .refused($0.code) } ?? .notConnected)
    }
}
