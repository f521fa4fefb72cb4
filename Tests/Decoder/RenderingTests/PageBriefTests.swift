import Analysis
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

@testable import Rendering

/// The short texts of the page's frames, and the occurrences of its incidents.
@Suite struct PageBriefTests {
    /// The short text of the last record with its attribute's handle, and its value, with a bar between.
    private static func brief(_ shown: Shown) -> String {
        var brief = PageBrief()
        var detail = FrameDetail(usesColor: false, isForPage: true)
        shown.each {
            detail.read($0, $1)
            brief.read($0, $1, detail.document)
        }
        let words = [brief.text.text, brief.handle.text].filter { !$0.isEmpty }.joined(separator: " ")
        return words + (brief.value.count == 0 ? "" : " | " + brief.value.text)
    }

    /// The kinds of the last records.
    private static func kinds(_ shown: Shown, _ count: Int) -> [PageFrameKind] {
        var kinds: [PageFrameKind] = []
        shown.each { kinds.append(PageFrameKind($0, $1)) }
        return kinds.suffix(count)
    }

    @Test func `frames of one kind differ only in their values`() {
        var shown = Shown()
        shown.connect()
        for pdu in ["52 1200 01", "52 1200 0203", "52 1300 01", "12 1200 01", "12 1200 02"] {
            shown.att(.hostToController, pdu)
        }
        let kinds = Self.kinds(shown, 5)
        #expect(kinds[0] == kinds[1] && kinds[3] == kinds[4])
        #expect(kinds[0] != kinds[2] && kinds[0] != kinds[3])
        for event in ["13 05 01 4000 0100", "13 05 01 4000 0200", "05 04 00 4000 13"] { shown.event(event) }
        let events = Self.kinds(shown, 3)
        #expect(events[0] == events[1] && events[1] != events[2])
    }

