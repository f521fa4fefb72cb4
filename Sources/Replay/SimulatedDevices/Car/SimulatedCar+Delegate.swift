import BluetoothCore
@_spi(Host) public import CoreBluetooth
import Foundation
import UQDK

// Callbacks of the peripheral manager.
extension SimulatedCar {
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return act { $0.advertised = nil } }
        var isFirst = false
        act { state in
            isFirst = !state.isServiceAsked
            state.isServiceAsked = true
        }
        if isFirst { peripheral.add(service) }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {
        act { state in
            if let error {
                state.notes.append(.problem("the service can't be added: \(error.localizedDescription)"))
            } else {
                state.hasService = true
            }
        }
    }

    public func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?
    ) {
        guard let error else { return }
        act { $0.notes.append(.problem("it can't advertise: \(error.localizedDescription)")) }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
    ) {
        guard let first = requests.first else { return }
        guard let value = Self.joined(requests) else {
            return peripheral.respond(to: first, withResult: .invalidOffset)
        }
        guard value.count <= configuration.dialect.limits.valueOctets else {
            return peripheral.respond(to: first, withResult: .invalidAttributeValueLength)
        }
        peripheral.respond(to: first, withResult: .success)
        let now = adapter.time.now
        act { state in
            guard let link = Self.link(of: first.central, state) else { return }
            state.engine.receive(value, on: link, at: now)
        }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        subscribe(central, true)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        subscribe(central, false)
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        act { _ in }
    }

    /// Returns the joined parts of a long write; nil unless they are consecutive from the start.
    private static func joined(_ requests: [CBATTRequest]) -> [UInt8]? {
        var value: [UInt8] = []
        for request in requests {
            guard request.offset == value.count else { return nil }
            value += request.value ?? Data()
        }
        return value
    }

    private static func link(of central: CBCentral, _ state: State) -> CarLinkID? {
        state.centrals.first { $0.value === central }?.key
    }

    private func subscribe(_ central: CBCentral, _ isSubscribed: Bool) {
        act { state in
            guard let link = Self.link(of: central, state) else { return }
            state.engine.links[link]?.isSubscribed = isSubscribed
        }
    }

    func began(_ central: CBCentral) {
        act { state in
            let link = CarLinkID(rawValue: state.nextLink)
            state.nextLink += 1
            state.centrals[link] = central
            state.engine.begin(link, central.address)
        }
    }

    func ended(_ central: CBCentral) {
        act { state in
            guard let link = Self.link(of: central, state) else { return }
            state.centrals[link] = nil
            state.waiting.removeAll { $0.link == link }
            state.engine.end(link)
        }
    }
}
