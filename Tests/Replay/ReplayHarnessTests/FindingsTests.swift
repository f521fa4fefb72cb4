import Analysis
import BluetoothCore
import CoreBluetooth
import Foundation
import Replay
import ReplayHarness
import ReplayTesting
import SampleApp
import Testing
import UQDK

/// What a test makes of a replay.
@Suite struct FindingsTests {
    /// What the phone of the unlock's log sent: the fragments of each message, up to its second request of an
    /// authentication.
    private static let messages = [
        ["00805551010103010000008a89"],
        ["01005551010100010000101122334455667788eb", "01818b475ce25f67ee67fd"],
        ["0200555101010001000010112233445566778806", "02814b7ed42959d4e844a5"],
        ["030055510101010100001811223344556677889f", "0381a51df0a50e233d35c96e41221205f2bcd6"],
        ["040055510101010200000c0000000797de2c10ef", "0481edd1b15fa9"],
    ].map { $0.map(octets) }

    private static func octets(_ hex: String) -> Data {
        let digits = Array(hex)
        return Data(
            stride(from: 0, to: digits.count, by: 2).map {
                UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0
            })
    }

    /// A visit whose program draws the nonce of its authentication itself.
    private static func visit(
        _ options: ReplayHarness.Options = .init(), nonce: (ReplayHarness) throws -> [UInt8]
    ) throws -> ReplayHarness {
        var options = options
        options.patience = .milliseconds(1)
        let replay = try ReplayHarness(ReplayHarnessTests.unlock, options: options)
        var messages = messages
        let drawn = try nonce(replay)
        messages[3][0][19] = drawn[0]
        messages[3][1].replaceSubrange(2..<17, with: drawn.dropFirst())
        let visit = replay.make {
            KeyVisit(messages, queue: replay.session.delivery.inline) { seconds, block in
                replay.asyncAfter(.seconds(seconds), on: replay.session.delivery.inline, block)
            }
        }
        replay.run()
        withExtendedLifetime(visit) {}
        return replay
    }

    @Test func `a program that draws its nonces from the harness draws those of the log`() throws {
        let replay = try Self.visit { try $0.nonce(16) }
        // It says goodbye after its fifth message, which the recorded phone did not.
        #expect(replay.report.frame == 246, "\(replay.report.text)")
    }

    @Test func `a difference is said in the terms of the application, too`() throws {
        let command = "5551444B-0002-4449-4749-54414C4B4559"
        let other = try Self.visit { _ in [UInt8](repeating: 0x55, count: 16) }
        #expect(other.report.text.contains("in words  the app wrote 0300"), "\(other.report.text)")
        #expect(other.report.text.contains(" to \(command), but the recorded app wrote 0300"))
        let early = try Self.visit { try $0.nonce(16) }
        let ended = "  in words  the app disconnected, but the recorded app wrote "
        #expect(early.report.text.contains(ended), "\(early.report.text)")
        let lines = early.report.text.split(separator: "\n")
        #expect(lines[1].hasPrefix(ended) && lines[2].hasPrefix("  expected  ATT Write"))

        let idle = try ReplayHarness(ReplayHarnessTests.unlock)
        try ReplayHarnessTests.awaited(idle, Lines())
        #expect(idle.report.text.contains("  in words  the app never subscribed to "), "\(idle.report.text)")
        let absent = try ReplayHarness(ReplayHarnessTests.unlock)
        absent.run()
        let never = "  in words  the app never connected to 02:55:51:00:00:01; the recorded app did\n"
        #expect(absent.report.text.contains(never), "\(absent.report.text)")
    }

    @Test func `keys and attributes beside the log are found`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let captures = URL(fileURLWithPath: ReplayHarnessTests.unlock).deletingLastPathComponent()
        func copy(_ name: String, _ new: String) throws -> String {
            let path = folder.appendingPathComponent(new).path
            try FileManager.default.copyItem(
                atPath: captures.appendingPathComponent(name).path, toPath: path)
            return path
        }
        let log = try copy("bonded-reconnect.btsnoop", "x.btsnoop")
        func attributes(_ options: ReplayHarness.Options = .init()) throws -> Int {
            let replay = try ReplayHarness(log, options: options)
            return replay.report.assumptions.count { $0.kind == .missingDatabase }
        }
        #expect(try attributes() == 1)
        _ = try copy("bonded-reconnect.gatt", "x.gatt")
        #expect(try attributes() == 0)
        var without = ReplayHarness.Options()
        without.readsFilesBesideLog = false
        #expect(try attributes(without) == 1)

