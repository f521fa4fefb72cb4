import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

@testable import Analysis

/// Connections that are asked for and never come about, and what the controller refuses.
@Suite struct AttemptTests {
    static let car = "02:55:51:00:00:01"
    static let notConnected = "3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00"

    /// Asks for the car: directly or by the accept list; the frame that does.
    static func ask(_ trace: inout Trace, byList: Bool = false, status: UInt8 = 0) -> Int {
        let asked = trace.command(
            LECreateConnection {
                $0.initiatorFilterPolicy = byList ? 1 : 0
                if !byList { $0.peerAddress = address(car) }
            })
        trace.event([0x0F, 4, status, 1, 0x0D, 0x20])
        return asked
    }

    static func withdraw(_ trace: inout Trace) -> Int {
        trace.add(.command, .hostToController, octets("0E20 00"))
        trace.event(octets("0E 04 01 0E20 00"))
        return trace.event(octets(notConnected))
    }

    private func run(_ trace: Trace) -> (outcome: Outcome, open: [OpenRequest], listed: ConnectAttempt?) {
        var analyzer = Analyzer()
        let outcome = trace.run(&analyzer)
        return (outcome, analyzer.openRequests, analyzer.acceptListAttempt)
    }

    @Test func `an attempt that is withdrawn is told with its peer, its frame and how long it took`() {
        var trace = Trace()
        trace.connect(0x41, "00:11:22:33:44:55")
        let asked = Self.ask(&trace)
        trace.wait(seconds: 10)
        let told = Self.withdraw(&trace)
        let outcome = trace.run()
        let problem = outcome[told].problems.first
        #expect(problem?.code == .connectionGivenUp)
        #expect(outcome.totals?.firstError?.place.frame == told)
        #expect(problem?.attempt?.peer == address(Self.car))
        #expect(problem?.attempt?.frame == asked)
        #expect(problem.flatMap(\.attempt?.waited) == 10_002_000_000)
    }

    @Test func `an attempt that is withdrawn is no failure where the host asks again and is connected`() {
        var trace = Trace()
        _ = Self.ask(&trace)
        trace.wait(seconds: 10)
        let told = Self.withdraw(&trace)
        _ = Self.ask(&trace)
        var other = trace
        trace.connect(0x40, Self.car)
        let outcome = trace.run()
        #expect(outcome[told].problems.map(\.severity) == [.warning])
        #expect(outcome.totals?.firstError == nil)
        other.connect(0x40, "02:55:51:00:00:02")
        #expect(other.run().totals?.firstError?.place.frame == told)
    }

    @Test func `on BR and EDR an attempt counts from its request, and may be withdrawn at once`() {
        for seconds in [0.0, 3] {
            var trace = Trace()
            let asked = trace.add(
                .command, .hostToController, octets("0504 0D 010000515502 18CC 02 00 0000 01"))
            let time = trace.now
            trace.wait(seconds: seconds)
            let told = trace.event(octets("03 0B 02 0000 010000515502 01 00"))
            let outcome = trace.run()
            let attempt = outcome[told].problems.first?.attempt
            #expect(outcome.codes == (seconds == 0 ? [] : [.connectionGivenUp]))
            #expect(outcome.totals?.firstError?.place.frame == (seconds == 0 ? nil : told))
            if let attempt {
                #expect(attempt.frame == asked && attempt.time.nanoseconds == time)
                #expect(attempt.waited == 3_001_000_000)
            }
        }
    }

    @Test func `a change of mind, and a wait for devices of the accept list, are no failures`() {
        var short = Trace()
        _ = Self.ask(&short)
        _ = Self.withdraw(&short)
        #expect(short.run().codes.isEmpty)
        var listed = Trace()
        listed.command(LEAddDeviceToFilterAcceptList { $0.address = address(Self.car) })
        listed.event(octets("0E 04 01 1120 00"))
        let asked = Self.ask(&listed, byList: true)
        listed.wait(seconds: 30)
        _ = Self.withdraw(&listed)
        let (outcome, open, attempt) = run(listed)
        #expect(outcome.codes.isEmpty && open.isEmpty)
        #expect(attempt?.frame == asked && attempt?.peer == address(Self.car))
    }

