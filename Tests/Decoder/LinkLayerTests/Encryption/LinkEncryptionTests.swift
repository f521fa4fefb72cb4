import BluetoothCore
import Crypto
import TestSupport
import Testing
import WireBytes

@testable import LinkLayer

struct LinkEncryptionTests {
    private static let longTermKey: [UInt8] = (0..<16).map { $0 &* 3 &+ 1 }
    private static let start: [LinkSecurity.Opened] = [.opened([6]), .opened([6])]
    private static let data: [UInt8] = [3, 0, 4, 0, 0x0A, 0x21, 0x00]

    private static func link(
        _ longTermKey: [UInt8] = longTermKey, missed: MadeLink.Missed = []
    ) throws -> MadeLink {
        var link = MadeLink()
        try link.keys.add(longTermKey: SecretKey(Self.longTermKey))
        try link.startEncryption(longTermKey, missed: missed)
        return link
    }

    /// The sample data of the Core Specification, Vol 6, Part C, 1.
    @Test func `the sample data of the specification opens`() throws {
        var link = MadeLink()
        try link.keys.add(
            longTermKey: SecretKey(try Hex.octets("4C68384139F574D836BCF34E9DFB01BF")),
            diversifier: LinkKeys.Diversifier(ediv: 0x2474, rand: 0xABCD_EF12_3456_7890))
        let packets: [(pdu: String, fromCentral: Bool, plaintext: String?)] = [
            ("03 17 03 90 78 56 34 12 EF CD AB 74 24 13 02 F1 E0 DF CE BD AC 24 AB DC BA", true, nil),
            ("0B 0D 04 79 68 57 46 35 24 13 02 BE BA AF DE", false, nil),
            ("07 01 05", false, nil),
            ("0F 05 9F CD A7 F4 48", true, "06"),
            ("07 05 A3 4C 13 A4 15", false, "06"),
            (
                "0E 1F 7A 70 D6 64 15 22 6D F2 6B 17 83 9A 06 04 05 59 6B D6 56 4F 79 6B 5B 9C E6 FF 32 F7 5A 6D 33",
                true, "1700636465666768696a6b6c6d6e6f707131323334353637383930"
            ),
            (
                "06 1F F3 88 81 E7 BD 94 C9 C3 69 B9 A6 68 46 DD 47 86 AA 8C 39 CE 54 0D 0D AE 3A DC DF 89 B9 60 88",
                false, "170037363534333231304142434445464748494a4b4c4d4e4f5051"
            ),
        ]
        for packet in packets {
            let pdu = try Hex.octets(packet.pdu)
            #expect(Int(pdu[1]) == pdu.count - 2)
            let opened = link.hear(pdu[0], Array(pdu[2...]), fromCentral: packet.fromCentral)
            #expect(opened == (try packet.plaintext.map { .opened(try Hex.octets($0)) } ?? .clear))
        }
        #expect(link.security.keyOrigin == .given)
    }

    @Test func `a key without any hint is tried`() throws {
        var link = MadeLink()
        for other in 1...20 {
            try link.keys.add(longTermKey: SecretKey([UInt8](repeating: UInt8(other), count: 16)))
        }
        try link.keys.add(longTermKey: SecretKey(Self.longTermKey))
        #expect(try link.startEncryption(Self.longTermKey, ediv: 0x1234, rand: 99) == Self.start)
        #expect(try link.send(Self.data, fromCentral: true) == .opened(Self.data))
    }

