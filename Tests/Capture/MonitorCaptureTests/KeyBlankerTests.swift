import CaptureFile
import Testing
import WireBytes

@testable import MonitorCapture

/// A record of the monitor channel, owned by a test.
struct SampleRecord: Sendable, CustomTestStringConvertible {
    var name: String
    /// The monitor channel's opcode.
    var opcode: UInt16
    var octets: [UInt8]

    init(_ name: String, _ opcode: UInt16, _ hex: String) {
        self.name = name
        self.opcode = opcode
        octets = (try? Hex.octets(hex.filter { $0 != " " })) ?? []
    }

    var testDescription: String { name }

    func pass(through blanker: inout KeyBlanker) -> [UInt8]? {
        let header = RecordHeader(
            monitorOpcode: opcode, adapter: 0, number: 1, time: CaptureTime(nanoseconds: 0),
            length: octets.count)
        var passed: [UInt8]?
        blanker.pass(Record(header, octets.borrowedOctets)) { passed = $0.octets.copied() }
        return passed
    }
}

/// In all samples the octets of keys are AA, and no other octet is.
@Suite struct KeyBlankerTests {
    private static func key(_ count: Int) -> String { String(repeating: "AA", count: count) }
    private static let key16 = key(16)
    private static let peer = "010203040506"

    static let holdingKeys: [SampleRecord] = [
        SampleRecord("Link Key Request Reply", 2, "0B0416 \(peer) \(key16)"),
        SampleRecord("PIN Code Request Reply", 2, "0D0417 \(peer) 04 \(key16)"),
        SampleRecord("User Passkey Request Reply", 2, "2E040A \(peer) \(key(4))"),
        SampleRecord("Remote OOB Data Request Reply", 2, "300426 \(peer) \(key16) \(key16)"),
        SampleRecord("Write Stored Link Key", 2, "110C2D 02 \(peer) \(key16) \(peer) \(key16)"),
        SampleRecord("LE Encrypt", 2, "172020 \(key16) \(key16)"),
        SampleRecord("LE Enable Encryption", 2, "19201C 4000 0102030405060708 1122 \(key16)"),
        SampleRecord("LE Long Term Key Request Reply", 2, "1A2012 4000 \(key16)"),
        SampleRecord("LE Add Device To Resolving List", 2, "272027 00 \(peer) \(key16) \(key16)"),
        SampleRecord("Return Link Keys", 3, "152D 02 \(peer) \(key16) \(peer) \(key16)"),
        SampleRecord("Link Key Notification", 3, "1817 \(peer) \(key16) 04"),
        SampleRecord("User Passkey Notification", 3, "3B0A \(peer) \(key(4))"),
        SampleRecord("LE Generate DHKey Complete", 3, "3E22 09 00 \(key(32))"),
        SampleRecord("Read Local OOB Data returns", 3, "0E24 01 570C 00 \(key16) \(key16)"),
        SampleRecord("LE Rand returns", 3, "0E0C 01 1820 00 \(key(8))"),
        SampleRecord("SMP Encryption Information, sent", 4, "4000 1500 1100 0600 06 \(key16)"),
        SampleRecord("SMP Identity Information, received", 5, "4020 1500 1100 0600 08 \(key16)"),
        SampleRecord("SMP Signing Information, received", 5, "4020 1500 1100 0600 0A \(key16)"),
        SampleRecord("SMP over BR/EDR", 5, "0B20 1500 1100 0700 08 \(key16)"),
        SampleRecord(
            "Load Link Keys", 16,
            "01000000 1200 00 0200 \(peer) 00 04 \(key16) 10 \(peer) 00 04 \(key16) 10"),
        SampleRecord(
            "Load Long Term Keys", 16,
            "01000000 1300 0100 \(peer) 01 00 00 10 1122 0102030405060708 \(key16)"),
        SampleRecord(
            "Load Link Keys that counts too few", 16,
            "01000000 1200 00 0100 \(peer) 00 04 \(key16) 10 \(key(6)) AA AA \(key16) AA"),
        SampleRecord("Load Link Keys that counts none", 16, "01000000 1200 00 0000 \(key(25))"),
        SampleRecord("Load Long Term Keys that counts none", 16, "01000000 1300 0000 \(key(36))"),
        SampleRecord(
            "Load Identity Resolving Keys that counts too few", 16,
            "01000000 3000 0100 \(peer) 02 \(key16) \(key(23))"),
        SampleRecord(
            "Write Stored Link Key that counts too few", 2,
            "110C2D 01 \(peer) \(key16) \(key(6)) \(key16)"),
        SampleRecord("Load Identity Resolving Keys", 16, "01000000 3000 0100 \(peer) 02 \(key16)"),
        SampleRecord("Set Privacy", 16, "01000000 2F00 01 \(key16)"),
        SampleRecord("New Link Key", 17, "01000000 0900 01 \(peer) 00 04 \(key16) 10"),
        SampleRecord(
            "New Long Term Key", 17,
            "01000000 0A00 01 \(peer) 01 00 00 10 1122 0102030405060708 \(key16)"),
        SampleRecord("New Identity Resolving Key", 17, "01000000 1800 01 060504030201 \(peer) 02 \(key16)"),
        SampleRecord("New Signature Resolving Key", 17, "01000000 1900 01 \(peer) 02 00 \(key16)"),
    ]

