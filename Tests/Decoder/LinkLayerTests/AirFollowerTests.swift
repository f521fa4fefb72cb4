import CaptureFile
import TestSupport
import Testing
import WireBytes

@testable import LinkLayer

/// A follower's account of every packet of a capture, and the HCI packets.
struct Followed {
    var accounts: [AirFollower.Account] = []
    var packets: [[String]] = []
    var follower = AirFollower()

    init(_ capture: AirCapture) throws {
        var reader = try CaptureReader(octets: capture.octets, name: "air")
        while let record = try reader.next() {
            follower.follow(record)
            accounts.append(follower.last)
            packets.append(
                follower.view.packets.map { packet in
                    let octets = follower.view.octets.borrowedOctets.clamped(packet.range).copied()
                    return "\(packet.kind) \(Hex.text(octets))"
                })
        }
    }

    var all: [String] { packets.flatMap { $0 } }
}

@Suite("A sniffer's packets become what the central's host saw")
struct AirFollowerTests {
    private static func session(_ form: AirCapture.Form = .radio) -> (AirCapture, AirLink) {
        var capture = AirCapture(form)
        capture.add(at: 0, AirCapture.advertising, [0x40, 9] + AirLink.peripheral + [2, 1, 6])
        var link = AirLink(at: 1000)
        link.connect(&capture)
        return (capture, link)
    }

    @Test func `a connection event that takes more than half the interval is one event`() throws {
        var (capture, link) = Self.session()
        link.event(&capture)
        for turn in 0..<5 {
            for (place, sender) in [AirCapture.Sender.central, .peripheral].enumerated() {
                // A packet of 251 bytes takes 2,088 µs, and the next one follows after 150 µs.
                let time = link.time + (2 * turn + place) * 2238
                let sequence: UInt8 = turn % 2 == 0 ? 0x19 : 0x11
                capture.add(
                    at: time, channel: 7, AirLink.accessAddress,
                    [sequence, 251] + [UInt8](repeating: 0, count: 251), crcInit: AirLink.crcInit,
                    from: sender)
            }
        }
        let last: [UInt8] = [0x01, 0]
        capture.add(
            at: link.time + 1250 * AirLink.interval, channel: 14, AirLink.accessAddress, last,
            crcInit: AirLink.crcInit, from: .central)
        let seen = try Followed(capture)
        let counts = try #require(seen.follower.connections.first).counts
        #expect(counts.events == 3 && counts.missedEvents == 0)
        #expect(seen.accounts.allSatisfy { $0.missedEvents == 0 })
    }

