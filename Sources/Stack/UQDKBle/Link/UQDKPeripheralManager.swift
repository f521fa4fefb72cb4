import CoreBluetooth
import Foundation
import UQDK

/// The connected car: discovery, the Info value, the subscription, and values in both directions.
///
/// Used only in its queue, like all parts of the manager; hence the unchecked conformance.
final class UQDKPeripheralManager: NSObject, CBPeripheralDelegate, @unchecked Sendable {
    /// An event from the car.
    enum Event {
        /// Service and characteristics were discovered, and the Info value was read if there is one.
        case discovered(info: [UInt8])
        /// Notifications are on.
        case subscribed
        /// The car refused to notify.
        case subscriptionRefused
        /// The car can't be used.
        case failed(UQDKBleError)
        /// The car sent a notification.
        case value([UInt8])
        /// A write succeeded or failed.
        case written(isDone: Bool)
        /// Values without response are accepted again.
        case readyToWrite
    }

    private let gatt: DialectGATT
    private var peripheral: CBPeripheral?
    private var command: CBCharacteristic?
    private var event: CBCharacteristic?
    private var info: CBCharacteristic?
    private var isDiscovered = false

    /// Receives the car's events.
    var onEvent: ((Event) -> Void)?

    init(_ dialect: Dialect) { gatt = dialect.gatt }

    /// Maximum length of a value without a long write in bytes: ATT_MTU − 3.
    var maximumValueLength: Int { peripheral?.maximumWriteValueLength(for: .withoutResponse) ?? 0 }

    /// Whether a value without response would be sent.
    var canWriteWithoutResponse: Bool { peripheral?.canSendWriteWithoutResponse ?? false }

    /// Starts the discovery of a connected car.
    func begin(_ peripheral: CBPeripheral) {
        reset()
        self.peripheral = peripheral
        peripheral.delegate = self
        peripheral.discoverServices([CBUUID(gatt.service)])
    }

    /// Turns notifications on.
    func subscribe() {
        guard let peripheral, let event else { return }
        peripheral.setNotifyValue(true, for: event)
    }

    /// Writes a value to the Command characteristic.
    func write(_ value: [UInt8], _ type: CBCharacteristicWriteType) {
        guard let peripheral, let command else { return }
        peripheral.writeValue(Data(value), for: command, type: type)
    }

    /// Forgets the car; its later events are ignored.
    func reset() {
        peripheral?.delegate = nil
        peripheral = nil
        (command, event, info) = (nil, nil, nil)
        isDiscovered = false
    }

    private func tell(_ event: Event) { onEvent?(event) }

    private func isMine(_ peripheral: CBPeripheral) -> Bool { peripheral === self.peripheral }

    // MARK: Delegate callbacks

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
