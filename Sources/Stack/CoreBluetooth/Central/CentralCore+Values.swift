import BluetoothCore
import Foundation
import LEHost

// Values: reading, writing, and notifications from the peripheral.
extension CentralCore {
    func readValue(for characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let handles = characteristic.handles else {
            return peripheral.refuse { $1.peripheral($0, didUpdateValueFor: characteristic, error: $2) }
        }
        perform(.read(handles.value), for: peripheral, characteristic.life) { result in
            switch result {
            case .success(.value(let value)): peripheral.tell(value, of: characteristic)
            case .success: break
            case .failure(let error):
                peripheral.call { $1.peripheral($0, didUpdateValueFor: characteristic, error: error) }
            }
        }
    }

    func readValue(for descriptor: CBDescriptor, of peripheral: CBPeripheral) {
        guard let handle = descriptor.handle else {
            return peripheral.refuse { $1.peripheral($0, didUpdateValueFor: descriptor, error: $2) }
        }
        perform(.read(handle), for: peripheral, descriptor.life) { result in
            if case .success(.value(let value)) = result {
                peripheral.change { _ in
                    descriptor.contents.change { $0.value = descriptor.form(of: value) }
                }
            }
            let error = result.failure
            peripheral.call { $1.peripheral($0, didUpdateValueFor: descriptor, error: error) }
        }
    }

    func writeValue(_ value: [UInt8], for characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let handles = characteristic.handles else {
            return peripheral.refuse { $1.peripheral($0, didWriteValueFor: characteristic, error: $2) }
        }
        // No attribute is longer (Vol 3, Part F, 3.2.9), so nothing is sent.
        guard value.count <= 512 else {
            let error = CBATTError(onAir: .invalidAttributeValueLength)
            return peripheral.call { $1.peripheral($0, didWriteValueFor: characteristic, error: error) }
        }
        perform(.write(handles.value, value), for: peripheral, characteristic.life) { result in
            let error = result.failure
            peripheral.call { $1.peripheral($0, didWriteValueFor: characteristic, error: error) }
        }
    }

    func writeValue(_ value: [UInt8], for descriptor: CBDescriptor, of peripheral: CBPeripheral) {
        guard let handle = descriptor.handle else {
            return peripheral.refuse { $1.peripheral($0, didWriteValueFor: descriptor, error: $2) }
        }
        guard descriptor.uuid.value != .clientCharacteristicConfiguration else {
            let error = CBError(.operationNotSupported)
            return peripheral.call { $1.peripheral($0, didWriteValueFor: descriptor, error: error) }
        }
        perform(.write(handle, value), for: peripheral, descriptor.life) { result in
            let error = result.failure
            peripheral.call { $1.peripheral($0, didWriteValueFor: descriptor, error: error) }
        }
    }

    func writeCommand(_ value: [UInt8], for characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let handles = characteristic.handles, characteristic.life?.serves(peripheral) ?? false else {
            return peripheral.hasRoom()
        }
        guard let device = devices[peripheral.address], hasUnsentCalls(device) else {
            return writeCommand(value, to: handles.value, of: peripheral)
        }
        enqueue(
            GATTCall(
                peripheral, characteristic.life,
                { core, call, link in
                    core.writeCommand(value, to: handles.value, of: peripheral)
                    core.complete(call, on: link, .success(.written))
                },
                { if $0.failure != nil { peripheral.hasRoom() } }))
    }

    /// Whether something was asked for of which nothing was sent: also the running call waits where the host
    /// itself asks the peripheral something.
    private func hasUnsentCalls(_ device: Device) -> Bool {
        guard device.calls.isEmpty else { return true }
        guard device.running != nil, let link = device.link else { return false }
        return adapter.askHost { $0.hasWaitingOperation(on: link) }
    }

    func writeCommand(_ value: [UInt8], to handle: UInt16, of peripheral: CBPeripheral) {
        guard let device = devices[peripheral.address], let link = device.link,
            device.told.contains(where: { $0 === peripheral.role }),
            value.count <= (adapter.askHost { $0.mtu(of: link) } ?? 23) - 3
        else { return peripheral.hasRoom() }
        devices[peripheral.address]?.backlog.append((value, handle, peripheral))
        sendBacklog(of: link)
    }

