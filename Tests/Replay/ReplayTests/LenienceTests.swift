import BluetoothCore
import LEHost
import Runtime
import Synchronization
import Testing
import WireBytes

@testable import Replay

/// Where a replay must not be kinder than the log: hosts that do more, less, or what nobody asked for.
@Suite struct LenienceTests {
    static let open = Synthetic.model([.host("12180001"), .peer("13")], end: .open)

    /// Sends a PDU of ATT on a host's link after a while, as an event of its time.
    static func send(_ host: RawHost, _ hex: String, after delay: Duration) throws {
        let octets = try Hex.octets(hex)
        let handle = host.handle ?? 0
        _ = host.time.schedule(at: host.time.now.advanced(by: delay), from: .recording) {
            let length = UInt16(octets.count)
            let header = HCIACLHeader(handle: handle, boundary: 0, dataLength: length + 4)
            let packet = header.encoded + [UInt8(length), 0, 4, 0] + octets
            try? host.adapter.send(HCIPacket(.acl, packet))
        }
    }

    @Test(arguments: [100, 1900])
    func `a write after the last recorded step is found`(milliseconds: Int) throws {
        let host = try RawHost(connected: Self.open)
        try host.send("12180001")
        try Self.send(host, "12180001", after: .milliseconds(milliseconds))
        let report = try host.finish(nil)
        #expect(report.verdict.word == "diverged", "\(report.text)")
    }

    @Test func `a host that connects again after the log's end is counted`() throws {
        let model = Synthetic.model([.host("12180001"), .peer("13")], end: .byPeer(.connectionTimeout))
        let host = try RawHost(connected: model)
        try host.send("12180001")
        let wish = RawHost.createConnection(Synthetic.peer)
        _ = host.time.schedule(at: host.time.now.advanced(by: .milliseconds(500)), from: .recording) {
            try? host.command(wish)
        }
        let report = try host.finish(nil)
        #expect(report.verdict == .same, "\(report.text)")
        #expect(report.normalizations[.furtherAttempt] == 1)
    }

    @Test func `a host that drops the link before the peer has done its part is found`() throws {
        let model = Synthetic.model(
            [.host("12180001"), .peer("13"), .peer("1b1200aa", after: 300)], end: .open)
        for (wait, word) in [(50, "diverged"), (400, "same")] {
            let host = try RawHost(connected: model)
            try host.send("12180001", wait: .milliseconds(wait))
            #expect(try host.finish().verdict.word == word, "\(wait) ms")
        }
        let hasty = try RawHost(connected: model)
        try hasty.send("12180001", wait: .milliseconds(1))
        #expect(try hasty.finish().verdict.word == "diverged")
    }

    @Test(arguments: [
        ("0508", false, "same"), ("0508", true, "same"), ("01030001100000", true, "same"),
        ("01030001100000", false, "diverged"), ("03" + String(repeating: "00", count: 16), true, "diverged"),
        ("0b01", true, "diverged"), ("05", true, "diverged"),
    ])
    func `what a host says to the Security Manager must answer it`(
        pdu: String, isAsked: Bool, word: String
    ) throws {
        var lines: [Synthetic.Line] = [.host("12180001"), .peer("13")]
        if isAsked { lines.insert(.peer("0b01", on: .securityManager), at: 0) }
        let host = try RawHost(connected: Synthetic.model(lines))
        try host.send(pdu, on: .securityManager)
        if word == "same" { try host.send("12180001") }
        let report = try host.finish(word == "same" ? .remoteUserTerminatedConnection : nil)
        #expect(report.verdict.word == word, "\(report.text)")
    }

    @Test(arguments: [
        ("0b70686f6e65", "same"), ("010a030001", "same"), ("0103030001", "diverged"), ("13", "diverged"),
        ("0970", "diverged"),
    ])
    func `an answer of the host's server must be one to the request`(pdu: String, word: String) throws {
        let model = Synthetic.model([
            .peer("0a0300"), .host("0b70686f6e65"), .host("12180001"), .peer("13"),
        ])
        let host = try RawHost(connected: model)
        try host.send(pdu)
        if word == "same" { try host.send("12180001") }
        let report = try host.finish(word == "same" ? .remoteUserTerminatedConnection : nil)
        #expect(report.verdict.word == word, "\(report.text)")
    }

    @Test func `a log with nothing to compare is never the same, and a part is called one`() throws {
        let empty = Synthetic.model([], end: .open) { $0.obstacles.note(.nothingToCompare) }
        let nothing = try RawHost(connected: empty).finish(nil)
        #expect(nothing.verdict.word == "not replayable")
        let partly = Synthetic.model([.host("12180001"), .peer("13")]) { $0.obstacles.note(.pairing) }
        let host = try RawHost(connected: partly)
        try host.send("12180001")
        let report = try host.finish()
        #expect(report.verdict == .partlySame(partly.obstacles))
        #expect(report.word == "partly same")
    }

