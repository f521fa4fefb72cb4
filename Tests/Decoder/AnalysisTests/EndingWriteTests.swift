import BluetoothCore
import CaptureFile
import PayloadFormat
import Profiles
import Testing
import WireBytes

@testable import Analysis

/// A peer that ends its connection each time that the same is written.
@Suite struct EndingWriteTests {
    private static let peer = "5B:75:A2:26:D6:18"

    private func incidents(_ trace: Trace) -> [Incident] { trace.run().totals?.incidents ?? [] }

    private func failures(_ trace: Trace) -> [Incident] { incidents(trace).filter { $0.severity >= .error } }

    /// A connection that the peer ends at a write; the frames of the write and of the end.
    @discardableResult
    private func end(
        _ trace: inout Trace, at value: [UInt8] = [1, 2], answered: Bool = true, after seconds: Double = 0.2
    ) -> (write: Int, end: Int) {
        trace.connect(0x40, Self.peer, .random)
        trace.read(0x40, 3, [5])
        let write = trace.write(0x40, 5, value, answered: answered)
        trace.wait(seconds: seconds)
        let end = trace.disconnect(0x40, reason: 0x13)
        trace.wait(seconds: 2)
        return (write, end)
    }

    @Test(arguments: [true, false])
    func `ends at the same write are one failure of the peer`(_ isAnswered: Bool) {
        var trace = Trace()
        let first = end(&trace, answered: isAnswered)
        end(&trace, answered: isAnswered)
        end(&trace, answered: isAnswered)
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.endedByPeer])
        #expect(wrong.first?.count == 3 && wrong.first?.connections == 3)
        #expect(wrong.first?.place.frame == first.end && wrong.first?.problem.side == .peer)
        #expect(wrong.first?.problem.related.map(\.frame) == [first.write])
        #expect(wrong.first?.problem.use?.request.handle == 5)
        #expect(wrong.first?.consequences.map(\.problem.code).contains(.noResponse) == !isAnswered)
    }

    @Test func `the first of several ends keeps its place and time, though the second shows the failure`() {
        var trace = Trace()
        let first = end(&trace)
        let second = end(&trace)
        let wrong = failures(trace).first
        #expect(wrong?.order == first.end)
        let times = [first.end, second.end].map { trace.made[$0 - 1].header.time.nanoseconds }
        #expect(wrong?.occurrences.map(\.time) == times)
    }

    @Test(arguments: ["once", "other value", "late", "long after", "heard", "often", "device"])
    func `an end after a write may be wanted`(_ kind: String) {
        var trace = Trace()
        end(&trace, after: kind == "late" ? 3 : 0.2)
        if kind == "long after" { trace.wait(seconds: 100) }
        if kind != "once" {
            trace.connect(0x40, kind == "device" ? "5B:75:A2:26:D6:19" : Self.peer, .random)
            trace.write(0x40, 5, kind == "other value" ? [1, 3] : [1, 2])
            if kind == "heard" { trace.notify(0x40, 3) }
            if kind == "often" { trace.write(0x40, 5, [1, 2]) }
            trace.wait(seconds: kind == "late" ? 3 : 0.2)
            trace.disconnect(0x40, reason: 0x13)
        }
        #expect(incidents(trace).filter { $0.problem.code != .notSubscribed }.isEmpty)
    }

    @Test(arguments: [(3, 1.9, true), (4, 1.9, true), (2, 1.9, false), (3, 8, false)])
    func `a device that soon ends each connection is named in a log of events alone`(
        _ count: Int, _ seconds: Double, _ fails: Bool
    ) {
        var trace = Trace()
        for _ in 0..<count {
            trace.connectClassic(0x40, Self.peer)
            trace.wait(seconds: seconds)
            trace.disconnect(0x40, reason: 0x13)
            trace.wait(seconds: 10)
        }
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == (fails ? [.endedByPeer] : []))
        if fails { #expect(wrong.first?.count == count && wrong.first?.connections == count) }
    }

    @Test(
        arguments: [
            (0x16, nil, [3]), (0x08, nil, [3, 1]), (nil, 1...4, []), (nil, 5...6, []), (nil, 1...6, [3]),
        ] as [(UInt8?, ClosedRange<Int>?, [Int])])
    func `short visits are a failure in a row, and if enough of them are selected`(
        _ other: UInt8?, _ chosen: ClosedRange<Int>?, _ counts: [Int]
    ) {
        var trace = Trace()
        for number in 0..<(other == nil ? 3 : 5) {
            let isOther = other != nil && number == 1
            trace.connectClassic(0x40, Self.peer)
            trace.wait(seconds: isOther ? 20 : 1.9)
            trace.disconnect(0x40, reason: isOther ? other ?? 0 : 0x13)
            trace.wait(seconds: 10)
        }
        let analyzer = trace.selecting { chosen?.contains(Int($0.number)) == true }
        let totals = chosen == nil ? analyzer.totals : analyzer.selection?.totals ?? analyzer.totals
        let wrong = totals.incidents.filter { $0.severity >= .error }
        #expect(wrong.map(\.count).sorted(by: >) == counts)
    }

    @Test func `all short visits of a long series count in a selection`() {
        var trace = Trace()
        for _ in 0..<300 {
            trace.connectClassic(0x40, Self.peer)
            trace.wait(seconds: 1)
            trace.disconnect(0x40, reason: 0x13)
            trace.wait(seconds: 1)
        }
        let analyzer = trace.selecting()
        #expect(analyzer.totals.incidents.map(\.count) == [300])
        #expect(analyzer.selection?.totals.incidents.map(\.count) == [300])
    }

    @Test(arguments: [
        ("nothing", true), ("answer", true), ("late request", false), ("early request", true),
        ("MTU", false), ("refused", false), ("unknown timeout", false),
    ])
    func `a restart explains a loss if the device fell silent soon`(_ kind: String, _ isExpected: Bool) throws
    {
        var knowledge = AnalysisKnowledge()
        knowledge.profiles = ProfileSet([try Profile(json: Array(Self.profile.utf8))])
        var trace = Trace()
        if kind != "unknown timeout" { trace.connect(0x40, Self.peer, .random) }
        trace.discover(0x40, .simple())
        trace.att(0x40, .tx, ATTWriteRequest(handle: 6, value: [6]))
        if kind == "refused" {
            trace.att(
                0x40, .rx, ATTErrorResponse(request: .writeRequest, handle: 6, error: .writeNotPermitted))
        } else {
            trace.att(0x40, .rx, ATTWriteResponse())
        }
        if kind == "answer" { trace.notify(0x40, 3) }
        trace.wait(seconds: kind == "early request" ? 0.3 : 1.2)
        if kind.hasSuffix("request") {
            trace.att(0x40, .rx, ATTReadRequest(handle: 3))
            trace.att(0x40, .tx, ATTReadResponse(value: [1]))
        }
        if kind == "MTU" { trace.att(0x40, .rx, ATTExchangeMTURequest(clientMTU: 50)) }
        trace.wait(seconds: kind == "unknown timeout" ? 40 : 0.2)
        trace.disconnect(0x40, reason: 0x08)
        let lost = (trace.run(knowledge).totals?.incidents ?? []).filter {
            $0.problem.code == .abnormalDisconnection
        }
        #expect(lost.map { $0.severity < .error } == [isExpected])
    }

    /// A profile with a message that restarts the device, and one that does not.
    private static let profile = """
        {"name": "x", "channels": [{"name": "control", "select": {"at": 0},
          "attributes": [{"characteristic": "FFF2", "operations": ["write"]}], "messages": [
          {"name": "reset", "value": 6, "restarts": true, "fields": [{"name": "op-code", "type": "u8"}]},
          {"name": "reboot", "value": 7, "fields": [{"name": "op-code", "type": "u8"}]}]}]}
        """

    @Test(arguments: [true, false])
    func `a loss after a write that asks the peer to restart is expected`(_ restarts: Bool) throws {
        var knowledge = AnalysisKnowledge()
        knowledge.profiles = ProfileSet([try Profile(json: Array(Self.profile.utf8))])
        var trace = Trace()
        for value: UInt8 in [7, 6] where value == 7 || restarts {
            trace.connect(0x40, Self.peer, .random)
            trace.discover(0x40, .simple())
            trace.write(0x40, 6, [value], answered: value == 7)
            trace.wait(seconds: 0.3)
            trace.disconnect(0x40, reason: 0x08)
        }
        let all = trace.run(knowledge).totals?.incidents ?? []
        #expect(all.filter { $0.severity >= .error }.map(\.count) == [1])
        let expected = all.filter { $0.severity < .error }
        #expect(expected.map(\.problem.code) == (restarts ? [.abnormalDisconnection] : []))
        #expect(expected.allSatisfy { $0.problem.side == .host })
    }

    @Test func `a connection that stands afterwards makes up for it`() {
        var trace = Trace()
        end(&trace)
        end(&trace)
        trace.connect(0x40, Self.peer, .random)
        trace.write(0x40, 5, [1, 2])
        trace.wait(seconds: 9)
        trace.disconnect(0x40, reason: 0x16)
        #expect(failures(trace).isEmpty)
        let overcome = incidents(trace).filter(\.problem.isOvercome)
        #expect(overcome.map(\.problem.code) == [.endedByPeer] && overcome.first?.count == 2)
    }

    @Test func `an authenticated payload timeout that ends the connection is the failure`() {
        func ended(after seconds: Double) -> Trace {
            var trace = Trace()
            trace.connect(0x40, Self.peer, .random)
            trace.encrypted(0x40)
            trace.wait(seconds: 30)
            trace.event(octets("57 02 4000"))
            trace.wait(seconds: seconds)
            trace.disconnect(0x40, reason: 0x16)
            return trace
        }
        let wrong = failures(ended(after: 0.001))
        #expect(wrong.map(\.problem.code) == [.authenticatedPayloadTimeout])
        #expect(wrong.first?.place.frame == 3 && wrong.first?.problem.side == .link)
        #expect(failures(ended(after: 20)).isEmpty)
    }
}
