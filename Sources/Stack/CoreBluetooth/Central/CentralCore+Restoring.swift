import BluetoothCore
import Foundation
import LEHost

/// The application's knowledge of a released peripheral object: enough to create another.
struct PeripheralRemains: @unchecked Sendable {
    // Unchecked: nobody else holds the copied services until a new peripheral takes them.
    private let name: String?
    private let services: [CBService]?

    /// Fails if no manager can take it over.
    init?(_ peripheral: CBPeripheral) {
        guard peripheral.role.restoreIdentifier != nil else { return nil }
        let visible = peripheral.visible.current
        name = visible.name
        services = visible.services
    }

    /// Gives a new peripheral everything that the previous one had.
    func move(into peripheral: CBPeripheral, isConnected: Bool, mtu: Int) {
        var copies: [ObjectIdentifier: CBService] = [:]
        let services = services?.map { $0.copy(for: peripheral, &copies) }
        peripheral.visible.change { visible in
            visible.name = name ?? visible.name
            visible.services = isConnected ? services : nil
            visible.state = isConnected ? .connected : .connecting
            visible.mtu = mtu
        }
    }
}

// The state of a released manager with a restore identifier continues without it, as on Apple's systems after
// a program ends: its scan, its connections and its pending connections. The next manager with the same
// identifier on the same adapter takes them over.
extension CentralCore {
    /// Keeps the state of a released manager.
    ///
    /// - Returns: whether there is anything to keep.
    func sleep(_ role: CentralRole) -> Bool {
        guard let identifier = role.restoreIdentifier, state == .poweredOn,
            role.scan != nil || !role.wanted.isEmpty,
            // A manager with the identifier that already exists would not take it over.
            !roles.contains(where: {
                $0 !== role && !$0.isDormant && $0.restoreIdentifier == identifier
            })
        else { return false }
        for address in role.wanted.keys where role.remains[address] == nil {
            role.remains[address] = role.existing(address).flatMap { PeripheralRemains($0) }
        }
        role.isDormant = true
        if let older = dormant.updateValue(role, forKey: identifier) {
            older.isDormant = false
            older.remains = [:]
            roles.removeAll { $0 === older }
            for address in older.wanted.keys.sorted(by: DeviceAddress.isInOrder) {
                cancel(older, address, tells: false)
            }
        }
        return true
    }

    /// Gives the kept state to a new manager, which gets this callback before any other.
    func restore(_ role: CentralRole) {
        guard let identifier = role.restoreIdentifier, let manager = role.manager,
            let old = dormant.removeValue(forKey: identifier)
        else { return }
        roles.removeAll { $0 === old }
        role.scan = old.scan
        var peripherals: [CBPeripheral] = []
        for (address, wish) in old.wanted.sorted(by: { $0.key.value < $1.key.value }) {
            guard var device = devices[address] else { continue }
            endCalls(&device, of: old)
            device.wanting = device.wanting.map { $0 === old ? role : $0 }
            device.connectedRoles = device.connectedRoles.map { $0 === old ? role : $0 }
            let (before, now) = (ObjectIdentifier(old), ObjectIdentifier(role))
            device.subscriptions = device.subscriptions.mapValues { $0.map { $0 == before ? now : $0 } }
            devices[address] = device
            let peripheral = role.peripheral(at: address, on: adapter)
            role.wanted[address] = CentralRole.Wish(
                reconnects: wish.reconnects, object: peripheral.number, call: 0)
            let isConnected = device.connectedRoles.contains { $0 === role }
            let mtu = device.link.flatMap { adapter.host.mtu(of: $0) } ?? 23
            old.remains[address]?.move(into: peripheral, isConnected: isConnected, mtu: mtu)
            peripherals.append(peripheral)
        }
        tell(manager, peripherals, role.scan)
    }

    private func tell(_ manager: CBCentralManager, _ peripherals: [CBPeripheral], _ scan: Scan?) {
        manager.call { [weak manager] in
            guard let manager else { return }
            var state: [String: Any] = [:]
            if !peripherals.isEmpty { state[CBCentralManagerRestoredStatePeripheralsKey] = peripherals }
            if let scan {
                manager.scanning.current = (true, scan.number)
                state[CBCentralManagerRestoredStateScanServicesKey] = scan.services.map(CBUUID.init)
                var options: [String: Any] = [
                    CBCentralManagerScanOptionAllowDuplicatesKey: NSNumber(value: scan.allowsDuplicates)
                ]
                if !scan.solicited.isEmpty {
                    options[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] = scan.solicited.map(
                        CBUUID.init)
                }
                state[CBCentralManagerRestoredStateScanOptionsKey] = options
            }
            manager.inform { $0.centralManager(manager, willRestoreState: state) }
        }
    }
}

extension CBService {
    /// Returns the same service for another peripheral object; copies include each other as the originals do.
    fileprivate func copy(
        for peripheral: CBPeripheral, _ copies: inout [ObjectIdentifier: CBService]
    ) -> CBService {
        if let there = copies[ObjectIdentifier(self)] { return there }
        let copy = CBService(uuid: uuid, isPrimary: isPrimary, handles: handles, peripheral: peripheral)
        copies[ObjectIdentifier(self)] = copy
        let included = includedServices?.map { $0.copy(for: peripheral, &copies) }
        let characteristics = characteristics?.map { $0.copy(for: copy) }
        copy.contents.change { contents in
            contents.includedServices = included
            contents.characteristics = characteristics
        }
        return copy
    }
}

extension CBCharacteristic {
    fileprivate func copy(for service: CBService) -> CBCharacteristic {
        let copy = CBCharacteristic(
            uuid: uuid, properties: properties, value: value, handles: handles, service: service)
        let descriptors = descriptors?.map { descriptor in
            CBDescriptor(
                uuid: descriptor.uuid, value: descriptor.value, handle: descriptor.handle,
                characteristic: copy)
        }
        let isNotifying = isNotifying
        copy.contents.change { contents in
            contents.descriptors = descriptors
            contents.isNotifying = isNotifying
        }
        return copy
    }
}
