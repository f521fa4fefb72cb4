import BluetoothCore
import CaptureFile
import Crypto
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

/// Refusals and withdrawn attempts after which nothing worked: of several adapters, and of chosen frames.
@Suite struct RefusalTests {
    /// What the frames of a trace add up to that are chosen.
    private func select(_ trace: Trace, where isChosen: (RecordHeader) -> Bool) -> CaptureStatistics? {
        let analyzer = trace.selecting(where: isChosen)
        return analyzer.selection?.totals
    }

    /// Asks for the car, waits and withdraws; the frame that tells it.
    private func giveUp(_ trace: inout Trace) -> Int {
        _ = AttemptTests.ask(&trace)
        trace.wait(seconds: 5)
        return AttemptTests.withdraw(&trace)
    }

    /// Asks for the car, and is connected.
    private func connect(_ trace: inout Trace) {
        _ = AttemptTests.ask(&trace)
        trace.connect(0x40, AttemptTests.car)
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `of refusals that all are final the first is named`(_ adapters: [UInt16]) {
        // Which adapter is met first says nothing about which fails first.
        var trace = Trace()
        for adapter: UInt16 in [0, 1] {
            trace.adapter = adapter
            trace.event(octets("0E 04 01 0310 00"))
        }
        var told: [Int] = []
        for adapter in adapters {
            trace.adapter = adapter
            _ = AttemptTests.ask(&trace, status: 0x0C)
            told.append(trace.last)
        }
        let first = trace.run().totals?.firstError
        #expect(first?.place.frame == told[0] && first?.count == 2)
        #expect(first?.problem.wasRaisedToFailure == true)
    }

    @Test func `chosen frames fail with what failed in them, and not on another adapter`() {
        var trace = Trace()
        let mended = giveUp(&trace)
        connect(&trace)
        trace.disconnect(0x40, reason: 0x16)
        trace.adapter = 1
        let failed = giveUp(&trace)
        let healthy = select(trace) { $0.adapter == 0 }
        #expect(healthy?.firstError == nil)
        #expect(healthy?.incidents.map(\.place.frame) == [mended])
        let other = select(trace) { $0.adapter == 1 }
        #expect(other?.firstError?.place.frame == failed && other?.firstError?.count == 1)
        #expect(select(trace) { _ in true }?.firstError?.place.frame == failed)
    }

    @Test func `chosen frames fail with what failed in them, and not later`() {
        var trace = Trace()
        _ = giveUp(&trace)
        connect(&trace)
        let last = trace.disconnect(0x40, reason: 0x16)
        let failed = giveUp(&trace)
        let again = giveUp(&trace)
        #expect(select(trace) { $0.number <= last }?.firstError == nil)
        #expect(select(trace) { $0.number > last }?.firstError?.place.frame == failed)
        // One that is chosen alone is named itself, also where it is not the first.
        let alone = select(trace) { $0.number == again }?.firstError
        #expect(alone?.place.frame == again && alone?.count == 1)
        #expect(alone?.problem.attempt?.frame == again - 4)
    }

    @Test func `a refused request to connect fails where it is chosen`() {
        var trace = Trace()
        _ = AttemptTests.ask(&trace, status: 0x0C)
        let first = trace.last
        connect(&trace)
        let connected = trace.disconnect(0x40, reason: 0x16)
        _ = AttemptTests.ask(&trace, status: 0x0C)
        let last = trace.last
        #expect(select(trace) { $0.number <= connected }?.firstError == nil)
        #expect(select(trace) { $0.number == first }?.incidents.map(\.severity) == [.warning])
        #expect(select(trace) { $0.number > connected }?.firstError?.place.frame == last)
    }

    /// Asks for the car on BR/EDR; the frame that does.
    private func page(_ trace: inout Trace) -> Int {
        trace.add(.command, .hostToController, octets("0504 0D 010000515502 18CC 02 00 0000 01"))
    }

    /// The controller answers that; the frame that does.
    private func answerPage(_ trace: inout Trace, _ status: UInt8) -> Int {
        trace.event([0x0F, 4, status, 1, 5, 4])
    }

    @Test(arguments: [UInt8(0x0B), 0x0C])
    func `a device that connects itself is connected to, whatever was refused before`(_ status: UInt8) {
        for other in [nil, "02:55:51:00:00:02"] {
            var classic = Trace()
            _ = page(&classic)
            let toldOfClassic = answerPage(&classic, status)
            classic.connectClassic(0x40, other ?? AttemptTests.car)
            let first = classic.run().totals?.firstError
            #expect(first?.place.frame == (other == nil ? nil : toldOfClassic))
            var le = Trace()
            _ = AttemptTests.ask(&le, status: status)
            let told = le.last
            le.connect(0x40, other ?? AttemptTests.car, role: 1)
            #expect(le.run().totals?.firstError?.place.frame == (other == nil ? nil : told))
        }
        // Whom the accept list asks for is not known.
        var listed = Trace()
        _ = AttemptTests.ask(&listed, byList: true, status: status)
        let told = listed.last
        listed.connect(0x40, AttemptTests.car, role: 1)
        #expect(listed.run().totals?.firstError?.place.frame == told)
    }

    @Test func `on LE a device is not connected to on BR and EDR`() {
        var trace = Trace()
        trace.connect(0x40, AttemptTests.car)
        _ = page(&trace)
        let told = answerPage(&trace, 0x0D)
        trace.disconnect(0x40, reason: 0x16)
        #expect(trace.run().totals?.firstError?.place.frame == told)
        var classic = Trace()
        classic.connectClassic(0x40, AttemptTests.car)
        _ = page(&classic)
        _ = answerPage(&classic, 0x0B)
        #expect(classic.run().totals?.firstError == nil)
    }

    @Test func `two requests to connect to a device that are both refused fail with the first`() {
        var trace = Trace()
        let asked = [page(&trace), page(&trace)]
        let told = answerPage(&trace, 0x0D)
        var other = trace
        let again = answerPage(&trace, 0x0D)
        trace.wait(seconds: 5)
        trace.event(octets("3E 0C 02 01 00 00 010000EEFFC0 00 C8"))
        var analyzer = Analyzer()
        let outcome = trace.run(&analyzer)
        #expect(outcome.frames(with: .commandFailed) == [told, again])
        let attempts = outcome.seen.flatMap(\.problems).compactMap(\.attempt)
        #expect(attempts.map(\.frame) == asked)
        #expect(outcome.totals?.firstError?.place.frame == told)
        #expect(analyzer.openRequests.isEmpty)
        // The second goes on where it was taken.
        _ = answerPage(&other, 0)
        let end = other.connectClassic(0x40, AttemptTests.car)
        let connected = other.run()
        #expect(connected.totals?.firstError == nil && connected[end].frame.request?.frame == asked[1])
    }

    /// Asks for a device on LE without waiting for the answer; the frame that does.
    private func ask(_ trace: inout Trace, _ peer: String) -> Int {
        trace.command(LECreateConnection { $0.peerAddress = address(peer) })
    }

    /// The controller answers that; the frame that does.
    private func answer(_ trace: inout Trace, _ status: UInt8) -> Int {
        trace.event([0x0F, 4, status, 1, 0x0D, 0x20])
    }

    private static let other = "02:55:51:00:00:02"

    @Test(arguments: [UInt8(0), 1])
    func `to a device that is connected no request to connect fails on LE either`(_ role: UInt8) {
        for peer in [AttemptTests.car, Self.other] {
            var trace = Trace()
            trace.connect(0x40, peer, role: role)
            _ = AttemptTests.ask(&trace, status: 0x0B)
            let told = trace.last
            trace.disconnect(0x40, reason: 0x16)
            let outcome = trace.run()
            #expect(outcome.frames(with: .commandFailed) == [told])
            #expect(outcome.totals?.firstError?.place.frame == (peer == AttemptTests.car ? nil : told))
        }
    }

    @Test func `a connection from before the log may be to whom the controller says it is`() {
        for status: UInt8 in [0x0B, 0x0C] {
            var trace = Trace()
            trace.notify(0x40, 5)
            _ = AttemptTests.ask(&trace, status: status)
            #expect(trace.run().totals?.firstError?.place.frame == (status == 0x0B ? nil : trace.last))
            // On BR/EDR that one is no failure.
            _ = page(&trace)
            let told = answerPage(&trace, 0x0B)
            #expect(trace.run().totals?.firstError?.place.frame == (status == 0x0B ? told : told - 2))
        }
    }

    @Test(arguments: ["LE", "BR/EDR"])
    func `a connection that the recorder noted is on the transport that it named`(_ transport: String) {
        var trace = Trace()
        let text = "link already up: handle 0x0040, \(transport), \(AttemptTests.car) (public), outgoing"
        trace.add(
            .monitor, .unknown, [6, 7] + Array("blecap".utf8) + [0] + Array(text.utf8) + [0],
            foreignType: 13)
        _ = page(&trace)
        let told = answerPage(&trace, 0x0D)
        #expect(trace.run().totals?.firstError?.place.frame == (transport == "LE" ? told : nil))
    }

    @Test func `of two requests on LE that were made at once each has its own answer`() {
        var trace = Trace()
        let asked = [ask(&trace, AttemptTests.car), ask(&trace, Self.other)]
        var accepted = trace
        let told = [answer(&trace, 0x0D), answer(&trace, 0x0D)]
        let outcome = trace.run()
        let attempts = outcome.seen.flatMap(\.problems).compactMap(\.attempt)
        #expect(attempts.map(\.frame) == asked)
        #expect(attempts.map(\.peer) == [address(AttemptTests.car), address(Self.other)])
        #expect(outcome.totals?.incidents.map(\.place.frame) == told)
        // The first goes on where the second is refused alone.
        _ = answer(&accepted, 0)
        _ = answer(&accepted, 0x0C)
        accepted.wait(seconds: 9)
        accepted.event(octets("3E 0C 02 01 00 00 010000EEFFC0 00 C8"))
        var analyzer = Analyzer()
        #expect(accepted.run(&analyzer).totals?.firstError == nil)
        #expect(analyzer.openRequests.map(\.frame) == [asked[0]])
        accepted.connect(0x40, AttemptTests.car)
        #expect(accepted.run().links.first?.phases.connectStarted != nil)
    }

    @Test func `of several refused requests to connect, only those without a later connection fail`() {
        var classic = Trace()
        for _ in 0..<2 {
            _ = page(&classic)
            _ = answerPage(&classic, 0x0D)
        }
        classic.add(.command, .hostToController, octets("0504 0D 020000515502 18CC 02 00 0000 01"))
        let told = answerPage(&classic, 0x0D)
        classic.connectClassic(0x40, AttemptTests.car)
        #expect(classic.run().totals?.incidents.map(\.count) == [1, 2])
        #expect(classic.run().totals?.firstError?.place.frame == told)
        classic.connectClassic(0x41, Self.other)
        #expect(classic.run().totals?.firstError == nil)
        var le = Trace()
        _ = AttemptTests.ask(&le, status: 0x0D)
        _ = ask(&le, Self.other)
        let toldOfLE = answer(&le, 0x0D)
        le.connect(0x40, AttemptTests.car, role: 1)
        #expect(le.run().totals?.firstError?.place.frame == toldOfLE)
    }

    @Test func `a device with the same octets of another address type is another device`() {
        var trace = Trace()
        let told = giveUp(&trace)
        trace.connect(0x40, AttemptTests.car, .random)
        #expect(trace.run().totals?.firstError?.place.frame == told)
        trace.enhancedConnect(0x41, AttemptTests.car, .publicIdentity)
        #expect(trace.run().totals?.firstError == nil)
    }

    @Test func `an attempt to a private address is over once a key tells whose that was`() throws {
        let irk: [UInt8] = Array(0x10..<0x20)
        let identity = address("C0:00:00:00:00:01", .random)
        func privateAddress(_ random: UInt32) throws -> DeviceAddress {
            let hash = try PrivateAddressResolver.hash(key: irk, prand: random)
            return DeviceAddress(UInt64(random) << 24 | UInt64(hash), .random)
        }
        let (asked, met) = (try privateAddress(0x41_2233), try privateAddress(0x52_3344))
        func open(_ trace: inout Trace, _ address: DeviceAddress) {
            trace.event(
                LEConnectionComplete {
                    $0.connectionHandle = 0x40
                    $0.peerAddressType = 1
                    $0.peerAddress = address
                }.packet)
        }
        func trace(_ isKeyKnown: Bool) -> Trace {
            var trace = Trace()
            trace.command(
                LECreateConnection {
                    $0.peerAddressType = 1
                    $0.peerAddress = asked
                })
            trace.event(octets("0F 04 00 01 0D20"))
            trace.wait(seconds: 5)
            _ = AttemptTests.withdraw(&trace)
            // Connections to others: the address is tried, and no key known by then resolves it.
            trace.connect(0x41, "02:55:51:00:00:02")
            if isKeyKnown {
                trace.command(
                    LEAddDeviceToResolvingList {
                        $0.peerIdentityAddressType = 1
                        $0.peerIdentityAddress = identity
                        $0.peerIRK = irk.reversed()
                        $0.localIRK = [UInt8](repeating: 0, count: 16)
                    })
            }
            trace.connect(0x42, "02:55:51:00:00:02")
            open(&trace, met)
            return trace
        }
        #expect(trace(false).run().totals?.firstError?.problem.code == .connectionGivenUp)
        #expect(trace(true).run().totals?.firstError == nil)
        // The same private address needs no key.
        var same = trace(false)
        open(&same, asked)
        #expect(same.run().totals?.firstError == nil)
    }

    @Test func `a scan for a connection begins after the end of its peer's last one on its own adapter`() {
        func phases(others isOther: Bool) -> [Phases] {
            var trace = Trace()
            for adapter: UInt16 in isOther ? [0, 1] : [0] {
                trace.adapter = adapter
                connect(&trace)
            }
            trace.adapter = 0
            trace.command(LESetScanEnable { $0.leScanEnable = 1 })
            trace.event(octets("0E 04 01 0C20 00"))
            trace.now = 1_700_000_010_000_000_000
            trace.disconnect(0x40)
            trace.adapter = 1
            trace.now += 1_000_000_000
            if isOther { trace.disconnect(0x40) }
            trace.adapter = 0
            trace.now = 1_700_000_012_000_000_000
            trace.command(LESetScanEnable { $0.leScanEnable = 0 })
            trace.event(octets("0E 04 01 0C20 00"))
            connect(&trace)
            return trace.run().links.filter { $0.adapter == 0 }.map(\.phases)
        }
        let (alone, beside) = (phases(others: false), phases(others: true))
        #expect(alone.count == 2 && alone.last?.scanStarted?.nanoseconds == 1_700_000_010_001_000_000)
        #expect(beside.last?.scanStarted == alone.last?.scanStarted)
    }
}
