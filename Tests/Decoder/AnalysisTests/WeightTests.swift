import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import UQDK
import WireBytes

@testable import Analysis

/// What is named first of all that went wrong.
@Suite struct WeightTests {
    let peer = "00:11:22:33:44:55"

    static let kinds: [(AnnotationProblem.Kind, Problem.Severity)] = [
        (.requestUnanswered, .unanswered), (.requestTimeout, .unanswered), (.status, .error),
        (.unsecuredResponse, .error), (.authenticationRequired, .warning),
        (AnnotationProblem.Kind("profile.cut", .warning), .warning),
    ]

    @Test(arguments: kinds)
    func `a problem of a protocol above ATT weighs by its own kind`(
        _ kind: AnnotationProblem.Kind, _ severity: Problem.Severity
    ) {
        let problem = AnnotatedProblem(.uqdk, AnnotationProblem(kind, "what is wrong"))
        #expect(Problem(.annotated(problem)).severity == severity)
    }

    @Test func `the gravest is named before the earliest, and each once`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        for _ in 0..<2 {
            trace.att(0x40, .tx, ATTReadRequest(handle: 7))
            trace.att(
                0x40, .rx, ATTErrorResponse(request: .readRequest, handle: 7, error: .invalidHandle))
        }
        trace.att(0x40, .tx, ATTReadRequest(handle: 9))
        trace.wait(seconds: 31)
        let last = trace.notify(0x40, 20)
        let wrong = trace.run().totals?.incidents ?? []
        #expect(wrong.map(\.problem.code) == [.attTimeout, .attError, .notSubscribed])
        #expect(wrong.map(\.place.frame) == [last - 1, 3, last])
        #expect(wrong.map(\.count) == [1, 2, 1])
    }

    @Test func `an indication that nobody confirms weighs less than a request without an answer`() {
        var trace = Trace()
        trace.connect(0x40, peer, role: 1)
        trace.att(0x40, .tx, ATTHandleValueIndication(handle: 3, value: [1]))
        trace.att(0x40, .tx, ATTReadRequest(handle: 9))
        trace.wait(seconds: 31)
        trace.notify(0x40, 20)
        let wrong = trace.run().totals?.incidents.filter { $0.severity >= .error } ?? []
        #expect(wrong.map(\.isDecisive) == [true, false])
    }

    @Test func `a log in which nothing failed still names what is odd`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let odd = trace.notify(0x40, 20)
        let totals = trace.run().totals
        #expect(totals?.firstError == nil)
        #expect(totals?.incidents.first?.place.frame == odd)
    }

    @Test func `each connection counts once, however they take turns`() {
        var trace = Trace()
        let handles = UInt16(0x40)..<0x68
        for handle in handles { trace.connect(handle, peer) }
        for _ in 0..<2 {
            for handle in handles { trace.notify(handle, 20) }
        }
        let wrong = trace.run().totals?.incidents.first
        #expect(wrong?.problem.code == .notSubscribed)
        #expect(wrong?.count == 80 && wrong?.connections == 40)
        // Of those past the first few it is not known whether they came before.
        #expect(wrong?.mayHaveMoreConnections == true)
    }

    /// As many connections as these handles; `body` does something on each, the newest first.
    private func backwards(_ handles: Range<UInt16>, _ body: (inout Trace, UInt16) -> Void) -> Incident? {
        var trace = Trace()
        for handle in handles { trace.connect(handle, peer) }
        for handle in handles.reversed() { body(&trace, handle) }
        return trace.run().totals?.incidents.first
    }

    @Test func `of many connections in any order as many are told as are known, and of ends each is one`() {
        let few = backwards(0x40..<0x60) { $0.notify($1, 20) }
        #expect(few?.count == 32 && few?.connections == 32 && few?.mayHaveMoreConnections == false)
        let many = backwards(0x40..<0x68) { $0.notify($1, 20) }
        #expect(many?.count == 40 && many?.connections == 33 && many?.mayHaveMoreConnections == true)
        let lost = backwards(0x40..<0x68) { $0.disconnect($1, reason: 8) }
        #expect(lost?.problem.code == .abnormalDisconnection)
        #expect(lost?.count == 40 && lost?.connections == 40 && lost?.mayHaveMoreConnections == false)
    }

    @Test func `a frame of no connection is no connection`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        // Read BD_ADDR has no parameters, Disconnect three octets.
        trace.add(.command, .hostToController, octets("0910 01"))
        trace.add(.command, .hostToController, octets("0604 04 4000 13 00 FF"))
        let wrong = trace.run().totals?.incidents.first
        #expect(wrong?.problem.code == .malformedHCI)
        #expect(wrong?.count == 2 && wrong?.connections == 1)
    }
}
