import BluetoothCore
import Replay
import Runtime
import Testing

/// What may differ and what may not, PDU by PDU. Handles are those of ``Synthetic/attributes``.
@Suite struct NormalizationTests {
    /// A host sends these, then ends the connection.
    static func report(
        _ model: SessionModel, _ pdus: [String], options: ReplayOptions = ReplayOptions()
    ) throws -> ReplayReport {
        let host = try RawHost(connected: model, options: options)
        for pdu in pdus { try host.send(pdu) }
        return try host.finish()
    }

    static func frame(_ report: ReplayReport) -> Int? {
        guard case .diverged(let divergence) = report.verdict else { return nil }
        return divergence.expected?.frame
    }

    static let longValue = (0..<49).map { String(50 + $0, radix: 16) }.joined()

    /// A value of 49 octets read in three pieces of 22 at ATT_MTU 23.
    static let longRead = Synthetic.model([
        .host("0a1800"), .peer("0b" + longValue.prefix(44)), .host("0c18001600"),
        .peer("0d" + longValue.dropFirst(44).prefix(44)), .host("0c18002c00"),
        .peer("0d" + longValue.dropFirst(88)),
    ])

    @Test func `a long read in the recorded pieces is no normalization`() throws {
        let host = try RawHost(connected: Self.longRead)
        #expect(try host.send("0a1800") == ["0b" + Self.longValue.prefix(44)])
        #expect(try host.send("0c18001600") == ["0d" + Self.longValue.dropFirst(44).prefix(44)])
        #expect(try host.send("0c18002c00") == ["0d" + Self.longValue.dropFirst(88)])
        let report = try host.finish()
        #expect(report.verdict == .same)
        #expect(report.normalizations[.readSplit] == 0)
    }

    @Test func `a long read in other pieces is the same value`() throws {
        let host = try RawHost(connected: Self.longRead)
        try host.send("0a1800")
        #expect(try host.send("0c18000a00") == ["0d" + Self.longValue.dropFirst(20).prefix(44)])
        #expect(try host.send("0c18002000") == ["0d" + Self.longValue.dropFirst(64)])
        #expect(try host.send("0c18003100") == ["0d"])
        #expect(try host.send("0c18003200") == ["010c180007"])
        let report = try host.finish()
        #expect(report.verdict == .same)
        #expect(report.normalizations[.readSplit] == 4)
    }

    /// A value of 20 octets written in two prepared parts.
    static let preparedWrite = Synthetic.model([
        .host("16120000000102030405060708090a"), .peer("17120000000102030405060708090a"),
        .host("1612000a000b0c0d0e0f1011121314"), .peer("1712000a000b0c0d0e0f1011121314"), .host("1801"),
        .peer("19"),
    ])

