import BluetoothCore
import CoreBluetooth
import Foundation
import SimulatedDevices
import Synchronization
import UQDK

/// A phone on the air that only moves octets: it connects, listens, writes what it is given and keeps what it
/// hears.
final class AirPhone: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
    private struct State: Sendable {
        var peripheral: CBPeripheral?
        var command: CBCharacteristic?
        var heard: [[UInt8]] = []
        var info: [UInt8]?
        var advertised: (data: [UInt8]?, name: String?, services: [String]) = (nil, nil, [])
        var isReady = false
        var isDisconnected = false
        var written = 0
    }

    let manager: CBCentralManager
    private let dialect: Dialect
    private let subscribes: Bool
    private let state = Mutex(State())

    init(
        _ adapter: SimulatedAdapter, _ world: SimulatedWorld, dialect: Dialect = .reference1,
        subscribes: Bool = true
    ) {
        self.dialect = dialect
        self.subscribes = subscribes
        manager = CBCentralManager(
            delegate: nil, queue: world.delivery.inline, options: nil, adapter: adapter.bluetooth)
        super.init()
        manager.delegate = self
    }

    var heard: [[UInt8]] { state.withLock { $0.heard } }
    var info: [UInt8]? { state.withLock { $0.info } }
    var isReady: Bool { state.withLock { $0.isReady } }
    var isDisconnected: Bool { state.withLock { $0.isDisconnected } }
    var written: Int { state.withLock { $0.written } }
    var advertised: (data: [UInt8]?, name: String?, services: [String]) { state.withLock { $0.advertised } }
    var valueOctets: Int {
        state.withLock { $0.peripheral }?.maximumWriteValueLength(for: .withResponse) ?? 20
    }

    func takeHeard() -> [[UInt8]] {
        state.withLock { state in
            defer { state.heard = [] }
            return state.heard
        }
    }

    func write(_ values: [[UInt8]], _ type: CBCharacteristicWriteType = .withResponse) {
        let (peripheral, command) = state.withLock { ($0.peripheral, $0.command) }
        guard let peripheral, let command else { return }
        for value in values { peripheral.writeValue(Data(value), for: command, type: type) }
    }

    func disconnect() {
        if let peripheral = state.withLock({ $0.peripheral }) {
            manager.cancelPeripheralConnection(peripheral)
        }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn {
            central.scanForPeripherals(withServices: [CBUUID(dialect.gatt.service)])
        }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        guard !services.isEmpty else { return }
        central.stopScan()
        let data = advertisementData[CBAdvertisementDataManufacturerDataKey] as? Data
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        state.withLock {
            $0.peripheral = peripheral
            $0.advertised = (data.map { Array($0) }, name, services.map(\.uuidString))
        }
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([CBUUID(dialect.gatt.service)])
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        state.withLock { $0.isDisconnected = true }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] {
            if characteristic.properties.contains(.write) {
                state.withLock { $0.command = characteristic }
            } else if characteristic.properties.contains(.notify), subscribes {
                peripheral.setNotifyValue(true, for: characteristic)
            } else if characteristic.properties.contains(.read) {
                peripheral.readValue(for: characteristic)
            }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        state.withLock { $0.isReady = error == nil }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let value = Array(characteristic.value ?? Data())
        state.withLock { state in
            if characteristic.properties.contains(.read) {
                state.info = value
                if !subscribes { state.isReady = true }
            } else {
                state.heard.append(value)
            }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        state.withLock { $0.written += 1 }
    }
}
