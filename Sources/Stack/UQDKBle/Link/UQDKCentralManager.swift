@_spi(Host) import CoreBluetooth
import Foundation

/// The scans and connections of one car's manager, with a central manager of Apple's API.
///
/// Used only in its queue, like all parts of the manager; hence the unchecked conformance.
final class UQDKCentralManager: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    /// A change of a connection.
    enum LinkEvent {
        case connected
        case failed(CBError.Code?)
        case disconnected(CBError.Code?)
    }

    /// Maximum number of devices that a scan remembers, since devices around may change their addresses
    /// often.
    static let discoveredLimit = 256

    let queue: UQDKQueue
    private let central: CBCentralManager
    private let options: UQDKBleOptions
    private(set) var isScanning = false
    /// Whether the scan starts when the radio is turned on.
    private(set) var isWaitingForPower = false
    private(set) var discovered: [UUID: UQDKPeripheral] = [:]
    private(set) var connected: [UUID: UQDKPeripheral] = [:]
    private var order: [UUID] = []
    private var services: [CBUUID]?
    private var discover: ((UQDKPeripheral) -> Void)?
    private var timedOut: (() -> Void)?
    private var scanTimer: UQDKTimer?
    private var whenStateKnown: [(CBManagerState) -> Void] = []

    /// Called on each change of the radio's state, after the scan has adapted to it.
    var onState: ((CBManagerState) -> Void)?
    /// Receives changes of connections.
    var onLink: ((CBPeripheral, LinkEvent) -> Void)?

    init(_ options: UQDKBleOptions, _ context: ManagerContext) {
        self.options = options
        central = CBCentralManager(delegate: nil, context: context)
        queue = UQDKQueue(central)
        super.init()
        central.delegate = self
    }

    var state: CBManagerState { central.state }

    /// Calls back with the radio's state as soon as it is known.
    func stateDidUpdate(_ callback: @escaping (CBManagerState) -> Void) {
        guard state == .unknown else { return callback(state) }
        whenStateKnown.append(callback)
    }

    /// Returns the devices with any of these services that some program has a link to.
    func connectedElsewhere(_ services: [CBUUID]) -> [CBPeripheral] {
        guard state == .poweredOn else { return [] }
        return central.retrieveConnectedPeripherals(withServices: services)
    }

    /// Scans; does nothing while a scan runs.
    ///
    /// Without power the scan starts when power returns.
    ///
    /// - Parameters:
    ///   - services: nil for those of the options.
    ///   - timedOut: called once if the scan reaches its timeout.
    func startScanning(
        _ services: [CBUUID]? = nil, discover: @escaping (UQDKPeripheral) -> Void,
        timedOut: @escaping () -> Void
    ) {
        guard !isScanning else { return }
        isScanning = true
        discovered = [:]
        connected = [:]
        order = []
        self.services = services
        self.discover = discover
        self.timedOut = timedOut
        if state == .poweredOn { startScan() } else { isWaitingForPower = true }
    }

    /// Ends the scan and its timeout.
    func stopScanning() {
        guard isScanning else { return }
        if !isWaitingForPower { central.stopScan() }
        endScan()
    }

    func connect(_ peripheral: CBPeripheral) { central.connect(peripheral) }
    func cancel(_ peripheral: CBPeripheral) { central.cancelPeripheralConnection(peripheral) }

    private func startScan() {
        isWaitingForPower = false
        let wanted = services ?? options.scanServices
        central.scanForPeripherals(
            withServices: wanted,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: options.allowsDuplicates])
        guard options.scanTimeout > .zero else { return }
        scanTimer = queue.after(options.scanTimeout) { [weak self] in self?.scanDidTimeOut() }
    }

    private func scanDidTimeOut() {
        let timedOut = timedOut
        stopScanning()
        timedOut?()
    }

    private func endScan() {
        scanTimer?.cancel()
        scanTimer = nil
        isScanning = false
        isWaitingForPower = false
        discover = nil
        timedOut = nil
    }

    // MARK: Delegate callbacks

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if isScanning {
            if state == .poweredOn, isWaitingForPower {
                startScan()
            } else if state != .poweredOn {
                // The radio has ended the scan; it restarts with the power, and with its full time.
                scanTimer?.cancel()
                isWaitingForPower = true
            }
        }
        if state != .unknown {
            let waiting = whenStateKnown
            whenStateKnown = []
            for callback in waiting { callback(state) }
        }
        onState?(state)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard isScanning else { return }
        let found: UQDKPeripheral
        if let known = discovered[peripheral.identifier] {
            known.didReceive(advertisementData, rssi: rssi.intValue)
            found = known
        } else {
            found = UQDKPeripheral(peripheral, advertisementData, rssi: rssi.intValue)
            if order.count >= Self.discoveredLimit { discovered[order.removeFirst()] = nil }
            order.append(peripheral.identifier)
            discovered[peripheral.identifier] = found
        }
        discover?(found)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        connected[peripheral.identifier] = discovered[peripheral.identifier]
        onLink?(peripheral, .connected)
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        onLink?(peripheral, .failed((error as? CBError)?.code))
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        connected[peripheral.identifier] = nil
        onLink?(peripheral, .disconnected((error as? CBError)?.code))
    }
}
