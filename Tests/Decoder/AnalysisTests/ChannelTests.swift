import Analysis
import BluetoothCore
import Testing

/// ATT on connection-oriented channels.
@Suite struct ChannelTests {
    let peer = "00:11:22:33:44:55"

    /// A link with two enhanced bearers: the host's ends 0x50 and 0x51, the peer's 0x60 and 0x61.
    func enhanced(answer: [UInt16] = [0x60, 0x61]) -> Trace {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        trace.write(0x40, 4, [1, 0])
        // SPSM, MTU, MPS, credits, the host's ends; MTU, MPS, credits, result, the peer's ends
        trace.signal(0x40, .tx, .creditBasedConnectionRequest, [0x27, 100, 64, 5, 0x50, 0x51])
        trace.signal(0x40, .rx, .creditBasedConnectionResponse, [90, 64, 5, 0] + answer)
        return trace
    }

    func frame(_ sdu: [UInt8], length: Int? = nil) -> [UInt8] {
        little(UInt16(length ?? sdu.count)) + sdu
    }

    @Test func `enhanced bearers each have a request of their own under way`() {
        var trace = enhanced()
        let first = trace.l2cap(
            0x40, .tx, 0x60, frame(ATTReadRequest(handle: 3).pdu))
        let second = trace.l2cap(
            0x40, .tx, 0x61, frame(ATTReadRequest(handle: 6).pdu))
        let toSecond = trace.l2cap(
            0x40, .rx, 0x51, frame(ATTReadResponse(value: [6]).pdu))
        let toFirst = trace.l2cap(
            0x40, .rx, 0x50, frame(ATTReadResponse(value: [3]).pdu))
        let outcome = trace.run()
        #expect(outcome[toSecond].frame.request?.frame == second)
        #expect(outcome[toSecond].labelText == "FFF0/FFF2 value discovered")
        #expect(outcome[toFirst].frame.request?.frame == first)
        #expect(outcome[toFirst].labelText == "FFF0/FFF1 value discovered")
        #expect(outcome[toFirst].payload == [0x0B, 3])
        #expect(outcome[toFirst].frame.l2cap?.psm == 0x27)
        #expect(outcome.codes.isEmpty)
    }

    @Test func `an SDU in several K-frames is put together per channel`() {
        var trace = enhanced()
        let value = [UInt8](1...40)
        let sdu = ATTHandleValueNotification(handle: 3, value: value).pdu
        let start = trace.l2cap(0x40, .rx, 0x50, frame(Array(sdu[..<20]), length: sdu.count))
        let between = trace.l2cap(
            0x40, .rx, 0x51, frame(ATTHandleValueNotification(handle: 3, value: [9]).pdu))
        let end = trace.l2cap(0x40, .rx, 0x50, Array(sdu[20...]), sizes: [10])
        let outcome = trace.run()
        #expect(outcome[start].frame.att == nil)
        #expect(outcome[between].payload == [0x1B, 3, 0, 9])
        #expect(outcome[end].payload == sdu)
        #expect(outcome[end].frame.l2cap?.length == sdu.count)
        #expect(outcome[end].frames == [start, end])
        #expect(outcome[end].labelText == "FFF0/FFF1 value discovered")
        #expect(outcome.codes.isEmpty)
    }

    @Test func `K-frames after a hole are not taken for the rest of an SDU`() {
        var trace = enhanced()
        let sdu = ATTHandleValueNotification(handle: 3, value: [UInt8](1...40)).pdu
        trace.l2cap(0x40, .rx, 0x50, frame(Array(sdu[..<20]), length: sdu.count))
        trace.drops = 1
        let rest = trace.l2cap(0x40, .rx, 0x50, Array(sdu[20...]))
        let whole = trace.l2cap(
            0x40, .rx, 0x50, frame(ATTHandleValueNotification(handle: 3, value: [9]).pdu))
        let outcome = trace.run()
        #expect(outcome[rest].frame.att == nil)
        #expect(outcome[whole].payload == [0x1B, 3, 0, 9])
    }

    @Test func `an SDU that its K-frames exceed is malformed`() {
        var trace = enhanced()
        let bad = trace.l2cap(0x40, .rx, 0x50, frame([0x1B, 3, 0, 1, 2], length: 3))
        #expect(trace.run()[bad].codes == [.malformedL2CAP])
    }

