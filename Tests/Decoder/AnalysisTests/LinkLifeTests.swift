import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

@Suite struct LinkLifeTests {
    let phone = "00:11:22:33:44:55"
    let other = "00:11:22:33:44:66"

    @Test func `a connection runs from its complete event to its disconnection`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        trace.read(0x40, 3, [1])
        let end = trace.disconnect(0x40, reason: 0x13)
        let outcome = trace.run()
        #expect(outcome.links.count == 1)
        #expect(outcome.links.first?.address == address(phone))
        #expect(outcome.links.first?.endReason == 0x13)
        #expect(outcome.links.first?.isOpen == false)
        #expect(outcome.links.first?.mayLackEarlierPackets == false)
        #expect(outcome.links.first?.lastFrame.frame == end)
        #expect(outcome.links.first?.counts.packets == end)
        #expect(outcome.codes.isEmpty)
    }

    @Test func `a reset ends the connections that were reported before it was complete`() {
        var trace = Trace()
        trace.add(.command, .hostToController, octets("03 0C 00"))
        trace.connect(0x40, phone)
        trace.event(octets("0E 04 01 03 0C 00"))
        let link = trace.run().links.first
        #expect(link?.isOpen == false && link?.endedWith == .reset)
    }

    @Test func `a connection that was open before the log began has no start and no peer`() {
        var trace = Trace()
        let first = trace.notify(0x40, 5)
        trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome[first].codes == [.unknownConnection])
        #expect(outcome.links.first?.mayLackEarlierPackets == true)
        #expect(outcome.links.first?.address == nil)
    }

    @Test func `a connection of which the log has only the end is listed`() {
        var trace = Trace()
        let end = trace.disconnect(0x40, reason: 0x08)
        // A second end on the handle is of no connection.
        trace.disconnect(0x40, reason: 0x08)
        let outcome = trace.run()
        #expect(
            outcome.links.map(\.endReason) == [0x08] && outcome.links.first?.mayLackEarlierPackets == true)
        #expect(outcome[end].codes.contains(.abnormalDisconnection))
        #expect(outcome.totals?.firstError?.count == 1)
        var stream = Trace()
        stream.connect(0x40, phone)
        // LE Create CIS: one stream, 0x60, of the connection.
        stream.add(.command, .hostToController, octets("64 20 05 01 6000 4000"))
        stream.disconnect(0x60)
        #expect(stream.run().links.count == 1)
    }

    @Test func `a request that a new link on its handle cuts off is the old link's`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        let request = trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        let next = trace.connect(0x40, other)
        let outcome = trace.run()
        #expect(outcome[next].codes == [.connectionReplaced, .noResponse])
        let problem = outcome[next].problems.last
        #expect(problem?.connection == 1)
        #expect(problem?.sentence == "the Read Request of frame \(request) never got a response")
        #expect(outcome.totals?.firstError?.connection == 1)
        #expect(outcome.links.map(\.counts.problems) == [1, 1])
        #expect(outcome.links.map { $0.firstProblem == nil } == [false, true])
    }

    @Test func `a packet after its connection's end is not of a link from before the log`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        let end = trace.disconnect(0x40)
        trace.wait(seconds: 2)
        let late = trace.notify(0x40, 5)
        let outcome = trace.run()
        #expect(outcome[late].codes == [.unknownConnection])
        #expect(outcome[late].problems.first?.sentence.contains(" ended at frame \(end), ") == true)
        #expect(outcome.links.last?.predecessor?.connection == 1)
        #expect(outcome.links.last?.predecessor?.frame.frame == end)
    }

    private static func note(_ text: String, ident: String = "blecap") -> [UInt8] {
        [6, UInt8(ident.utf8.count + 1)] + Array(ident.utf8) + [0] + Array(text.utf8) + [0]
    }

    @Test func `a link that the recorder noted as up already has its peer from the note`() {
        var trace = Trace()
        trace.add(
            .monitor, .unknown,
            Self.note("link already up: handle 0x0040, LE, \(phone) (random), outgoing"), foreignType: 13)
        let first = trace.notify(0x40, 5)
        // Said again, as at the start of the next file of the recording.
        trace.add(
            .monitor, .unknown,
            Self.note("link already up: handle 0x0040, LE, \(other) (random), outgoing"), foreignType: 13)
        trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome[first].codes == [])
        #expect(outcome.links.count == 1)
        #expect(outcome.links.first?.mayLackEarlierPackets == true)
        #expect(outcome.links.first?.address == address(phone, .random))
    }

    @Test(arguments: [
        "link already up: handle 0x0040, LE, 00:11:22:33:44 (random), outgoing",
        "link already up: handle 0xFFFF, LE, 00:11:22:33:44:55, outgoing",
        "link already up: handle 0x, LE, 00:11:22:33:44:55, outgoing",
        "link already up: handle 0x0040, LE, , outgoing", "link already up: handle 0x0040",
        "link already up: handle 0x0040, SCO, 00:11:22:33:44:55, outgoing",
        "link already up: handle 0x0040, eSCO, 00:11:22:33:44:55, incoming",
    ])
    func `an invalid note opens no link`(text: String) {
        var trace = Trace()
        trace.add(.monitor, .unknown, Self.note(text), foreignType: 13)
        let foreign = "link already up: handle 0x0040, LE, 00:11:22:33:44:55, outgoing"
        trace.add(.monitor, .unknown, Self.note(foreign, ident: "other"), foreignType: 13)
        trace.add(.monitor, .unknown, [6, 200, 1], foreignType: 13)
        #expect(trace.run().links.isEmpty)
    }

    @Test func `an answer at the start of a log that has no request is no problem`() {
        var trace = Trace()
        trace.att(0x40, .rx, ATTReadResponse(value: [1, 2]))
        trace.att(0x40, .tx, ATTHandleValueConfirmation())
        trace.read(0x40, 3, [1])
        let stray = trace.att(0x40, .rx, ATTReadResponse(value: [1, 2]))
        let outcome = trace.run()
        #expect(outcome.frames(with: .unexpectedResponse) == [stray])
    }

    @Test func `a connection whose end is missing stays open at the end of the log`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        trace.read(0x40, 3, [1])
        let outcome = trace.run()
        #expect(outcome.links.first?.isOpen == true)
        #expect(outcome.links.first?.endReason == nil)
    }

    @Test func `a new connection on a handle ends the one that was on it`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        let again = trace.connect(0x40, other)
        let use = trace.read(0x40, 3, [1])
        let outcome = trace.run()
        #expect(outcome[again].codes == [.connectionReplaced])
        #expect(outcome[again].link == 2)
        #expect(outcome[use].link == 2)
        #expect(outcome.links.map(\.isOpen) == [false, true])
        #expect(outcome.links.map(\.address) == [address(phone), address(other)])
    }

    @Test(arguments: ["reset", "closed", "removed", "added"])
    func `a reset or a closed adapter ends all its connections and no other's`(_ how: String) {
        var trace = Trace()
        trace.connect(0x40, phone)
        trace.adapter = 1
        trace.connect(0x40, other)
        trace.adapter = 0
        switch how {
        case "reset": trace.command(HCIReset())
        case "closed": trace.add(.monitor, .unknown, [], foreignType: 9)
        case "removed": trace.add(.monitor, .unknown, [], foreignType: 1)
        default:
            trace.add(.monitor, .unknown, [0, 1] + [UInt8](repeating: 0, count: 14), foreignType: 0)
        }
        let after = trace.notify(0x40, 3)
        trace.adapter = 1
        let kept = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome[after].codes.contains(.unknownConnection))
        #expect(outcome[after].link == 3)
        #expect(outcome[kept].link == 2)
        #expect(outcome.links.map(\.isOpen) == [false, true, true])
    }

    @Test func `equal handles on two adapters are two connections`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        trace.adapter = 1
        trace.connect(0x40, other)
        let second = trace.read(0x40, 3, [1])
        trace.adapter = 0
        let first = trace.read(0x40, 3, [1])
        let outcome = trace.run()
        #expect(outcome[first].link == 1)
        #expect(outcome[second].link == 2)
        #expect(outcome[second].identity == address(other))
    }

    @Test func `equal handles in two files are two connections`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        trace.file = 1
        trace.connect(0x40, other)
        trace.read(0x40, 3, [1])
        let outcome = trace.run()
        #expect(outcome.seen.last?.link == 2)
        #expect(outcome.codes.isEmpty)
    }

    @Test func `a connection that fails is a problem, one that the host gave up is not`() {
        var trace = Trace()
        let failed = trace.event(LEConnectionComplete { $0.status = HCIStatus(rawValue: 0x3E) }.packet)
        trace.event(LEConnectionComplete { $0.status = HCIStatus(rawValue: 0x02) }.packet)
        let outcome = trace.run()
        #expect(outcome.frames(with: .connectionFailed) == [failed])
        #expect(outcome.links.isEmpty)
    }

    @Test(arguments: [(0x08, true), (0x3D, true), (0x13, false), (0x16, false)] as [(UInt8, Bool)])
    func `a connection that nobody ended is a problem`(_ reason: UInt8, _ isProblem: Bool) {
        var trace = Trace()
        trace.connect(0x40, phone)
        let end = trace.disconnect(0x40, reason: reason)
        #expect(trace.run().frames(with: .abnormalDisconnection) == (isProblem ? [end] : []))
    }

    @Test func `a disconnection that failed leaves the connection open`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        trace.event(
            HCIDisconnectionComplete {
                $0.status = HCIStatus(rawValue: 0x0C)
                $0.connectionHandle = 0x40
            }.packet)
        let use = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome[use].link == 1)
        #expect(outcome.links.first?.isOpen == true)
    }

    @Test func `phases are timed`() {
        var trace = Trace()
        trace.step = 10_000_000
        trace.command(LESetScanEnable { $0.leScanEnable = 1 })
        trace.command(LECreateConnection { $0.peerAddress = address(phone) })
        trace.connect(0x40, phone)
        trace.att(0x40, .tx, ATTExchangeMTURequest(clientMTU: 247))
        trace.att(0x40, .rx, ATTExchangeMTUResponse(serverMTU: 185))
        trace.discover(0x40, .simple())
        trace.write(0x40, 4, [1, 0])
        trace.write(0x40, 6, [7])
        trace.notify(0x40, 3)
        trace.encrypted(0x40)
        trace.disconnect(0x40)
        let outcome = trace.run()
        guard let link = outcome.links.first else {
            Issue.record("no link")
            return
        }
        #expect(link.attMTU == 185)
        let phases = link.phases
        let times = [
            phases.scanStarted, phases.connectStarted, phases.connected, phases.mtuExchanged,
            phases.discoveryStarted, phases.discoveryEnded, phases.subscribed, phases.firstWrite,
            phases.firstNotification, phases.encrypted, phases.disconnected,
        ]
        #expect(!times.contains { $0 == nil })
        let known = times.compactMap { $0?.nanoseconds }
        #expect(known == known.sorted())
        #expect(Set(known).count == known.count)
        #expect(outcome.codes.isEmpty)
    }
}
