import Analysis
import CaptureFile
import Foundation
import Testing
import WireBytes

@testable import Rendering

/// What one frame shows, in text and in NDJSON.
@Suite struct FrameTextTests {
    @Test func `Statuses and reasons stand with their names`() {
        var shown = Shown()
        shown.connect()
        shown.add(.command, .hostToController, "0604 03 4000 13")
        shown.event("05 04 00 4000 16")
        let text = shown.text()
        #expect(text[0].contains("status=0x00(Success)"))
        #expect(text[1].contains("reason=0x13(Remote User Terminated Connection)"))
        #expect(text[2].contains("reason=0x16(Connection Terminated by Local Host)"))
        #expect(text[2].hasSuffix("(to 2, 1 ms)"))
    }

    @Test func `A scan that is switched on with other parameters is not folded`() {
        var shown = Shown()
        for command in ["01 00", "00 00", "01 00", "00 01", "01 01", "00 00", "01 01"] {
            shown.add(.command, .hostToController, "0C20 02 \(command)")
            shown.event("0E 04 01 0C20 00")
        }
        let scans = shown.lines(all: false).filter { $0.contains("LE Set Scan Enable") }
        let numbers = scans.map { $0.prefix(7).filter { $0 != " " } }
        #expect(numbers == ["1", "3", "9"], "\(scans)")
    }

    @Test func `What a connection begins with has a time like the rest`() {
        var shown = Shown()
        shown.att(.controllerToHost, "1B 0300 01")
        shown.att(.hostToController, "52 0300 01")
        let lines = shown.verdict()
        let steps = "first notification with the first packet \u{B7} first value written at +1.0 ms"
        #expect(lines.contains { $0.contains(steps) }, "\(lines)")
    }

    @Test func `Elapsed times count from the first record, whichever are shown of a clock set back`() {
        var shown = Shown()
        shown.connect()
        shown.now -= 3_600_000_000_000
        shown.att(.hostToController, "52 0300 01")
        shown.now += 2_000_000_000
        shown.att(.hostToController, "52 0300 02")
        let later = shown.lines(from: 3)
        #expect(later.count == 1 && later[0].hasPrefix("      3 -3597.998000 tx "))
        #expect(later == Array(shown.lines().suffix(1)))
    }

    @Test func `A structure that runs over the end of advertising data is shown with what is there`() throws {
        var shown = Shown()
        shown.advertise("02 01 06 1F 09 616263")
        let text = shown.text(all: false)
        let data =
            #"[ Flags=0x06(LE General Discoverable Mode|BR/EDR Not Supported); Complete Local Name="abc""#
            + " [malformed at +3: 31 bytes announced, 4 there] ]"
        #expect(text[0].contains(data))
        #expect(text[1].hasSuffix("malformed structure at +3 of advertising data"))
        let report = try shown.values()[0]["advertising"]?[0]
        #expect(report?["malformed"] != nil)
    }

