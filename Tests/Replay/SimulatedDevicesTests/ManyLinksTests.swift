import BluetoothCore
import CoreBluetooth
import Foundation
import Runtime
import SimulatedDevices
import Synchronization
import Testing
import VirtualController

/// One central that uses as many devices as come, all at once.
private final class Collector: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
    struct State: Sendable {
        var peripherals: [CBPeripheral] = []
        var discovered: Set<UUID> = []
        var subscribed: Set<UUID> = []
        /// Writes that were confirmed, and values that came, by device.
        var written: [UUID: Int] = [:]
        var values: [UUID: Int] = [:]
        var errors: [String] = []
        /// The fewest and the most writes of a device when the first had all.
        var spread: ClosedRange<Int>?
    }

    static let writes = 5

    let manager: CBCentralManager
    let state = Mutex(State())

    init(_ world: SimulatedWorld, links: Int) {
        var configuration = ControllerConfiguration(publicAddress: DeviceAddress(0xF000, .public))
        configuration.linkLimit = links
        let radio = world.radio
        let controller = radio.add(configuration)
        let pipe = PacketPipe(
            attach: { radio.attach(controller, $0) }, send: { radio.send($0, from: controller) })
        let adapter = BluetoothAdapter(
            pipe: pipe, time: world.time, entropy: SeededEntropy(seed: 1), delivery: world.delivery)
        manager = CBCentralManager(
            delegate: nil, queue: world.delivery.inline, options: nil, adapter: adapter)
        super.init()
        manager.delegate = self
    }

    private func note(_ peripheral: CBPeripheral, _ error: (any Error)?, _ body: (inout State, UUID) -> Void)
    {
        state.withLock { state in
            if let error { state.errors.append("\(peripheral.identifier): \(error)") }
            body(&state, peripheral.identifier)
        }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "FEE0")]) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        peripheral.delegate = self
        let isNew = state.withLock { state in
            guard !state.peripherals.contains(peripheral) else { return false }
            state.peripherals.append(peripheral)
            return true
        }
        if isNew { central.connect(peripheral) }
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { note(peripheral, error) { state, _ in state.errors.append("not connected") } }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { note(peripheral, error) { _, _ in } }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices(nil)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        guard service.uuid == CBUUID(string: "FEE0") else { return }
        note(peripheral, error) { state, id in state.discovered.insert(id) }
        for one in service.characteristics ?? [] where one.uuid == CBUUID(string: "FF01") {
            peripheral.setNotifyValue(true, for: one)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { note(peripheral, error) { state, id in state.subscribed.insert(id) } }

    /// Writes to every device at once.
    func writeAll() {
        for peripheral in state.withLock({ $0.peripherals }) {
            let all = (peripheral.services ?? []).flatMap { $0.characteristics ?? [] }
            for one in all where one.uuid == CBUUID(string: "FF02") {
                for _ in 0..<Self.writes {
                    peripheral.writeValue(Data([0x1B, 0x99, 0x01]), for: one, type: .withResponse)
                }
            }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        note(peripheral, error) { state, id in
            state.written[id, default: 0] += 1
            guard state.spread == nil, state.written[id] == Self.writes else { return }
            let counts = state.peripherals.map { state.written[$0.identifier] ?? 0 }
            state.spread = (counts.min() ?? 0)...(counts.max() ?? 0)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { note(peripheral, error) { state, id in state.values[id, default: 0] += 1 } }
}

@Suite struct ManyLinksTests {
    @Test func `a hundred links at once are all served, and none before the others`() {
        let world = SimulatedWorld(seed: 5)
        let devices = (0..<100).map { number in
            SimulatedGadget(
                Band(tenths: 10), on: world.adapter(DeviceAddress(0x1_0000 + number, .public)).bluetooth)
        }
        let central = Collector(world, links: devices.count)
        #expect(
            world.run(for: .seconds(300)) { central.state.withLock { $0.subscribed.count } == devices.count })
        #expect(central.state.withLock { $0.errors } == [])
        #expect(central.state.withLock { $0.discovered.count } == devices.count)
        let isConnected = central.state.withLock { $0.peripherals.allSatisfy { $0.state == .connected } }
        #expect(isConnected)
        central.writeAll()
        let all = devices.count * Collector.writes
        #expect(
            world.run(for: .seconds(60)) {
                central.state.withLock { state in
                    state.values.values.reduce(0, +) == all && state.written.values.reduce(0, +) == all
                }
            })
        let state = central.state.withLock { $0 }
        #expect(state.errors == [])
        #expect(state.written.count == devices.count)
        #expect(state.written.values.allSatisfy { $0 == Collector.writes })
        // When the first device has had all its writes, the last has had most of them.
        #expect(
            (state.spread?.lowerBound ?? 0) >= Collector.writes - 2, "\(String(describing: state.spread))")
    }
}
