import Analysis
import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import LEHost
import Runtime
import WireBytes

/// Repeats a recorded peripheral's actions by public API calls.
///
/// It offers the services, advertises, answers requests and sends values. Answers and values come from the
/// log.
final class PeripheralDriver: NSObject, @unchecked Sendable {
    /// A response of the log that waits for the application to get its request.
    private struct Answer {
        var connection: RecordedConnection
        var link: LinkID?
        var octets: [UInt8]
        var request: Int
        /// Time of the first write that used this answer. The API doesn't distinguish commands from requests,
        /// so all writes at that time use the answer.
        var given: Instant?
    }

    private let adapter: BluetoothAdapter
    private let listener: DriverListener
    private let connections: [Int: RecordedConnection]
    private let steps: [Int: [HostStep]]
    private let attributes: ServedAttributes
    private let isAdvertiser: Bool
    /// Handles of attributes that another application offers.
    private let others: Set<UInt16>
    private var manager: CBPeripheralManager?
    private var added = 0
    /// Connections whose advertising starts when all services have been added.
    private var early: [Int] = []
    private var advertised: RecordedConnection.Advertising?
    private var centrals: [DeviceAddress: (object: CBCentral, link: LinkID?)] = [:]
    /// Requests to the application without an answer, by central.
    private var asked: [DeviceAddress: [CBATTRequest]] = [:]
    private var answers: [DeviceAddress: Answer] = [:]
    /// Values that did not fit into the transmit queue.
    private var waiting: [(value: [UInt8], characteristic: CBMutableCharacteristic, central: CBCentral)] = []
    private(set) var notes: [String] = []
    private(set) var given = 0

    /// - Parameters:
    ///   - model: the source of answers and values; in tests another one than the log that is played, with
    ///     the same steps.
    ///   - database: the attributes to offer.
    ///   - car: a car that offers its own service and advertises; nil if absent.
    init(
        _ model: SessionModel, _ database: PeerDatabase, besides car: RecordedCar?,
        on adapter: BluetoothAdapter, delivery: SettlingDelivery, listener: DriverListener
    ) {
        self.adapter = adapter
        self.listener = listener
        connections = Dictionary(uniqueKeysWithValues: model.connections.map { ($0.number, $0) })
        steps = connections.mapValues { $0.isCentral ? [] : $0.steps }
        isAdvertiser = car == nil
        others = car?.handles ?? []
        let guarded = model.connections.filter { !$0.isCentral }.flatMap { connection in
            connection.guardedConfigurations.compactMap { connection.pdus[$0.request].octets.attributeHandle }
        }
        attributes = ServedAttributes(database, without: car?.handles ?? [], guarded: Set(guarded))
        super.init()
        let manager = CBPeripheralManager(
            delegate: nil, queue: delivery.inline, options: nil, adapter: adapter)
        manager.onLink = { [weak self] central, isLinked in self?.linked(central, isLinked) }
        manager.delegate = self
        self.manager = manager
    }

    func take(_ turn: HostTurn) {
        switch turn {
        case .connect(let number, _):
            guard isReady else { return early.append(number) }
            advertise(for: number)
        case .giveUp: break
        case .step(let number, let step):
            guard let connection = connections[number], let own = steps[number], step.index < own.count else {
                return
            }
            // The values come from the driver's own log.
            perform(own[step.index], connection)
        }
    }

    var stateLines: [String] {
        let open = asked.values.reduce(0) { $0 + $1.count }
        return [
            "\(added) of \(attributes.services.count.counting("service")) there, "
                + (manager?.isAdvertising == true ? "advertising" : "not advertising")
                + ", \(open.counting("request")) to be answered"
        ]
    }

    private var isReady: Bool { manager?.state == .poweredOn && added == attributes.services.count }

    private func advertise(for number: Int) {
        let recorded = connections[number]?.advertising ?? RecordedConnection.Advertising()
        guard let manager, isAdvertiser, recorded.payload != advertised?.payload || !manager.isAdvertising
        else {
            return
        }
        if manager.isAdvertising { manager.stopAdvertising() }
        advertised = recorded
        given += 1
        manager.startAdvertising(
            data: recorded.data, scanResponse: recorded.scanResponse,
            interval: .microseconds(625 * Int64(recorded.intervalUnits)))
    }

    private func linked(_ central: CBCentral, _ isLinked: Bool) {
        listener.note("central \(central.address) \(isLinked ? "linked" : "gone")")
        let link = link(to: central.address)
        centrals[central.address] = isLinked ? (central, link) : nil
        asked[central.address] = nil
        // An answer for the new link may have been stored before this call, and is kept.
        if link == nil || answers[central.address]?.link != link { answers[central.address] = nil }
        waiting.removeAll { $0.central === central && !isLinked }
    }

    private func link(to central: DeviceAddress) -> LinkID? {
        adapter.host.openLinks.first { $0.peer == central }?.id
    }

