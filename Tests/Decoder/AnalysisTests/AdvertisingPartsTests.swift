import Analysis
import CaptureFile
import Testing
import WireBytes

/// Advertising data that a controller hands over in several reports.
@Suite struct AdvertisingPartsTests {
    private static let last = "63646566 676869"
    private static let first = "02 01 06  0A 09 6162"
    private static let name = Array("abcdefghi".utf8)

    /// The whole data that the frames complete, by frame.
    private static func wholes(_ trace: Trace) -> [Int: [UInt8]] {
        var wholes: [Int: [UInt8]] = [:]
        var analyzer = Analyzer()
        for made in trace.made {
            analyzer.analyze(Record(made.header, made.octets.borrowedOctets), file: made.file)
            guard analyzer.frame.isPartOfAdvertising else { continue }
            for part in analyzer.advertisingParts {
                if let whole = part.whole { wholes[made.header.number] = whole }
            }
        }
        return wholes
    }

    private static func names(_ trace: Trace) -> [[UInt8]] {
        var analyzer = Analyzer()
        for made in trace.made {
            analyzer.analyze(Record(made.header, made.octets.borrowedOctets), file: made.file)
        }
        return analyzer.advertisers.all.map(\.name)
    }

    @Test func `The parts are put together, and a name in two of them is the advertiser's`() {
        var trace = Trace()
        trace.event(PacketFaultTests.extended(Self.first, status: 1))
        let end = trace.event(PacketFaultTests.extended(Self.last, status: 0))
        #expect(Self.wholes(trace) == [end: octets(Self.first) + octets(Self.last)])
        #expect(Self.names(trace) == [Self.name])
    }

    @Test func `a name in a scan response is found, however many reports came before`() {
        var trace = Trace()
        for _ in 0..<100 { trace.event(octets("3E 0F 02 01 00 00 665544332211 03 02 01 06 C8")) }
        trace.event(octets("3E 10 02 01 04 00 665544332211 04 03 08 6162 C8"))
        #expect(Self.names(trace) == [Array("ab".utf8)])
    }

    @Test func `A structure is not found in the middle of another`() {
        var trace = Trace()
        trace.event(PacketFaultTests.extended("0C FF FFFF 0102", status: 1))
        trace.event(PacketFaultTests.extended("05 09 46414B45 00 00 00", status: 0))
        #expect(Self.names(trace) == [[]])
        var broken = Trace()
        broken.event(PacketFaultTests.extended("0C FF FFFF 0102", status: 1))
        broken.event(PacketFaultTests.extended("05 09 46414B45", status: 0))
        // Octets are missing: nothing is taken from them, and nothing is complained of.
        #expect(Self.wholes(broken).isEmpty && Self.names(broken) == [[]])
        #expect(broken.run()[2].codes.isEmpty)
    }

    @Test func `Two sets of one advertiser are kept apart`() {
        var trace = Trace()
        trace.event(PacketFaultTests.extended(Self.first, status: 1, set: 1))
        trace.event(PacketFaultTests.extended("03 FF", status: 1, set: 2))
        let one = trace.event(PacketFaultTests.extended(Self.last, status: 0, set: 1))
        let two = trace.event(PacketFaultTests.extended("4C00", status: 0, set: 2))
        #expect(
            Self.wholes(trace) == [one: octets(Self.first) + octets(Self.last), two: octets("03FF4C00")])
    }

    @Test func `A beginning that comes again, or long before, is forgotten`() {
        for pause in [0.0, 4.0] {
            var trace = Trace()
            trace.event(PacketFaultTests.extended(pause > 0 ? "1F FF" : Self.first, status: 1))
            trace.wait(seconds: pause)
            trace.event(PacketFaultTests.extended(Self.first, status: 1))
            let end = trace.event(PacketFaultTests.extended(Self.last, status: 0))
            #expect(Self.wholes(trace) == [end: octets(Self.first) + octets(Self.last)])
        }
    }

    @Test func `Nothing is put together over a gap in the records or a cut in one of them`() {
        var dropped = Trace()
        dropped.event(PacketFaultTests.extended(Self.first, status: 1))
        dropped.drops = 1
        dropped.event(PacketFaultTests.extended(Self.last, status: 0))
        #expect(Self.wholes(dropped).isEmpty)
        var cut = Trace()
        let begin = PacketFaultTests.extended(Self.first, status: 1)
        cut.add(.event, .controllerToHost, Array(begin.dropLast()), original: begin.count)
        cut.event(PacketFaultTests.extended(Self.last, status: 0))
        #expect(Self.wholes(cut).isEmpty && Self.names(cut) == [[]])
    }

    @Test func `What waits for more is bounded`() {
        var trace = Trace()
        for set in 0..<16 { trace.event(PacketFaultTests.extended(Self.first, status: 1, set: UInt8(set))) }
        let forgotten = trace.event(PacketFaultTests.extended(Self.last, status: 0, set: 0))
        let kept = trace.event(PacketFaultTests.extended(Self.last, status: 0, set: 15))
        #expect(Self.wholes(trace).keys.sorted() == [kept] && forgotten < kept)
        var long = Trace()
        long.event(PacketFaultTests.extended(Self.first, status: 1))
        let filler = "C7 FF " + String(repeating: "11", count: 198)
        for index in 0..<9 { long.event(PacketFaultTests.extended(filler, status: index < 8 ? 1 : 0)) }
        #expect(Self.wholes(long).isEmpty)
    }
}
