import CommandLineKit
import Testing

@testable import blecap

@Suite struct FrameFilterTests {
    static func filter(_ words: String..., profiles: [String] = ["Mi band"]) throws -> FrameFilter {
        guard case .run(let arguments) = try CommandTable.blecap.parse(["annotate", "x"] + words) else {
            throw Failure(.usage, "no run")
        }
        return try FrameFilter(arguments, profileNames: profiles)
    }

    @Test func `Without options every frame passes`() throws { #expect(try Self.filter().isEmpty) }

    @Test func `All options are read, those that repeat add up`() throws {
        let filter = try Self.filter(
            "--peer", "AA:BB:CC:DD:EE:FF", "--peer=aabbccddee00", "--connection", "2", "--adapter", "0",
            "--adapter", "hci2",
            "--frames", "5-9", "--frames=7", "--frames=-3", "--frames=100-", "--since=+1", "--until=09:00",
            "--only", "att,mi band", "--only=uqdk")
        #expect(filter.peers.addresses == [0xAABB_CCDD_EEFF, 0xAABB_CCDD_EE00])
        #expect(filter.connections == [2])
        #expect(filter.adapters == [0, 2])
        #expect(filter.frames.map(\.numbers) == [5...9, 7...7, 1...3, 100...Int.max])
        #expect(filter.since == .afterStart(1_000_000_000))
        #expect(filter.until == .timeOfDay(32_400_000_000_000))
        #expect(filter.layers == [.att, .annotated("mi band"), .annotated("uqdk")])
    }

    static let refused: [([String], String)] = [
        (["--peer", "AA:BB"], "write it as AA:BB:CC:DD:EE:FF"), (["--connection", "0"], "1 or more"),
        (["--until", "+1", "--since", "+5"], "before --since"),
        (["--adapter", "-1"], "0 or more"), (["--adapter", "hci"], "0 or more"),
        (["--connection", "hci1"], "1 or more"),
        (["--frames", "9-5"], "ends before it begins; write it as 5-9"),
        (["--frames", "-"], "not a range"),
        (["--frames", "0"], "not a range"), (["--frames", "1-2-3"], "not a range"),
        (["--since", "noon"], "not a time"),
        (["--only", ""], "empty layer name"), (["--only="], "empty layer name"),
        (["--only", "att,"], "empty layer name"), (["--only", "att,,smp"], "empty layer name"),
        (["--only", "atl"], "did you mean 'att'?"),
        (["--only", "zzzzz"], "layers: hci, l2cap, att, smp, uqdk; profiles: 'blecap profile list'"),
    ]

    @Test(arguments: refused)
    func `What can't be meant is refused with the way to write it`(words: [String], text: String) throws {
        guard case .run(let arguments) = try CommandTable.blecap.parse(["annotate", "x"] + words) else {
            Issue.record("no run")
            return
        }
        do {
            _ = try FrameFilter(arguments, profileNames: [])
            Issue.record("accepted")
        } catch {
            #expect(error.status == .usage)
            #expect(error.line.contains(text), "\(error.line)")
        }
    }
}