    @Test func `an attempt that is still open when the log ends is listed, one that came about is not`() {
        var trace = Trace()
        let asked = Self.ask(&trace)
        trace.wait(seconds: 20)
        trace.event(octets("3E 0C 02 01 00 00 010000EEFFC0 00 C8"))
        let (_, open, _) = run(trace)
        #expect(open.map(\.frame) == [asked] && open.first?.isConnect == true)
        #expect(open.first?.name == "connect to \(Self.car)")
        trace.connect(0x40, Self.car)
        #expect(run(trace).open.isEmpty)
    }

    @Test func `a refused request to connect is a failure unless a later one works`() {
        var trace = Trace()
        _ = Self.ask(&trace, status: 0x0C)
        let told = trace.last
        let refused = trace.run()
        #expect(refused.frames(with: .commandFailed) == [told])
        #expect(refused.totals?.firstError?.place.frame == told)
        #expect(refused.totals?.firstError?.problem.attempt?.peer == address(Self.car))
        #expect(run(trace).open.isEmpty)
        _ = Self.ask(&trace)
        trace.connect(0x40, Self.car)
        #expect(trace.run().totals?.firstError == nil)
    }

    @Test func `on BR and EDR a refused request to connect is a failure as it is on LE`() {
        let page = octets("0504 0D 010000515502 18CC 02 00 0000 01")
        let connected = octets("03 0B 00 4000 010000515502 01 00")
        var trace = Trace()
        trace.add(.command, .hostToController, page)
        let told = trace.event(octets("0F 04 0D 01 0504"))
        let (refused, open, _) = run(trace)
        #expect(refused.frames(with: .commandFailed) == [told])
        #expect(refused.totals?.firstError?.place.frame == told)
        #expect(refused.totals?.firstError?.problem.attempt?.peer == address(Self.car))
        #expect(open.isEmpty)
        trace.add(.command, .hostToController, page)
        trace.event(octets("0F 04 00 01 0504"))
        trace.event(connected)
        #expect(trace.run().totals?.firstError == nil)
        // Asked for once more while it is under way, and again once it is there: what is asked for is there.
        var twice = Trace()
        let asked = twice.add(.command, .hostToController, page)
        twice.event(octets("0F 04 00 01 0504"))
        twice.add(.command, .hostToController, page)
        twice.event(octets("0F 04 0C 01 0504"))
        let end = twice.event(connected)
        twice.add(.command, .hostToController, page)
        twice.event(octets("0F 04 0B 01 0504"))
        let outcome = twice.run()
        #expect(outcome.totals?.firstError == nil && outcome[end].frame.request?.frame == asked)
    }

    @Test func `a refused scan is a failure, but not where scanning was on, or goes on later`() {
        func scan(_ trace: inout Trace, _ isOn: Bool, status: UInt8 = 0) {
            trace.command(LESetScanEnable { $0.leScanEnable = isOn ? 1 : 0 })
            trace.event([0x0E, 4, 1, 0x0C, 0x20, status])
        }
        var trace = Trace()
        scan(&trace, true, status: 0x0C)
        #expect(trace.run().totals?.firstError?.problem.code == .commandFailed)
        var later = trace
        scan(&later, true)
        #expect(later.run().totals?.firstError == nil)
        // The one that counts is the one after which nothing worked.
        scan(&later, false)
        scan(&later, true, status: 0x0C)
        #expect(later.run().totals?.firstError?.place.frame == later.last)
        var running = Trace()
        scan(&running, true)
        scan(&running, true, status: 0x0C)
        scan(&running, false)
        scan(&running, false, status: 0x0C)
        #expect(running.run().totals?.firstError == nil)
    }

    @Test func `a failed attempt names its peer, and those to others are counted apart`() {
        var trace = Trace()
        for peer in [Self.car, Self.car, "02:55:51:00:00:02"] {
            trace.command(LECreateConnection { $0.peerAddress = address(peer) })
            trace.wait(seconds: 5)
            trace.event(octets("3E 13 01 3E 0000 00 00 000000000000 0000 0000 0000 00"))
        }
        let wrong = trace.run().totals?.incidents ?? []
        #expect(wrong.map(\.count) == [2, 1])
        #expect(wrong.first?.problem.attempt?.waited == 5_001_000_000)
    }

