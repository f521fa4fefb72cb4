import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import VirtualController

/// A central that writes down all that it is told, in virtual time.
final class Phone: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    let world: BluetoothWorld
    let adapter: BluetoothAdapter
    let controller: ControllerID
    let lines = Lines()
    let manager: CBCentralManager
    /// Devices that were found, in order; none twice.
    var found: [CBPeripheral] = []
    var advertisements: [[String: Any]] = []
    var restored: [String: Any] = [:]
    var timestamps: [Double] = []
    var channels: [CBL2CAPChannel] = []
    /// What is done when a line is written.
    var reaction: ((Phone, String) -> Void)?
    /// How many more values without response are to be written.
    var onReady: ((CBPeripheral) -> Void)?

    init(
        _ world: BluetoothWorld, _ place: (BluetoothAdapter, ControllerID), options: [String: Any]? = nil
    ) {
        self.world = world
        (adapter, controller) = place
        manager = CBCentralManager(
            delegate: nil, queue: world.delivery.inline, options: options, adapter: place.0)
        super.init()
        manager.delegate = self
    }

    /// One that is powered on.
    static func on(_ world: BluetoothWorld, _ address: UInt64 = 0xF1) -> Phone {
        let phone = Phone(world, world.adapter(address))
        world.run(for: .seconds(1)) { phone.manager.state == .poweredOn }
        return phone
    }

    func peripheral(_ address: UInt64) -> CBPeripheral? {
        let peripheral = manager.peripheral(at: DeviceAddress(address, .public))
        peripheral?.delegate = self
        return peripheral
    }

    /// Connects to a device and finds all that it has.
    func open(_ address: UInt64, discovers: Bool = true) -> CBPeripheral? {
        guard let peripheral = peripheral(address) else { return nil }
        manager.connect(peripheral)
        world.run(for: .seconds(10)) { peripheral.state == .connected }
        guard discovers else { return peripheral }
        peripheral.discoverServices(nil)
        wait("services")
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics(nil, for: service)
            wait("characteristics \(service.name)")
        }
        // What a phone does by itself after connecting has been done too.
        world.run(for: .seconds(3))
        lines.clear()
        return peripheral
    }

    /// Goes on until a line with this beginning is written that was not there before.
    @discardableResult
    func wait(_ beginning: String, for limit: Duration = .seconds(10)) -> Bool {
        let before = lines.matching(beginning).count
        return world.run(for: limit) { lines.matching(beginning).count > before }
    }

    private func write(_ line: String) {
        lines.add(line)
        reaction?(self, line)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        write("state \(central.state.rawValue)")
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        restored = dict
        write("restore in state \(central.state.rawValue)")
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        peripheral.delegate = self
        if !found.contains(where: { $0 === peripheral }) { found.append(peripheral) }
        advertisements.append(advertisementData)
        write("found \(String(peripheral.address.value, radix: 16)) \(peripheral.name ?? "-") \(rssi)")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        write("connected \(peripheral.state.rawValue)")
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { write("failed \(error.mark) \(peripheral.state.rawValue)") }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
    ) {
        timestamps.append(timestamp)
        write("disconnected \(error.mark) \(peripheral.state.rawValue)\(isReconnecting ? " again" : "")")
    }

    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
    ) { write("event \(event.rawValue)") }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { write("name \(peripheral.name ?? "-")") }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        write("modified \(invalidatedServices.map(\.name))")
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI rssi: NSNumber, error: (any Error)?) {
        write("rssi \(rssi) \(error.mark)")
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        write("services \(peripheral.services?.map(\.name) ?? []) \(error.mark)")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) { write("included \(service.includedServices?.map(\.name) ?? []) \(error.mark)") }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        write("characteristics \(service.name) \(service.characteristics?.map(\.name) ?? []) \(error.mark)")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { write("descriptors \(characteristic.descriptors?.map(\.name) ?? []) \(error.mark)") }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let value = Array(characteristic.value ?? Data())
        let shown = value.count > 20 ? "\(value.count) bytes" : "\(value)"
        write("value \(characteristic.name) \(shown) \(error.mark)")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { write("value \(descriptor.name) \(descriptor.value ?? "-") \(error.mark)") }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { write("wrote \(characteristic.name) \(error.mark)") }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { write("wrote \(descriptor.name) \(error.mark)") }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { write("notify \(characteristic.name) \(characteristic.isNotifying) \(error.mark)") }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        write("ready")
        onReady?(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        if let channel { channels.append(channel) }
        write("channel \(error.mark)")
    }
}

extension CBPeripheral {
    /// A characteristic that was found.
    func characteristic(_ text: String) -> CBCharacteristic? {
        (services ?? []).flatMap { $0.characteristics ?? [] }.first { $0.uuid == uuid(text) }
    }
}