    private func perform(_ step: HostStep, _ connection: RecordedConnection) {
        switch step.action {
        case .serve(let octets) where step.isResponse:
            guard let request = step.pdus.first.flatMap({ connection.pdus[$0].answers }) else { return }
            answers[connection.peer] = Answer(
                connection: connection, link: link(to: connection.peer), octets: octets, request: request)
            answer(connection.peer)
        case .serve(let octets): send(octets, step, connection)
        case .security: adapter.secure(connection.peer)
        case .disconnect(let reason): adapter.endLink(to: connection.peer, reason)
        default: break
        }
    }

    // MARK: Values

    private func send(_ octets: [UInt8], _ step: HostStep, _ connection: RecordedConnection) {
        let handle = octets.attributeHandle ?? 0
        guard !others.contains(handle) else { return }
        guard let central = centrals[connection.peer]?.object, let one = attributes.characteristics[handle]
        else {
            return notes.append("frame \(step.frame) has no call in the API")
        }
        given += 1
        waiting.append((octets.attributeValue ?? [], one, central))
        sendWaiting()
    }

    private func sendWaiting() {
        while let next = waiting.first, let manager {
            let isTaken = manager.updateValue(
                Data(next.value), for: next.characteristic, onSubscribedCentrals: [next.central])
            guard isTaken else { return }
            waiting.removeFirst()
        }
    }

    // MARK: Answers

    /// Sends the log's answer once the request has come and the answer is due.
    private func answer(_ central: DeviceAddress) {
        guard let answer = answers[central], let requests = asked[central],
            answer.given.map({ $0 == adapter.time.now }) ?? true
        else { return }
        let meant = requests.filter { isMeant($0, by: answer) }
        guard let last = meant.last else { return }
        asked[central] = requests.filter { !isMeant($0, by: answer) }
        let isRead = answer.connection.pdus[answer.request].opcode.isRead
        if answer.given == nil { given += 1 }
        answers[central]?.given = adapter.time.now
        if isRead { answers[central] = nil }
        // Responding to a Write Command sends nothing.
        for request in isRead ? [last] : meant { respond(to: request, answer) }
    }

    private func respond(to request: CBATTRequest, _ answer: Answer) {
        if let error = RecordedPDU.refusal(answer.octets) {
            let code = CBATTError.Code(rawValue: Int(error.rawValue)) ?? .unlikelyError
            manager?.respond(to: request, withResult: code)
            return
        }
        request.value = Data(answer.connection.value(readBy: answer.request, response: answer.octets))
        manager?.respond(to: request, withResult: .success)
    }

    /// Limit of pending requests for each central. Commands count too, although they are never answered.
    private static let mostAsked = 64

    private func ask(_ request: CBATTRequest) {
        let central = request.central.address
        asked[central] = (asked[central] ?? []).suffix(Self.mostAsked) + [request]
        answer(central)
    }

    private func isMeant(_ request: CBATTRequest, by answer: Answer) -> Bool {
        let recorded = answer.connection.pdus[answer.request]
        // A read has no value until it is answered.
        guard recorded.opcode.isRead == (request.value == nil) else { return false }
        switch recorded.att {
        case let one as ATTReadByTypeRequest: return one.type == request.characteristic.uuid.value
        case is ATTReadMultipleRequest, is ATTReadMultipleVariableRequest, is ATTExecuteWriteRequest:
            return true
        default:
            let handle = attributes.handles[ObjectIdentifier(request.characteristic)]
            return handle != nil && handle == recorded.octets.attributeHandle
        }
    }
}

