import CaptureFile
import Testing
import WireBytes

/// What a log can't tell is said once, with what to do next time.
@Suite struct LogGapTests {
    private func gaps(_ shown: Shown) throws -> [String] {
        let lines = shown.verdict().filter { $0.hasPrefix("not in this log: ") }
        let codes =
            try shown.values(toEnd: true).last?["not_in_log"]?.elements?.compactMap { $0["code"]?.text } ?? []
        #expect(codes.count == lines.count)
        return codes
    }

    private func exchange(_ shown: inout Shown) {
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B 01")
    }

    @Test func `of a whole log nothing is missing`() throws {
        var shown = Shown()
        shown.connect()
        shown.add(.command, .hostToController, "0314 02 4000")
        exchange(&shown)
        #expect(try gaps(shown) == [])
    }

    @Test func `a log of events alone lacks commands and data`() throws {
        var shown = Shown()
        shown.connect()
        #expect(try gaps(shown) == ["no-data"])
        shown.add(.command, .hostToController, "0314 02 4000")
        #expect(try gaps(shown) == [])
    }

    @Test func `without events, that is what is missing, and no more of the beginning`() throws {
        var shown = Shown()
        exchange(&shown)
        #expect(try gaps(shown) == ["no-events"])
    }

    @Test func `a log that begins in a connection lacks its beginning`() throws {
        var shown = Shown()
        exchange(&shown)
        shown.event("13 05 01 4000 0100")
        #expect(try gaps(shown) == ["no-start"])
        #expect(
            shown.verdict().contains { $0.hasPrefix("not in this log: how a connection began, with whom") })
        var agreed = Shown()
        agreed.att(.hostToController, "02 1700")
        agreed.att(.controllerToHost, "03 1700")
        agreed.event("13 05 01 4000 0100")
        let text = "not in this log: how a connection began and with whom"
        #expect(agreed.verdict().contains { $0.hasPrefix(text) })
    }

    @Test func `packets of one direction`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "1B 0300 01")
        #expect(try gaps(shown) == ["one-direction"])
        #expect(
            shown.verdict().contains {
                $0.hasPrefix("not in this log: what the recorded device sent; next time")
            })
    }

    @Test func `values that the recorder cut`() throws {
        var shown = Shown()
        shown.connect()
        exchange(&shown)
        shown.att(.controllerToHost, "1B 0300 01", original: 20)
        #expect(try gaps(shown) == ["cut-values"])
        #expect(
            shown.verdict().contains { $0.contains("the end of 1 of 3 ACL packets, which the recorder cut") })
    }
}
