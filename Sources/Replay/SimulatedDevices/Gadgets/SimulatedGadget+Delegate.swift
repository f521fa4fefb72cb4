import BluetoothCore
@_spi(Host) public import CoreBluetooth
import Foundation
import Synchronization

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