    @Test(arguments: [
        (["16120000000102030405060708090a", "1612000a000b0c0d0e0f1011121314", "1801"], "same", 0),
        (["161200000001020304", "16120004000506", "161200060007080900", "1801"], "diverged", 0),
        (["161200000001020304", "1612000400050608", "1801"], "diverged", 0),
        (
            ["1612000000010203040506", "161200060007", "161200070008090a0b0c0d0e0f1011121314", "1801"],
            "same", 0
        ),
        (["1212000102030405060708090a0b0c0d0e0f1011121314"], "same", 1),
        (["1212000102030405060708090a0b0c0d0e0f1011121315"], "diverged", 0),
        (["16120000000102030405060708090a", "1801"], "diverged", 0),
        (["1612000100020304"], "diverged", 0), (["1615000000010203"], "diverged", 0),
        (["1801"], "diverged", 0),
    ])
    func `a prepared write may come in other parts or in one`(
        pdus: [String], word: String, count: Int
    ) throws {
        let report = try Self.report(Self.preparedWrite, pdus)
        #expect(report.verdict.word == word, "\(report.text)")
        if word == "same" { #expect(report.normalizations[.preparedWrite] == count) }
        if word == "diverged" { #expect(Self.frame(report) == 100) }
    }

    @Test func `a value written in one piece may come in prepared parts`() throws {
        let model = Synthetic.model([
            .host("1212000102030405060708090a0b0c"), .peer("0112120080"), .host("521500ff"),
        ])
        let host = try RawHost(connected: model)
        #expect(try host.send("16120000000102030405") == ["17120000000102030405"])
        #expect(try host.send("1612000500060708090a0b0c") == ["1712000500060708090a0b0c"])
        #expect(try host.send("1801") == ["0118120080"])
        try host.send("521500ff")
        let report = try host.finish()
        #expect(report.verdict == .same, "\(report.text)")
        #expect(report.normalizations[.preparedWrite] == 1)
    }

    /// Two subscriptions, then a write.
    static let subscriptions = Synthetic.model([
        .host("1213000100"), .peer("13"), .host("1216000200"), .peer("13"), .host("12180001"), .peer("13"),
    ])

    @Test(arguments: [
        (["1213000100", "1216000200", "12180001"], "same", Normalization?.none),
        (["1216000200", "1213000100", "12180001"], "same", .subscriptionOrder),
        (["5213000100", "1216000200", "12180001"], "same", .subscriptionKind),
        (["1213000100", "1216000100", "12180001"], "diverged", nil),
        (["1213000100", "12180001", "1216000200"], "diverged", nil),
        (["1213000100", "1213000100", "12180001"], "diverged", nil),
        (["1213000100", "1216000200", "52180001"], "diverged", nil),
        (["1213000100", "1216000200", "12150001"], "diverged", nil),
        (["1213000100", "1216000200", "12180002"], "diverged", nil),
        (["1213000100", "1216000200", "1218000101"], "diverged", nil),
        (["1213000100", "1216000200", "0a1800"], "diverged", nil),
        (["1213000100", "1216000200"], "diverged", nil),
        (["1213000100", "1216000200", "12180001", "12180001"], "diverged", nil),
    ])
    func `subscriptions next to each other may swap, and nothing else`(
        pdus: [String], word: String, allowed: Normalization?
    ) throws {
        let report = try Self.report(Self.subscriptions, pdus)
        #expect(report.verdict.word == word, "\(report.text)")
        if let allowed { #expect(report.normalizations[allowed] == 1) }
    }

    @Test func `what operating systems do by themselves may be missing or more`() throws {
        let model = Synthetic.model([
            .host("0a0300"), .peer("0b6e616d65"), .host("1209000200"), .peer("13"), .host("12180001"),
            .peer("13"),
        ])
        let less = try Self.report(model, ["12180001"])
        #expect(less.verdict == .same)
        #expect(less.normalizations[.recorderHousekeeping] == 2)
        let host = try RawHost(connected: model)
        #expect(try host.send("0a0300") == ["0b6e616d65"])
        #expect(try host.send("0a0300") == ["0b6e616d65"])
        #expect(try host.send("0a0800") == ["010a080002"])
        #expect(try host.send("080100ffff002a") == ["090603006e616d65"])
        #expect(try host.send("080100ffff2a2b") == ["010801000a"])
        #expect(try host.send("1209000200") == ["13"])
        #expect(try host.send("1209000000") == ["13"])
        try host.send("12180001")
        let more = try host.finish()
        #expect(more.verdict == .same, "\(more.text)")
        #expect(more.normalizations[.hostHousekeeping] == 3)
        #expect(more.normalizations[.recorderHousekeeping] == 0)
    }

    @Test func `a value that is read again is a difference, as is one that the log does not show`() throws {
        let model = Synthetic.model([
            .host("0a1800"), .peer("0b0102"), .host("12120007"), .peer("13"),
        ])
        #expect(Self.frame(try Self.report(model, ["0a1800", "0a1800", "12120007"])) == 102)
        #expect(Self.frame(try Self.report(model, ["0a1800", "0a1500", "12120007"])) == 102)
        #expect(Self.frame(try Self.report(model, ["12120007", "0a1800"])) == 100)
    }

    @Test func `a request before the response to the one before is a divergence`() throws {
        let model = Synthetic.model([
            .host("12180001"), .peer("13", after: 200), .host("12180002"), .peer("13"),
        ])
        let host = try RawHost(connected: model)
        try host.send("12180001")
        try host.send("12180002")
        guard case .diverged(let divergence) = try host.finish(nil).verdict else {
            Issue.record("not diverged")
            return
        }
        #expect(divergence.kind == .requestWhilePending)
        #expect(divergence.expected?.frame == 102)
    }

    @Test func `an indication must be confirmed, and nothing else may be`() throws {
        let model = Synthetic.model([
            .host("12180001"), .peer("13"), .peer("1d1200aabb", after: 30), .host("1e"), .host("12180002"),
            .peer("13"),
        ])
        let host = try RawHost(connected: model)
        #expect(try host.send("12180001", wait: .milliseconds(39)) == ["13"])
        time(host, 1)
        #expect(host.received() == ["1d1200aabb"])
        try host.send("1e")
        try host.send("12180002")
        #expect(try host.finish().verdict == .same)

        let silent = try RawHost(connected: model)
        try silent.send("12180001")
        try silent.send("12180002")
        #expect(try silent.finish().verdict.word == "stuck")

        let eager = try RawHost(connected: model)
        try eager.send("1e")
        #expect(try eager.finish().verdict.word == "diverged")
    }

    private func time(_ host: RawHost, _ milliseconds: Int64) {
        host.time.run(for: .milliseconds(milliseconds))
    }

    @Test func `an answer to a peer that asks for other parameters is due, whatever it decides`() throws {
        let asks = "120108001800280000009001"
        let model = Synthetic.model([
            .host("12180001"), .peer("13"), .peer(asks, on: .leSignalling),
            .host("130102000000", on: .leSignalling),
        ])
        for (answer, word, count) in [
            ("130102000000", "same", 0), ("130102000100", "same", 1), ("130202000000", "diverged", 0),
            ("010102000000", "diverged", 0), ("1301020000", "diverged", 0),
        ] {
            let host = try RawHost(connected: model)
            try host.send("12180001", wait: .milliseconds(15))
            #expect(host.received(on: .leSignalling) == [])
            host.time.run(for: .milliseconds(10))
            #expect(host.received(on: .leSignalling) == [asks])
            try host.send(answer, on: .leSignalling)
            let report = try host.finish()
            #expect(report.verdict.word == word, "\(answer)")
            #expect(report.normalizations[.connectionParameters] == count)
        }
        let silent = try RawHost(connected: model)
        try silent.send("12180001")
        #expect(try silent.finish().verdict.word == "stuck")
    }

    @Test func `a peer that is a client is answered by the host's own server`() throws {
        let model = Synthetic.model([
            .peer("100100ffff0028"), .host("1106010005000018"), .peer("0a0300"), .host("0b70686f6e65"),
            .host("12180001"), .peer("13"),
        ])
        let host = try RawHost(connected: model)
        #expect(host.received() == ["100100ffff0028"])
        try host.send("011001000a")
        host.time.run(for: .milliseconds(100))
        try host.send("010a030001")
        try host.send("12180001")
        let report = try host.finish()
        #expect(report.verdict == .same, "\(report.text)")
        #expect(report.normalizations[.ownDatabase] == 2)
    }

    @Test func `another ATT_MTU is answered with the recorded one`() throws {
        let model = Synthetic.model([
            .host("02b900"), .peer("03f700"), .host("12180001"), .peer("13"),
        ])
        let same = try RawHost(connected: model)
        #expect(try same.send("02b900") == ["03f700"])
        let other = try RawHost(connected: model)
        #expect(try other.send("020502") == ["03b900"])
        try other.send("12180001")
        let report = try other.finish()
        #expect(report.verdict == .same)
        #expect(report.normalizations[.mtu] == 1)
    }

    @Test func `an ATT_MTU that the peer asked for holds for what is read`() throws {
        let value = String(repeating: "77", count: 60)
        let model = Synthetic.model([
            .peer("022000"), .host("03f700"), .host("0a1800"), .peer("0b" + value.prefix(62)),
            .host("0c18001f00"), .peer("0d" + value.dropFirst(62)),
        ])
        let host = try RawHost(connected: model)
        #expect(host.received() == ["022000"])
        try host.send("030502")
        #expect(try host.send("0a1800") == ["0b" + value.prefix(62)])
        #expect(try host.send("0c18001f00") == ["0d" + value.dropFirst(62)])
        let report = try host.finish()
        #expect(report.verdict == .same, "\(report.text)")
        #expect(report.normalizations[.readSplit] == 0)
    }

    @Test func `a connection that the peer ended is ended by the peer`() throws {
        let model = Synthetic.model(
            [.host("12180001"), .peer("13"), .peer("1b1200aa"), .peer("1b1200bb", after: 300)],
            end: .byPeer(.connectionTimeout))
        let host = try RawHost(connected: model)
        #expect(try host.send("12180001") == ["13", "1b1200aa"])
        let report = try host.finish(nil)
        #expect(report.verdict == .same)
        #expect(host.received() == ["1b1200bb"])
        let end = host.packets().last { $0.octets.first == 0x05 }
        #expect(end?.octets.last == 0x08)
        let early = try RawHost(connected: model)
        try early.send("12180001")
        #expect(try early.finish().verdict.word == "diverged")
    }

    @Test func `a host that does not wait for the peer is not another host, but it is counted`() throws {
        let model = Synthetic.model([
            .host("52180001"), .peer("1b1200aa", after: 500), .host("52180002"),
        ])
        let host = try RawHost(connected: model)
        try host.send("52180001")
        try host.send("52180002")
        host.time.run(for: .seconds(1))
        #expect(host.received() == ["1b1200aa"])
        let report = try host.finish()
        #expect(report.verdict == .same)
        #expect(report.normalizations[.aheadOfPeer] == 1)
    }

    @Test func `at a log that ends in mid-connection the host may end it`() throws {
        let model = Synthetic.model([.host("12180001"), .peer("13")], end: .open)
        let report = try Self.report(model, ["12180001"])
        #expect(report.verdict == .same)
    }
}