        var knowledge = AnalysisKnowledge()
        try knowledge.addFiles(beside: log)
        #expect(knowledge.uqdk.keys.uqdk.isEmpty && knowledge.gatt.count == 1)
        let keys = try copy("uqdk-unlock.keys.json", "x.keys.json")
        try knowledge.addFiles(beside: log)
        #expect(knowledge.uqdk.keys.uqdk.count == 1)
        // Real keys that others may read.
        let text = try String(contentsOfFile: keys, encoding: .utf8)
        try Data(text.replacing("\"test\": true", with: "\"test\": false").utf8).write(
            to: URL(fileURLWithPath: keys))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keys)
        #expect(throws: CompanionFileError.self) { try ReplayHarness(log) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keys)
        _ = try ReplayHarness(log)
    }

    @Test func `a program that draws its nonces elsewhere is found at the nonce`() throws {
        let replay = try Self.visit { _ in [UInt8](repeating: 0x55, count: 16) }
        #expect(replay.report.frame == 229, "\(replay.report.text)")
        #expect(replay.failure()?.hasPrefix("frame 229: DIVERGED") == true)
    }

    @Test func `bytes that can't be the same again are masked, and the report says so`() throws {
        var options = ReplayHarness.Options()
        options.replay.masks = [
            VolatileMask(frame: 229, range: 22..<23, reason: "the nonce"),
            VolatileMask(frame: 232, range: 5..<20, reason: "the nonce"),
        ]
        let replay = try Self.visit(options) { _ in [UInt8](repeating: 0x55, count: 16) }
        #expect(replay.report.frame == 246, "\(replay.report.text)")
        #expect(replay.report.masked.count == 2)
        #expect(replay.report.text.contains("masked    frame 229, bytes 22 to 22: the nonce"))
    }

    @Test func `what the program is told is judged, unless that is switched off`() throws {
        for judges in [true, false] {
            var options = ReplayHarness.Options()
            options.judgesApplication = judges
            let replay = try ReplayHarness(ReplayHarnessTests.unlock, options: options)
            let lines = Lines()
            try ReplayHarnessTests.awaited(replay, lines)
            let told = replay.report.results.reduce(0) { $0 + $1.callbacks }
            #expect(told == (judges ? 2 : 0), "\(replay.report.text)")
            // A value that the log does not have.
            let peer = try #require(replay.session.recording.model.connections.first?.peer)
            let other = try ReplayHarness(ReplayHarnessTests.unlock, options: options)
            let visit = AwaitedVisit()
            try other.run {
                try await visit.begin(DispatchQueue(label: "judged"))
                try await visit.find(ReplayHarnessTests.service)
                try await visit.connect()
                other.session.recording.told(.value(handle: 0x15, [1]), by: peer)
            }
            #expect(other.report.verdict.word == (judges ? "diverged" : "stuck"), "\(other.report.text)")
        }
    }

    @Test func `a test that fails names the frame and holds the report`() throws {
        let replay = try ReplayHarness(ReplayHarnessTests.unlock)
        try ReplayHarnessTests.awaited(replay, Lines())
        withKnownIssue {
            replay.expectSame()
        } matching: { issue in
            let text = issue.comments.map { "\($0)" }.joined()
            return text.contains("frame 208: STUCK") && text.contains("waits for ATT Write Request")
        }
        let xml = String(decoding: replay.junit(name: "unlock"), as: UTF8.self)
        #expect(xml.contains("failures=\"1\"") && xml.contains("name=\"unlock\""))
        #expect(xml.contains("<failure message=\"stuck\">STUCK"))
        let line = replay.annotation.line
        #expect(
            line.hasPrefix(
                "::error file=\(ReplayHarnessTests.unlock),title=blecap replay%3A stuck::frame 208: "))
        #expect(line.hasSuffix("\n") && !line.dropLast().contains("\n"))
    }

    @Test func `what a program shows its user stands in the transcript`() throws {
        let replay = try ReplayHarness(ReplayHarnessTests.unlock)
        replay.note("the car is open")
        #expect(String(decoding: replay.transcript, as: UTF8.self).hasSuffix(" the car is open\n"))
    }
}
