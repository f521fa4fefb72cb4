import CaptureFile
import Rendering
import Testing
import WireBytes

/// Which failure the verdict names first, what is no failure, and what it claims only where the log shows it.
@Suite struct FailureOrderTests {
    private func failures(_ shown: Shown) -> [String] { shown.failures() }

    /// A connection on which six different reads are refused.
    private static func refused() -> Shown {
        var shown = Shown()
        shown.connect()
        for handle in 3...8 {
            shown.att(.hostToController, "0A 0\(handle)00")
            shown.att(.controllerToHost, "01 0A 0\(handle)00 02")
        }
        return shown
    }

    @Test(
        arguments: [
            ("05 04 00 4000 08", "connection lost: Connection Timeout (0x08)"),
            ("05 04 00 4000 3D", "connection lost: Connection Terminated due to MIC Failure (0x3d)"),
            ("08 04 06 4000 00", "encryption failed: PIN or Key Missing (0x06)"),
        ])
    func `what ends a connection leads, however many reads were refused before`(
        _ event: String, _ text: String
    ) {
        var shown = Self.refused()
        shown.event(event)
        let lines = shown.verdict()
        #expect(failures(shown).first?.contains(text) == true, "\(lines)")
        #expect(failures(shown).count == 4)
        #expect(lines.contains("and 3 more failures (blecap info lists them)"), "\(lines)")
    }

    @Test func `a failed pairing leads too`() {
        var shown = Self.refused()
        shown.add(.acl, .controllerToHost, "4020 0600 0200 0600 05 04")
        #expect(failures(shown).first?.contains("pairing failed: Confirm Value Failed (0x04)") == true)
    }

    @Test func `all failures are in NDJSON, the gravest first, with the side`() throws {
        var shown = Self.refused()
        shown.event("05 04 00 4000 08")
        let wrong = try #require(try shown.values(toEnd: true).last?["wrong"]?.elements)
        #expect(wrong.count == 7)
        #expect(wrong.first?["code"]?.text == "abnormal-disconnection")
        #expect(wrong.first?["side"]?.text == "link")
        #expect(wrong.last?["side"]?.text == "peer")
        #expect(wrong.last?["handle"]?.integer == 8)
    }

    @Test func `past those that are kept, there are more than are counted`() {
        var shown = Shown()
        shown.connect()
        for handle in 0x10...0x60 {
            let handle = Hex.text([UInt8(handle)])
            shown.att(.hostToController, "0A \(handle)00")
            shown.att(.controllerToHost, "01 0A \(handle)00 02")
        }
        #expect(shown.verdict().contains("and more than 60 more failures (blecap info lists them)"))
    }

    /// Pages a device that is not there.
    private func page(_ shown: inout Shown, _ device: String = "010203040506", isAsked: Bool = true) {
        if isAsked { shown.add(.command, .hostToController, "0504 0D \(device) 18CC 02 00 0000 00") }
        shown.event("0F 04 00 01 0504")
        shown.event("03 0B 04 0000 \(device) 01 00")
    }

    /// A session over LE.
    private func session(_ shown: inout Shown) {
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B 05")
    }

    @Test func `a page of another device is no failure of a session over LE, and stands below it`() {
        var shown = Shown()
        page(&shown)
        session(&shown)
        #expect(failures(shown) == [])
        let lines = shown.verdict()
        let found = lines.firstIndex { $0.contains("no connection to 06:05:04:03:02:01") }
        let session = lines.firstIndex { $0.hasPrefix("connection 1") }
        #expect(found.map { lines[$0].hasPrefix("!") && $0 > session ?? .max } == true, "\(lines)")
    }

    @Test func `an attempt that failed before its device was connected to is on the first screen`() {
        var shown = Shown()
        page(&shown)
        shown.event("03 0B 00 4000 010203040506 01 00")
        shown.event("05 04 00 4000 16")
        let lines = shown.verdict()
        #expect(failures(shown) == [])
        #expect(lines.contains { $0.hasPrefix("! 1  ") && $0.contains("no connection to ") }, "\(lines)")
        #expect(!lines.contains { $0.contains("more warning") || $0 == "  " }, "\(lines)")
    }

