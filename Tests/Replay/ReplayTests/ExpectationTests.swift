import Analysis
import BluetoothCore
import CoreBluetooth
import Foundation
import ReplayHarness
import Testing
import UQDK

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
        #expect(replay.text.contains("connection 1 judged up to frame 240"))
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

    // MARK: An application

    /// The unlock's log of a phone that got a byte of its first message wrong, with the frame and the
    /// messages that are right.
    private static func night() throws -> (model: SessionModel, frame: Int, messages: [[Data]]) {
        var model = try Recording.model("uqdk-unlock.btsnoop")
        let visit = try #require(UQDKVisit(model.connections[0], try LogReplayTests.options().knowledge))
        let frame = try #require(visit.requests[0].frames.first)
        let place = try #require(model.connections[0].pdus.firstIndex { $0.frame == frame })
        let last = model.connections[0].pdus[place].octets.count - 1
        model.connections[0].pdus[place].octets[last] ^= 1
        return (model, frame, visit.requests.map { $0.values.map { Data($0) } })
    }

    private static func visit(
        _ messages: [[Data]], _ model: SessionModel, _ expectation: LogExpectation?,
        _ fault: ApplicationFault? = nil
    ) throws -> ReplayHarness {
        var options = ReplayHarness.Options()
        options.patience = .milliseconds(1)
        options.knowledge.uqdk = try LogReplayTests.options().knowledge
        let replay = ReplayHarness(model, expecting: expectation, options: options)
        let queue = replay.session.delivery.inline
        let visit = replay.make {
            FaultyVisit(messages, fault, FaultTrigger(at: 0), queue: queue) { seconds, block in
                replay.asyncAfter(.milliseconds(Int64(seconds * 1000)), on: queue, block)
            }
        }
        replay.run()
        withExtendedLifetime(visit) {}
        return replay
    }

    @Test func `a mended application passes on the night's log, and the one with the fault fails`() throws {
        let (model, frame, messages) = try Self.night()
        let expectation = LogExpectation(
            departures: [.init(frame: frame, isRequired: true, reason: "the checksum was wrong")])
        #expect(try Self.visit(messages, model, nil).report.verdict.word == "diverged")
        let mended = try Self.visit(messages, model, expectation)
        #expect(mended.misses == [], "\(mended.annotation.report)")
        #expect(mended.failure() == nil)
        #expect(mended.annotation.report.contains("connection 1 judged up to frame \(frame)"))
        let authentication = try #require(mended.requests.first { $0.name == "authentication" })
        #expect(authentication.isGood && authentication.frame > frame)
        var wrong = messages
        wrong[0][0][wrong[0][0].count - 1] ^= 1
        let same = try Self.visit(wrong, model, expectation)
        #expect(same.misses?.count == 1)
        #expect(same.failure()?.contains("NOT AS EXPECTED") == true)
        // How a request is to end is judged without a departure, too.
        let wanted = LogExpectation(
            outcomes: [.init(frame: authentication.frame, name: "authentication", ends: "refused, busy")])
        let healthy = try Self.visit(messages, try Recording.model("uqdk-unlock.btsnoop"), wanted)
        #expect(healthy.misses?.first?.contains("it ended with: ok") == true)
    }

    @Test func `a host that departs by ending the link has sent nothing instead`() throws {
        for before in [[], [Synthetic.Line.host("02f700"), .peer("03f700")]] {
            let model = Synthetic.model(before + [.host("12180001"), .peer("13")])
            let frame = try #require(model.connections[0].steps.first?.frame)
            let expectation = LogExpectation(
                departures: [.init(frame: frame, isRequired: true, reason: "it was not to be sent")])
            var options = ReplayOptions()
            options.expect(expectation, of: model, knowledge: UQDKKnowledge())
            let host = try RawHost(connected: model, options: options)
            if !before.isEmpty { try host.send("02f700") }
            let report = try host.finish()
            #expect(report.departed == [frame])
            #expect(report.results[0].departure == .init(frame: frame, sent: 0, received: 0))
        }
    }

    @Test func `a departure can be the end of the connection`() throws {
        let (_, _, messages) = try Self.night()
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let visit = try #require(UQDKVisit(model.connections[0], try LogReplayTests.options().knowledge))
        let frame = try #require(visit.requests.last?.frames.first)
        let expectation = LogExpectation(
            departures: [.init(frame: frame, isRequired: true, reason: "it was not to be sent")])
        #expect(try Self.visit(messages, model, nil, .endsEarly).report.verdict.word == "diverged")
        let early = try Self.visit(messages, model, expectation, .endsEarly)
        #expect(early.misses == [], "\(early.annotation.report)")
        #expect(early.report.departed == [frame])
    }

    @Test func `the expectation beside a log is found`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = folder.appendingPathComponent("night.btsnoop")
        try FileManager.default.copyItem(
            atPath: Recording.root + "/captures/uqdk-unlock.btsnoop", toPath: log.path)
        #expect(try ReplayHarness(log.path).expectation == nil)
        let beside = folder.appendingPathComponent("night.expect.json")
        try Data(Self.mended.json).write(to: beside)
        #expect(try ReplayHarness(log.path).expectation == Self.mended)
        #expect(try ReplayHarness(log.path, expecting: LogExpectation()).expectation == LogExpectation())
        try Data("{}".utf8).write(to: beside)
        #expect(throws: (any Error).self) { try ReplayHarness(log.path) }
    }

    // MARK: Requests

    @Test func `requests that were refused or not answered fail, unless it is expected or asked again`()
        throws
    {
        let refused = Synthetic.model([
            .host("12180001"), .peer("0112180080"), .host("0a1200"), .peer("010a12000f"), .host("0a1200"),
            .peer("0b01"), .host("0a1500"),
        ])
        let replay = LogReplay(refused)
        #expect(replay.failures.map(\.frame) == [100, 106], "\(replay.text)")
        #expect(replay.failures.map(\.ends) == ["refused, Application Error", "no answer"])
        var options = LogReplay.Options()
        options.expectation = replay.blessing
        let expected = LogReplay(refused, options: options)
        #expect(expected.misses == [] && expected.failures.isEmpty)
        let refusal = try Self.replay(nil).failures.first { $0.frame == 211 }
        #expect(refusal?.ends == "refused, keyRevoked")
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
