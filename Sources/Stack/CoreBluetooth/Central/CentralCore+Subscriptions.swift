import BluetoothCore
import Foundation
import LEHost

// Subscriptions: the Client Characteristic Configuration is one for the link, so it is written when the
// first manager wants values and when the last wants none.
extension CentralCore {
    func setNotify(_ isOn: Bool, for characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let handles = characteristic.handles else { return }
        guard let device = devices[peripheral.address], device.link != nil else {
            return tell(isOn, characteristic, peripheral, CBError(.notConnected))
        }
        // Notifications go before indications where a characteristic has both.
        let value: [UInt8]
        if !isOn {
            value = [0, 0]
        } else if characteristic.properties.contains(.notify) {
            value = [1, 0]
        } else if characteristic.properties.contains(.indicate) {
            value = [2, 0]
        } else {
            return tell(isOn, characteristic, peripheral, CBATTError(ATTErrorCode.requestNotSupported))
        }
        let me = ObjectIdentifier(peripheral.role)
        let wanting = device.subscriptions[handles.value] ?? []
        let others = wanting.contains { $0 != me }
        devices[peripheral.address]?.subscriptions[handles.value] =
            wanting.filter { $0 != me } + (isOn ? [me] : [])
        // Where nothing changes nothing is written.
        if wanting.contains(me) == isOn || others { return tell(isOn, characteristic, peripheral, nil) }
        if let configuration = device.configurations[handles.value] {
            return write(value, to: configuration, isOn, characteristic, peripheral)
        }
        guard handles.value < handles.end else {
            return refuse(characteristic, peripheral, CBATTError(ATTErrorCode.attributeNotFound))
        }
        let range = handles.value + 1...handles.end
        perform(.discoverDescriptors(range), for: peripheral) { [weak self] result in
            switch result {
            case .success(.descriptors(let found)):
                guard let one = found.first(where: { $0.uuid == .clientCharacteristicConfiguration }) else {
                    fallthrough
                }
                self?.devices[peripheral.address]?.configurations[handles.value] = one.handle
                self?.write(value, to: one.handle, isOn, characteristic, peripheral)
            case .success:
                self?.refuse(characteristic, peripheral, CBATTError(ATTErrorCode.attributeNotFound))
            case .failure(let failure): self?.refuse(characteristic, peripheral, failure.error)
            }
        }
    }

    private func write(
        _ value: [UInt8], to configuration: UInt16, _ isOn: Bool, _ characteristic: CBCharacteristic,
        _ peripheral: CBPeripheral
    ) {
        perform(.write(configuration, value), for: peripheral) { [weak self] result in
            if let error = result.failure, isOn {
                self?.refuse(characteristic, peripheral, error)
            } else {
                self?.tell(isOn, characteristic, peripheral, result.failure)
            }
        }
    }

    // Values are not wanted after all.
    private func refuse(
        _ characteristic: CBCharacteristic, _ peripheral: CBPeripheral, _ error: any Error
    ) {
        if let handle = characteristic.handles?.value {
            let me = ObjectIdentifier(peripheral.role)
            devices[peripheral.address]?.subscriptions[handle]?.removeAll { $0 == me }
        }
        tell(true, characteristic, peripheral, error)
    }

    private func tell(
        _ isOn: Bool, _ characteristic: CBCharacteristic, _ peripheral: CBPeripheral, _ error: (any Error)?
    ) {
        peripheral.change { peripheral in
            if error == nil { characteristic.contents.change { $0.isNotifying = isOn } }
            peripheral.delegate?.peripheral(
                peripheral, didUpdateNotificationStateFor: characteristic, error: error)
        }
    }
}
