import BluetoothCore
import Foundation
import LEHost

// Actions that a phone takes by itself after connecting: it reads the name and subscribes to Service Changed.
extension CentralCore {
    func keepHouse(_ address: DeviceAddress, _ link: LinkID) {
        adapter.perform(.readByType(BluetoothUUID(UInt16(0x2A00)), 1...0xFFFF), on: link) {
            [weak self] result in
            guard let self, case .success(.values(let values)) = result, let first = values.first else {
                return
            }
            let limit = (adapter.host.mtu(of: link) ?? 23) - 4
            guard first.value.count >= limit else { return rename(address, first.value) }
            // The value may be longer than one response.
            adapter.perform(.read(first.handle), on: link) { [weak self] result in
                if case .success(.value(let whole)) = result { self?.rename(address, whole) }
            }
        }
        // The host stores it with the bond and checks whether it has changed.
        if adapter.host.security(of: link).isEncrypted {
            adapter.perform(.readByType(.databaseHash, 1...0xFFFF), on: link) { _ in }
        }
        subscribeToChanges(of: address, link)
    }

    private func subscribeToChanges(of address: DeviceAddress, _ link: LinkID) {
        adapter.perform(.discoverServices(BluetoothUUID(UInt16(0x1801))), on: link) { [weak self] result in
            guard case .success(.services(let services)) = result, let service = services.first,
                service.handle < service.endHandle
            else { return }
            self?.findServiceChanged(service.handle...service.endHandle, address, link)
        }
    }

    private func findServiceChanged(
        _ range: ClosedRange<UInt16>, _ address: DeviceAddress, _ link: LinkID
    ) {
        adapter.perform(.discoverCharacteristics(range), on: link) { [weak self] result in
            guard case .success(.characteristics(let all)) = result,
                let changed = all.first(where: { $0.uuid == BluetoothUUID(UInt16(0x2A05)) }),
                changed.valueHandle < changed.endHandle
            else { return }
            let range = changed.valueHandle + 1...changed.endHandle
            self?.adapter.perform(.discoverDescriptors(range), on: link) { [weak self] result in
                guard case .success(.descriptors(let found)) = result,
                    let one = found.first(where: { $0.uuid == .clientCharacteristicConfiguration })
                else { return }
                self?.devices[address]?.serviceChanged = changed.valueHandle
                self?.adapter.perform(.write(one.handle, [2, 0]), on: link) { _ in }
            }
        }
    }

    private func rename(_ address: DeviceAddress, _ octets: [UInt8]) {
        let name = String(decoding: octets, as: UTF8.self)
        guard !name.isEmpty else { return }
        adapter.acquaintances.change { $0.call(address, name) }
        for role in devices[address]?.told ?? [] {
            role.existing(address)?.change { peripheral in
                let isNew = peripheral.visible.change { visible in
                    defer { visible.name = name }
                    return visible.name != name
                }
                if isNew { peripheral.inform { $0.peripheralDidUpdateName(peripheral) } }
            }
        }
    }

    /// Handles Service Changed: discoveries in the range of handles are invalid.
    func servicesChanged(_ value: [UInt8], at address: DeviceAddress) {
        guard value.count == 4 else { return }
        let first = UInt16(value[0]) | UInt16(value[1]) << 8
        let last = UInt16(value[2]) | UInt16(value[3]) << 8
        guard first <= last else { return }
        let isGone = { (handle: UInt16) in (first...last).contains(handle) }
        devices[address]?.configurations = [:]
        // A server forgets subscriptions to deleted attributes, so a new subscription must be written.
        for handle in devices[address]?.subscriptions.keys.filter(isGone) ?? [] {
            devices[address]?.subscriptions[handle] = nil
        }
        if let link = devices[address]?.link, devices[address]?.serviceChanged.map(isGone) ?? false {
            subscribeToChanges(of: address, link)
        }
        for role in devices[address]?.told ?? [] {
            role.existing(address)?.change { peripheral in
                let gone = peripheral.visible.change { visible -> [CBService] in
                    let gone = (visible.services ?? []).filter { $0.handles?.overlaps(first...last) ?? false }
                    visible.services?.removeAll { service in gone.contains { $0 === service } }
                    return gone
                }
                for service in gone { service.end() }
                peripheral.inform { $0.peripheral(peripheral, didModifyServices: gone) }
            }
        }
    }
}
