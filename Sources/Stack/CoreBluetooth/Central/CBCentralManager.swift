public import BluetoothCore
public import Dispatch
public import Foundation
import Runtime

/// Scans for peripherals and connects to them.
///
/// A call before the manager is powered on only adds to `misuse`, as with Apple.
open class CBCentralManager: CBManager, @unchecked Sendable {
    /// Features that depend on the machine.
    public struct Feature: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Scanning and connecting with the extended advertising of Bluetooth 5, which this host lacks.
        public static let extendedScanAndConnect = Feature(rawValue: 1)
    }

    private struct Listener { weak var object: (any CBCentralManagerDelegate)? }

    private let listener: Guarded<Listener>
    /// Whether it scans, and the number of the last requested scan.
    let scanning = Guarded((isOn: false, number: UInt64(0)))
    let role = CentralRole()

    /// Creates a manager on the adapter of ``AdapterSlot``.
    ///
    /// - Parameters:
    ///   - delegate: receives the callbacks; held weakly.
    ///   - queue: the queue of the delegate's callbacks; nil for the main queue.
    ///   - options: by the `CBCentralManagerOption…` keys.
    public init(
        delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
    ) {
        listener = Guarded(Listener(object: delegate))
        super.init(queue: queue, adapter: AdapterSlot.named(in: options))
        begin(options)
    }

    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

    /// Creates a manager on a given adapter; nil for none.
    ///
    /// Not part of Apple's API.
    public convenience init(
        delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]?,
        adapter: BluetoothAdapter?
    ) {
        self.init(delegate: delegate, queue: queue, options: AdapterSlot.naming(adapter, in: options))
    }

    private func begin(_ options: [String: Any]?) {
        role.begin(self, restoreIdentifier: options?[CBCentralManagerOptionRestoreIdentifierKey] as? String)
        let role = role
        if let adapter {
            adapter.submit { CentralCore.of($0).add(role) }
        } else {
            call { [weak self] in self?.become(.unsupported) }
        }
    }

    deinit {
        let role = role
        adapter?.submit { CentralCore.of($0).remove(role) }
    }

    /// Receives the manager's callbacks; weakly referenced.
    open var delegate: (any CBCentralManagerDelegate)? {
        get { listener.current.object }
        set { listener.current = Listener(object: newValue) }
    }

    /// Whether it scans.
    open var isScanning: Bool { scanning.current.isOn }

    /// Returns whether this machine supports all of `features`.
    open class func supports(_ features: Feature) -> Bool { features.isEmpty }

    /// Scans for devices that advertise any of these services, or for all devices if the list is empty.
    ///
    /// A second call replaces the first.
    open func scanForPeripherals(withServices services: [CBUUID]?, options: [String: Any]? = nil) {
        guard isOn("scanForPeripherals") else { return }
        let number = scanning.change { scanning in
            scanning = (true, scanning.number + 1)
            return scanning.number
        }
        let wanted = Scan(
            number: number,
            services: services?.map(\.value) ?? [],
            solicited: (options?[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] as? [CBUUID] ?? [])
                .map(\.value),
            allowsDuplicates: options?.flag(CBCentralManagerScanOptionAllowDuplicatesKey) ?? false)
        let role = role
        adapter?.submit { CentralCore.of($0).scan(role, wanted) }
    }

    /// Stops scanning.
    open func stopScan() {
        guard isOn("stopScan") else { return }
        scanning.change { $0.isOn = false }
        let role = role
        adapter?.submit { CentralCore.of($0).scan(role, nil) }
    }

    /// Calls the application's delegate, in the manager's queue.
    func inform(_ body: (any CBCentralManagerDelegate) -> Void) {
        if let witness = adapter?.witness { body(witness) }
        if let delegate { body(delegate) }
    }

    /// Connects when the device advertises, however long that takes.
    ///
    /// Starts after the delay in seconds of ``CBConnectPeripheralOptionStartDelayKey``. A pending connection
    /// ends with ``cancelPeripheralConnection(_:)``, or with the peripheral object itself.
    open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard isOn("connect"), peripheral.belongs(to: self) else { return }
        let call = role.nextNumber()
        peripheral.visible.change { visible in
            visible.lastCall = call
            if visible.state != .connected { visible.state = .connecting }
        }
        let wish = CentralRole.Wish(
            reconnects: options?.flag(CBConnectPeripheralOptionEnableAutoReconnect) ?? false,
            object: peripheral.number, call: call)
        let (role, address) = (role, peripheral.address)
        let delay = (options?[CBConnectPeripheralOptionStartDelayKey] as? NSNumber)?.doubleValue ?? 0
        guard delay > 0 else {
            adapter?.submit { CentralCore.of($0).connect(role, address, wish) }
            return
        }
        // A later call to connect or cancel replaces this one.
        adapter?.time.schedule(after: .seconds(min(delay, 86_400)), from: .application) {
            [weak adapter, weak peripheral] in
            guard let adapter, peripheral?.visible.current.lastCall == call else { return }
            CentralCore.of(adapter).connect(role, address, wish)
        }
    }

    /// Ends a pending or established connection; the link itself stays while another manager uses it.
    open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        cancelPeripheralConnection(peripheral, reason: .remoteUserTerminatedConnection)
    }

    /// Ends a connection with a given reason (Vol 4, Part E, 7.1.6).
    ///
    /// Not part of Apple's API: for programs that repeat a log.
    @_spi(Host) public func cancelPeripheralConnection(_ peripheral: CBPeripheral, reason: HCIStatus) {
        guard isOn("cancelPeripheralConnection"), peripheral.belongs(to: self) else { return }
        let call = role.nextNumber()
        peripheral.visible.change { visible in
            visible.lastCall = call
            if visible.state != .disconnected { visible.state = .disconnecting }
        }
        let (role, address) = (role, peripheral.address)
        adapter?.submit { CentralCore.of($0).cancel(role, address, call: call, reason: reason) }
    }

    /// Returns the peripherals with these identifiers that any manager of the adapter has seen, in the given
    /// order.
    open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard isOn("retrievePeripherals"), let adapter else { return [] }
        let known = adapter.acquaintances.current
        return identifiers.compactMap { identifier in
            known.address(of: identifier).flatMap { peripheral(at: $0) }
        }
    }

    /// Returns the peripherals connected by any manager of the adapter that are known to have one of these
    /// services.
    ///
    /// To use one, connect to it with this manager too.
    open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        guard isOn("retrieveConnectedPeripherals"), let adapter else { return [] }
        let wanted = Set(serviceUUIDs.map(\.value))
        return CentralCore.of(adapter).connected.current
            .filter { !$0.services.isDisjoint(with: wanted) }
            .compactMap { peripheral(at: $0.address) }
    }

    /// Registers for connections and disconnections of these devices by any manager of the adapter; without
    /// options, of all devices.
    open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
        guard isOn("registerForConnectionEvents") else { return }
        let wanted = ConnectionEventFilter(
            services: (options?[.serviceUUIDs] as? [CBUUID])?.map(\.value),
            peripherals: options?[.peripheralUUIDs] as? [UUID])
        let role = role
        adapter?.submit { _ in role.events = wanted }
    }

    /// Returns the peripheral at an address, even if it was never seen, since programs on Linux know
    /// addresses.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public func peripheral(at address: DeviceAddress) -> CBPeripheral? {
        guard let adapter else { return nil }
        return role.peripheral(at: adapter.known(address), on: adapter)
    }

    /// Adopts a new state, in the manager's queue.
    func become(_ new: CBManagerState) {
        guard new != state else { return }
        standing.current = new
        if new != .poweredOn { scanning.change { $0.isOn = false } }
        inform { $0.centralManagerDidUpdateState(self) }
    }
}

extension [String: Any] {
    /// Returns a Boolean option, given as a `Bool` or as an `NSNumber`.
    func flag(_ key: String) -> Bool? { (self[key] as? Bool) ?? (self[key] as? NSNumber)?.boolValue }
}
