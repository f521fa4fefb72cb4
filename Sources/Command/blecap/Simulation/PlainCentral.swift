import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import LEHost
import Synchronization
import UQDKBle
import WireBytes

/// A central without a protocol: it scans, connects, and performs actions with a device.
final class PlainCentral: NSObject, GATTCentral, Sendable {
    private struct State: Sendable {
        /// Devices heard, in the order of their first report.
        var heard: [Heard] = []
        /// The device to connect to, during the scan for it.
        var wanted: String?
        var isListing = false
        var session: GATTSession?
        /// Number of outstanding answers; first the adapter's own.
        var awaited = 1
        /// The characteristic being read; values of others are notifications.
        var reading: BluetoothUUID?
        /// The services to discover; empty for all.
        var services: [BluetoothUUID] = []
        var isLinked = false
        var failures: [String] = []
    }

    /// A device, with the data that it has advertised.
    fileprivate struct Heard: Sendable {
        var peripheral: CBPeripheral
        var name: String?
        var services: [CBUUID] = []
    }

    let manager: CBCentralManager
    private let adapter: BluetoothAdapter
    private let desk: PairingDesk
    private let journal: SimulationJournal
    private let state = Mutex(State())

    init(_ adapter: BluetoothAdapter, _ desk: PairingDesk, _ journal: SimulationJournal) {
        self.adapter = adapter
        self.desk = desk
        self.journal = journal
        manager = CBCentralManager(
            delegate: nil, queue: (adapter.delivery as? SettlingDelivery)?.inline, options: nil,
            adapter: adapter)
        super.init()
        manager.delegate = self
        desk.onQuestion { [weak self] line, waits in
            journal.add(line)
            // The next action may be the answer.
            if waits { self?.state.withLock { $0.awaited = 0 } }
        }
    }

    /// Whether there are no outstanding answers.
    var isIdle: Bool { state.withLock { $0.awaited == 0 } }
    /// Whether a pairing waits for an answer; a question expires with its pairing.
    var isAsked: Bool {
        let host = adapter.host
        return desk.isAsking && host.openLinks.contains { host.isPairing($0.id) }
    }
    var isLinked: Bool { state.withLock { $0.isLinked } }
    /// Actions that were refused or failed.
    var failures: [String] { state.withLock { $0.failures } }

    // MARK: Actions

    /// Starts an action; ``isIdle`` becomes true at its end.
    func perform(_ action: GATTAction) {
        state.withLock { $0.awaited = 0 }
        switch action {
        case .scan:
            state.withLock { state in
                state.heard = []
                state.isListing = true
            }
            scan()
        case .connect(let device): connect(device)
        case .disconnect: disconnect()
        case .discover: whileLinked(discover)
        case .services(let services): state.withLock { $0.services = services }
        case .rssi: whileLinked { $0.peripheral.readRSSI() }
        case .pair: whileLinked(pair)
        case .answer(let answer):
            state.withLock { $0.awaited = 1 }
            if !isAsked || !desk.answer(answer) { fail("answer: nothing is asked") }
        case .bonds: showBonds()
        case .forget(let address): forget(address)
        case .read(let uuid):
            on(uuid) { peripheral, characteristic in
                state.withLock { $0.reading = uuid }
                peripheral.readValue(for: characteristic)
            }
        case .describe(let uuid): on(uuid) { $0.discoverDescriptors(for: $1) }
        case .subscribe(let uuid, let isOn): on(uuid) { $0.setNotifyValue(isOn, for: $1) }
        case .write(let uuid, let value):
            on(uuid) { $0.writeValue(Data(value), for: $1, type: .withResponse) }
        case .command(let uuid, let value): on(uuid) { command(value, uuid, $0, $1) }
        case .wait: break
        }
    }

    /// Ends an action that does not end by itself, and reports a missing answer.
    ///
    /// - Parameter isInterrupted: whether the user pressed Ctrl-C.
    func end(_ action: GATTAction, isInterrupted: Bool) {
        if case .scan = action {
            manager.stopScan()
            let count = state.withLock { state in
                state.isListing = false
                return state.heard.count
            }
            if count == 0 { journal.add("no device was heard") }
        }
        guard !isIdle else { return }
        if isInterrupted { return fail("interrupted") }
        if case .connect(let device) = action {
            manager.stopScan()
            fail("\(device): \(connectFailure)")
        } else if action.patience == nil {
            fail("no answer in time")
        }
    }

    /// Reason why a connect is unfinished.
    private var connectFailure: String {
        state.withLock { state in
            if state.isLinked { return "service discovery timed out" }
            if state.wanted == nil { return "connecting timed out" }
            let names = state.heard.map { $0.name ?? "\($0.peripheral.address)" }
            return names.isEmpty
                ? "no device was heard" : "not found; heard: \(names.joined(separator: ", "))"
        }
    }

    private func scan() {
        manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
    }

