import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

/// What is known of a connection that is lost, and ends that are not what they look like.
@Suite struct LostLinkTests {
    private static let peer = "5B:75:A2:26:D6:18"

    /// A connection with an interval of 30 ms, latency 4 and a supervision timeout of 420 ms.
    private func connected(_ trace: Trace = Trace(), isPeripheral: Bool = false) -> Trace {
        var trace = trace
        let role = isPeripheral ? "01" : "00"
        trace.event(octets("3E 13 01 00 4000 \(role) 01 18D626A2755B 1800 0400 2A00 00"))
        return trace
    }

    /// A log that shows what the host sends.
    private func commanded() -> Trace {
        var trace = Trace()
        trace.add(.command, .hostToController, octets("0910 00"))
        return trace
    }

    private func failures(_ trace: Trace) -> [Incident] {
        (trace.run().totals?.incidents ?? []).filter { $0.severity >= .error }
    }

    /// What is known of the only failure, a lost connection.
    private func known(_ trace: Trace) throws -> String {
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.abnormalDisconnection])
        return try #require(wrong.first?.problem.circumstances)
    }

    @Test func `encryption that fails because the connection was lost is no cause of the loss`() {
        var trace = connected()
        trace.wait(seconds: 1)
        trace.event(octets("08 04 08 40 00 00"))
        trace.disconnect(0x40, reason: 0x08)
        #expect(failures(trace).map(\.problem.code) == [.abnormalDisconnection])
    }

    @Test func `encryption that fails because the peer hung up stays the failure`() {
        var trace = connected()
        trace.event(octets("08 04 13 40 00 00"))
        trace.disconnect(0x40, reason: 0x13)
        #expect(failures(trace).map(\.problem.code) == [.encryptionFailed])
    }

    @Test(arguments: [UInt8(0x08), 0x22, 0x3E])
    func `a lost connection has its interval, latency, supervision timeout and silence`(
        _ reason: UInt8
    ) throws {
        var trace = connected()
        trace.wait(seconds: 3)
        trace.disconnect(0x40, reason: reason)
        #expect(
            try known(trace)
                == "interval 30 ms, latency 4, supervision timeout 420.0 ms (2 connection events); "
                + "no data received for 3.0 s before")
    }

    @Test func `the silence before the end is the peer's, whatever the host sends`() throws {
        var trace = connected()
        trace.read(0x40, 3, [1])
        trace.wait(seconds: 3)
        trace.l2cap(0x40, .tx, 4, octets("52 0300 01"))
        trace.wait(seconds: 2)
        trace.disconnect(0x40, reason: 0x08)
        #expect(try known(trace).hasSuffix("no data received for 5.0 s before"))
    }

    @Test func `the packets that the peer acknowledged date the silence of a host that only writes`() throws {
        var trace = connected()
        trace.l2cap(0x40, .tx, 4, octets("52 0300 01"))
        trace.wait(seconds: 60)
        trace.l2cap(0x40, .tx, 4, octets("52 0300 01"))
        let acknowledged = trace.event(octets("13 05 01 4000 0200"))
        trace.wait(seconds: 2)
        let first = trace.l2cap(0x40, .tx, 4, octets("52 0300 01"))
        trace.l2cap(0x40, .tx, 4, octets("52 0300 01"))
        trace.wait(seconds: 2)
        trace.disconnect(0x40, reason: 0x08)
        let text = try known(trace)
        #expect(!text.contains("no data received"))
        #expect(
            text.hasSuffix(
                "the peer did not acknowledge the host's last 2 packets, from frame \(first) on; "
                    + "its last acknowledgement is frame \(acknowledged), 4.0 s before"), "\(text)")
    }

    @Test func `a change of parameters long before the loss is not named with it`() throws {
        var trace = connected()
        trace.event(octets("3E 0A 03 00 4000 5000 0000 5802"))
        trace.wait(seconds: 61)
        trace.disconnect(0x40, reason: 0x08)
        #expect(try !known(trace).contains("parameters changed"))
    }

    @Test(arguments: [true, false])
    func `a request without answer has what the peer acknowledged`(_ isAcknowledged: Bool) throws {
        var trace = connected()
        trace.read(0x40, 3, [1])
        trace.event(octets("13 05 01 4000 0100"))
        trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        if isAcknowledged { trace.event(octets("13 05 01 4000 0100")) }
        trace.wait(seconds: 31)
        trace.event(octets("3E 0A 03 00 4000 5000 0000 5802"))
        let wrong = try #require(failures(trace).first?.problem)
        #expect(wrong.code == .attTimeout)
        let known = try #require(wrong.circumstances)
        #expect(known.hasPrefix("the peer acknowledged every packet from the host") == isAcknowledged)
        #expect(known.hasPrefix("the peer did not acknowledge this request; its last ") == !isAcknowledged)
        // What the peer has, it need not be sent again.
        #expect(wrong.hint.map { "\($0)".hasPrefix("so its controller got the request") } == isAcknowledged)
    }

    @Test(arguments: [true, false])
    func `a peer that sent more after a request did not hang`(_ isIndication: Bool) throws {
        for sendsMore in [true, false] {
            var trace = connected(isPeripheral: isIndication)
            if isIndication {
                trace.att(0x40, .tx, ATTHandleValueIndication(handle: 3, value: [1]))
            } else {
                trace.att(0x40, .tx, ATTReadRequest(handle: 3))
            }
            trace.event(octets("13 05 01 4000 0100"))
            trace.wait(seconds: 5)
            if sendsMore { trace.att(0x40, .rx, ATTHandleValueNotification(handle: 9, value: [1])) }
            trace.wait(seconds: 26)
            trace.event(octets("3E 0A 03 00 4000 5000 0000 5802"))
            let wrong = try #require(failures(trace).first { $0.problem.code == .attTimeout }?.problem)
            let hint = try #require(wrong.hint.map { "\($0)" })
            #expect(hint.hasPrefix("the other side sent more after it") == sendsMore, "\(hint)")
            #expect(hint.contains("confirm") == (sendsMore && isIndication), "\(hint)")
        }
    }

    @Test func `a link that is lost is a failure, even if another was when the host ended it`() {
        var trace = connected()
        trace.add(.command, .hostToController, octets("0604 03 4000 13"))
        trace.disconnect(0x40, reason: 0x08)
        trace.connect(0x40, Self.peer)
        trace.wait(seconds: 5)
        trace.disconnect(0x40, reason: 0x08)
        #expect(failures(trace).map(\.connection) == [2])
    }

    @Test func `a request that the peer acknowledged is not mistaken for a later packet`() throws {
        var trace = connected()
        trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        let acknowledged = trace.event(octets("13 05 01 4000 0100"))
        trace.wait(seconds: 29)
        trace.l2cap(0x40, .tx, 4, octets("52 0300 01"))
        trace.wait(seconds: 2)
        trace.event(octets("3E 0A 03 00 4000 5000 0000 5802"))
        let wrong = try #require(failures(trace).first?.problem)
        let last = "its last acknowledgement is frame \(acknowledged), 31.0 s before"
        #expect(wrong.circumstances == "the peer acknowledged this request; \(last)")
        #expect(wrong.hint.map { "\($0)".hasPrefix("so its controller got the request") } == true)
    }

    @Test func `a link that is lost after the host asked for its end is no failure`() throws {
        var trace = connected()
        let asked = trace.add(.command, .hostToController, octets("0604 03 4000 13"))
        trace.event(octets("0F 04 00 01 0604"))
        trace.wait(seconds: 3)
        let end = trace.disconnect(0x40, reason: 0x22)
        #expect(failures(trace).isEmpty)
        let lost = try #require(trace.run().totals?.incidents.first { $0.place.frame == end })
        #expect(lost.severity == .warning && lost.problem.side == .link)
        #expect(
            lost.problem.sentence.hasPrefix(
                "the peer did not confirm the host's disconnection of frame \(asked): "))
    }

    @Test func `a request that had waited for long is a failure, although the host asked for the end`() {
        var trace = connected()
        let read = trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        trace.wait(seconds: 15)
        trace.add(.command, .hostToController, octets("0604 03 4000 13"))
        trace.event(octets("0F 04 00 01 0604"))
        trace.wait(seconds: 3)
        trace.disconnect(0x40, reason: 0x08)
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.noResponse] && read > 0)
    }

    @Test func `a change that failed is known, and the parameters that came about before`() throws {
        var trace = connected()
        trace.event(octets("3E 0A 03 00 4000 5000 0000 5802"))
        let change = trace.event(octets("3E 0A 03 23 4000 0000 0000 0000"))
        trace.wait(seconds: 2)
        trace.disconnect(0x40, reason: 0x08)
        let text = try known(trace)
        #expect(
            text.hasPrefix(
                "interval 100 ms, latency 0, supervision timeout 6.0 s; no data received for 2.0 s"))
        #expect(text.contains("the change of the parameters failed at frame \(change) ("))
        #expect(text.hasSuffix("(0x23)), 2.0 s before"))
    }

    @Test(arguments: [true, false])
    func `a refused request for parameters is known with a loss long after it`(_ isOverL2CAP: Bool) throws {
        var trace = connected()
        if isOverL2CAP {
            trace.l2cap(0x40, .rx, 5, octets("12 01 0800 0800 2000 0000 6400"))
        } else {
            trace.event(octets("3E 0B 06 4000 0800 2000 0000 6400"))
        }
        let refusal =
            isOverL2CAP
            ? trace.l2cap(0x40, .tx, 5, octets("13 01 0200 0100"))
            : trace.add(.command, .hostToController, octets("2120 03 4000 3B"))
        trace.wait(seconds: 61)
        trace.disconnect(0x40, reason: 0x08)
        let lost = failures(trace).first { $0.problem.code == .abnormalDisconnection }
        let text = try #require(lost?.problem.circumstances)
        #expect(text.contains("the central refused the connection parameters at frame \(refusal), 61.0 s"))
        #expect(lost?.problem.evidence.map(\.frame).contains(refusal) == true)
    }

    @Test(arguments: [UInt8(0x1A), 0x29, 0x3B])
    func `a reason that only a host gives is the peer's, since it was not this host`(_ reason: UInt8) throws {
        var trace = connected()
        let change = trace.event(octets("3E 0A 03 00 4000 5000 0000 5802"))
        trace.wait(seconds: 2)
        trace.disconnect(0x40, reason: reason)
        let wrong = try #require(failures(trace).first?.problem)
        #expect(wrong.code == .abnormalDisconnection && wrong.side == .peer)
        #expect(wrong.sentence.hasPrefix("the peer ended the connection: "))
        let known = wrong.circumstances ?? ""
        let told =
            "the parameters changed at frame \(change) from interval 30 ms, latency 4, "
            + "supervision timeout 420.0 ms, 2.0 s before"
        #expect(known.contains(told) == (reason == 0x3B))
    }

    @Test func `a timeout that the peer asked for is known with its request, and is the hint`() throws {
        var trace = connected()
        let asked = trace.l2cap(0x40, .rx, 5, octets("12 01 0800 0800 2000 0000 0A00"))
        trace.l2cap(0x40, .tx, 5, octets("13 01 0200 0000"))
        let change = trace.event(octets("3E 0A 03 00 4000 1E00 0000 0A00"))
        trace.wait(seconds: 10)
        trace.disconnect(0x40, reason: 0x08)
        let text = try known(trace)
        #expect(text.hasPrefix("interval 37.5 ms, latency 0, supervision timeout 100.0 ms (2 connection"))
        #expect(
            text.hasSuffix(
                "the parameters changed at frame \(change) from interval 30 ms, latency 4, supervision timeout "
                    + "420.0 ms, 10.0 s before, as the peer had asked at frame \(asked)"))
        let hint = try #require(failures(trace).first?.problem.hint)
        #expect("\(hint)".contains("supervision timeout"))
    }

    @Test(arguments: [true, false])
    func `what is completed right before a loss is no sign of the peer`(_ isEarly: Bool) {
        var trace = Trace()
        trace.connect(0x40, "00:11:22:33:44:55")
        trace.notify(0x40, 3)
        let heard = trace.now
        trace.wait(seconds: 1)
        trace.att(0x40, .tx, ATTWriteCommand(handle: 3, value: [1]))
        trace.event(octets("13 05 01 4000 0100"))
        let completed = trace.now
        if isEarly { trace.wait(seconds: 2) }
        trace.disconnect(0x40, reason: 0x08)
        let sign = trace.run().links.first?.lastSign
        #expect(sign?.isAcknowledgement == isEarly)
        #expect(sign?.time.nanoseconds == (isEarly ? completed : heard))
    }

    @Test func `a failed change names who asked, and the silence begins with the peer's last answer`() throws
    {
        var trace = connected()
        trace.wait(seconds: 1)
        trace.event(octets("0C 08 00 4000 09 0405 0102"))
        let asked = trace.add(
            .command, .hostToController, octets("1320 0E 4000 0600 0600 0000 D007 0000 0000"))
        trace.event(octets("0F 04 00 01 1320"))
        trace.wait(seconds: 2)
        let change = trace.event(octets("3E 0A 03 22 4000 0600 0000 D007"))
        trace.disconnect(0x40, reason: 0x22)
        let wrong = try #require(failures(trace).first { $0.problem.code == .abnormalDisconnection }?.problem)
        let text = wrong.circumstances ?? ""
        #expect(text.contains("no data received for 2.0 s before"), "\(text)")
        #expect(text.contains("before; the host had asked for it at frame \(asked)"), "\(text)")
        #expect(wrong.evidence.map(\.frame).filter { $0 == asked || $0 == change } == [change, asked])
    }

    @Test func `parameters that nobody asked for in the log have no request`() throws {
        var trace = connected()
        trace.l2cap(0x40, .rx, 5, octets("12 01 0800 0800 2000 0000 5802"))
        trace.event(octets("3E 0A 03 00 4000 5000 0000 5802"))
        trace.disconnect(0x40, reason: 0x08)
        #expect(try !known(trace).contains("had asked"))
    }

    @Test(arguments: [true, false])
    func `a loss of another device is a failure of its own`(_ isSame: Bool) {
        var trace = Trace()
        for number in 0..<2 {
            trace.connect(0x40, isSame || number == 0 ? Self.peer : "5B:75:A2:26:D6:19")
            trace.wait(seconds: 1)
            trace.disconnect(0x40, reason: 0x08)
        }
        #expect(failures(trace).map(\.count) == (isSame ? [2] : [1, 1]))
        #expect(failures(trace).map(\.connection) == (isSame ? [1] : [1, 2]))
    }

    @Test func `a change of the PHY that is under way is known`() throws {
        var trace = connected()
        let asked = trace.add(.command, .hostToController, octets("3220 07 4000 00 02 02 0000"))
        trace.event(octets("0F 04 00 01 3220"))
        trace.disconnect(0x40, reason: 0x22)
        #expect(try known(trace).contains("LE Set PHY of frame \(asked) was under way"))
    }

    @Test func `a refused request for parameters is known`() throws {
        var trace = connected()
        trace.signal(0x40, .rx, .connectionParameterUpdateRequest, [6, 6, 0, 600])
        let refused = trace.signal(0x40, .tx, .connectionParameterUpdateResponse, [1])
        trace.disconnect(0x40, reason: 0x08)
        #expect(
            try known(trace).contains("the central refused the connection parameters at frame \(refused)"))
    }

    @Test(arguments: ["peripheral", "unasked", "accepted later"])
    func `only the central's last answer to a request for parameters is known`(_ kind: String) throws {
        var trace = connected()
        if kind != "unasked" {
            let isOdd = kind == "peripheral"
            trace.signal(0x40, isOdd ? .tx : .rx, .connectionParameterUpdateRequest, [6, 6, 0, 600])
        }
        trace.signal(0x40, kind == "accepted later" ? .tx : .rx, .connectionParameterUpdateResponse, [1])
        if kind == "accepted later" {
            trace.signal(
                0x40, .rx, .connectionParameterUpdateRequest, [24, 24, 0, 600], identifier: 2)
            trace.signal(0x40, .tx, .connectionParameterUpdateResponse, [0], identifier: 2)
        }
        trace.disconnect(0x40, reason: 0x08)
        let lost = failures(trace).first { $0.problem.code == .abnormalDisconnection }
        let text = try #require(lost?.problem.circumstances)
        #expect(!text.contains("refused the connection parameters"))
    }

    @Test func `a Security Request is known where the host did nothing about it`() throws {
        var trace = connected()
        let asked = trace.smp(0x40, .rx, .securityRequest)
        trace.disconnect(0x40, reason: 0x08)
        #expect(try known(trace).hasSuffix("the peer's Security Request of frame \(asked) was ignored"))
        var paired = connected()
        paired.smp(0x40, .rx, .securityRequest)
        paired.smp(0x40, .tx, .pairingRequest)
        paired.smp(0x40, .rx, .pairingFailed)
        paired.disconnect(0x40, reason: 0x08)
        let lost = failures(paired).first { $0.problem.code == .abnormalDisconnection }
        #expect(lost?.problem.circumstances?.contains("Security Request") == false)
    }

    @Test(
        arguments: [
            ([6, 3200, 3, 3200], true), ([24, 40, 0, 42], false), ([5, 40, 0, 42], true),
            ([40, 24, 0, 42], true), ([24, 3201, 0, 3200], true), ([24, 40, 500, 3200], true),
            ([24, 40, 0, 9], true), ([24, 40, 0, 5000], true), ([80, 80, 4, 42], true),
            ([80, 80, 4, 100], true), ([80, 80, 4, 101], false),
        ] as [([UInt16], Bool)])
    func `the side that asks for parameters the specification forbids is at fault`(
        _ words: [UInt16], _ isIllegal: Bool
    ) throws {
        var trace = connected()
        let asked = trace.signal(0x40, .rx, .connectionParameterUpdateRequest, words)
        let bytes = words.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let update = trace.add(
            .command, .hostToController, octets("1320 0E 4000") + bytes + octets("0000 0000"))
        let outcome = trace.run()
        #expect(outcome.frames(with: .illegalParameters) == (isIllegal ? [asked, update] : []))
        guard isIllegal else { return }
        #expect(outcome[asked].problems.map(\.side) == [.peer])
        #expect(outcome[update].problems.map(\.side) == [.host])
        trace.event(octets("0F 04 12 01 1320"))
        #expect(trace.run().seen.last?.problems.map(\.side) == [.host])
        trace.disconnect(0x40, reason: 0x08)
        #expect(try known(trace).contains(" at frame \(asked), and the host did at frame \(update)"))
    }

    @Test func `a peer that ends the connection at once, before anything was done, is named`() {
        var trace = commanded()
        var ends: [Int] = []
        for _ in 0..<3 {
            trace.connect(0x40, Self.peer, .random)
            trace.wait(seconds: 0.174)
            ends.append(trace.disconnect(0x40))
            trace.wait(seconds: 0.5)
        }
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.code) == [.endedByPeer] && wrong.first?.problem.side == .peer)
        #expect(wrong.first?.place.frame == ends[0] && wrong.first?.count == 3)
    }

    @Test func `a connection that the peer ends at once is overcome by the next that is used`() {
        var trace = commanded()
        trace.connect(0x40, Self.peer, .random)
        trace.wait(seconds: 0.2)
        trace.disconnect(0x40)
        trace.connect(0x40, Self.peer, .random)
        trace.read(0x40, 3, [1])
        trace.disconnect(0x40)
        #expect(failures(trace).isEmpty)
    }

    @Test(arguments: ["used", "idle", "notified", "sent unseen", "by the host", "secured"])
    func `a peer may end a connection that was used, or that nobody used for long`(_ kind: String) {
        var trace = commanded()
        trace.connect(0x40, Self.peer, .random)
        switch kind {
        case "used": trace.read(0x40, 3, [1])
        case "idle": trace.wait(seconds: 5)
        case "notified": trace.notify(0x40, 3)
        case "sent unseen": trace.event(octets("13 05 01 4000 0100"))
        case "secured": trace.encrypted(0x40)
        default: break
        }
        trace.wait(seconds: 0.2)
        trace.disconnect(0x40, reason: kind == "by the host" ? 0x16 : 0x13)
        #expect(failures(trace).isEmpty)
    }

    /// A connection whose peer advertises while it is open; `whileAlive` is followed by data of the peer.
    private func advertising(
        whileAlive: Bool, secondsBeforeEnd: Double, isConnectable: Bool = true, isPeripheral: Bool = false
    ) -> Trace {
        let report = "3E 0F 02 01 0\(isConnectable ? 0 : 3) 01 18D626A2755B 03 02 01 06 C8"
        var trace = connected(isPeripheral: isPeripheral)
        trace.wait(seconds: 2)
        if whileAlive { trace.event(octets(report)) }
        trace.read(0x40, 3, [1])
        trace.wait(seconds: 1)
        trace.event(octets(report))
        trace.wait(seconds: secondsBeforeEnd)
        trace.disconnect(0x40, reason: 0x08)
        return trace
    }

    @Test func `a peer that advertises long before the connection is lost had dropped it`() throws {
        let wrong = try #require(failures(advertising(whileAlive: false, secondsBeforeEnd: 4)).first)
        #expect(wrong.problem.side == .peer && wrong.problem.evidence.map(\.frame).contains(4))
        #expect(wrong.problem.circumstances?.contains("advertised again at frame 4, 4.0 s before") == true)
        #expect("\(wrong.problem.hint ?? "")".hasPrefix("it had restarted"))
        // Its own supervision timeout may run out a little earlier than the host's.
        let others = [
            advertising(whileAlive: true, secondsBeforeEnd: 4),
            advertising(whileAlive: false, secondsBeforeEnd: 0.1),
            advertising(whileAlive: false, secondsBeforeEnd: 4, isConnectable: false),
            // A central that advertises has nothing to do with the connection.
            advertising(whileAlive: false, secondsBeforeEnd: 4, isPeripheral: true),
        ]
        #expect(others.flatMap(failures).map(\.problem.side) == [.link, .link, .link, .link])
    }

    @Test(arguments: [true, false])
    func `a peer that advertised before the host asked for the end had dropped the connection`(
        isBefore: Bool
    ) throws {
        let report = octets("3E 0F 02 01 00 01 18D626A2755B 03 02 01 06 C8")
        var trace = connected()
        trace.wait(seconds: 2)
        if isBefore { trace.event(report) }
        trace.add(.command, .hostToController, octets("0604 03 4000 13"))
        trace.wait(seconds: 1)
        // One that got the request may advertise.
        if !isBefore { trace.event(report) }
        trace.wait(seconds: 1)
        trace.disconnect(0x40, reason: 0x08)
        let lost = try #require(trace.run().totals?.incidents.first)
        #expect(lost.severity == .warning && lost.problem.side == (isBefore ? .peer : .link))
    }

    @Test func `losses of one status are told apart by side, and each keeps its facts`() throws {
        var trace = advertising(whileAlive: false, secondsBeforeEnd: 4)
        trace = connected(trace)
        trace.wait(seconds: 1)
        trace.disconnect(0x40, reason: 0x08)
        trace = connected(trace)
        trace.wait(seconds: 2)
        trace.disconnect(0x40, reason: 0x08)
        let wrong = failures(trace)
        #expect(wrong.map(\.problem.side) == [.peer, .link] && wrong.map(\.count) == [1, 2])
        let later = try #require(wrong.last?.repetitions)
        #expect(later.map(\.connection) == [3])
        #expect(later.first?.occurrence.problem.circumstances?.contains("for 2.0 s before") == true)
    }
}