    @Test func `a channel that was refused or closed carries no ATT`() {
        var trace = enhanced(answer: [0x60, 0])
        let refused = trace.l2cap(0x40, .rx, 0x51, frame([0x1B, 3, 0, 1]))
        let open = trace.l2cap(0x40, .rx, 0x50, frame([0x1B, 3, 0, 1]))
        trace.signal(0x40, .tx, L2CAPSignallingCode(rawValue: 6), [0x60, 0x50])
        trace.signal(0x40, .rx, .disconnectionResponse, [0x60, 0x50])
        let closed = trace.l2cap(0x40, .rx, 0x50, frame([0x1B, 3, 0, 1]))
        let outcome = trace.run()
        #expect(outcome[refused].frame.att == nil)
        #expect(outcome[open].frame.att?.handle == 3)
        #expect(outcome[closed].frame.att == nil)
    }

    @Test func `a channel of another service carries no ATT`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        // SPSM, the peer's end, MTU, MPS, credits; the host's end, MTU, MPS, credits, result
        trace.signal(0x40, .rx, .leCreditBasedConnectionRequest, [0x80, 0x60, 100, 64, 5])
        trace.signal(0x40, .tx, .leCreditBasedConnectionResponse, [0x50, 100, 64, 5, 0])
        let data = trace.l2cap(0x40, .rx, 0x50, frame([0x1B, 3, 0, 1]))
        let outcome = trace.run()
        #expect(outcome[data].frame.att == nil)
        #expect(outcome[data].frame.l2cap?.psm == 0x80)
        #expect(outcome.codes.isEmpty)
    }

    @Test func `an answer that is still to come opens and refuses nothing`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.signal(0x40, .tx, .creditBasedConnectionRequest, [0x27, 100, 64, 5, 0x50])
        for result in UInt16(0x0D)...0x0F {
            trace.signal(0x40, .rx, .creditBasedConnectionResponse, [90, 64, 5, result])
        }
        trace.signal(0x40, .rx, .creditBasedConnectionResponse, [90, 64, 5, 0, 0x60])
        trace.connectClassic(0x41, peer)
        trace.signal(0x41, .tx, .connectionRequest, [0x1F, 0x50], cid: 1)
        trace.signal(0x41, .rx, .connectionResponse, [0, 0x50, 1, 2], cid: 1)
        trace.signal(0x41, .rx, .connectionResponse, [0x60, 0x50, 0, 0], cid: 1)
        let enhanced = trace.l2cap(0x40, .rx, 0x50, frame([0x1B, 3, 0, 1]))
        let classic = trace.l2cap(0x41, .rx, 0x50, [0x1B, 3, 0, 1])
        let outcome = trace.run()
        #expect(outcome[enhanced].frame.att?.handle == 3)
        #expect(outcome[classic].frame.att?.handle == 3)
        #expect(!outcome.codes.contains(.channelRefused))
    }

    @Test func `a refusal without its request may be one of an enhanced bearer`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.signal(0x40, .rx, .creditBasedConnectionResponse, [0, 0, 0, 4])
        #expect(trace.run().totals?.incidents.map(\.severity) == [.warning])
    }

    @Test func `options of a configuration that don't fit are malformed`() {
        var trace = Trace()
        trace.connectClassic(0x40, peer)
        let whole = trace.l2cap(0x40, .tx, 1, octets("04 01 0800 4100 0000 01 02 A002"))
        let bad = trace.l2cap(0x40, .tx, 1, octets("04 02 0700 4100 0000 01 02 A0"))
        let outcome = trace.run()
        #expect(outcome[whole].codes.isEmpty)
        #expect(outcome[bad].codes == [.malformedL2CAP])
        #expect(outcome[bad].problems.first?.sentence == "malformed L2CAP PDU at +10")
    }

    @Test func `ATT on BR and EDR runs on its channel, opened by one of several commands in a PDU`() {
        var trace = Trace()
        trace.connectClassic(0x40, peer)
        trace.signal(0x40, .tx, .connectionRequest, [0x1F, 0x50], cid: 1)
        let granted = signalling(.connectionResponse, [0x60, 0x50, 0, 0])
        // An Information Request with two bytes after its field, which are passed over.
        let information = signalling(L2CAPSignallingCode(rawValue: 0x0A), [1, 0xFFFF], identifier: 2)
        trace.l2cap(0x40, .rx, 1, information + granted)
        let request = trace.l2cap(0x40, .tx, 0x60, ATTReadRequest(handle: 3).pdu)
        let response = trace.l2cap(0x40, .rx, 0x50, ATTReadResponse(value: [1]).pdu)
        let outcome = trace.run()
        #expect(outcome[response].frame.request?.frame == request)
        #expect(outcome[response].frame.l2cap?.psm == 0x1F)
        #expect(outcome.codes.isEmpty)
    }
}
