import BluetoothCore
import LEHost
import Runtime
import Synchronization
import Testing
import WireBytes

@testable import Replay

/// Links that the recorded host had encrypted by a bond.
@Suite struct BondedReplayTests {
    /// A write and a read of a link that is encrypted after `before` PDUs, which takes 40 ms.
    private static func model(before: Int, isDone: Bool = true) -> SessionModel {
        let lines: [Synthetic.Line] = [
            .host("12 1500 0102"), .peer("13"), .host("0A 1500"), .peer("0B 41"),
        ]
        let key = LEEnableEncryption {
            $0.encryptedDiversifier = 9
            $0.longTermKey = [UInt8](repeating: 7, count: 16)
        }
        return Synthetic.model(lines) { log in
            let first = log.connections[0].completed
            let asked = before == 0 ? first : log.connections[0].pdus[before - 1].time
            log.connections[0].encryption = RecordedConnection.Encryption(
                frame: 99 + before, time: asked, key: LongTermKey(key),
                done: isDone ? asked.advanced(by: .milliseconds(40)) : nil)
        }
    }

    /// What a host sends, on its way to the recording.
    private final class Tap: HCITransport {
        let adapter: FakeAdapter
        let sent = Mutex<[HCIPacket]>([])

        init(_ adapter: FakeAdapter) { self.adapter = adapter }

        func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
            try adapter.open(receive)
        }

        func send(_ packet: HCIPacket) throws(HCITransportError) {
            sent.withLock { $0.append(packet) }
            try adapter.send(packet)
        }

        func close() { adapter.close() }
    }

    @Test func `a phone that comes back to its bonded device is the same, encryption and all`() throws {
        let model = try Recording.model("bonded-reconnect.btsnoop")
        #expect(model.obstacles.isEmpty)
        for replay in [LogReplay(model), LogReplay(try Recording.model("bonded-reconnect.btsnoop"))] {
            #expect(replay.report.verdict == .same, "\(replay.text)")
            #expect(replay.report.normalizations[.encryption] == 0)
        }
        // The host's key is the recorded one, and nothing shows it.
        let tap = Mutex<Tap?>(nil)
        var options = LogReplay.Options()
        options.transport = { adapter, _ in
            let made = Tap(adapter)
            tap.withLock { $0 = made }
            return made
        }
        let replay = LogReplay(model, options: options)
        let sent = tap.withLock { $0 }?.sent.withLock { $0 } ?? []
        let octets = try #require(sent.first { $0.octets.starts(with: [0x19, 0x20]) }?.octets)
        let command = try LEEnableEncryption(whole: Array(octets[3...]))
        #expect(LongTermKey(command) == model.connections[0].encryption?.key)
        for text in [replay.text, String(decoding: replay.transcriptOctets, as: UTF8.self)] {
            #expect(!text.lowercased().contains(Hex.text(command.longTermKey)))
            #expect(!text.lowercased().contains(Hex.text(command.longTermKey.reversed())))
        }
    }

    @Test func `a host that has lost the bond is named at the frame with the encryption`() throws {
        let model = try Recording.model("bonded-reconnect.btsnoop")
        let report = try ScriptedHost(model, hasBonds: false).run()
        guard case .stuck(let stuck) = report.verdict else {
            Issue.record("\(report.text)")
            return
        }
        #expect(stuck.expected?.frame == 42 && stuck.expected?.action == .encrypt)
        #expect(report.text.contains("HCI LE Enable Encryption, with the key of the bond"))
    }

    @Test(arguments: [0, 2, 4])
    func `the host encrypts at once, whenever the recorded one did`(before: Int) throws {
        let model = Self.model(before: before)
        for report in [LogReplay(model).report, try ScriptedHost(model).run()] {
            #expect(report.verdict == .same, "\(report.text)")
            #expect(report.normalizations[.encryption] == (before == 0 ? 0 : 1))
        }
        let lost = try ScriptedHost(model, hasBonds: false).run()
        #expect(lost.verdict != .same, "\(lost.text)")
    }

    @Test(arguments: [2, 4])
    func `an encryption keeps its place where PDUs before it are left out`(before: Int) {
        var connection = Self.model(before: before).connections[0]
        connection.leaveOut([0, 1])
        #expect(connection.steps.firstIndex { $0.action == .encrypt } == (before == 2 ? 0 : 1))
    }

    @Test(arguments: [0, 2])
    func `an encryption whose end is not in the log goes on with what came after`(before: Int) throws {
        let report = LogReplay(Self.model(before: before, isDone: false)).report
        #expect(report.verdict == .same, "\(report.text)")
    }

    @Test func `another program has its own bonds: what it encrypts is not judged, and that is said`() throws
    {
        let time = VirtualTime()
        let model = try Recording.model("bonded-reconnect.btsnoop")
        let played = OutsideReplay(model, options: LogReplay.Options(), scheduler: time).recording.model
        #expect(played.obstacles.map(\.kind) == [.encrypted])
        #expect(played.connections[0].steps.first { $0.action == .encrypt }?.isRequired == false)
    }
}
