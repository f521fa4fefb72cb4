import BluetoothCore
import CaptureFile
import LEHost
import Runtime
import Testing

@testable import Replay

/// Attempts to connect and scans, compared with those of the log.
@Suite struct AttemptTests {
    static let failure = HCIStatus.connectionFailedToBeEstablishedOrSynchronizationTimeout

    /// An attempt that is made at some milliseconds, and ends so.
    static func attempt(
        at asked: Int64, until completed: Int64, _ status: HCIStatus = .unknownConnectionIdentifier
    ) -> RecordedConnection {
        var attempt = RecordedConnection(
            number: -Int(asked) - 1, frame: Int(asked), status: status, peer: Synthetic.peer,
            completed: Synthetic.at(completed))
        attempt.asked = Synthetic.at(asked)
        return attempt
    }

    /// A log of attempts alone, before the usual connection where that is wanted.
    static func model(
        _ attempts: [RecordedConnection], isConnected: Bool = false, windows: [(Int64, Int64?)] = []
    ) -> SessionModel {
        Synthetic.model([.host("12180001"), .peer("13")]) { log in
            let shift = isConnected ? attempts.last.map { Synthetic.at(0).duration(to: $0.completed) } : nil
            if let shift { log.connections[0].move(by: shift, frames: 0) }
            log.connections = attempts + (isConnected ? log.connections : [])
            log.last = log.last.advanced(by: shift ?? .seconds(60))
            log.advertising.windows = windows.map { start, end in
                .init(start: Synthetic.at(start), end: end.map(Synthetic.at), startIsKnown: true)
            }
        }
    }

    @Test(arguments: [
        [attempt(at: 100, until: 300, failure)], [attempt(at: 100, until: 5100)],
        [attempt(at: 100, until: 300, failure), attempt(at: 400, until: 600, failure)],
        [attempt(at: 100, until: 5100), attempt(at: 5200, until: 5400, failure)],
    ])
    func `a log without a connection replays with its attempts`(attempts: [RecordedConnection]) throws {
        let replay = LogReplay(Self.model(attempts))
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.report.attempts == (attempts.count, attempts.count))
        #expect(replay.text.hasPrefix("SAME: \(attempts.count) attempt"))
        let made = replay.transcript.attempts.filter { $0.text.hasPrefix("connect to") }
        #expect(made.count == attempts.count)
        let report = try ScriptedHost(Self.model(attempts)).run()
        #expect(report.verdict == .same, "\(report.text)")
    }

    @Test func `a failed attempt in a capture is replayed, and one that the log's end cuts off`() throws {
        let records = try Recording.records("uqdk-unlock.btsnoop")
        let place = try #require(records.firstIndex { $0.octets.starts(with: [0x3E, 0x13, 0x01, 0x00]) })
        var failed = Array(records[...place])
        failed[place].octets[3] = 0x3E
        // The log goes on for as long as a host may wait.
        var late = try #require(records.first { $0.header.kind == .event })
        late.header.time = CaptureTime(nanoseconds: records[place].header.time.nanoseconds + 5_000_000_000)
        for kept in [failed, Array(records[..<place]) + [late]] {
            let replay = LogReplay(try Recording.model(kept), options: try LogReplayTests.options())
            #expect(replay.report.verdict == .same, "\(replay.text)")
            #expect(replay.report.attempts == (1, 1))
        }
    }

    @Test func `a link that is lost while it is made is one, too`() throws {
        var model = Synthetic.model([], end: .byPeer(Self.failure))
        model.connections[0].pdus = []
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.report.attempts == (1, 1))
    }

    @Test func `a host that never gives up, or never tries, is stuck`() throws {
        let model = Self.model([Self.attempt(at: 100, until: 5100)])
        let host = try RawHost(model)
        try host.command(RawHost.createConnection(Synthetic.peer))
        var waiting = try host.finish(nil)
        waiting.isOfProgram = true
        #expect(waiting.text.contains("  in words  the app still waits for C0:11"), "\(waiting.text)")
        #expect(waiting.text.contains("waits for the host to give up its attempt to connect to C0:11"))
        let idle = try RawHost(model).finish(nil)
        #expect(idle.text.contains("waits for the host to connect to C0:11"), "\(idle.text)")
    }

    @Test func `a host may wait on where the recorded one asked anew`() throws {
        let host = try RawHost(
            Self.model(
                [Self.attempt(at: 100, until: 5100), Self.attempt(at: 5200, until: 9000)], isConnected: true))
        try host.command(RawHost.createConnection(Synthetic.peer))
        host.time.run(for: .seconds(20))
        try #require(host.handle != nil)
        try host.send("12180001")
        let report = try host.finish()
        #expect(report.verdict == .same, "\(report.text)")
        #expect(report.normalizations[.attemptGivenUp] == 2)
    }

    @Test(arguments: [(3, false), (20, true)])
    func `a storm of attempts is a difference, a few are not`(count: Int, isFound: Bool) throws {
        let host = try RawHost(connected: Self.model([], isConnected: true))
        try host.send("12180001")
        try host.command(
            HCIDisconnect {
                $0.connectionHandle = host.handle ?? 0
                $0.reason = .remoteUserTerminatedConnection
            })
        host.time.run(for: .milliseconds(100))
        for _ in 0..<count {
            try host.command(RawHost.createConnection(Synthetic.peer))
            host.time.run(for: .milliseconds(20))
            try host.command(LECreateConnectionCancel())
            host.time.run(for: .milliseconds(20))
        }
        let report = try host.finish(nil)
        #expect((report.verdict.word == "diverged") == isFound, "\(report.text)")
        #expect(report.text.contains("got       4 attempts more than that") == isFound)
    }

    @Test func `a device that failed last in the log fails again`() throws {
        let host = try RawHost(Self.model([Self.attempt(at: 100, until: 300, Self.failure)]))
        for _ in 0..<20 {
            try host.command(RawHost.createConnection(Synthetic.peer))
            host.time.run(for: .milliseconds(250))
            #expect(host.packets().last.map { $0.octets[3] } == 0x3E)
        }
        #expect(try host.finish(nil).verdict.word == "diverged")
    }

    /// Where the recorded host had ended its scan, with whether that of the host under test ends, too.
    @Test(
        arguments: [(90, true, false), (90, false, true), (nil, false, false), (90, nil, false)]
            as [(Int64?, Bool?, Bool)])
    func `a scan that never ends is a difference where the recorded one had ended`(
        recorded: Int64?, ends: Bool?, isFound: Bool
    ) throws {
        let host = try RawHost(Self.model([], isConnected: true, windows: [(10, recorded)]))
        if ends != nil { try host.command(LESetScanEnable { $0.leScanEnable = 1 }) }
        host.time.run(for: .milliseconds(50))
        if ends == true { try host.command(LESetScanEnable()) }
        try host.command(RawHost.createConnection(Synthetic.peer))
        host.time.run(for: .milliseconds(100))
        try host.send("12180001")
        let report = try host.finish()
        #expect((report.verdict.word == "diverged") == isFound, "\(report.text)")
    }

    @Test func `attempts to devices without a connection are another application's where the log has one`() {
        var other = Self.attempt(at: 5, until: 3000)
        other.peer = DeviceAddress(0xC0_00_00_00_00_01, .random)
        let model = Self.model([other], isConnected: true)
        #expect(model.connections.attemptsToRepeat == [false, false])
        var swift = Self.attempt(at: 5, until: 400)
        swift.peer = Synthetic.peer
        #expect(Self.model([swift], isConnected: true).connections.attemptsToRepeat == [false, false])
    }
}
