import Analysis
import BluetoothCore
import CaptureFile
import Testing
import WireBytes

/// What is named first of all that went wrong.
@Suite struct WeightTests {
    let peer = "00:11:22:33:44:55"

    static let names: [(Problem.Code, String, Problem.Severity)] = [
        (.uqdk, "uqdk.request.unanswered", .unanswered), (.uqdk, "uqdk.request.timeout", .unanswered),
        (.uqdk, "uqdk.status", .error), (.uqdk, "uqdk.tag.wrong", .error),
        (.uqdk, "uqdk.proof.wrong", .error), (.uqdk, "uqdk.counter.replayed", .error),
        (.uqdk, "uqdk.session.unsecured-request", .warning),
        (.uqdk, "uqdk.status.authentication-required", .warning),
        (.profile, "profile.misfit.checksum", .error), (.profile, "profile.cut", .warning),
    ]

    @Test(arguments: names)
    func `a problem of a protocol above ATT weighs by its own code`(
        _ code: Problem.Code, _ name: String, _ severity: Problem.Severity
    ) {
        #expect(Problem(code, name: name).severity == severity)
    }

    @Test func `the gravest is named before the earliest, and each once`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        for _ in 0..<2 {
            trace.att(0x40, .tx, .readRequest(.init(handle: 7)))
            trace.att(
                0x40, .rx, .errorResponse(.init(request: .readRequest, handle: 7, error: .invalidHandle)))
        }
        trace.att(0x40, .tx, .readRequest(.init(handle: 9)))
        trace.wait(seconds: 31)
        let last = trace.notify(0x40, 20)
        let wrong = trace.run().totals?.wrong ?? []
        #expect(wrong.map(\.problem.code) == [.attTimeout, .attError, .notSubscribed])
        #expect(wrong.map(\.place.frame) == [last, 3, last])
        #expect(wrong.map(\.count) == [1, 2, 1])
    }

    @Test func `a log in which nothing failed still names what is odd`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let odd = trace.notify(0x40, 20)
        let totals = trace.run().totals
        #expect(totals?.firstError == nil)
        #expect(totals?.wrong.first?.place.frame == odd)
    }

    @Test func `each connection counts once, however they take turns`() {
        var trace = Trace()
        let handles = UInt16(0x40)..<0x68
        for handle in handles { trace.connect(handle, peer) }
        for _ in 0..<2 {
            for handle in handles { trace.notify(handle, 20) }
        }
        let wrong = trace.run().totals?.wrong.first
        #expect(wrong?.problem.code == .notSubscribed)
        #expect(wrong?.count == 80 && wrong?.connections == 40)
    }
}
