import CaptureFile
import Foundation
import Testing

@testable import Rendering

/// What failures say beside their codes: what these usually mean, and which attribute they are about.
@Suite struct VerdictWordsTests {
    private static let explaining = Verdict.Style(width: 10_000, explains: true)

    /// A connection whose characteristic FFF2 was discovered, with its value at 0x0014.
    private static func discovered() -> Shown {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "10 0100 FFFF 0028")
        shown.att(.controllerToHost, "11 06 1000 1F00 F0FF")
        shown.att(.hostToController, "08 1000 1F00 0328")
        shown.att(.controllerToHost, "09 07 1300 18 1400 F2FF")
        shown.att(.hostToController, "04 1500 1F00")
        shown.att(.controllerToHost, "05 01 1500 0229")
        return shown
    }

    @Test func `a repetition with another value is not counted as one of the value that is named`() {
        var shown = Shown()
        shown.connect()
        for opcode in ["24", "37", "29"] { shown.att(.hostToController, "\(opcode) 0300") }
        let lines = shown.verdict()
        #expect(lines.contains { $0.contains("unassigned ATT opcode 0x24 (and 2 like it)") }, "\(lines)")
    }

    @Test func `with several logs a sentence names the file of each frame, also of its own`() {
        var shown = Shown()
        shown.names = ["a", "b"]
        shown.file = 1
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.now += 40_000_000_000
        shown.event("05 04 00 4000 08")
        let lines = shown.verdict()
        #expect(lines.contains { $0.contains("the Read Request of frame 2:2 had no response") }, "\(lines)")
    }

    @Test(
        arguments: [
            ("event", "05 04 00 4000 08", "usually out of range"),
            ("event", "05 04 00 4000 3E", "usually out of range, or busy"),
            ("event", "05 04 00 4000 3D", "usually the sides have different keys"),
            ("event", "08 04 06 4000 00", "usually one side has forgotten the bond"),
            ("att", "01 0A 0300 05", "usually the device wants to be paired"),
            ("att", "01 0A 0300 0F", "usually the device wants encryption"),
            ("att", "01 0A 0300 02", "the device does not let this value be read"),
            ("att", "01 0A 0300 80", "a code that this service defines"),
            ("att", "01 0A 0300 9F", "a code that this service defines"),
            ("acl", "4020 0600 0200 0600 05 04", "usually a wrong passkey"),
        ])
    func `below a failure stands what its code usually means, if that is wanted`(
        _ kind: String, _ packet: String, _ text: String
    ) throws {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        switch kind {
        case "event": shown.event(packet)
        case "att": shown.att(.controllerToHost, packet)
        default: shown.add(.acl, .controllerToHost, packet)
        }
        let lines = shown.verdict(style: Self.explaining)
        let failure = try #require(lines.firstIndex { $0.contains("\u{2717} 1  ") })
        let hint = lines[failure...].first { $0.hasPrefix("       \(text)") }
        #expect(hint != nil, "\(lines)")
        #expect(!shown.verdict().contains { $0.contains(text) })
    }

    @Test(arguments: [false, true])
    func `keys that had worked on the connection are not called different`(_ hadWorked: Bool) {
        var shown = Shown()
        shown.connect()
        shown.event("08 04 00 4000 01")
        if hadWorked {
            shown.att(.hostToController, "0A 0300")
            shown.att(.controllerToHost, "01 0A 0300 05")
        }
        shown.event("05 04 00 4000 3D")
        let lines = shown.verdict(style: Self.explaining)
        #expect(lines.contains { $0.contains("different keys") } == !hadWorked, "\(lines)")
        #expect(lines.contains { $0.contains("the keys had worked until then") } == hadWorked, "\(lines)")
        #expect(!lines.contains { $0.contains("wants to be paired") }, "\(lines)")
        #expect(lines.contains { $0.contains("is encrypted already") } == hadWorked, "\(lines)")
    }

    @Test func `what is set alike for each PHY is written once`() throws {
        let phy = "6000 3000 1800 2800 0000 2A00 0000 0000"
        let other = "7000 3000 1800 2800 0000 2A00 0000 0000"
        let begin = "4320 3A 00 00 00 665544332211 07"
        var shown = Shown()
        shown.add(.command, .hostToController, "\(begin) \(phy) \(phy) \(phy)")
        let line = try #require(shown.text().first)
        #expect(line.contains("; the same; the same ]"), "\(line)")
        #expect(line.components(separatedBy: "supervision_timeout").count == 2, "\(line)")
        var first = Shown()
        first.add(.command, .hostToController, "\(begin) \(phy) \(phy) \(other)")
        let third = try #require(first.text().first)
        #expect(third.contains("; the same; scan_interval=70 ms and the same ]"), "\(third)")
    }

    @Test func `the peer that hangs up on a request is explained by its reason`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.now += 2_000_000_000
        shown.event("05 04 00 4000 13")
        let lines = shown.verdict(style: Self.explaining)
        let text = "       usually the other side hung up on purpose"
        #expect(lines.contains { $0.hasPrefix(text) }, "\(lines)")
    }

    @Test func `each code is explained once, and what was overcome is not`() {
        var shown = Shown()
        shown.connect()
        for handle in ["0300", "0400"] {
            shown.att(.hostToController, "0A " + handle)
            shown.att(.controllerToHost, "01 0A \(handle) 05")
        }
        let failed = shown.verdict(style: Self.explaining)
        #expect(failed.count { $0.contains("usually") } == 1 && shown.failures().count == 2, "\(failed)")
        for handle in ["0300", "0400"] {
            shown.att(.hostToController, "0A " + handle)
            shown.att(.controllerToHost, "0B 01")
        }
        #expect(!shown.verdict(style: Self.explaining).contains { $0.contains("usually") })
    }

    @Test func `an explanation leaves room for the connections`() {
        var shown = Shown()
        for reason in ["08", "3E", "3D", "22"] {
            shown.connect()
            shown.event("05 04 00 4000 " + reason)
        }
        let narrow = Verdict.Style(width: 60, explains: true)
        let lines = shown.verdict(style: narrow)
        #expect(lines.count { $0.hasPrefix("connection ") } == 3, "\(lines)")
        let explained = lines.count { $0.contains("usually") }
        #expect((1..<4).contains(explained), "\(lines)")
    }

    @Test func `a refused request names its attribute beside the handle`() {
        var shown = Self.discovered()
        shown.att(.hostToController, "12 1400 01")
        shown.att(.controllerToHost, "01 12 1400 80")
        shown.att(.hostToController, "12 1500 0100")
        shown.att(.controllerToHost, "01 12 1500 80")
        shown.att(.hostToController, "0A 3000")
        shown.att(.controllerToHost, "01 0A 3000 01")
        let error = "ATT error: Application Error (0x80)"
        #expect(
            shown.failures() == [
                "frame 9  \(error) on write to FFF2 (0x0014)  [peer]",
                "frame 11  \(error) on write to Client Characteristic Configuration of FFF2 (0x0015)  [peer]",
                "frame 13  ATT error: Invalid Handle (0x01) on read of 0x0030  [peer]",
            ])
    }

    @Test func `a refusal of what the declaration allows says so`() {
        for (properties, promises) in [("02", true), ("1A", true), ("10", false)] {
            var shown = Shown()
            shown.connect()
            shown.att(.hostToController, "08 1000 1F00 0328")
            shown.att(.controllerToHost, "09 07 1300 \(properties) 1400 F2FF")
            shown.att(.hostToController, "0A 1400")
            shown.att(.controllerToHost, "01 0A 1400 02")
            if properties == "1A" {
                shown.att(.hostToController, "12 1400 01")
                shown.att(.controllerToHost, "01 12 1400 03")
            }
            let side = properties == "10" ? "host" : "peer"
            let read = "frame 5  ATT error: Read Not Permitted (0x02) on read of FFF2 (0x0014)"
            let write = "frame 7  ATT error: Write Not Permitted (0x03) on write to FFF2 (0x0014)"
            let reads = promises ? ", although it is declared readable" : ""
            var expected = ["\(read)\(reads)  [\(side)]"]
            if properties == "1A" { expected.append("\(write), although it is declared writable  [peer]") }
            #expect(shown.failures() == expected)
        }
    }

    @Test(arguments: [("28", "Instant Passed (0x28)"), ("08", "Connection Timeout (0x08)")])
    func `a lost connection has one wording for its end`(_ code: String, _ reason: String) {
        var shown = Shown()
        shown.connect()
        shown.event("05 04 00 4000 \(code)")
        let lines = shown.verdict()
        #expect(lines.contains { $0.hasPrefix("connection 1") && $0.contains(": lost: \(reason) after") })
        #expect(lines.contains { $0.contains("connection lost: \(reason)") }, "\(lines)")
    }

    @Test func `info lists notes apart from problems`() throws {
        for (status, isNote) in [("0C", true), ("12", false)] {
            var shown = Shown()
            // A scan that is stopped although none runs.
            shown.add(.command, .hostToController, "0C20 02 00 00")
            shown.event("0E 04 01 0C20 \(status)")
            let lines = shown.report()
            let row = try #require(lines.firstIndex { $0.contains("1 \u{D7} command-failed") })
            #expect(lines[row - 1] == (isNote ? "notes, which no verdict counts" : "problems"))
        }
    }

    @Test func `where nothing failed, what could not be read is counted`() {
        var shown = Self.discovered()
        let calm = { (shown: Shown) in shown.verdict().first { $0.hasPrefix("nothing") } }
        #expect(calm(shown) == "nothing wrong was found")
        for _ in 0..<2 { shown.add(.acl, .hostToController, "4000 0600 0200 1001 AABB") }
        let read = "nothing failed in what could be read; 2 PDUs of unknown L2CAP channels"
        #expect(calm(shown) == "\(read) could not be")
        shown.add(.unknown, .controllerToHost, "0102")
        #expect(calm(shown) == "\(read) and 1 packet of unknown type could not be")
    }

    @Test func `a jump of the clock behind the notes of a log's head is in the heading`() {
        var shown = Shown()
        shown.add(.note, .unknown, "4142")
        shown.now += 864_000_000_000_000
        shown.add(.note, .unknown, "4344")
        shown.connect()
        shown.event("05 04 00 4000 16")
        let heading = shown.verdict().first ?? ""
        #expect(heading.contains(", before that the clock jumps ahead by 10.0 d at frame 2"), "\(heading)")
        #expect(heading.contains(" 2.0 ms from "), "\(heading)")
    }

    @Test func `a request without a response, or that waits when the log ends, names its attribute`() {
        var shown = Self.discovered()
        shown.att(.hostToController, "12 1400 01")
        shown.now += 2_000_000_000
        shown.event("0F 04 00 01 0000")
        #expect(
            shown.verdict().contains {
                $0.hasPrefix("unanswered: ") && $0.contains("2.0 s later: write to FFF2 (0x0014)")
            }, "\(shown.verdict())")
        shown.event("05 04 00 4000 13")
        #expect(shown.failures().first?.contains("later: write to FFF2 (0x0014)  [peer]") == true)
    }

    @Test func `so does a notification that nothing subscribed to`() {
        var shown = Self.discovered()
        shown.att(.controllerToHost, "1B 1400 01")
        let warning = shown.verdict().first { $0.contains("subscribed to this value") }
        #expect(warning?.hasSuffix(": notification of FFF2 (0x0014)") == true, "\(shown.verdict())")
    }
}
