import CoreBluetooth
import Foundation
import Testing
import VirtualController

/// A peripheral in the style of iOS: one service, a value to read and write, one that notifies.
final class Server: NSObject, CBPeripheralManagerDelegate {
    let manager: CBPeripheralManager
    let lines: Lines
    private var value = Data([1, 2, 3])
    private let notifier = CBMutableCharacteristic(
        type: CBUUID(string: "FF02"), properties: [.notify, .writeWithoutResponse], value: nil,
        permissions: [.writeable])

    init(_ adapter: BluetoothAdapter, _ queue: DispatchQueue?, _ lines: Lines) {
        self.lines = lines
        manager = CBPeripheralManager(delegate: nil, queue: queue, options: nil, adapter: adapter)
        super.init()
        manager.delegate = self
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        lines.add("server state \(peripheral.state.rawValue)")
        guard peripheral.state == .poweredOn else { return }
        let service = CBMutableService(type: CBUUID(string: "FF00"), primary: true)
        service.characteristics = [
            CBMutableCharacteristic(
                type: CBUUID(string: "FF01"), properties: [.read, .write], value: nil,
                permissions: [.readable, .writeable]),
            notifier,
        ]
        peripheral.add(service)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {
        peripheral.startAdvertising([
            CBAdvertisementDataLocalNameKey: "server",
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FF00")],
        ])
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        request.value = value.dropFirst(request.offset)
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        lines.add("server written \(requests.map { Array($0.value ?? Data()) })")
        value = requests.first?.value ?? Data()
        peripheral.respond(to: requests[0], withResult: .success)
        _ = peripheral.updateValue(Data([9]) + value, for: notifier, onSubscribedCentrals: nil)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        lines.add("server subscribed \(characteristic.uuid) \(central.maximumUpdateValueLength)")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        lines.add("server unsubscribed \(characteristic.uuid)")
    }
}

/// A central in the style of iOS: everything by the book, from the scan to the end of the link.
final class Client: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    let manager: CBCentralManager
    let lines: Lines
    private var peripheral: CBPeripheral?

    init(_ adapter: BluetoothAdapter, _ queue: DispatchQueue?, _ lines: Lines) {
        self.lines = lines
        manager = CBCentralManager(delegate: nil, queue: queue, options: nil, adapter: adapter)
        super.init()
        manager.delegate = self
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        lines.add("client state \(central.state.rawValue)")
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "FF00")]) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        lines.add("client found \(name ?? "-") \(rssi) name \(peripheral.name ?? "-")")
        central.stopScan()
        self.peripheral = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        lines.add("client connected \(peripheral.state.rawValue)")
        peripheral.discoverServices([CBUUID(string: "FF00")])
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        lines.add("client disconnected \(error.map { "\(($0 as NSError).code)" } ?? "nil")")
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        lines.add("client services \(peripheral.services?.map(\.uuid.uuidString) ?? [])")
        guard let service = peripheral.services?.first else { return }
        peripheral.discoverCharacteristics(nil, for: service)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        let all = service.characteristics ?? []
        lines.add("client characteristics \(all.map { "\($0.uuid) \($0.properties.rawValue)" })")
        for characteristic in all where characteristic.properties.contains(.notify) {
            peripheral.setNotifyValue(true, for: characteristic)
        }
        for characteristic in all where characteristic.properties.contains(.read) {
            peripheral.readValue(for: characteristic)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        lines.add("client notifying \(characteristic.isNotifying)")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        lines.add("client value \(characteristic.uuid) \(Array(characteristic.value ?? Data()))")
        if characteristic.uuid == CBUUID(string: "FF01") {
            peripheral.writeValue(Data([7, 8]), for: characteristic, type: .withResponse)
        } else {
            manager.cancelPeripheralConnection(peripheral)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        lines.add("client wrote \(error == nil)")
    }
}

@Suite struct SessionTests {
    static func session(_ queues: (BluetoothWorld) -> (DispatchQueue?, DispatchQueue?)) -> [String] {
        let world = BluetoothWorld()
        let lines = Lines()
        let (phone, gadget) = queues(world)
        let server = Server(world.adapter(0xC1).0, gadget, lines)
        let client = Client(world.adapter(0xF1).0, phone, lines)
        world.run(for: .seconds(10))
        withExtendedLifetime((server, client)) {}
        return lines.all
    }

    static let expected = [
        "server state 5", "client state 5", "client found server -60 name server", "client connected 2",
        "client services [\"FF00\"]", "client characteristics [\"FF01 10\", \"FF02 20\"]",
        "server subscribed FF02 512", "client notifying true", "client value FF01 [1, 2, 3]",
        "server written [[7, 8]]", "client wrote true", "client value FF02 [9, 7, 8]",
        "server unsubscribed FF02", "client disconnected nil",
    ]

    @Test func `a session from the scan to its end, called in virtual time itself`() {
        #expect(Self.session { ($0.delivery.inline, $0.delivery.inline) }.sorted() == Self.expected.sorted())
    }

    @Test func `the same on serial queues, on concurrent ones and on the main queue`() {
        let inline = Self.session { ($0.delivery.inline, $0.delivery.inline) }
        #expect(
            Self.session { _ in (DispatchQueue(label: "phone"), DispatchQueue(label: "gadget")) } == inline)
        #expect(
            Self.session { _ in
                let queue = DispatchQueue(label: "both", attributes: .concurrent)
                return (queue, queue)
            } == inline)
        #expect(Self.session { _ in (nil, DispatchQueue(label: "gadget")) } == inline)
    }

    @Test func `the main queue has two names`() {
        let inline = Self.session { ($0.delivery.inline, $0.delivery.inline) }
        #expect(Self.session { _ in (.main, DispatchQueue(label: "gadget")) } == inline)
        #expect(Self.session { _ in (nil, .main) } == inline)
    }
}
