import BluetoothCore
@_spi(Host) public import CoreBluetooth
public import Foundation
import Runtime
import Synchronization

/// A small device on a peripheral manager.
///
/// It advertises once all its services are added, supports read offsets, writes a batch completely or not at
/// all, and notifies each subscriber separately.
public final class SimulatedGadget: NSObject, CBPeripheralManagerDelegate, Sendable {
    /// Maximum number of waiting values for one subscriber; beyond that the oldest is dropped.
    static let waitingLimit = 64

    struct Subscription: Sendable {
        let central: CBCentral
        let characteristic: CBMutableCharacteristic
        var timer: EventID?
    }

    struct Waiting: Sendable {
        let value: [UInt8]
        let characteristic: CBMutableCharacteristic
        let central: CBCentral
    }

    struct State: Sendable {
        var gadget: any Gadget
        var isAsked = false
        var added = 0
        var subscriptions: [Subscription] = []
        var waiting: [Waiting] = []
        var problems: [String] = []
    }

    let adapter: BluetoothAdapter
    let manager: CBPeripheralManager
    let services: [CBMutableService]
    let state: Mutex<State>

    /// Creates a gadget on an adapter. It advertises when the adapter is on.
    public init(_ gadget: some Gadget, on adapter: BluetoothAdapter) {
        self.adapter = adapter
        services = gadget.services.map(Self.service)
        state = Mutex(State(gadget: gadget))
        manager = CBPeripheralManager(
            delegate: nil, queue: (adapter.delivery as? SettlingDelivery)?.inline, options: nil,
            adapter: adapter)
        super.init()
        manager.delegate = self
    }

    /// The number of subscriptions of all centrals.
    public var subscriptions: Int { state.withLock { $0.subscriptions.count } }
    /// Failures: services that were not added, and advertising that did not start.
    public var problems: [String] { state.withLock { $0.problems } }

    private static func service(_ service: GadgetService) -> CBMutableService {
        let made = CBMutableService(type: CBUUID(service.uuid), primary: true)
        made.characteristics = service.characteristics.map { characteristic in
            var properties: CBCharacteristicProperties = []
            var permissions: CBAttributePermissions = []
            let isEncrypted = characteristic.isEncrypted
            for use in characteristic.uses {
                switch use {
                case .read:
                    properties.insert(.read)
                    permissions.insert(isEncrypted ? .readEncryptionRequired : .readable)
                case .write:
                    properties.insert(.write)
                    permissions.insert(isEncrypted ? .writeEncryptionRequired : .writeable)
                case .writeWithoutResponse:
                    properties.insert(.writeWithoutResponse)
                    permissions.insert(isEncrypted ? .writeEncryptionRequired : .writeable)
                case .notify: properties.insert(isEncrypted ? .notifyEncryptionRequired : .notify)
                }
            }
            let one = CBMutableCharacteristic(
                type: CBUUID(characteristic.uuid), properties: properties, value: nil,
                permissions: permissions)
            if let text = characteristic.text {
                let type = CBUUID(string: CBUUIDCharacteristicUserDescriptionString)
                one.descriptors = [CBMutableDescriptor(type: type, value: text)]
            }
            return one
        }
        return made
    }

    // MARK: Notifications

    /// Sends a value to a central, or keeps it until there is room.
    func tell(_ value: [UInt8], _ characteristic: CBMutableCharacteristic, _ central: CBCentral) {
        state.withLock { state in
            let isListening = state.subscriptions.contains {
                $0.central === central && $0.characteristic === characteristic
            }
            guard isListening else { return }
            if state.waiting.count(where: { $0.central === central }) >= Self.waitingLimit,
                let oldest = state.waiting.firstIndex(where: { $0.central === central })
            {
                state.waiting.remove(at: oldest)
            }
            state.waiting.append(Waiting(value: value, characteristic: characteristic, central: central))
            send(&state)
        }
    }

    func send(_ state: inout State) {
        while let first = state.waiting.first {
            let isTaken = manager.updateValue(
                Data(first.value), for: first.characteristic, onSubscribedCentrals: [first.central])
            guard isTaken else { return }
            state.waiting.removeFirst()
        }
    }

