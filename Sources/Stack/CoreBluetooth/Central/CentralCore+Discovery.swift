import BluetoothCore
import Foundation
import LEHost

// Discovery. Found attributes are added to those that the application has; a known attribute keeps its
// object.
extension CentralCore {
    func discoverServices(_ wanted: [BluetoothUUID]?, of peripheral: CBPeripheral) {
        // An empty list asks for all services.
        let wanted = wanted.flatMap { $0.isEmpty ? nil : $0 }
        let one = wanted?.count == 1 ? wanted?.first : nil
        perform(.discoverServices(one), for: peripheral) { [weak self] result in
            var found: [GATTService] = []
            if case .success(.services(let services)) = result {
                found = services.filter { wanted?.contains($0.uuid) ?? true }
            }
            self?.remember(found.map(\.uuid), at: peripheral.address)
            let (services, error) = (found, result.failure)
            peripheral.change { peripheral in
                if error == nil { peripheral.add(services) }
            }
            peripheral.call { $1.peripheral($0, didDiscoverServices: error) }
        }
    }

    private func remember(_ services: [BluetoothUUID], at address: DeviceAddress) {
        connected.change { connected in
            guard let index = connected.firstIndex(where: { $0.address == address }) else { return }
            connected[index].services.formUnion(services)
        }
    }

    func discoverIncludedServices(
        _ wanted: [BluetoothUUID]?, for service: CBService, of peripheral: CBPeripheral
    ) {
        guard let range = service.handles else {
            return peripheral.refuse { $1.peripheral($0, didDiscoverIncludedServicesFor: service, error: $2) }
        }
        let wanted = wanted.flatMap { $0.isEmpty ? nil : $0 }
        perform(.discoverIncludes(range), for: peripheral, service.life) { result in
            var found: [GATTService] = []
            if case .success(.includes(let includes)) = result {
                found = includes.map(\.service).filter { wanted?.contains($0.uuid) ?? true }
            }
            let (services, error) = (found, result.failure)
            peripheral.change { peripheral in
                guard error == nil, service.life?.serves(peripheral) ?? false else { return }
                let known = (peripheral.services ?? []) + (service.includedServices ?? [])
                let kept = service.includedServices ?? []
                let all = peripheral.adding(services, to: known, isPrimary: false)
                service.contents.change { contents in
                    contents.includedServices = all.filter { one in
                        kept.contains { $0 === one }
                            || services.contains { $0.handle == one.handles?.lowerBound }
                    }
                }
            }
            peripheral.call { $1.peripheral($0, didDiscoverIncludedServicesFor: service, error: error) }
        }
    }

    func discoverCharacteristics(
        _ wanted: [BluetoothUUID]?, for service: CBService, of peripheral: CBPeripheral
    ) {
        guard let range = service.handles else {
            return peripheral.refuse { $1.peripheral($0, didDiscoverCharacteristicsFor: service, error: $2) }
        }
        let wanted = wanted.flatMap { $0.isEmpty ? nil : $0 }
        perform(.discoverCharacteristics(range), for: peripheral, service.life) { result in
            var found: [GATTCharacteristic] = []
            if case .success(.characteristics(let all)) = result {
                found = all.filter { wanted?.contains($0.uuid) ?? true }
            }
            let (characteristics, error) = (found, result.failure)
            peripheral.change { _ in
                if error == nil { service.add(characteristics) }
            }
            peripheral.call { $1.peripheral($0, didDiscoverCharacteristicsFor: service, error: error) }
        }
    }

    func discoverDescriptors(for characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let handles = characteristic.handles else {
            return peripheral.refuse {
                $1.peripheral($0, didDiscoverDescriptorsFor: characteristic, error: $2)
            }
        }
        let hasRoom = handles.value < handles.end
        perform(
            hasRoom ? .discoverDescriptors(handles.value + 1...handles.end) : nil, for: peripheral,
            characteristic.life
        ) { [weak self] result in
            var found: [GATTDescriptor] = []
            if case .success(.descriptors(let all)) = result { found = all }
            if let configuration = found.first(where: { $0.uuid == .clientCharacteristicConfiguration }) {
                self?.devices[peripheral.address]?.configurations[handles.value] = configuration.handle
            }
            let (descriptors, error) = (found, result.failure)
            peripheral.change { _ in
                if error == nil { characteristic.add(descriptors) }
            }
            peripheral.call { $1.peripheral($0, didDiscoverDescriptorsFor: characteristic, error: error) }
        }
    }
}

extension CBPeripheral {
    /// Ends a call about an attribute that the peripheral does not have.
    func refuse(
        _ tell: @escaping @Sendable (CBPeripheral, any CBPeripheralDelegate, (any Error)?) -> Void
    ) {
        call { tell($0, $1, CBError(.invalidHandle)) }
    }

    /// Adds services to those that the application has, in the manager's queue.
    func add(_ found: [GATTService]) {
        // A service with other handles or another UUID is a different service.
        let isSame = { (one: CBService, other: GATTService) in
            one.handles == other.handle...max(other.handle, other.endHandle) && one.uuid.value == other.uuid
        }
        let gone = visible.change { visible -> [CBService] in
            // The link may have ended meanwhile; then no services are known.
            guard visible.state == .connected || visible.state == .disconnecting else { return [] }
            let gone = (visible.services ?? []).filter { known in
                found.contains { $0.handle == known.handles?.lowerBound && !isSame(known, $0) }
            }
            let kept = (visible.services ?? []).filter { known in !gone.contains { $0 === known } }
            visible.services = adding(found, to: kept, isPrimary: true)
            return gone
        }
        for service in gone { service.end() }
    }

    func adding(_ found: [GATTService], to known: [CBService], isPrimary: Bool) -> [CBService] {
        var all = known
        for service in found where !all.contains(where: { $0.handles?.lowerBound == service.handle }) {
            all.append(
                CBService(
                    uuid: CBUUID(service.uuid), isPrimary: isPrimary,
                    handles: service.handle...max(service.handle, service.endHandle), peripheral: self))
        }
        return all
    }
}

extension CBService {
    func add(_ found: [GATTCharacteristic]) {
        contents.change { contents in
            var all = contents.characteristics ?? []
            for characteristic in found
            where !all.contains(where: { $0.handles?.value == characteristic.valueHandle }) {
                all.append(
                    CBCharacteristic(
                        uuid: CBUUID(characteristic.uuid),
                        properties: CBCharacteristicProperties(
                            rawValue: UInt(characteristic.properties.rawValue)),
                        handles: (characteristic.valueHandle, characteristic.endHandle), service: self))
            }
            contents.characteristics = all
        }
    }
}

extension CBCharacteristic {
    func add(_ found: [GATTDescriptor]) {
        contents.change { contents in
            var all = contents.descriptors ?? []
            for descriptor in found where !all.contains(where: { $0.handle == descriptor.handle }) {
                all.append(
                    CBDescriptor(
                        uuid: CBUUID(descriptor.uuid), handle: descriptor.handle, characteristic: self))
            }
            contents.descriptors = all
        }
    }
}
