import Analysis
import BluetoothCore
import Testing

/// Pairings that did not come about.
@Suite struct PairingTests {
    let peer = "00:11:22:33:44:55"
    let response = SMPCode(rawValue: 0x02)
    let key = SMPCode(rawValue: 0x0C)

    private func started() -> Trace {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.smp(0x40, .tx, .pairingRequest)
        return trace
    }

    @Test func `a pairing request without an answer is told when its time is over`() {
        var trace = started()
        let request = trace.last
        trace.wait(seconds: 31)
        let other = trace.command(LESetScanEnable())
        trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome.frames(with: .pairingUnanswered) == [other])
        let start = "pairing stopped: Pairing Request of frame \(request) had no answer "
        #expect(outcome[other].problems.first?.sentence.hasPrefix(start) == true)
        #expect(outcome[other].problems.first?.connection == 1)
        #expect(!outcome.codes.contains(.pairingUnfinished))
        #expect(outcome.links.first?.pairingWasUnfinished == true)
        #expect(outcome.totals?.firstError?.problem.code == .pairingUnanswered)
    }

    @Test func `each PDU of a pairing starts the timer anew`() {
        var trace = started()
        for way in [Trace.Way.rx, .tx] {
            trace.wait(seconds: 20)
            trace.smp(0x40, way, way == .rx ? response : key)
        }
        trace.wait(seconds: 20)
        trace.notify(0x40, 3)
        #expect(!trace.run().codes.contains(.pairingUnanswered))
    }

    @Test func `a connection that ends during pairing names the last PDU`() {
        var trace = started()
        trace.smp(0x40, .rx, response)
        trace.smp(0x40, .tx, key)
        let last = trace.smp(0x40, .rx, key)
        trace.wait(seconds: 2)
        let end = trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome[end].codes == [.pairingUnfinished])
        let name = "the peer's Pairing Public Key of frame \(last)"
        let text = "pairing was not finished: the peer ended the connection 2.0 s after \(name)"
        #expect(outcome[end].problems.first?.sentence == text)
    }

    @Test func `a pairing under way when the log ends is what waits`() {
        let request = started().run().links.first?.openRequests.first
        #expect(request?.name == "Pairing Request" && request?.frame == 2)
    }

    @Test func `pairings that failed, were encrypted, or can't be seen whole are not told`() {
        var failed = started()
        failed.smp(0x40, .rx, .pairingFailed, [5])
        var encrypted = started()
        encrypted.smp(0x40, .rx, response)
        encrypted.encrypted(0x40)
        var keys = started()
        keys.smp(0x40, .rx, response)
        keys.smp(0x40, .rx, .identityInformation, [UInt8](repeating: 3, count: 16))
        var open = Trace()
        open.smp(0x40, .tx, .pairingRequest)
        var dropped = started()
        dropped.drops = 1
        var asked = Trace()
        asked.connect(0x40, peer)
        asked.smp(0x40, .rx, .securityRequest, [1])
        for trace in [failed, encrypted, keys, open, dropped, asked] {
            var trace = trace
            trace.notify(0x40, 3)
            trace.wait(seconds: 40)
            trace.disconnect(0x40)
            let codes = trace.run().codes
            #expect(!codes.contains(.pairingUnanswered) && !codes.contains(.pairingUnfinished))
        }
    }
}
