import BluetoothCore
import CaptureFile
import Testing

@testable import Analysis

/// Failures that events and L2CAP responses tell, requests of L2CAP without an answer, and ATT_MTU.
@Suite struct ToldFailureTests {
    let peer = "00:11:22:33:44:55"

    static let events: [(String, Int64, Problem.Severity)] = [
        ("3E 0A 03 22 4000 1800 0000 2A00", 0x3E03, .warning),
        ("3E 06 0C 3A 4000 01 01", 0x3E0C, .note),
        ("3E 0C 04 1A 4000 0000000000000000", 0x3E04, .note),
        ("06 03 05 4000", 0x0600, .error),
        ("36 07 05 554433221100", 0x3600, .error),
        ("05 04 0C 4000 16", 0x0500, .warning),
    ]

    @Test(arguments: events)
    func `an event that tells a failure is a problem`(
        _ event: String, _ number: Int64, _ severity: Problem.Severity
    ) {
        var trace = Trace()
        trace.connect(0x40, peer)
        let told = trace.event(octets(event))
        let problem = trace.run()[told].problems.first
        #expect(problem?.code == .procedureFailed)
        #expect(problem?.second == number && problem?.severity == severity)
    }

    @Test func `a refused channel is told with its service`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        for (identifier, psm) in [(UInt8(1), UInt16(0x80)), (2, 0x27)] {
            trace.signal(
                0x40, .tx, .leCreditBasedConnectionRequest, [psm, 0x50, 100, 64, 1], identifier: identifier)
            trace.signal(
                0x40, .rx, .leCreditBasedConnectionResponse, [0, 0, 0, 0, 2], identifier: identifier)
        }
        let problems = trace.run().seen.flatMap(\.problems)
        #expect(problems.map(\.code) == [.channelRefused, .channelRefused])
        #expect(problems.map(\.second) == [0x15_0080, 0x15_0027])
        // Enhanced ATT bearers are asked for on the off chance.
        #expect(problems.map(\.severity) == [.warning, .note])
    }

    @Test func `a signalling request without an answer is told where its link ends`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let asked = trace.signal(0x40, .rx, .connectionParameterUpdateRequest, [0, 0, 0, 0])
        var open = trace
        trace.wait(seconds: 40)
        let ended = trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome.frames(with: .signalUnanswered) == [ended])
        #expect(outcome[ended].problems.first?.first == Int64(asked))
        open.signal(0x40, .tx, .connectionParameterUpdateResponse, [0])
        open.wait(seconds: 40)
        open.disconnect(0x40)
        #expect(open.run().codes.isEmpty)
    }

    @Test func `a PDU longer than the MTU is told once that is known`() {
        let long = ATTHandleValueNotification(handle: 3, value: [UInt8](0..<40))
        func codes(_ trace: Trace) -> [Problem.Code] { trace.run().codes.filter { $0 != .notSubscribed } }
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .rx, long)
        #expect(codes(trace) == [.mtuExceeded])
        var agreed = Trace()
        agreed.connect(0x40, peer)
        agreed.att(0x40, .tx, ATTExchangeMTURequest(clientMTU: 247))
        agreed.att(0x40, .rx, ATTExchangeMTUResponse(serverMTU: 43))
        agreed.att(0x40, .rx, long)
        #expect(codes(agreed).isEmpty)
        agreed.att(0x40, .tx, ATTExchangeMTURequest(clientMTU: 16))
        #expect(codes(agreed) == [.mtuTooSmall, .mtuRepeated])
        var begun = Trace()
        begun.att(0x40, .rx, long)
        #expect(!codes(begun).contains(.mtuExceeded))
    }

    @Test func `an anonymous advertisement is no device's`() {
        var trace = Trace()
        trace.event(
            octets("3E 1A 0D 01 0000 FF 000000000000 01 00 01 7F C8 0000 00 000000000000 00"))
        var analyzer = Analyzer()
        let outcome = trace.run(&analyzer)
        #expect(outcome.seen[0].frame.reports == 1 && outcome.seen[0].frame.peer == nil)
        #expect(analyzer.advertisers.all.isEmpty)
    }
}
