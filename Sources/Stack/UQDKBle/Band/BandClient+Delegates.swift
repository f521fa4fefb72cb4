public import CoreBluetooth
public import Foundation
import Synchronization

// Callbacks of the API.
extension BandClient: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        let handler = handlers.withLock { $0.state }
        handler?(central.state)
        stateDidChange()
    }

    /// Starts with power, waits without it, and fails with the reason if there can't be any.
    func stateDidChange() {
        switch central.state {
        case .poweredOn: begin()
        case .poweredOff, .resetting:
            // The scan and the link are gone; a connect waits for the power.
            isScanning = false
            timer?.cancel()
            let waiting = answering == nil ? connecting : nil
            connecting = nil
            forget(.bluetooth(central.state))
            connecting = waiting
        case .unsupported, .unauthorized: end(.bluetooth(central.state))
        case .unknown: break
        }
    }

    public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let restored = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        guard peripheral == nil, let first = restored.first else { return }
        peripheral = first
        first.delegate = self
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard isScanning else { return }
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? peripheral.name
        let device = BandDevice(
            name: name, address: AdvertisedAddress.of(advertisementData).map { "\($0)" },
            strength: BandDevice.strength(rssi: rssi.intValue))
        let handler = handlers.withLock { $0.found }
        handler?(device)
        guard name == options.name else { return }
        isScanning = false
        central.stopScan()
        link(peripheral)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        guard peripheral === self.peripheral else { return }
        discover(peripheral)
    }

    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        guard peripheral === self.peripheral else { return }
        forget(.connectFailed)
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        guard peripheral === self.peripheral else { return }
        forget(.notConnected)
    }
}

extension BandClient: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first(where: { $0.uuid == Self.service }) else {
            return end(.notABand)
        }
        peripheral.discoverCharacteristics(
            options.discoversEverything ? nil : [Self.answers, Self.commands], for: service)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        guard service.uuid == Self.service else { return }
        let all = service.characteristics ?? []
        guard let answers = all.first(where: { $0.uuid == Self.answers }),
            let commands = all.first(where: { $0.uuid == Self.commands }), error == nil
        else { return end(.notABand) }
        (answering, commanding) = (answers, commands)
        peripheral.setNotifyValue(true, for: answers)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard characteristic === answering else { return }
        if error == nil, characteristic.isNotifying { return subscribed() }
        end(connecting == nil ? .cancelled : .notABand)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard characteristic === answering else { return }
        if let error {
            guard !texts.isEmpty else { return }
            let code = (error as? CBATTError)?.code
            return texts.removeFirst()(.failure(code.map { .refused($0) } ?? .notConnected))
        }
        take(Array(characteristic.value ?? Data()))
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard characteristic === commanding, !writes.isEmpty else { return }
        let completion = writes.removeFirst()
        guard let error else { return completion(nil) }
        completion((error as? CBATTError).map { .refused($0.code) } ?? .notConnected)
    }
}