    @Test(
        "Advertising, a connection, data and its end, in every form of capture",
        arguments: AirCapture.Form.allCases)
    func whole(form: AirCapture.Form) throws {
        var (capture, link) = Self.session(form)
        link.event(&capture, .att("0a0300"))
        link.event(&capture, .empty, .att("0b2a"))
        link.event(&capture, .control("0213"))
        let seen = try Followed(capture)
        let rssi = form == .plain ? "7f" : "c4"
        #expect(
            seen.all == [
                "event 3e0f020100010abbccddeec003020106" + rssi,
                "command 0d201910001000000" + "10abbccddeec00118001800000064000000" + "0000",
                "event 3e1301000000000" + "10abbccddeec01800000064" + "0000",
                "acl 0000070003000400" + "0a0300",
                "acl 0020060002000400" + "0b2a",
                "command 06040300" + "0013", "event 05040000" + "0016",
            ])
        let account = try #require(seen.accounts.last)
        #expect(account.fromCentral == false)
        #expect(account.senderIsInferred == !form.hasSender)
        #expect(seen.follower.connections.map(\.counts.events) == [3])
        #expect(seen.follower.connections.map(\.counts.missedEvents) == [0])
    }

    @Test(
        "A packet whose check sequence is wrong changes nothing, whoever checked it",
        arguments: AirCapture.Form.allCases)
    func wrongCheck(form: AirCapture.Form) throws {
        var (capture, link) = Self.session(form)
        link.event(&capture, .att("0a0300"))
        link.event(&capture, .empty, .att("0b2a"), hears: (.heard, .wrong))
        link.event(&capture)
        let seen = try Followed(capture)
        #expect(!seen.all.contains { $0.hasSuffix("0b2a") })
        #expect(seen.follower.connections.map(\.counts.wrongCRC) == [1])
        #expect(seen.accounts[5].packet.integrity == .invalid)
        #expect(seen.accounts[5].mayHaveMissed)
    }

    @Test("A repeated packet counts once; the next one with the other sequence number is new")
    func repetition() throws {
        var (capture, link) = Self.session()
        link.event(&capture, .att("12030001"), .empty, isRepeated: true)
        link.event(&capture, .att("12030001"))
        link.event(&capture, .att("12030001"))
        let seen = try Followed(capture)
        #expect(seen.all.filter { $0.hasPrefix("acl") }.count == 2)
        #expect(seen.follower.connections.map(\.counts.retransmissions) == [1])
    }

    @Test("Events that were not heard are counted, and a lost packet shows in the sequence numbers")
    func missing() throws {
        var (capture, link) = Self.session()
        link.event(&capture, .att("0a0300"))
        for _ in 0..<5 { link.event(&capture, hears: (.missed, .missed)) }
        link.event(&capture, .att("0a0400"))
        link.event(&capture, .att("0a0500"), hears: (.missed, .heard))
        link.event(&capture, .att("0a0600"))
        let seen = try Followed(capture)
        #expect(seen.follower.connections.map(\.counts.missedEvents) == [5])
        #expect(seen.accounts[4].missedEvents == 5)
        #expect(seen.accounts[4].mayHaveMissed)
        #expect(seen.accounts[7].hasLost)
    }

    @Test(
        "The peripheral's silence until the timeout is a lost connection; the sniffer's is not",
        arguments: [true, false])
    func silence(hearsCentral: Bool) throws {
        var (capture, link) = Self.session()
        link.event(&capture)
        if hearsCentral { for _ in 0..<20 { link.event(&capture, .empty, nil) } }
        capture.add(
            at: link.time + 5_000_000, AirCapture.advertising, [0x40, 9] + AirLink.peripheral + [2, 1, 6])
        let seen = try Followed(capture)
        #expect(seen.all.contains("event 0504000008") == false)
        #expect(seen.all.contains("event 050400000008") == hearsCentral)
    }

    /// The end of a connection that the host is told of, after the sniffer heard no more of it; nil if none.
    private static func ending(
        _ play: (inout AirCapture, inout AirLink) -> Void
    ) throws -> String? {
        var (capture, link) = Self.session()
        play(&capture, &link)
        capture.add(
            at: link.time + 5_000_000, AirCapture.advertising, [0x40, 9] + AirLink.peripheral + [2, 1, 6])
        return try Followed(capture).all.last { $0.hasPrefix("event 0504") }.map { String($0.suffix(2)) }
    }

    @Test("A central that never got an answer gives up: the connection was not established")
    func neverAnswered() throws {
        let reason = try Self.ending { capture, link in
            for _ in 0..<6 { link.event(&capture, .empty, nil) }
        }
        #expect(reason == "3e")
    }

    @Test(
        "A central that repeats a pairing PDU for long shows that the peripheral is silent",
        arguments: [
            (30, 6, true, "08"), (3, 6, true, nil), (30, 6, false, nil), (30, 4, true, nil),
        ] as [(Int, UInt8, Bool, String?)])
    func repeated(events: Int, channel: UInt8, isSame: Bool, expected: String?) throws {
        let reason = try Self.ending { capture, link in
            for _ in 0..<4 { link.event(&capture) }
            for (place, event) in [0, events].enumerated() {
                let payload: [UInt8] = [3, 0, channel, 0, 0x0A, UInt8(isSame ? 3 : 3 + place), 0]
                capture.add(
                    at: link.time + 1250 * AirLink.interval * event, channel: 14, AirLink.accessAddress,
                    [0x02, 7] + payload, crcInit: AirLink.crcInit, from: .central)
            }
            link.time += 1250 * AirLink.interval * events
        }
        #expect(reason == expected)
    }

    @Test("A peripheral that only the central hears is not called silent")
    func unheardPeripheral() throws {
        for count in [6, 20, 200] {
            let reason = try Self.ending { capture, link in
                for _ in 0..<count { link.event(&capture, hears: (.heard, .missed)) }
            }
            #expect(reason == nil)
        }
    }

    @Test("A central that acknowledges nothing for longer than the timeout has lost the peripheral")
    func polledInVain() throws {
        let reason = try Self.ending { capture, link in
            link.event(&capture)
            for _ in 0..<200 { link.event(&capture, .empty, nil) }
        }
        #expect(reason == "08")
    }

    @Test("Silence after a PDU whose instant had passed has that cause", arguments: [true, false])
    func instantPassed(goesOn: Bool) throws {
        for pdu in [
            "00" + "01" + "0100" + "1800" + "0000" + "6400" + "0500", "01" + "ffffffff1f" + "0500",
            "18" + "0202" + "0500",
        ] {
            let reason = try Self.ending { capture, link in
                for _ in 0..<20 { link.event(&capture) }
                link.event(&capture, .control(pdu))
                for _ in 0..<20 { link.event(&capture, .empty, goesOn ? .empty : nil) }
            }
            #expect(reason == (goesOn ? nil : "28"))
        }
    }

    @Test("An instant that is still to come ends nothing")
    func instantAhead() throws {
        let reason = try Self.ending { capture, link in
            for _ in 0..<20 { link.event(&capture) }
            link.event(&capture, .control("01" + "ffffffff1f" + "1a00"))
            for _ in 0..<20 { link.event(&capture) }
        }
        #expect(reason == nil)
    }

    @Test("The side that ends the connection, and its reason, are the ones of LL_TERMINATE_IND")
    func terminated() throws {
        for (reason, fromCentral, expected) in [
            ("13", true, ["command 0604030000" + "13", "event 05040000" + "0016"]),
            ("3d", true, ["event 05040000" + "003d"]), ("13", false, ["event 05040000" + "0013"]),
            ("3b", false, ["event 05040000" + "003b"]),
        ] {
            var (capture, link) = Self.session()
            link.event(&capture)
            let end = AirLink.PDU.control("02" + reason)
            link.event(&capture, fromCentral ? end : .empty, fromCentral ? .empty : end)
            let seen = try Followed(capture)
            #expect(Array(seen.all.dropFirst(3)) == expected)
        }
    }

    @Test("A parameter request that the other side rejects, or does not know, leaves its mark at the host")
    func parameters() throws {
        let request = "0f" + "1800" + "2800" + "0000" + "6400" + String(repeating: "00", count: 15)
        var (capture, link) = Self.session()
        link.event(&capture, .control(request), .control("110f3b"))
        link.event(&capture, .control(request), .control("070f"))
        link.event(&capture, .empty, .control(request))
        link.event(&capture, .control("110f1f"))
        let seen = try Followed(capture)
        let asked = "command 13200e" + "0000" + "1800280000006400" + "00000000"
        #expect(
            Array(seen.all.dropFirst(3)) == [
                asked, "event 3e0a033b0000" + "000000000000", asked, "event 3e0a031a0000" + "000000000000",
                "event 3e0b0600" + "001800280000006400", "command 2120030000" + "1f",
            ])
    }

    @Test("Control PDUs become the events that the host gets")
    func control() throws {
        var (capture, link) = Self.session()
        link.event(&capture, .control("0c090f000102"), .control("0c080d000304"))
        link.event(&capture, .control("080100000000000000"), .control("092100000000000000"))
        link.event(&capture, .control("000300002800" + "0000c8001400"))
        link.event(&capture, .control("14fb009042fb009042"), .control("15640090421b004801"))
        link.event(&capture, .control("1802021e00"))
        link.event(&capture, .control("03" + String(repeating: "07", count: 22)), .control("0d06"))
        let seen = try Followed(capture)
        let events: [String] = [
            "event 0c0800000" + "0080d000304", "event 3e0c04000000" + "2100000000000000",
            "event 3e0a03000000" + "28000000c800", "event 3e0b070000" + "640090421b004801",
            "event 3e060c0000000202",
            "command 19201c0000" + String(repeating: "07", count: 10) + String(repeating: "0", count: 32),
            "event 080406000000",
        ]
        #expect(Array(seen.all.suffix(7)) == events)
    }

    @Test("Data after the start of encryption is closed, unless its recorder opened it")
    func encryption() throws {
        for isDecrypted in [false, true] {
            var (capture, link) = Self.session()
            link.event(&capture, .control("03" + String(repeating: "07", count: 22)))
            link.event(&capture, .empty, .control("04" + String(repeating: "07", count: 12)))
            link.event(&capture, .empty, .control("05"))
            let start = isDecrypted ? "06" : "9fcda7f448"
            link.event(&capture, .control(start), .control(start))
            link.event(
                &capture, isDecrypted ? .att("0a0300") : .init(2, [UInt8](repeating: 0xA5, count: 11)))
            let seen = try Followed(capture)
            #expect(seen.all.contains("event 080400000001"))
            #expect(seen.all.contains("acl 00000700030004000a0300") == isDecrypted)
            #expect(seen.follower.connections.map(\.counts.closed) == [isDecrypted ? 0 : 3])
        }
    }

    @Test("Extended advertising: the address comes from an earlier packet of the chain")
    func extended() throws {
        var capture = AirCapture()
        // On a primary channel: AdvA, ADI and AuxPtr; then AUX_ADV_IND with ADI, TxPower and data.
        capture.add(
            at: 0, AirCapture.advertising, [0x47, 13, 12, 0x19] + AirLink.peripheral + [0x34, 0x12, 1, 2, 3])
        capture.add(
            at: 900, channel: 5, AirCapture.advertising, [0x07, 8, 4, 0x48, 0x34, 0x12, 0xF0, 2, 1, 6])
        let seen = try Followed(capture)
        #expect(
            seen.all == [
                "event 3e1d0d01" + "0000" + "010abbccddeec0" + "010101f0c4" + "0000" + "00000000000000"
                    + "03020106"
            ])
    }

    @Test func `a request is on a secondary channel only where extended advertising was heard`() throws {
        // Of a writer that leaves the channel at 0: ADV_IND and SCAN_REQ.
        let request = [0x43, 12] + AirLink.central + AirLink.peripheral
        var capture = AirCapture()
        capture.add(at: 0, channel: 0, AirCapture.advertising, [0x40, 9] + AirLink.peripheral + [2, 1, 6])
        capture.add(at: 300, channel: 0, AirCapture.advertising, request)
        #expect(try Followed(capture).accounts.map(\.packet.isSecondary).last == false)
        capture.add(
            at: 900, channel: 5, AirCapture.advertising, [0x07, 8, 4, 0x48, 0x34, 0x12, 0xF0, 2, 1, 6])
        capture.add(at: 1200, channel: 5, AirCapture.advertising, request)
        #expect(try Followed(capture).accounts.map(\.packet.isSecondary).last == true)
    }

    @Test("Any bytes are followed without a trap, and memory stays bounded")
    func hostile() throws {
        var random = SeededRandom(seed: 33)
        for _ in 0..<40 {
            var capture = AirCapture(AirCapture.Form.allCases.randomElement(using: &random) ?? .radio)
            var link = AirLink(at: 0)
            link.connect(&capture)
            for index in 0..<60 {
                let length = Int.random(in: 0...60, using: &random)
                let payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                link.event(&capture, .init(UInt8.random(in: 0...3, using: &random), payload))
                let address =
                    index % 3 == 0
                    ? AirCapture.advertising : UInt32.random(in: 0...UInt32.max, using: &random)
                let header = [
                    UInt8.random(in: 0...255, using: &random), UInt8.random(in: 0...255, using: &random),
                ]
                capture.add(at: link.time, address, header + payload)
            }
            let seen = try Followed(capture)
            #expect(seen.accounts.count == capture.count)
            #expect(seen.follower.connections.count <= AirFollower.connectionLimit)
        }
    }

    @Test func `extreme times count no missed events`() {
        for (start, end) in [(Int64.min + 10, Int64.max), (.max, .min), (.max - 10, .max)] {
            var connection = AirConnection(AirLink.accessAddress, handle: 1)
            connection.interval = 30_000_000
            connection.parameters = (24, 0, 100)
            connection.firstEvent = start
            #expect(connection.advance(to: end, 0, fromCentral: true) == 0)
            #expect(connection.advance(to: start, 0, fromCentral: true) == 0)
        }
    }

    @Test func `events before a first packet that came after the timeout are not counted`() throws {
        var capture = AirCapture(.radio)
        var link = AirLink(at: 0)
        link.connect(&capture)
        link.time += 1_500_000
        link.event(&capture)
        let seen = try Followed(capture)
        #expect(seen.follower.connections.first?.counts.events == 1)
        #expect(seen.follower.connections.first?.counts.missedEvents == 0)
    }
}
