import Analysis
import CaptureFile
import Testing

@testable import Rendering

/// What the first screen says where nothing was connected to, and which adapter a frame is of.
@Suite struct AttemptTextTests {
    private func ask(_ shown: inout Shown, status: String = "00") {
        shown.add(
            .command, .hostToController,
            "0D20 19 6000 3000 00 00 010000515502 00 1800 2800 0000 2A00 0000 0000")
        shown.event("0F 04 \(status) 01 0D20")
    }

    @Test func `a connect that is given up is named with peer, frame and duration`() {
        var shown = Shown()
        ask(&shown)
        shown.now += 10_000_000_000
        shown.add(.command, .hostToController, "0E20 00")
        shown.event("3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00")
        let line = "frame 4  connect to 02:55:51:00:00:01 (frame 1) given up after 10.0 s  [link]"
        #expect(shown.failures() == [line])
    }

    @Test(arguments: [1, 3])
    func `a connection tells the attempts that the host withdrew before it`(_ count: Int) throws {
        var shown = Shown()
        for seconds: Int64 in [10, 2, 4].prefix(count) {
            ask(&shown)
            shown.now += seconds * 1_000_000_000
            shown.add(.command, .hostToController, "0E20 00")
            shown.event("3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00")
        }
        ask(&shown)
        shown.event("3E 13 01 00 4000 00 00 010000515502 1800 0000 2A00 00")
        shown.event("05 04 00 4000 16")
        // Of these, nothing was withdrawn before.
        ask(&shown)
        shown.event("3E 13 01 00 4000 00 00 010000515502 1800 0000 2A00 00")
        let text = shown.report().joined(separator: " ").split(separator: " ").joined(separator: " ")
        let words =
            count == 1
            ? "an attempt withdrawn after 10.0 s" : "3 attempts withdrawn, the longest after 10.0 s"
        #expect(text.contains("\(words) · connect"), "\(text)")
        let counts = try shown.connections().map { $0["withdrawn_attempts"]?["count"]?.integer }
        #expect(counts == [count, nil])
    }

    @Test func `a connection that was not established has the time since it was asked for`() {
        var shown = Shown()
        ask(&shown)
        shown.now += 1_570_000_000
        shown.event("3E 13 01 00 4000 00 00 010000515502 1800 0000 2A00 00")
        shown.event("05 04 00 4000 3E")
        let text = shown.report().joined(separator: "\n")
        #expect(text.contains("not established, 1.6 s after it was asked for"), "\(text)")
    }

    @Test func `a connect that the log's end cuts off is named`() {
        var shown = Shown()
        ask(&shown)
        shown.now += 20_000_000_000
        shown.advertise("02 01 06")
        let start =
            "unanswered: connect to 02:55:51:00:00:01 of frame 1 was not established when the log ended"
        #expect(shown.verdict().contains { $0.hasPrefix(start) && $0.hasSuffix(", 20.0 s later") })
    }

    @Test func `for how long was scanned, and a wait for the accept list, stand in the summary`() throws {
        for isWithdrawn in [false, true] {
            var shown = Shown()
            shown.add(.command, .hostToController, "0C20 02 01 00")
            shown.event("0E 04 01 0C20 00")
            shown.now += 3_000_000_000
            shown.add(.command, .hostToController, "0C20 02 00 00")
            shown.event("0E 04 01 0C20 00")
            let wait = "0D20 19 6000 3000 01 00 000000000000 00 1800 2800 0000 2A00 0000 0000"
            shown.add(.command, .hostToController, wait)
            shown.event("0F 04 00 01 0D20")
            shown.now += 10_000_000_000
            if isWithdrawn {
                shown.add(.command, .hostToController, "0E20 00")
                shown.event("3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00")
            } else {
                shown.advertise("02 01 06")
            }
            let summary = try #require(try shown.values(toEnd: true).last)
            #expect(summary["scanned_us"]?.integer == 3_002_000)
            let attempt = summary["accept_list_connect"]
            #expect(attempt?["frame"]?.integer == 5 && attempt?["waited_us"]?.integer == 10_002_000)
            #expect((attempt?["open_at_end"] != nil) == !isWithdrawn)
            let said = isWithdrawn ? "given up after 10.0 s" : "still waiting after 10.0 s"
            #expect(shown.verdict().contains { $0.contains(said) }, "\(shown.verdict())")
            let report = shown.report().joined(separator: " ")
            #expect(report.contains("no connection in this log; scanned for 3.0 s; connect by"), "\(report)")
            guard isWithdrawn else { continue }
            #expect(!report.contains("more, none of them longer"))
            for _ in 0..<2 {
                shown.add(.command, .hostToController, wait)
                shown.event("0F 04 00 01 0D20")
                shown.now += 2_000_000_000
                shown.add(.command, .hostToController, "0E20 00")
                shown.event("3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00")
            }
            let again = shown.report().joined(separator: " ")
            #expect(again.contains("given up after 10.0 s (and 2 more, none of them longer)"), "\(again)")
        }
        var none = Shown()
        none.connect()
        let summary = try #require(try none.values(toEnd: true).last)
        #expect(summary["scanned_us"]?.integer == 0 && summary["accept_list_connect"] == nil)
    }