    @Test func `a key of another EDIV and Rand is not tried`() throws {
        var link = MadeLink()
        try link.keys.add(
            longTermKey: SecretKey(Self.longTermKey),
            diversifier: LinkKeys.Diversifier(ediv: 0x1234, rand: 98))
        #expect(
            try link.startEncryption(Self.longTermKey, ediv: 0x1234, rand: 99)
                == [.closed(.noKey), .closed(.noKey)])
    }

    @Test func `a wrong key is reported as missing`() throws {
        var link = try Self.link([UInt8](repeating: 9, count: 16))
        #expect(try link.send(Self.data, fromCentral: false) == .closed(.noKey))
        #expect(link.security.isEncrypted)
        #expect(link.security.keyOrigin == nil)
    }

    @Test(arguments: [MadeLink.Missed.request, .answer, [.request, .answer]])
    func `without both halves of the session key the link stays closed`(_ missed: MadeLink.Missed) throws {
        var link = try Self.link(missed: missed)
        #expect(try link.send(Self.data, fromCentral: true) == .closed(.noEncryptionRequest))
        #expect(try link.send(Self.data, fromCentral: false) == .closed(.noEncryptionRequest))
    }

    @Test(arguments: [
        MadeLink.Missed.start, .centralResponse, [.start, .centralResponse],
        [.start, .centralResponse, .peripheralResponse],
    ])
    func `the start may be missed in part`(_ missed: MadeLink.Missed) throws {
        var link = try Self.link(missed: missed)
        #expect(try link.send(Self.data, fromCentral: true) == .opened(Self.data))
        #expect(try link.send(Self.data, fromCentral: false) == .opened(Self.data))
    }

    @Test func `PDUs between the request and the start are in clear`() throws {
        var link = MadeLink()
        try link.keys.add(longTermKey: SecretKey(Self.longTermKey))
        link.control([UInt8](repeating: 3, count: 23), fromCentral: true)
        #expect(link.hear(2, Self.data, fromCentral: false) == .clear)
        link.control([UInt8](repeating: 4, count: 13), fromCentral: false)
        #expect(link.hear(3, [0x0C, 9, 1, 2, 3, 4], fromCentral: false) == .clear)
        #expect(!link.security.isEncrypted)
    }

    @Test(arguments: [[0x0D, 0x06], [0x11, 0x03, 0x06], [0x07, 0x03]] as [[UInt8]])
    func `a rejected start leaves the link in clear`(_ rejection: [UInt8]) throws {
        var link = MadeLink()
        link.control([UInt8](repeating: 3, count: 23), fromCentral: true)
        link.control([UInt8](repeating: 4, count: 13), fromCentral: false)
        link.control(rejection, fromCentral: false)
        #expect(link.hear(1, [1, 2, 3, 4, 5, 6, 7], fromCentral: true) == .clear)
    }

    @Test func `a pause and a start with another key are followed`() throws {
        var link = try Self.link()
        try link.send(Self.data, fromCentral: true)
        try link.pauseEncryption()
        #expect(!link.security.isEncrypted)
        let other = [UInt8](repeating: 7, count: 16)
        try link.keys.add(longTermKey: SecretKey(other))
        #expect(try link.startEncryption(other) == Self.start)
        #expect(try link.send(Self.data, fromCentral: false) == .opened(Self.data))
    }

    @Test func `a pause of which nothing was heard is seen by the next request`() throws {
        var link = try Self.link()
        #expect(try link.startEncryption(Self.longTermKey) == Self.start)
        #expect(try link.send(Self.data, fromCentral: false) == .opened(Self.data))
    }

    @Test func `PDUs that the recorder decrypted are in clear`() throws {
        var link = MadeLink()
        link.control([UInt8](repeating: 3, count: 23), fromCentral: true)
        link.control([UInt8](repeating: 4, count: 13), fromCentral: false)
        link.control([0x05], fromCentral: false)
        link.control([0x06], fromCentral: true)
        #expect(link.hear(2, Self.data, fromCentral: true) == .clear)
    }

    @Test func `the MIC decides who sent a packet`() throws {
        var link = try Self.link()
        let packet = try link.sealed(Self.data, fromCentral: true)
        #expect(link.hear(2, packet, fromCentral: false) == .opened(Self.data))
        #expect(link.security.openedFromCentral)
        #expect(try link.send(Self.data, fromCentral: false) == .opened(Self.data))
        #expect(!link.security.openedFromCentral)
        #expect(try link.send([1], fromCentral: true) == .opened([1]))
    }

    // MARK: Missed packets

    @Test(arguments: [1, 15, 16, 500, 65_519])
    func `the counter is found again after missed packets`(_ missed: UInt64) throws {
        var link = try Self.link()
        link.counters.central += missed
        let first = try link.send(Self.data, fromCentral: true)
        if missed < 16 {
            #expect(first == .opened(Self.data))
        } else {
            #expect(first == .pending)
            #expect(
                try link.send([1, 2, 3], fromCentral: true)
                    == .confirmed(pending: Self.data, [1, 2, 3]))
        }
        // The other direction counts on its own.
        #expect(try link.send(Self.data, fromCentral: false) == .opened(Self.data))
        #expect(try link.send([4], fromCentral: true) == .opened([4]))
    }

    @Test func `packets missed after a pending one are bridged as well`() throws {
        var link = try Self.link()
        link.counters.peripheral += 300
        #expect(try link.send(Self.data, fromCentral: false) == .pending)
        link.counters.peripheral += 30
        #expect(
            try link.send([1, 2, 3], fromCentral: false) == .confirmed(pending: Self.data, [1, 2, 3]))
    }

    @Test func `a match far ahead is dropped when the expected counter goes on`() throws {
        var link = try Self.link()
        let start = link.counters.central
        link.counters.central += 1000
        #expect(try link.send(Self.data, fromCentral: true) == .pending)
        link.counters.central = start
        #expect(try link.send([1], fromCentral: true) == .opened([1]))
        #expect(try link.send([2], fromCentral: true) == .opened([2]))
    }

    @Test func `a gap that is too long is reported after some packets`() throws {
        var link = try Self.link()
        link.counters.central += 70_000
        #expect(try link.send(Self.data, fromCentral: true) == .closed(.wrongMIC))
        try link.send(Self.data, fromCentral: true)
        #expect(try link.send(Self.data, fromCentral: true) == .closed(.gap))
    }

    @Test func `a packet that comes again is not opened again`() throws {
        var link = try Self.link()
        let packet = try link.sealed(Self.data, fromCentral: true)
        #expect(link.hear(2, packet, fromCentral: true) == .opened(Self.data))
        #expect(link.hear(2, packet, fromCentral: true) == .closed(.repeated))
        // Nor does it with the wrong sender.
        #expect(link.hear(2, packet, fromCentral: false) == .closed(.repeated))
        #expect(try link.send([1], fromCentral: true) == .opened([1]))
        #expect(link.hear(2, packet, fromCentral: true) == .closed(.wrongMIC))
    }

    @Test func `only the bits of the header that are protected count`() throws {
        var link = try Self.link()
        let first = try link.sealed(Self.data, header: 2, fromCentral: true)
        #expect(link.hear(0x1E, first, fromCentral: true) == .opened(Self.data))
        let second = try link.sealed(Self.data, header: 2, fromCentral: true)
        #expect(link.hear(1, second, fromCentral: true) == .closed(.wrongMIC))
    }

    // MARK: Forged packets

    /// Ways to forge a packet.
    enum Forgery: CaseIterable, Sendable {
        /// Random bytes.
        case random
        /// A genuine packet with one bit of its MIC changed.
        case wrongMIC
        /// A genuine packet with one bit of its ciphertext changed.
        case wrongPayload
        /// A genuine packet of a counter that has passed, or that is further ahead than the search goes.
        case wrongCounter
        /// A genuine packet with another LLID.
        case wrongHeader
    }

    private static func forged(
        _ forgery: Forgery, _ link: inout MadeLink, _ random: inout SeededRandom, fromCentral: Bool
    ) throws -> [UInt8] {
        let counters = link.counters
        defer { link.counters = counters }
        let plaintext = random.octets(Int.random(in: 1...22, using: &random))
        if forgery == .wrongCounter {
            // The packet before the next one is known as a repetition.
            let passed = fromCentral ? counters.central : counters.peripheral
            let isReplay = passed > 1 && Bool.random(using: &random)
            let counter = isReplay ? UInt64.random(in: 0..<passed - 1, using: &random) : passed + 200_000
            if fromCentral { link.counters.central = counter } else { link.counters.peripheral = counter }
        }
        var packet = try link.sealed(
            plaintext, header: forgery == .wrongHeader ? 1 : 2, fromCentral: fromCentral)
        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        switch forgery {
        case .random: return random.octets(packet.count)
        case .wrongMIC: packet[packet.count - Int.random(in: 1...4, using: &random)] ^= bit
        case .wrongPayload: packet[Int.random(in: 0..<plaintext.count, using: &random)] ^= bit
        case .wrongCounter, .wrongHeader: break
        }
        return packet
    }

    /// Returns how many of `count` forged packets were accepted. Between them genuine ones go on, of which
    /// the sniffer misses as many as the search bridges, or fewer; so many that searches may take no more
    /// time leave genuine ones closed.
    private static func accepted(_ forgery: Forgery, _ count: Int, isBridged: Bool) throws -> Int {
        var link = try Self.link()
        var random = SeededRandom(seed: 33)
        var accepted = 0
        let period = max(count / 8, 1)
        for index in 0..<count {
            let fromCentral = Bool.random(using: &random)
            let packet = try forged(forgery, &link, &random, fromCentral: fromCentral)
            switch link.hear(2, packet, fromCentral: fromCentral) {
            case .opened, .confirmed, .clear, .plaintext: accepted += 1
            case .pending, .closed: break
            }
            guard index % period == period - 1 else { continue }
            let known = try link.send(Self.data, fromCentral: true) == .opened(Self.data)
            #expect(try link.send([1], fromCentral: false) == .opened([1]) && known || !isBridged)
            link.counters.peripheral += [5, 300, 65_519][index / period % 3]
            let first = try link.send([2], fromCentral: false)
            let second = try link.send([3], fromCentral: false)
            #expect(
                !isBridged || first == .opened([2]) && second == .opened([3])
                    || second == .confirmed(pending: [2], [3]))
        }
        return accepted
    }

    @Test(arguments: Forgery.allCases)
    func `forged packets are not accepted`(_ forgery: Forgery) throws {
        #expect(try Self.accepted(forgery, 24, isBridged: true) == 0)
    }

    @Test(.realTime, arguments: Forgery.allCases)
    func `of a hundred thousand forged packets none is accepted`(_ forgery: Forgery) throws {
        #expect(try Self.accepted(forgery, 20_000, isBridged: false) == 0)
    }

    @Test(arguments: [16, 500, 65_519] as [UInt64])
    func `a search tries every counter once, and the second packet confirms at once`(
        _ missed: UInt64
    ) throws {
        var link = try Self.link()
        link.counters.central += missed
        var before = link.keys.effort.tried
        #expect(try link.send(Self.data, fromCentral: true) == .pending)
        // First the nearest counters of both senders, then those ahead of one.
        #expect(link.keys.effort.tried - before == 16 + 16 + missed + 1)
        before = link.keys.effort.tried
        #expect(try link.send([1], fromCentral: true) == .confirmed(pending: Self.data, [1]))
        #expect(link.keys.effort.tried - before == 16 + 16 + 1)
    }

    @Test func `a packet that never opens costs two searches at most, and fewer and fewer`() throws {
        var link = try Self.link()
        var random = SeededRandom(seed: 34)
        let before = link.keys.effort.tried
        for _ in 0..<64 { link.hear(2, random.octets(20), fromCentral: true) }
        // Searches: after 0, 1, 2, 3, 4, 8, 16 and 32 failures, for both senders.
        #expect(link.keys.effort.tried - before <= 64 * 32 + 2 * 8 * 65_536)
    }

    @Test func `packets of any content do no harm`() throws {
        var random = SeededRandom(seed: 7)
        var link = MadeLink()
        for _ in 0..<3000 {
            let fromCentral = Bool.random(using: &random)
            var pdu = random.octets(Int.random(in: 0...30, using: &random))
            if !pdu.isEmpty { pdu[0] = UInt8.random(in: 0...0x12, using: &random) }
            link.security.receive(control: pdu.borrowedOctets)
            pdu = random.octets([7, 11, 8, 17, 65].randomElement(using: &random) ?? 0)
            pdu[0] = UInt8.random(in: 0...0x0F, using: &random)
            link.security.receive(pairing: pdu, fromCentral: fromCentral, keys: &link.keys)
        }
        #expect(link.keys.learned.count <= LinkKeys.limit)
    }
}
