@_spi(Host) public import CoreBluetooth
import Foundation
public import Gadgets
import Synchronization
import WireBytes

/// The client of the band named MI: finds it, subscribes to its answers, and requests its battery level.
///
/// Methods may be called from anywhere; they run in the queue of the context, which also receives all
/// callbacks. All state except `handlers` is used only in that queue; hence the unchecked conformance.
public final class BandClient: @unchecked Sendable {
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
    let central: UQDKCentralManager
    var session: GATTSession?
    var answering: CBCharacteristic?
    var commanding: CBCharacteristic?
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
        var scan = UQDKBleOptions()
        scan.scanServices = [Self.service]
        scan.scanTimeout = options.scanTimeout
        scan.allowsDuplicates = options.allowsDuplicates
        central = UQDKCentralManager(scan, context, manager)
        central.onState = { [weak self] in self?.radioDidChange($0) }
        central.onRestored = { [weak self] in
            guard let self, session == nil, let first = $0.first else { return }
            session = makeSession(first)
        }
    }

    var peripheral: CBPeripheral? { session?.peripheral }
    private var queue: UQDKQueue { central.queue }

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
            let all = peripheral?.characteristics ?? []
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
            stateDidChange()
        }
    }

    private func begin() {
        guard connecting != nil, !central.isScanning, central.state == .poweredOn else { return }
        // A restored peripheral needs no scan.
        if let session { return link(session) }
        central.startScanning { [weak self] in
            self?.didDiscover($0)
        } timedOut: { [weak self] in
            self?.end(.scanTimedOut)
        }
    }

    private func didDiscover(_ found: UQDKPeripheral) {
        let name = found.advertisement[CBAdvertisementDataLocalNameKey] as? String ?? found.peripheral.name
        let device = BandDevice(
            name: name, address: AdvertisedAddress.of(found.advertisement).map { "\($0)" },
            strength: BandDevice.strength(rssi: found.rssi))
        let handler = handlers.withLock { $0.found }
        handler?(device)
        guard name == options.name else { return }
        central.stopScanning()
        let session = makeSession(found.peripheral)
        self.session = session
        link(session)
    }

    private func makeSession(_ peripheral: CBPeripheral) -> GATTSession {
        GATTSession(peripheral) { [weak self] in self?.take($0, $1) }
    }

    private func link(_ session: GATTSession) {
        limit(options.connectTimeout, .connectTimedOut)
        if session.peripheral.state == .connected {
            discover(session)
        } else {
            central.connect(session.peripheral)
        }
    }

    private func discover(_ session: GATTSession) {
        session.discover([Self.answers, Self.commands], of: Self.service, isAll: options.discoversEverything)
    }

    private func limit(_ duration: Duration, _ error: BandError) {
        timer?.cancel()
        timer = queue.after(duration) { [weak self] in self?.end(error) }
    }

    private func subscribed() {
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

    private func end(_ error: BandError) {
        central.stopScanning()
        if let peripheral, peripheral.state != .disconnected, central.state == .poweredOn {
            central.cancel(peripheral)
        }
        forget(error)
    }

    /// Forgets the band and fails all pending calls.
    private func forget(_ error: BandError) {
        let wasLinked = answering != nil
        timer?.cancel()
        session?.end()
        (session, answering, commanding) = (nil, nil, nil)
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
    private func take(_ value: [UInt8]) {
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

// Events of the radio and the band.
extension BandClient {
    private func radioDidChange(_ state: CBManagerState) {
        let handler = handlers.withLock { $0.state }
        handler?(state)
        stateDidChange()
    }

    /// Starts with power, waits without it, and fails with the reason if there can't be any.
    private func stateDidChange() {
        switch central.state {
        case .poweredOn: begin()
        case .poweredOff, .resetting:
            // The link is gone; a connect waits for the power.
            let waiting = answering == nil ? connecting : nil
            connecting = nil
            forget(.bluetooth(central.state))
            connecting = waiting
        case .unsupported, .unauthorized: end(.bluetooth(central.state))
        case .unknown: break
        }
    }

    private func take(_ event: GATTSession.Event, _ session: GATTSession) {
        switch event {
        case .connected: discover(session)
        case .connectFailed: forget(.connectFailed)
        case .disconnected: forget(.notConnected)
        case .discovered(let error):
            guard let answers = session.characteristic(Self.answers),
                let commands = session.characteristic(Self.commands), error == nil
            else { return end(.notABand) }
            (answering, commanding) = (answers, commands)
            session.peripheral.setNotifyValue(true, for: answers)
        case .subscription(let characteristic, let error) where characteristic === answering:
            if error == nil, characteristic.isNotifying { return subscribed() }
            end(connecting == nil ? .cancelled : .notABand)
        case .value(let attribute, let value, let error) where attribute === answering:
            guard let error else { return take(value) }
            guard !texts.isEmpty else { return }
            texts.removeFirst()(.failure(BandError(error)))
        case .written(let attribute, let error) where attribute === commanding:
            guard !writes.isEmpty else { return }
            writes.removeFirst()(error.map { BandError($0) })
        default: break
        }
    }
}

extension BandError {
    /// A refusal of the band, or the end of its link.
    fileprivate init(_ error: any Error) {
        self = (error as? CBATTError).map { .refused($0.code) } ?? .notConnected
    }
}
