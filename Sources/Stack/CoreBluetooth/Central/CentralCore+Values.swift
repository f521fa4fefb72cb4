public import BluetoothCore
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
                    descriptor.contents.change {
                        $0.value = CBDescriptor.form(of: value, type: descriptor.uuid.value)
                    }
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
            device.connectedRoles.contains(where: { $0 === peripheral.role }),
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

    func take(_ value: [UInt8], of handle: UInt16, on link: LinkID) {
        guard let address = address(of: link), let device = devices[address] else { return }
        if handle == device.serviceChanged { return servicesChanged(value, at: address) }
        let wanting = device.subscriptions[handle] ?? []
        for role in device.connectedRoles where wanting.contains(ObjectIdentifier(role)) {
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
            device.connectedRoles.contains(where: { $0 === peripheral.role })
        else { return loseRSSI(peripheral) }
        devices[peripheral.address]?.asking.append(peripheral)
        adapter.put(.readRSSI(link))
    }

    func openChannel(_ psm: CBL2CAPPSM, to peripheral: CBPeripheral) {
        let device = devices[peripheral.address]
        let wasConnected = device?.connectedRoles.contains { $0 === peripheral.role } ?? false
        ChannelCore.of(adapter).open(psm, peripheral, on: wasConnected ? device?.link : nil)
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

    /// The discovered characteristics of the discovered services.
    package var characteristics: [CBCharacteristic] { (services ?? []).flatMap { $0.characteristics ?? [] } }

    package func characteristic(at handle: UInt16) -> CBCharacteristic? {
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
    /// Returns the value of a descriptor with this type in the form that Apple uses for it.
    @_spi(Host)
    public static func form(of value: [UInt8], type: BluetoothUUID) -> Any {
        switch type {
        case BluetoothUUID(UInt16(0x2901)): String(decoding: value, as: UTF8.self)
        case BluetoothUUID(UInt16(0x2900)), .clientCharacteristicConfiguration, BluetoothUUID(UInt16(0x2903)):
            NSNumber(value: value.reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
        default: Data(value)
        }
    }

    /// Returns the bytes of a value in such a form.
    @_spi(Host)
    public static func octets(of value: Any?) -> [UInt8] {
        switch value {
        case let text as String: Array(text.utf8)
        case let data as Data: Array(data)
        case let number as NSNumber:
            [UInt8(truncatingIfNeeded: number.intValue), UInt8(truncatingIfNeeded: number.intValue >> 8)]
        default: []
        }
    }

    /// The value as on the air.
    @_spi(Host) public var octets: [UInt8] { Self.octets(of: value) }
}

extension Result where Failure == any Error {
    var failure: (any Error)? {
        if case .failure(let failure) = self { return failure }
        return nil
    }
}

// Subscriptions: a link has only one Client Characteristic Configuration, so it is written when the first
// manager subscribes and when the last unsubscribes.
extension CentralCore {
    /// Turns notifications or indications on or off for one manager.
    ///
    /// - Parameter forced: a configuration to write whatever the current one; nil derives it from the
    ///   characteristic's properties and writes it only if it changes something.
    func setNotify(
        _ isOn: Bool, for characteristic: CBCharacteristic, of peripheral: CBPeripheral,
        forced: [UInt8]? = nil
    ) {
        enqueue(
            GATTCall(
                peripheral, characteristic.life,
                { core, call, link in core.configure(isOn, forced, characteristic, call, link) },
                { result in peripheral.tell(isOn, characteristic, result.failure) }))
    }

    // Other managers' subscriptions are read when the call runs, so that earlier calls have taken effect.
    private func configure(
        _ isOn: Bool, _ forced: [UInt8]?, _ characteristic: CBCharacteristic, _ call: GATTCall, _ link: LinkID
    ) {
        guard let handles = characteristic.handles, let device = devices[call.peripheral.address] else {
            return complete(call, on: link, .failure(CBError(.invalidHandle)))
        }
        // Notifications are preferred to indications if a characteristic has both.
        let value: [UInt8]
        if let forced {
            value = forced
        } else if !isOn {
            value = [0, 0]
        } else if characteristic.properties.contains(.notify) {
            value = [1, 0]
        } else if characteristic.properties.contains(.indicate) {
            value = [2, 0]
        } else {
            return complete(call, on: link, .failure(CBATTError(onAir: .requestNotSupported)))
        }
        let me = ObjectIdentifier(call.peripheral.role)
        let wanting = device.subscriptions[handles.value] ?? []
        let others = wanting.contains { $0 != me }
        if forced == nil, wanting.contains(me) == isOn || others {
            // Nothing changes, so nothing is written.
            want(isOn, handles.value, call)
            return complete(call, on: link, .success(.written))
        }
        if let configuration = device.configurations[handles.value] {
            return write(value, to: configuration, of: handles.value, isOn, call, link)
        }
        guard handles.value < handles.end else {
            return complete(call, on: link, .failure(CBATTError(onAir: .attributeNotFound)))
        }
        let range = handles.value + 1...handles.end
        adapter.perform(.discoverDescriptors(range), on: link) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let failure): complete(call, on: link, .failure(failure.error))
            case .success(let outcome):
                guard case .descriptors(let found) = outcome,
                    let one = found.first(where: { $0.uuid == .clientCharacteristicConfiguration })
                else {
                    return complete(call, on: link, .failure(CBATTError(onAir: .attributeNotFound)))
                }
                devices[call.peripheral.address]?.configurations[handles.value] = one.handle
                // The manager may have released the link meanwhile.
                if call.isOver { return complete(call, on: link, .failure(CBError(.notConnected))) }
                write(value, to: one.handle, of: handles.value, isOn, call, link)
            }
        }
    }

    private func write(
        _ value: [UInt8], to configuration: UInt16, of handle: UInt16, _ isOn: Bool, _ call: GATTCall,
        _ link: LinkID
    ) {
        // Values may arrive before the response.
        if isOn { want(true, handle, call) }
        adapter.perform(.write(configuration, value), on: link) { [weak self] result in
            guard let self else { return }
            if !call.isOver, devices[call.peripheral.address]?.link == link {
                if case .success = result {
                    want(isOn, handle, call)
                } else if isOn {
                    want(false, handle, call)
                }
            }
            complete(call, on: link, result.mapError { $0.error })
        }
    }

    private func want(_ isOn: Bool, _ handle: UInt16, _ call: GATTCall) {
        let me = ObjectIdentifier(call.peripheral.role)
        let address = call.peripheral.address
        let others = (devices[address]?.subscriptions[handle] ?? []).filter { $0 != me }
        devices[address]?.subscriptions[handle] = others + (isOn ? [me] : [])
    }
}

extension CBPeripheral {
    fileprivate func tell(_ isOn: Bool, _ characteristic: CBCharacteristic, _ error: (any Error)?) {
        change { peripheral in
            if error == nil { characteristic.contents.change { $0.isNotifying = isOn } }
            peripheral.inform {
                $0.peripheral(
                    peripheral, didUpdateNotificationStateFor: characteristic, error: error)
            }
        }
    }
}
