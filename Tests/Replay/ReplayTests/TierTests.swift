import BluetoothCore
import Testing
import WireBytes

@testable import Replay
@testable import UQDKBle

/// What each tier compares, how a session goes on behind a difference, and what of a log is not reached.
@Suite struct TierTests {
    /// The session of the key with PDUs of the host changed.
    private static func replay(
        _ tier: MatchingTier, continues: Bool = false, stale: Bool = false,
        change: (inout RecordedConnection) -> Void = { _ in }
    ) throws -> LogReplay {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        var changed = model
        change(&changed.connections[0])
        var options = try LogReplayTests.options()
        options.replay.tier = tier
        options.replay.continues = continues
        if stale {
            options.seam.before = { parts in
                let data = parts.data
                parts.data = UQDKDataManager(
                    keyID: data.keyID, key: data.key, authCounter: data.authCounter - 1)
            }
        }
        return LogReplay(changed, actions: model, options: options)
    }

    private static func frame(_ replay: LogReplay) -> Int? {
        guard case .diverged(let divergence) = replay.report.verdict else { return nil }
        return divergence.expected?.frame ?? divergence.told?.frame
    }

    @Test func `the application tier leaves out fields that differ from run to run, and no others`() throws {
        #expect(try Self.frame(Self.replay(.semantic, stale: true)) == 237)
        let stale = try Self.replay(.application, stale: true)
        #expect(
            stale.report.masked.contains { $0.frame == 237 && $0.reason == "authCounter" }, "\(stale.text)")
        #expect(Self.frame(stale) != 237)
        // The command that a message is for is not among them.
        let other = try Self.replay(.application) { connection in
            let place = connection.pdus.firstIndex { $0.frame == 211 } ?? 0
            connection.pdus[place].octets[10] ^= 1
        }
        #expect(Self.frame(other) == 211)
    }

    @Test func `the application tier leaves the kind of a write and a subscription to the host`() throws {
        func rewrite(_ connection: inout RecordedConnection) {
            for place in connection.pdus.indices where connection.pdus[place].frame == 211 {
                connection.pdus[place].octets[0] = 0x52
            }
        }
        #expect(try Self.frame(Self.replay(.semantic, change: rewrite)) == 211)
        let other = try Self.replay(.application, change: rewrite)
        #expect(other.report.verdict == .same, "\(other.text)")
    }

    @Test func `the strict tier compares what only the controller sees`() throws {
        let records = try Recording.records("uqdk-unlock.btsnoop")
        var limits = SessionLimits()
        limits.packets = 1000
        var builder = SessionModelBuilder(limits: limits)
        for kept in records { builder.add(kept) }
        let model = try builder.model()
        #expect(model.packets.count == 73)
        var options = try LogReplayTests.options()
        #expect(LogReplay(model, options: options).report.verdict == .same)
        // Another stack made this log: it asks its controller in another order.
        options.replay.tier = .strict
        let replay = LogReplay(model, options: options)
        guard case .diverged(let divergence) = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
        #expect(divergence.kind == .packet && divergence.told?.frame == 25)
        #expect(replay.text.contains("expected  HCI Read Local Supported Features"))
    }

    /// Packets of a host with a key of sixteen bytes AB, whole and cut.
    static let packetsWithKeys: [(HCIPacketType, String)] = [
        (.acl, "4000" + "1500" + "1100" + "0600" + "08" + String(repeating: "ab", count: 16)),
        (.acl, "4000" + "0b00" + "1100" + "0600" + "06" + String(repeating: "ab", count: 6)),
        (.acl, "4010" + "0a00" + String(repeating: "ab", count: 10)),
        (.command, "1920" + "1c" + "4000" + "0000000000000000" + "0000" + String(repeating: "ab", count: 16)),
        (.command, "2720" + "27" + "00" + "010203040506" + String(repeating: "ab", count: 32)),
        (.command, "1a20" + "12" + "4000" + String(repeating: "ab", count: 16)),
        (.command, "0b04" + "16" + "010203040506" + String(repeating: "ab", count: 16)),
        (.command, "1920" + "09" + "4000" + String(repeating: "ab", count: 7)),
    ]

    @Test(arguments: packetsWithKeys)
    func `a packet is described without its keys`(type: HCIPacketType, hex: String) throws {
        let text = HostPacket.text(type, try Hex.octets(hex))
        #expect(!text.lowercased().contains("abab"), "\(text)")
    }

    @Test func `a packet of data is described by its PDU`() throws {
        let text = HostPacket.text(.acl, try Hex.octets("4000" + "0700" + "0300" + "0400" + "0a1500"))
        #expect(text == "data on 0x0040: ATT Read Request 0x0015")
    }

    @Test func `a packet of another kind is named, and its bytes counted`() throws {
        #expect(HostPacket.text(.synchronous, [0x40, 0, 1, 0xAA]) == "HCI Synchronous Data, 4 bytes")
        #expect(HostPacket.text(.iso, [0x40, 0, 0, 0]) == "HCI ISO Data, 4 bytes")
    }

    @Test func `a session goes on behind a difference, and the next ones are found`() throws {
        let writes = try Recording.model("uqdk-unlock.btsnoop").connections[0].steps
            .filter { if case .write = $0.action { true } else { false } }
        let frames = [writes[2], writes[9], writes[15]].map(\.frame)
        let replay = try Self.replay(.semantic, continues: true) { connection in
            for place in connection.pdus.indices where frames.contains(connection.pdus[place].frame) {
                connection.pdus[place].octets[5] ^= 1
            }
        }
        let found = [Self.frame(replay)] + replay.report.further.map { $0.expected?.frame }
        #expect(found == frames.map { $0 }, "\(replay.text)")
        #expect(replay.text.contains("DIVERGED #3 at"))
    }

    @Test func `a log can be read up to a frame, and what was not reached is named`() throws {
        var limits = SessionLimits()
        limits.lastFrame = 240
        var builder = SessionModelBuilder(limits: limits)
        for kept in try Recording.records("uqdk-unlock.btsnoop").prefix(240) { builder.add(kept) }
        let replay = LogReplay(try builder.model(), options: try LogReplayTests.options())
        #expect(replay.report.verdict == .same)
        #expect(replay.report.unplayed.isEmpty)

        let broken = try Self.replay(.semantic) { connection in
            let place = connection.pdus.firstIndex { $0.frame == 237 } ?? 0
            connection.pdus[place].octets[5] ^= 1
        }
        let part = try #require(broken.report.unplayed.first)
        #expect(part.frames.first == 237 && part.frames.allSatisfy { $0 >= 237 })
        #expect(part.text.hasPrefix("connection 1 to 02:55:51:00:00:01, "))
    }
}