    @Test func `a log of events alone is not said to be in order`() {
        var shown = Shown()
        shown.event("03 0B 00 4000 010203040506 01 00")
        shown.event("05 04 00 4000 13")
        let said = "nothing failed in the events; this log has no data of the connections"
        #expect(shown.verdict().contains(said), "\(shown.verdict())")
        var commanded = Shown()
        commanded.add(.command, .hostToController, "0504 0D 010203040506 18CC 01 00 0000 01")
        commanded.event("0F 04 00 01 0504")
        commanded.event("03 0B 00 4000 010203040506 01 00")
        commanded.event("05 04 00 4000 16")
        #expect(commanded.verdict().contains(said), "\(commanded.verdict())")
        var spoken = Shown()
        spoken.event("03 0B 00 4000 010203040506 01 00")
        spoken.add(.sco, .controllerToHost, "0101 02 0000")
        spoken.event("05 04 00 4000 16")
        #expect(!spoken.verdict().contains(said), "\(spoken.verdict())")
    }

    @Test func `of chosen frames only those requests are named that they asked for`() {
        var shown = Shown()
        shown.add(.command, .hostToController, "0C20 02 01 00")
        shown.event("0E 04 01 0C20 00")
        ask(&shown)
        shown.now += 20_000_000_000
        shown.advertise("02 01 06")
        func names(_ frames: ClosedRange<Int>?) -> Bool {
            shown.verdict(choosing: frames).contains { $0.hasPrefix("unanswered: connect to ") }
        }
        #expect(names(nil) && names(3...3) && !names(1...2) && !names(4...5))
        let without = shown.verdict(choosing: 1...2)
        #expect(without.contains("nothing failed in what passes the filter"), "\(without)")
        #expect(!without.contains { $0.contains("scanned for") || $0.contains("nothing was connected to") })
    }

    @Test func `a chosen request is named however many commands are chosen after it`() {
        var shown = Shown()
        ask(&shown)
        for _ in 0..<5000 {
            shown.add(.command, .hostToController, "0910 00")
            shown.event("0E 0A 01 0910 00 010203040506")
        }
        shown.now += 20_000_000_000
        shown.advertise("02 01 06")
        let lines = shown.verdict(choosing: 1...shown.count)
        #expect(lines.contains { $0.hasPrefix("unanswered: connect to ") }, "\(lines)")
    }

    @Test func `a refused command is named`() {
        var shown = Shown()
        ask(&shown, status: "0C")
        let text =
            "the controller refused LE Create Connection to 02:55:51:00:00:01: Command Disallowed (0x0c)"
        #expect(shown.failures() == ["frame 2  \(text)  [controller]"])
    }

    @Test func `a scan in which nothing was connected to is told with how long it was`() {
        var shown = Shown()
        shown.add(.command, .hostToController, "0C20 02 01 00")
        shown.event("0E 04 01 0C20 00")
        shown.advertise("02 01 06")
        shown.now += 10_000_000_000
        shown.add(.command, .hostToController, "0C20 02 00 00")
        let lines = shown.verdict()
        #expect(lines.contains("nothing failed, and nothing was connected to"))
        let line =
            "no connection in this log, and no attempt at one; scanned for 10.0 s; 1 address advertised "
            + "(1 report)"
        #expect(lines.contains(line))
    }

    @Test func `frames name their adapter where the log has two`() {
        var shown = Shown()
        shown.add(.command, .hostToController, "030C 00")
        shown.add(.command, .hostToController, "030C 00", adapter: 1)
        shown.add(.command, .hostToController, "030C 00")
        #expect(shown.text() == ["HCI   Reset", "HCI   [hci1] Reset", "HCI   [hci0] Reset"])
    }

    @Test func `a level of 127 is left out, and a vendor's return parameters are shown`() {
        var shown = Shown()
        shown.event("3E 0C 02 01 00 00 665544332211 00 7F")
        shown.event("0E 06 01 57FD 00 0102")
        let text = shown.text()
        #expect(text[0].contains("rssi=none"))
        #expect(text[1].hasSuffix("Vendor command 0xfd57 complete  000102"))
    }

    @Test func `a reserved level is no signal strength: neither in NDJSON nor of an advertiser`() throws {
        for (level, isKnown) in [("14", true), ("1B", false), ("7F", false)] {
            var shown = Shown()
            shown.event("3E 0C 02 01 00 00 665544332211 00 \(level)")
            let report = try shown.values().first?["advertising"]?.elements?.first
            #expect(report != nil && (report?["rssi"] != nil) == isKnown)
            #expect(shown.report().contains { $0.contains("20 dBm") } == isKnown)
            #expect(!shown.report().contains { $0.contains("27 dBm") })
        }
    }
}
