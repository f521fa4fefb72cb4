import BluetoothCore
import CoreBluetooth
import Foundation
import Synchronization
import WireBytes

/// A central without a protocol: finds a device by a service, discovers everything, and runs the actions.
final class PlainCentral: CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
    private struct State: Sendable {
        var peripheral: CBPeripheral?
        /// Answers that are waited for, before ``isIdle``.
        var awaited = 1
        var isLinked = false
        var failures: [String] = []
    }

    let manager: CBCentralManager
    private let journal: SimulationJournal
    private let service: CBUUID
    private let state = Mutex(State())

    init(_ adapter: BluetoothAdapter, _ journal: SimulationJournal, service: BluetoothUUID) {
        self.journal = journal
        self.service = CBUUID(service)
        manager = CBCentralManager(
            delegate: nil, queue: (adapter.delivery as? SettlingDelivery)?.inline, options: nil,
            adapter: adapter)
        manager.delegate = self
    }

    /// Whether everything that was asked has been answered.
    var isIdle: Bool { state.withLock { $0.awaited == 0 } }
    /// Whether the device is connected.
    var isLinked: Bool { state.withLock { $0.isLinked } }
    /// What was refused or failed.
    var failures: [String] { state.withLock { $0.failures } }

    // MARK: Doing

    /// Begins something; ``isIdle`` tells its end.
    func perform(_ action: GATTAction) {
        switch action {
        case .read(let uuid): on(uuid) { $0.readValue(for: $1) }
        case .describe(let uuid): on(uuid) { $0.discoverDescriptors(for: $1) }
        case .listen(let uuid, let isOn): on(uuid) { $0.setNotifyValue(isOn, for: $1) }
        case .write(let uuid, let value):
            on(uuid) { $0.writeValue(Data(value), for: $1, type: .withResponse) }
        case .command(let uuid, let value):
            on(uuid) { peripheral, characteristic in
                let limit = peripheral.maximumWriteValueLength(for: .withoutResponse)
                guard value.count <= limit else {
                    return fail(
                        "\(uuid): \(value.count) bytes, but the link takes at most \(limit)")
                }
                peripheral.writeValue(Data(value), for: characteristic, type: .withoutResponse)
                journal.add("\(uuid) sent \(Self.shown(value))")
                answered()
            }
        case .wait: break
        }
    }

    func disconnect() {
        guard let peripheral = state.withLock({ $0.peripheral }) else { return }
        state.withLock { $0.awaited = 1 }
        manager.cancelPeripheralConnection(peripheral)
    }

    private func on(_ uuid: BluetoothUUID, _ body: (CBPeripheral, CBCharacteristic) -> Void) {
        state.withLock { $0.awaited += 1 }
        let peripheral = state.withLock { $0.peripheral }
        let found = (peripheral?.services ?? []).flatMap { $0.characteristics ?? [] }
            .first { $0.uuid.value == uuid }
        guard let peripheral, let found else { return fail("\(uuid): not found") }
        body(peripheral, found)
    }

    private func answered(_ more: Int = 0) {
        state.withLock { $0.awaited = max(0, $0.awaited - 1 + more) }
    }

    private func fail(_ text: String) {
        journal.add(text)
        state.withLock { $0.failures.append(text) }
        answered()
    }

    private func told(_ what: String, _ error: (any Error)?, _ text: String) {
        if let error { return fail("\(what): \(Self.shown(error))") }
        journal.add(text)
        answered()
    }

    /// Bytes in hexadecimal, and as text if they are some.
    static func shown(_ value: [UInt8]) -> String {
        guard !value.isEmpty else { return "nothing" }
        guard let text = String(validating: value, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ !$0.properties.isDefaultIgnorableCodePoint && $0.value > 0x1F }),
            !text.unicodeScalars.contains(where: { (0x7F...0x9F).contains($0.value) })
        else { return Hex.text(value) }
        return "\(Hex.text(value)) \"\(text)\""
    }

    /// What went wrong, with the error's name and code if it is one of the attribute protocol.
    private static func shown(_ error: any Error) -> String {
        guard let error = error as? CBATTError, let raw = UInt8(exactly: error.errorCode) else {
            return error.localizedDescription
        }
        let name = ATTErrorCode(rawValue: raw).name.map { "\($0) " } ?? "error "
        return name + "0x" + Hex.text([raw])
    }

    // MARK: What the managers tell

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        journal.add("scanning for \(service)")
        central.scanForPeripherals(withServices: [service])
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        central.stopScan()
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        journal.add("found \(peripheral.address)" + (name.map { " \"\($0)\"" } ?? "") + ", \(rssi) dBm")
        state.withLock { $0.peripheral = peripheral }
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        journal.add("connected")
        state.withLock { $0.isLinked = true }
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        journal.add("disconnected" + (error.map { ": \($0.localizedDescription)" } ?? ""))
        state.withLock {
            $0.isLinked = false
            $0.awaited = 0
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        let services = peripheral.services ?? []
        for service in services { peripheral.discoverCharacteristics(nil, for: service) }
        answered(services.count)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        let all = (service.characteristics ?? []).map {
            "\($0.uuid) (\($0.properties.names.joined(separator: ", ")))"
        }
        told("\(service.uuid)", error, "service \(service.uuid): \(all.joined(separator: ", "))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { return fail("\(characteristic.uuid): \(Self.shown(error))") }
        let descriptors = characteristic.descriptors ?? []
        for descriptor in descriptors { peripheral.readValue(for: descriptor) }
        if descriptors.isEmpty { journal.add("\(characteristic.uuid) has no descriptors") }
        answered(descriptors.count)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {
        let owner = descriptor.characteristic?.uuid.uuidString ?? "?"
        told("\(owner) \(descriptor.uuid)", error, "\(owner) \(descriptor.uuid): \(descriptor.value ?? "-")")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let text = characteristic.isNotifying ? "notifications on" : "notifications off"
        told("\(characteristic.uuid)", error, "\(characteristic.uuid) \(text)")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let value = Array(characteristic.value ?? Data())
        told("\(characteristic.uuid)", error, "\(characteristic.uuid) is \(Self.shown(value))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        told("\(characteristic.uuid)", error, "\(characteristic.uuid) written")
    }
}