    /// Passes values without response on while the host accepts them.
    func sendBacklog(of link: LinkID) {
        guard let address = address(of: link) else { return }
        while let next = devices[address]?.backlog.first, adapter.askHost({ $0.canWriteCommand(on: link) }) {
            devices[address]?.backlog.removeFirst()
            adapter.put(.writeCommand(handle: next.handle, next.value, on: link))
            next.peripheral.hasRoom()
        }
    }

    /// Handles a value that the peripheral has sent.
    func take(_ value: [UInt8], of handle: UInt16, on link: LinkID) {
        guard let address = address(of: link), let device = devices[address] else { return }
        if handle == device.serviceChanged { return servicesChanged(value, at: address) }
        let wanting = device.subscriptions[handle] ?? []
        for role in device.told where wanting.contains(ObjectIdentifier(role)) {
            guard let peripheral = role.existing(address) else { continue }
            peripheral.change { peripheral in
                guard let characteristic = peripheral.characteristic(at: handle) else { return }
                characteristic.contents.change { $0.value = Data(value) }
                peripheral.inform { $0.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil) }
            }
        }
    }

    func readRSSI(_ peripheral: CBPeripheral) {
        guard let device = devices[peripheral.address], let link = device.link,
            device.told.contains(where: { $0 === peripheral.role })
        else { return loseRSSI(peripheral) }
        devices[peripheral.address]?.asking.append(peripheral)
        adapter.put(.readRSSI(link))
    }

    func openChannel(_ psm: CBL2CAPPSM, to peripheral: CBPeripheral) {
        let device = devices[peripheral.address]
        let isTold = device?.told.contains { $0 === peripheral.role } ?? false
        ChannelCore.of(adapter).open(psm, peripheral, on: isTold ? device?.link : nil)
    }

    /// Handles the controller's answer to the oldest query.
    func take(_ strength: Int8, _ status: HCIStatus, of link: LinkID) {
        guard let address = address(of: link), devices[address]?.asking.isEmpty == false,
            let peripheral = devices[address]?.asking.removeFirst()
        else { return }
        tellRSSI(peripheral, strength, status == .success ? nil : CBError(.unknown))
    }

    func tellRSSI(_ peripheral: CBPeripheral, _ strength: Int8, _ error: CBError?) {
        peripheral.call { $1.peripheral($0, didReadRSSI: NSNumber(value: strength), error: error) }
    }
}

extension CBPeripheral {
    /// Frees the place of a value without response that was passed on, or can't be sent at all.
    func hasRoom() {
        change { peripheral in
            let isReady = peripheral.visible.change { visible in
                visible.unsent = max(0, visible.unsent - 1)
                guard visible.state == .connected else { return false }
                defer { visible.wasRefused = false }
                return visible.wasRefused
            }
            guard isReady else { return }
            peripheral.inform { $0.peripheralIsReady(toSendWriteWithoutResponse: peripheral) }
        }
    }

    func tell(_ value: [UInt8], of characteristic: CBCharacteristic) {
        change { peripheral in
            characteristic.contents.change { $0.value = Data(value) }
            peripheral.inform { $0.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil) }
        }
    }

    /// Returns the discovered characteristic with a value handle.
    func characteristic(at handle: UInt16) -> CBCharacteristic? {
        var seen: Set<ObjectIdentifier> = []
        var waiting = services ?? []
        while let service = waiting.popLast() {
            guard seen.insert(ObjectIdentifier(service)).inserted else { continue }
            for found in service.characteristics ?? [] where found.handles?.value == handle { return found }
            waiting += service.includedServices ?? []
        }
        return nil
    }
}

extension CBDescriptor {
    /// Returns a value in the form that Apple uses for this kind of descriptor.
    func form(of value: [UInt8]) -> Any {
        switch uuid.value {
        case BluetoothUUID(UInt16(0x2901)): String(decoding: value, as: UTF8.self)
        case BluetoothUUID(UInt16(0x2900)), .clientCharacteristicConfiguration, BluetoothUUID(UInt16(0x2903)):
            NSNumber(value: value.reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
        default: Data(value)
        }
    }
}

extension Result where Failure == any Error {
    /// The error for the application; nil for success.
    var failure: (any Error)? {
        if case .failure(let failure) = self { return failure }
        return nil
    }
}
