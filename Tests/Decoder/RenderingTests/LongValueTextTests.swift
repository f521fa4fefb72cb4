import CaptureFile
import Testing

/// Values that several PDUs carry, and labels that another file taught, in text and NDJSON.
@Suite struct LongValueTextTests {
    @Test func `values that are written at once are listed, each with its attribute`() throws {
        var shown = Shown()
        shown.connect()
        for part in ["16 0700 0000 0102", "16 0500 0000 0A0B", "16 0700 0200 03"] {
            shown.att(.hostToController, part)
            shown.att(.controllerToHost, "17" + part.dropFirst(2))
        }
        shown.att(.hostToController, "18 01")
        let lines = shown.lines()
        #expect(
            lines.filter { $0.contains("whole value of") }.map { $0.trimmingPrefix { $0 == " " } } == [
                "whole value of 0x0007, 3 bytes  010203", "whole value of 0x0005, 2 bytes  0a0b",
            ])
        let joined = try #require(try shown.values().last?["att"]?["joined"])
        #expect(joined[0]?["handle"]?.integer == 7 && joined[1]?["handle"]?.integer == 5)
        #expect(joined[0]?["value"]?.text == "010203" && joined[1]?["value"]?.text == "0a0b")
    }

    @Test func `a long read that an error ends shows the error and the value, and no problem`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B" + String(repeating: "41", count: 22))
        shown.att(.hostToController, "0C 0300 1600")
        shown.att(.controllerToHost, "01 0C 0300 07")
        let lines = shown.text()
        #expect(lines.contains { $0.contains("Error Response: Invalid Offset to Read Blob Request") })
        #expect(lines.last?.contains("whole value of 0x0003, 22 bytes") == true)
        let frame = try #require(try shown.values().last)
        #expect(frame["problems"] == nil && frame["att"]?["error"]?.integer == 7)
        #expect(frame["att"]?["joined"]?[0]?["handle"]?.integer == 3)
    }

    /// Two files: the first discovers an attribute, the second has two later links to the same device.
    static func twoFiles() -> Shown {
        var shown = Shown()
        shown.names = ["one.btsnoop", "two.btsnoop"]
        shown.connect()
        shown.att(.hostToController, "08 0100 FFFF 0328")
        shown.att(.controllerToHost, "09 07 0200 12 0300 F1FF")
        shown.att(.controllerToHost, "1B 0300 01")
        shown.event("05 04 00 4000 13")
        shown.connect()
        shown.att(.controllerToHost, "1B 0300 02")
        shown.event("05 04 00 4000 13")
        shown.file = 1
        shown.connect()
        shown.att(.controllerToHost, "1B 0300 03")
        return shown
    }

    @Test func `a label that another file taught names that file`() throws {
        let shown = Self.twoFiles()
        let values = shown.lines().filter { $0.contains("Handle Value Notification") }
        #expect(values.count == 3)
        #expect(values[0].contains("[discovered 3]"))
        #expect(values[1].contains("[earlier-link 3]"))
        #expect(values[2].contains("[earlier-link 1:3]"))
        let all = try shown.values().compactMap { $0["att"] }.filter { $0["opcode"]?.integer == 27 }
        #expect(all.map { $0["label_frame"]?.integer } == [3, 3, 3])
        #expect(all.map { $0["label_file"]?.text } == [nil, nil, "one.btsnoop"])
        #expect(all.map { $0["label"]?.text } == ["discovered", "earlier-link", "earlier-link"])
    }
}
