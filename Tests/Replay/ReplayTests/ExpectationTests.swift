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
