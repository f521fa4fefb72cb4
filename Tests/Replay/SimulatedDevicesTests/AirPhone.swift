import BluetoothCore
import CoreBluetooth
import Foundation
import SimulatedDevices
import Synchronization
import UQDK

/// A phone on the air that only moves octets: it connects, listens, writes what it is given and keeps what it
/// hears.
final class AirPhone: NSObject, GATTCentral, Sendable {
    private struct State: Sendable {
        var session: GATTSession?
        var command: CBCharacteristic?
        var heard: [[UInt8]] = []
        var info: [UInt8]?
        var advertised: (data: [UInt8]?, name: String?, services: [String]) = (nil, nil, [])
        var isReady = false
        var isDisconnected = false
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
    var advertised: (data: [UInt8]?, name: String?, services: [String]) { state.withLock { $0.advertised } }
    var valueOctets: Int {
        peripheral?.maximumWriteValueLength(for: .withResponse) ?? 20
    }
    private var peripheral: CBPeripheral? { state.withLock { $0.session }?.peripheral }

    func takeHeard() -> [[UInt8]] {
        state.withLock { state in
            defer { state.heard = [] }
            return state.heard
        }
    }

    func write(_ values: [[UInt8]], _ type: CBCharacteristicWriteType = .withResponse) {
        guard let peripheral, let command = state.withLock({ $0.command }) else { return }
        for value in values { peripheral.writeValue(Data(value), for: command, type: type) }
    }

    func disconnect() {
        if let peripheral { manager.cancelPeripheralConnection(peripheral) }
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
        let session = GATTSession(peripheral) { [weak self] in self?.take($0, $1) }
        state.withLock {
            $0.session = session
            $0.advertised = (data.map { Array($0) }, name, services.map(\.uuidString))
        }
        central.connect(peripheral)
    }

    private func take(_ event: GATTSession.Event, _ session: GATTSession) {
        switch event {
        case .connected: session.discover([CBUUID(dialect.gatt.service)])
        case .disconnected: state.withLock { $0.isDisconnected = true }
        case .characteristics(let service, _):
            for characteristic in service.characteristics ?? [] { use(characteristic, session.peripheral) }
        case .subscription(_, let error): state.withLock { $0.isReady = error == nil }
        case .value(let attribute, let value, _):
            state.withLock { state in
                if (attribute as? CBCharacteristic)?.properties.contains(.read) == true {
                    state.info = value
                    if !subscribes { state.isReady = true }
                } else {
                    state.heard.append(value)
                }
            }
        default: break
        }
    }

    private func use(_ characteristic: CBCharacteristic, _ peripheral: CBPeripheral) {
        if characteristic.properties.contains(.write) {
            state.withLock { $0.command = characteristic }
        } else if characteristic.properties.contains(.notify), subscribes {
            peripheral.setNotifyValue(true, for: characteristic)
        } else if characteristic.properties.contains(.read) {
            peripheral.readValue(for: characteristic)
        }
    }
}