    @Test(arguments: [false, true])
    func `what a host does once the log is encrypted on the air is no difference`(isClosed: Bool) throws {
        let model = Synthetic.model([.host("12180001"), .peer("13")]) {
            if isClosed { $0.obstacles.note(.closed, frame: 200, connection: 1) }
        }
        let host = try RawHost(connected: model)
        try host.send("12180001")
        try host.send("12180002")
        let report = try host.finish(.remoteUserTerminatedConnection)
        #expect(report.word == (isClosed ? "partly same" : "diverged"), "\(report.text)")
        #expect(report.text.contains("connection 1 judged up to frame 200") == isClosed, "\(report.text)")
        let nothing = Synthetic.model([.host("0b", on: .securityManager)]) {
            $0.obstacles.note(.closed, frame: 200, connection: 1)
        }
        let other = try RawHost(connected: nothing)
        try other.send("0b", on: .securityManager)
        let text = try other.finish(.remoteUserTerminatedConnection).text
        #expect(text.contains(", but no ATT PDU compared: they are encrypted on the air\n"), "\(text)")
    }

    @Test func `a host that only asks the same again is stuck`() throws {
        let host = try RawHost(connected: FakeAdapterTests.model)
        for second in 1...600 { try Self.send(host, "0a0300", after: .seconds(second)) }
        let report = try host.finish(nil)
        #expect(report.verdict.word == "stuck", "\(report.text)")
        #expect(report.time < Synthetic.at(60_000))
    }

    @Test func `a host that is late waits for a peer that takes its time`() throws {
        let model = Synthetic.model(
            [.host("12180001"), .peer("13"), .peer("1b1200aa", after: 40_000)],
            end: .byPeer(.connectionTimeout))
        let host = try RawHost(connected: model)
        host.time.run(for: .seconds(60))
        try host.send("12180001")
        let report = try host.finish(nil)
        #expect(report.verdict == .same, "\(report.text)")
    }

    @Test func `a scan that is repeated hears each device once a round`() throws {
        let reports = (0..<50).map { _ in (milliseconds: Int64(1010), kind: UInt8(0)) }
        let host = try RawHost(FakeAdapterTests.advertised(reports, windows: [(1000, 1100)]))
        let found = try FakeAdapterTests.scan(host, for: 250)
        #expect(found.count == 52)
    }

    @Test func `two writes of one configuration keep their order`() throws {
        let model = Synthetic.model([
            .host("1213000100"), .peer("13"), .host("1213000000"), .peer("13"),
        ])
        for (first, second, word) in [
            ("1213000100", "1213000000", "same"), ("1213000000", "1213000100", "diverged"),
        ] {
            let report = try NormalizationTests.report(model, [first, second])
            #expect(report.verdict.word == word, "\(report.text)")
        }
    }

    @Test(arguments: [
        (["010102000000"], "same"), ([], "stuck"), (["010202000000"], "diverged"),
        (["010102000000", "010102000000"], "diverged"), (["130102000000"], "diverged"),
    ])
    func `an L2CAP command that the recorded host refused is refused, once`(
        answers: [String], word: String
    ) throws {
        let model = Synthetic.model([
            .peer("08010000", on: .leSignalling), .host("010102000000", on: .leSignalling),
            .host("12180001"), .peer("13"),
        ])
        let host = try RawHost(connected: model)
        for answer in answers { try host.send(answer, on: .leSignalling) }
        if word != "diverged" { try host.send("12180001") }
        let report = try host.finish(word == "diverged" ? nil : .remoteUserTerminatedConnection)
        #expect(report.verdict.word == word, "\(report.text)")
    }

    @Test func `a long read with another in between is one read, in whatever order it comes`() throws {
        let long = String(repeating: "5a", count: 22)
        let model = Synthetic.model([
            .host("0a1200"), .peer("0b" + long), .host("0a1800"), .peer("0b07"), .host("0c12001600"),
            .peer("0d6b"),
        ])
        for order in [["0a1200", "0a1800", "0c12001600"], ["0a1200", "0c12001600", "0a1800"]] {
            let host = try RawHost(connected: model)
            for pdu in order {
                let answer = ["0a1200": "0b" + long, "0a1800": "0b07", "0c12001600": "0d6b"][pdu]
                #expect(try host.send(pdu) == [answer])
            }
            #expect(try host.finish().verdict == .same)
        }
    }

    @Test(arguments: [
        (["0a1800"], "stuck", 102), (["0a1800", "0c18001600"], "stuck", 104),
        (["0a1800", "0c18002c00"], "stuck", 102), (["0a1800", "0a1800"], "diverged", 102),
        (["0a1800", "0c18001600", "12180001"], "diverged", 104),
        (["0a1800", "0c18001600", "0c18002c00"], "same", 0),
    ])
    func `a long read is seen with its last part`(pdus: [String], word: String, frame: Int) throws {
        let long = NormalizationTests.longRead
        var open = long
        open.connections[0].end = nil
        let host = try RawHost(connected: open)
        for pdu in pdus { try host.send(pdu) }
        let report = try host.finish(nil)
        #expect(report.verdict.word == word, "\(report.text)")
        switch report.verdict {
        case .stuck(let stuck): #expect(stuck.expected?.frame == frame)
        case .diverged(let divergence): #expect(divergence.expected?.frame == frame)
        default: break
        }
        guard word != "same" else { return }
        // Nor does the end of the connection make it whole.
        let ending = try RawHost(connected: long)
        for pdu in pdus { try ending.send(pdu) }
        #expect(try ending.finish().verdict.word == "diverged")
    }

