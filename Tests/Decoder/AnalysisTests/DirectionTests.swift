import Analysis
import BluetoothCore
import CaptureFile
import Testing

/// Records of a format that keeps no direction for ACL data (link type 187).
@Suite struct DirectionTests {
    let peer = "00:11:22:33:44:55"

    func undirected() -> Trace {
        var trace = Trace()
        trace.keepsDirection = false
        return trace
    }

    @Test func `on LE the boundary flag of a start tells, and says that it was inferred`() {
        var trace = undirected()
        trace.connect(0x40, peer)
        let request = trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        let response = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        let outcome = trace.run()
        #expect(outcome[request].frame.direction == .hostToController)
        #expect(outcome[response].frame.direction == .controllerToHost)
        #expect(outcome[request].frame.directionIsInferred)
        #expect(outcome[response].frame.directionIsInferred)
        #expect(outcome[response].frame.request?.frame == request)
    }

    @Test func `a continuation goes with the PDU that is under way`() {
        var trace = undirected()
        trace.connect(0x40, peer)
        let end = trace.att(
            0x40, .tx, ATTWriteCommand(handle: 3, value: [UInt8](1...30)), sizes: [20])
        let outcome = trace.run()
        #expect(outcome[end].frame.direction == .hostToController)
        #expect(outcome[end].frame.att?.value?.count == 30)
    }

    @Test func `of two PDUs under way a continuation belongs to the one that has room for it`() {
        var trace = undirected()
        trace.connect(0x40, peer)
        trace.acl(0x40, .tx, boundary: 0, [30, 0, 4, 0, 0x52, 3, 0, 1])
        trace.acl(0x40, .rx, boundary: 2, [6, 0, 4, 0, 0x1B, 3, 0, 1])
        let long = trace.acl(0x40, .tx, boundary: 1, [UInt8](1...26))
        let short = trace.acl(0x40, .rx, boundary: 1, [2, 3])
        let outcome = trace.run()
        #expect(outcome[long].frame.direction == .hostToController)
        #expect(outcome[long].frame.att?.opcode == .writeCommand)
        #expect(outcome[short].frame.direction == .controllerToHost)
        #expect(outcome[short].frame.att?.opcode == .handleValueNotification)
    }

    @Test func `a continuation that may be of either PDU completes none`() {
        var trace = undirected()
        trace.connect(0x40, peer)
        trace.acl(0x40, .tx, boundary: 0, [8, 0, 4, 0, 0x52, 3, 0, 1])
        trace.acl(0x40, .rx, boundary: 2, [8, 0, 4, 0, 0x1B, 3, 0, 1])
        let either = trace.acl(0x40, .tx, boundary: 1, [1, 2, 3, 4])
        let other = trace.acl(0x40, .rx, boundary: 1, [5, 6, 7, 8])
        let outcome = trace.run()
        #expect(outcome[either].frame.direction == .unknown)
        #expect(outcome[either].codes == [.fragmentWithoutStart])
        #expect(outcome[other].frame.att == nil)
    }

    @Test func `on BR and EDR a start of the host may look like the controller's`() {
        var trace = undirected()
        trace.connectClassic(0x40, peer)
        let start = trace.acl(0x40, .tx, boundary: 2, [4, 0, 1, 0, 0x0A, 1, 0, 0])
        #expect(trace.run()[start].frame.direction == .unknown)
    }

    @Test func `a link of unknown kind is LE where the channel says so`() {
        var trace = undirected()
        let attribute = trace.notify(0x40, 3)
        trace.adapter = 1
        let other = trace.acl(0x41, .rx, boundary: 2, [2, 0, 0x40, 0, 1, 2])
        let outcome = trace.run()
        #expect(outcome[attribute].frame.direction == .controllerToHost)
        #expect(outcome[other].frame.direction == .unknown)
    }
}
