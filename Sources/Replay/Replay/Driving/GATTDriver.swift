import BluetoothCore
import CoreBluetooth
import Foundation
import WireBytes

/// Does what a recorded host did by the calls that any program has: scan, connect, discover, read, write,
/// subscribe, disconnect. For logs of whatever device.
final class GATTDriver: SessionDriver, @unchecked Sendable {
    /// A connection and what is to be done on it.
    struct Visit {
        var peripheral: CBPeripheral
        /// Discoveries that have not ended.
        var discoveries = 0
        var isReady = false
        /// Steps to be done, in order; the first is under way where `isBusy`.
        var steps: [HostStep] = []
        var isBusy = false
    }

    /// How long a device is looked for before it is connected to without having been seen.
    static let scanLimit = Duration.seconds(10)

    private let adapter: BluetoothAdapter
    private let advertised: Set<DeviceAddress>
    private let note: @Sendable (String) -> Void
    private var manager: CBCentralManager?
    /// Devices that are scanned for.
    private var wanted: [DeviceAddress] = []
    /// Devices to be connected to when the adapter is on.
    private var early: [(number: Int, address: DeviceAddress)] = []
    /// By the number of the connection.
    private var visits: [Int: Visit] = [:]
    /// The visit that a device has now.
    private var current: [DeviceAddress: Int] = [:]
    /// Connections to devices whose visit before has not ended.
    private var held: [(number: Int, address: DeviceAddress)] = []
    private(set) var notes: [String] = []

    /// - Parameters:
    ///   - adapter: where its manager is.
    ///   - delivery: whose inline queue is where the manager calls back: on the pumping thread.
    ///   - note: hears of each callback.
    init(
        _ model: SessionModel, on adapter: BluetoothAdapter, delivery: SettlingDelivery,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.adapter = adapter
        self.note = note
        advertised = Set(model.advertising.reports.map(\.address))
        manager = CBCentralManager(delegate: self, queue: delivery.inline, options: nil, adapter: adapter)
    }

    func take(_ turn: HostTurn) {
        switch turn {
        case .connect(let number, let address):
            guard manager?.state == .poweredOn else { return early.append((number, address)) }
            connect(number, address)
        case .step(let number, let step):
            guard visits[number] != nil else {
                return notes.append("frame \(step.frame) came as connection \(number) was gone already")
            }
            visits[number]?.steps.append(step)
            advance(number)
        }
    }

    var stateLines: [String] {
        visits.keys.sorted().compactMap { number in
            guard let visit = visits[number] else { return nil }
            let address = visit.peripheral.address
            let state = ["disconnected", "connecting", "connected", "disconnecting"]
            let busy = visit.isBusy ? "one call in flight" : "no call in flight"
            return "\(address) \(state[visit.peripheral.state.rawValue]), "
                + (visit.isReady ? "discovered" : "\(visit.discoveries) discoveries in flight")
                + ", \(busy), \(visit.steps.count) calls to be made"
        }
    }

    // MARK: Connecting

    private func connect(_ number: Int, _ address: DeviceAddress) {
        guard let manager, let peripheral = manager.peripheral(at: address) else { return }
        // That the connection before has ended may be told only later.
        guard current[address] == nil else { return held.append((number, address)) }
        peripheral.delegate = self
        visits[number] = Visit(peripheral: peripheral)
        current[address] = number
        guard advertised.contains(address) else { return manager.connect(peripheral) }
        wanted.append(address)
        manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        adapter.asyncAfter(Self.scanLimit, on: manager.queue) { [weak self] in self?.found(address) }
    }

    private func found(_ address: DeviceAddress) {
        guard let place = wanted.firstIndex(of: address), let number = current[address],
            let visit = visits[number]
        else { return }
        wanted.remove(at: place)
        if wanted.isEmpty { manager?.stopScan() }
        manager?.connect(visit.peripheral)
    }

    private func change(_ peripheral: CBPeripheral, _ body: (inout Visit) -> Void) {
        guard let number = current[peripheral.address], var visit = visits[number] else { return }
        body(&visit)
        visits[number] = visit
    }

    /// A visit is over: the next to the same device may begin.
    private func ended(_ address: DeviceAddress) {
        guard let number = current.removeValue(forKey: address) else { return }
        visits[number] = nil
        guard let next = held.firstIndex(where: { $0.address == address }) else { return }
        connect(held.remove(at: next).number, address)
    }

    // MARK: Steps

    private func advance(_ number: Int) {
        guard let visit = visits[number], visit.isReady, !visit.isBusy, let step = visit.steps.first else {
            return
        }
        visits[number]?.isBusy = true
        guard perform(step, visit.peripheral, number) else {
            notes.append(
                "frame \(step.frame) has no call in the API, or is about an attribute that discovery does "
                    + "not find")
            return done(number)
        }
    }

