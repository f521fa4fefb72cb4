import CaptureFile
import Testing

@testable import Rendering

/// The line about a log that has only BR/EDR, or only advertising.
@Suite struct ClassicAndAdvertisingTests {
    @Test func `events without a known meaning and without parameters are folded`() {
        var shown = Shown()
        for _ in 0..<3 {
            shown.event("6E 00")
            shown.event("0E 04 01 0C20 00")
        }
        let lines = shown.text(all: false)
        #expect(!lines.contains { $0.contains("Event 0x6e") }, "\(lines)")
        #expect(lines.contains { $0.contains("6 HCI housekeeping packets") }, "\(lines)")
        shown.event("6E 01 07")
        #expect(shown.text(all: false).contains { $0.contains("Event 0x6e  07") })
    }

    @Test func `a channel that stays pending until the log's end is said to be that`() {
        var shown = Shown()
        shown.event("03 0B 00 4000 554433221100 01 00")
        shown.add(.acl, .hostToController, "4000 0C00 0800 0100 02 01 0400 0100 4000")
        shown.add(.acl, .controllerToHost, "4020 1000 0C00 0100 03 01 0800 0000 4000 0100 0200")
        shown.now += 5_000_000_000
        shown.event("13 05 01 4000 0100")
        let text = "Connection Request of frame 2 was answered as pending, and still was when the log ended"
        #expect(shown.verdict().contains { $0.contains("unanswered: connection 1: \(text), 5.0 s later") })
    }