extension PeripheralDriver: CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        listener.note("peripheral manager state \(peripheral.state)")
        guard peripheral.state == .poweredOn else { return }
        for service in attributes.services { peripheral.add(service) }
        beginEarly()
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {
        listener.note("didAdd \(service.uuid) \(error.text)")
        added += 1
        if error != nil { notes.append("service \(service.uuid) can't stand at its recorded handles") }
        beginEarly()
    }

    private func beginEarly() {
        guard isReady else { return }
        let waiting = early
        early = []
        for number in waiting { advertise(for: number) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        listener.note("didReceiveRead \(request.characteristic.uuid) at \(request.offset)")
        ask(request)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        guard let first = requests.first else { return }
        let parts = requests.map { request in
            (
                handle: attributes.handles[ObjectIdentifier(request.characteristic)] ?? 0,
                offset: request.offset, value: [UInt8](request.value ?? Data())
            )
        }
        for (handle, value) in parts.joinedValues {
            listener.note("didReceiveWrite \(PDUText.handle(handle)) \(Hex.text(value))")
            listener.tell(.value(handle: handle, value), first.central.address)
        }
        ask(first)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) { configured(characteristic, central, "didSubscribe") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        // Subscriptions end with their link too.
        guard let open = link(to: central.address), centrals[central.address]?.link == open else { return }
        configured(characteristic, central, "didUnsubscribe")
    }

    private func configured(_ characteristic: CBCharacteristic, _ central: CBCentral, _ text: String) {
        listener.note("\(text) \(characteristic.uuid)")
        guard let handle = attributes.handles[ObjectIdentifier(characteristic)] else { return }
        listener.tell(.configured(handle: handle, nil), central.address)
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { sendWaiting() }
}

/// The attributes of a recorded server as API objects.
private struct ServedAttributes {
    /// The services, included ones first, since they must be added first.
    private(set) var services: [CBMutableService] = []
    /// The characteristics by value handle; `handles` maps back.
    private(set) var characteristics: [UInt16: CBMutableCharacteristic] = [:]
    private(set) var handles: [ObjectIdentifier: UInt16] = [:]

    /// - Parameters:
    ///   - others: attributes of services that another application offers.
    ///   - guarded: configurations that need encryption.
    init(_ database: PeerDatabase, without others: Set<UInt16>, guarded: Set<UInt16>) {
        var made: [(handle: UInt16, service: CBMutableService, includes: [UInt16])] = []
        for attribute in database.attributes where !others.contains(attribute.handle) {
            guard let uuid = attribute.declaredService, attribute.groupEnd >= attribute.handle else {
                continue
            }
            let service = CBMutableService(
                type: CBUUID(uuid), primary: attribute.type == .primaryService)
            let all = database.attributes(in: attribute.handle...attribute.groupEnd)
            service.characteristics = all.filter { $0.type == .characteristicDeclaration }
                .compactMap { add($0, database, all, guarded) }
            let includes = all.filter { $0.type == .includeDeclaration }.compactMap { include in
                (try? include.declaration.map { octets throws(DecodeError) in
                    try GATTIncludeDeclaration(whole: octets)
                })??.handle
            }
            made.append((attribute.handle, service, includes))
        }
        for one in made where !one.includes.isEmpty {
            one.service.includedServices = one.includes.compactMap { handle in
                made.first { $0.handle == handle }?.service
            }
        }
        services = made.filter(\.includes.isEmpty).map(\.service)
        services += made.filter { !$0.includes.isEmpty }.map(\.service)
    }

    private mutating func add(
        _ declaration: PeerDatabase.Attribute, _ database: PeerDatabase,
        _ all: ArraySlice<PeerDatabase.Attribute>, _ guarded: Set<UInt16>
    ) -> CBMutableCharacteristic? {
        guard let octets = declaration.declaration,
            let fields = try? GATTCharacteristicDeclaration(whole: octets)
        else { return nil }
        let own = all.drop { $0.handle <= fields.valueHandle }
            .prefix { $0.type != .characteristicDeclaration }
        let configuration = own.first { $0.type == .clientCharacteristicConfiguration }
        var properties = CBCharacteristicProperties(rawValue: UInt(fields.properties.rawValue))
        // The type of a configuration in use says more than an inferred declaration.
        if declaration.source == .inferred, configuration != nil,
            properties.isDisjoint(with: [.notify, .indicate])
        {
            properties.formUnion([.notify, .indicate])
        }
        var permissions: CBAttributePermissions = []
        if properties.contains(.read) { permissions.insert(.readable) }
        if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) { permissions.insert(.writeable) }
        if let configuration, guarded.contains(configuration.handle) {
            let notifies = properties.contains(.notify)
            properties.insert(notifies ? .notifyEncryptionRequired : .indicateEncryptionRequired)
        }
        let one = CBMutableCharacteristic(
            type: CBUUID(fields.uuid), properties: properties, value: nil, permissions: permissions)
        let described = own.filter { $0.type != .clientCharacteristicConfiguration }
        one.descriptors = described.map {
            CBMutableDescriptor(type: CBUUID($0.type), value: Data(database.value(of: $0.handle) ?? []))
        }
        characteristics[fields.valueHandle] = one
        handles[ObjectIdentifier(one)] = fields.valueHandle
        return one
    }
}

extension RecordedConnection.Advertising {
    fileprivate var payload: [[UInt8]] { [data, scanResponse] }
}

extension ATTOpcode {
    fileprivate var isRead: Bool {
        ![.writeRequest, .executeWriteRequest].contains(self)
    }
}

extension RecordedConnection {
    /// Returns the value with which the application answers a read.
    ///
    /// It starts at the request's offset, and continues with the Read Blob responses after this response.
    fileprivate func value(readBy place: Int, response: [UInt8]) -> [UInt8] {
        let request = pdus[place]
        if request.opcode == .readByTypeRequest {
            return Array(response.dropFirst(2).prefix(response.count > 1 ? Int(response[1]) : 0).dropFirst(2))
        }
        guard [.readRequest, .readBlobRequest].contains(request.opcode),
            let handle = request.octets.attributeHandle
        else { return Array(response.dropFirst()) }
        let start = Int(request.att(ATTReadBlobRequest.self)?.offset ?? 0)
        var value = Array(response.dropFirst())
        for (later, pdu) in pdus.enumerated().dropFirst(place + 1) where pdu.side == request.side {
            if pdu.opcode == .readRequest, pdu.octets.attributeHandle == handle { break }
            guard let blob = pdu.att(ATTReadBlobRequest.self), blob.handle == handle else { continue }
            let answer = pdus.first { $0.answers == later && $0.opcode == .readBlobResponse }
            guard Int(blob.offset) == start + value.count, let answer else { break }
            value += answer.octets.dropFirst()
        }
        return value
    }
}