    @Test(arguments: holdingKeys)
    func `Octets of keys become zeros and all others stay`(sample: SampleRecord) {
        var blanker = KeyBlanker()
        let expected = sample.octets.map { $0 == 0xAA ? 0 : $0 }
        #expect(sample.octets.contains(0xAA))
        #expect(sample.pass(through: &blanker) == expected)
        #expect(blanker.blanked == 1)
    }

    @Test(arguments: holdingKeys)
    func `A record that is cut anywhere keeps no octet of a key`(sample: SampleRecord) {
        for length in 0..<sample.octets.count {
            var cut = sample
            cut.octets = Array(sample.octets.prefix(length))
            var blanker = KeyBlanker()
            #expect(cut.pass(through: &blanker)?.contains(0xAA) == false, "\(length) bytes")
        }
    }

    static let withoutKeys: [SampleRecord] = [
        SampleRecord("Reset", 2, "030C00"),
        SampleRecord("Link Key Request Negative Reply", 2, "0C0406 \(peer)"),
        SampleRecord("LE Set Scan Enable", 2, "0C2002 01 00"),
        SampleRecord("a command of a vendor", 2, "01FC03 AAAAAA"),
        SampleRecord("Command Complete of Reset", 3, "0E04 01 030C 00"),
        SampleRecord("LE Connection Complete", 3, "3E13 01 00 4000 00 00 \(peer) 1800 0000 2A00 00"),
        SampleRecord("ATT on channel 4", 4, "4000 0700 0300 0400 0A AAAA"),
        SampleRecord("SMP Central Identification", 5, "4020 0F00 0B00 0600 07 1122 AAAAAAAAAAAAAAAA"),
        SampleRecord("SMP Identity Address", 5, "4020 0C00 0800 0600 09 01 AAAAAAAAAAAA"),
        SampleRecord("New Index", 0, "00 01 \(peer) 6863693000000000"),
        SampleRecord("User Logging", 13, "05 02 6100 AAAA00"),
        SampleRecord("Read Controller Information", 16, "01000000 0400"),
        SampleRecord("an unknown record", 99, "AAAAAA"),
    ]

    @Test(arguments: withoutKeys)
    func `What holds no key is not touched`(sample: SampleRecord) {
        var blanker = KeyBlanker()
        #expect(sample.pass(through: &blanker) == sample.octets)
        #expect(blanker.blanked == 0)
    }

    @Test func `Vendor diagnostics are left out and counted`() {
        var blanker = KeyBlanker()
        #expect(SampleRecord("diagnostics", 11, "AABBCC").pass(through: &blanker) == nil)
        #expect(blanker.leftOut == 1)
    }

    @Test(arguments: 1..<21, [UInt16(4), 5])
    func `A key that comes in two fragments is blanked in both`(split: Int, direction: UInt16) {
        let pdu = SampleRecord("", 4, "1100 0600 06 \(Self.key16)").octets
        var blanker = KeyBlanker()
        var passed: [UInt8] = []
        for (flag, part) in [(UInt8(0x00), pdu[..<split]), (0x10, pdu[split...])] {
            var packet = SampleRecord("", direction, "")
            packet.octets = [0x40, flag, UInt8(part.count), 0] + part
            passed += packet.pass(through: &blanker)?.dropFirst(4) ?? []
        }
        #expect(passed == pdu.map { $0 == 0xAA ? 0 : $0 })
    }

    @Test(arguments: [RadioHeader.Flags.decrypted, [.decrypted, .coded]])
    func `A key in a packet from the air is blanked, whole or in two fragments`(flags: RadioHeader.Flags) {
        let pdu = SampleRecord("", 4, "1100 0600 06 \(Self.key16)").octets
        for split in [3, 12, pdu.count] {
            var blanker = KeyBlanker()
            for (llid, part) in [(UInt8(2), pdu[..<split]), (1, pdu[split...])] where !part.isEmpty {
                let indicator: [UInt8] = flags.contains(.coded) ? [0] : []
                let octets = [1, 2, 3, 4] + indicator + [llid, UInt8(part.count)] + part + [7, 8, 9]
                var header = RecordHeader(
                    number: 1, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .air,
                    direction: .controllerToHost, originalLength: octets.count,
                    capturedLength: octets.count)
                header.radio.flags = flags
                octets.withReader { reader in
                    blanker.pass(Record(header, reader.takeRest())) { kept in
                        #expect(kept.octets.copied() == octets.map { $0 == 0xAA ? 0 : $0 })
                    }
                }
            }
            #expect(blanker.blanked > 0)
        }
    }

