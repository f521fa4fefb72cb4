public import BluetoothCore
public import Foundation
public import LEHost

/// Connection state of a peripheral.
public enum CBPeripheralState: Int, Hashable, Sendable {
    case disconnected = 0
    case connecting = 1
    case connected = 2
    case disconnecting = 3
}

/// A device that was found, or is connected.
///
/// Operations may be called without waiting for each other: they run in order, one request of the Attribute
/// Protocol at a time, and each ends with its callback, with an error if the link is gone.
open class CBPeripheral: CBPeer, @unchecked Sendable {
    struct Visible {
        var name: String?
        /// Number of the application's last call to connect or cancel.
        ///
        /// Results of an earlier call must not undo what the later one has set.
        var lastCall: UInt64 = 0
        var state = CBPeripheralState.disconnected
        var services: [CBService]?
        var mtu = 23
        /// Number of values without response not yet passed to the controller.
        var unsent = 0
        /// Whether the application has seen that it could not send.
        var wasRefused = false
    }

    let visible = Guarded(Visible())
    private struct Listener { weak var object: (any CBPeripheralDelegate)? }
    private let listener = Guarded(Listener())
    let role: CentralRole
    /// Distinguishes this object from others for the same device at other times.
    let number: UInt64
    private weak let adapter: BluetoothAdapter?

    /// Maximum number of waiting values without response; beyond it ``canSendWriteWithoutResponse`` is false.
    static let unsentLimit = 16

    init(identifier: UUID, address: DeviceAddress, role: CentralRole, adapter: BluetoothAdapter) {
        self.role = role
        self.adapter = adapter
        number = role.nextNumber()
        super.init(identifier: identifier, address: address)
        let name = adapter.acquaintances.change { acquaintances in
            acquaintances.meet(identifier, at: address)
            return acquaintances.name(of: address)
        }
        visible.change { $0.name = name }
    }

    deinit {
        let (role, address, number) = (role, address, number)
        let remains = PeripheralRemains(self)
        // Services may include each other and would otherwise keep each other alive.
        if remains == nil { for service in services ?? [] { service.end() } }
        adapter?.submit { CentralCore.of($0).lost(role, address, number, remains) }
    }

    /// The device's address.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public var address: DeviceAddress { place }

    /// Receives the peripheral's callbacks; weakly referenced.
    open var delegate: (any CBPeripheralDelegate)? {
        get { listener.current.object }
        set { listener.current = Listener(object: newValue) }
    }

    /// The advertised name, or after the first connection that of the GAP service; nil while both are
    /// unknown.
    open var name: String? { visible.current.name }
    /// The connection state.
    open var state: CBPeripheralState { visible.current.state }
    /// The services found so far; nil before any discovery, and after the link has ended.
    open var services: [CBService]? { visible.current.services }
    /// Whether it may read this phone's notifications; always false, since Linux has none.
    open var ancsAuthorized: Bool { false }

    /// Whether a value without response would be sent rather than dropped.
    open var canSendWriteWithoutResponse: Bool {
        visible.change { visible in
            let can = visible.state == .connected && visible.unsent < Self.unsentLimit
            if !can { visible.wasRefused = true }
            return can
        }
    }

