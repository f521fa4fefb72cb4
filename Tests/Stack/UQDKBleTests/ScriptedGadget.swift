import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import WireBytes

/// A small device of the other systems: one service, values from closures. All in one queue.
final class ScriptedGadget: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    let manager: CBPeripheralManager
    private let service: CBUUID
    private let characteristics: [CBMutableCharacteristic]
    private let data: [UInt8]
    private let scanResponse: [UInt8]
    var read: (CBUUID) -> [UInt8] = { _ in [] }
    /// How a write is answered, and what is notified after it.
    var write: ([UInt8]) -> (CBATTError.Code, [UInt8]?) = { _ in (.success, nil) }
    /// What was written, and who came and went, in hex and words.
    private(set) var lines: [String] = []

    init(
        _ adapter: BluetoothAdapter, service: UInt16, characteristics: [(UInt16, CBCharacteristicProperties)],
        mac: UInt64, name: String, showsMACAsName: Bool = false
    ) {
        self.service = CBUUID(BluetoothUUID(service))
        self.characteristics = characteristics.map {
            CBMutableCharacteristic(
                type: CBUUID(BluetoothUUID($0.0)), properties: $0.1, value: nil,
                permissions: [.readable, .writeable])
        }
        let address = DeviceAddress(mac)
        let uuids = [3, 0x03, UInt8(service & 0xFF), UInt8(service >> 8)]
        let shown = Array((showsMACAsName ? "\(address)" : name).utf8)
        data =
            [2, 0x01, 0x06] + uuids
            + (showsMACAsName ? [] : [9, 0xFF, 0xFF, 0xFF] + address.octets)
        scanResponse = [UInt8(shown.count + 1), 0x09] + shown
        let settling = adapter.delivery as? SettlingDelivery
        manager = CBPeripheralManager(
            delegate: nil, queue: settling?.inline, options: nil, adapter: adapter)
        super.init()
        manager.delegate = self
    }

    func notify(_ octets: [UInt8]) {
        _ = manager.updateValue(Data(octets), for: characteristics[0], onSubscribedCentrals: nil)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        let one = CBMutableService(type: service, primary: true)
        one.characteristics = characteristics
        peripheral.add(one)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) { manager.startAdvertising(data: data, scanResponse: scanResponse) }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) { lines.append("subscribed \(characteristic.uuid)") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        lines.append("unsubscribed \(characteristic.uuid)")
        manager.startAdvertising(data: data, scanResponse: scanResponse)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        lines.append("read \(request.characteristic.uuid)")
        request.value = Data(read(request.characteristic.uuid)).dropFirst(request.offset)
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        guard let first = requests.first else { return }
        let octets = Array(first.value ?? Data())
        lines.append("written \(first.characteristic.uuid) \(Hex.text(octets))")
        let (code, answer) = write(octets)
        peripheral.respond(to: first, withResult: code)
        if let answer { notify(answer) }
    }
}