    @Test func `Fragments of two links, and of both directions of one, are kept apart`() {
        let pdu = SampleRecord("", 4, "1100 0600 06 \(Self.key16)").octets
        let other = SampleRecord("", 4, "1100 0400 1B 0300 \(Self.key(14))").octets
        var blanker = KeyBlanker()
        func packet(_ direction: UInt16, _ handle: UInt8, _ flag: UInt8, _ part: ArraySlice<UInt8>) -> [UInt8]
        {
            var packet = SampleRecord("", direction, "")
            packet.octets = [handle, flag, UInt8(part.count), 0] + part
            return packet.pass(through: &blanker) ?? []
        }
        _ = packet(4, 0x40, 0x00, pdu[..<10])
        _ = packet(4, 0x41, 0x00, other[..<10])
        _ = packet(5, 0x40, 0x20, other[..<10])
        #expect(packet(4, 0x41, 0x10, other[10...]).dropFirst(4) == other[10...])
        #expect(packet(5, 0x40, 0x10, other[10...]).dropFirst(4) == other[10...])
        #expect(!packet(4, 0x40, 0x10, pdu[10...]).contains(0xAA))
        // The PDU has ended: what continues it is no part of a key.
        #expect(packet(4, 0x40, 0x10, other[10...]).dropFirst(4) == other[10...])
    }

    private static func fragment(
        _ flag: UInt8, _ part: some Sequence<UInt8>, handle: UInt8 = 0x40
    ) -> SampleRecord {
        var packet = SampleRecord("", 5, "")
        let octets = Array(part)
        packet.octets = [handle, flag, UInt8(octets.count), 0] + octets
        return packet
    }

    @Test func `A key after a first fragment without an octet is blanked`() {
        let pdu = SampleRecord("", 4, "1100 0600 06 \(Self.key16)").octets
        var blanker = KeyBlanker()
        _ = Self.fragment(0x20, []).pass(through: &blanker)
        #expect(Self.fragment(0x10, pdu).pass(through: &blanker)?.contains(0xAA) == false)
    }

    @Test(arguments: [(1, true), (17, true), (65, true), (66, false), (200, false)])
    func `What continues a PDU that no one saw begin is blanked where it may be a key`(
        length: Int, isBlanked: Bool
    ) {
        var blanker = KeyBlanker()
        let octets = [UInt8](repeating: 0xAA, count: length)
        let passed = Self.fragment(0x10, octets).pass(through: &blanker)
        #expect(passed?.count == length + 4)
        #expect(passed?.contains(0xAA) == !isBlanked)
    }

    @Test(arguments: [
        SampleRecord("Disconnection Complete", 3, "0504 00 4000 13"), SampleRecord("Close Index", 9, ""),
        SampleRecord("Delete Index", 1, ""),
    ])
    func `A link that has ended says nothing about the next one of its handle`(ending: SampleRecord) {
        var blanker = KeyBlanker()
        let value = [UInt8](repeating: 0xAA, count: 16)
        let att = SampleRecord("", 4, "1700 0400 1B 0300").octets + value
        _ = Self.fragment(0x20, att).pass(through: &blanker)
        #expect(Self.fragment(0x10, value).pass(through: &blanker)?.contains(0xAA) == true)
        _ = ending.pass(through: &blanker)
        #expect(Self.fragment(0x10, value).pass(through: &blanker)?.contains(0xAA) == false)
    }

    @Test func `A key on the newest of very many links is blanked`() {
        var blanker = KeyBlanker()
        for adapter in 0..<2 {
            for handle in 0..<250 {
                var packet = Self.fragment(0x20, [0x11, 0], handle: UInt8(handle))
                packet.opcode = adapter == 0 ? 4 : 5
                _ = packet.pass(through: &blanker)
            }
        }
        let rest = SampleRecord("", 4, "0600 06 \(Self.key16)").octets
        let passed = Self.fragment(0x10, rest, handle: 249).pass(through: &blanker)
        #expect(passed?.contains(0xAA) == false)
        #expect(passed?.dropFirst(4).first == 6)
    }

    @Test func `Any octets in any record are passed on with their length`() {
        var random = SeededOctets(seed: 0xB1EC_A9)
        var blanker = KeyBlanker()
        for _ in 0..<20_000 {
            var sample = SampleRecord("", UInt16(random.next() % 22), "")
            sample.octets = (0..<Int(random.next() % 64)).map { _ in random.next() }
            if sample.opcode == 11 { continue }
            #expect(sample.pass(through: &blanker)?.count == sample.octets.count)
        }
    }
}

/// Octets of a linear congruential generator, the same for a seed everywhere.
struct SeededOctets {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
    }
}
