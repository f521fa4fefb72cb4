import CoreBluetooth
import Foundation
import UQDK

/// The connected car: discovery, the Info value, the subscription, and values to and fro.
///
/// It is used in its queue alone, like all parts of the manager; hence the unchecked conformance.
final class UQDKPeripheralManager: NSObject, CBPeripheralDelegate, @unchecked Sendable {
    /// What the car has done.
    enum Event {
        /// Service and characteristics are there, and the Info value where there is one.
        case discovered(info: [UInt8])
        /// It notifies.
        case subscribed
        /// It refuses to notify.
        case subscriptionRefused
        /// It can't be used.
        case failed(UQDKBleError)
        /// It has notified.
        case value([UInt8])
        /// A value has been written, or not.
        case written(isDone: Bool)
        /// Values without response are taken again.
        case readyToWrite
    }

    private let gatt: DialectGATT
    private var peripheral: CBPeripheral?
    private var command: CBCharacteristic?
    private var event: CBCharacteristic?
    private var info: CBCharacteristic?
    private var isDiscovered = false

    /// Hears what the car does.
    var onEvent: ((Event) -> Void)?

    init(_ dialect: Dialect) { gatt = dialect.gatt }

    /// Octets of the longest value that takes no long write: ATT_MTU − 3.
    var maximumValueLength: Int { peripheral?.maximumWriteValueLength(for: .withoutResponse) ?? 0 }

    /// Whether a value without response would be sent.
    var canWriteWithoutResponse: Bool { peripheral?.canSendWriteWithoutResponse ?? false }

    /// Begins with a car that is connected.
    func begin(_ peripheral: CBPeripheral) {
        reset()
        self.peripheral = peripheral
        peripheral.delegate = self
        peripheral.discoverServices([CBUUID(gatt.service)])
    }

    /// Asks it to notify.
    func subscribe() {
        guard let peripheral, let event else { return }
        peripheral.setNotifyValue(true, for: event)
    }

    /// Writes a value to the Command characteristic.
    func write(_ value: [UInt8], _ type: CBCharacteristicWriteType) {
        guard let peripheral, let command else { return }
        peripheral.writeValue(Data(value), for: command, type: type)
    }

    /// Forgets the car: what it says from now on is not heard.
    func reset() {
        peripheral?.delegate = nil
        peripheral = nil
        (command, event, info) = (nil, nil, nil)
        isDiscovered = false
    }

    private func tell(_ event: Event) { onEvent?(event) }

    private func isMine(_ peripheral: CBPeripheral) -> Bool { peripheral === self.peripheral }

    // MARK: What the API tells

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard isMine(peripheral) else { return }
        guard error == nil else { return tell(.failed(.discoveryFailed)) }
        let uuid = CBUUID(gatt.service)
        guard let service = peripheral.services?.first(where: { $0.uuid == uuid }) else {
            return tell(.failed(.serviceMissing))
        }
        let wanted = [gatt.command, gatt.event] + (gatt.info.map { [$0] } ?? [])
        peripheral.discoverCharacteristics(wanted.map { CBUUID($0) }, for: service)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        guard isMine(peripheral), service.uuid == CBUUID(gatt.service), command == nil else { return }
        guard error == nil else { return tell(.failed(.discoveryFailed)) }
        let all = service.characteristics ?? []
        let uuids = (CBUUID(gatt.command), CBUUID(gatt.event), gatt.info.map { CBUUID($0) })
        command = all.first { $0.uuid == uuids.0 }
        event = all.first { $0.uuid == uuids.1 }
        info = all.first { $0.uuid == uuids.2 }
        guard command != nil, event != nil, gatt.info == nil || info != nil else {
            return tell(.failed(.characteristicMissing))
        }
        if let info { return peripheral.readValue(for: info) }
        isDiscovered = true
        tell(.discovered(info: []))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard isMine(peripheral) else { return }
        if characteristic === info, !isDiscovered {
            guard error == nil, let value = characteristic.value else {
                return tell(.failed(.discoveryFailed))
            }
            isDiscovered = true
            return tell(.discovered(info: Array(value)))
        }
        guard characteristic === event, error == nil, let value = characteristic.value else { return }
        tell(.value(Array(value)))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard isMine(peripheral), characteristic === event else { return }
        tell(error == nil && characteristic.isNotifying ? .subscribed : .subscriptionRefused)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard isMine(peripheral), characteristic === command else { return }
        tell(.written(isDone: error == nil))
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        guard isMine(peripheral) else { return }
        tell(.readyToWrite)
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        guard isMine(peripheral) else { return }
        let uuid = CBUUID(gatt.service)
        guard invalidatedServices.contains(where: { $0.uuid == uuid }) else { return }
        tell(.failed(.serviceMissing))
    }
}
