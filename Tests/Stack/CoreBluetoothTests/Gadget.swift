import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import VirtualController

/// A peripheral that answers from a table of values, and writes down all that it is told.
final class Gadget: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    let world: BluetoothWorld
    let adapter: BluetoothAdapter
    let controller: ControllerID
    let lines = Lines()
    let manager: CBPeripheralManager
    let services: [CBMutableService]
    private let advertisement: [String: Any]?
    /// Values by the UUID of their characteristic.
    var values: [String: [UInt8]] = [:]
    /// Takes the place of the answer to a read or to writes.
    var onRead: ((Gadget, CBATTRequest) -> Void)?
    var onWrite: ((Gadget, [CBATTRequest]) -> Void)?
    var onReady: ((Gadget) -> Void)?
    /// What was written without response.
    var commands: [[UInt8]] = []
    /// The number of the service that was published last, and the channels that were opened.
    var published: CBL2CAPPSM?
    var channels: [CBL2CAPChannel] = []

    init(
        _ world: BluetoothWorld, _ place: (BluetoothAdapter, ControllerID), _ services: [CBMutableService],
        advertises: [String: Any]? = [:]
    ) {
        self.world = world
        (adapter, controller) = place
        self.services = services
        advertisement = advertises
        manager = CBPeripheralManager(
            delegate: nil, queue: world.delivery.inline, options: nil, adapter: place.0)
        super.init()
        manager.delegate = self
    }

    /// One with a service that has a value of each kind, advertising.
    static func usual(_ world: BluetoothWorld, _ address: UInt64 = 0xC1) -> Gadget {
        let gadget = Gadget(world, world.adapter(address), [usualService()])
        gadget.values = ["FF01": [1, 2, 3]]
        world.run(for: .seconds(1)) { gadget.manager.isAdvertising }
        return gadget
    }

    static func usualService() -> CBMutableService {
        service(
            "FF00",
            [
                ("FF01", [.read, .write], [.readable, .writeable]),
                ("FF02", [.notify], []),
                ("FF03", [.indicate], []),
                ("FF04", [.writeWithoutResponse], [.writeable]),
                ("FF05", [.notify, .indicate], []),
            ])
    }

    static func service(
        _ name: String, _ all: [(String, CBCharacteristicProperties, CBAttributePermissions)]
    ) -> CBMutableService {
        let service = CBMutableService(type: uuid(name), primary: true)
        service.characteristics = all.map {
            CBMutableCharacteristic(type: uuid($0.0), properties: $0.1, value: nil, permissions: $0.2)
        }
        return service
    }

    func characteristic(_ text: String) -> CBMutableCharacteristic? {
        services.flatMap { $0.characteristics ?? [] }.first { $0.uuid == uuid(text) }
            as? CBMutableCharacteristic
    }

    /// Sends a value to all subscribers of a characteristic.
    @discardableResult
    func update(_ text: String, _ value: [UInt8]) -> Bool {
        guard let characteristic = characteristic(text) else { return false }
        return manager.updateValue(Data(value), for: characteristic, onSubscribedCentrals: nil)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        lines.add("state \(peripheral.state.rawValue)")
        guard peripheral.state == .poweredOn else { return }
        for service in services { peripheral.add(service) }
        if let advertisement {
            var all: [String: Any] = [
                CBAdvertisementDataLocalNameKey: "gadget",
                CBAdvertisementDataServiceUUIDsKey: services.map(\.uuid),
            ]
            all.merge(advertisement) { $1 }
            peripheral.startAdvertising(all)
        }
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        lines.add("advertising \(error.mark)")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) { lines.add("added \(service.name) \(error.mark)") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) { lines.add("subscribed \(String(central.address.value, radix: 16)) \(characteristic.name)") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) { lines.add("unsubscribed \(String(central.address.value, radix: 16)) \(characteristic.name)") }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        lines.add("read \(request.characteristic.name) \(request.offset)")
        if let onRead { return onRead(self, request) }
        let value = values[request.characteristic.name] ?? []
        guard request.offset <= value.count else {
            return peripheral.respond(to: request, withResult: .invalidOffset)
        }
        request.value = Data(value.dropFirst(request.offset))
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        let parts = requests.map { "\($0.characteristic.name) \($0.offset)+\($0.value?.count ?? 0)" }
        lines.add("written \(parts)")
        if requests[0].characteristic.name == "FF04" { commands.append(Array(requests[0].value ?? Data())) }
        if let onWrite { return onWrite(self, requests) }
        for request in requests {
            let old = values[request.characteristic.name] ?? []
            values[request.characteristic.name] =
                Array(old.prefix(request.offset)) + (request.value ?? Data())
        }
        peripheral.respond(to: requests[0], withResult: .success)
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        lines.add("ready")
        onReady?(self)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel psm: CBL2CAPPSM, error: (any Error)?
    ) {
        published = psm
        lines.add("channel \(error.mark)")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
    ) { if let channel { channels.append(channel) } }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel psm: CBL2CAPPSM, error: (any Error)?
    ) { lines.add("no channel \(psm) \(error.mark)") }
}
