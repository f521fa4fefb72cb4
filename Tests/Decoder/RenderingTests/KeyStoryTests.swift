import Analysis
import CaptureFile
import Testing
import UQDK

/// The verdict about a car that did not open.
@Suite struct KeyStoryTests {
    static func knowledge(flipped: UInt8 = 0) -> AnalysisKnowledge {
        var keys = KeyStore()
        var key = Shown.Published.key
        key[0] ^= flipped
        keys.uqdk = [KeyStore.DigitalKey(keyID: Shown.Published.keyID, key: key)]
        var knowledge = AnalysisKnowledge()
        knowledge.uqdk = UQDKKnowledge(keys: keys)
        return knowledge
    }

    private static func connected() -> Shown {
        var shown = Shown()
        shown.connect()
        return shown
    }

    private static func story(_ lines: [String]) -> String {
        lines.drop { !$0.hasPrefix("connection 1") }.joined(separator: " ")
    }

    @Test func `what no key opens is said with the id of the key that it needs`() throws {
        var shown = Self.connected()
        shown.exchange(Shown.Published.session)
        shown.disconnect()
        let lines = shown.verdict()
        // Near the top, before the connections.
        #expect(
            lines[1] == "not read: connection 1: 2 secured messages (1 response): "
                + "no key for id 1122334455667788 (if you have it: --keys FILE)")
        #expect(lines.contains { $0.hasPrefix("nothing failed in what could be read") })
        #expect(!shown.verdict(Self.knowledge()).contains { $0.contains("read:") || $0.contains("be read") })
    }

    @Test func `every connection whose messages no key opens is counted, also those that are not listed`() {
        var shown = Shown()
        for _ in 1...300 {
            shown.connect()
            shown.exchange(Shown.Published.session)
            shown.disconnect()
        }
        #expect(shown.verdict().contains("and secured messages of 298 more connections"))
    }

    @Test func `a key that is not the car's is doubted before the car is`() throws {
        var shown = Self.connected()
        shown.exchange(Shown.Published.session)
        let doubt =
            "likely wrong in --keys: the key of id 1122334455667788: "
            + "the car accepted a proof that contradicts it (frame 8, connection 1)"
        let lines = shown.verdict(Self.knowledge(flipped: 1))
        #expect(lines[1] == doubt)
        #expect(!shown.verdict(Self.knowledge()).contains { $0.hasPrefix("likely") })
    }

    @Test func `a command in clear that is refused is a failure where no authentication follows`() throws {
        var shown = Self.connected()
        try shown.message(.request, 0x0202, [0xFF], id: 0)
        let refusal = try shown.message(.response, 0x0202, [2], id: 0)
        var tried = shown
        var open = shown
        shown.disconnect()
        let words = "DOOR_UNLOCK in clear was refused"
        #expect(
            shown.failures() == [
                "frame \(shown.count)  \(words) at frame \(refusal), and no authentication followed  [host]"
            ])
        #expect(!open.verdict().contains { $0.contains(words) })
        open.now += 6_000_000_000
        open.event("FF 01 00")
        #expect(
            open.failures() == ["frame \(refusal)  \(words), and no authentication followed  [host]"])
        tried.exchange(Shown.Published.authentication)
        tried.disconnect()
        #expect(tried.failures() == [])
    }

    @Test func `a refusal is a failure though its request has a warning`() throws {
        var shown = Self.connected()
        // In clear, which is worth a warning alone.
        try shown.message(.request, 0x0202, [0xFF], id: 0)
        let refusal = try shown.message(.response, 0x0202, [6], id: 0)
        shown.disconnect()
        #expect(shown.failures().first?.hasPrefix("frame \(refusal)  DOOR_UNLOCK is answered with ") == true)
    }

    @Test func `an authentication is told as far as it came`() throws {
        var shown = Self.connected()
        shown.exchange([Shown.Published.begin])
        #expect(Self.story(shown.verdict()).contains("authentication not answered"))
        shown.exchange([Shown.Published.begun])
        #expect(Self.story(shown.verdict()).contains("authentication not finished"))
        shown.exchange([Shown.Published.finish])
        #expect(Self.story(shown.verdict()).contains("authentication not answered"))
        try shown.message(.response, 0x0102, [3], id: 2)
        #expect(Self.story(shown.verdict()).contains("authentication refused (badProof)"))
    }

    @Test func `an answer in clear does not count: the secured request goes on waiting`() throws {
        var shown = Self.connected()
        shown.exchange(Shown.Published.authentication + [Shown.Published.unlock])
        try shown.message(.response, 0x0202, [0], id: 3)
        shown.now += 2_000_000_000
        shown.disconnect()
        let lines = shown.verdict(Self.knowledge())
        #expect(Self.story(lines).contains("(DOOR_UNLOCK), not answered"))
        let failures = shown.failures(Self.knowledge())
        #expect(failures[0].contains("an unsecured response to the secured request of frame 10 is ignored"))
        #expect(failures.count == 1, "its missing response is the same failure")
    }

    @Test func `the first wrong thing stands first, and requests without an answer have one line`() throws {
        var shown = Self.connected()
        shown.exchange([Shown.Published.begin, Shown.Published.begun, Shown.Published.finish])
        let refusal = try shown.message(.response, 0x0102, [3], id: 2)
        for id in 3..<6 as Range<UInt64> { try shown.message(.request, 0x0202, [0xFF], id: id) }
        shown.now += 2_000_000_000
        shown.disconnect()
        let failures = shown.failures()
        #expect(failures[0] == "frame \(refusal)  AUTH_FINISH is answered with badProof  [peer]")
        #expect(failures[1].hasSuffix("has no response (and 2 more requests)  [peer]"))
        #expect(failures.count == 2)
    }

    @Test func `an auth counter that the car took is flagged on a later connection too`() throws {
        var shown = Self.connected()
        shown.exchange(Shown.Published.authentication)
        shown.disconnect()
        shown.connect()
        shown.exchange(Shown.Published.authentication)
        let words =
            "AUTH_FINISH: auth counter 7, not above 7, which the car accepted on an earlier connection"
        #expect(shown.verdict(Self.knowledge()).contains { $0.contains(words) })
    }

    @Test func `equal errors of one device appear once, with request and attribute`() throws {
        var shown = Shown()
        for _ in 0..<2 {
            shown.connect()
            for handle in ["0700", "0900", "0700"] {
                shown.att(.hostToController, "0A " + handle)
                shown.att(.controllerToHost, "01 0A " + handle + " 02")
            }
            shown.disconnect()
        }
        let error = "ATT error: Read Not Permitted (0x02) on read of"
        #expect(
            shown.failures() == [
                "frame 3  \(error) 0x0007 (4 times, on connections 1, 2)  [peer]",
                "frame 5  \(error) 0x0009 (2 times, on connections 1, 2)  [peer]",
            ])
        let lines = shown.verdict().filter { $0.hasPrefix("connection ") || $0.contains("\u{2717}") }
        #expect(lines.map { $0.hasPrefix("connection") } == [true, false, false, true])
    }

    @Test func `the link with a key is named before what failed with others`() throws {
        var shown = Shown()
        for _ in 0..<30 {
            shown.connect()
            shown.att(.hostToController, "0A 0700")
            shown.att(.controllerToHost, "01 0A 0700 02")
            shown.disconnect()
        }
        shown.connect()
        shown.exchange([Shown.Published.begin, Shown.Published.begun, Shown.Published.finish])
        let refusal = try shown.message(.response, 0x0102, [3], id: 2)
        let failures = shown.failures()
        #expect(failures[0] == "frame \(refusal)  AUTH_FINISH is answered with badProof  [peer]")
        #expect(failures[1].hasPrefix("frame 3  ATT error"))
        let connections = shown.verdict().filter { $0.hasPrefix("connection ") }
        #expect(connections.first?.hasPrefix("connection 31") == true)
    }
}
