import BluetoothCore
import Foundation
import LEHost

// Values: reading, writing, and what the peripheral sends by itself.
extension CentralCore {
    func readValue(for characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let handles = characteristic.handles else { return }
        perform(.read(handles.value), for: peripheral) { result in
            switch result {
            case .success(.value(let value)): peripheral.tell(value, of: characteristic)
            case .success: break
            case .failure(let failure):
                peripheral.call {
                    $1.peripheral($0, didUpdateValueFor: characteristic, error: failure.error)
                }
            }
        }
    }

    func readValue(for descriptor: CBDescriptor, of peripheral: CBPeripheral) {
        guard let handle = descriptor.handle else { return }
        perform(.read(handle), for: peripheral) { result in
            var failure: (any Error)?
            switch result {
            case .success(.value(let value)):
                peripheral.change { _ in descriptor.contents.change { $0.value = descriptor.form(of: value) }
                }
            case .success: break
            case .failure(let error): failure = error.error
            }
            let error = failure
            peripheral.call { $1.peripheral($0, didUpdateValueFor: descriptor, error: error) }
        }
    }

    func writeValue(_ value: [UInt8], for characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let handles = characteristic.handles else { return }
        perform(.write(handles.value, value), for: peripheral) { result in
            let error = result.failure
            peripheral.call { $1.peripheral($0, didWriteValueFor: characteristic, error: error) }
        }
    }

    func writeValue(_ value: [UInt8], for descriptor: CBDescriptor, of peripheral: CBPeripheral) {
        guard let handle = descriptor.handle else { return }
        guard descriptor.uuid.value != .clientCharacteristicConfiguration else {
            let error = CBError(.operationNotSupported)
            return peripheral.call { $1.peripheral($0, didWriteValueFor: descriptor, error: error) }
        }
        perform(.write(handle, value), for: peripheral) { result in
            let error = result.failure
            peripheral.call { $1.peripheral($0, didWriteValueFor: descriptor, error: error) }
        }
    }

    func writeCommand(_ value: [UInt8], for characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let handles = characteristic.handles, let device = devices[peripheral.address],
            let link = device.link, device.told.contains(where: { $0 === peripheral.role })
        else { return }
        devices[peripheral.address]?.backlog.append((value, handles.value, peripheral))
        sendBacklog(of: link)
    }

    /// Hands over values without response while the host takes them.
    func sendBacklog(of link: LinkID) {
        guard let address = address(of: link) else { return }
        while let next = devices[address]?.backlog.first, adapter.host.canWriteCommand(on: link) {
            devices[address]?.backlog.removeFirst()
            adapter.put(.writeCommand(handle: next.handle, next.value, on: link))
            let peripheral = next.peripheral
            peripheral.change { peripheral in
                let isReady = peripheral.visible.change { visible in
                    visible.unsent = max(0, visible.unsent - 1)
                    defer { visible.wasRefused = false }
                    return visible.wasRefused
                }
                guard isReady else { return }
                peripheral.delegate?.peripheralIsReady(toSendWriteWithoutResponse: peripheral)
            }
        }
    }

    /// Takes a value that the peripheral has sent.
    func take(_ value: [UInt8], of handle: UInt16, on link: LinkID) {
        guard let address = address(of: link), let device = devices[address] else { return }
        if handle == device.serviceChanged { return servicesChanged(value, at: address) }
        let wanting = device.subscriptions[handle] ?? []
        for role in device.told where wanting.contains(ObjectIdentifier(role)) {
            guard let peripheral = role.existing(address) else { continue }
            peripheral.change { peripheral in
                guard let characteristic = peripheral.characteristic(at: handle) else { return }
                characteristic.contents.change { $0.value = Data(value) }
                peripheral.delegate?.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil)
            }
        }
    }

    func readRSSI(_ peripheral: CBPeripheral) {
        guard let device = devices[peripheral.address], device.link != nil,
            device.told.contains(where: { $0 === peripheral.role })
        else {
            let error = CBError(.notConnected)
            return peripheral.call { $1.peripheral($0, didReadRSSI: NSNumber(value: 127), error: error) }
        }
        // The strength with which the device was heard last; the host asks the controller for no other.
        let rssi = advertisers[peripheral.address]?.rssi ?? 127
        peripheral.call { $1.peripheral($0, didReadRSSI: NSNumber(value: rssi), error: nil) }
    }
}

extension CBPeripheral {
    func tell(_ value: [UInt8], of characteristic: CBCharacteristic) {
        change { peripheral in
            characteristic.contents.change { $0.value = Data(value) }
            peripheral.delegate?.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil)
        }
    }

    /// The characteristic that was discovered at a handle.
    func characteristic(at handle: UInt16) -> CBCharacteristic? {
        for service in services ?? [] {
            let all = [service] + (service.includedServices ?? [])
            for found in all.flatMap({ $0.characteristics ?? [] }) where found.handles?.value == handle {
                return found
            }
        }
        return nil
    }
}

extension CBDescriptor {
    /// A value in the form that Apple gives it for the kind of descriptor.
    func form(of value: [UInt8]) -> Any {
        switch uuid.value {
        case BluetoothUUID(UInt16(0x2901)): String(decoding: value, as: UTF8.self)
        case BluetoothUUID(UInt16(0x2900)), .clientCharacteristicConfiguration, BluetoothUUID(UInt16(0x2903)):
            NSNumber(value: value.reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
        default: Data(value)
        }
    }
}

extension Result where Failure == GATTFailure {
    /// What an application is told; nil for success.
    var failure: (any Error)? {
        if case .failure(let failure) = self { return failure.error }
        return nil
    }
}