    @Test func `a long UUID is shortened, and apart from the value`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "08 0100 FFFF 0328")
        shown.att(.controllerToHost, "09 15 0F00 0C 1000 FB349B5F80000080CDAB0000394BC4D4")
        shown.att(.hostToController, "52 1000 0102")
        var brief = PageBrief()
        var detail = FrameDetail(usesColor: false, isForPage: true)
        shown.each {
            detail.read($0, $1)
            brief.read($0, $1, detail.document)
        }
        #expect(brief.text.text == "Write Command" && brief.handle.text == "0x0010")
        #expect(brief.attribute.text == "D4C44B39-0000\u{2026}34FB" && brief.value.text == "0102")
    }

    @Test(arguments: [
        ("05 04 00 4000 3B", "Disconnection Complete: Unacceptable Connection Parameters (0x3b)"),
        (
            "3E 0A 03 00 4000 2400 0000 F401",
            "LE Connection Update Complete | interval 45 ms, latency 0, supervision timeout 5000 ms"
        ),
        (
            "3E 0A 03 22 4000 0600 0000 D007",
            "LE Connection Update Complete: LMP Response Timeout or LL Response Timeout (0x22)"
        ),
        ("13 05 01 4000 0100", "Number Of Completed Packets | completed packets 1"),
        ("13 09 02 4000 0100 4100 0200", "Number Of Completed Packets | completed packets 1 and 1 more"),
        ("0E 07 01 05 14 00 4000 B0", "Read RSSI complete: Success | rssi -80 dBm"),
        ("0F 04 00 01 06 04", "Disconnect status: Success"),
        (
            "07 FF 04 757DC1E27040 \(String(repeating: "00", count: 248))",
            "Remote Name Request Complete: Page Timeout (0x04) | 40:70:E2:C1:7D:75"
        ),
    ])
    func `an event has its reason first, and only fields that help`(hex: String, text: String) {
        var shown = Shown()
        shown.connect()
        shown.event(hex)
        #expect(Self.brief(shown) == text)
    }

    @Test func `a frame of RFCOMM has its name, and is of another kind than others`() {
        var shown = Shown()
        shown.event("03 0B 00 4000 757DC1E27040 01 00")
        shown.add(.acl, .hostToController, "4020 0C00 0800 0100 02 01 0400 0300 4000")
        shown.add(.acl, .controllerToHost, "4020 1000 0C00 0100 03 01 0800 4100 4000 0000 0000")
        for (frame, name) in [
            ("033F011C", "SABM (open)"), ("0373011D", "UA (accepted)"), ("0353011D", "DISC (close)"),
        ] {
            shown.add(.acl, .hostToController, "4020 0800 0400 4100 \(frame)")
            #expect(Self.brief(shown).hasPrefix("RFCOMM \(name) of DLCI 0 on channel 0x0041"))
        }
        #expect(Set(Self.kinds(shown, 3)).count == 3)
    }

    @Test func `a command has its name and its fields`() {
        var shown = Shown()
        shown.connect()
        shown.add(.command, .hostToController, "06 04 03 4000 13")
        #expect(Self.brief(shown) == "Disconnect: Remote User Terminated Connection (0x13)")
        shown.add(.command, .hostToController, "03 0C 00")
        #expect(Self.brief(shown) == "Reset")
        // A switch says once what it is.
        shown.add(.command, .hostToController, "42 20 06 00 01 0000 0000")
        #expect(Self.brief(shown).contains("| disabled, filter duplicates enabled"))
    }

    @Test(arguments: [
        "0D 20 19 6000 3000 00 00 757DC1E27040 00 1800 2800 0000 2A00 0000 0000",
        "43 20 2A 00 00 00 757DC1E27040 05 "
            + "6000 3000 1800 2800 0000 2A00 0000 0000 6000 3000 1800 2800 0000 2A00 0000 0000",
    ])
    func `the address of a connection's device is not cut`(hex: String) {
        var shown = Shown()
        shown.add(.command, .hostToController, hex)
        #expect(Self.brief(shown).contains("40:70:E2:C1:7D:75"), "\(Self.brief(shown))")
    }

    @Test func `a long word is cut, not left out`() {
        var shown = Shown()
        shown.event("07 FF 00 757DC1E27040 \(String(repeating: "C3A4", count: 124))")
        let text = Self.brief(shown)
        #expect(text.contains("\u{E4}\u{E4}\u{E4}") && text.hasSuffix("\u{E4}\u{2026}"), "\(text)")
    }

    @Test func `a mark has the names of its card`() throws {
        var shown = Shown()
        shown.advertise("04 09 666F62")
        shown.connect()
        shown.event("05 04 00 4000 3B")
        var analyzer = Analyzer()
        shown.each { record, _ in analyzer.analyze(record, file: 0) }
        analyzer.finish()
        let headline = PageHeadline(analyzer, ReadingDamage(), explains: true, namesFile: false)
        #expect(try #require(headline.marks.first).text.hasPrefix("\u{201C}fob\u{201D} ended"))
    }

    @Test func `an answer to a pairing of BR EDR without its command is on the device's connection`() {
        var shown = Shown()
        shown.event("03 0B 00 4000 757DC1E27040 01 00")
        // IO Capability Request Reply complete, then that for a device without a connection.
        shown.event("0E 0A 01 2B04 00 757DC1E27040")
        shown.event("0E 0A 01 2B04 00 767DC1E27040")
        var connections: [Int?] = []
        shown.each { connections.append($1.linkNumber) }
        #expect(connections == [1, 1, nil])
    }

    @Test func `a title has a capital letter, but no address or name has another`() {
        #expect("the peer was lost".titled == "The peer was lost" && "unknown".titled == "Unknown")
        for text in ["keyRevoked to a request", "e2:c1:7d", "\u{201C}fob\u{201D} was lost", ""] {
            #expect(text.titled == text)
        }
    }

    @Test func `a value is apart from its name, and cut`() {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "1B 1200 0102")
        #expect(Self.brief(shown) == "Handle Value Notification 0x0012 | 0102")
        shown.att(.controllerToHost, "1B 1200 000102030405060708090A0B0C")
        #expect(
            Self.brief(shown)
                == "Handle Value Notification 0x0012 | 000102030405060708090a0b\u{2026} 13 bytes")
        shown.add(.acl, .controllerToHost, "4020 0600 0200 0600 0508")
        #expect(Self.brief(shown) == "Pairing Failed | Reason=Unspecified Reason")
        shown.att(.hostToController, "0A 1200")
        shown.att(.controllerToHost, "01 0A 1200 02")
        #expect(Self.brief(shown) == "Error Response: Read Not Permitted to Read Request 0x0012")
    }

    @Test func `a value that is text is shown as text, and a subscription in words`() {
        var shown = Shown()
        shown.connect()
        let command = "41542B4F4B58574D3D4F4B41495F4341522C302C30303033240D0A"
        shown.att(.controllerToHost, "1B 1200 \(command)")
        let name = "Handle Value Notification 0x0012 | "
        #expect(Self.brief(shown) == name + #""AT+OKXWM=OKAI_CAR,0,0003$\r\n""#)
        shown.att(.controllerToHost, "1B 1200 41542B4F4B")
        #expect(Self.brief(shown) == name + #"41542b4f4b "AT+OK""#)
        let long = String(repeating: "41", count: 150)
        shown.att(.controllerToHost, "1B 1200 \(long)")
        #expect(Self.brief(shown) == name + "\"" + String(repeating: "A", count: 98) + "\u{2026} 150 bytes")
        shown.att(.controllerToHost, "1B 1200 \(long)00")
        #expect(Self.brief(shown) == name + String(repeating: "41", count: 12) + "\u{2026} 151 bytes")
        shown.att(.hostToController, "04 1300 1300")
        shown.att(.controllerToHost, "05 01 1300 0229")
        shown.att(.hostToController, "12 1300 0100")
        #expect(Self.brief(shown) == "Write Request 0x0013 | notifications on")
        shown.att(.hostToController, "12 1300 0300")
        #expect(Self.brief(shown) == "Write Request 0x0013 | 0300")
    }

    @Test func `a key is in no short text`() {
        var shown = Shown()
        shown.connect()
        let key = "00112233445566778899AABBCCDDEEFF"
        shown.add(.command, .hostToController, "19 20 1C 4000 0102030405060708 0A0B \(key)")
        #expect(!Self.brief(shown).lowercased().contains("3344"))
        shown.add(.acl, .controllerToHost, "4020 1500 1100 0600 06 \(key)")
        #expect(!Self.brief(shown).lowercased().contains("3344"))
    }

    @Test func `an incident has all its frames, and each of its connections`() throws {
        var shown = Shown()
        for _ in 0..<3 {
            shown.connect()
            shown.event("05 04 00 4000 08")
        }
        var analyzer = Analyzer()
        var occurrences = PageOccurrences()
        shown.each { record, _ in
            analyzer.analyze(record, file: 0)
            occurrences.take(analyzer)
        }
        analyzer.finish()
        let incident = try #require(Verdict.listed(analyzer, analyzer.totals).first)
        let places = occurrences.places(of: incident)
        #expect(places.map(\.place.frame) == [2, 4, 6])
        let sites = occurrences.sites(places, of: incident)
        #expect(sites.map(\.connection) == [1, 2, 3] && sites.map(\.count) == [1, 1, 1])
        // Each place has its own words.
        let told = [2, 3, 6].map { occurrences.problem(of: incident, at: FramePlace(file: 0, frame: $0)) }
        #expect(told.map { $0?.code } == [incident.problem.code, nil, incident.problem.code])
    }

    @Test func `the parameters of a connection are listed with the time and frame of each change`() {
        var shown = Shown()
        shown.connect()
        shown.event("05 04 00 4100 08")
        shown.event("3E 0A 03 00 4000 2400 0200 F401")
        var parameters = PageParameters()
        shown.each { parameters.take($1) }
        var out = TextBuffer()
        out.put("{")
        parameters.put(since: CaptureTime(nanoseconds: 1_700_000_000_000_000_000), into: &out)
        #expect(
            out.text
                == "{\"parameters\":[[1,1000,30000,0,5000000,\"1\"],[1,3000,45000,2,5000000,\"3\"]]")
    }
}
