import BluetoothCore
import CoreBluetooth
import Foundation
import LEHost
import Runtime
import Testing

@testable import Replay

/// Programs with a server of their own, judged by the log of a peripheral.
@Suite struct ServedProgramTests {
    /// What a program does otherwise than the recorded one.
    enum Change: CaseIterable, Sendable {
        case value, error, refusedRead, takenWrite, service, characteristic, properties, notified, silent

        /// Where that shows: the frame of the server's PDU.
        var frame: Int {
            switch self {
            case .service: 101
            case .characteristic, .properties: 103
            case .value, .refusedRead: 105
            case .error, .takenWrite: 107
            case .notified, .silent: 110
            }
        }
    }

    /// Frames from 100 on: the service, its characteristics, a read, a write that is refused, a subscription
    /// and a value.
    private static let model: SessionModel = {
        var model = Recording.mirror(
            Synthetic.model([
                .host("10 1000 FFFF 0028"), .peer("11 06 1000 2000 F0FF"), .host("08 1400 2000 0328"),
                .peer("09 07 1400 3E 1500 F2FF 1700 3E 1800 F3FF"), .host("0A 1200"), .peer("0B 2A"),
                .host("12 1800 01"), .peer("01 12 1800 80"), .host("12 1300 0100"), .peer("13"),
                .peer("1B 1200 07"),
            ]))
        model.connections[0].advertising = nil
        return model
    }()

    /// A server of service FFF0, written by calls of the API alone.
    private final class Program: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
        private let change: Change?
        private var manager: CBPeripheralManager?
        private let first: CBMutableCharacteristic

        init(_ change: Change?, _ session: ReplaySession) {
            self.change = change
            let all: CBCharacteristicProperties = [.read, .writeWithoutResponse, .write, .notify, .indicate]
            first = Self.characteristic("FFF1", all)
            super.init()
            manager = CBPeripheralManager(
                delegate: self, queue: session.delivery.inline, options: nil, adapter: session.adapter)
        }

        private static func characteristic(
            _ uuid: String, _ properties: CBCharacteristicProperties
        ) -> CBMutableCharacteristic {
            CBMutableCharacteristic(
                type: CBUUID(string: uuid), properties: properties, value: nil,
                permissions: [.readable, .writeable])
        }

        func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
            guard peripheral.state == .poweredOn else { return }
            let service = CBMutableService(
                type: CBUUID(string: change == .service ? "FFE0" : "FFF0"), primary: true)
            let all = first.properties
            service.characteristics = [
                first, Self.characteristic("FFF2", change == .properties ? [.read, .notify] : all),
            ]
            if change != .characteristic {
                service.characteristics?.append(Self.characteristic("FFF3", all))
            }
            peripheral.add(service)
        }

        func peripheralManager(
            _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
        ) { peripheral.startAdvertising(nil) }

        func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
            request.value = Data([change == .value ? 0x2B : 0x2A])
            peripheral.respond(
                to: request, withResult: change == .refusedRead ? .readNotPermitted : .success)
        }

        func peripheralManager(
            _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
        ) {
            let refusal = CBATTError.Code(rawValue: 0x80) ?? .unlikelyError
            let result: CBATTError.Code =
                switch change {
                case .error: .unlikelyError
                case .takenWrite: .success
                default: refusal
                }
            peripheral.respond(to: requests[0], withResult: result)
        }

        func peripheralManager(
            _ peripheral: CBPeripheralManager, central: CBCentral,
            didSubscribeTo characteristic: CBCharacteristic
        ) {
            guard change != .silent else { return }
            let value: UInt8 = change == .notified ? 8 : 7
            _ = peripheral.updateValue(Data([value]), for: first, onSubscribedCentrals: nil)
        }
    }

    private static func report(_ change: Change?) -> ReplayReport {
        var options = ReplayOptions()
        options.judgesApplication = true
        let session = ReplaySession(model, options: options, hasGenericServices: false)
        session.judgeApplication()
        let program = Program(change, session)
        return withExtendedLifetime(program) { session.run() }
    }

    @Test func `a program that serves what the recorded one did is the same`() {
        let report = Self.report(nil)
        #expect(report.verdict == .same, "\(report.text)")
        #expect(report.compared == 6)
    }

    @Test(arguments: Change.allCases)
    func `a program that serves something else is found at the frame where it shows`(change: Change) {
        let report = Self.report(change)
        let frame: Int? =
            switch report.verdict {
            case .diverged(let found): found.told?.frame ?? found.expected?.frame
            case .stuck(let stuck): stuck.expected?.frame
            default: nil
            }
        #expect(frame == change.frame, "\(report.text)")
    }

    // MARK: Bonds

    private static func bonded(_ lines: [Synthetic.Line], after count: Int) -> SessionModel {
        let key = LEEnableEncryption {
            $0.encryptedDiversifier = 9
            $0.longTermKey = [UInt8](repeating: 7, count: 16)
        }
        return Recording.mirror(
            Synthetic.model(lines) { log in
                let connection = log.connections[0]
                let time = count == 0 ? connection.completed : connection.pdus[count - 1].time
                log.connections[0].encryption = RecordedConnection.Encryption(
                    frame: 99 + count, time: time, key: LongTermKey(key),
                    done: time.advanced(by: .milliseconds(5)))
            })
    }

    @Test func `values come to a bonded central that had subscribed on an earlier link`() {
        let lines: [Synthetic.Line] = [
            .host("0A 1800"), .peer("0B 41"), .peer("1B 1200 07"), .peer("1D 1500 08"), .host("1E"),
        ]
        let model = Self.bonded(lines, after: 0)
        let kept = model.connections[0].bond?.client.subscriptions ?? []
        #expect(kept.map(\.handle) == [0x0013, 0x0016])
        #expect(kept.map(\.configuration) == [.notification, .indication])
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        // Without a bond nothing is kept, and the value is not sent.
        let plain = LogReplay(Recording.mirror(Synthetic.model(lines)))
        #expect(plain.report.verdict != .same, "\(plain.text)")
    }

    @Test func `a bonded central that subscribes again is answered, and nobody is told twice`() {
        let model = Self.bonded(
            [
                .host("0A 1800"), .peer("0B 41"), .peer("1B 1200 07"), .host("12 1300 0100"), .peer("13"),
                .peer("1B 1200 08"),
            ], after: 0)
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test func `a subscription that is refused before encryption is refused by this server, too`() {
        let lines: [Synthetic.Line] = [
            .host("12 1300 0100"), .peer("01 12 1300 0F"), .host("12 1300 0100"), .peer("13"),
            .peer("1B 1200 07"),
        ]
        let model = Self.bonded(lines, after: 2)
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        // A server that takes it is named at the refusal.
        var open = model
        open.connections[0].pdus[1].octets = [0x13]
        let other = LogReplay(model, actions: open, options: LogReplay.Options())
        guard case .diverged(let found) = other.report.verdict else {
            Issue.record("\(other.text)")
            return
        }
        #expect(found.expected?.frame == 101, "\(other.text)")
        #expect(model.connections[0].guardedConfigurations.map(\.response) == [1])
    }
}
