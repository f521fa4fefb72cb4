import BluetoothCore
import CoreBluetooth
import Foundation
import Runtime
import SimulatedDevices
import Synchronization

/// Plays a phone and a band through the CoreBluetooth API and the virtual air; `tools/bench` measures it.
///
/// `StackBench pairs N`: one session in which N writes without response are each answered by a notification.
/// `StackBench sessions N`: N sessions of scan, connection, discovery, subscription, one such pair, end.
@main
enum StackBench {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else { exit(2) }
        let world = SimulatedWorld()
        let there = world.adapter(DeviceAddress(0x02_0000_0000_B0, .public)).bluetooth
        let here = world.adapter(DeviceAddress(0x02_0000_0000_F0, .public)).bluetooth
        let band = SimulatedGadget(Band(), on: there)
        let phone = BandPhone(
            on: here, queue: world.delivery.inline, pairs: arguments[1] == "pairs" ? count : 1)
        let sessions = arguments[1] == "pairs" ? 1 : count
        world.run(for: .seconds(3600 * 24)) { phone.sessions == sessions }
        withExtendedLifetime(band) {}
        guard phone.sessions == sessions, phone.answers == count else {
            FileHandle.standardError.write(
                Data("\(phone.sessions) sessions, \(phone.answers) answers of \(count)\n".utf8))
            exit(1)
        }
    }
}

/// A central that asks the band for its battery again and again.
private final class BandPhone: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    private static let command = Data([0x1B, 0x99, 0x01])
    private let manager: CBCentralManager
    private let pairs: Int
    private var peripheral: CBPeripheral?
    private var control: CBCharacteristic?
    private var left = 0
    private(set) var answers = 0
    private(set) var sessions = 0

    init(on adapter: BluetoothAdapter, queue: DispatchQueue, pairs: Int) {
        self.pairs = pairs
        manager = CBCentralManager(delegate: nil, queue: queue, options: nil, adapter: adapter)
        super.init()
        manager.delegate = self
    }

    private func ask() {
        guard let control else { return }
        peripheral?.writeValue(Self.command, for: control, type: .withoutResponse)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        central.stopScan()
        self.peripheral = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([CBUUID(string: "FEE0")])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] {
            if characteristic.properties.contains(.notify) {
                peripheral.setNotifyValue(true, for: characteristic)
            } else {
                control = characteristic
            }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        left = pairs
        ask()
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        answers += 1
        left -= 1
        if left > 0 { ask() } else { manager.cancelPeripheralConnection(peripheral) }
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        sessions += 1
        self.peripheral = nil
        central.scanForPeripherals(withServices: nil)
    }
}