    /// Starts the timer of a subscriber's regular notifications.
    func tellLater(_ central: CBCentral, _ characteristic: CBMutableCharacteristic) {
        let uuid = characteristic.uuid.value
        guard let period = state.withLock({ $0.gadget.period(of: uuid) }) else { return }
        let timer = adapter.asyncAfter(period, on: manager.callbackQueue) { [weak self] in
            guard let self else { return }
            let clock = adapter.wallClock
            tell(state.withLock { $0.gadget.told(of: uuid, wallClock: clock) }, characteristic, central)
            tellLater(central, characteristic)
        }
        let isGone = state.withLock { state in
            for index in state.subscriptions.indices
            where state.subscriptions[index].central === central
                && state.subscriptions[index].characteristic === characteristic
            {
                state.subscriptions[index].timer = timer
                return false
            }
            return true
        }
        if isGone { adapter.cancel(timer) }
    }
}

// Callbacks of the peripheral manager.
extension SimulatedGadget {
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        let (isFirst, isWhole) = state.withLock { state in
            defer { state.isAsked = true }
            return (!state.isAsked, state.added == services.count)
        }
        if isFirst {
            for service in services { peripheral.add(service) }
        } else if isWhole {
            advertise()
        }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {
        let isWhole = state.withLock { state in
            if let error {
                state.problems.append("service \(service.uuid) is not added: \(error.localizedDescription)")
            }
            if error == nil { state.added += 1 }
            return state.added == services.count
        }
        if isWhole { advertise() }
    }

    public func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?
    ) {
        guard let error else { return }
        state.withLock { $0.problems.append("it can't advertise: \(error.localizedDescription)") }
    }

    private func advertise() {
        let address = adapter.address ?? DeviceAddress(0)
        let advertising = state.withLock { $0.gadget.advertising(address) }
        manager.startAdvertising(data: advertising.data, scanResponse: advertising.scanResponse)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let value = state.withLock { $0.gadget.value(of: request.characteristic.uuid.value) }
        guard request.offset <= value.count else {
            return peripheral.respond(to: request, withResult: .invalidOffset)
        }
        request.value = Data(value[request.offset...])
        peripheral.respond(to: request, withResult: .success)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
    ) {
        guard let first = requests.first else { return }
        var values: [(characteristic: CBCharacteristic, value: [UInt8])] = []
        for request in requests {
            guard join(request, to: &values) else {
                return peripheral.respond(to: first, withResult: .invalidOffset)
            }
        }
        let gadget = state.withLock { $0.gadget }
        let refusal = values.lazy.compactMap { one in
            gadget.refusal(of: one.value, to: one.characteristic.uuid.value)
        }.first
        switch refusal {
        case .length?: return peripheral.respond(to: first, withResult: .invalidAttributeValueLength)
        case .application(let code)?:
            return peripheral.respond(to: first, withResult: .other(Int(code)))
        case nil: break
        }
        peripheral.respond(to: first, withResult: .success)
        for (characteristic, value) in values {
            let updates = state.withLock { $0.gadget.write(value, to: characteristic.uuid.value) }
            for update in updates {
                guard let told = self.characteristic(update.uuid) else { continue }
                tell(update.value, told, first.central)
            }
        }
    }

    /// Joins a part of a write to the previous parts; returns false if it begins beyond their end.
    private func join(
        _ request: CBATTRequest, to values: inout [(characteristic: CBCharacteristic, value: [UInt8])]
    ) -> Bool {
        let part = Array(request.value ?? Data())
        if request.offset > 0,
            let index = values.lastIndex(where: { $0.characteristic === request.characteristic })
        {
            guard request.offset <= values[index].value.count else { return false }
            values[index].value = values[index].value.prefix(request.offset) + part
            return true
        }
        let old =
            request.offset == 0
            ? [] : state.withLock { $0.gadget.value(of: request.characteristic.uuid.value) }
        guard request.offset <= old.count else { return false }
        values.append((request.characteristic, old.prefix(request.offset) + part))
        return true
    }

    private func characteristic(_ uuid: BluetoothUUID) -> CBMutableCharacteristic? {
        for service in services {
            for one in service.characteristics ?? [] where one.uuid.value == uuid {
                return one as? CBMutableCharacteristic
            }
        }
        return nil
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        guard let mutable = characteristic as? CBMutableCharacteristic else { return }
        state.withLock {
            $0.subscriptions.append(Subscription(central: central, characteristic: mutable, timer: nil))
        }
        tellLater(central, mutable)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        let timers = state.withLock { state in
            let gone = state.subscriptions.filter {
                $0.central === central && $0.characteristic === characteristic
            }
            state.subscriptions.removeAll { $0.central === central && $0.characteristic === characteristic }
            state.waiting.removeAll { $0.central === central && $0.characteristic === characteristic }
            return gone.compactMap(\.timer)
        }
        for timer in timers { adapter.cancel(timer) }
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        state.withLock { send(&$0) }
    }
}
