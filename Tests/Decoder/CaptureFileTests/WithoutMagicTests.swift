import CaptureFile
import Testing

/// Formats that have no magic number, told apart and told at all.
@Suite struct WithoutMagicTests {
    /// A record of hcidump: an ACL packet of 11 octets.
    static func dumped(received: Bool) -> [UInt8] {
        Samples.hex("0c00 \(received ? "01" : "00") 00 00f15365 e8030000 02 4020 0700 0300 0400 0a0300")
    }

    @Test(arguments: [1, 2, 7, 200])
    func `hcidump that begins with a received packet is hcidump`(_ count: Int) throws {
        let octets = Array([[UInt8]](repeating: Self.dumped(received: true), count: count).joined())
        var reader = try CaptureReader(octets: octets, name: "dump")
        #expect(reader.info.format == .hcidump)
        var records = 0
        while let record = try reader.next() {
            #expect(record.header.kind == .acl && record.header.direction == .controllerToHost)
            records += 1
        }
        #expect(records == count)
    }

    static let event = Samples.hex("0000000f 6553f100 000003e8 01 0e0401030c00")

    @Test(arguments: 1...4)
    func `damage in a record after the first gives what stands before it, and the place`(_ damaged: Int)
        throws
    {
        var octets = Array([[UInt8]](repeating: Self.event, count: 6).joined())
        octets.replaceSubrange(19 * damaged..<19 * damaged + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        var reader = try CaptureReader(octets: octets, name: "x.pklg")
        #expect(reader.info.format == .packetLogger)
        var records = 0
        let error = #expect(throws: CaptureFileError.self) {
            while try reader.next() != nil { records += 1 }
        }
        #expect(records == damaged)
        #expect(error?.fileOffset == 19 * damaged && error?.record == damaged + 1)
    }

    @Test
    func `damage after a note in text is met where it is`() throws {
        let note = Samples.hex("12000000 00f15365 e8030000 fc 50686f6e65203137 00")
        var reader = try CaptureReader(octets: note + [UInt8](repeating: 0xFF, count: 50), name: "x.pklg")
        #expect(reader.info.format == .packetLogger)
        #expect(try reader.next() != nil)
        let error = #expect(throws: CaptureFileError.self) { _ = try reader.next() != nil }
        #expect(error?.record == 2 && error?.fileOffset == 22)
    }

    @Test
    func `a first record that is no whole packet of HCI is no capture where damage follows`() {
        var octets = Self.event
        octets[14] = 9
        octets += [UInt8](repeating: 0xFF, count: 40)
        #expect(throws: CaptureFileError(.notACapture, file: "x")) {
            _ = try CaptureReader(CaptureSource(octets: octets, name: "x"))
        }
    }

    /// Two sections with comments and statistics: 100 packets dropped by the second block.
    static func statistics(withPacketAfter: Bool) -> [UInt8] {
        let section = "0a0d0d0a 24000000 4d3c2b1a 01000000 ffffffffffffffff 0100 0200 6869 0000 24000000"
        let interface = "01000000 20000000 c9000000 00000400 0200 0400 68636930 00000000 20000000"
        let packet =
            "06000000 28000000 00000000 00000000 01000000 08000000 08000000 00000000 01030c00 28000000"
        let statistics =
            "05000000 30000000 00000000 00000000 01000000 0100 0200 7878 0000 "
            + "0500 0800 6400000000000000 00000000 30000000"
        return Samples.hex(
            section + interface + packet + statistics + (withPacketAfter ? packet : "") + section + interface)
    }

    @Test
    func `drops of the statistics are told with the next packet, or at the end`() throws {
        for withPacketAfter in [true, false] {
            let octets = Self.statistics(withPacketAfter: withPacketAfter)
            var reader = try CaptureReader(octets: octets, name: "x.pcapng")
            var drops: [UInt32] = []
            while let record = try reader.next() { drops.append(record.header.cumulativeDrops) }
            #expect(drops == (withPacketAfter ? [0, 100] : [0]))
            #expect(reader.tally.dropsAfterLast == (withPacketAfter ? 0 : 100))
            #expect(reader.tally.totalOctets == octets.count)
        }
    }

    @Test
    func `statistics add up over interfaces and sections, each as far as it grew`() throws {
        let section = "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000"
        let interface = "01000000 14000000 c9000000 00000400 14000000"
        func statistics(_ number: String, _ count: String) -> String {
            "05000000 28000000 \(number)000000 00000000 00000000 0500 0800 \(count)00000000000000 "
                + "00000000 28000000"
        }
        // 5 and 7, then 6 of the first; that it says 2 again takes nothing away; 4 in the second section.
        let first =
            section + interface + interface + statistics("00", "05") + statistics("01", "07")
            + statistics("00", "06") + statistics("00", "02") + statistics("02", "63")
        let octets = Samples.hex(
            (first + section + interface + statistics("00", "04")).filter { $0 != " " })
        var reader = try CaptureReader(octets: octets, name: "x.pcapng")
        #expect(try reader.next() == nil)
        #expect(reader.tally.dropsAfterLast == 17)
        #expect(reader.tally.totalOctets == octets.count)
    }

    @Test
    func `comments after the first packet and descriptions are counted, long comments kept`() throws {
        var reader = try CaptureReader(octets: Self.statistics(withPacketAfter: false), name: "x.pcapng")
        while try reader.next() != nil {}
        #expect(reader.info.comments == ["hi"])
        #expect(reader.tally.laterComments == 2)
        #expect(reader.tally.descriptions == 2)
        #expect(reader.tally.skippedBlocks == 1)

        let long = String(repeating: "x", count: 10_000)
        var writer = try CaptureWriter(collecting: .pcapng, comments: [long])
        try writer.flush()
        let again = try CaptureReader(octets: writer.collected(), name: "long")
        #expect(again.info.comments == [long])
        #expect(again.tally.descriptions == 0)
    }
}