    @Test func `Data in several reports are shown as octets, and whole below the last of them`() throws {
        var shown = Shown()
        let head = "00 00 665544332211 01 00 03 7F C8 0000 00 000000000000"
        shown.event("3E 1F 0D 01 20 \(head) 05 0C FF FFFF 01")
        shown.event("3E 22 0D 01 00 \(head) 08 05 09 46414B45 0000")
        shown.event("3E 1E 0D 01 20 \(head) 04 0505 4142")
        shown.event("3E 1B 0D 01 00 \(head) 01 00")
        let text = shown.text()
        #expect(text[0].contains(" data=0cffffff01 (a part)"))
        #expect(text[1].contains(" data=050946414b450000 (a part)"))
        #expect(
            text[2].hasSuffix(
                "whole data since frame 1, 13 bytes  data=[ Manufacturer Specific Data Company Identifier=0xffff"
                    + " Data=01050946414b450000 ]"))
        // What can't be put together is not explained.
        #expect(text[3].contains(" data=05054142 (a part)") && text[4].contains(" data=00 (a part)"))
        #expect(text.count == 5 && !text.contains { $0.contains("FAKE") })
        let reports = try shown.values().map { $0["advertising"]?[0] }
        #expect(reports.map { $0?["part"] != nil } == [true, true, true, true])
        #expect(
            reports.map { $0?["octets"]?.text ?? "" } == ["0cffffff01", "050946414b450000", "05054142", "00"])
        #expect(reports[0]?["data"]?[0] == nil && reports[1]?["data"]?[0]?["type"] != nil)
        #expect(reports[3]?["data"]?[0] == nil)
    }

    @Test func `Data on a channel whose opening is seen name its service`() throws {
        var shown = Shown()
        shown.connect()
        shown.add(.acl, .controllerToHost, "40 20 12 00 0E 00 05 00 14 05 0A 00 8000 7000 6400 4000 0100")
        shown.add(.acl, .hostToController, "40 00 12 00 0E 00 05 00 15 05 0A 00 7100 6400 4000 0100 0000")
        shown.add(.acl, .hostToController, "40 00 09 00 05 00 70 00 0300 616263")
        shown.add(.acl, .hostToController, "40 00 09 00 05 00 99 00 0300 616263")
        let text = shown.text()
        #expect(text[3].contains("channel 0x0070 of SPSM 0x0080, 5 bytes  0300616263"))
        #expect(text[4].contains("channel 0x0099, 5 bytes"))
        let values = try shown.values()
        #expect(values[3]["l2cap"]?["psm"] != nil && values[4]["l2cap"]?["psm"] == nil)
    }

    @Test func `Services in advertising have names, and members' numbers their owner`() {
        var shown = Shown()
        shown.advertise("07 03 2618 2CFE F0FF 03 16 0F18")
        let text = shown.text()[0]
        let list = "=[ 1826 Fitness Machine; FE2C (Google LLC); FFF0 ]"
        #expect(text.contains("Complete List of 16-bit Service or Service Class UUIDs" + list))
        #expect(text.contains("Service Data - 16-bit UUID Service UUID=180F Battery Data="))
    }

    @Test func `A car says in its advertising what the dialect has for it`() throws {
        var shown = Shown()
        shown.advertise("02 01 06 0C FF FFFF 5551 03 025551000001")
        shown.advertise("02 01 06 0C FF FFFF 5552 03 025551000001")
        let text = shown.text()
        #expect(text[1].hasSuffix("UQDK  car's advertising"))
        #expect(text[2].contains(#"flags=0x03(pairingWindowOpen|locked)  address="02:55:51:00:00:01""#))
        #expect(text.count == 4)
        let values = try shown.values()
        #expect(values[0]["uqdk"]?["dialect"]?.text != nil)
        #expect(values[0]["uqdk"]?["fields"]?["address"]?.text == "02:55:51:00:00:01")
        #expect(values[1]["uqdk"] == nil)
    }

    @Test func `What the recorder cut is not called malformed`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "08 0100 FFFF", original: 7)
        let text = shown.text()
        #expect(text[1].contains("Ending Handle=0xffff \u{2026}  [cut: 5 of 7 bytes]"))
        #expect(!text.contains { $0.contains("malformed") })
    }

    @Test func `Octets that are not there make no facts`() throws {
        var shown = Shown()
        shown.event("")
        shown.event("0E 01 01")
        shown.add(.command, .hostToController, "06")
        shown.add(.unknown, .unknown, "")
        let text = shown.text()
        #expect(text[0].contains("event without its header"))
        #expect(text[1].hasSuffix("malformed HCI packet: 0 bytes, less than a header"))
        #expect(text[2].contains("Command Complete num_hci_command_packets=1 [malformed at +1]"))
        #expect(text[4].contains("command without its header  06"))
        #expect(text[6].contains("empty record"))
        let values = try shown.values()
        #expect(values[0]["hci"]?["event"] == nil)
        #expect(values[1]["hci"]?["command_name"] == nil)
        #expect(values[2]["hci"]?["opcode"] == nil)
        #expect(values[3]["packet_type"] == nil)
    }

    @Test func `PDUs of several attributes show each, and rare ones all their octets`() throws {
        var shown = Shown()
        shown.connect()
        // A service and in it one characteristic, whose value is at handle 3.
        shown.att(.hostToController, "10 0100 FFFF 0028")
        shown.att(.controllerToHost, "11 06 0100 0500 0F18")
        shown.att(.hostToController, "08 0100 0500 0328")
        shown.att(.controllerToHost, "09 07 0200 12 0300 192A")
        shown.att(.hostToController, "0E 0300 0900")
        shown.att(.controllerToHost, "23 0300 0100 63 0900 0200 6465")
        shown.att(.hostToController, "0C 0300 1600")
        shown.att(.hostToController, "20 0300 0900")
        shown.att(.controllerToHost, "21 0100 63 0200 6465")
        shown.att(.hostToController, "D2 0300 6162 010000003132333435363738")
        shown.att(.hostToController, "7F 0102")
        let text = shown.text().filter { $0.hasPrefix("ATT") }
        let label = "0x0003 2A19 Battery Level in 180F Battery [discovered 5]"
        #expect(text[4].hasSuffix("Read Multiple Request \(label); 0x0009"))
        #expect(text[5].contains("Multiple Handle Value Notification \(label)  63; 0x0009  6465"))
        #expect(text[6].hasSuffix("Read Blob Request \(label) at 22"))
        #expect(text[7].hasSuffix("Read Multiple Variable Request \(label); 0x0009"))
        #expect(text[8].contains("Read Multiple Variable Response \(label)  63; 0x0009  6465"))
        #expect(text[9].hasSuffix("\(label)  6162  signature 010000003132333435363738"))
        #expect(text[10].hasSuffix("unknown opcode 0x7f  0102"))
        let named = try shown.values()[6]["att"]?["attributes"]
        #expect(named?[0]?["characteristic"]?.text == "2A19" && named?[0]?["value"]?.text == "63")
        #expect(named?[1]?["handle"]?.integer == 9 && named?[1]?["label"] == nil)
    }

    @Test func `The whole value of a long write stands on its last PDU`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "16 0500 0000 616263")
        shown.att(.controllerToHost, "17 0500 0000 616263")
        shown.att(.hostToController, "16 0500 0300 6465")
        shown.att(.controllerToHost, "17 0500 0300 6465")
        shown.att(.hostToController, "18 01")
        #expect(shown.text().last?.hasSuffix(#"whole value of 0x0005, 5 bytes  6162636465 "abcde""#) == true)
        let joined = try shown.values().last?["att"]?["joined"]?[0]
        #expect(joined?["handle"]?.integer == 5 && joined?["value"]?.text == "6162636465")
    }

    @Test func `Numbers of 64 bits are strings in NDJSON, small ones too`() throws {
        var shown = Shown()
        shown.event("0E 0C 01 0310 00 BF7FFE2FDBFF7B87")
        shown.event("0E 0C 01 0310 00 0100000000000000")
        let values = try shown.values()
        #expect(values[0]["hci"]?["lmp_features"]?.text == "0x877bffdb2ffe7fbf")
        #expect(values[1]["hci"]?["lmp_features"]?.text == "0x0000000000000001")
    }

    @Test func `Durations follow their size, and a sign stands at its number`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.now += 25_880_422_000
        shown.att(.controllerToHost, "0B 41")
        shown.event("10 01 42")
        #expect(shown.text()[3].hasSuffix("(to 2, 25.881 s)"))
        #expect(shown.text()[5].hasSuffix("the controller reports hardware error 0x42"))
        var renderer = TextRenderer()
        renderer.start = CaptureTime(nanoseconds: 10_000)
        renderer.frameTime(CaptureTime(nanoseconds: 9_000))
        #expect(String(decoding: renderer.out.octets.copied(), as: UTF8.self) == "  -0.000001")
    }
}