    private func connect(_ device: String) {
        guard !isLinked else { return fail("connect: a device is connected already") }
        state.withLock { state in
            state.awaited = 1
            state.wanted = device
        }
        journal.add("scanning for \(device)")
        if let known = state.withLock({ $0.heard.first { $0.fits(device) } }) {
            found(known.peripheral)
        } else {
            scan()
        }
    }

    private func found(_ peripheral: CBPeripheral) {
        let session = GATTSession(peripheral) { [weak self] in self?.take($0, $1) }
        state.withLock { state in
            state.wanted = nil
            state.session = session
        }
        manager.stopScan()
        manager.connect(peripheral)
    }

    private func disconnect() {
        guard let session = state.withLock({ $0.session }), isLinked else { return }
        state.withLock { $0.awaited = 1 }
        manager.cancelPeripheralConnection(session.peripheral)
    }

    private func pair(_ session: GATTSession) {
        session.peripheral.secure { [weak self] result in
            switch result {
            case .success(let security):
                let words = [
                    security.isSecureConnections ? "LE Secure Connections" : "legacy pairing",
                    security.isAuthenticated ? "authenticated" : "not authenticated",
                ]
                self?.told("pair", nil, "paired: \(words.joined(separator: ", "))")
            case .failure(let failure): self?.fail("not paired: \(failure.text)")
            }
        }
    }

    private func showBonds() {
        let bonds = adapter.bonds
        for bond in bonds { journal.add("bonded with \(bond.peer)") }
        if bonds.isEmpty { journal.add("no bonds") }
    }

    private func forget(_ address: DeviceAddress) {
        let left = adapter.bonds.filter { $0.peer.value != address.value }
        guard left.count < adapter.bonds.count else { return fail("forget: no bond with \(address)") }
        adapter.setBonds(left)
        journal.add("forgot \(address)")
    }

    private func discover(_ session: GATTSession) {
        let wanted = state.withLock { $0.services }.map { CBUUID($0) }
        session.discover(wanted.isEmpty ? nil : wanted)
    }

    private func command(
        _ value: [UInt8], _ uuid: BluetoothUUID, _ peripheral: CBPeripheral,
        _ characteristic: CBCharacteristic
    ) {
        guard characteristic.properties.contains(.writeWithoutResponse) else {
            return fail("\(uuid): takes no writes without response; write=\(uuid) waits for one")
        }
        let limit = peripheral.maximumWriteValueLength(for: .withoutResponse)
        guard value.count <= limit else {
            return fail("\(uuid): \(value.count) bytes, but the link takes at most \(limit)")
        }
        peripheral.writeValue(Data(value), for: characteristic, type: .withoutResponse)
        journal.add("\(uuid) sent \(Self.shown(value))")
        answered()
    }

    private func whileLinked(_ body: (GATTSession) -> Void) {
        guard let session = state.withLock({ $0.isLinked ? $0.session : nil }) else {
            return fail("no device is connected; connect=DEVICE connects to one")
        }
        state.withLock { $0.awaited += 1 }
        body(session)
    }

    private func on(_ uuid: BluetoothUUID, _ body: (CBPeripheral, CBCharacteristic) -> Void) {
        whileLinked { session in
            let found = session.peripheral.characteristics.first { $0.uuid.value == uuid }
            guard let found else { return fail("\(uuid): not found") }
            body(session.peripheral, found)
        }
    }

    private func answered(_ more: Int = 0) {
        state.withLock { $0.awaited = max(0, $0.awaited - 1 + more) }
    }

    /// Fails, because nobody answers what a pairing asks.
    func failAsked(_ text: String) { fail(text) }

    private func fail(_ text: String) {
        report(text)
        answered()
    }

    private func told(_ what: String, _ error: (any Error)?, _ text: String) {
        report(what, error, text)
        answered()
    }

    /// Adds a line of an action that goes on: the text, or the error.
    private func report(_ what: String, _ error: (any Error)?, _ text: String) {
        guard let error else { return journal.add(text) }
        report("\(what): \(Self.shown(error))")
    }

    private func report(_ failure: String) {
        journal.add(failure)
        state.withLock { $0.failures.append(failure) }
    }

    /// Bytes in hexadecimal, and as text if they are text.
    static func shown(_ value: [UInt8]) -> String {
        guard !value.isEmpty else { return "nothing" }
        guard value.borrowedOctets.isShownText else { return Hex.text(value) }
        return "\(Hex.text(value)) \"\(String(decoding: value, as: UTF8.self).escaped)\""
    }

    /// The error's description, with name and code if it is an ATT error.
    static func shown(_ error: any Error) -> String {
        guard let error = error as? CBATTError, let raw = UInt8(exactly: error.errorCode) else {
            return error.localizedDescription
        }
        let name = ATTErrorCode(rawValue: raw).name.map { "\($0) " } ?? "error "
        return name + "0x" + Hex.text([raw])
    }

