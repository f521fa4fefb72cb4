import BluetoothCore
@_spi(Host) import CoreBluetooth
import UQDK

/// The link to the car with one MAC: it connects, writes messages in fragments, and puts those of the car
/// together.
///
/// It is used in its queue alone, like all parts of the manager; hence the unchecked conformance.
final class UQDKBleAdapter: @unchecked Sendable {
    /// What the adapter is about.
    enum Action: Hashable, Sendable {
        case none, connect, disconnect
    }

    let mac: DeviceAddress
    let dialect: Dialect
    let options: UQDKBleOptions
    let queue: UQDKQueue
    let centralManager: UQDKCentralManager
    let peripheralManager: UQDKPeripheralManager
    var writingQueue = UQDKWritingQueue()
    var receivingQueue: UQDKReceivingQueue
    /// Whether a value waits for its write response, and of which message it is.
    var isWriting = false
    var writingID: UInt64?
    var receivingTimer: UQDKTimer?
    private(set) var machine = UQDKBleStatusMachine()
    private(set) var currentAction = Action.none
    /// Whether a connect is wanted: one that was cancelled does not start when power arrives later.
    private(set) var isActiveConnect = false
    private var notificationTriesLeft = 0
    private var peripheral: CBPeripheral?
    private var connectCallback: ((UQDKBleError?) -> Void)?
    private var disconnectCallbacks: [() -> Void] = []
    private var phaseTimer: UQDKTimer?
    /// Why the link is being ended, where that is a failure.
    private var failure: UQDKBleError?

    /// Hears of each change of the status.
    var onStatus: ((UQDKBleStatus) -> Void)?
    /// Hears that the link has no more commands to wait for, before the status says so.
    var onLinkEnds: ((UQDKBleError) -> Void)?
    /// Hears the Info value.
    var onInfo: (([UInt8]) -> Void)?
    /// Hears each whole message of the car.
    var onMessage: ((UInt64, [UInt8]) -> Void)?
    /// Hears of what is not taken.
    var onProblem: ((UQDKBleProblem) -> Void)?
    /// Hears that the last fragment of a message goes, and that a message could not be written.
    var onWritten: ((UInt64) -> Void)?
    var onWriteFailed: ((UInt64) -> Void)?

    init(_ mac: DeviceAddress, _ dialect: Dialect, _ options: UQDKBleOptions, _ context: ManagerContext) {
        self.mac = mac
        self.dialect = dialect
        self.options = options
        centralManager = UQDKCentralManager(options, context)
        queue = centralManager.queue
        peripheralManager = UQDKPeripheralManager(dialect)
        receivingQueue = UQDKReceivingQueue(dialect)
        centralManager.onState = { [weak self] in self?.radioDidChange($0) }
        centralManager.onLink = { [weak self] in self?.linkDidChange($0, $1) }
        peripheralManager.onEvent = { [weak self] in self?.take($0) }
    }

    var status: UQDKBleStatus { machine.current }

    /// Goes on to a status where the table allows it.
    func become(_ status: UQDKBleStatus) {
        guard machine.go(to: status) else { return }
        onStatus?(status)
    }

    // MARK: Connecting

    /// Connects; `callback` is called once.
    func connect(_ callback: @escaping (UQDKBleError?) -> Void) {
        switch status.kind {
        case .disconnected, .failed: break
        case .ready, .authenticating: return callback(.alreadyConnected)
        case .disconnecting: return callback(.isDisconnecting)
        default: return callback(.alreadyConnecting)
        }
        connectCallback = callback
        currentAction = .connect
        isActiveConnect = true
        failure = nil
        become(.scanning)
        centralManager.stateDidUpdate { [weak self] state in
            guard let self, isActiveConnect, status == .scanning, !centralManager.isScanning else { return }
            stateIsKnown(state)
        }
    }

    private func stateIsKnown(_ state: CBManagerState) {
        switch state {
        case .poweredOn:
            guard isAvailable else { return end(.connectedElsewhere) }
            startScanning()
        case .poweredOff, .resetting, .unknown:
            guard options.waitsForPower else { return end(.bluetooth(state)) }
            startScanning()
        case .unsupported, .unauthorized: end(.bluetooth(state))
        }
    }

    // The API names no address, so a link of another program is known by what this manager knew of the car
    // before, or by a name that is the MAC.
    private var isAvailable: Bool {
        let known = peripheral?.identifier
        return !centralManager.connectedElsewhere([CBUUID(dialect.gatt.service)]).contains {
            $0.identifier == known || UQDKPeripheral.spells(mac, $0.name, dialect)
        }
    }

    private func startScanning() {
        centralManager.startScanning { [weak self] in
            self?.didDiscover($0)
        } timedOut: { [weak self] in
            self?.end(.scanTimedOut)
        }
    }

