import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import PayloadFormat
import Runtime
import UQDK
import WireBytes

/// A car of reference format 1 that answers by the rules, or as a test says. All in one queue.
final class ScriptedCar: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    /// A message of the phone.
    struct Incoming {
        var id: UInt64
        var message: Message
        /// The opened body where a session stands and the tag is right.
        var body: [UInt8]
    }

    let dialect = Dialect.reference1
    let manager: CBPeripheralManager
    let mac: UInt64
    /// Each value that was written, in hex.
    private(set) var written: [String] = []
    /// Each value that was notified, in hex.
    private(set) var notified: [String] = []
    /// Answers in place of the rules where it returns true.
    var answer: (ScriptedCar, Incoming) -> Bool = { _, _ in false }
    /// Hears of values before they are put together; true takes them away.
    var take: (ScriptedCar, [UInt8]) -> Bool = { _, _ in false }
    /// How a write is answered.
    var writeResult: (ScriptedCar) -> CBATTError.Code = { _ in .success }
    var lifetime: UInt64 = 300
    var showsName = false
    var hasService = true
    var answersReads = true
    var eventProperties: CBCharacteristicProperties = [.notify]
    var infoValue: [UInt8] = [1, 0x10, 0x00] + [UInt8](0x31...0x38)
    var vehicleNonces: [[UInt8]] = [Vectors.vehicleNonce]
    private(set) var subscriptions = 0
    private(set) var connections = 0
    var state: [UInt8] = [0, 1, 0, 60, 0x01, 0x9C, 0x00, 0x01, 0xE2, 0x40]

    private lazy var event = CBMutableCharacteristic(
        type: CBUUID(dialect.gatt.event), properties: eventProperties, value: nil, permissions: [.readable])
    private var backlog: [[UInt8]] = []
    private var reassembler: Reassembler
    private var variables = FormulaVariables()
    private(set) var cipher: SessionCipher?
    private var highestAuthCounter: UInt64 = 0
    private(set) var received: [UInt64] = []
    private var sent: UInt64 = 0
    private var frame: UInt64 = 0

    init(_ adapter: BluetoothAdapter, mac: UInt64 = 0x0255_5100_0001) {
        self.mac = mac
        reassembler = Reassembler(limits: dialect.reassemblyLimits)
        let settling = adapter.delivery as? SettlingDelivery
        manager = CBPeripheralManager(
            delegate: nil, queue: settling?.inline, options: nil, adapter: adapter)
        super.init()
        manager.delegate = self
    }

    // MARK: Advertising and services

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        let service = CBMutableService(
            type: hasService ? CBUUID(dialect.gatt.service) : CBUUID(string: "FF00"), primary: true)
        let info = dialect.gatt.info.map { uuid in
            CBMutableCharacteristic(
                type: CBUUID(uuid), properties: [.read], value: nil, permissions: [.readable])
        }
        service.characteristics =
            [
                CBMutableCharacteristic(
                    type: CBUUID(dialect.gatt.command), properties: [.write, .writeWithoutResponse],
                    value: nil, permissions: [.writeable]),
                event,
            ] + [info].compactMap { $0 }
        peripheral.add(service)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) { advertise() }

    func advertise() {
        let address = DeviceAddress(mac)
        var data: [UInt8] = [2, 0x01, 0x06]
        if showsName {
            let name = Array("\(address)".utf8)
            data += [UInt8(name.count + 1), 0x09] + name
        } else {
            data += [12, 0xFF, 0xFF, 0xFF, 0x55, 0x51, 0x00] + address.octets
        }
        let uuid = Array(CBUUID(dialect.gatt.service).data.reversed())
        manager.startAdvertising(data: data, scanResponse: [17, 0x07] + uuid)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        guard answersReads else { return }
        request.value = Data(infoValue).dropFirst(request.offset)
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) { subscriptions += 1 }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) { reset() }

    /// What the end of a link does.
    private func reset() {
        connections += 1
        _ = reassembler.reset()
        cipher = nil
        sent = 0
        received = []
        backlog = []
        advertise()
    }

    // MARK: Receiving

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        guard let first = requests.first else { return }
        let result = writeResult(self)
        peripheral.respond(to: first, withResult: result)
        guard result == .success else { return }
        for request in requests { value(Array(request.value ?? Data())) }
    }

    private func value(_ octets: [UInt8]) {
        written.append(Hex.text(octets))
        if take(self, octets) { return }
        guard let format = dialect.fragments?.format, let fragment = Fragment(octets, format) else { return }
        frame += 1
        var ended: [Reassembler.Ended] = []
        let time = manager.adapter?.time.now.nanoseconds ?? 0
        let outcome = reassembler.accept(fragment, at: time, frame: frame, ended: &ended)
        for one in ended {
            respond(.badMessage, to: 0x0201, id: one.messageID)
        }
        guard case .complete(let whole) = outcome else { return }
        message(whole.octets, id: whole.messageID)
    }

    private func message(_ octets: [UInt8], id: UInt64) {
        let decoding = MessageDecoding(octets, dialect, from: .phone, id: id)
        let faults = decoding.errors.filter { if case .unknownCommand = $0 { false } else { true } }
        guard let message = decoding.message, faults.isEmpty else {
            return respond(.badMessage, to: decoding.header[.command] ?? 0, id: id)
        }
        var incoming = Incoming(id: id, message: message, body: message.payload)
        if message.isSecured, let format = dialect.securing {
            guard let parts = SecuredPayload(message.payload, format), let cipher,
                let body = try? cipher.open(parts, from: .phone, header: decoding.headerOctets, id: id)
            else { return respond(.badMessage, to: message.command, id: id) }
            received.append(parts.counter)
            incoming.body = body
        }
        if !answer(self, incoming) { byTheRules(incoming) }
    }

    func byTheRules(_ incoming: Incoming) {
        let command = dialect.command(incoming.message.command)
        switch command?.purpose {
        case .activate?: respond(to: incoming, body: [2])
        case .authBegin?: begin(incoming)
        case .authFinish?: finish(incoming)
        default:
            guard incoming.message.isSecured else {
                return respond(.authenticationRequired, to: incoming.message.command, id: incoming.id)
            }
            guard let command else {
                return respond(
                    .unsupportedCommand, to: incoming.message.command, id: incoming.id, isSecured: true)
            }
            respond(to: incoming, body: command.name == "STATUS_QUERY" ? state : [])
        }
    }

    private func learn(_ layout: Layout?, _ body: [UInt8]) {
        for field in layout?.decode(body).fields ?? [] { variables[field.name] = Array(body[field.range]) }
    }

    private func begin(_ incoming: Incoming) {
        variables = FormulaVariables()
        learn(dialect.command(for: .authBegin)?.request, incoming.body)
        let nonce = vehicleNonces.count > 1 ? vehicleNonces.removeFirst() : vehicleNonces[0]
        variables["vehicleNonce"] = nonce
        let proof = (try? dialect.proofs.vehicle.value(key: Vectors.key, variables)) ?? []
        respond(to: incoming, body: nonce + proof)
    }

    private func finish(_ incoming: Incoming) {
        learn(dialect.command(for: .authFinish)?.request, incoming.body)
        let found = variables["phoneProof"]
        variables["phoneProof"] = nil
        guard let right = try? dialect.proofs.phone.value(key: Vectors.key, variables), right == found else {
            return respond(.badProof, to: incoming.message.command, id: incoming.id)
        }
        let counter = (variables["authCounter"] ?? []).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard counter > highestAuthCounter else {
            return respond(.counterReplayed, to: incoming.message.command, id: incoming.id)
        }
        highestAuthCounter = counter
        respond(to: incoming, body: [UInt8(lifetime >> 8), UInt8(lifetime & 0xFF)])
        cipher = try? SessionCipher(dialect, digitalKey: Vectors.key, variables)
        sent = 0
        received = []
    }

    // MARK: Sending

    /// Answers with success, secured as the request was.
    func respond(to incoming: Incoming, body: [UInt8]) {
        let payload = dialect.statusOctets(dialect.status.code(.success) ?? 0) + body
        send(
            .response, incoming.message.command, payload, id: incoming.id,
            isSecured: incoming.message.isSecured)
    }

    /// Answers in clear.
    func respond(_ status: StatusName, to command: UInt64, id: UInt64, isSecured: Bool = false) {
        let payload = dialect.statusOctets(dialect.status.code(status) ?? 0xFF)
        send(.response, command, payload, id: id, isSecured: isSecured)
    }

    /// Sends a message; with `counter` under that one and not the next.
    func send(
        _ kind: MessageKind, _ command: UInt64, _ body: [UInt8], id: UInt64, isSecured: Bool,
        counter: UInt64? = nil
    ) {
        var message = Message(kind, command: command, payload: body)
        if isSecured, let cipher {
            if counter == nil { sent += 1 }
            guard
                let sealed = try? cipher.seal(
                    kind, command: command, body: body, id: id, counter: counter ?? sent)
            else { return }
            message = sealed
        }
        notify(message.encoded(dialect, id: id), id: id)
    }

    func notify(_ message: [UInt8], id: UInt64) {
        for value in (try? dialect.values(of: message, id: id, valueOctets: 20)) ?? [] { notify(value) }
    }

    /// Notifies a value as it is.
    func notify(_ value: [UInt8]) {
        backlog.append(value)
        flush()
    }

    private func flush() {
        while let next = backlog.first {
            guard manager.updateValue(Data(next), for: event, onSubscribedCentrals: nil) else { return }
            notified.append(Hex.text(next))
            backlog.removeFirst()
        }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { flush() }
}
