import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

@testable import Analysis

@Suite struct RecordProblemTests {
    let peer = "00:11:22:33:44:55"

    @Test func `a clock that runs backwards and one that jumps ahead are told`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.wait(seconds: -3_600)
        let back = trace.notify(0x40, 3)
        trace.wait(seconds: -0.05)
        trace.notify(0x40, 3)
        trace.wait(seconds: 3 * 86_400)
        let ahead = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome.frames(with: .clockBackwards) == [back])
        #expect(outcome[back].problems.first?.sentence == "the clock went back by 60.0 min")
        #expect(outcome.frames(with: .clockJump) == [ahead])
    }

    @Test func `the time that a log covers is never less than nothing`() throws {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.wait(seconds: 60)
        let latest = trace.notify(0x40, 3)
        trace.wait(seconds: -3_600)
        let earliest = trace.notify(0x40, 3)
        trace.wait(seconds: 10)
        trace.notify(0x40, 3)
        let outcome = trace.run()
        let totals = try #require(outcome.totals)
        #expect(totals.first == outcome[earliest].frame.time)
        #expect(totals.last == outcome[latest].frame.time)
    }

    @Test func `a latency across a clock that was set back is negative, and no timeout`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        trace.wait(seconds: -60)
        let response = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        let outcome = trace.run()
        #expect(outcome[response].frame.request?.latency ?? 0 < 0)
        #expect(!outcome.codes.contains(.attTimeout))
    }

    @Test func `what waits when the clock is set ahead is not overdue`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        trace.wait(seconds: 3 * 86_400)
        let response = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome[response].codes == [.clockJump])
        #expect(outcome[response].frame.request != nil)
        #expect(outcome.totals?.firstError == nil)
    }

    @Test func `packets that the recorder lost are counted, and no PDU is completed across them`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.acl(0x40, .rx, boundary: 2, [8, 0, 4, 0, 0x1B, 3, 0, 1])
        trace.drops = 3
        let lost = trace.acl(0x40, .rx, boundary: 1, [2, 3, 4, 5])
        let outcome = trace.run()
        #expect(outcome[lost].codes == [.drops, .fragmentWithoutStart])
        #expect(outcome[lost].problems.first?.sentence == "the recorder lost 3 packets before this one")
        #expect(outcome.seen.allSatisfy { $0.frame.att == nil })
    }

    @Test func `fragments that never come are told where the next PDU starts`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let start = trace.acl(0x40, .rx, boundary: 2, [8, 0, 4, 0, 0x1B, 3, 0, 1])
        let next = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome[next].codes.first == .fragmentsLost)
        #expect(
            outcome[next].problems.first?.sentence == "the PDU begun at frame \(start) was never completed")
    }

    @Test(arguments: [(0x13, true), (0x16, true), (0x08, false)] as [(UInt8, Bool)])
    func `fragments that the end of their connection cuts off are told, unless the connection was lost`(
        _ reason: UInt8, _ isTold: Bool
    ) {
        var trace = Trace()
        trace.connect(0x40, peer)
        let start = trace.acl(0x40, .rx, boundary: 2, [8, 0, 4, 0, 0x1B, 3, 0, 1])
        trace.acl(0x40, .rx, boundary: 2, [8, 0, 4, 0, 0x1B, 3, 0, 1])
        var open = trace
        trace.disconnect(0x40, reason: reason)
        let lost = trace.run().totals?.incidents.filter { $0.problem.code == .fragmentsLost } ?? []
        #expect(lost.map(\.count) == [isTold ? 2 : 1])
        #expect(lost.first?.problem.related.map(\.frame) == [start])
        open.wait(seconds: 2)
        open.connect(0x41, peer)
        let atEnd = open.run().totals?.incidents.filter { $0.problem.code == .fragmentsLost } ?? []
        #expect(atEnd.map(\.count) == [2] && atEnd.first?.problem.isOnAir == false)
    }

    @Test func `a vendor's data is told once and opens no connection`() {
        var trace = Trace()
        let first = trace.acl(0xEDC, .rx, boundary: 2, [1, 2, 3, 4, 5, 6])
        trace.acl(0xEDC, .rx, boundary: 2, [1, 2, 3, 4, 5, 6])
        trace.acl(0xF01, .tx, boundary: 0, [1, 2, 3, 4, 5, 6])
        let outcome = trace.run()
        #expect(outcome.codes == [.vendorACL])
        #expect(outcome[first].frame.acl?.isVendor == true)
        #expect(outcome.links.isEmpty)
        #expect(outcome.totals?.vendorPackets == 3)
    }

    @Test func `a packet that announces more than there is opens no connection`() {
        for announced in [UInt8(0xCC), 0x08] {
            var trace = Trace()
            trace.add(
                .acl, .controllerToHost, octets("CC2C") + [announced, 0] + [4, 0, 4, 0] + octets("0A0300FF"))
            #expect(trace.run().links.count == (announced == 8 ? 1 : 0))
        }
    }

    @Test func `a connection on the vendor's handle is a connection`() {
        var trace = Trace()
        trace.connect(0xEDC, peer)
        let use = trace.read(0xEDC, 3, [1])
        let outcome = trace.run()
        #expect(outcome[use].link == 1)
        #expect(outcome[use].frame.att?.handle == 3)
    }

    @Test func `records that are empty or of a type that nothing names are told`() {
        var trace = Trace()
        let empty = trace.add(.unknown, .unknown, [])
        let odd = trace.add(.unknown, .unknown, [0x55], foreignType: 9)
        let outcome = trace.run()
        #expect(outcome[empty].codes == [.emptyRecord])
        #expect(outcome[odd].codes == [.unknownPacketType])
    }

    @Test func `lengths that lie are malformed, cut records are not`() {
        var trace = Trace()
        let lying = trace.add(.event, .controllerToHost, [0x0E, 9, 1, 3, 0x0C, 0])
        let cut = trace.add(.event, .controllerToHost, [0x0E, 9, 1, 3, 0x0C, 0], original: 11)
        let long = trace.add(.acl, .controllerToHost, [0x40, 0x20, 9, 0, 1])
        let outcome = trace.run()
        #expect(outcome[lying].codes.contains(.malformedHCI))
        #expect(outcome[cut].codes == [.recordCut])
        #expect(outcome[long].codes.contains(.malformedHCI))
    }

    @Test func `what a record's header says and can't be is told, and the record is decoded`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.faults = .originalLength
        let length = trace.read(0x40, 3, [1])
        trace.faults = [.originalLength, .timeFraction]
        let both = trace.read(0x40, 3, [1])
        trace.faults = []
        let none = trace.read(0x40, 3, [1])
        let outcome = trace.run()
        #expect(outcome[length].codes == [.impossibleOriginalLength])
        #expect(outcome[both].codes == [.impossibleOriginalLength, .impossibleTimeFraction])
        #expect(outcome[none].codes.isEmpty)
        #expect(outcome[both].frame.att?.handle == 3)
    }

    @Test func `the first record behind damage is marked, and its requests are not called unanswered`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        (trace.faults, trace.drops) = (.behindDamage, 1)
        let first = trace.notify(0x40, 5)
        (trace.faults, trace.drops) = (.behindDamage, 5)
        let lossy = trace.notify(0x40, 5)
        trace.faults = []
        trace.wait(seconds: 40)
        let end = trace.disconnect(0x40, reason: 0x13)
        let outcome = trace.run()
        #expect(outcome[first].codes.contains(.behindDamage) && !outcome[first].codes.contains(.drops))
        #expect(outcome[lossy].codes.contains(.drops) && outcome.totals?.lostPackets == 5)
        #expect(outcome[end].codes.isEmpty)
    }

    @Test func `events that say that something failed are problems`() {
        var trace = Trace()
        trace.connect(0x40, "00:11:22:33:44:55")
        let overflow = trace.event([0x1A, 1, 1])
        let timeout = trace.event([0x57, 2, 0x40, 0])
        let outcome = trace.run()
        #expect(outcome[overflow].codes == [.dataBufferOverflow])
        #expect(outcome[timeout].codes == [.authenticatedPayloadTimeout])
        #expect(outcome[timeout].link == 1)
    }
}
