import Analysis
import BluetoothCore
import Testing

/// Logs whose recorder keeps only the start of ACL data, as Android does.
@Suite struct CutLogTests {
    let peer = "00:11:22:33:44:55"
    let value = [UInt8](1...20)

    @Test(arguments: [(14, 3), (13, 2)])
    func `what the octets left allow is named, and marked as cut`(_ kept: Int, _ valueOctets: Int) {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        trace.keptACL = kept
        let write = trace.att(0x40, .tx, ATTWriteCommand(handle: 6, value: value))
        let notification = trace.notify(0x40, 3, value)
        let request = trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        let response = trace.att(0x40, .rx, ATTReadResponse(value: value))
        let outcome = trace.run()
        #expect(outcome[write].labelText == "FFF0/FFF2 value discovered")
        #expect(outcome[write].frame.att?.opcode == .writeCommand)
        #expect(outcome[write].frame.att?.value?.count == valueOctets)
        #expect(outcome[write].frame.l2cap?.isCut == true)
        #expect(outcome[write].frame.l2cap?.length == 23)
        #expect(outcome[write].frame.l2cap?.captured == kept - 8)
        #expect(outcome[write].codes == [.recordCut])
        #expect(outcome[notification].labelText == "FFF0/FFF1 value discovered")
        #expect(outcome[response].frame.request?.frame == request)
        #expect(outcome[response].labelText == "FFF0/FFF1 value discovered")
        #expect(outcome.codes.allSatisfy { $0 == .recordCut || $0 == .notSubscribed })
    }

    @Test func `discovery that is cut teaches only what is there whole`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.keptACL = 14
        trace.discover(0x40, .simple())
        // The type of a service discovery is the first thing that 14 octets don't hold.
        let frames = [1, 3, 6].map { trace.read(0x40, $0, value) }
        let outcome = trace.run()
        #expect(frames.map { outcome[$0].labelText } == ["none", "none", "none"])
        #expect(!outcome.codes.contains(.malformedATT))
    }

    @Test func `a descriptor's type that is there whole is known from a cut log`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.keptACL = 14
        trace.att(0x40, .tx, ATTFindInformationRequest(startingHandle: 4, endingHandle: 8))
        trace.att(
            0x40, .rx,
            ATTFindInformationResponse(format: 1, information: [4, 0, 2, 0x29, 5, 0, 1, 0x29]))
        let known = trace.read(0x40, 4, [1])
        let unknown = trace.read(0x40, 5, [1])
        let outcome = trace.run()
        #expect(outcome[known].labelText == "?/? descriptor 2902 discovered")
        #expect(outcome[unknown].labelText == "none")
    }

    @Test func `a short start with a full continuation is never a whole PDU`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let pdu = [27, 0, 4, 0, 0x1B, 3, 0] + [UInt8](0..<24)
        let start = trace.acl(0x40, .rx, boundary: 2, Array(pdu[..<20]), kept: 13)
        let continuation = trace.acl(0x40, .rx, boundary: 1, Array(pdu[20...]))
        let next = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome[start].frame.att?.handle == 3)
        #expect(outcome[start].frame.l2cap?.isCut == true)
        #expect(outcome[continuation].frame.att == nil)
        #expect(outcome[continuation].codes.isEmpty)
        #expect(outcome[next].frame.att?.handle == 3)
        #expect(outcome[next].codes == [.notSubscribed])
    }

    @Test func `a long write with a cut part is not put together`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let prepare = { (offset: UInt16, value: [UInt8]) -> any ATTPDU in
            ATTPrepareWriteRequest(handle: 6, offset: offset, value: value)
        }
        trace.att(0x40, .tx, prepare(0, [1, 2, 3]))
        trace.keptACL = 14
        trace.att(0x40, .tx, prepare(3, [4, 5, 6]))
        let execute = trace.att(0x40, .tx, ATTExecuteWriteRequest(flags: 1))
        let outcome = trace.run()
        #expect(!outcome[execute].codes.contains(.uqdk))
        #expect(outcome[execute].frame.att?.opcode == .executeWriteRequest)
    }
}
