import BluetoothCore
import LEHost
import Runtime
import SimulatedDevices
import Synchronization
import Testing

@testable import Replay

/// Logs of pairings that came to nothing.
@Suite struct FailedPairingTests {
    /// A log of one, and how it says that it ended.
    struct Case: Sendable, CustomTestStringConvertible {
        var way: RecordedFob.Way
        var side: RecordedFob.Side
        /// Who sends Pairing Failed, and why; nil where nobody does.
        var end: (from: RecordedFob.Side, reason: PairingReason)?

        var testDescription: String {
            let generation = way.isSecure ? "LE Secure Connections" : "legacy"
            return "\(way.failure.map { "\($0)" } ?? ""), \(way.pairing), \(generation), the \(side)'s log"
        }

        var model: SessionModel { get throws { try RecordedFob.model(way, of: side) } }

        /// Whether the host that plays it has to send Pairing Failed.
        var isByHost: Bool { end?.from == side }
    }

    private static func cases(
        _ failure: RecordedFob.Failure, _ pairing: Fob.Pairing, _ isSecure: Bool,
        _ end: (from: RecordedFob.Side, reason: PairingReason)?
    ) -> [Case] {
        let way = RecordedFob.Way(pairing: pairing, isSecure: isSecure, failure: failure)
        return [RecordedFob.Side.fob, .phone].map { Case(way: way, side: $0, end: end) }
    }

    static let cases: [Case] =
        cases(.phoneRefuses, .compare, true, (.phone, .numericComparisonFailed))
        + cases(.fobRefuses, .compare, true, (.fob, .numericComparisonFailed))
        + [true, false].flatMap { isSecure in
            cases(.phoneRefuses, .shows, isSecure, (.phone, .passkeyEntryFailed))
                + cases(.fobRefuses, .asks, isSecure, (.fob, .passkeyEntryFailed))
                + cases(.wrongPasskey, .shows, isSecure, (.fob, .confirmValueFailed))
                + cases(.wrongPasskey, .asks, isSecure, (.fob, .confirmValueFailed))
                + cases(.phoneLeaves, .shows, isSecure, nil)
        }
        + cases(.notPairable, .justWorks, true, (.fob, .pairingNotSupported)).filter { $0.side == .phone }

