import BluetoothCore
import Foundation
import LEHost

/// What an application knew of a peripheral when its object went: enough to make another.
struct PeripheralRemains: @unchecked Sendable {
    // Unchecked: the copied services are in no other hands until a new peripheral takes them.
    private let name: String?
    private let services: [CBService]?

    /// Nil where no manager will want it.
    init?(_ peripheral: CBPeripheral) {
        guard peripheral.role.restoreIdentifier != nil else { return nil }
        let visible = peripheral.visible.current
        name = visible.name
        services = visible.services
    }

    /// Gives a new peripheral all that the one before it had.
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

// What a manager with a restore identifier leaves behind goes on without it, as the system goes on for a
// program that was ended: the scan, the connections and those that are waited for. The next manager with the
// same identifier on the same adapter takes them over.
extension CentralCore {
    /// Keeps what a manager that has gone leaves behind.
    ///
    /// - Returns: whether there is anything.
    func sleep(_ role: CentralRole) -> Bool {
        guard let identifier = role.restoreIdentifier, state == .poweredOn,
            role.scan != nil || !role.wanted.isEmpty,
            // One that came before this one went has no use for what is left.
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

    /// Hands what was left behind to a new manager, which is told before it is told anything else.
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
            device.told = device.told.map { $0 === old ? role : $0 }
            let (before, now) = (ObjectIdentifier(old), ObjectIdentifier(role))
            device.subscriptions = device.subscriptions.mapValues { $0.map { $0 == before ? now : $0 } }
            devices[address] = device
            let peripheral = role.peripheral(at: address, of: manager, on: adapter)
            role.wanted[address] = CentralRole.Wish(
                reconnects: wish.reconnects, object: peripheral.number, call: 0)
            let isConnected = device.told.contains { $0 === role }
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
    /// The same service for another peripheral object; services that include each other do so again.
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
