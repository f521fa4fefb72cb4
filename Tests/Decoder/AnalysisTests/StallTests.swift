import BluetoothCore
import PayloadFormat
import Testing

@testable import Analysis

/// What stands still without an error, and control points that refuse.
@Suite struct StallTests {
    private static let peer = "5B:75:A2:26:D6:18"

    private func failures(_ trace: Trace) -> [Incident] {
        (trace.run().totals?.incidents ?? []).filter { $0.severity >= .error }
    }

    // MARK: Credits

    /// A channel on which the host spends the two credits that it has.
    private func spent() -> Trace {
        var trace = Trace()
        trace.connect(0x40, Self.peer, .random)
        trace.signal(0x40, .tx, .leCreditBasedConnectionRequest, [0x80, 0x41, 512, 64, 10])
        trace.signal(0x40, .rx, .leCreditBasedConnectionResponse, [0x51, 512, 64, 2, 0])
        trace.l2cap(0x40, .tx, 0x51, [100, 0] + [UInt8](repeating: 0, count: 62))
        trace.l2cap(0x40, .tx, 0x51, [UInt8](repeating: 0, count: 38))
        return trace
    }

    @Test func `credits that are never given back are the receiver's failure`() {
        var trace = spent()
        let last = trace.last
        trace.wait(seconds: 40)
        trace.disconnect(0x40, reason: 0x16)
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.creditsSpent] && wrong.first?.problem.side == .peer)
        #expect(wrong.first?.problem.related.map(\.frame) == [last])
    }

    @Test(arguments: ["given", "soon", "lost link", "not all", "closed"])
    func `credits may be spent for a while`(_ kind: String) {
        var trace = spent()
        switch kind {
        case "given": trace.signal(0x40, .rx, .flowControlCredit, [0x51, 1])
        case "not all": trace.signal(0x40, .rx, .flowControlCredit, [0x51, 2])
        case "closed":
            trace.signal(0x40, .tx, .disconnectionRequest, [0x51, 0x41])
            trace.signal(0x40, .rx, .disconnectionResponse, [0x51, 0x41])
        default: break
        }
        if kind == "not all" { trace.l2cap(0x40, .tx, 0x51, [1, 0, 0]) }
        trace.wait(seconds: kind == "soon" ? 5 : 40)
        trace.disconnect(0x40, reason: kind == "lost link" ? 0x08 : 0x16)
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == (kind == "lost link" ? [.abnormalDisconnection] : []))
    }

    // MARK: Buffers

    /// A controller with three buffers, and a host that sends so many packets.
    private func sent(_ count: Int) -> Trace {
        var trace = Trace()
        trace.event(octets("0E 07 01 0220 00 FB00 03"))
        trace.connect(0x40, Self.peer, .random)
        for _ in 0..<count { trace.att(0x40, .tx, ATTWriteCommand(handle: 3, value: [0])) }
        return trace
    }

    @Test func `a controller that keeps all of its buffers failed`() {
        var trace = sent(3)
        trace.wait(seconds: 25)
        let end = trace.disconnect(0x40, reason: 0x16)
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.buffersHeld] && wrong.first?.problem.side == .controller)
        #expect(wrong.first?.place.frame == end)
    }

    @Test(arguments: [(2, 0, 25), (4, 0, 25), (3, 1, 25), (3, 0, 5), (4, 2, 25)])
    func `a controller may keep some of its buffers, or all for a while`(
        _ count: Int, _ returned: UInt8, _ seconds: Double
    ) {
        var trace = sent(count)
        if returned > 0 { trace.event(octets("13 05 01 4000") + [returned, 0]) }
        trace.wait(seconds: seconds)
        trace.disconnect(0x40, reason: 0x16)
        #expect(failures(trace).isEmpty)
    }

    @Test func `buffers come back to several connections at once`() {
        var trace = sent(2)
        trace.connect(0x41, "00:11:22:33:44:55")
        trace.att(0x41, .tx, ATTWriteCommand(handle: 3, value: [0]))
        trace.event(octets("13 09 02 4000 0100 4100 0100"))
        trace.wait(seconds: 25)
        trace.disconnect(0x40, reason: 0x16)
        #expect(failures(trace).isEmpty)
    }

    // MARK: Discovery

    /// Discovery of a range of characteristics, asked so often.
    private func discovered(_ count: Int, lasts: Bool = false) -> Trace {
        var trace = Trace()
        trace.connect(0x40, Self.peer, .random)
        for _ in 0..<count {
            trace.l2cap(0x40, .tx, 4, octets("08 0100 0500 0328"))
            trace.l2cap(0x40, .rx, 4, octets("09 07 0200 02 0300 002A"))
            if lasts { trace.l2cap(0x40, .tx, 4, octets("08 0400 0500 0328")) }
            if lasts { trace.l2cap(0x40, .rx, 4, octets("01 08 0400 0A")) }
        }
        return trace
    }

    @Test func `a client that discovers in circles made a mistake`() {
        let wrong = failures(discovered(9))
        #expect(wrong.map(\.problem.code) == [.askedAgain] && wrong.first?.problem.side == .host)
        #expect(wrong.first?.problem.related.map(\.frame) == [2])
        #expect(failures(discovered(4)).isEmpty)
        #expect(failures(discovered(9, lasts: true)).isEmpty)
    }

    @Test func `a value may be read by its type again and again`() {
        var trace = Trace()
        trace.connect(0x40, Self.peer, .random)
        for _ in 0..<9 {
            trace.l2cap(0x40, .tx, 4, octets("08 0100 FFFF 192A"))
            trace.l2cap(0x40, .rx, 4, octets("09 03 0300 5A"))
        }
        #expect(failures(trace).isEmpty)
    }

    // MARK: Control points

    /// A control point with this UUID at 0x0003, to which the host wrote; it says these values.
    private func controlled(_ uuid: String, _ values: [String]) -> Trace {
        var trace = Trace()
        trace.connect(0x40, Self.peer, .random)
        trace.l2cap(0x40, .tx, 4, octets("08 0100 0500 0328"))
        trace.l2cap(0x40, .rx, 4, octets("09 07 0200 18 0300 \(uuid)"))
        trace.l2cap(0x40, .tx, 4, octets("12 0400 0100"))
        trace.l2cap(0x40, .rx, 4, octets("13"))
        for value in values {
            trace.l2cap(0x40, .tx, 4, octets("12 0300 00"))
            trace.l2cap(0x40, .rx, 4, octets("13"))
            trace.l2cap(0x40, .rx, 4, octets("1B 0300 \(value)"))
        }
        return trace
    }

    @Test(
        arguments: [
            ("D92A", "80 00 05", "Control Not Permitted (0x05)"), ("D92A", "80 00 01", nil),
            ("552A", "10 01 04", "Operation Failed (0x04)"), ("522A", "06 00 01 06", nil),
            ("522A", "06 00 01 08", "Procedure Not Completed (0x08)"), ("522A", "05 00 0300", nil),
            ("C62B", "03 02 03 00 00 01 0E 0B", "Unspecified Error (0x0e)"),
            ("C62B", "03 01 01 00 00", nil), ("A42B", "01 02", "(0x02)"), ("A42B", "01 01", nil),
            ("D92A", "80", nil), ("192A", "80 00 05", nil),
        ] as [(String, String, String?)])
    func `a control point that refuses is named with its result`(
        _ uuid: String, _ value: String, _ result: String?
    ) {
        let wrong = failures(controlled(uuid, [value]))
        guard let result else {
            #expect(wrong.isEmpty)
            return
        }
        #expect(wrong.map(\.problem.code) == [.controlRefused] && wrong.first?.problem.side == .peer)
        #expect(wrong.first?.problem.sentence.hasSuffix(result) == true, "\(wrong)")
    }

    @Test func `a control point that obeys on a second try refused nothing`() {
        #expect(failures(controlled("D92A", ["80 00 05", "80 00 01"])).isEmpty)
        #expect(failures(controlled("D92A", ["80 00 05", "80 07 01"])).count == 1)
    }

    @Test func `a control point that refuses what it has just accepted was asked for what is so`() {
        func refused(_ again: String, _ between: String? = nil, after seconds: Double = 0.1) -> Outcome {
            var trace = controlled("C62B", [])
            trace.l2cap(0x40, .tx, 4, octets("52 0300 08 02 01 02"))
            trace.l2cap(0x40, .rx, 4, octets("1B 0300 08 02 01 00 00 02 00 00"))
            if let between {
                trace.l2cap(0x40, .tx, 4, octets("52 0300 \(between)"))
                trace.l2cap(0x40, .rx, 4, octets("1B 0300 \(between) 00 00"))
            }
            trace.wait(seconds: seconds)
            trace.l2cap(0x40, .tx, 4, octets("52 0300 \(again)"))
            // The answer is that of the last write with its opcode.
            trace.l2cap(0x40, .tx, 4, octets("52 0300 01 01 01"))
            trace.l2cap(0x40, .rx, 4, octets("1B 0300 08 02 01 04 00 02 04 00"))
            return trace.run()
        }
        let outcome = refused("08 02 01 02")
        let last = outcome.seen.count
        #expect(outcome[last].frame.att?.afterWrite?.frame == last - 2)
        let problem = outcome[last].problems.first
        #expect(problem?.code == .controlRefused && problem?.severity == .warning)
        #expect(problem?.side == .host)
        let end = ", after it accepted the same at frame \(last - 4)"
        #expect(problem?.sentence.hasSuffix(end) == true, "\(problem?.sentence ?? "")")
        for other in [
            refused("08 01 01"), refused("08 02 01 02", "03 01 01"), refused("08 02 01 02", after: 9),
        ] {
            let problem = other[other.seen.count].problems.first
            #expect(problem?.severity == .error && problem?.side == .peer)
        }
    }

    // MARK: Answers of control points

    /// A treadmill's control point is written, and the host leaves after this time.
    private func controlled(
        _ uuid: UInt16 = 0x2AD9, subscribes: Bool = false, answers: Bool = false, after seconds: Double = 20
    ) -> [Incident] {
        var trace = Trace()
        trace.connect(0x40, Self.peer, .random)
        let service = TestServer.Service(
            start: 1, end: 9, uuid: BluetoothUUID(0x1826 as UInt16),
            characteristics: [
                .init(
                    declaration: 2, properties: 0x28, uuid: BluetoothUUID(uuid), descriptors: [0x2902])
            ])
        trace.discover(0x40, TestServer(services: [service]))
        if subscribes { trace.write(0x40, 4, [2, 0]) }
        trace.write(0x40, 3, [0])
        if answers { trace.att(0x40, .rx, ATTHandleValueIndication(handle: 3, value: [0x80, 0, 1])) }
        if answers { trace.att(0x40, .tx, ATTHandleValueConfirmation()) }
        trace.wait(seconds: seconds)
        trace.disconnect(0x40, reason: 0x16)
        return (trace.run().totals?.incidents ?? []).filter { $0.problem.code == .notEnabled }
    }

    @Test func `answers of a control point that were never enabled are the host's mistake`() {
        let found = controlled()
        #expect(found.map(\.severity) == [.warning] && found.first?.problem.side == .host)
    }

    @Test func `a host need not wait for a value, nor for an answer that came`() {
        #expect(controlled(0xFFF1).isEmpty && controlled(subscribes: true).isEmpty)
        #expect(controlled(answers: true).isEmpty && controlled(after: 2).isEmpty)
    }
}