    @Test(arguments: cases)
    func `a pairing that failed is the same`(one: Case) throws {
        let model = try one.model
        #expect(model.obstacles.isEmpty, "\(model.obstacles.map(\.text))")
        let pairing = try #require(model.connections[0].pairing)
        #expect(!pairing.isSuccessful && model.connections[0].encryption == nil)
        let reason = pairing.failure.map { PairingReason(rawValue: $0.octets[1]) }
        #expect(reason == one.end?.reason)
        #expect(pairing.failure.map { $0.side == .host } == one.end.map { _ in one.isByHost })
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.report.compared >= model.connections.flatMap(\.steps).count(where: \.isRequired))
    }

    @Test(arguments: cases.filter { $0.end != nil && $0.way.failure != .notPairable })
    func `the pairing that succeeds on the next link is the same, too`(one: Case) throws {
        var way = one.way
        way.links = 2
        let model = try RecordedFob.model(way, of: one.side)
        #expect(model.obstacles.isEmpty, "\(model.obstacles.map(\.text))")
        #expect(model.connections.map { $0.pairing?.isSuccessful } == [false, true])
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test func `a phone whose bond the fob has lost is the same, and must give the link up`() throws {
        var model = try RecordedFob.model(.init(links: 2, losesBond: true), of: .phone)
        #expect(model.obstacles.isEmpty, "\(model.obstacles.map(\.text))")
        #expect(model.connections[1].encryption?.status == .pinOrKeyMissing)
        #expect(model.connections[1].failsToEncrypt)
        #expect(model.connections[1].end?.request?.reason == .authenticationFailure)
        for status in [HCIStatus.pinOrKeyMissing, .authenticationFailure, .connectionTimeout] {
            model.connections[1].encryption?.status = status
            let replay = LogReplay(model)
            #expect(replay.report.verdict == .same, "\(replay.text)")
            // Or the link ended before the host had asked for that.
            var ended = model
            ended.connections[1].end?.request = nil
            let other = LogReplay(ended)
            #expect(other.report.verdict == .same, "\(other.text)")
        }
        // One that leaves for another reason, or has read a value before, is another host.
        var other = model.connections[1]
        other.end?.request?.reason = .remoteUserTerminatedConnection
        #expect(!other.failsToEncrypt)
        other = model.connections[0]
        other.encryption?.status = .pinOrKeyMissing
        #expect(!other.failsToEncrypt)
    }

    /// A host that misses a failed encryption, or takes it for a success.
    private final class Blind: HCITransport {
        private let adapter: FakeAdapter
        private let takesForSuccess: Bool

        init(_ adapter: FakeAdapter, takesForSuccess: Bool) {
            (self.adapter, self.takesForSuccess) = (adapter, takesForSuccess)
        }

        func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
            let takesForSuccess = takesForSuccess
            try adapter.open { packet in
                // Encryption Change with a status other than success.
                let isFailure = packet.octets.starts(with: [8, 4]) && packet.octets[2] != 0
                if !isFailure { return receive(packet) }
                if takesForSuccess {
                    receive(HCIPacket(.event, [8, 4, 0] + packet.octets[3..<5] + [1]))
                }
            }
        }

        func send(_ packet: HCIPacket) throws(HCITransportError) { try adapter.send(packet) }
        func close() { adapter.close() }
    }

    @Test(arguments: [HCIStatus.pinOrKeyMissing, .authenticationFailure], [false, true])
    func `a host that does not give up a link that it could not encrypt is found`(
        status: HCIStatus, takesForSuccess: Bool
    ) throws {
        var model = try RecordedFob.model(.init(links: 2, losesBond: true), of: .phone)
        model.connections[1].encryption?.status = status
        var options = LogReplay.Options()
        options.transport = { adapter, _ in Blind(adapter, takesForSuccess: takesForSuccess) }
        let replay = LogReplay(model, options: options)
        let word = takesForSuccess ? "diverged" : "stuck"
        #expect(replay.report.verdict.word == word, "\(replay.text)")
    }

    @Test(arguments: cases.filter { $0.way.isSecure && $0.end != nil && !$0.isByHost && $0.side == .fob })
    func `a wrong public key is named, though the recorded peer refused later`(one: Case) throws {
        let model = try one.model
        let lie = PeripheralPairingTests.Lie(.pairingPublicKey) { [$0[0]] + [UInt8](repeating: 0, count: 64) }
        let replay = LogReplay(model, options: PeripheralPairingTests.options(lie))
        let said = model.connections[0].pdus.first { $0.side == .host && $0.code == .pairingPublicKey }
        #expect(said != nil && replay.report.frame == said?.frame, "\(replay.text)")
    }

    @Test func `keypresses of the peer are not waited for`() throws {
        let way = RecordedFob.Way(pairing: .shows, isSecure: false, failure: .phoneRefuses)
        var model = try RecordedFob.model(way)
        let place = try #require(
            model.connections[0].pdus.firstIndex {
                $0.channel == .securityManager && $0.code == .pairingFailed
            })
        var keypress = model.connections[0].pdus[place]
        keypress.octets = [SMPCode.pairingKeypressNotification.rawValue, 0]
        model.connections[0].pdus.insert(keypress, at: place)
        model.connections[0].pairing = RecordedPairing(model.connections[0])
        #expect(model.connections[0].pairing?.sent.last?.code == .pairingFailed)
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test(arguments: [
        PairingReason.passkeyEntryFailed, .confirmValueFailed, .pairingNotSupported, .dhKeyCheckFailed,
    ])
    func `what this host would not fail for is left out`(reason: PairingReason) throws {
        let way = RecordedFob.Way(pairing: .compare, failure: .phoneRefuses)
        var connection = try RecordedFob.model(way, of: .phone).connections[0]
        #expect(RecordedPairing(connection) != nil)
        let place = try #require(connection.pdus.lastIndex { $0.channel == .securityManager })
        connection.pdus[place].octets[1] = reason.rawValue
        #expect((RecordedPairing(connection) == nil) == (reason != .confirmValueFailed))
        connection.pdus[place].octets.removeLast()
        #expect(RecordedPairing(connection) == nil)
    }

    @Test func `of another program's host, which nobody can answer for, a passkey is left out`() throws {
        let way = RecordedFob.Way(pairing: .shows, failure: .wrongPasskey)
        let model = try RecordedFob.model(way, of: .phone)
        let replay = OutsideReplay(model, options: LogReplay.Options(), scheduler: VirtualTime())
        let played = replay.recording.model
        #expect(played.obstacles.map(\.kind) == [.pairing] && played.connections[0].pairing == nil)
    }

    @Test func `a fob that has lost the bond is asked for its key again, and must have none`() throws {
        let model = try RecordedFob.model(.init(links: 2, losesBond: true))
        #expect(model.obstacles.isEmpty, "\(model.obstacles.map(\.text))")
        #expect(model.connections[1].updates.contains { $0.subevent == LELongTermKeyRequest.subeventCode })
        let asked = Mutex(0)
        func options(_ answers: @escaping @Sendable ([UInt8]) -> [UInt8]) -> LogReplay.Options {
            PeripheralPairingTests.options { packet in
                guard packet.octets.starts(with: [0x1B, 0x20]) else { return packet }
                asked.withLock { $0 += 1 }
                return HCIPacket(.command, answers(packet.octets))
            }
        }
        let replay = LogReplay(model, options: options { $0 })
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(asked.withLock { $0 } == 1)
        let key = [UInt8](repeating: 7, count: 16)
        let other = LogReplay(model, options: options { [0x1A, 0x20, 18] + $0.suffix(2) + key })
        #expect(other.text.contains("DIVERGED"), "\(other.text)")
        #expect(other.text.contains("a key, though the recorded host had none"))
    }

    @Test(arguments: cases.filter(\.isByHost))
    func `a host that fails for another reason, or does not fail, is named at its PDU`(one: Case) throws {
        let model = try one.model
        let failure = try #require(model.connections[0].pairing?.failure)
        let changes: [@Sendable ([UInt8]) -> [UInt8]?] = [
            { [$0[0], PairingReason.unspecifiedReason.rawValue] }, { _ in nil },
        ]
        for change in changes {
            let lie = PeripheralPairingTests.Lie(.pairingFailed, change)
            let replay = LogReplay(model, options: PeripheralPairingTests.options(lie))
            #expect(replay.report.frame == failure.frame, "\(replay.text)")
        }
    }
}
