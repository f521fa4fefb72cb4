import BluetoothCore
import CoreBluetooth
import Foundation
import ReplayHarness
import Runtime
import Testing

@testable import Replay
@testable import SampleApp

/// A fault of an application, switched into the sample's visit to a car by a subclass of it.
enum ApplicationFault: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case writesEarly = "the application writes before it has subscribed"
    case neverSubscribes = "the application never subscribes"
    case subscribesToAnother = "the application subscribes to another characteristic"
    case readsAnother = "the application reads another characteristic"
    case readsNothing = "the application leaves out a read"
    case sendsTwice = "a message is sent twice"
    case sendsPartTwice = "a fragment is sent twice"
    case leavesPartOut = "a fragment is left out"
    case mixesParts = "the fragments of a message are mixed up"
    case changesByte = "a byte of a message is another"
    case writesElsewhere = "a message is written to another characteristic"
    case wantsNoResponse = "a message is written without response"
    case takesAnyValue = "any value is taken for the answer"
    case takesPart = "a part of an answer is taken for all of it"
    case missesAnswer = "an answer is not seen"
    case ignoresError = "the error of a write is ignored"
    case givesUpSoon = "the application gives up at once"
    case neverGivesUp = "the application waits without end"
    case showsEarly = "success is shown before the answer"
    case showsTwice = "success is shown twice"
    case neverEnds = "the connection is never ended"
    case endsEarly = "the connection is ended before the last answer"
    case unsubscribes = "the application unsubscribes before the end"
    case readsAgain = "the application reads a value again"
    case scansOn = "the application scans on"
    case storms = "the application connects twenty times more"
    // What makes no difference, by the rules of `FaultDetectionTests`.
    case discoversAll = "the application discovers all characteristics"
    case thinks = "the application subscribes half a second later"
    case connectsAgain = "the application connects once more at the end"

    var testDescription: String { rawValue }

    var isHarmless: Bool {
        switch self {
        case .discoversAll, .thinks, .connectsAgain: true
        default: false
        }
    }

    /// What the log must hold so that the fault makes a difference.
    enum Log { case asRecorded, refusedWrite, noAnswer }

    var log: Log {
        switch self {
        case .ignoresError: .refusedWrite
        case .neverGivesUp: .noAnswer
        default: .asRecorded
        }
    }
}

extension ApplicationFault.Log {
    /// The log with a visit that ends at one of its messages, by what the car does there.
    func variant(of model: SessionModel, _ visit: UQDKVisit, at number: Int) -> SessionModel {
        var model = model
        let request = visit.requests[number]
        guard self != .asRecorded, let connection = model.connections.first,
            let answer = request.answer?.frame, let last = request.frames.last,
            let first = connection.pdus.firstIndex(where: { $0.frame == request.frames.first }),
            let response = connection.pdus.firstIndex(where: { $0.answers == first })
        else { return model }
        var pdus = connection.pdus
        let time: Instant
        if self == .refusedWrite {
            pdus.removeSubrange((response + 1)...)
            pdus[response].octets = [0x01, 0x12, pdus[first].octets[1], pdus[first].octets[2], 0x0E]
            time = pdus[response].time.advanced(by: .milliseconds(10))
        } else {
            // The write responses are there, the answer is not; the program waits from the first fragment on.
            pdus.removeAll { $0.frame > last && $0.opcode != .writeResponse || $0.frame > answer }
            time = pdus[first].time.advanced(by: .seconds(10))
        }
        let reason = HCIStatus.remoteUserTerminatedConnection
        model.connections[0].pdus = pdus
        model.connections[0].end = .init(
            frame: answer + 1, time: time.advanced(by: .milliseconds(50)),
            reason: .connectionTerminatedByLocalHost,
            request: .init(frame: answer, time: time, reason: reason))
        model.end = max(model.end, time.advanced(by: .seconds(1)))
        return model
    }
}

/// The sample's visit with a fault. It is used in its queue alone, hence the unchecked conformance.
final class FaultyVisit: KeyVisit, @unchecked Sendable {
    private let fault: ApplicationFault?
    private let trigger: FaultTrigger
    private var isInformed = false
    private var attempts = 0

    init(
        _ messages: [[Data]], _ fault: ApplicationFault?, _ trigger: FaultTrigger, queue: DispatchQueue,
        later: @escaping Later
    ) {
        self.fault = fault
        self.trigger = trigger
        super.init(messages, queue: queue, later: later)
    }

    /// Whether the fault is here.
    private func has(_ wanted: ApplicationFault) -> Bool { fault == wanted && trigger.isMeant() }

    // MARK: Connecting

