import Analysis
import BluetoothCore
import CaptureFile
import Testing

/// Which frame another one answers, outside ATT.
@Suite struct AnswerTests {
    let peer = "00:11:22:33:44:55"

    @Test func `An event that tells how a command ended names the command`() {
        var trace = Trace()
        let create = trace.command(LECreateConnection { $0.peerAddress = address("00:11:22:33:44:55") })
        trace.event(octets("0F 04 00 01 0D20"))
        let connected = trace.connect(0x40, peer)
        let update = trace.add(
            .command, .hostToController, octets("1320 0E 4000 1800 2800 0000 2A00 0000 0000"))
        trace.event(octets("0F 04 00 01 1320"))
        let updated = trace.event(octets("3E 0A 03 00 4000 1800 0000 2A00"))
        let byPeer = trace.event(octets("3E 0A 03 00 4000 1800 0000 2A00"))
        let end = trace.add(.command, .hostToController, octets("0604 03 4000 13"))
        trace.event(octets("0F 04 00 01 0604"))
        let ended = trace.disconnect(0x40, reason: 0x16)
        let outcome = trace.run()
        #expect(outcome[connected].frame.request?.frame == create)
        #expect(outcome[connected].frame.request?.latency == 2_000_000)
        #expect(outcome[updated].frame.request?.frame == update)
        #expect(outcome[byPeer].frame.request == nil)
        #expect(outcome[ended].frame.request?.frame == end)
    }

    @Test func `A command that the controller refused ends with nothing`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.add(.command, .hostToController, octets("0604 03 4000 13"))
        trace.event(octets("0F 04 0C 01 0604"))
        let ended = trace.disconnect(0x40)
        #expect(trace.run()[ended].frame.request == nil)
    }

    @Test func `A refusal of a command that succeeded meanwhile is another one`() {
        var trace = Trace()
        let asked = octets("0620 0F A000A000 00000000000000000007 00")
        trace.add(.command, .hostToController, asked)
        let first = trace.event(octets("0E 04 01 0620 01"))
        trace.add(.command, .hostToController, asked)
        trace.event(octets("0E 04 01 0620 00"))
        let second = trace.event(octets("0E 04 01 0620 01"))
        #expect(trace.run().frames(with: .commandFailed) == [first, second])
    }

    @Test func `A refusal that is reported again without another command is one refusal`() {
        for isAsked in [true, false] {
            var trace = Trace()
            let asked = octets("0620 0F A000A000 00000000000000000007 00")
            func ask() { trace.add(.command, .hostToController, asked) }
            if isAsked { ask() }
            let told = (0..<3).map { _ in trace.event(octets("0E 04 01 0620 01")) }
            let other = trace.event(octets("0E 04 01 0620 12"))
            // A second command is refused, too.
            if isAsked { ask() }
            let again = trace.event(octets("0E 04 01 0620 01"))
            let refused = trace.run().frames(with: .commandFailed)
            #expect(refused == (isAsked ? [told[0], other, again] : told + [other, again]))
        }
    }

    @Test func `A connection that was cancelled is about the peer that was asked for`() {
        var trace = Trace()
        let failed = "3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00"
        let create = trace.command(LECreateConnection { $0.peerAddress = address("00:11:22:33:44:55") })
        let cancelled = trace.event(octets(failed))
        let list = trace.command(LECreateConnection { $0.initiatorFilterPolicy = 1 })
        let other = trace.event(octets(failed))
        let outcome = trace.run()
        #expect(outcome[create].frame.peer == address("00:11:22:33:44:55"))
        #expect(outcome[cancelled].frame.peer == address("00:11:22:33:44:55"))
        #expect(outcome[cancelled].frame.request?.frame == create)
        #expect(outcome[list].frame.peer == nil)
        #expect(outcome[other].frame.peer == nil)
        #expect(outcome[other].frame.request?.frame == list)
    }

    @Test func `A signalling response names its request by identifier and side`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let request = trace.signal(
            0x40, .rx, .connectionParameterUpdateRequest, [0, 0, 0, 0], identifier: 7)
        let stray = trace.signal(0x40, .tx, .connectionParameterUpdateResponse, [0], identifier: 8)
        let response = trace.signal(0x40, .tx, .connectionParameterUpdateResponse, [0], identifier: 7)
        let outcome = trace.run()
        #expect(outcome[stray].frame.request == nil)
        #expect(outcome[response].frame.request?.frame == request)
    }

    @Test func `Steps of pairing name the step of the other side that they answer`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        func send(_ way: Trace.Way, _ hex: String) -> Int { trace.l2cap(0x40, way, 6, octets(hex)) }
        let keys = String(repeating: "00", count: 16)
        let request = send(.tx, "01 03 00 01 10 00 00")
        let response = send(.rx, "02 03 00 01 10 00 00")
        let confirm = send(.tx, "03" + keys)
        let confirmed = send(.rx, "03" + keys)
        let random = send(.tx, "04" + keys)
        let failed = send(.rx, "05 04")
        let outcome = trace.run()
        #expect(outcome[request].frame.request == nil)
        #expect(outcome[response].frame.request?.frame == request)
        #expect(outcome[confirm].frame.request == nil)
        #expect(outcome[confirmed].frame.request?.frame == confirm)
        #expect(outcome[random].frame.request == nil)
        #expect(outcome[failed].frame.request?.frame == random)
    }

    @Test func `Scanning that is switched off and on again is folded until a connection is asked for`() {
        var trace = Trace()
        func scan(_ isOn: Bool) -> Int {
            trace.add(.command, .hostToController, octets(isOn ? "0C20 02 01 00" : "0C20 02 00 00"))
        }
        let first = [scan(true), scan(false)]
        let again = [scan(true), scan(false), scan(true)]
        trace.command(LECreateConnection { $0.peerAddress = address("00:11:22:33:44:55") })
        let after = scan(true)
        let outcome = trace.run()
        #expect(first.allSatisfy { outcome[$0].frame.fold == .none })
        #expect(again.allSatisfy { outcome[$0].frame.fold == .housekeeping })
        #expect(outcome[after].frame.fold == .none)
    }
}
