import CaptureFile
import Testing

@testable import Rendering

/// Connections on which the writes brought no value, beside one on which they did.
@Suite struct SilentLinksTests {
    /// Two connections to the same device; on each the host subscribes and writes, and on some a value comes.
    ///
    /// - Parameters:
    ///   - endsAtOnce: whether a connection without a value ends with its write.
    ///   - subscribesElsewhere: whether such a connection subscribes to another value.
    private static func visits(
        _ answers: [Bool], endsAtOnce: Bool = false, subscribesElsewhere: Bool = false
    ) -> Shown {
        var shown = Shown()
        for isAnswered in answers {
            shown.connect()
            shown.att(.hostToController, "08 0100 FFFF 0328")
            shown.att(.controllerToHost, "09 07 0200 10 0300 F1FF 0500 18 0600 F2FF")
            shown.att(.hostToController, "04 0400 0800")
            shown.att(.controllerToHost, "05 01 0400 0229 0800 0229")
            let descriptor = !isAnswered && subscribesElsewhere ? "0800" : "0400"
            shown.att(.hostToController, "12 \(descriptor) 0100")
            shown.att(.controllerToHost, "13")
            shown.att(.hostToController, "12 0600 A5")
            if !isAnswered && endsAtOnce { continue }
            shown.att(.controllerToHost, "13")
            if isAnswered { shown.att(.controllerToHost, "1B 0300 5A") }
            shown.event("05 04 00 4000 16")
        }
        return shown
    }

    @Test func `a connection without values is reported if another one got some`() {
        let lines = Self.visits([true, false]).verdict()
        #expect(lines.contains("nothing failed"), "\(lines)")
        let sentence =
            "connection 2 the host subscribed and wrote but got no value; connection 1 got one [peer]"
        let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(text.contains(sentence), "\(lines)")
    }

    @Test func `a host that did not subscribe to the value of the other connection is told so`() {
        let lines = Self.visits([true, false], subscribesElsewhere: true).verdict()
        let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        let sentence =
            "got no value: it had not subscribed to 0x0003, which gave connection 1 one [host]"
        #expect(text.contains(sentence), "\(lines)")
    }

    @Test(arguments: [[true, true], [false, false], [false]])
    func `no report if all connections or none got values`(_ answers: [Bool]) {
        let lines = Self.visits(answers).verdict()
        #expect(lines.contains("nothing wrong was found"), "\(lines)")
        #expect(!lines.contains { $0.contains("no value came") })
    }

    @Test func `a connection whose last packet is its write shows no missing value`() {
        let lines = Self.visits([true, false], endsAtOnce: true).verdict()
        #expect(!lines.contains { $0.contains("no value came") }, "\(lines)")
    }

    @Test func `a connection is silent since its last data, where the log has data`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B 05")
        var events = Shown()
        events.connect()
        func isSilent(_ shown: inout Shown, for text: String) -> Bool {
            shown.now += 4_000_000_000
            // Read RSSI asks the controller only.
            shown.event("0E 07 01 0514 00 4000 C8")
            shown.now += 999_000_000
            shown.event("0E 04 01 010C 00")
            return shown.verdict().contains { $0.contains("silent for the last \(text)") }
        }
        #expect(isSilent(&shown, for: "5.0 s") && !isSilent(&events, for: ""))
    }

    @Test func `what one side sent alone proves nothing about the answers`() {
        var shown = Shown()
        for _ in 0..<3 { shown.att(.hostToController, "12 0300 01") }
        let lines = shown.verdict()
        let calm = "nothing failed in what one side sent; the other side's data is not in this log"
        #expect(lines.contains(calm), "\(lines)")
        shown.att(.controllerToHost, "1B 0500 01")
        #expect(shown.verdict().contains("nothing wrong was found"))
    }
}