    override func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard car == nil else { return }
        super.centralManager(
            central, didDiscover: peripheral, advertisementData: advertisementData, rssi: rssi)
        if has(.scansOn) { central.scanForPeripherals(withServices: [Self.service], options: nil) }
    }

    override func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        super.centralManager(central, didDisconnectPeripheral: peripheral, error: error)
        if has(.connectsAgain) { central.connect(peripheral, options: nil) }
        if attempts == 0, has(.storms) { storm(central, peripheral) }
    }

    private func storm(_ central: CBCentralManager, _ peripheral: CBPeripheral) {
        guard attempts < 20 else { return }
        attempts += 1
        central.connect(peripheral, options: nil)
        later(0.05) { [weak self] in
            central.cancelPeripheralConnection(peripheral)
            self?.storm(central, peripheral)
        }
    }

    override func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first(where: { $0.uuid == Self.service }),
            has(.discoversAll)
        else { return super.peripheral(peripheral, didDiscoverServices: error) }
        peripheral.discoverCharacteristics(nil, for: service)
    }

    override func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        let event = service.characteristics?.first { $0.uuid == Self.event }
        let info = service.characteristics?.first { $0.uuid == Self.info }
        if let event, has(.readsAnother) { return peripheral.readValue(for: event) }
        if let event, has(.readsNothing) {
            eventCharacteristic = event
            commandCharacteristic = service.characteristics?.first { $0.uuid == Self.command }
            return peripheral.setNotifyValue(true, for: event)
        }
        super.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: error)
        if let info, has(.readsAgain) { peripheral.readValue(for: info) }
    }

    override func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard message == 0, answers == 0, fault != .writesEarly else { return }
        super.peripheral(peripheral, didUpdateNotificationStateFor: characteristic, error: error)
    }

    // MARK: Messages

    override func send() {
        guard message < messages.count, let car, let command = commandCharacteristic,
            let event = eventCharacteristic
        else {
            if has(.neverEnds) { return }
            if let car, let event = eventCharacteristic, has(.unsubscribes) {
                car.setNotifyValue(false, for: event)
            }
            return super.send()
        }
        let first = messages[message][0]
        if message == messages.count - 1, has(.endsEarly) { return end(.done(answers: answers)) }
        if has(.givesUpSoon) {
            let sent = message
            later(0.001) { [weak self] in self?.giveUp(sent) }
        }
        if has(.changesByte) {
            var other = first
            other[other.count - 1] ^= 1
            return write(other, car, command)
        }
        if messages[message].count > 1, has(.mixesParts) { return write(messages[message][1], car, command) }
        if has(.writesElsewhere) { return write(first, car, event) }
        if has(.wantsNoResponse) {
            car.writeValue(first, for: command, type: .withoutResponse)
            return
        }
        super.send()
        if has(.sendsTwice) { car.writeValue(first, for: command, type: .withResponse) }
    }

    private func write(_ value: Data, _ car: CBPeripheral, _ characteristic: CBCharacteristic) {
        fragment = 0
        car.writeValue(value, for: characteristic, type: .withResponse)
    }

    override func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if error != nil, has(.ignoresError) {
            return super.peripheral(peripheral, didWriteValueFor: characteristic, error: nil)
        }
        let isPart = message < messages.count && fragment + 1 < messages[message].count
        if isPart, has(.leavesPartOut) {
            fragment += 1
            return
        }
        if has(.sendsPartTwice), message < messages.count {
            peripheral.writeValue(messages[message][fragment], for: characteristic, type: .withResponse)
        }
        super.peripheral(peripheral, didWriteValueFor: characteristic, error: error)
        if !isPart, error == nil, has(.showsEarly) {
            shows?("message \(message + 1) of \(messages.count) is answered")
        }
    }

    override func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if characteristic.uuid == Self.info { return informed(peripheral, characteristic, error) }
        guard message < messages.count else { return }
        let value = characteristic.value ?? Data()
        let isMine = value.first == messages[message][0][0]
        if !isMine, has(.takesAnyValue) { return answered() }
        if isMine, value.count > 1, value[1] & 0x80 == 0, has(.takesPart) { return answered() }
        if isMine, value.count > 1, value[1] & 0x80 != 0, has(.missesAnswer) { return }
        let before = answers
        super.peripheral(peripheral, didUpdateValueFor: characteristic, error: error)
        if answers > before, has(.showsTwice) {
            shows?("message \(before + 1) of \(messages.count) is answered")
        }
    }

    private func answered() {
        message += 1
        answers += 1
        shows?("message \(message) of \(messages.count) is answered")
        send()
    }

    private func informed(
        _ peripheral: CBPeripheral, _ characteristic: CBCharacteristic, _ error: (any Error)?
    ) {
        guard let event = eventCharacteristic, let command = commandCharacteristic, !isInformed else {
            return
        }
        isInformed = true
        if has(.neverSubscribes) { return send() }
        if has(.subscribesToAnother) { return peripheral.setNotifyValue(true, for: command) }
        if has(.thinks) {
            return later(0.5) { peripheral.setNotifyValue(true, for: event) }
        }
        if has(.writesEarly) {
            send()
            return peripheral.setNotifyValue(true, for: event)
        }
        super.peripheral(peripheral, didUpdateValueFor: characteristic, error: error)
    }

    override func giveUp(_ sent: Int) {
        if outcome == nil, message == sent, has(.neverGivesUp) { return }
        super.giveUp(sent)
    }
}

extension ApplicationFault {
    /// The result of one visit.
    struct Run {
        var report: ReplayReport
        /// What was shown to the user, and when.
        var shown: [Transcript.Callback]
        /// The last frame that had passed when the fault was there; nil where it never was.
        var frame: Int?
    }

    /// A visit on a recording.
    static func run(
        _ fault: ApplicationFault?, _ model: SessionModel, _ messages: [[Data]], at place: Int
    ) -> Run {
        var options = ReplayHarness.Options()
        // All is on this thread: there is nobody to wait for.
        options.patience = .milliseconds(1)
        let replay = ReplayHarness(model, options: options)
        let trigger = FaultTrigger(at: place)
        trigger.watch(replay.session.recording)
        let queue = replay.session.delivery.inline
        let visit = replay.make {
            FaultyVisit(messages, fault, trigger, queue: queue) { seconds, block in
                replay.asyncAfter(.milliseconds(Int64(seconds * 1000)), on: queue, block)
            }
        }
        visit.shows = { replay.note($0) }
        let report = replay.run()
        withExtendedLifetime(visit) {}
        return Run(
            report: report, shown: replay.session.recording.transcript.callbacks, frame: trigger.frame)
    }
}
