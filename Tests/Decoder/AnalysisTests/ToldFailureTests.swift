import BluetoothCore
import CaptureFile
import Testing

@testable import Analysis

/// Failures that events and L2CAP responses tell, requests of L2CAP without an answer, and ATT_MTU.
@Suite struct ToldFailureTests {
    let peer = "00:11:22:33:44:55"

    static let events: [(String, String, Problem.Severity)] = [
        ("3E 0A 03 22 4000 1800 0000 2A00", "LE Connection Update", .warning),
        ("3E 06 0C 3A 4000 01 01", "LE PHY Update", .note),
        ("3E 0C 04 1A 4000 0000000000000000", "LE Read Remote Features Page 0", .note),
        ("06 03 05 4000", "Authentication", .error),
        ("36 07 05 554433221100", "Simple Pairing", .error),
        ("05 04 0C 4000 16", "Disconnection", .warning),
    ]

    @Test(arguments: events)
    func `an event that tells a failure is a problem`(
        _ event: String, _ name: String, _ severity: Problem.Severity
    ) {
        var trace = Trace()
        trace.connect(0x40, peer)
        let told = trace.event(octets(event))
        let problem = trace.run()[told].problems.first
        #expect(problem?.code == .procedureFailed)
        #expect(problem?.sentence.hasPrefix("\(name) failed: ") == true)
        #expect(problem?.severity == severity)
    }

    @Test(arguments: ["040E 06", "042D 06", "042F 06", "0434 07"])
    func `a pairing that the host declined is reported as declined`(_ command: String) {
        var trace = Trace()
        trace.connect(0x40, peer)
        let opcode = octets(String(command.prefix(4)))
        let body = octets(String(command.suffix(2)) + "554433221100" + (command.hasSuffix("07") ? "05" : ""))
        let declined = trace.add(.command, .hostToController, [opcode[1], opcode[0]] + body)
        let told = trace.event(octets("36 07 05 554433221100"))
        let problem = trace.run()[told].problems.first
        #expect(problem?.code == .procedureFailed && problem?.side == .host)
        #expect(problem?.hint.map { "\($0)".hasPrefix("usually somebody declined") } == true)
        #expect(
            problem?.sentence.hasPrefix(
                "Simple Pairing failed, because the host declined it at frame \(declined): ") == true)
        trace.add(.command, .hostToController, octets("1104 02 4000"))
        let again = trace.event(octets("36 07 05 554433221100"))
        #expect(trace.run()[again].problems.first?.sentence.hasPrefix("Simple Pairing failed: ") == true)
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
        let text = "refused: SPSM not supported (0x0002)"
        #expect(
            problems.map(\.sentence)
                == ["L2CAP channel to SPSM 0x0080 \(text)", "L2CAP channel to EATT (SPSM 0x0027) \(text)"])
        // Enhanced ATT bearers are asked for on the off chance.
        #expect(problems.map(\.severity) == [.error, .note])
        #expect(problems.map(\.side) == [.peer, .peer])
    }

    @Test func `a signalling request without an answer is told where its link ends`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let asked = trace.signal(0x40, .rx, .connectionParameterUpdateRequest, [24, 40, 0, 42])
        var open = trace
        trace.wait(seconds: 40)
        let ended = trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome.frames(with: .signalUnanswered) == [ended])
        let name = "Connection Parameter Update Request"
        #expect(
            outcome[ended].problems.first?.sentence == "\(name) of frame \(asked) got no answer in 40.0 s")
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