    // MARK: Events

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn: state.withLock { $0.awaited = 0 }
        case .poweredOff, .unsupported, .unauthorized:
            fail("the adapter does not work: \(central.state.words)")
        case .unknown, .resetting: break
        }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        let (line, isWanted) = state.withLock { state -> (String?, Bool) in
            let place = state.heard.firstIndex { $0.peripheral === peripheral }
            var heard = place.map { state.heard[$0] } ?? Heard(peripheral: peripheral)
            let before = heard
            heard.name = name ?? heard.name
            heard.services += services.filter { !heard.services.contains($0) }
            if let place { state.heard[place] = heard } else { state.heard.append(heard) }
            let isNews = place == nil || heard.name != before.name || heard.services != before.services
            let isWanted = state.wanted.map(heard.fits) ?? false
            return (isWanted || state.isListing && isNews ? heard.shown : nil, isWanted)
        }
        if let line { journal.add("\(isWanted ? "found " : "")\(line), \(rssi) dBm") }
        if isWanted { found(peripheral) }
    }

    private func take(_ event: GATTSession.Event, _ session: GATTSession) {
        switch event {
        case .connected:
            journal.add("connected")
            state.withLock { $0.isLinked = true }
            discover(session)
        case .connectFailed(let error):
            let advice =
                (error as? CBError)?.code == .peerRemovedPairingInformation
                ? " 'bonds' shows the bonds, forget=ADDRESS ends one." : ""
            fail("not connected: \(error?.localizedDescription ?? "the device did not answer")" + advice)
        case .disconnected(let error): disconnected(error)
        case .services(let error):
            if let error { return report("services: \(Self.shown(error))") }
            let found = session.peripheral.services ?? []
            for missing in state.withLock({ $0.services })
            where !found.contains(where: { $0.uuid.value == missing }) {
                report("\(missing): no such service")
            }
        case .characteristics(let service, let error):
            let all = (service.characteristics ?? []).map {
                "\($0.uuid) (\($0.properties.names.joined(separator: ", ")))"
            }
            report("\(service.uuid)", error, "service \(service.uuid): \(all.joined(separator: ", "))")
        case .discovered: answered()
        case .descriptors(let one, let error?): fail("\(one.uuid): \(Self.shown(error))")
        case .descriptors(let characteristic, nil):
            let descriptors = characteristic.descriptors ?? []
            for descriptor in descriptors { session.peripheral.readValue(for: descriptor) }
            if descriptors.isEmpty { journal.add("\(characteristic.uuid) has no descriptors") }
            answered(descriptors.count)
        case .value(let attribute, let value, let error): received(attribute, value, error)
        case .written(let attribute, let error):
            told("\(attribute.uuid)", error, "\(attribute.uuid) written")
        case .subscription(let one, let error):
            told(
                "\(one.uuid)", error,
                "\(one.uuid) \(Self.subscription(one.properties, isOn: one.isNotifying))")
        case .strength(let rssi, let error): told("rssi", error, "\(rssi) dBm")
        case .readyToWrite, .modified: break
        }
    }

    private func disconnected(_ error: (any Error)?) {
        let line = "disconnected" + (error.map { ": \($0.localizedDescription)" } ?? "")
        journal.add(line)
        state.withLock { state in
            if error != nil, state.awaited > 0 { state.failures.append(line) }
            state.isLinked = false
            state.awaited = 0
        }
    }

    private func received(_ attribute: CBAttribute, _ value: [UInt8], _ error: (any Error)?) {
        if let descriptor = attribute as? CBDescriptor {
            let name = "\(descriptor.characteristic?.uuid.uuidString ?? "?") \(descriptor.uuid)"
            return told(name, error, "\(name): \(descriptor.value ?? "-")")
        }
        let text = "\(attribute.uuid) is \(Self.shown(value))"
        let isRead = state.withLock { state in
            guard state.reading == attribute.uuid.value else { return false }
            state.reading = nil
            return true
        }
        guard isRead else { return journal.add(text) }
        told("\(attribute.uuid)", error, text)
    }

    /// The state of a subscription, which is for notifications where a characteristic has both.
    static func subscription(_ properties: CBCharacteristicProperties, isOn: Bool) -> String {
        let isIndicated = properties.contains(.indicate) && !properties.contains(.notify)
        return (isIndicated ? "indications " : "notifications ") + (isOn ? "on" : "off")
    }
}

extension PlainCentral.Heard {
    /// Whether the user's word denotes it: its name, its address, or a service.
    fileprivate func fits(_ device: String) -> Bool {
        name?.lowercased() == device.lowercased() || "\(peripheral.address)" == device.uppercased()
            || BluetoothUUID(device).map { services.contains(CBUUID($0)) } ?? false
    }

    /// Address, name and services.
    fileprivate var shown: String {
        "\(peripheral.address)" + (name.map { " \"\($0.escaped)\"" } ?? "")
            + (services.isEmpty ? "" : ", " + services.map(\.uuidString).joined(separator: " "))
    }
}