    /// Returns the maximum length of a single write in bytes: 512 with response, ATT_MTU − 3 without; 20
    /// while not connected.
    open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        let visible = visible.current
        guard visible.state == .connected else { return 20 }
        return type == .withResponse ? 512 : min(visible.mtu - 3, 512)
    }

    open override var description: String {
        let visible = visible.current
        return described(
            ("identifier", identifier), ("name", visible.name), ("mtu", visible.mtu), ("state", visible.state)
        )
    }

    /// Always nil, as on iOS since version 8; ``readRSSI()`` replaced it.
    @available(*, deprecated, message: "Use readRSSI()")
    open var rssi: NSNumber? { nil }

    /// Requests the signal strength.
    open func readRSSI() { ask { $0.readRSSI($1) } }

    /// Opens a connection-oriented channel to a service of the peripheral.
    open func openL2CAPChannel(_ psm: CBL2CAPPSM) { ask { $0.openChannel(psm, to: $1) } }

    /// Discovers the listed services, or all.
    ///
    /// Found services are added to ``services``.
    open func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        let wanted = serviceUUIDs.map { $0.map(\.value) }
        ask { $0.discoverServices(wanted, of: $1) }
    }

    /// Discovers services included by a service: the listed ones, or all.
    open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        let wanted = includedServiceUUIDs.map { $0.map(\.value) }
        ask { $0.discoverIncludedServices(wanted, for: service, of: $1) }
    }

    /// Discovers characteristics of a service: the listed ones, or all.
    open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        let wanted = characteristicUUIDs.map { $0.map(\.value) }
        ask { $0.discoverCharacteristics(wanted, for: service, of: $1) }
    }

    /// Discovers the descriptors of a characteristic.
    open func discoverDescriptors(for characteristic: CBCharacteristic) {
        ask { $0.discoverDescriptors(for: characteristic, of: $1) }
    }

    /// Reads a characteristic's value, however long it is.
    open func readValue(for characteristic: CBCharacteristic) {
        ask { $0.readValue(for: characteristic, of: $1) }
    }

    /// Reads a descriptor's value.
    open func readValue(for descriptor: CBDescriptor) { ask { $0.readValue(for: descriptor, of: $1) } }

    /// Writes a value.
    ///
    /// With response, a long value is written in parts. Without response it is written at once, or dropped if
    /// it is longer than ``maximumWriteValueLength(for:)`` or ``canSendWriteWithoutResponse`` is false.
    open func writeValue(
        _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
    ) {
        let octets = Array(data)
        guard type == .withoutResponse else {
            return ask { $0.writeValue(octets, for: characteristic, of: $1) }
        }
        let isTaken = visible.change { visible in
            guard visible.state == .connected, visible.unsent < Self.unsentLimit else {
                visible.wasRefused = true
                return false
            }
            visible.unsent += 1
            return true
        }
        guard isTaken else { return }
        ask { $0.writeCommand(octets, for: characteristic, of: $1) }
    }

    /// Writes a descriptor's value, except the Client Characteristic Configuration, which only
    /// ``setNotifyValue(_:for:)`` writes.
    open func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        let octets = Array(data)
        ask { $0.writeValue(octets, for: descriptor, of: $1) }
    }

    /// Turns notifications on or off, or indications if notifications aren't supported.
    open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        ask { $0.setNotify(enabled, for: characteristic, of: $1) }
    }

    func belongs(to manager: CBCentralManager) -> Bool {
        let isStranger = manager.role !== role
        if !isStranger, role.existing(address) === self { return true }
        let reason = isStranger ? "belongs to another central manager" : "is from before a reset"
        manager.noteMisuse("\(identifier) \(reason)")
        return false
    }

    /// Delivers a callback to the manager's queue.
    func call(_ body: @escaping @Sendable (CBPeripheral, any CBPeripheralDelegate) -> Void) {
        role.manager?.call { [self] in
            inform { body(self, $0) }
        }
    }

    /// Calls the application's delegate, in the manager's queue.
    func inform(_ body: (any CBPeripheralDelegate) -> Void) {
        if let witness = adapter?.witness { body(witness) }
        if let delegate { body(delegate) }
    }

    /// Changes what the application sees, in the manager's queue, in order with the callbacks.
    func change(_ body: @escaping @Sendable (CBPeripheral) -> Void) {
        role.manager?.call { [self] in body(self) }
    }

    func ask(_ body: @escaping @Sendable (CentralCore, CBPeripheral) -> Void) {
        adapter?.submit { [self] adapter in body(CentralCore.of(adapter), self) }
    }
}

// Host operations that Apple's API has no call for. Not part of that API: for programs that repeat a log.
extension CBPeripheral {
    /// Performs an operation of the host, in order with the calls of this peripheral.
    ///
    /// - Parameter completion: called once, on the manager's queue, with the error that a callback would
    ///   have.
    @_spi(Host) public func perform(
        _ operation: GATTOperation, _ completion: @escaping @Sendable (Result<GATTOutcome, any Error>) -> Void
    ) {
        ask { core, peripheral in
            core.perform(operation, for: peripheral) { result in
                peripheral.change { _ in completion(result) }
            }
        }
    }

    /// Writes this Client Characteristic Configuration, whatever its current value.
    ///
    /// The delegate is called as for ``setNotifyValue(_:for:)``.
    @_spi(Host) public func configure(_ value: [UInt8], for characteristic: CBCharacteristic) {
        let isOn = value.contains { $0 != 0 }
        ask { $0.setNotify(isOn, for: characteristic, of: $1, forced: value) }
    }

    /// Secures the link with the bond, or else by pairing, unless it is already encrypted.
    ///
    /// - Parameter completion: called once, within the scheduler.
    @_spi(Host) public func secure(
        _ completion: @escaping @Sendable (Result<LinkSecurity, PairingFailure>) -> Void
    ) {
        ask { core, peripheral in
            guard let link = core.devices[peripheral.address]?.link else {
                return completion(.failure(.disconnected))
            }
            core.adapter.secure(link, completion)
        }
    }

    /// Requests connection parameters; a refusal by the controller changes nothing.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.18.
    @_spi(Host) public func update(_ parameters: ConnectionParameters) {
        ask { core, peripheral in
            guard let link = core.devices[peripheral.address]?.link else { return }
            core.adapter.put(.updateParameters(parameters, on: link))
        }
    }

    /// Writes a value without response to any attribute.
    @_spi(Host) public func writeCommand(_ value: [UInt8], to handle: UInt16) {
        ask { $0.writeCommand(value, to: handle, of: $1) }
    }
}
