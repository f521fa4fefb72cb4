import BluetoothCore
import Foundation
import LEHost

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
