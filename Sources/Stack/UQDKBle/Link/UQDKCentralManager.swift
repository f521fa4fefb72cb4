import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import Runtime
import Synchronization
import UQDK

/// The scans and connections of one device's manager, with a central manager of Apple's API.
///
/// Used only in its queue, like all parts of the manager; hence the unchecked conformance.
final class UQDKCentralManager: NSObject, GATTCentral, @unchecked Sendable {
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
    private var order: [UUID] = []
    private var services: [CBUUID]?
    private var discover: ((UQDKPeripheral) -> Void)?
    private var timedOut: (() -> Void)?
    private var scanTimer: UQDKTimer?
    private var whenStateKnown: [(CBManagerState) -> Void] = []

    /// Called on each change of the radio's state, after the scan has adapted to it.
    var onState: ((CBManagerState) -> Void)?
    /// Receives the devices of the program's last run.
    var onRestored: (([CBPeripheral]) -> Void)?

    /// - Parameter manager: options of the central manager.
    init(_ options: UQDKBleOptions, _ context: ManagerContext, _ manager: [String: Any]? = nil) {
        self.options = options
        central = CBCentralManager(delegate: nil, options: manager, context: context)
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

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        onRestored?(dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? [])
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
}

/// A scanned device with its latest advertisement and signal strength.
final class UQDKPeripheral {
    let peripheral: CBPeripheral
    private(set) var advertisement: [String: Any]
    /// In dBm; 127 if not available.
    private(set) var rssi: Int

    init(_ peripheral: CBPeripheral, _ advertisement: [String: Any], rssi: Int) {
        self.peripheral = peripheral
        self.advertisement = advertisement
        self.rssi = rssi
    }

    /// Updates the advertisement and signal strength.
    func didReceive(_ advertisement: [String: Any], rssi: Int) {
        self.advertisement = advertisement
        self.rssi = rssi
    }

    /// Whether it is the car with this MAC address: by its manufacturer specific data, or without any, by a
    /// name that is a MAC address.
    func matches(_ mac: DeviceAddress, _ dialect: Dialect) -> Bool {
        if let data = advertisement[CBAdvertisementDataManufacturerDataKey] as? Data {
            return Self.address(inManufacturerData: Array(data), dialect)?.value == mac.value
        }
        let name = advertisement[CBAdvertisementDataLocalNameKey] as? String
        return Self.spells(mac, name, dialect)
    }

    static func spells(_ mac: DeviceAddress, _ name: String?, _ dialect: Dialect) -> Bool {
        name.flatMap { CarAdvertisement.address(fromName: $0, dialect) }?.value == mac.value
    }

    // The company identifier is the only part whose byte order the Core Specification defines.
    private static func address(inManufacturerData data: [UInt8], _ dialect: Dialect) -> DeviceAddress? {
        guard data.count >= 2, UInt16(data[0]) | UInt16(data[1]) << 8 == dialect.advertising.companyID else {
            return nil
        }
        return CarAdvertisement(Array(data[2...]), dialect)?.address
    }
}

/// The MAC address that a gadget advertises, because a phone's API never shows it.
///
/// It is in the manufacturer specific data after the company identifier, most significant byte first, or else
/// in the name.
enum AdvertisedAddress {
    static func of(_ advertisement: [String: Any]) -> DeviceAddress? {
        if let data = advertisement[CBAdvertisementDataManufacturerDataKey] as? Data {
            guard data.count == 8 else { return nil }
            return DeviceAddress(data.dropFirst(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        let name = advertisement[CBAdvertisementDataLocalNameKey] as? String
        return name.flatMap { DeviceAddress($0) }
    }
}

/// The queue of a manager and its parts: that of its central manager, with the adapter's time.
///
/// All state of the parts is used only in this queue, which is serial.
struct UQDKQueue: Sendable {
    private let manager: CBManager

    init(_ manager: CBManager) { self.manager = manager }

    /// The current time of the adapter's clock, as ``after(_:_:)`` counts it; zero without an adapter.
    var now: Instant { manager.adapter?.time.applicationNow ?? .zero }

    /// Returns random bytes of the adapter; nil without an adapter.
    func nonce(_ count: Int) -> [UInt8]? {
        guard count > 0 else { return [] }
        return try? manager.adapter?.entropy.octets(count, for: .nonce)
    }

    /// Runs `body` in the queue, after the blocks waiting there.
    func run(_ body: @escaping @Sendable () -> Void) { manager.perform(body) }

    /// Runs `body` in the queue after `delay`, unless the timer is cancelled before.
    ///
    /// Without an adapter no time passes.
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> UQDKTimer {
        let timer = UQDKTimer(manager.adapter)
        guard let adapter = manager.adapter else { return timer }
        timer.started(
            adapter.asyncAfter(delay, on: manager.callbackQueue) {
                if timer.ends() { body() }
            })
        return timer
    }
}

/// A single delayed call. It can be cancelled even between its time and its turn in the queue.
final class UQDKTimer: Sendable {
    private weak let adapter: BluetoothAdapter?
    private let state = Mutex((isOver: false, event: EventID?.none))

    fileprivate init(_ adapter: BluetoothAdapter?) { self.adapter = adapter }

    fileprivate func started(_ event: EventID) { state.withLock { $0.event = event } }

    /// Ends the timer; returns false if it had ended before.
    fileprivate func ends() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }

    func cancel() {
        guard ends(), let event = state.withLock({ $0.event }) else { return }
        adapter?.cancel(event)
    }
}
