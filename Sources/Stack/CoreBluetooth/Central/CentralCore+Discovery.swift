import BluetoothCore
import Foundation
import LEHost

// Discovery. What is found is added to what the application has: an attribute that it knows keeps its object.
extension CentralCore {
    func discoverServices(_ wanted: [BluetoothUUID]?, of peripheral: CBPeripheral) {
        let one = wanted?.count == 1 ? wanted?.first : nil
        perform(.discoverServices(one), for: peripheral) { [weak self] result in
            var found: [GATTService] = []
            var failure: (any Error)?
            switch result {
            case .success(.services(let services)):
                found = services.filter { wanted?.contains($0.uuid) ?? true }
            case .success: break
            case .failure(let error): failure = error.error
            }
            self?.remember(found.map(\.uuid), at: peripheral.address)
            let (services, error) = (found, failure)
            peripheral.change { peripheral in
                peripheral.visible.change { visible in
                    guard visible.state == .connected || error == nil else { return }
                    visible.services = peripheral.adding(
                        services, to: visible.services ?? [], isPrimary: true)
                }
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
        guard let range = service.handles else { return }
        perform(.discoverIncludes(range), for: peripheral) { result in
            var found: [GATTService] = []
            var failure: (any Error)?
            switch result {
            case .success(.includes(let includes)):
                found = includes.map(\.service).filter { wanted?.contains($0.uuid) ?? true }
            case .success: break
            case .failure(let error): failure = error.error
            }
            let (services, error) = (found, failure)
            peripheral.change { peripheral in
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
        guard let range = service.handles else { return }
        perform(.discoverCharacteristics(range), for: peripheral) { result in
            var found: [GATTCharacteristic] = []
            var failure: (any Error)?
            switch result {
            case .success(.characteristics(let all)): found = all.filter { wanted?.contains($0.uuid) ?? true }
            case .success: break
            case .failure(let error): failure = error.error
            }
            let (characteristics, error) = (found, failure)
            peripheral.change { _ in service.add(characteristics) }
            peripheral.call { $1.peripheral($0, didDiscoverCharacteristicsFor: service, error: error) }
        }
    }

    func discoverDescriptors(for characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let handles = characteristic.handles else { return }
        guard handles.value < handles.end else {
            peripheral.change { _ in characteristic.add([]) }
            return peripheral.call {
                $1.peripheral($0, didDiscoverDescriptorsFor: characteristic, error: nil)
            }
        }
        perform(.discoverDescriptors(handles.value + 1...handles.end), for: peripheral) {
            [weak self] result in
            var found: [GATTDescriptor] = []
            var failure: (any Error)?
            switch result {
            case .success(.descriptors(let all)): found = all
            case .success: break
            case .failure(let error): failure = error.error
            }
            if let configuration = found.first(where: { $0.uuid == .clientCharacteristicConfiguration }) {
                self?.devices[peripheral.address]?.configurations[handles.value] = configuration.handle
            }
            let (descriptors, error) = (found, failure)
            peripheral.change { _ in characteristic.add(descriptors) }
            peripheral.call { $1.peripheral($0, didDiscoverDescriptorsFor: characteristic, error: error) }
        }
    }

    /// Begins an operation where the peripheral is this manager's and connected; else it ends at once.
    func perform(
        _ operation: GATTOperation, for peripheral: CBPeripheral,
        _ completion: @escaping @Sendable (Result<GATTOutcome, GATTFailure>) -> Void
    ) {
        guard let device = devices[peripheral.address], let link = device.link,
            device.told.contains(where: { $0 === peripheral.role })
        else { return completion(.failure(.disconnected)) }
        adapter.perform(operation, on: link, completion)
    }
}

extension CBPeripheral {
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
