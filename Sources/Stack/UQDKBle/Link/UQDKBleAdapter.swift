import BluetoothCore
@_spi(Host) import CoreBluetooth
import Runtime
import UQDK

/// The link to the car with one MAC address: connects, writes messages in fragments, and reassembles the
/// car's messages.
///
/// Used only in its queue, like all parts of the manager; hence the unchecked conformance.
final class UQDKBleAdapter: @unchecked Sendable {
    let mac: DeviceAddress
    let dialect: Dialect
    let options: UQDKBleOptions
    let queue: UQDKQueue
    let centralManager: UQDKCentralManager
    let peripheralManager: UQDKPeripheralManager
    var writingQueue = UQDKWritingQueue()
    var receivingQueue: UQDKReceivingQueue
    /// Whether a write response is pending, and for which message.
    var isWriting = false
    var writingID: UInt64?
    var receivingTimer: UQDKTimer?
    private(set) var machine = UQDKBleStatusMachine()
    /// Whether a connect is wanted; a cancelled one must not start when power returns later.
    private(set) var isActiveConnect = false
    private var notificationTriesLeft = 0
    private var peripheral: CBPeripheral?
    private var connectCallback: ((UQDKBleError?) -> Void)?
    private var disconnectCallbacks: [() -> Void] = []
    private var phaseTimer: UQDKTimer?
    /// The failure that is ending the link, if any.
    private var failure: UQDKBleError?

    var onStatus: ((UQDKBleStatus) -> Void)?
    /// Called when commands can no longer complete, before the status changes.
    var onLinkEnds: ((UQDKBleError) -> Void)?
    var onInfo: (([UInt8]) -> Void)?
    /// Receives each complete message of the car.
    var onMessage: ((UInt64, [UInt8]) -> Void)?
    /// Receives each rejected input.
    var onProblem: ((UQDKBleProblem) -> Void)?
    /// Called when the last fragment of a message is sent, and when a message could not be written.
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
        peripheralManager.onEvent = { [weak self] in self?.take($0) }
    }

    var status: UQDKBleStatus { machine.current }

    /// Changes to a status if the table allows it.
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

    // The API shows no addresses, so another program's link is recognized by this manager's earlier
    // identifier of the car, or by a name that is the MAC address.
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
        // Stop scanning first: once the link is being established, the car need not be found any more.
        centralManager.stopScanning()
        peripheral = found.peripheral
        become(.connecting)
        limit(options.connectTimeout, .connectTimedOut)
        peripheralManager.begin(found.peripheral)
        centralManager.connect(found.peripheral)
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
        case (.connected, .connecting):
            become(.discovering)
            limit(options.discoveryTimeout, .discoveryTimedOut)
            if let wanted = options.connectionParameters { peripheral?.update(wanted) }
            peripheralManager.discover()
        case (.connectFailed(let code), _): end(.connectFailed(code))
        case (.disconnected, .disconnecting): end(failure)
        case (.disconnected(let code), _): end(.linkLost(code))
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

    /// Ends the link, or the attempt to establish one; `callback` is called once no link exists.
    func disconnect(_ callback: @escaping () -> Void) {
        isActiveConnect = false
        switch status.kind {
        case .disconnected: return callback()
        case .failed:
            become(.disconnected)
            return callback()
        default:
            disconnectCallbacks.append(callback)
            drop(nil)
        }
    }

    /// Ends the current link or attempt, because of a failure or, with nil, on request.
    func drop(_ error: UQDKBleError?) {
        phaseTimer?.cancel()
        isActiveConnect = false
        switch status.kind {
        case .disconnected, .failed: return
        case .disconnecting:
            // A disconnect while a failure is ending the link overrides the failure.
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

    // Called when there is neither a link nor an attempt to establish one.
    private func end(_ error: UQDKBleError?) {
        guard status.kind != .disconnected, status.kind != .failed else { return }
        phaseTimer?.cancel()
        isActiveConnect = false
        centralManager.stopScanning()
        onLinkEnds?(error ?? .cancelled)
        forget()
        peripheralManager.reset()
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
        peripheralManager.stop()
    }
}

// Values: fragments of messages to and from the car.
extension UQDKBleAdapter {
    /// Maximum length of a fragment with its header, in bytes.
    var maximumValueLength: Int { peripheralManager.maximumValueLength }

    /// Writes a message, after those already waiting.
    func write(_ fragments: [[UInt8]], id: UInt64) {
        writingQueue.append(UQDKBleQueueData(id: id, fragments: fragments))
        pump()
    }

    func stopWriting(_ id: UInt64) { writingQueue.remove(id) }

    /// Passes fragments on: with response one at a time, without response as long as they are accepted.
    func pump() {
        guard status == .ready || status == .authenticating else { return }
        while !isWriting, !writingQueue.isEmpty {
            if options.writeType == .withoutResponse, !peripheralManager.canWriteWithoutResponse { return }
            guard let next = writingQueue.next() else { return }
            isWriting = options.writeType == .withResponse
            writingID = next.id
            if next.isLast { onWritten?(next.id) }
            peripheralManager.write(next.fragment, options.writeType)
        }
    }

    func didWrite(_ isDone: Bool) {
        guard isWriting else { return }
        isWriting = false
        if !isDone, let id = writingID {
            writingQueue.remove(id)
            onWriteFailed?(id)
        }
        pump()
    }

    /// Handles a value that the car has notified.
    func received(_ value: [UInt8]) {
        var problems: [UQDKBleProblem] = []
        let whole = receivingQueue.take(value, at: queue.now, problems: &problems)
        for problem in problems { onProblem?(problem) }
        receivingTimer?.cancel()
        if let deadline = receivingQueue.nextDeadline {
            receivingTimer = queue.after(queue.now.duration(to: deadline)) { [weak self] in
                self?.receivingDidTimeOut()
            }
        }
        if let whole { onMessage?(whole.id, whole.octets) }
    }

    private func receivingDidTimeOut() {
        for problem in receivingQueue.expire(at: queue.now) { onProblem?(problem) }
        guard let deadline = receivingQueue.nextDeadline else { return }
        receivingTimer = queue.after(queue.now.duration(to: deadline)) { [weak self] in
            self?.receivingDidTimeOut()
        }
    }
}