    @Test(arguments: [true, false])
    func `a failure to connect long before its device was connected to says so`(_ isOfDevice: Bool) {
        var shown = Shown()
        page(&shown)
        shown.now += 600_000_000_000
        shown.event("03 0B 00 4000 \(isOfDevice ? "010203040506" : "010203040507") 01 00")
        let line = failures(shown).first
        #expect(line?.contains("no connection to 06:05:04:03:02:01") == true)
        #expect(line?.contains("; connected 10.0 min later (connection 1)  [link]") == isOfDevice)
    }

    @Test func `a connection that was lost says when its device was connected again`() throws {
        var shown = Shown()
        shown.connect()
        shown.event("05 04 00 4000 08")
        let lost = failures(shown).first
        shown.now += 5_000_000_000
        shown.connect()
        let again = failures(shown).first
        #expect(lost?.hasSuffix("connection lost: Connection Timeout (0x08)  [link]") == true)
        #expect(again?.contains("(0x08); connected again 5.0 s later (connection 2)") == true)
        let summary = try shown.values(toEnd: true).last { $0["kind"]?.text == "summary" }
        let next = summary?["wrong"]?.elements?.first?["reconnected"]
        #expect(next?["connection"]?.integer == 2 && next?["after_us"]?.integer == 5_001_000)
    }

    @Test func `a device stays away only where the log goes on without it, after its last loss`() {
        var shown = Shown()
        for second in [5, 1] as [Int64] {
            shown.connect()
            shown.event("05 04 00 4000 08")
            shown.now += second * 1_000_000_000
        }
        let ended = shown
        shown.now += 20_000_000_000
        shown.advertise("02 01 06")
        let lines = [ended, shown].map { failures($0).first ?? "" }
        #expect(lines.map { $0.contains("(2 times, on connections 1, 2)") } == [true, true], "\(lines)")
        #expect(lines.map { $0.contains("not connected again in this log after the last") } == [false, true])
        shown.connect()
        let again = failures(shown).first
        #expect(again?.contains("; connected again 21.0 s after the last time (connection 3)") == true)
    }

    @Test func `where not all failures have a line, the last one is named`() {
        let lines = Self.refused().verdict()
        let last = "and 2 more failures (blecap info lists them), the last at frame 13: "
        #expect(lines.contains { $0.hasPrefix(last) }, "\(lines)")
    }

    /// A connection over BR/EDR to the device of ``page(_:_:isAsked:)``, which its host ends.
    private func classicSession(_ shown: inout Shown) {
        shown.event("03 0B 00 4200 010203040506 01 00")
        shown.event("05 04 00 4200 16")
    }

