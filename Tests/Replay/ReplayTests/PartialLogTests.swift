import BluetoothCore
import CaptureFile
import Testing

@testable import Replay

/// Sessions of which the log holds a part.
@Suite struct PartialLogTests {
    /// The session without some of its records.
    private static func replay(
        _ name: String, without isLeftOut: (Recording.Kept) -> Bool
    ) throws -> LogReplay {
        let records = try Recording.records(name).filter { !isLeftOut($0) }
        return LogReplay(try Recording.model(records), options: try LogReplayTests.options())
    }

    @Test(arguments: ["mi-band.btsnoop", "mobike.btsnoop", "peripheral-clock.btsnoop", "uqdk-unlock.btsnoop"])
    func `a session whose connection's event was filtered out is replayed, and its beginning made up`(
        name: String
    ) throws {
        let replay = try Self.replay(name) { $0.header.kind != .acl }
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.report.assumptions.contains { $0.kind == .startsInMidConnection })
        #expect(replay.text.contains("made up   the beginning of connection 1"))
    }

    @Test(arguments: ["mi-band.btsnoop", "mobike.btsnoop", "peripheral-clock.btsnoop"])
    func `a session without its discovery is replayed with attributes inferred from their use`(
        name: String
    ) throws {
        let replay = try Self.replay(name) { kept in
            guard kept.header.kind == .acl, kept.octets.count > 8, kept.octets[6] == 4 else {
                return kept.header.kind == .acl
            }
            // The requests of discovery, their responses and the errors that end them.
            return (0x04...0x11).contains(kept.octets[8])
                && ![0x0A, 0x0B, 0x0C, 0x0D].contains(kept.octets[8])
                || kept.octets[8] == 0x01 && kept.octets.count > 9
                    && ![0x0A, 0x12, 0x18].contains(kept.octets[9])
        }
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.report.assumptions.contains { $0.kind == .missingDatabase })
        // As in the log, the host knows the attributes: it asks for the device's name alone.
        let asked = Self.searches(replay, of: 1)
        #expect(asked.allSatisfy { $0.octets[0] == 0x08 && $0.octets.suffix(2) == [0x00, 0x2A] })
    }

    /// The requests of discovery that the host sent in a replay.
    private static func searches(_ replay: LogReplay, of connection: Int) -> [TraceEntry] {
        replay.transcript.pdus.filter {
            $0.connection == connection && $0.side == .host && $0.isSetUp && $0.octets[0] != 0x02
        }
    }

    @Test func `each connection discovers as the log does, also to the device of an earlier one`() throws {
        let model = try Recording.model("handle-reuse.btsnoop")
        let discovering = model.connections.map { connection in
            connection.pdus.contains { $0.side == .host && $0.opcode == .readByGroupTypeRequest }
        }
        #expect(discovering.contains(true) && discovering.contains(false))
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        let played = model.connections.map { connection in
            Self.searches(replay, of: connection.number).contains { $0.octets[0] == 0x10 }
        }
        #expect(played == discovering)
    }

    @Test func `of a rotated log each half is judged as far as it goes`() throws {
        for name in ["mi-band.btsnoop", "link-device.btsnoop", "peripheral-clock.btsnoop"] {
            let records = try Recording.records(name)
            for half in [
                Array(records.suffix(records.count / 3)), Array(records.prefix(2 * records.count / 3)),
            ] {
                let replay = LogReplay(try Recording.model(half))
                switch replay.report.verdict {
                case .same, .partlySame, .notReplayable: break
                default: Issue.record("\(name): \(replay.text)")
                }
            }
        }
    }

    @Test func `an exchange of which the log has one half is left out, and named`() throws {
        let records = try Recording.records("peripheral-clock.btsnoop")
        let place = try #require(
            records.firstIndex { $0.header.kind == .acl && $0.octets.count > 8 && $0.octets[8] == 0x0B })
        var holed = records
        holed.remove(at: place)
        let replay = LogReplay(try Recording.model(holed))
        guard case .partlySame(let obstacles) = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
        #expect(obstacles.map(\.kind) == [.filtered])
    }
}

/// Where a log shows what no host can be blamed for.
@Suite struct BlamelessTests {
    @Test func `a clock that was set between a request and its response is no difference`() throws {
        let model = Synthetic.model([
            .host("12180001"), .peer("13", after: 3_600_000), .host("12180002"), .peer("13"),
        ])
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test func `a host that gives up a connection on which it gets no answer is counted`() throws {
        let model = Synthetic.model(
            [.host("12180001"), .peer("1b1200aa", after: 60_000)], end: .byPeer(.connectionTimeout))
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.report.normalizations[.afterTimeout] == 1)
    }

    @Test func `each connection has its verdict, and one that fails does not stop the next`() throws {
        let model = try Recording.model("two-devices.btsnoop")
        let own = model.connections[0].pdus.filter { $0.opcode == .handleValueNotification }.map(\.octets)
        let others = Set(model.connections[1].pdus.map(\.octets))
        let lost = try #require(own.first { !others.contains($0) })
        // The stack loses one value of the first device.
        let fault = StackFault(name: "lost", way: .fromPeer, opcodes: [.handleValueNotification]) {
            $0 == lost ? .replaced([]) : nil
        }
        var options = LogReplay.Options()
        options.transport = { FaultyTransport($0, $1, fault, at: 0) }
        let replay = LogReplay(model, options: options)
        #expect(replay.report.verdict.word == "diverged", "\(replay.text)")
        #expect(replay.report.results.map(\.word) == ["diverged", "same"], "\(replay.text)")
    }
}
