import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

@testable import Analysis

/// What was asked for and never came about, although no packet says so.
@Suite struct UnfinishedBusinessTests {
    let peer = "00:11:22:33:44:55"
    private static let parameters = "0620 0F 000000000000000000000000000000"
    private static let disconnect = "0604 03 4000 13"

    private func overtaken(seconds: Int, step: Double = 1) -> Trace {
        var trace = Trace()
        trace.add(.command, .hostToController, octets("0310 00"))
        trace.event(octets("0E 0C 01 0310 00 0000000000000000"))
        trace.connect(0x40, peer)
        trace.add(.command, .hostToController, octets(Self.disconnect))
        for _ in 0..<seconds {
            trace.wait(seconds: step)
            trace.l2cap(0x40, .rx, 4, [0x1B, 3, 0, 1])
        }
        return trace
    }

    @Test func `a command that other packets overtake for ten seconds has failed when the log ends`() {
        var analyzer = Analyzer()
        let outcome = overtaken(seconds: 12).run(&analyzer)
        let failed = outcome.totals?.firstError
        #expect(failed?.problem.code == .commandUnanswered)
        #expect(failed?.place.frame == 4)
        #expect(failed?.connection == 1)
        #expect(failed?.problem.side == .controller)
        #expect(analyzer.openRequests.isEmpty)
    }

    @Test(arguments: [(8, 1.0), (3, 20.0)])
    func `before ten seconds, and after a suspend, it only waits`(_ seconds: Int, _ step: Double) {
        var analyzer = Analyzer()
        let outcome = overtaken(seconds: seconds, step: step).run(&analyzer)
        #expect(outcome.totals?.firstError == nil)
        #expect(analyzer.openRequests.map(\.name) == ["Disconnect"])
    }

    @Test func `a late answer is not missing`() {
        var trace = overtaken(seconds: 12)
        trace.event(octets("0F 04 00 01 0604"))
        #expect(trace.run().totals?.firstError == nil)
    }

    /// Whether an incident stands in the log's order and time with this frame.
    private func isAt(_ frame: Int, _ incident: Incident?, _ trace: Trace) -> Bool {
        incident?.order == frame && incident?.lastTime == trace.made[frame - 1].header.time.nanoseconds
    }

    @Test func `a command without an answer at the end of the log has its own place in the order`() {
        let trace = overtaken(seconds: 12)
        #expect(isAt(4, trace.run().totals?.firstError, trace))
        // The reset forgets the commands before it, and waits itself.
        var reset = Trace()
        reset.add(.command, .hostToController, octets("0310 00"))
        reset.event(octets("0E 0C 01 0310 00 0000000000000000"))
        let asked = reset.add(.command, .hostToController, octets("030C 00"))
        for _ in 0..<12 {
            reset.wait(seconds: 1)
            reset.event(octets("3E 0C 02 01 00 00 010000EEFFC0 00 C8"))
        }
        let failed = reset.run().totals?.firstError
        #expect(failed?.problem.code == .commandUnanswered)
        #expect(isAt(asked, failed, reset))
    }

    @Test func `values that never came have the place of their connection's last record`() {
        var trace = Trace()
        var last = 0
        for isAnswered in [true, false] {
            trace.connect(0x40, peer)
            trace.discover(0x40, .simple())
            trace.write(0x40, 4, [1, 0])
            trace.write(0x40, 6, [1])
            if isAnswered { trace.notify(0x40, 3) }
            trace.wait(seconds: 2)
            last = trace.disconnect(0x40)
        }
        for _ in 0..<3 { trace.event(octets("10 01 05")) }
        let missing = trace.run().totals?.incidents.first { $0.problem.code == .noValues }
        #expect(missing?.place.frame == last)
        #expect(isAt(last, missing, trace))
    }

    // MARK: Advertising

    private func advertise(_ steps: [(String, UInt8)]) -> Outcome {
        var trace = Trace()
        for (command, status) in steps {
            let command = octets(command)
            trace.add(.command, .hostToController, command)
            trace.event([0x0E, 4, 1, command[0], command[1], status])
        }
        return trace.run()
    }

    @Test func `advertising that never starts is a failure, named by the first refusal`() {
        let failed = advertise([(Self.parameters, 0x12), ("0A20 01 01", 0x0C)]).totals?.firstError
        #expect(failed?.place.frame == 2)
        #expect(failed?.problem.keptFromAdvertising == true)
        #expect(failed?.isDecisive == true)
    }

    @Test(
        arguments: [
            [(Self.parameters, 0x12), (Self.parameters, 0), ("0A20 01 01", 0)],
            [(Self.parameters, 0x12), ("0A20 01 01", 0)],
            [("0A20 01 01", 0), ("0A20 01 01", 0x0C)],
            [(Self.parameters, 0x01)], [(Self.parameters, 0x0C)], [("0A20 01 00", 0x0C)],
        ] as [[(String, UInt8)]])
    func `a refusal is no failure if advertising starts, started before, or is only switched off`(
        _ steps: [(String, UInt8)]
    ) {
        #expect(advertise(steps).totals?.firstError == nil)
    }

    @Test(arguments: [("0C20 02 0000", Problem.Severity.note), ("0C20 02 0100", .warning)])
    func `refusing to stop what does not run is worth a note`(_ command: String, _ weight: Problem.Severity) {
        let seen = advertise([(command, 0x0C)]).seen.flatMap(\.problems)
        #expect(seen.map(\.code) == [.commandFailed])
        #expect(seen.first?.severity == weight)
    }

    @Test(arguments: [(UInt8(0x3C), Problem.Severity.warning), (0x43, .note), (0x44, .note)])
    func `advertising that ends as the host asked is worth a note, and in vain a warning`(
        _ status: UInt8, _ weight: Problem.Severity
    ) {
        var trace = Trace()
        trace.connect(0, peer)
        let ended = trace.event([0x3E, 6, 0x12, status, 0, 0, 0, 0])
        let seen = trace.run()[ended]
        #expect(seen.problems.map(\.severity) == [weight])
        #expect(seen.link == nil)
    }

    // MARK: Channels

    @Test func `a refused channel is a failure unless one to the same service opens later`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.signal(0x40, .tx, .leCreditBasedConnectionRequest, [0x80, 0x50, 100, 64, 1])
        let refused = trace.signal(0x40, .rx, .leCreditBasedConnectionResponse, [0, 0, 0, 0, 4])
        let failed = trace.run().totals?.firstError
        #expect(failed?.place.frame == refused)
        let text = "L2CAP channel to SPSM 0x0080 refused: insufficient resources available (0x0004)"
        #expect(failed?.problem.sentence == text)
        trace.signal(0x40, .tx, .leCreditBasedConnectionRequest, [0x80, 0x50, 100, 64, 1], identifier: 2)
        trace.signal(0x40, .rx, .leCreditBasedConnectionResponse, [0x60, 100, 64, 1, 0], identifier: 2)
        #expect(trace.run().totals?.firstError == nil)
    }
}
