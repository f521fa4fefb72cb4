import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

/// Packets that come after their connection's end or before its beginning, and logs without either.
@Suite struct LatePacketTests {
    let peer = "00:11:22:33:44:55"

    @Test func `what comes within a second after the end belongs to the connection that ended`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let write = trace.write(0x40, 8, [1], answered: false)
        trace.disconnect(0x40)
        let response = trace.att(0x40, .rx, ATTWriteResponse())
        let value = trace.notify(0x40, 8)
        trace.wait(seconds: 400)
        trace.command(HCIReset())
        let outcome = trace.run()
        #expect(outcome.links.count == 1 && outcome.links.first?.endReason == 0x13)
        #expect(outcome[response].frame.request?.frame == write)
        #expect(outcome[response].codes == [.latePacket] && outcome[value].link == 1)
        // What was said at the end is taken back.
        #expect(outcome.totals?.firstError == nil)
        #expect(outcome.totals?.incidents.contains { $0.problem.code == .noResponse } == false)
        #expect(outcome.totals?.count(of: .noResponse) == 0)
    }

    @Test func `what the host sends on an ended handle is its mistake and no connection`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.disconnect(0x40)
        trace.wait(seconds: 0.1)
        let stray = trace.att(0x40, .tx, ATTExchangeMTURequest(clientMTU: 256))
        trace.wait(seconds: 10)
        let again = trace.att(0x40, .tx, ATTExchangeMTURequest(clientMTU: 256))
        let outcome = trace.run()
        #expect(outcome.links.count == 1)
        #expect(outcome[stray].codes == [.endedConnection] && outcome[again].codes == [.endedConnection])
        #expect(outcome[stray].problems.first?.side == .host)
        #expect(outcome[stray].problems.first?.severity == .warning)
        #expect(outcome[stray].frame.att?.opcode == .exchangeMTURequest)
        #expect(outcome.links.first?.phases.mtuStarted == nil)
    }

    @Test func `what the host sent as the connection ended is only a note`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.disconnect(0x40)
        let stray = trace.write(0x40, 8, [1], answered: false)
        #expect(trace.run()[stray].problems.first?.severity == .note)
    }

    @Test func `what comes just before a connection's event is that connection's`() {
        var trace = Trace()
        let early = trace.att(0x40, .rx, ATTExchangeMTURequest(clientMTU: 517))
        trace.connect(0x40, peer, role: 1)
        let response = trace.att(0x40, .tx, ATTExchangeMTUResponse(serverMTU: 247))
        trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome.links.count == 1 && outcome.links.first?.address == address(peer))
        #expect(outcome.links.first?.mayLackEarlierPackets == false && outcome.links.first?.attMTU == 247)
        #expect(outcome[response].frame.request?.frame == early && outcome[response].codes.isEmpty)
    }

    @Test func `so it is on a handle that was used just before`() {
        var trace = Trace()
        trace.connect(0x40, peer, role: 1)
        trace.disconnect(0x40)
        trace.wait(seconds: 0.5)
        let early = trace.att(0x40, .rx, ATTExchangeMTURequest(clientMTU: 517))
        trace.connect(0x40, peer, role: 1)
        let response = trace.att(0x40, .tx, ATTExchangeMTUResponse(serverMTU: 247))
        let outcome = trace.run()
        #expect(outcome.links.count == 2 && outcome.links.last?.attMTU == 247)
        #expect(outcome[response].frame.request?.frame == early)
    }

    @Test func `data long before the event is another connection's`() {
        var trace = Trace()
        trace.notify(0x40, 5)
        trace.wait(seconds: 1)
        trace.connect(0x40, peer)
        let outcome = trace.run()
        #expect(outcome.links.map(\.mayLackEarlierPackets) == [true, false])
    }

    @Test func `a connection that was asked for and begins without its event has that device`() {
        var trace = Trace()
        trace.command(LECreateConnection { $0.peerAddress = address(peer) })
        trace.att(0x40, .tx, ATTExchangeMTURequest(clientMTU: 247))
        trace.att(0x40, .rx, ATTExchangeMTUResponse(serverMTU: 185))
        trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome.links.first?.beginningIsMissing == true)
        #expect(outcome.links.first?.address == address(peer))
    }

    @Test func `a connection that was open while another was asked for has no device`() {
        var trace = Trace()
        trace.command(LECreateConnection { $0.peerAddress = address(peer) })
        trace.notify(0x40, 5)
        trace.connect(0x41, peer)
        let outcome = trace.run()
        #expect(outcome.links.map(\.beginningIsMissing) == [false, false])
        #expect(outcome.links.first?.address == nil)
    }

    // MARK: Without events

    @Test(arguments: [(0.5, 1), (2, 2)])
    func `without events a second MTU request after a pause begins another connection`(
        _ pause: Double, _ count: Int
    ) {
        var trace = Trace()
        for _ in 0..<2 {
            trace.att(0x40, .tx, ATTExchangeMTURequest(clientMTU: 247))
            trace.att(0x40, .rx, ATTExchangeMTUResponse(serverMTU: 185))
            trace.wait(seconds: pause)
        }
        #expect(trace.run().links.count == count)
    }

    @Test func `without events a discovery after a long silence begins another connection`() {
        var trace = Trace()
        trace.discover(0x40, .simple())
        trace.write(0x40, 6, [1], answered: false)
        trace.wait(seconds: 40)
        trace.discover(0x40, .simple())
        let outcome = trace.run()
        #expect(outcome.links.count == 2)
        #expect(outcome.links.first?.endIsRecorded == false && outcome.links.first?.isOpen == false)
        // Whether the connection had ended before the request's time ran out is not known.
        #expect(!outcome.codes.contains(.attTimeout) && !outcome.codes.contains(.noResponse))
    }

    // MARK: Overcome

    private func isOvercome(_ outcome: Outcome) -> [Bool] {
        outcome.totals?.incidents.map(\.problem.isOvercome) ?? []
    }

    @Test(arguments: [true, false])
    func `a wrong passkey and then the right one is no failure`(_ succeeds: Bool) {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.smp(0x40, .tx, .pairingRequest)
        trace.smp(0x40, .rx, .pairingFailed, [4])
        trace.smp(0x40, .tx, .pairingRequest)
        trace.smp(0x40, .rx, SMPCode(rawValue: 0x02))
        if succeeds { trace.encrypted(0x40) } else { trace.smp(0x40, .rx, .pairingFailed, [5]) }
        trace.disconnect(0x40)
        #expect(isOvercome(trace.run()) == (succeeds ? [true] : [false, false]))
    }

    @Test func `encryption with an old key does not make up for a pairing that failed`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.smp(0x40, .tx, .pairingRequest)
        trace.smp(0x40, .rx, .pairingFailed, [4])
        trace.disconnect(0x40)
        trace.connect(0x40, peer)
        trace.encrypted(0x40)
        #expect(isOvercome(trace.run()) == [false])
    }

    @Test(arguments: [(10, [true]), (100, [false])] as [(Double, [Bool])])
    func `a connection within a minute makes up for one that was not established`(
        _ pause: Double, _ expected: [Bool]
    ) {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.disconnect(0x40, reason: 0x3E)
        trace.wait(seconds: pause)
        trace.connect(0x41, peer)
        trace.read(0x41, 3, [1])
        trace.disconnect(0x41)
        #expect(isOvercome(trace.run()) == expected)
    }

    /// A connection that ends at once: with 0x3E it was not established.
    private func attempt(_ trace: inout Trace, reason: UInt8 = 0x13) {
        trace.connect(0x40, peer)
        trace.disconnect(0x40, reason: reason)
    }

    @Test func `several attempts that came to nothing are overcome together`() {
        var trace = Trace()
        for _ in 0..<3 { attempt(&trace, reason: 0x3E) }
        attempt(&trace)
        let outcome = trace.run()
        #expect(!isOvercome(outcome).contains(false) && outcome.totals?.firstError == nil)
    }

    @Test(arguments: [(30, false, true), (69, false, false), (69, true, true), (200, false, true)])
    func `attempts in a row are overcome as one, if the first was no longer than a minute ago`(
        _ pause: Double, _ succeedsBetween: Bool, _ isOvercome: Bool
    ) throws {
        var trace = Trace()
        for pause in [pause, 14] {
            attempt(&trace, reason: 0x3E)
            trace.wait(seconds: pause)
            if succeedsBetween, pause > 60 { attempt(&trace) }
        }
        attempt(&trace)
        let incidents = try #require(trace.run().totals).incidents
        let isOne = pause < 100 && !succeedsBetween
        #expect(incidents.map(\.problem.isOvercome) == (isOne ? [isOvercome] : [false, true]))
        #expect(incidents.map(\.count) == (isOne ? [2] : [1, 1]))
    }

    @Test func `rows that were overcome are one incident, named by the first`() throws {
        var trace = Trace()
        for _ in 0..<40 {
            attempt(&trace, reason: 0x3E)
            attempt(&trace)
        }
        let incident = try #require(trace.run().totals).incidents.first
        #expect(incident?.count == 40 && incident?.connections == 40 && incident?.connection == 1)
        #expect(incident?.firstConnections.prefix(3) == [1, 3, 5])
    }

    @Test func `without an event before its end a request's time has run out all the same`() {
        var trace = Trace()
        trace.read(0x40, 3, [1])
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.wait(seconds: 31)
        trace.notify(0x40, 9)
        let end = trace.disconnect(0x40, reason: 0x16)
        #expect(trace.run()[end].codes == [.attTimeout])
    }

    @Test func `of two connections that were not established only the device that came back is overcome`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.disconnect(0x40, reason: 0x3E)
        trace.connect(0x40, "00:11:22:33:44:66")
        trace.disconnect(0x40, reason: 0x3E)
        trace.connect(0x41, peer)
        trace.disconnect(0x41)
        let outcome = trace.run()
        #expect(isOvercome(outcome) == [false, true])
        #expect(outcome.totals?.incidents.map(\.connection) == [2, 1])
        #expect(outcome.totals?.incidents.map(\.count) == [1, 1])
    }

    @Test func `a refusal is overcome after the device turned out to have an identity`() {
        var trace = Trace()
        trace.connect(0x40, "41:02:03:04:05:06", .random)
        trace.att(0x40, .tx, ATTWriteRequest(handle: 9, value: [1]))
        trace.att(
            0x40, .rx,
            ATTErrorResponse(request: .writeRequest, handle: 9, error: .insufficientAuthentication))
        trace.smp(0x40, .rx, .identityInformation, [UInt8](repeating: 7, count: 16))
        trace.smp(0x40, .rx, SMPCode(rawValue: 0x09), [0] + [1, 2, 3, 4, 5, 6])
        trace.write(0x40, 9, [1])
        #expect(isOvercome(trace.run()) == [true])
    }

    @Test func `a request that was sent too early is what failed where it gets no answer`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        let early = trace.write(0x40, 9, [1], answered: false)
        trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        trace.wait(seconds: 31)
        trace.disconnect(0x40, reason: 0x16)
        let first = trace.run().totals?.firstError
        #expect(first?.problem.code == .requestWhilePending && first?.problem.side == .host)
        #expect(first?.place.frame == early)
        #expect(first?.consequences.map(\.problem.code) == [.attTimeout])
    }
}
