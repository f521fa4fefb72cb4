import Analysis
import BluetoothCore
import CaptureFile
import Foundation
import Runtime
import TestSupport
import Testing

@testable import Replay

/// Logs in which something is missing or can't have been: the host is never to blame for the recorder.
@Suite struct LostRecordTests {
    /// How many records of each log are dropped, one at a time: `BLECAP_CHANGES`, else 8.
    private static let count =
        ProcessInfo.processInfo.environment["BLECAP_CHANGES"].flatMap(Int.init) ?? 8

    private static func replay(
        _ records: [Recording.Kept], _ policy: PlacementPolicy = .causal
    ) throws -> LogReplay {
        var options = try LogReplayTests.options()
        options.replay.policy = policy
        return LogReplay(try Recording.model(records), options: options)
    }

    @Test(arguments: ChangeDetectionTests.logs + ["bonding", "bonded-reconnect", "two-adapters"])
    func `a record that the recorder lost never makes the host guilty`(name: String) throws {
        let records = try Recording.records("\(name).btsnoop")
        var random = SplitMix(state: UInt64(name.utf8.count))
        var places = Array(records.indices)
        places.shuffle(using: &random)
        for place in places.prefix(Self.count) {
            var rest = records
            rest.remove(at: place)
            let replay = try Self.replay(rest)
            switch replay.report.verdict {
            case .same, .partlySame, .notReplayable: break
            // There the recorded phone was at fault.
            case .diverged(let found) where name == "uqdk-refusals" && found.expected?.frame == 240: break
            default: Issue.record("without record \(place + 1): \(replay.text)")
            }
        }
    }

    /// Sessions without a record that each other one needs.
    @Test(arguments: [("uqdk-unlock", 235), ("uqdk-unlock", 243), ("bonding", 201)])
    func `what follows from a lost record is left out`(name: String, record: Int) throws {
        var records = try Recording.records("\(name).btsnoop")
        records.remove(at: record - 1)
        let replay = try Self.replay(records)
        guard case .partlySame = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
    }

    @Test func `a connection whose event is lost is to the device that was asked for`() throws {
        var records = try Recording.records("uqdk-unlock.btsnoop")
        let whole = try Recording.model(records)
        let place = try #require(records.firstIndex { $0.octets.starts(with: [0x3E, 0x13, 0x01]) })
        let lost = records.remove(at: place)
        let replay = try Self.replay(records)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(try Recording.model(records).connections[0].peer == whole.connections[0].peer)
        // An event that says the opposite of what follows is worth no more than none.
        var failed = lost
        failed.octets[3] = 0x3E
        records.insert(failed, at: place)
        let other = try Self.replay(records)
        #expect(other.report.verdict == .same, "\(other.text)")
        #expect(other.report.assumptions.contains { $0.kind == .startsInMidConnection })
    }

