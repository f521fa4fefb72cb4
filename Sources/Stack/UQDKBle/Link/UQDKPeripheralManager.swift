import CoreBluetooth
import Foundation
import UQDK

/// The car's link: discovery, the Info value, the subscription, and values in both directions.
///
/// Used only in its queue, like all parts of the manager; hence the unchecked conformance.
final class UQDKPeripheralManager: @unchecked Sendable {
    enum Event {
        case connected
        case connectFailed(CBError.Code?)
        case disconnected(CBError.Code?)
        /// Service and characteristics were discovered, and the Info value was read if there is one.
        case discovered(info: [UInt8])
        case subscribed
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
    private var session: GATTSession?
    private var command: CBCharacteristic?
    private var event: CBCharacteristic?
    private var info: CBCharacteristic?
    private var isDiscovered = false

    /// Receives the car's events.
    var onEvent: ((Event) -> Void)?

    init(_ dialect: Dialect) { gatt = dialect.gatt }

    /// Maximum length of a value without a long write in bytes: ATT_MTU − 3.
    var maximumValueLength: Int { session?.peripheral.maximumWriteValueLength(for: .withoutResponse) ?? 0 }

    /// Whether a value without response would be sent.
    var canWriteWithoutResponse: Bool { session?.peripheral.canSendWriteWithoutResponse ?? false }

    /// Receives the events of a car from now on.
    func begin(_ peripheral: CBPeripheral) {
        reset()
        session = GATTSession(peripheral) { [weak self] in self?.take($0, $1) }
    }

    /// Starts the discovery of the connected car.
    func discover() {
        let wanted = [gatt.command, gatt.event] + (gatt.info.map { [$0] } ?? [])
        session?.discover(wanted.map { CBUUID($0) }, of: CBUUID(gatt.service))
    }

    func subscribe() {
        guard let event else { return }
        session?.peripheral.setNotifyValue(true, for: event)
    }

    func write(_ value: [UInt8], _ type: CBCharacteristicWriteType) {
        guard let command else { return }
        session?.peripheral.writeValue(Data(value), for: command, type: type)
    }

    /// Forgets what was discovered; only changes of the link follow.
    func stop() {
        session?.stopDiscovery()
        (command, event, info) = (nil, nil, nil)
        isDiscovered = false
    }

    /// Forgets the car; its later events are ignored.
    func reset() {
        stop()
        session?.end()
        session = nil
    }

    private func tell(_ event: Event) { onEvent?(event) }

    private func take(_ event: GATTSession.Event, _ session: GATTSession) {
        switch event {
        case .connected: tell(.connected)
        case .connectFailed(let error): tell(.connectFailed((error as? CBError)?.code))
        case .disconnected(let error): tell(.disconnected((error as? CBError)?.code))
        case .discovered(let error): discovered(error, session)
        case .value(let attribute, let value, let error) where attribute === info && !isDiscovered:
            guard error == nil else { return tell(.failed(.discoveryFailed)) }
            isDiscovered = true
            tell(.discovered(info: value))
        case .value(let attribute, let value, nil) where attribute === self.event: tell(.value(value))
        case .subscription(let characteristic, let error) where characteristic === self.event:
            tell(error == nil && characteristic.isNotifying ? .subscribed : .subscriptionRefused)
        case .written(let attribute, let error) where attribute === command:
            tell(.written(isDone: error == nil))
        case .readyToWrite: tell(.readyToWrite)
        case .modified(let services) where services.contains { $0.uuid == CBUUID(gatt.service) }:
            tell(.failed(.serviceMissing))
        default: break
        }
    }

    private func discovered(_ error: (any Error)?, _ session: GATTSession) {
        guard error == nil else { return tell(.failed(.discoveryFailed)) }
        let uuid = CBUUID(gatt.service)
        guard session.peripheral.services?.contains(where: { $0.uuid == uuid }) ?? false else {
            return tell(.failed(.serviceMissing))
        }
        command = session.characteristic(CBUUID(gatt.command))
        event = session.characteristic(CBUUID(gatt.event))
        info = gatt.info.flatMap { session.characteristic(CBUUID($0)) }
        guard command != nil, event != nil, gatt.info == nil || info != nil else {
            return tell(.failed(.characteristicMissing))
        }
        if let info { return session.peripheral.readValue(for: info) }
        isDiscovered = true
        tell(.discovered(info: []))
    }
}
