import BluetoothCore
import Testing

@testable import Replay

/// What a log is to come to, where the recorded phone was wrong.
@Suite struct ExpectationTests {
    /// The phone's authentication counter does not advance at frame 240.
    private static func replay(_ expectation: LogExpectation?, withKey: Bool = true) throws -> LogReplay {
        var options = withKey ? try LogReplayTests.options() : LogReplay.Options()
        options.expectation = expectation
        return LogReplay(try Recording.model("uqdk-refusals.btsnoop"), options: options)
    }

    private static let mended = LogExpectation(
        departures: [.init(frame: 240, isRequired: true, reason: "the counter must advance")],
        outcomes: [.init(frame: 234, name: "authentication", ends: "ok")])

    @Test func `a host without the recorded fault goes on with a live car, and comes to what is expected`()
        throws
    {
        let replay = try Self.replay(Self.mended)
        #expect(replay.misses == [], "\(replay.text)")
        #expect(replay.report.departed == [240])
        #expect(replay.text.hasPrefix("AS EXPECTED: "))
        #expect(replay.text.contains("departed  at frame 240"))
        // What the car refused because of the fault goes well now.
        #expect(replay.outcomes.contains { $0.name == "TRUNK_OPEN" && $0.got == .ok })
    }

    @Test func `what comes after a departure is counted apart`() throws {
        let replay = try Self.replay(Self.mended)
        let first = try #require(replay.report.results.first)
        let departure = try #require(first.departure)
        #expect(departure.frame == 240)
        #expect(first.pdus.missing.allSatisfy { $0 < 240 }, "\(replay.text)")
        let behind = try Recording.model("uqdk-refusals.btsnoop").connections[0].pdus.count {
            $0.channel == .attribute && $0.frame >= 240
        }
        #expect(first.pdus.behind == behind)
        let others: Int = first.pdus.setUp + first.pdus.leftOut + first.pdus.missing.count
        #expect(first.pdus.recorded == first.pdus.judged + others + behind)
        // What passed since, by the transcript.
        let passed = replay.transcript.pdus.filter { $0.connection == 1 && $0.channel == .attribute }
        let last = try #require(passed.lastIndex { $0.frame > 0 && $0.frame < 240 })
        #expect(passed[(last + 1)...].count == departure.sent + departure.received)
        #expect(passed[last + 1].side == .host && departure.sent > 0 && departure.received > 0)
        let head = replay.text.split(separator: "\n")[0]
        #expect(head.contains("over 2 connections, connection 1 judged up to frame 240"), "\(head)")
        #expect(
            replay.text.contains(
                "  same: 23 of 154 ATT PDUs, 30 of set-up, 12 callbacks, judged up to frame 240\n"))
    }

    @Test func `a connection behind one that differs draws its own nonces`() throws {
        let results = try Self.replay(nil).report.results
        #expect(results.map(\.word) == ["diverged", "same"])
    }

    @Test func `a host that does again what was recorded does not`() throws {
        let replay = try Self.replay(Self.mended, withKey: false)
        #expect(replay.misses?.first?.hasPrefix("at frame 240 the host did again what was wrong") == true)
        #expect(replay.text.hasPrefix("NOT AS EXPECTED\n  missed    at frame 240"))
    }

    @Test func `without an expectation the difference is a divergence that names its field`() throws {
        let replay = try Self.replay(nil)
        #expect(replay.report.verdict.word == "diverged")
        #expect(replay.field == "authCounter of AUTH_FINISH")
        #expect(replay.blessing.departures.map(\.frame) == [240])
    }

    @Test func `another ending than the expected one is named`() throws {
        var wanted = Self.mended
        wanted.outcomes = [
            .init(frame: 234, name: "authentication", ends: "refused, badProof"),
            .init(frame: 9999, name: "DOOR_LOCK", ends: "ok"),
        ]
        let misses = try #require(try Self.replay(wanted).misses)
        #expect(misses.count == 2)
        #expect(misses[0].contains("was to end with: refused, badProof; it ended with: ok"))
        #expect(misses[1].contains("it ended with: not at all"))
    }

    @Test func `what was blessed is read again, and of another version nothing`() throws {
        let blessing = try Self.replay(Self.mended).blessing
        #expect(try LogExpectation(json: blessing.json) == blessing)
        #expect(blessing.outcomes.count > 20)
        let other = String(decoding: blessing.json, as: UTF8.self)
            .replacing("\"version\" : 1", with: "\"version\" : 2")
        #expect(throws: (any Error).self) { try LogExpectation(json: Array(other.utf8)) }
        #expect(throws: (any Error).self) { try LogExpectation(json: Array("{}".utf8)) }
    }
}