    @Test func `a connection of BR/EDR names the services that it opened channels to, and its records`() {
        var shown = Shown()
        shown.event("03 0B 00 4000 665544332211 01 00")
        for (identifier, psm) in [("01", "0100"), ("02", "0300"), ("03", "0300"), ("04", "0110")] {
            let cid = identifier + "40"
            shown.add(.acl, .hostToController, "4000 0C00 0800 0100 02 \(identifier) 0400 \(psm) \(cid)")
            shown.add(
                .acl, .controllerToHost, "4020 1000 0C00 0100 03 \(identifier) 0800 \(cid) \(cid) 00000000")
        }
        shown.event("05 04 00 4000 13")
        let steps = shown.verdict().first { $0.contains("BR/EDR") }
        #expect(
            steps?.contains("BR/EDR \u{B7} channels: SDP, RFCOMM (2), PSM 0x1001 \u{B7} 10 records") == true,
            "\(shown.verdict())")
        #expect(
            shown.verdict().joined(separator: " ").contains(
                "nothing failed in what could be read; what Bluetooth Classic carries above L2CAP is not decoded"
            ),
            "\(shown.verdict())")
    }

    @Test(arguments: ["00", "05"])
    func `a connection of BR/EDR tells closed and refused channels, and its authentication`(
        _ status: String
    ) throws {
        var shown = Shown()
        shown.event("03 0B 00 4000 665544332211 01 00")
        shown.event("06 03 \(status) 4000")
        for (identifier, psm, result) in [
            ("01", "0100", "0000"), ("02", "0300", "0000"), ("03", "0300", "0000"), ("04", "1700", "0400"),
        ] {
            let cid = identifier + "40"
            shown.add(.acl, .hostToController, "4000 0C00 0800 0100 02 \(identifier) 0400 \(psm) \(cid)")
            shown.add(
                .acl, .controllerToHost,
                "4020 1000 0C00 0100 03 \(identifier) 0800 \(cid) \(cid) \(result) 0000")
        }
        shown.add(.acl, .hostToController, "4000 0C00 0800 0100 06 05 0400 0140 0140")
        shown.add(.acl, .controllerToHost, "4020 0C00 0800 0100 07 05 0400 0140 0140")
        shown.add(.acl, .controllerToHost, "4020 0C00 0800 0100 06 05 0400 0240 0240")
        shown.add(.acl, .hostToController, "4000 0C00 0800 0100 07 05 0400 0240 0240")
        shown.event("05 04 00 4000 13")
        let text = shown.report().joined(separator: " ").split(separator: " ").joined(separator: " ")
        let security =
            status == "00" ? "authenticated" : "authentication failed: Authentication Failure (0x05)"
        #expect(text.contains("BR/EDR \u{B7} \(security) \u{B7} channels: "), "\(text)")
        let ends = "closed by the peer: RFCOMM \u{B7} refused by the peer: AVCTP"
        #expect(text.contains("channels: SDP, RFCOMM (2) \u{B7} \(ends) \u{B7}"), "\(text)")
        let link = try shown.connections()[0]
        #expect(link["authentication_status"]?.integer == Int(status))
        #expect(link["channels"]?[1]?["closed_by_peer"]?.integer == 1)
        #expect(link["channels"]?[2]?["refused_by_peer"]?.integer == 1)
    }

    @Test func `of a connection whose beginning is missing, an event of BR/EDR tells what is not decoded`() {
        for isClassic in [true, false] {
            var shown = Shown()
            shown.add(.acl, .controllerToHost, "4020 0800 0400 4130 AABBCCDD")
            if isClassic { shown.event("14 06 00 4000 00 0000") }
            let text = "what Bluetooth Classic carries above L2CAP is not decoded"
            #expect(shown.verdict().contains { $0.contains(text) } == isClassic)
            // Beside a failure too.
            shown.event("05 04 00 4000 08")
            #expect(shown.verdict().contains { $0.contains("lost") })
            #expect(shown.verdict().contains { $0.contains(text) } == isClassic)
        }
    }

    @Test func `advertisers are told with names, services and reports, the named ones first`() {
        var shown = Shown()
        shown.advertise("03 03 1D18 06 09 5343414C45")
        shown.advertise("02 01 06")
        shown.event("3E 0F 02 01 00 00 010203040506 03 02 16 18 C8")
        shown.event("3E 12 02 01 00 00 020203040506 06 05 16 0F18 6400 C8")
        #expect(
            shown.verdict().last?.hasSuffix(
                "3 addresses advertised (4 reports), among them 11:22:33:44:55:66 \"SCALE\" (Weight Scale), "
                    + "06:05:04:03:02:02 (Battery)") == true, "\(shown.verdict())")
    }

    @Test func `an adapter that advertised in vain is told`() {
        var shown = Shown()
        shown.add(.command, .hostToController, "0A 20 01 01")
        shown.event("0E 04 01 0A20 00")
        #expect(shown.verdict().last?.contains("this side advertised, and nobody connected") == true)
        // Two advertising sets that the host stopped.
        for events in ["44", "02"] { shown.event("3E 06 12 44 01 0000 \(events)") }
        #expect(
            shown.verdict().last?.contains("this side advertised (70 events), and nobody connected") == true)
        #expect(shown.verdict().contains("nothing wrong was found"))
    }

    @Test func `a log without a connection, a scan and advertising says what it holds`() {
        var shown = Shown()
        shown.add(.command, .hostToController, "03 0C 00")
        shown.event("0E 04 01 030C 00")
        #expect(shown.verdict().last == "no connection in this log; 1 command, 1 event")
    }

    @Test func `voice belongs to the connection with the same device, which is not silent then`() throws {
        var shown = Shown()
        shown.event("03 0B 00 4200 010203040506 01 00")
        shown.event("2C 11 00 4300 010203040506 02 0C 04 3C00 3C00 03")
        for _ in 0..<4 {
            shown.add(.sco, .hostToController, "4300 03 000000")
            shown.now += 1_000_000_000
            shown.add(.sco, .controllerToHost, "4300 03 000000")
        }
        let lines = shown.verdict()
        #expect(lines.contains { $0.contains("voice 4.0 s (8 packets)") }, "\(lines)")
        #expect(!lines.contains { $0.contains("silent") }, "\(lines)")
        let packets = try shown.values().filter { $0["type"]?.text == "sco" }
        #expect(packets.count == 8 && packets.allSatisfy { $0["connection"]?.integer == 1 })
        // The clock may go back.
        shown.now -= 3_500_000_000
        shown.add(.sco, .hostToController, "4300 03 000000")
        #expect(shown.verdict().contains { $0.contains("voice 4.0 s (9 packets)") })
        // Another handle is no stream of it.
        shown.add(.sco, .hostToController, "4400 03 000000")
        #expect(try shown.values().last?["connection"] == nil)
    }
}