    @Test func `a peer's request that the host never answers is the host's failure`() {
        var trace = Trace()
        var asked: [Int] = []
        for _ in 0..<2 {
            asked.append(trace.event(octets("04 0A 010000515502 0C025A 01")))
            trace.wait(seconds: 5)
            trace.event(octets("03 0B 10 0000 010000515502 01 00"))
        }
        let wrong = trace.run().totals?.incidents ?? []
        #expect(wrong.map(\.count) == [2] && wrong.first?.problem.side == .host)
        #expect(wrong.first?.problem.related.map(\.frame) == [asked[0]])
        #expect(
            wrong.first?.problem.sentence
                == "no connection from \(Self.car) (frame \(asked[0])), which the host "
                + "never answered: Connection Accept Timeout Exceeded (0x10) after 5.0 s")
    }

    @Test func `a connection that the peer never accepts is the peer's failure`() {
        var trace = Trace()
        trace.command(HCICreateConnection { $0.bdAddr = address(Self.car) })
        trace.wait(seconds: 5)
        trace.event(octets("03 0B 10 0000 010000515502 01 00"))
        let wrong = trace.run().totals?.incidents ?? []
        #expect(wrong.map(\.problem.code) == [.connectionFailed] && wrong.first?.problem.side == .peer)
    }

    @Test(arguments: [true, false])
    func `a command that the adapter refuses right before it is closed kept it from starting`(
        _ isUnknown: Bool
    ) {
        var trace = Trace()
        trace.add(.command, .hostToController, octets("4B20 00"))
        let refused = trace.event(octets("0E 04 01 4B20 \(isUnknown ? "01" : "0C")"))
        trace.add(.monitor, .unknown, [], foreignType: 9)
        let wrong = (trace.run().totals?.incidents ?? []).filter { $0.severity >= .error }
        #expect(wrong.map(\.place.frame) == (isUnknown ? [refused] : []))
        #expect(!isUnknown || wrong.first?.problem.side == .controller)
        // A command after it shows that the host went on.
        trace = Trace()
        trace.add(.command, .hostToController, octets("4B20 00"))
        trace.event(octets("0E 04 01 4B20 01"))
        trace.add(.command, .hostToController, octets("030C 00"))
        trace.event(octets("0E 04 01 030C 00"))
        trace.add(.monitor, .unknown, [], foreignType: 9)
        #expect((trace.run().totals?.incidents ?? []).allSatisfy { $0.severity < .error })
        // Nor is what an adapter in use refuses while the host switches it off.
        trace = Trace()
        trace.connect(0x40, Self.car)
        trace.disconnect(0x40, reason: 0x16)
        trace.add(.command, .hostToController, octets("4B20 00"))
        trace.event(octets("0E 04 01 4B20 01"))
        trace.add(.monitor, .unknown, [], foreignType: 9)
        #expect((trace.run().totals?.incidents ?? []).allSatisfy { $0.severity < .error })
    }

    @Test(arguments: [true, false])
    func `a mode that changed while the host asked for it is nobody's fault`(_ isCrossing: Bool) {
        var trace = Trace()
        trace.connectClassic(0x40, Self.car)
        trace.event(octets("14 06 00 4000 00 0000"))
        trace.wait(seconds: isCrossing ? 0 : 1)
        trace.add(.command, .hostToController, octets("0408 02 4000"))
        let refused = trace.event(octets("0F 04 0C 01 0408"))
        let outcome = trace.run()
        #expect(outcome.frames(with: .commandFailed) == [refused])
        #expect((outcome.totals?.incidents ?? []).isEmpty == isCrossing)
    }

    @Test func `over BR and EDR the role follows from who asked, and from changes of roles`() {
        let connected = octets("03 0B 00 4000 010000515502 01 00")
        let change = { (role: String) in octets("12 08 00 010000515502 \(role)") }
        func role(_ events: [[UInt8]], isAsked: Bool = false) -> Link.Role? {
            var trace = Trace()
            if isAsked {
                trace.add(.command, .hostToController, octets("0504 0D 010000515502 18CC 02 00 0000 01"))
                trace.event(octets("0F 04 00 01 0504"))
            } else if events.count > 1, events[0][0] != 0x3E {
                trace.event(octets("04 0A 010000515502 0C025A 01"))
            }
            for event in events { trace.event(event) }
            return trace.run().links.first?.role
        }
        #expect(role([connected]) == .unknown && role([connected], isAsked: true) == .central)
        #expect(role([octets("0E 04 01 0000 00"), connected]) == .peripheral)
        #expect(role([change("00"), connected]) == .central)
        #expect(role([connected, change("01")], isAsked: true) == .peripheral)
        #expect(role([change("01"), connected], isAsked: true) == .peripheral)
        // Of another device, of a reserved role, and cut.
        #expect(role([octets("12 08 00 020000515502 00"), connected]) == .peripheral)
        #expect(role([connected, change("07")], isAsked: true) == .central)
        #expect(role([connected, octets("12 07 00 010000515502")], isAsked: true) == .central)
        // The device has an LE connection too.
        #expect(
            role([
                octets("3E 13 01 00 4100 00 00 010000515502 1800 0000 0A00 00"),
                octets("12 08 00 010000515502 01"),
            ]) == .central)
    }

    @Test func `a request that came about is not blamed for a later failure`() {
        var trace = Trace()
        trace.event(octets("04 0A 010000515502 0C025A 01"))
        trace.event(octets("03 0B 00 4000 010000515502 01 00"))
        trace.event(octets("05 04 00 4000 16"))
        trace.wait(seconds: 60)
        trace.event(octets("03 0B 10 0000 010000515502 01 00"))
        let wrong = trace.run().totals?.incidents ?? []
        #expect(wrong.map(\.problem.code) == [.connectionFailed])
        #expect(wrong.first?.problem.attempt == nil)
    }

    @Test func `a command without an answer is told as soon as a later one has its own`() {
        var trace = Trace()
        let reset = trace.add(.command, .hostToController, octets("030C 00"))
        trace.wait(seconds: 10)
        trace.add(.command, .hostToController, octets("0910 00"))
        let answer = trace.event(octets("0E 0A 01 0910 00 665544332211"))
        let last = trace.add(.command, .hostToController, octets("0110 00"))
        trace.wait(seconds: 3)
        trace.event(octets("3E 0C 02 01 00 00 010000EEFFC0 00 C8"))
        let (outcome, open, _) = run(trace)
        #expect(outcome.frames(with: .commandUnanswered) == [answer])
        let start = "the controller did not answer Reset of frame \(reset) for "
        #expect(outcome[answer].problems.first?.sentence.hasPrefix(start) == true)
        #expect(open.map(\.frame) == [last])
        // Where nothing is answered the log may hold commands alone.
        var alone = Trace()
        for _ in 0..<3 {
            alone.add(.command, .hostToController, octets("030C 00"))
            alone.wait(seconds: 10)
        }
        #expect(run(alone).outcome.codes.isEmpty && run(alone).open.isEmpty)
    }

    @Test func `answers that a suspend holds up are all awaited`() {
        var trace = Trace()
        trace.add(.command, .hostToController, octets("0910 00"))
        trace.add(.command, .hostToController, octets("0110 00"))
        trace.wait(seconds: 10)
        trace.event(octets("0E 0A 01 0910 00 665544332211"))
        trace.event(octets("0E 0C 01 0110 00 0C 0000 0C 0F00 0000"))
        #expect(trace.run().codes.isEmpty)
    }

    @Test func `a reset and a closed adapter end their connections, and say so`() {
        var trace = Trace()
        trace.connect(0x40, Self.car)
        trace.add(.command, .hostToController, octets("030C 00"))
        trace.connect(0x40, Self.car)
        trace.add(.monitor, .unknown, [], foreignType: 9)
        #expect(trace.run().links.map(\.endedWith) == [.reset, .closed])
    }
}