    @Test func `data on another handle says nothing about a pending attempt`() throws {
        let records = try Recording.records("uqdk-unlock.btsnoop")
        let whole = try Recording.model(records).connections[0]
        let place = try #require(records.firstIndex { $0.octets.starts(with: [0x3E, 0x13, 0x01]) })
        var other = try #require(
            records.last { $0.header.kind == .acl && $0.header.direction == .controllerToHost })
        other.header.time = records[place].header.time
        other.octets[0] = 0x55
        var pending = records
        pending.insert(other, at: place)
        let connections = try Recording.model(pending).connections
        #expect(connections.map { $0.peer == whole.peer } == [false, true])
        #expect(connections.last?.asked == whole.asked)
        // The same behind an attempt that failed on a handle of its own.
        var failed = Array(records.prefix(place + 1))
        failed[place].octets[3] = 0x3E
        let after = try Recording.model(failed + [other]).connections
        #expect(after.map(\.status) == [HCIStatus(rawValue: 0x3E), .success])
        #expect(after.last?.peer != whole.peer)
    }

    @Test func `the end of a connection stands in the command, where its event is lost`() throws {
        var records = try Recording.records("uqdk-refusals.btsnoop")
        let place = try #require(records.firstIndex { $0.octets.starts(with: [0x05, 0x04, 0x00]) })
        records.remove(at: place)
        let connection = try Recording.model(records).connections[0]
        #expect(connection.end?.request?.reason == .remoteUserTerminatedConnection)
        #expect(try Self.replay(records).report.results[0].word != "stuck")
        // A command that failed, or after which the host went on, ended nothing.
        let status = try #require(
            records.firstIndex {
                $0.octets.starts(with: [0x0F, 0x04]) && $0.octets.suffix(2) == [0x06, 0x04]
            })
        var refused = records
        refused[status].octets[2] = 0x0C
        #expect(try Recording.model(refused).connections[0].end?.request == nil)
        let last = try #require(
            records.last { $0.header.kind == .acl && $0.header.direction == .hostToController })
        var wentOn = last
        wentOn.header.time = records[status].header.time
        records.insert(wentOn, at: status + 1)
        #expect(try Recording.model(records).connections[0].end?.request == nil)
    }

    @Test(arguments: ["mi-band", "mobike"])
    func `no policy is later than a transaction may last`(name: String) throws {
        // The beginning is made up, so that the host is far ahead of the log.
        let records = try Recording.records("\(name).btsnoop").filter { $0.header.kind == .acl }
        for policy in [PlacementPolicy.recorded, .latest] {
            let replay = try Self.replay(records, policy)
            #expect(replay.report.verdict == .same, "\(policy): \(replay.text)")
        }
    }

    @Test(arguments: [PlacementPolicy.recorded, .latest, .shuffle(seed: 3)])
    func `a pairing that is played late is not given up`(policy: PlacementPolicy) throws {
        let replay = try Self.replay(try Recording.records("bonding.btsnoop"), policy)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test(arguments: [
        [Direction.hostToController], [.controllerToHost], [.hostToController, .controllerToHost],
    ])
    func `encryption without both DHKey Checks is not blamed on the stack`(lost: [Direction]) throws {
        // A check stands behind the headers of ACL and L2CAP.
        let isCheck = { (record: Recording.Kept) in
            record.header.kind == .acl && record.octets.dropFirst(6).starts(with: [0x06, 0x00, 0x0D])
        }
        let all = try Recording.records("bonding.btsnoop")
        let records = all.filter { !isCheck($0) || !lost.contains($0.header.direction) }
        #expect(records.count == all.count - lost.count)
        let encryption = try #require(
            all.firstIndex { $0.header.kind == .command && $0.octets.starts(with: [0x19, 0x20]) })
        let replay = try Self.replay(records)
        let named = replay.report.leftOut.first { $0.kind == .skippedCheck }
        #expect(named?.frame == encryption + 1, "\(replay.text)")
        #expect(replay.report.failedConnection == nil, "\(replay.text)")
    }

    @Test func `a response with octets too many is a contradiction, and named`() throws {
        var records = try Recording.records("uqdk-unlock.btsnoop")
        let place = try #require(
            records.firstIndex { $0.header.kind == .acl && $0.octets.dropFirst(8).elementsEqual([0x13]) })
        records[place].octets[2] += 2
        records[place].octets[4] += 2
        records[place].octets += [0, 0]
        let replay = try Self.replay(records)
        guard case .partlySame(let obstacles) = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
        #expect(obstacles.map(\.kind) == [.contradiction])
        #expect(obstacles.map(\.frame) == [place + 1])
    }

    @Test func `a message with a wrong checksum is sent as recorded, also where its answer is lost`() throws {
        let whole = try Self.replay(try Recording.records("uqdk-unlock.btsnoop"))
        let answer = try #require(whole.outcomes.first { $0.frame == 282 }?.decidedBy)
        var records = try Recording.records("uqdk-unlock.btsnoop")
        records.remove(at: answer - 1)
        let replay = try Self.replay(records)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test func `a channel of the recorded host is left out, a refused one of the peer is not`() throws {
        let records = try Recording.records("mobike.btsnoop")
        let place = try #require(
            records.lastIndex { $0.header.kind == .acl && $0.octets.count > 8 && $0.octets[8] == 0x0B })
        let host = try #require(
            records.last { $0.header.kind == .acl && $0.octets.count > 8 && $0.octets[8] == 0x0A })
        func packet(_ like: Recording.Kept, _ command: [UInt8]) -> Recording.Kept {
            var kept = like
            let length = UInt8(command.count)
            kept.octets = Array(like.octets[..<2]) + [length + 4, 0, length, 0, 5, 0] + command
            kept.header = records[place].header
            kept.header.direction = like.header.direction
            return kept
        }
        let request: [UInt8] = [0x14, 1, 10, 0, 0x25, 0, 0x40, 0, 64, 0, 64, 0, 5, 0]
        let taken: [UInt8] = [0x15, 1, 10, 0, 0x41, 0, 64, 0, 64, 0, 5, 0, 0, 0]
        let refused: [UInt8] = [0x15, 1, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0]
        let peer = records[place]
        for (commands, isLeftOut) in [
            (
                [packet(host, request), packet(peer, taken), packet(host, [0x16, 2, 4, 0, 0x40, 0, 1, 0])],
                true
            ),
            (
                [
                    packet(peer, request), packet(host, taken),
                    packet(peer, [0x06, 3, 4, 0, 0x41, 0, 0x40, 0]),
                ], true
            ),
            ([packet(peer, request), packet(host, refused)], false),
        ] {
            var all = records
            all.insert(contentsOf: commands, at: place + 1)
            let replay = try Self.replay(all)
            let obstacles = replay.report.leftOut
            #expect(obstacles.map(\.kind) == (isLeftOut ? [.channels] : []), "\(replay.text)")
            #expect(replay.report.failedConnection == nil, "\(replay.text)")
        }
    }

    @Test func `a host may read on in a name that the recorded one found by type`() {
        let name = "0d" + String(repeating: "61", count: 4)
        let model = Synthetic.model([
            .host("080100ffff002a"), .peer("09150300" + String(repeating: "61", count: 19)),
            .host("0c03001300"), .peer(name), .host("12180001"), .peer("13"),
        ])
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test func `a request without a response is left out where only commands follow`() {
        let model = Synthetic.model([.host("1213000100"), .host("5218000102"), .host("5218000103")]) { log in
            let left = log.connections[0].leaveOutIncomplete()
            for frame in left.frames { log.obstacles.note(.filtered, frame: frame, connection: 1) }
        }
        let replay = LogReplay(model)
        guard case .partlySame(let obstacles) = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
        #expect(obstacles.map(\.frame) == [100])
    }

    @Test func `of two adapters one is played, and the verdict says so`() throws {
        let model = try Recording.model("two-adapters.btsnoop")
        let replay = LogReplay(model)
        guard case .partlySame(let obstacles) = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
        #expect(obstacles.map(\.kind) == [.otherAdapter])
        let chosen = LogReplay(try Recording.model("two-adapters.btsnoop", adapter: 1))
        #expect(chosen.report.verdict == .same, "\(chosen.text)")
    }

    @Test func `a discovery that ends early is not taken for judged`() throws {
        let records = try Recording.records("mobike.btsnoop")
        let isATT = { (kept: Recording.Kept, opcode: UInt8) in
            kept.header.kind == .acl && kept.octets.count > 8 && kept.octets[6] == 4
                && kept.octets[8] == opcode
        }
        let first = try #require(records.firstIndex { isATT($0, 0x10) })
        let rest = records.enumerated().filter { place, kept in
            place <= first || kept.header.kind != .acl
        }
        let model = try Recording.model(rest.map(\.element))
        #expect(model.obstacles.contains { $0.kind == .endsInDiscovery && $0.frame == first + 1 })
    }

    @Test func `a subscription that no call makes is not taken for judged`() throws {
        var records = try Recording.records("mobike.btsnoop")
        let place = try #require(
            records.firstIndex {
                $0.header.kind == .acl && $0.octets.dropFirst(8).elementsEqual([0x12, 0x11, 0, 1, 0])
            })
        records[place].octets[11] = 2
        let replay = try Self.replay(records)
        guard case .partlySame(let obstacles) = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
        #expect(obstacles.map(\.kind) == [.noCall])
        #expect(obstacles.map(\.frame) == [place + 1])
    }

    @Test(arguments: ["13", "0112300005"])
    func `a subscription that the API has no call for is accepted or refused as in the log`(answer: String) {
        // No characteristic that the host discovers has this configuration.
        let model = Synthetic.model([.host("1230000100"), .peer(answer)]) { log in
            let configuration = KnownAttribute(
                handle: 0x0030, content: .other(.clientCharacteristicConfiguration), source: .discovered,
                frame: 1)
            log.connections[0].learn(Synthetic.attributes + [configuration])
        }
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test func `before the exchange of the MTU a PDU has at most 23 octets`() throws {
        let long = "1b1200" + String(repeating: "61", count: 30)
        let model = Synthetic.model([
            .peer(long), .host("020002"), .peer("030002"), .host("12180001"), .peer("13"),
        ]) { $0.connections[0].mtu = (512, 512) }
        #expect(model.connections[0].frameBeyondMTU == 100)
    }

    @Test func `an attempt that failed takes no connection's number, an event given twice none either`()
        throws
    {
        let records = try Recording.records("mobike.btsnoop")
        let place = try #require(records.firstIndex { $0.octets.starts(with: [0x3E, 0x13, 0x01, 0x00]) })
        var failed = records[place]
        failed.octets[3] = 0x3E
        var more = records
        more.insert(failed, at: place)
        #expect(try Recording.model(more).connections.map(\.number) == [-1, 1])
        more[place] = records[place]
        let numbers = try Recording.model(more).connections.map(\.number)
        #expect(Set(numbers).count == numbers.count)
        _ = try Self.replay(more)
    }

    /// Logs of strangers that were red for the recorder's faults.
    @Test(
        .corpus,
        arguments: [
            "bms-jbd-unencapsulated-h1.log", "crowded-scan-784-advertisers.log", "govee-led-att-only.log",
            "bms-jbd-session.log", "bms-jk-pb2a16s15p.log", "ev-charger-nexxtender-a.log",
            "ev-charger-nexxtender-huawei.cfa",
        ])
    func `no policy makes a stranger's host guilty`(name: String) throws {
        let path = Corpus.path("../corpus-2/\(name)")
        guard FileManager.default.fileExists(atPath: path) else { return }
        let model = try Recording.model(path: path)
        for policy in [PlacementPolicy.causal, .recorded, .latest] {
            var options = LogReplay.Options()
            options.replay.policy = policy
            let replay = LogReplay(model, options: options)
            #expect(replay.report.failedConnection == nil, "\(policy): \(replay.text)")
        }
    }
}