    @Test func `pages in vain before and after a connection are two failures, each with its outcome`() {
        var shown = Shown()
        page(&shown)
        shown.now += 70_000_000_000
        classicSession(&shown)
        for _ in 0..<2 { page(&shown) }
        let lines = failures(shown)
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.first?.contains("(2 times)") == true, "\(lines)")
        #expect(lines.last?.contains("; connected 70.0 s later (connection 1)") == true, "\(lines)")
    }

    @Test func `an overcome page is not counted with those that stayed in vain`() {
        var shown = Shown()
        for wait in [70, 1] as [Int64] {
            page(&shown)
            shown.now += wait * 1_000_000_000
            classicSession(&shown)
        }
        let lines = shown.verdict()
        #expect(failures(shown).count == 1 && !lines.contains { $0.contains(" times)") }, "\(lines)")
        #expect(failures(shown).first?.contains("frame 3") == true, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("!") && $0.contains("it succeeded later") }, "\(lines)")
    }

    @Test func `the failures of the whole log are counted alike, whatever passes the filter`() {
        var shown = Shown()
        session(&shown)
        let chosen = 1...shown.count
        page(&shown)
        shown.now += 70_000_000_000
        classicSession(&shown)
        #expect(failures(shown).count == 1)
        let lines = shown.verdict(choosing: chosen)
        #expect(lines.contains { $0.hasSuffix("; the whole log has 1 failure") }, "\(lines)")
        let own = shown.verdict(choosing: (chosen.upperBound + 1)...(chosen.upperBound + 3))
        #expect(own.contains { $0.contains("; connected 70.0 s later (connection 2)") }, "\(own)")
    }

    @Test func `so is one of which the log lacks the command`() {
        var shown = Shown()
        session(&shown)
        page(&shown, isAsked: false)
        #expect(failures(shown) == [])
    }

    @Test func `a log's line and the exit status count such a page as the verdict does`() {
        var shown = Shown()
        session(&shown)
        #expect(shown.line().line.verdict == .ok && shown.line().counts.othersInWords() == "")
        page(&shown)
        let (line, counts) = shown.line()
        #expect(line.verdict == .warning && line.device == "06:05:04:03:02:01")
        #expect(line.outcome.contains("Page Timeout (0x04)"), "\(line.outcome)")
        #expect(counts.failures == 0 && counts.othersInWords() == "1 warning")
    }

    @Test func `a log's line names the device that could not be connected, not another one that was`() {
        var shown = Shown()
        session(&shown)
        let device = "06 05 04 03 02 01"
        shown.add(
            .command, .hostToController,
            "0D20 19 6000 3000 00 00 \(device) 00 1800 2800 0000 F401 0000 0000")
        shown.event("0F 04 00 01 0D20")
        shown.event("3E 13 01 3E 0000 00 00 \(device) 0000 0000 0000 00")
        let line = shown.line().line
        #expect(line.verdict == .failed && line.device == "01:02:03:04:05:06", "\(line)")
    }

    @Test func `what was overcome is counted beside the warnings, in every output alike`() {
        var shown = Shown()
        page(&shown)
        session(&shown)
        for (request, answer) in [("0A 0500", "01 0A 0500 0E"), ("0A 0500", "0B 07")] {
            shown.att(.hostToController, request)
            shown.att(.controllerToHost, answer)
        }
        #expect(shown.line().counts.othersInWords() == "1 problem overcome, 1 warning")
        #expect(shown.verdict().count { $0.hasPrefix("!") } == 2, "\(shown.verdict())")
    }

    @Test(arguments: [true, false])
    func `a page is a failure without such a session, and to its device`(_ isToSession: Bool) {
        var shown = Shown()
        if isToSession { session(&shown) }
        page(&shown, isToSession ? "665544332211" : "010203040506")
        #expect(failures(shown).first?.contains("no connection to") == true, "\(shown.verdict())")
    }

    @Test func `a refusal by one side is not overcome by an answer of the other`() {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "10 0100 FFFF 0028")
        shown.att(.hostToController, "01 10 0100 0E")
        shown.att(.hostToController, "10 0100 FFFF 0028")
        shown.att(.controllerToHost, "11 06 1000 1F00 F0FF")
        #expect(failures(shown).count == 1)
    }

    @Test(arguments: [(10, true), (70, false)])
    func `a request that succeeds on the next connection within a minute names that connection`(
        _ seconds: Int64, _ isOvercome: Bool
    ) {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "12 0300 01")
        shown.att(.controllerToHost, "01 12 0300 08")
        shown.event("05 04 00 4000 16")
        shown.now += seconds * 1_000_000_000
        shown.connect()
        shown.att(.hostToController, "12 0300 01")
        shown.att(.controllerToHost, "13")
        #expect(failures(shown).isEmpty == isOvercome)
        let text = shown.verdict().joined(separator: "\n")
        #expect(text.contains("; a later one succeeded (connection 2)") == isOvercome, "\(text)")
    }

    @Test func `a write that is refused, and taken after pairing, is no failure`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "12 0300 01")
        shown.att(.controllerToHost, "01 12 0300 05")
        let refused = shown
        #expect(failures(refused).count == 1)
        shown.event("08 04 00 4000 01")
        shown.att(.hostToController, "12 0300 01")
        shown.att(.controllerToHost, "13")
        #expect(failures(shown) == [])
        let warning = shown.verdict().first { $0.contains("! 1  frame ") }
        #expect(warning?.contains("; a later one succeeded") == true, "\(warning ?? "none")")
        shown.att(.hostToController, "12 0300 01")
        shown.att(.controllerToHost, "01 12 0300 05")
        #expect(failures(shown).count == 1, "what is refused again after that is a failure")
    }

    @Test func `what was overcome is numbered as it happened, and what has no line is counted`() {
        var shown = Shown()
        shown.connect()
        for handle in ["0300", "0500", "0700"] {
            shown.att(.hostToController, "12 \(handle) 01")
            shown.att(.controllerToHost, "01 12 \(handle) 05")
        }
        shown.event("08 04 00 4000 01")
        for handle in ["0700", "0500", "0300"] {
            shown.att(.hostToController, "12 \(handle) 01")
            shown.att(.controllerToHost, "13")
        }
        let verdict = shown.verdict()
        let entries = verdict.filter { $0.contains("! ") }.map { $0.prefix(14) }
        #expect(entries == ["! 1  frame 3, ", "! 2  frame 5, ", "! 3  frame 7, "])
        shown.att(.hostToController, "12 0900 01")
        shown.att(.controllerToHost, "01 12 0900 03")
        #expect(failures(shown).count == 1)
        #expect(Self.numbers(shown) == ["\u{2717} 1", "! 2", "! 3", "! 4"])
    }

    /// The marks and numbers of the verdict's entries, as they are printed.
    private static func numbers(_ shown: Shown) -> [String] {
        shown.verdict().compactMap { line in
            let words = line.split(separator: " ")
            guard let mark = words.first, mark == "!" || mark == "\u{2717}" else { return nil }
            return "\(mark) \(words[1])"
        }
    }

    @Test func `Entries are numbered as they are printed, failures first, each with its connection`() {
        var shown = Shown()
        func refuse(_ handle: String, _ code: String = "03") {
            shown.att(.hostToController, "12 \(handle) 01")
            shown.att(.controllerToHost, "01 12 \(handle) \(code)")
        }
        shown.connect()
        refuse("0300")
        refuse("0500", "05")
        shown.event("08 04 00 4000 01")
        shown.att(.hostToController, "12 0500 01")
        shown.att(.controllerToHost, "13")
        shown.disconnect()
        shown.event("3E 13 01 00 4000 00 00 112233445566 1800 0000 F401 00")
        refuse("0700")
        shown.event("05 04 00 4000 08")
        let verdict = shown.verdict()
        #expect(Self.numbers(shown) == ["\u{2717} 1", "\u{2717} 2", "\u{2717} 3", "! 4"], "\(verdict)")
    }

    @Test func `A jump of the clock at a frame that is left out does not count as time`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.now += 90 * 86_400_000_000_000
        shown.att(.controllerToHost, "0B 05")
        for _ in 0..<2 { shown.event("0F 04 00 01 00 00") }
        let whole = shown.verdict()[0]
        #expect(whole.contains("the clock jumps ahead by 90.0 d at frame 3"), "\(whole)")
        let lines = shown.verdict(choosing: 1...5, without: 3)
        #expect(lines[0].hasSuffix("the clock jumps ahead by 90.0 d at frame 3"), "\(lines)")
        #expect(!shown.verdict(choosing: 4...5)[0].contains("jumps"))
    }

    @Test func `A failure that goes on after one was overcome begins at a frame that passes the filter`() {
        var shown = Shown()
        for device in ["112233445566", "212223242526", "313233343536", "212223242526"] {
            shown.event("3E 13 01 00 4000 00 00 \(device) 1800 0000 F401 00")
            if shown.count < 7 { shown.event("05 04 00 4000 3E") }
        }
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B 05")
        let entries = shown.verdict(choosing: 3...9).filter { $0.contains("\u{2717} 1  ") }
        #expect(entries.count == 1 && entries[0].contains("frame 6"), "\(entries)")
        #expect(shown.verdict().contains { $0.contains("\u{2717} 1  frame 2") })
    }

    @Test func `so is one that is taken on the next connection with the device`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "12 0300 01")
        shown.att(.controllerToHost, "01 12 0300 05")
        shown.disconnect()
        shown.connect()
        shown.att(.hostToController, "12 0300 01")
        shown.att(.controllerToHost, "13")
        #expect(failures(shown) == [])
    }

    @Test(arguments: [(0.4, false), (3, true)])
    func `what was asked just before the log ends is on its way`(_ seconds: Double, _ isTold: Bool) {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.now += Int64(seconds * 1e9)
        shown.event("0F 04 00 01 00 00")
        #expect(shown.verdict().contains { $0.hasPrefix("unanswered: ") } == isTold)
    }

    @Test func `a host that ends the connection does not miss what it asked just before`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.event("05 04 00 4000 16")
        #expect(failures(shown) == [])
        var peer = Shown()
        peer.connect()
        peer.att(.hostToController, "08 0100 FFFF 0328")
        peer.event("05 04 00 4000 13")
        let text =
            "the Read By Type Request of frame 2 had no response when the peer ended the connection, 1.0 ms later"
        #expect(failures(peer).first?.contains(text) == true, "\(failures(peer))")
    }

    @Test func `a request that waits when the link is lost is a consequence`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.now += 5_000_000_000
        shown.event("05 04 00 4000 08")
        #expect(failures(shown).count == 1)
        #expect(failures(shown).first?.contains("connection lost: Connection Timeout (0x08)") == true)
        let told = shown.verdict().filter { $0.contains("     before: the Read Request of frame 2 ") }
        #expect(told.count == 1)
    }

    @Test func `of a log with one direction no request is called unanswered`() {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "0A 0300")
        shown.now += 40_000_000_000
        shown.att(.controllerToHost, "1B 0300 01")
        shown.att(.controllerToHost, "0A 0400")
        shown.now += 10_000_000_000
        shown.att(.controllerToHost, "1B 0300 01")
        #expect(!shown.text().contains { $0.contains("had no response") })
        #expect(!shown.verdict().contains { $0.hasPrefix("unanswered: ") } && shown.failures() == [])
        shown.att(.hostToController, "52 0500 01")
        #expect(shown.verdict().contains { $0.hasPrefix("unanswered: ") }, "once the log shows the host's")
    }

    @Test func `of a log with one direction no exchange of the MTU is called unanswered`() {
        var shown = Shown()
        shown.att(.controllerToHost, "02 1700")
        shown.att(.controllerToHost, "1B 0300 01")
        let lacking = "MTU not answered in this log, which lacks the answers, asked for by the peer"
        #expect(shown.verdict().contains { $0.contains(lacking) }, "\(shown.verdict())")
        shown.att(.hostToController, "52 0500 01")
        let text = shown.verdict().joined(separator: " ")
        #expect(text.contains("MTU not answered before the log ended"), "\(text)")
        #expect(text.contains("ms later, asked for by the peer"), "\(text)")
    }

    @Test func `of a log without events the end of a connection is not known`() {
        var shown = Shown()
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B 01")
        shown.now += 100_000_000_000
        shown.add(.acl, .controllerToHost, "4120 0700 0300 0400 1B 0300")
        let text = shown.verdict().joined(separator: " ")
        #expect(
            text.contains("its end is not in this log; last packet after") && !text.contains("still open"),
            "\(text)")
        #expect(!text.contains("silent"))
    }

    @Test func `a connection that never was is not called lost`() {
        var shown = Shown()
        shown.connect()
        shown.event("05 04 00 4000 3E")
        #expect(failures(shown).first?.contains("the connection was not established: ") == true)
    }

    @Test func `a connection whose end the host had asked for is not called lost`() {
        var shown = Shown()
        shown.connect()
        shown.add(.command, .hostToController, "0604 03 4000 13")
        shown.event("05 04 00 4000 08")
        let text = shown.verdict().joined(separator: " ")
        #expect(text.contains("ended by the host, not confirmed: Connection Timeout (0x08)"), "\(text)")
        #expect(!text.contains("lost"), "\(text)")
    }

    @Test func `who refused whom, and whose request waited, is said`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "12 0300 01")
        shown.att(.hostToController, "01 12 0300 01")
        shown.att(.controllerToHost, "1D 0300 01")
        shown.now += 31_000_000_000
        shown.att(.controllerToHost, "1B 0500 01")
        shown.att(.hostToController, "52 0500 01")
        shown.now += 31_000_000_000
        shown.att(.hostToController, "52 0500 01")
        let lines = failures(shown)
        #expect(
            lines.contains {
                $0.contains("the host refused the peer: Invalid Handle (0x01) on write to 0x0003")
            })
        #expect(
            lines.contains { $0.contains("the peer's Handle Value Indication of frame 4 had no response") },
            "\(lines)")
    }
}
