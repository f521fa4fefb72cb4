import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import Runtime
import SimulatedDevices
import Synchronization
import WireBytes

/// A central that does by hand what a test asks for, and keeps a line of each callback.
final class AirCentral: NSObject, GATTCentral, Sendable {
    private struct State: Sendable {
        var session: GATTSession?
        var lines: [String] = []
        var times: [Int64] = []
        var name: String?
    }

    let manager: CBCentralManager
    private let world: SimulatedWorld
    private let service: CBUUID
    // What is not kept takes its services away.
    private let device: SimulatedGadget
    private let state = Mutex(State())

    /// A central that connects to the first device that advertises a service, and discovers everything.
    init(_ address: UInt64, _ world: SimulatedWorld, _ device: SimulatedGadget, service: String) {
        self.world = world
        self.device = device
        self.service = CBUUID(string: service)
        manager = CBCentralManager(
            delegate: nil, queue: world.delivery.inline, options: nil,
            adapter: world.adapter(DeviceAddress(address, .public)).bluetooth)
        super.init()
        manager.delegate = self
    }

    /// Lines since the last call.
    func take() -> [String] {
        state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
    }

    /// When values came, in milliseconds of virtual time.
    var times: [Int64] { state.withLock { $0.times } }
    var name: String? { state.withLock { $0.name } }
    private var peripheral: CBPeripheral? { state.withLock { $0.session }?.peripheral }

    /// The device's own services with their characteristics: "FFF0: FFF1 16, FFF2 10".
    var discovered: [String] {
        (peripheral?.services ?? []).compactMap { service in
            let all = (service.characteristics ?? []).map { "\($0.uuid) \($0.properties.rawValue)" }
            let isGeneric = service.uuid.uuidString.hasPrefix("180")
            return isGeneric ? nil : "\(service.uuid): " + all.joined(separator: ", ")
        }
    }

    func characteristic(_ uuid: String) -> CBCharacteristic? {
        peripheral?.characteristics.first { $0.uuid == CBUUID(string: uuid) }
    }

    func read(_ uuid: String) -> [String] {
        perform(uuid) { $0.readValue(for: $1) }
    }

    func write(_ uuid: String, _ value: [UInt8], _ type: CBCharacteristicWriteType = .withResponse)
        -> [String]
    {
        perform(uuid) { $0.writeValue(Data(value), for: $1, type: type) }
    }

    func listen(_ uuid: String, _ isOn: Bool = true) -> [String] {
        perform(uuid) { $0.setNotifyValue(isOn, for: $1) }
    }

    func describe(_ uuid: String) -> [String] {
        perform(uuid) { $0.discoverDescriptors(for: $1) }
    }

    func disconnect() {
        if let peripheral { manager.cancelPeripheralConnection(peripheral) }
        world.run(for: .seconds(1))
    }

    private func perform(_ uuid: String, _ body: (CBPeripheral, CBCharacteristic) -> Void) -> [String] {
        guard let peripheral, let found = characteristic(uuid) else {
            return ["\(uuid): not found"]
        }
        body(peripheral, found)
        world.run(for: .milliseconds(500))
        return take()
    }

    private func add(_ line: String) { state.withLock { $0.lines.append(line) } }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [service]) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        central.stopScan()
        let session = GATTSession(peripheral) { [weak self] in self?.take($0, $1) }
        state.withLock {
            $0.session = session
            $0.name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        }
        central.connect(peripheral)
    }

    private func take(_ event: GATTSession.Event, _ session: GATTSession) {
        switch event {
        case .connected: session.discover()
        case .descriptors(let characteristic, _):
            for descriptor in characteristic.descriptors ?? [] {
                session.peripheral.readValue(for: descriptor)
            }
        case .value(let descriptor as CBDescriptor, _, _):
            add("\(descriptor.uuid) \(descriptor.value ?? "-")")
        case .value(let characteristic, let value, let error):
            let now = manager.adapter?.time.now.nanoseconds ?? 0
            state.withLock { $0.times.append(now / 1_000_000) }
            add("\(characteristic.uuid) " + Self.text(error, value))
        case .subscription(let characteristic, _):
            add("\(characteristic.uuid) notifying \(characteristic.isNotifying)")
        case .written(let attribute, let error):
            add("\(attribute.uuid) written" + (error == nil ? "" : " " + Self.text(error, [])))
        default: break
        }
    }

    private static func text(_ error: (any Error)?, _ value: [UInt8]) -> String {
        guard let error else {
            let isText = !value.isEmpty && value.allSatisfy { (0x20..<0x7F).contains($0) }
            return isText ? String(decoding: value, as: UTF8.self) : Hex.text(value)
        }
        return "error \((error as NSError).code)"
    }
}