    @Test func `a read of a value that fills its last part is seen with the request that finds no more`()
        throws
    {
        let value = String(repeating: "5a", count: 22)
        let model = Synthetic.model(
            [.host("0a1200"), .peer("0b" + value), .host("0c12001600"), .peer("0d")], end: .open)
        for (pdus, word) in [(["0a1200"], "stuck"), (["0a1200", "0c12001600"], "same")] {
            let host = try RawHost(connected: model)
            for pdu in pdus { try host.send(pdu) }
            #expect(try host.finish(nil).verdict.word == word)
        }
    }

    @Test func `a stack that ends a long read after its first part is stuck at the next`() throws {
        let model = try Recording.model("peripheral-clock.btsnoop")
        let host = try ScriptedHost(model, transport: { CutReads($0, $1) })
        let report = host.run()
        guard case .stuck(let stuck) = report.verdict else {
            Issue.record("\(report.text)")
            return
        }
        #expect(stuck.expected?.frame == 226)
        #expect(report.text.contains("waits for ATT Read Blob Request"), "\(report.text)")
    }

    @Test func `what of a log is not looked at is named`() throws {
        let model = try Recording.model("two-adapters.btsnoop")
        #expect(!model.otherAdapters.isEmpty)
        let other = model.otherAdapters.first?.adapter ?? 0
        var classic = Self.open
        classic.classicLinks = 3
        #expect(FakeAdapter(model, scheduler: VirtualTime()).report.text.contains("adapter \(other): "))
        #expect(FakeAdapter(classic, scheduler: VirtualTime()).report.text.contains("BR/EDR: 3 connections"))
    }

    @Test(arguments: [
        "4000090005000400121800010000", "4000030005", "770008000400040012180001", "40",
    ])
    func `data that can't be read or goes nowhere is found, and stands in the transcript`(hex: String) throws
    {
        let host = try RawHost(connected: Self.open)
        let octets = try Hex.octets(hex)
        try host.adapter.send(HCIPacket(.acl, octets))
        let report = try host.finish(nil)
        guard case .diverged(let divergence) = report.verdict else {
            Issue.record("\(report.text)")
            return
        }
        #expect(divergence.kind == .malformed)
        #expect(divergence.got == octets)
        #expect(host.adapter.transcript.pdus.last?.octets == octets)
    }

    @Test func `thousands of connections take their turns in no time`() throws {
        let model = Synthetic.model([.host("12180001"), .peer("13")]) { log in
            guard let first = log.connections.first else { return }
            for number in 2...3000 {
                var next = first
                next.number = number
                let begin = Int64(number) * 1000
                next.asked = Synthetic.at(begin)
                next.completed = Synthetic.at(begin + 10)
                next.end?.time = Synthetic.at(begin + 900)
                log.connections.append(next)
            }
        }
        var controller = FakeController(model, ReplayOptions())
        controller.giveConnectTurns()
        for place in 0..<2999 {
            #expect(controller.nextConnectTurn == place + 1)
            controller.attempts[place].closedAt = Synthetic.at(Int64(place + 1) * 2000)
            controller.giveConnectTurns()
        }
        #expect(controller.endsPassed == 2999)
    }
}

/// A transport whose far device seems to have no more of a value than one response holds: what the host reads
/// on does not go out, and an empty part comes back.
private final class CutReads: HCITransport {
    private let adapter: FakeAdapter
    private let time: VirtualTime
    private let receive = Mutex<(@Sendable (HCIPacket) -> Void)?>(nil)

    init(_ adapter: FakeAdapter, _ time: VirtualTime) {
        self.adapter = adapter
        self.time = time
    }

    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        self.receive.withLock { $0 = receive }
        try adapter.open(receive)
    }

    func send(_ packet: HCIPacket) throws(HCITransportError) {
        let octets = packet.octets
        guard packet.type == .acl, octets.count > 8, octets[6...8] == [4, 0, 0x0C] else {
            return try adapter.send(packet)
        }
        let receive = receive.withLock { $0 }
        _ = time.schedule(at: time.now, from: .recording) {
            receive?(HCIPacket(.event, [0x13, 5, 1, octets[0], octets[1] & 0x0F, 1, 0]))
            receive?(HCIPacket(.acl, [octets[0], octets[1] & 0x0F | 0x20, 5, 0, 1, 0, 4, 0, 0x0D]))
        }
    }

    func close() { adapter.close() }
}
