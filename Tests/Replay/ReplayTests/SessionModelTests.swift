import Analysis
import BluetoothCore
import CaptureFile
import Replay
import Runtime
import TestSupport
import Testing
import WireBytes

@Suite struct SessionModelTests {
    @Test func `a capture's session is in its model`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        #expect(model.adapter == 0)
        #expect(model.controller.address == DeviceAddress(0x02_00_00_00_00_10, .public))
        #expect(model.controller.packetLength == 27)
        #expect(model.advertising.reports.count == 3)
        #expect(model.advertising.reports.map(\.kind) == [0, 4, 0])
        #expect(model.advertising.windows.count == 2)
        #expect(model.classicLinks == 0)
        let connection = try #require(model.connections.first)
        #expect(model.connections.count == 1)
        #expect(connection.peer == DeviceAddress(0x02_55_51_00_00_01, .public))
        #expect(connection.frame == 141)
        #expect(connection.connectDelay == .microseconds(155_182))
        #expect(connection.pdus.count == 107)
        #expect(connection.mtu?.offered == 517)
        #expect(connection.mtu?.server == 23)
        #expect(connection.end?.reason == .connectionTerminatedByLocalHost)
        #expect(connection.end?.request?.reason == .remoteUserTerminatedConnection)
        let notification = try #require(connection.pdus.first { $0.frame == 214 })
        #expect(notification.side == .peer && notification.opcode == .handleValueNotification)
        let response = try #require(connection.pdus.first { $0.frame == 213 })
        #expect(response.answers.map { connection.pdus[$0].frame } == 211)
    }

    @Test func `attributes say where they are known from`() throws {
        let database = try Recording.model("uqdk-unlock.btsnoop").connections[0].database
        #expect(database[0x0010]?.source == .discovered)
        #expect(database[0x0010]?.frame == 177)
        #expect(database[0x0013]?.type == .clientCharacteristicConfiguration)
        #expect(database[0x0013]?.source == .inferred)
        #expect(database[0x000E]?.groupEnd == 0x0015)
        #expect(database.value(of: 0x0003) == Array("blecap car".utf8))
        let later = try Recording.model("handle-reuse.btsnoop")
        #expect(later.connections.count == 2)
    }

    @Test(arguments: Recording.captures)
    func `every capture has a model`(name: String) throws {
        let model = try Recording.model(name)
        #expect(model.connections.contains { $0.isCentral && $0.status == .success })
        #expect(model.end > .zero)
    }

    @Test func `an adapter is chosen, or the one with the most to say`() throws {
        let first = try Recording.model("two-adapters.btsnoop", adapter: 0)
        let second = try Recording.model("two-adapters.btsnoop", adapter: 1)
        #expect(first.connections.map(\.peer) != second.connections.map(\.peer))
        #expect(throws: SessionModel.Failure.unknownAdapter(7)) {
            try Recording.model("two-adapters.btsnoop", adapter: 7)
        }
        for model in [first, second] {
            let report = try ScriptedHost(model).run()
            #expect(report.verdict == .same, "\(report.text)")
        }
    }

    @Test func `a session that pairs is played whole`() throws {
        let model = try Recording.model("bonding.btsnoop")
        #expect(model.obstacles.isEmpty)
        let report = LogReplay(model).report
        #expect(report.verdict == .same, "\(report.text)")
        #expect(!report.isPartial && report.leftOut.isEmpty)
    }

    @Test func `what a log does not tell of a device comes from another log, and says so`() throws {
        let alone = try Recording.model("handle-reuse.btsnoop")
        #expect(alone.obstacles.isEmpty && alone.assumptions.map(\.kind) == [.missingDatabase])
        #expect(alone.assumptions.first?.connection == 2)
        #expect(try ScriptedHost(alone).run().verdict == .same)
        var knowledge = AnalysisKnowledge()
        var analyzer = Analyzer()
        for kept in try Recording.records("handle-reuse-before.btsnoop") {
            analyzer.analyze(Record(kept.header, kept.octets.borrowedOctets))
        }
        analyzer.finish()
        knowledge.gatt.add(analyzer)
        var captures = try CaptureSet(paths: [Recording.root + "/captures/handle-reuse.btsnoop"])
        let told = try SessionModel(reading: &captures, knowledge: knowledge)
        #expect(told.obstacles.isEmpty && told.assumptions.isEmpty)
        let handle = try #require(told.connections[1].steps.first { $0.isWrite }?.handle)
        #expect(told.connections[1].database[handle]?.source == .file)
        let report = try ScriptedHost(told).run()
        #expect(report.verdict == .same, "\(report.text)")
        #expect(report.connections.played == 2)
    }

    @Test(.corpus)
    func `every stranger's log has a model, or no adapter`() throws {
        var without: [String] = []
        for name in Corpus.files {
            do {
                let model = try Recording.model(path: name)
                #expect(model.records > 0)
                if !model.connections.contains(where: { $0.status == .success }) {
                    #expect(model.obstacles.contains { $0.kind == .noConnection }, "\(name)")
                }
            } catch is CaptureFileError {
                without.append(name)
            } catch is SessionModel.Failure {
                without.append(name)
            }
        }
        print("without a session:", without.joined(separator: ", "))
    }

    @Test(arguments: ["uqdk-unlock.btsnoop", "link-device.btsnoop"])
    func `a log cut at any record gives a model that can be played so far`(name: String) throws {
        let records = try Recording.records(name)
        for count in stride(from: 0, through: records.count, by: 3) {
            guard let model = try? Recording.model(records.prefix(count)) else { continue }
            let report = try ScriptedHost(model).run()
            switch report.verdict {
            case .same, .partlySame, .notReplayable: break
            default: Issue.record("after \(count) records: \(report.text)")
            }
        }
    }

    @Test func `a log that ends inside a PDU says so`() throws {
        let records = try Recording.records("link-device.btsnoop")
        var found = 0
        for (place, record) in records.enumerated() where record.header.kind == .acl {
            // A continuation: the PDU that it ends was begun in the record of this kind before it.
            guard record.octets.count > 1, record.octets[1] & 0x30 == 0x10,
                let start = records[..<place].lastIndex(where: {
                    $0.header.kind == .acl && $0.header.direction == record.header.direction
                })
            else { continue }
            let model = try Recording.model(records[...start])
            let obstacle = try #require(model.obstacles.first { $0.kind == .endsInPDU })
            #expect(obstacle.frame == records[start].header.number)
            #expect(obstacle.connection > 0)
            found += 1
        }
        #expect(found > 0)
    }

    @Test func `a PDU whose record is cut, and a missing fragment, are obstacles`() throws {
        var records = try Recording.records("uqdk-unlock.btsnoop")
        let place = try #require(records.firstIndex { $0.header.number == 211 })
        records[place].octets.removeLast(4)
        let cut = try Recording.model(records)
        #expect(cut.obstacles.contains { $0.kind == .truncated && $0.frame == 211 && $0.connection == 1 })
        let long = try Recording.records("link-device.btsnoop")
        let fragment = try #require(
            long.firstIndex {
                $0.header.kind == .acl && $0.octets.count > 1 && $0.octets[1] & 0x30 == 0x10
            })
        let holed = try Recording.model(long[..<fragment] + long[(fragment + 1)...])
        #expect(holed.obstacles.contains { $0.kind == .fragmentsLost })
        let headless = try Recording.model(records.dropFirst(150))
        #expect(headless.assumptions.contains { $0.kind == .startsInMidConnection })
    }

    @Test(arguments: ["uqdk-unlock.btsnoop", "two-devices.btsnoop", "bonding.btsnoop"])
    func `no octets of a record make a model or its replay fail`(name: String) throws {
        let records = try Recording.records(name)
        for seed in UInt64(0)..<60 {
            var random = SeededRandom(seed: seed)
            var changed = records
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed.remove(at: place)
                case 1: changed.swapAt(place, Int.random(in: 0..<changed.count, using: &random))
                case 2: changed[place].header.time = CaptureTime(nanoseconds: .max)
                default: changed[place].octets = random.mutated(changed[place].octets)
                }
            }
            guard let model = try? Recording.model(changed) else { continue }
            let report = try ScriptedHost(model, discovers: seed % 2 == 0).run()
            #expect(report.verdict != .unfinished, "seed \(seed)")
            #expect(!report.text.isEmpty)
        }
    }

    @Test func `what is more than a model holds is left out, and said`() throws {
        let records = try Recording.records("uqdk-unlock.btsnoop")
        var limits = SessionLimits()
        limits.pdus = 50
        var builder = SessionModelBuilder(limits: limits)
        for kept in records { builder.add(Record(kept.header, kept.octets.borrowedOctets)) }
        let model = try builder.model()
        #expect(model.connections[0].pdus.count == 50)
        #expect(model.obstacles.contains { $0.kind == .limit })
    }
}

extension HostStep {
    /// Whether it writes a value.
    fileprivate var isWrite: Bool {
        if case .write = action { return isRequired }
        return false
    }
}
