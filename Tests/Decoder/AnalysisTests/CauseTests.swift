import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

/// What explains what: a cause is a failure, and what followed from it is not another one.
@Suite struct CauseTests {
    private static let peer = "5B:75:A2:26:D6:18"

    /// A connection on which the host's read waits for this long.
    private func asked(_ seconds: Double) -> Trace {
        var trace = Trace()
        trace.connect(0x40, Self.peer, .random)
        trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        trace.wait(seconds: seconds)
        return trace
    }

    private func failures(_ trace: Trace) -> [Incident] {
        (trace.run().totals?.incidents ?? []).filter { $0.severity >= .error }
    }

    @Test(arguments: [UInt8(0x08), 0x22])
    func `a lost link explains the request whose time ran out unseen before`(_ reason: UInt8) {
        var trace = asked(40)
        let end = trace.disconnect(0x40, reason: reason)
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.abnormalDisconnection] && wrong.first?.place.frame == end)
        #expect(wrong.first?.consequences.map(\.problem.code) == [.attTimeout])
    }

    @Test func `a lost link explains nothing of another connection`() {
        var trace = asked(40)
        trace.connect(0x41, "00:11:22:33:44:55")
        trace.disconnect(0x41, reason: 0x08)
        #expect(failures(trace).map(\.problem.code) == [.attTimeout, .abnormalDisconnection])
    }

    @Test func `a lost link has no consequence of the next loss of a link to the same device`() {
        var trace = asked(1)
        trace.disconnect(0x40, reason: 0x08)
        trace.connect(0x41, Self.peer, .random)
        trace.att(0x41, .tx, ATTReadRequest(handle: 5))
        trace.wait(seconds: 1)
        trace.disconnect(0x41, reason: 0x08)
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.abnormalDisconnection] && wrong.first?.count == 2)
        #expect(wrong.first?.consequences.map(\.problem.related.first?.frame) == [2])
    }

    @Test func `a refused command is shown with its refusal`() {
        var trace = Trace()
        let fields = "2000 2000 0000 00 000000000000 07 00"
        let command = trace.add(.command, .hostToController, octets("0620 0F \(fields)"))
        let refusal = trace.add(.event, .controllerToHost, octets("0E 04 01 0620 01"))
        let found = trace.run().totals?.incidents.first { $0.place.frame == refusal }
        #expect(found?.problem.evidence.map(\.frame) == [command])
    }

    @Test func `the reset of an adapter explains the request that waited, and is the host's`() {
        var trace = asked(0.3)
        let reset = trace.add(.command, .hostToController, octets("030C 00"))
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.adapterEnded] && wrong.first?.place.frame == reset)
        #expect(wrong.first?.problem.side == .host)
        #expect(wrong.first?.consequences.map(\.problem.code) == [.noResponse])
        var idle = Trace()
        idle.connect(0x40, Self.peer, .random)
        idle.read(0x40, 3, [1])
        idle.add(.command, .hostToController, octets("030C 00"))
        #expect(failures(idle).isEmpty)
    }

    @Test(arguments: [(0.5, Problem.Severity.note), (2, .warning), (6, .error)])
    func `who hangs up soon on the own request missed no answer`(
        _ waited: Double, _ severity: Problem.Severity
    ) {
        var trace = asked(waited)
        let end = trace.disconnect(0x40, reason: 0x16)
        #expect(trace.run()[end].problems.map(\.severity) == [severity])
    }

    @Test func `a peer without resources ends the connection, which is its failure`() {
        var trace = asked(0.1)
        trace.disconnect(0x40, reason: 0x14)
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.endedByPeer] && wrong.first?.problem.side == .peer)
        #expect(wrong.first?.consequences.map(\.problem.code) == [.noResponse])
    }

    @Test func `a pairing that failed is one failure, however many events say so`() {
        var trace = Trace()
        trace.connectClassic(0x40, "00:11:22:33:44:55")
        trace.event(octets("36 07 05 554433221100"))
        let again = trace.event(octets("06 03 05 4000"))
        let end = trace.disconnect(0x40, reason: 0x05)
        let wrong = failures(trace)
        #expect(wrong.count == 1 && wrong.first?.connection == 1)
        #expect(wrong.first?.consequences.map(\.place.frame) == [again, end])
        #expect(wrong.first?.consequenceCount == 2)
    }

    @Test func `consequences beyond the kept ones are counted`() {
        var trace = Trace()
        trace.connectClassic(0x40, "00:11:22:33:44:55")
        trace.event(octets("36 07 05 554433221100"))
        for _ in 0..<6 { trace.event(octets("06 03 05 4000")) }
        trace.disconnect(0x40, reason: 0x05)
        let wrong = failures(trace)
        #expect(wrong.first?.consequences.count == Incident.consequenceLimit)
        #expect(wrong.first?.consequenceCount == 7)
    }

    @Test func `the requests and replies of a pairing on BR/EDR belong to the device's connection`() throws {
        var trace = Trace()
        trace.connect(0x41, Self.peer, .random)
        trace.connectClassic(0x40, "00:11:22:33:44:55")
        var frames: [Int] = []
        for hex in ["17 06", "31 06", "33 0A"] {
            let number = hex.hasPrefix("33") ? "0102 0300" : ""
            frames.append(trace.event(octets("\(hex) 554433221100 \(number)")))
        }
        frames.append(trace.add(.command, .hostToController, octets("2B04 09 554433221100 01 00 03")))
        frames.append(trace.add(.command, .hostToController, octets("2D04 06 554433221100")))
        frames.append(trace.event(octets("36 07 05 554433221100")))
        let outcome = trace.run()
        #expect(frames.map { outcome[$0].link } == frames.map { _ in 2 })
        #expect(frames.allSatisfy { outcome[$0].frame.fold == .none })
        let hint = try #require(failures(trace).first?.problem.hint)
        #expect("\(hint)".hasPrefix("usually somebody declined"))
    }

    @Test func `a malformed command and its refusal are one incident`() {
        for (status, codes) in [
            (0x12, [Problem.Code.commandFailed]), (0x00, [.malformedHCI]),
            (0x0C, [.malformedHCI, .commandFailed]),
        ] {
            var trace = Trace()
            // LE Set Event Mask with seven of its eight bytes.
            let command = trace.add(.command, .hostToController, octets("0120 07 00000000000000"))
            trace.event(octets("0E 04 01 0120") + [UInt8(status)])
            let outcome = trace.run()
            #expect(outcome[command].codes == [.malformedHCI])
            let incidents = outcome.totals?.incidents ?? []
            #expect(incidents.map(\.problem.code) == codes, "\(status)")
            let refusal = incidents.last { $0.problem.code == .commandFailed && status == 0x12 }
            guard let refusal else { continue }
            #expect(refusal.problem.sentence.hasSuffix(", since the command is malformed"))
            #expect(refusal.problem.side == .host)
        }
    }

    @Test func `a name request that failed is a warning, and one that was cancelled is not`() {
        for (status, severity) in [("04", Problem.Severity.warning), ("02", .note)] {
            var trace = Trace()
            let name = String(repeating: "00", count: 248)
            let failed = trace.event(octets("07 FF \(status) 554433221100 \(name)"))
            let problems = trace.run()[failed].problems
            #expect(problems.map(\.severity) == [severity])
            #expect(problems.first?.sentence.hasPrefix("Remote Name Request failed: ") == true)
        }
    }

    @Test func `an authentication that fails much later is another failure`() {
        var trace = Trace()
        trace.connectClassic(0x40, "00:11:22:33:44:55")
        trace.event(octets("36 07 05 554433221100"))
        trace.wait(seconds: 60)
        trace.event(octets("06 03 05 4000"))
        #expect(failures(trace).count == 2)
    }

    @Test func `the exchange of the MTU may be refused, and a longer PDU of the host is its mistake then`() {
        var trace = Trace()
        trace.connect(0x40, Self.peer, .random)
        trace.att(0x40, .tx, ATTExchangeMTURequest(clientMTU: 517))
        trace.att(
            0x40, .rx, ATTErrorResponse(request: .exchangeMTURequest, handle: 0, error: .requestNotSupported))
        #expect(failures(trace).isEmpty)
        #expect(trace.run().links.first?.mtuIsNotSupported == true)
        let long = trace.att(
            0x40, .tx, ATTWriteCommand(handle: 3, value: [UInt8](repeating: 0, count: 60)))
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.mtuExceeded] && wrong.first?.place.frame == long)
        #expect(wrong.first?.problem.side == .host)
    }

    /// Asks for a device by a public address, for a while, and whether it is withdrawn then.
    private func dialled(
        advertised kind: DeviceAddress.Kind, isWithdrawn: Bool, byList: Bool = false
    ) -> Trace {
        var trace = Trace()
        trace.connect(0x41, "00:11:22:33:44:55")
        let heard = octets("3E 0C 02 01 00 0\(kind.rawValue) 18D626A2755B 00 C0")
        if byList {
            trace.event(heard)
            trace.command(LEAddDeviceToFilterAcceptList { $0.address = address(Self.peer) })
            trace.event(octets("0E 04 01 1120 00"))
        }
        trace.command(
            LECreateConnection {
                $0.initiatorFilterPolicy = byList ? 1 : 0
                if !byList { $0.peerAddress = address(Self.peer) }
            })
        trace.event(octets("0F 04 00 01 0D20"))
        trace.wait(seconds: 20)
        if isWithdrawn { _ = AttemptTests.withdraw(&trace) }
        trace.event(heard)
        return trace
    }

    @Test(arguments: [true, false], [true, false])
    func `nobody answers an address of the wrong kind, which is the host's mistake`(
        _ isWithdrawn: Bool, _ byList: Bool
    ) {
        let wrong = failures(dialled(advertised: .random, isWithdrawn: isWithdrawn, byList: byList))
        #expect(wrong.map(\.problem.code) == [.connectionGivenUp] && wrong.first?.problem.side == .host)
        let words = wrong.first?.problem.attempt?.mistakeInWords
        #expect(words == "; asked for as public, but it advertises as random")
    }

    @Test(arguments: [UInt8(0x06), 0x02, 0x1A])
    func `a page of a device that advertises that it has no BR/EDR is the host's mistake`(_ flags: UInt8) {
        let peer = "18D626A2755B"
        var trace = Trace()
        trace.event(octets("3E 0F 02 01 00 00 \(peer) 03 02 01") + [flags, 0xC0])
        trace.add(.command, .hostToController, octets("0504 0D \(peer) 18CC 02 00 0000 01"))
        trace.event(octets("0F 04 00 01 0504"))
        trace.wait(seconds: 5)
        trace.event(octets("03 0B 04 0000 \(peer) 01 00"))
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.connectionFailed])
        #expect(wrong.first?.problem.side == (flags & 4 != 0 ? .host : .link))
        #expect("\(wrong.first?.problem.hint ?? "")".contains("TRANSPORT_LE") == (flags & 4 != 0))
    }

    @Test func `who advertises by the address that it was asked for by just did not answer`() {
        let wrong = failures(dialled(advertised: .public, isWithdrawn: true))
        #expect(wrong.map(\.problem.side) == [.link])
    }
}
