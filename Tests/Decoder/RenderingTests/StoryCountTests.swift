import CaptureFile
import Testing
import WireBytes

/// Numbers in the verdict and beside frames: whose they are, and what they are of.
@Suite struct StoryCountTests {
    private func story(_ shown: Shown) -> String {
        shown.verdict().drop { !$0.hasPrefix("connection 1") }.joined(separator: " ")
    }

    @Test func `reads and writes are counted by who sent them`() throws {
        var shown = Shown()
        shown.connect()
        for _ in 0..<3 { shown.att(.hostToController, "52 0300 01") }
        shown.att(.controllerToHost, "52 0500 01")
        shown.att(.controllerToHost, "1B 0300 01")
        shown.att(.hostToController, "1B 0500 01")
        let text = story(shown)
        for part in [
            "3 writes \u{B7}", "1 notification \u{B7}", "1 write by the peer", "1 notification by the host",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let line = try #require(try shown.connections().first)
        #expect(line["writes"]?.integer == 4 && line["writes_by_peer"]?.integer == 1)
        #expect(line["notifications"]?.integer == 2 && line["notifications_by_peer"]?.integer == 1)
    }

    @Test func `a discovery and an MTU exchange that the peer asks for are the peer's`() {
        func ask(_ shown: inout Shown, byPeer: Bool) {
            let (client, server): (Direction, Direction) =
                byPeer ? (.controllerToHost, .hostToController) : (.hostToController, .controllerToHost)
            shown.att(client, "02 F700")
            shown.att(server, "03 6400")
            shown.att(client, "10 0100 FFFF 0028")
            shown.att(server, "01 10 0100 0A")
        }
        var shown = Shown()
        shown.connect()
        ask(&shown, byPeer: true)
        let mtu = "MTU 100 in 1.0 ms, asked for by the peer"
        let byPeer = "discovery by the peer 1 request in 1.0 ms"
        #expect(story(shown).contains("\(mtu) \u{B7} \(byPeer)"), "\(story(shown))")
        shown.now += 5_000_000_000
        ask(&shown, byPeer: false)
        // The time is that of the host's discovery.
        let both = "discovery 1 request in 1.0 ms \u{B7} discovery by the peer 1 request"
        #expect(story(shown).contains(both), "\(story(shown))")
        #expect(!story(shown).contains("\(both) in"))
        // A peripheral's central discovers more than the peripheral.
        var peripheral = Shown()
        peripheral.event("3E 13 01 00 4000 01 00 665544332211 1800 0000 F401 00")
        for byPeer in [false, true] { ask(&peripheral, byPeer: byPeer) }
        let ofPeers = "discovery 1 request \u{B7} discovery by the peer 1 request in 1.0 ms"
        #expect(story(peripheral).contains(ofPeers), "\(story(peripheral))")
        var own = Shown()
        own.connect()
        ask(&own, byPeer: false)
        let byHost = "MTU 100 in 1.0 ms \u{B7} discovery 1 request in 1.0 ms"
        #expect(story(own).contains(byHost), "\(story(own))")
    }

    @Test func `a discovery whose last request failed is not called finished`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "10 0100 FFFF 0028")
        shown.att(.controllerToHost, "01 10 0100 0A")
        #expect(story(shown).contains("discovery 1 request in 1.0 ms"))
        var refused = shown
        refused.att(.hostToController, "08 0100 FFFF 0328")
        refused.att(.controllerToHost, "01 08 0100 0E")
        let begun = "discovery not finished: 2 requests in 3.0 ms, the last"
        #expect(story(refused).contains("\(begun) refused: Unlikely Error"), "\(story(refused))")
        shown.att(.hostToController, "08 0100 FFFF 0328")
        let unanswered = "discovery not finished: 2 requests in 1.0 ms, the last not answered"
        #expect(story(shown).contains(unanswered), "\(story(shown))")
        shown.event("05 04 00 4000 08")
        #expect(story(shown).contains(unanswered), "\(story(shown))")
    }

    @Test func `a connection that was not established has no time of connecting`() {
        for (reason, isEstablished) in [("3E", false), ("08", true)] {
            var shown = Shown()
            shown.add(
                .command, .hostToController,
                "0D20 19 6000 3000 00 00 665544332211 00 1800 2800 0000 F401 0000 0000")
            shown.connect()
            shown.event("05 04 00 4000 \(reason)")
            #expect(story(shown).contains("connect 1.0 ms") == isEstablished, "\(story(shown))")
        }
    }

    @Test func `a connection on the air without addresses is named by its access address`() {
        var shown = Shown()
        shown.add(.air, .unknown, "7083329A 02 07 0300 0400 0A0300 000000")
        let title = "connection 1  access address 0x9a328370 (open before the log began)"
        #expect(story(shown).hasPrefix(title), "\(story(shown))")
    }

    @Test func `a notification answers a write that it may answer`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "52 0300 01")
        shown.now += 3_000_000_000
        for _ in 0..<3 {
            shown.att(.controllerToHost, "1B 0300 01")
            shown.now += 2_000_000_000
        }
        shown.att(.hostToController, "52 0300 01")
        for _ in 0..<3 { shown.att(.controllerToHost, "1B 0300 01") }
        shown.att(.hostToController, "52 0300 02")
        shown.now += 31_000_000_000
        shown.att(.controllerToHost, "1B 0300 01")
        let answers = shown.text().filter { $0.contains("Handle Value Notification") }
            .map { $0.contains("after write") }
        #expect(answers == [true, false, false, true, true, true, false])
    }

    @Test func `a PDU that the recorder cut is as long as its header says`() {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "1B 0300 " + String(repeating: "00", count: 21), original: 203)
        #expect(shown.text().contains { $0.contains("an ATT PDU of 203 bytes where ATT_MTU is 23") })
    }

    /// A log whose host has begun to scan.
    private func scanning() -> Shown {
        var shown = Shown()
        shown.add(.command, .hostToController, "0C20 02 01 00")
        shown.event("0E 04 01 0C20 00")
        return shown
    }

    /// Adds a connection that the host asks for.
    private func connectAsAsked(_ shown: inout Shown) {
        shown.add(
            .command, .hostToController,
            "0D20 19 6000 3000 00 00 665544332211 00 1800 2800 0000 2A00 0000 0000")
        shown.event("0F 04 00 01 0D20")
        shown.connect()
    }

    @Test func `a scan in the background tells when the device was heard`() {
        var shown = scanning()
        shown.now += 600_000_000_000
        shown.advertise("0201 06")
        shown.now += 50_000_000
        shown.add(.command, .hostToController, "0C20 02 00 00")
        shown.event("0E 04 01 0C20 00")
        connectAsAsked(&shown)
        let words = story(shown)
        #expect(words.contains("scan 10.0 min \u{B7} first heard 51.0 ms before the scan ended"), "\(words)")
    }

    @Test func `a scan's time is without its stops`() {
        var shown = scanning()
        shown.now += 100_000_000
        shown.add(.command, .hostToController, "0C20 02 00 00")
        shown.event("0E 04 01 0C20 00")
        shown.now += 400_000_000
        shown.add(.command, .hostToController, "0C20 02 01 00")
        shown.event("0E 04 01 0C20 00")
        shown.now += 100_000_000
        connectAsAsked(&shown)
        let words = story(shown)
        #expect(words.contains(#/scan 20\d\.\d ms within 60\d\.\d ms/#), "\(words)")
    }

    @Test func `a long scan that heard only other devices is no part of a connection`() {
        var shown = scanning()
        shown.event("3E 0F 02 01 00 00 010203040506 03 02 16 18 C8")
        shown.now += 600_000_000_000
        connectAsAsked(&shown)
        let words = story(shown)
        #expect(!words.contains("scan"), "\(words)")
    }

    @Test func `a device that only indicates has a first indication`() {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "1D 0300 01")
        let words = story(shown)
        #expect(words.contains("first indication at"), "\(words)")
    }
}
