import Analysis
import CaptureFile
import Testing

/// Packets whose octets can't be what their type says.
@Suite struct PacketFaultTests {
    /// A legacy advertising report with these data.
    static func report(_ data: String, _ event: String = "00 00 665544332211") -> [UInt8] {
        let data = octets(data)
        let body = octets("02 01 \(event)") + [UInt8(data.count)] + data + [0xC8]
        return [0x3E, UInt8(body.count)] + body
    }

    /// An extended advertising report of a set, with a data status (1 more to come, 2 cut).
    static func extended(_ data: String, status: UInt8, set: UInt8 = 3) -> [UInt8] {
        let data = octets(data)
        let body =
            octets("0D 01") + [status << 5, 0, 0] + octets("665544332211 01 00") + [set]
            + octets("7F C8 0000 00 000000000000") + [UInt8(data.count)] + data
        return [0x3E, UInt8(body.count)] + body
    }

    @Test func `A length in advertising data that can't be is malformed`() {
        var trace = Trace()
        let fine = trace.event(Self.report("02 01 06  00 00"))
        let long = trace.event(Self.report("1F 09 616263"))
        let odd = trace.event(Self.report("02 01 06  04 03 0F18 01"))
        let cut = trace.add(
            .event, .controllerToHost, Array(Self.report("1F 09 616263").dropLast(2)), original: 19)
        let outcome = trace.run()
        #expect(outcome[fine].codes.isEmpty)
        #expect(outcome[long].codes == [.malformedAdvertising])
        #expect(outcome[odd].codes == [.malformedAdvertising])
        #expect(outcome[odd].problems.first?.sentence == "malformed structure at +3 of advertising data")
        #expect(outcome[cut].codes == [.recordCut])
    }

    @Test func `Data that come in several reports are whole structures in none of them`() {
        var trace = Trace()
        let first = trace.event(Self.extended("02 01 06  0A 09 6162", status: 1))
        let last = trace.event(Self.extended("63646566 676869", status: 0))
        let next = trace.event(Self.extended("0A 09 6162", status: 0))
        let cut = trace.event(Self.extended("0A 09 6162", status: 2))
        let outcome = trace.run()
        #expect(outcome[first].codes.isEmpty && outcome[first].frame.isPartOfAdvertising)
        #expect(outcome[last].codes.isEmpty && outcome[last].frame.isPartOfAdvertising)
        #expect(outcome[next].codes == [.malformedAdvertising])
        #expect(outcome[cut].codes.isEmpty)
    }

    /// Packets, and the problem that each is told once.
    static let faults: [(RecordKind, String, String)] = [
        // Disconnect without its reason.
        (.command, "0604 02 4000", "HCI packet at +2"),
        (.command, "06", "HCI packet: 1 byte, less than a header"),
        (.event, "", "HCI packet: 0 bytes, less than a header"),
        (.event, "0E", "HCI packet: 1 byte, less than a header"),
        (.event, "0E 01 01", "HCI packet at +1"),
        // Read BD_ADDR returns too little of the address.
        (.event, "0E 06 01 0910 00 1122", "HCI packet at +1"),
        // Two handles announced, one there.
        (.event, "13 05 02 4000 0100", "HCI packet at +0"),
        (.event, "3E 05 07 4000 1B00", "HCI packet at +4"),
        // What is announced is told, and not once more by the fields that are missing.
        (.event, "05 04 00 4000", "HCI packet: 4 bytes announced, 3 there"),
        (.acl, "40", "HCI packet: 1 byte, less than a header"),
        (.monitor, "6162", "monitor record at +2"),
    ]

    @Test(arguments: faults)
    func `What a packet lacks is told once`(
        kind: RecordKind, hex: String, fault: String
    ) {
        var trace = Trace()
        trace.add(kind, kind == .command ? .hostToController : .controllerToHost, octets(hex))
        let problems = trace.run().seen[0].problems
        #expect(problems.map(\.sentence) == ["malformed \(fault)"])
    }

    @Test func `Octets after the last field are no fault`() {
        var trace = Trace()
        trace.add(.event, .controllerToHost, octets("13 05 01 4000 0100"))
        trace.add(.event, .controllerToHost, octets("0E 0B 01 0910 00 665544332211 77"))
        #expect(trace.run().codes.isEmpty)
    }

    @Test func `A clock that leaps centuries is told with its direction`() {
        var trace = Trace()
        trace.now = .min + 1_000_000_000
        trace.event(octets("13 05 01 4000 0100"))
        trace.now = .max - 1_000_000_000
        trace.event(octets("13 05 01 4000 0100"))
        trace.now = .min + 2_000_000_000
        trace.event(octets("13 05 01 4000 0100"))
        let outcome = trace.run()
        #expect(outcome.codes == [.clockJump, .clockBackwards])
        #expect(outcome.seen.flatMap(\.problems).allSatisfy { !$0.sentence.contains("-") })
    }
}
