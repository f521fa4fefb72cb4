import Runtime
import Testing

@testable import Replay

/// One fault at one PDU, with a live car behind it.
@Suite struct SweepTests {
    @Test(arguments: SweepFault.allCases)
    func `a fault ends no session for good, and the application is told the truth`(fault: SweepFault) throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let connection = try #require(model.connections.first { $0.isPlayable })
        let bench = SweepBench(model, connection, try LogReplayTests.options())
        let baseline = bench.run(frames: [], nil)
        // Every seventh place here; all of them are run by `blecap replay --sweep`.
        var runs = 0
        for place in stride(from: 0, to: 200, by: fault.tampering == nil ? 7 : 3) {
            let run = bench.run(frames: [], (fault, place))
            guard run.wasApplied else { break }
            runs += 1
            let wrong = run.wrong(against: baseline).map(\.text)
            #expect(wrong.isEmpty, "PDU \(place)")
        }
        #expect(runs >= (fault.tampering == nil ? 14 : 1))
    }

    @Test func `a manager that takes an answer with a wrong tag is found by message`() throws {
        var options = try LogReplayTests.options()
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let connection = try #require(model.connections.first { $0.isPlayable })
        let name = "an answer with a wrong tag is taken"
        let manager = try #require(ManagerFault.all.first { $0.name == name })
        options.seam = manager.seam(FaultTrigger(at: 0))
        let bench = SweepBench(model, connection, options)
        let baseline = bench.run(frames: [], nil)
        let isFound = (0..<20).contains { place in
            options.seam = manager.seam(FaultTrigger(at: 0))
            let run = SweepBench(model, connection, options).run(frames: [], (.forgedTag, place))
            return run.wasApplied && !run.wrong(against: baseline).isEmpty
        }
        #expect(isFound)
    }

    @Test func `the runs can be limited, and shared by machines`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let options = try LogReplayTests.options()
        var part = Sweep.Part()
        part.mostPlaces = 4
        var counts: [Int] = []
        let all = Sweep(model, options: options, part: part) { count, _ in counts.append(count) }
        #expect(counts == Array(1...all.runs.count) && !all.isCut)
        var shared: Set<SweepCase> = []
        for number in 0..<3 {
            part.shard = (number, 3)
            shared.formUnion(Sweep(model, options: options, part: part).runs.map(\.fault))
        }
        #expect(shared == Set(all.runs.map(\.fault)))
        part.shard = (0, 1)
        part.limit = 5
        let cut = Sweep(model, options: options, part: part)
        #expect(cut.runs.count == 5 && cut.isCut)
        #expect(cut.text { "\($0)" }.contains("5 runs, 0 with something wrong; more are left"))
    }

    @Test func `an application that is told what is not true is found`() throws {
        var options = try LogReplayTests.options()
        let name = "every command is told to have gone well"
        let lie = try #require(ManagerFault.all.first { $0.name == name })
        options.seam = lie.seam(FaultTrigger(at: 0))
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let sweep = Sweep(model, options: options, part: .init(only: SweepCase(.noCredits, at: 70)))
        #expect(sweep.failures.count == 1)
        let text = sweep.text { "again \($0)" }
        #expect(text.contains("is told to have gone well") && text.contains("again no-credits:70"), "\(text)")
        // The same failure with the fewest packets, which fails by itself, and can't be shrunk any more.
        let failure = try #require(sweep.failures.first)
        let shrunk = try #require(failure.shrunk)
        #expect(failure.packets.needed * 4 < failure.packets.all, "\(text)")
        #expect(SweepCase("\(shrunk)") == shrunk)
        let again = Sweep(model, options: options, part: .init(only: shrunk))
        #expect(again.failures.first?.wrong.first?.cause == failure.wrong.first?.cause)
        options.seam = .init()
        #expect(Sweep(model, options: options, part: .init(only: shrunk)).failures.isEmpty)
    }

    @Test func `a live peer sends what the recorded one sent after the same write, once it is wanted`() {
        let model = Synthetic.model([
            .host("1213000100"), .peer("13"), .host("12150042"), .peer("13"), .peer("1b1200aabb"),
            .peer("1b1200cc"), .host("12150043"), .peer("13"), .peer("1b1200dd"),
        ])
        let connection = model.connections[0]
        var peer = LivePeer(connection)
        func sent(_ octets: [UInt8]) -> [[UInt8]] {
            peer.follow(octets, connection.database, at: .zero)
            return peer.takeValues(upTo: 20).map { [UInt8($0.handle)] + $0.value }
        }
        #expect(sent([0x12, 0x15, 0, 0x42]).isEmpty)
        peer = peer.connectedAgain(LivePeer(connection))
        #expect(sent([0x12, 0x13, 0, 1, 0]).isEmpty)
        #expect(sent([0x12, 0x15, 0, 0x43]) == [[0x12, 0xDD]])
        #expect(sent([0x12, 0x15, 0, 0x42]) == [[0x12, 0xAA, 0xBB], [0x12, 0xCC]])
        #expect(sent([0x12, 0x15, 0, 0x42]).isEmpty)
    }

    @Test func `each connection of a log is swept`() throws {
        let options = try LogReplayTests.options()
        var part = Sweep.Part()
        part.mostPlaces = 9
        let sweep = Sweep(try Recording.model("handle-reuse.btsnoop"), options: options, part: part)
        let all = try Recording.model("handle-reuse.btsnoop").connections.filter(\.isPlayable)
        #expect(Set(sweep.runs.map { $0.fault.connection ?? 1 }).count == all.count)
        #expect(all.count > 1 && sweep.failures.isEmpty, "\(sweep.text { "\($0)" })")
    }

    @Test(arguments: [
        "", "lost", "lost:", "lost:-1", "gone:1", "lost:1:0", "lost:1:2:", "lost:1:2:9-3", "lost:1:2:3:4",
    ])
    func `a name of no run is refused`(text: String) {
        #expect(SweepCase(text) == nil)
    }

    @Test func `a session without the digital-key protocol is swept with its database`() throws {
        let sweep = Sweep(try Recording.model("mobike.btsnoop"), options: LogReplay.Options())
        #expect(sweep.runs.count >= 300)
        #expect(sweep.failures.isEmpty, "\(sweep.text { "\($0)" })")
    }
}
