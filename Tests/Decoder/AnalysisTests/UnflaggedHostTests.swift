import Analysis
import BluetoothCore
import CaptureFile
import Testing

/// Records without direction (link type 187) of a host that starts its PDUs on LE with boundary 2, which only
/// the controller should.
@Suite struct UnflaggedHostTests {
    let peer = "00:11:22:33:44:55"

    /// A session whose host is central (role 0) or peripheral (1), its way of every PDU, and every start with
    /// boundary 2.
    func session(role: UInt8, firstSecurityRequest: Bool = false) -> (Trace, [(Int, Trace.Way)]) {
        var trace = Trace()
        trace.keepsDirection = false
        trace.connect(0x40, peer, role: role)
        let client: Trace.Way = role == 0 ? .tx : .rx
        var sent: [(Int, Trace.Way)] = []
        func start(_ way: Trace.Way, _ channel: UInt8, _ pdu: [UInt8]) {
            sent.append((trace.acl(0x40, way, boundary: 2, [UInt8(pdu.count), 0, channel, 0] + pdu), way))
        }
        if firstSecurityRequest { start(client.other, 6, [0x0B, 1]) }
        start(client, 4, [0x02, 0x87, 0])
        start(client.other, 4, [0x03, 0x17, 0])
        start(client, 4, [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28])
        start(client.other, 4, [0x01, 0x10, 1, 0, 0x0A])
        start(client, 4, [0x52, 3, 0, 1])
        start(client.other, 4, [0x1B, 3, 0, 1])
        start(client.other, 4, [0x1D, 3, 0, 1])
        start(client, 4, [0x1E])
        return (trace, sent)
    }

    @Test(arguments: [(UInt8(0), false), (1, false), (0, true), (1, true)])
    func `roles and opcodes tell what the flag does not`(_ role: UInt8, _ asksFirst: Bool) {
        let (trace, sent) = session(role: role, firstSecurityRequest: asksFirst)
        let outcome = trace.run()
        for (number, way) in sent {
            #expect(outcome[number].frame.direction == way.direction, "frame \(number)")
            #expect(outcome[number].frame.directionIsInferred)
        }
        #expect(outcome.codes.allSatisfy { $0 == .notSubscribed })
    }

    @Test func `a host that flags its starts leaves the flag to tell, whoever asks`() {
        var trace = Trace()
        trace.keepsDirection = false
        trace.connect(0x40, peer)
        trace.acl(0x40, .tx, boundary: 0, [3, 0, 4, 0, 0x02, 0x87, 0])
        trace.acl(0x40, .rx, boundary: 2, [3, 0, 4, 0, 0x03, 0x17, 0])
        // The peripheral is a client too.
        let asked = trace.acl(0x40, .rx, boundary: 2, [3, 0, 4, 0, 0x0A, 3, 0])
        let answer = trace.acl(0x40, .tx, boundary: 0, [2, 0, 4, 0, 0x0B, 1])
        let outcome = trace.run()
        #expect(outcome[asked].frame.direction == .controllerToHost)
        #expect(outcome[answer].frame.direction == .hostToController)
        #expect(outcome[answer].frame.request?.frame == asked)
    }

    @Test func `without a role a side that both asks and answers is unknown, and nothing is wrong with it`() {
        var trace = Trace()
        trace.keepsDirection = false
        trace.acl(0x40, .tx, boundary: 2, [3, 0, 4, 0, 0x0A, 3, 0])
        let answer = trace.acl(0x40, .rx, boundary: 2, [2, 0, 4, 0, 0x0B, 1])
        let next = trace.acl(0x40, .tx, boundary: 2, [3, 0, 4, 0, 0x0A, 5, 0])
        let outcome = trace.run()
        #expect(outcome[answer].frame.direction == .unknown)
        #expect(outcome[next].frame.direction == .unknown)
        #expect(!outcome.codes.contains(.unexpectedResponse))
        #expect(!outcome.codes.contains(.requestWhilePending))
    }

    @Test func `a peer that asked first is no more taken for the host when that flags a start`() {
        var trace = Trace()
        trace.keepsDirection = false
        trace.connect(0x40, peer)
        let asked = trace.acl(0x40, .rx, boundary: 2, [3, 0, 4, 0, 0x02, 0x87, 0])
        let answer = trace.acl(0x40, .tx, boundary: 0, [3, 0, 4, 0, 0x03, 0x17, 0])
        let next = trace.acl(0x40, .tx, boundary: 0, [3, 0, 4, 0, 0x02, 0x87, 0])
        let last = trace.acl(0x40, .rx, boundary: 2, [3, 0, 4, 0, 0x03, 0x17, 0])
        let outcome = trace.run()
        #expect(outcome[answer].frame.direction == .hostToController)
        #expect(outcome[answer].frame.request?.frame == asked)
        #expect(outcome[last].frame.request?.frame == next)
        #expect(outcome.codes.isEmpty)
    }

    @Test func `what a peer wrote before the host flags a start is as where the file keeps directions`()
        throws
    {
        func link(keepsDirection: Bool) throws -> Link {
            var trace = Trace()
            trace.keepsDirection = keepsDirection
            trace.connect(0x40, peer)
            trace.acl(0x40, .rx, boundary: 2, [5, 0, 4, 0, 0x12, 0x10, 0, 1, 0])
            trace.acl(0x40, .tx, boundary: 0, [1, 0, 4, 0, 0x13])
            trace.acl(0x40, .tx, boundary: 0, [3, 0, 4, 0, 0x0A, 0x20, 0])
            trace.acl(0x40, .rx, boundary: 2, [2, 0, 4, 0, 0x0B, 7])
            trace.acl(0x40, .tx, boundary: 0, [4, 0, 4, 0, 0x12, 0x20, 0, 5])
            trace.acl(0x40, .rx, boundary: 2, [1, 0, 4, 0, 0x13])
            // What the peer asked for, which the host was taken to have asked for at first.
            trace.acl(0x40, .tx, boundary: 0, [4, 0, 4, 0, 0x1B, 0x0F, 0, 9])
            let outcome = trace.run()
            #expect(outcome.codes.isEmpty)
            return try #require(outcome.links.first)
        }
        let (kept, inferred) = (try link(keepsDirection: true), try link(keepsDirection: false))
        #expect(kept.phases.firstWrite != nil)
        #expect(inferred.phases.firstWrite == kept.phases.firstWrite)
        // Of both sides, whoever is the client.
        #expect(inferred.counts.writes.total == 2 && kept.counts.writes.total == 2)
    }
}