    /// The call that is under way for a device has ended.
    private func done(at peripheral: CBPeripheral) {
        if let number = current[peripheral.address] { done(number) }
    }

    private func done(_ number: Int) {
        guard let visit = visits[number], visit.isBusy else { return }
        visits[number]?.isBusy = false
        if !visit.steps.isEmpty { visits[number]?.steps.removeFirst() }
        advance(number)
    }

    /// Makes the call that a step stands for; false where there is none.
    private func perform(_ step: HostStep, _ peripheral: CBPeripheral, _ number: Int) -> Bool {
        switch step.action {
        case .read(let handle):
            if let one = peripheral.characteristic(valueHandle: handle) {
                peripheral.readValue(for: one)
            } else if let one = peripheral.descriptor(handle: handle) {
                peripheral.readValue(for: one)
            } else {
                return false
            }
        case .write(let handle, let value, let withResponse):
            if let one = peripheral.characteristic(valueHandle: handle) {
                peripheral.writeValue(
                    Data(value), for: one, type: withResponse ? .withResponse : .withoutResponse)
                if !withResponse { done(number) }
            } else if let one = peripheral.descriptor(handle: handle), withResponse {
                peripheral.writeValue(Data(value), for: one)
            } else {
                return false
            }
        case .configure(let handle, let value):
            guard let one = peripheral.descriptor(handle: handle)?.characteristic else { return false }
            peripheral.setNotifyValue(value.contains { $0 != 0 }, for: one)
        case .disconnect: manager?.cancelPeripheralConnection(peripheral)
        case .confirm: done(number)
        case .request, .serve, .signal, .security: return false
        }
        return true
    }
}

extension GATTDriver: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        note("central state \(central.state)")
        guard central.state == .poweredOn else { return }
        let waiting = early
        early = []
        for one in waiting { connect(one.number, one.address) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard wanted.contains(peripheral.address) else { return }
        note("didDiscover \(peripheral.address) \(rssi) dBm")
        found(peripheral.address)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        note("didConnect \(peripheral.address)")
        change(peripheral) { $0.discoveries = 1 }
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        note("didFailToConnect \(peripheral.address) \(error.text)")
        ended(peripheral.address)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        note("didDisconnect \(peripheral.address) \(error.text)")
        ended(peripheral.address)
    }
}

extension GATTDriver: CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        note("didDiscoverServices \(peripheral.services?.count ?? 0) \(error.text)")
        for service in peripheral.services ?? [] {
            change(peripheral) { $0.discoveries += 1 }
            peripheral.discoverCharacteristics(nil, for: service)
        }
        discovered(peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        note(
            "didDiscoverCharacteristics \(service.uuid) \(service.characteristics?.count ?? 0) \(error.text)")
        for characteristic in service.characteristics ?? [] {
            change(peripheral) { $0.discoveries += 1 }
            peripheral.discoverDescriptors(for: characteristic)
        }
        discovered(peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        discovered(peripheral)
    }

    private func discovered(_ peripheral: CBPeripheral) {
        guard let number = current[peripheral.address], let visit = visits[number] else { return }
        visits[number]?.discoveries = visit.discoveries - 1
        guard visit.discoveries == 1 else { return }
        visits[number]?.isReady = true
        advance(number)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let value = (characteristic.value ?? Data()).map { UInt8($0) }
        note("didUpdateValue \(characteristic.uuid) \(Hex.text(value)) \(error.text)")
        guard let number = current[peripheral.address],
            case .read(let handle)? = visits[number]?.steps.first?.action,
            handle == characteristic.valueHandle
        else { return }
        done(at: peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {
        note("didUpdateValue \(descriptor.uuid) \(error.text)")
        done(at: peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        note("didWriteValue \(characteristic.uuid) \(error.text)")
        done(at: peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {
        note("didWriteValue \(descriptor.uuid) \(error.text)")
        done(at: peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        note("didUpdateNotificationState \(characteristic.uuid) \(characteristic.isNotifying) \(error.text)")
        done(at: peripheral)
    }
}

extension CBPeripheral {
    private var allCharacteristics: [CBCharacteristic] {
        (services ?? []).flatMap { $0.characteristics ?? [] }
    }

    func characteristic(valueHandle: UInt16) -> CBCharacteristic? {
        allCharacteristics.first { $0.valueHandle == valueHandle }
    }

    func descriptor(handle: UInt16) -> CBDescriptor? {
        allCharacteristics.flatMap { $0.descriptors ?? [] }.first { $0.attributeHandle == handle }
    }
}

extension (any Error)? {
    /// What a transcript says of a callback's error: domain and number, which stay when texts change.
    var text: String {
        switch self {
        case nil: "ok"
        case let error as CBError: "CBError \(error.errorCode)"
        case let error as CBATTError: "CBATTError \(error.errorCode)"
        case let error?: "\(type(of: error))"
        }
    }
}