    private func didDiscover(_ found: UQDKPeripheral) {
        guard isActiveConnect, status == .scanning, found.matches(mac, dialect) else { return }
        // A link is made to a car that is no longer looked for: first the scan ends.
        centralManager.stopScanning()
        peripheral = found.peripheral
        become(.connecting)
        limit(options.connectTimeout, .connectTimedOut)
        centralManager.connect(found.peripheral)
    }

    private func linkDidChange(_ peripheral: CBPeripheral, _ event: UQDKCentralManager.LinkEvent) {
        // What an earlier link leaves behind may come while the next one is being looked for.
        guard peripheral === self.peripheral, status != .scanning else { return }
        switch event {
        case .connected:
            guard status == .connecting else { return }
            become(.discovering)
            limit(options.discoveryTimeout, .discoveryTimedOut)
            if let wanted = options.connectionParameters { peripheral.update(wanted) }
            peripheralManager.begin(peripheral)
        case .failed(let code): end(.connectFailed(code))
        case .disconnected(let code): end(status == .disconnecting ? failure : .linkLost(code))
        }
    }

    private func radioDidChange(_ state: CBManagerState) {
        guard state != .poweredOn else { return }
        switch status.kind {
        case .disconnected, .failed: break
        case .scanning:
            let isUsable = state.rawValue > CBManagerState.unauthorized.rawValue || state == .resetting
            if !isUsable || !options.waitsForPower { end(.bluetooth(state)) }
        case .disconnecting: end(failure)
        default: end(.bluetooth(state))
        }
    }

    private func take(_ event: UQDKPeripheralManager.Event) {
        switch (event, status.kind) {
        case (.discovered(let info), .discovering):
            onInfo?(info)
            become(.subscribing)
            limit(options.discoveryTimeout, .discoveryTimedOut)
            notificationTriesLeft = max(1, options.notificationTries)
            subscribe()
        case (.subscribed, .subscribing):
            phaseTimer?.cancel()
            become(.ready)
            let callback = connectCallback
            connectCallback = nil
            currentAction = .none
            callback?(nil)
        case (.subscriptionRefused, .subscribing): subscribe()
        case (.failed(let error), _): drop(error)
        case (.value(let value), .ready), (.value(let value), .authenticating): received(value)
        case (.value(let value), .subscribing): received(value)
        case (.written(let isDone), _): didWrite(isDone)
        case (.readyToWrite, _): pump()
        default: break
        }
    }

    private func subscribe() {
        guard notificationTriesLeft > 0 else { return drop(.notificationsRefused) }
        notificationTriesLeft -= 1
        peripheralManager.subscribe()
    }

    private func limit(_ duration: Duration, _ error: UQDKBleError) {
        phaseTimer?.cancel()
        phaseTimer = queue.after(duration) { [weak self] in self?.drop(error) }
    }

    // MARK: Ending

    /// Ends the link, or what leads to one; `callback` is called once there is none.
    func disconnect(_ callback: @escaping () -> Void) {
        isActiveConnect = false
        switch status.kind {
        case .disconnected: return callback()
        case .failed:
            become(.disconnected)
            return callback()
        default:
            disconnectCallbacks.append(callback)
            currentAction = .disconnect
            drop(nil)
        }
    }

    /// Ends what there is, because of a failure or, with nil, because it is not wanted any more.
    func drop(_ error: UQDKBleError?) {
        phaseTimer?.cancel()
        isActiveConnect = false
        switch status.kind {
        case .disconnected, .failed: return
        case .disconnecting:
            // Who disconnects while a failure is ending the link wants no failure any more.
            if error == nil { failure = nil }
            return
        case .scanning: return end(error)
        default: break
        }
        failure = error
        onLinkEnds?(error ?? .cancelled)
        become(.disconnecting)
        forget()
        if let peripheral { centralManager.cancel(peripheral) }
    }

    // There is no link, nor anything that leads to one.
    private func end(_ error: UQDKBleError?) {
        guard status.kind != .disconnected, status.kind != .failed else { return }
        phaseTimer?.cancel()
        isActiveConnect = false
        currentAction = .none
        centralManager.stopScanning()
        onLinkEnds?(error ?? .cancelled)
        forget()
        failure = nil
        become(error.map { .failed($0) } ?? .disconnected)
        let (connect, disconnects) = (connectCallback, disconnectCallbacks)
        connectCallback = nil
        disconnectCallbacks = []
        connect?(error ?? .cancelled)
        for callback in disconnects { callback() }
    }

    private func forget() {
        writingQueue = UQDKWritingQueue()
        receivingQueue = UQDKReceivingQueue(dialect)
        receivingTimer?.cancel()
        isWriting = false
        peripheralManager.reset()
    }
}
