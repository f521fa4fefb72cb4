import CaptureFile
import Testing
import WireBytes

/// The session of the samples, by hand in each format that is read.
@Suite struct CaptureFormatTests {
    struct File: CustomTestStringConvertible {
        var testDescription: String
        var hex: String
        var format: CaptureInfo.Format
        var datalink: UInt32?
        /// What the format leaves unknown of ACL data.
        var direction: Direction?
        var isRelative = false
        var digits = 6
    }

    // 1700000000 s is 6553f100; the same in microseconds since year 0 of btsnoop is 00e2e7d7274dc000.
    static let files: [File] = [
        File(
            testDescription: "btsnoop 1001",
            hex: """
                6274736e6f6f7000 00000001 000003e9
                00000003 00000003 00000002 00000000 00e2e7d7274dc000 030c00
                00000006 00000006 00000003 00000000 00e2e7d7274dc3e8 0e0401030c00
                0000000b 0000000b 00000000 00000000 00e2e7d7274dc7d0 4000070003000400 0a0300
                0000000a 0000000a 00000001 00000000 00e2e7d7274dcbb8 4020060002000400 0b2a
                """, format: .btsnoop, datalink: 1001),
        File(
            testDescription: "btsnoop 1002 as Bumble writes flags",
            hex: """
                6274736e6f6f7000 00000001 000003ea
                00000004 00000004 00000010 00000000 00e2e7d7274dc000 01 030c00
                00000007 00000007 00000011 00000000 00e2e7d7274dc3e8 04 0e0401030c00
                0000000c 0000000c 00000000 00000000 00e2e7d7274dc7d0 02 4000070003000400 0a0300
                0000000b 0000000b 00000001 00000000 00e2e7d7274dcbb8 02 4020060002000400 0b2a
                """, format: .btsnoop, datalink: 1002),
        File(
            testDescription: "pcap, most significant first, link type 187",
            hex: """
                a1b2c3d4 0002 0004 00000000 00000000 00040000 000000bb
                6553f100 00000000 00000004 00000004 01 030c00
                6553f100 000003e8 00000007 00000007 04 0e0401030c00
                6553f100 000007d0 0000000c 0000000c 02 4000070003000400 0a0300
                6553f100 00000bb8 0000000b 0000000b 02 4020060002000400 0b2a
                """, format: .pcap, datalink: 187, direction: .unknown),
        File(
            testDescription: "pcap, nanoseconds, link type 201",
            hex: """
                4d3cb2a1 0200 0400 00000000 00000000 00000400 c9000000
                00f15365 00000000 08000000 08000000 00000000 01 030c00
                00f15365 40420f00 0b000000 0b000000 00000001 04 0e0401030c00
                00f15365 80841e00 10000000 10000000 00000000 02 4000070003000400 0a0300
                00f15365 c0c62d00 0f000000 0f000000 00000001 02 4020060002000400 0b2a
                """, format: .pcap, datalink: 201, digits: 9),
        File(
            testDescription: "PacketLogger, most significant first",
            hex: """
                0000000c 6553f100 00000000 00 030c00
                0000000f 6553f100 000003e8 01 0e0401030c00
                00000014 6553f100 000007d0 02 4000070003000400 0a0300
                00000013 6553f100 00000bb8 03 4020060002000400 0b2a
                """, format: .packetLogger),
        File(
            testDescription: "hcidump",
            hex: """
                0400 00 00 00f15365 00000000 01 030c00
                0700 01 00 00f15365 e8030000 04 0e0401030c00
                0c00 00 00 00f15365 d0070000 02 4000070003000400 0a0300
                0b00 01 00 00f15365 b80b0000 02 4020060002000400 0b2a
                """, format: .hcidump),
        File(
            testDescription: "btsnooz 2, records only",
            hex: """
                0400 0400 00000000 20 030c00
                0700 0700 e8030000 10 0e0401030c00
                0c00 0c00 e8030000 21 4000070003000400 0a0300
                0b00 0b00 e8030000 11 4020060002000400 0b2a
                """, format: .btsnooz, isRelative: true),
        File(
            testDescription: "btsnooz 1, records only",
            hex: """
                0400 00000000 20 030c00
                0700 e8030000 10 0e0401030c00
                0c00 e8030000 21 4000070003000400 0a0300
                0b00 e8030000 11 4020060002000400 0b2a
                """, format: .btsnooz, isRelative: true),
    ]

    @Test(arguments: files)
    func `each format gives the session`(_ file: File) throws {
        let octets = Samples.hex(file.hex)
        let (samples, error) = Samples.read(octets)
        #expect(error == nil)
        let expected = Samples.session.map { sample in
            var sample = sample
            if sample.kind == .acl, let direction = file.direction { sample.direction = direction }
            if file.isRelative { sample.microseconds -= Samples.start }
            return sample
        }
        #expect(
            samples.map { sample in
                var sample = sample
                sample.foreignType = 0
                return sample
            } == expected)
        var reader = try CaptureReader(octets: octets, name: "sample")
        while try reader.next() != nil {}
        #expect(reader.info.format == file.format)
        #expect(reader.info.datalink == file.datalink)
        #expect(reader.info.hasRelativeTime == file.isRelative)
        #expect(reader.info.timeDigits == file.digits)
        #expect(reader.info.hasDirection == (file.direction == nil))
        #expect(reader.tally.totalOctets == octets.count)
    }

    /// Two sections in both octet orders, three interfaces one of them not of Bluetooth, every packet
    /// block, comments, drops, a direction in flags, times in halves and with an offset, and blocks to be
    /// skipped.
    @Test
    func `sections, interfaces and options of pcapng are told apart`() throws {
        var file = ByteWriter()
        // Section 1, least significant first: an Ethernet interface, then link type 187 in 1/1024 seconds.
        file.bytes(Samples.hex("0a0d0d0a 34000000 4d3c2b1a 01000000 ffffffffffffffff"))
        file.bytes(Samples.hex("0100 0500 6669727374 000000 0400 0300 616263 00 00000000 34000000"))
        file.bytes(Samples.hex("01000000 14000000 01000000 00000400 14000000"))
        file.bytes(
            Samples.hex("01000000 24000000 bb000000 00000400 0900 0100 8a000000 00000000 00000000 24000000"))
        // A statistics block, an unknown one, a packet of Ethernet.
        file.bytes(Samples.hex("05000000 10000000 00000000 10000000 efbeadde 0c000000 0c000000"))
        file.bytes(
            Samples.hex("06000000 24000000 00000000 00000000 01000000 04000000 04000000 deadbeef 24000000"))
        // ACL received by its flags, two comments, 3 dropped; 1.5 seconds.
        file.bytes(Samples.hex("06000000 54000000 01000000 00000000 00060000 0b000000 0b000000"))
        file.bytes(Samples.hex("02 4020060002000400 0b2a 00 0200 0400 01000000 0100 0200 6869 0000"))
        file.bytes(Samples.hex("0400 0800 0300000000000000 0100 0300 796573 00 00000000 54000000"))
        // Section 2, most significant first: link type 201 with an offset of 1700000000 seconds.
        file.bytes(Samples.hex("0a0d0d0a 0000001c 1a2b3c4d 00010000 ffffffffffffffff 0000001c"))
        file.bytes(
            Samples.hex("00000001 00000024 00c9 0000 00040000 000e 0008 000000006553f100 00000000 00000024"))
        // A packet block with 2 dropped, and a simple packet whose time is that of the packet before.
        file.bytes(Samples.hex("00000002 00000028 0000 0002 00000000 000003e8 00000008 00000008"))
        file.bytes(Samples.hex("00000000 01030c00 00000028"))
        file.bytes(Samples.hex("00000003 0000001c 0000000b 00000001 040e0401 030c0000 0000001c"))

        var reader = try CaptureReader(octets: file.octets, name: "sections")
        #expect(reader.info.comments == ["first"])
        #expect(reader.info.recorder == "abc")
        #expect(reader.info.datalink == 187)
        var samples: [Sample] = []
        var numbers: [Int] = []
        var drops: [UInt32] = []
        var comments: [String] = []
        while let record = try reader.next() {
            samples.append(Sample(record))
            numbers.append(record.header.number)
            drops.append(record.header.cumulativeDrops)
            record.forEachComment { comments.append(Hex.text($0.copied())) }
        }
        #expect(
            samples == [
                Sample(.acl, .controllerToHost, 1_500_000, "40200600020004000b2a"),
                Sample(.command, .hostToController, Samples.start + 1000, "030c00"),
                Sample(.event, .controllerToHost, Samples.start + 1000, "0e0401030c00"),
            ])
        #expect(numbers == [2, 3, 4])
        #expect(drops == [3, 5, 5])
        #expect(comments == ["6869", "796573"])
        #expect(reader.tally.skippedRecords == 1)
        #expect(reader.tally.skippedBlocks == 2)
        #expect(reader.tally.skippedOctets == 16 + 12 + 36)
        #expect(reader.tally.totalOctets == file.octets.count)
    }

    @Test
    func `the monitor's records keep adapter and opcode in btsnoop and pcap`() {
        let records = """
            6274736e6f6f7000 00000001 000007d1
            00000010 00000010 00000000 00000000 00e2e7d7274dc000 00010a0b0c0d0e0f 6863693000000000
            00000003 00000003 00010002 00000000 00e2e7d7274dc000 030c00
            00000003 00000003 ffff000c 00000000 00e2e7d7274dc000 686900
            """
        let pcap = """
            d4c3b2a1 0200 0400 00000000 00000000 00000400 fe000000
            00f15365 00000000 14000000 14000000 0000 0000 00010a0b0c0d0e0f 6863693000000000
            00f15365 00000000 07000000 07000000 0001 0002 030c00
            00f15365 00000000 07000000 07000000 ffff 000c 686900
            """
        let (one, other) = (Samples.read(Samples.hex(records)), Samples.read(Samples.hex(pcap)))
        #expect(one.samples == other.samples && one.error == nil && other.error == nil)
        #expect(one.samples.map(\.adapter) == [0, 1, 0xFFFF])
        #expect(one.samples.map(\.foreignType) == [0, 2, 12])
        #expect(one.samples.map(\.kind) == [.monitor, .command, .monitor])
    }

    @Test
    func `what recorders of Apple note is given as notes, and every type that is no packet`() {
        let types: [(UInt8, RecordKind, Direction)] = [
            (0x08, .sco, .hostToController), (0x09, .sco, .controllerToHost), (0x0A, .note, .unknown),
            (0x0B, .note, .unknown), (0x0C, .iso, .hostToController), (0x0D, .iso, .controllerToHost),
            (0x12, .iso, .hostToController), (0x13, .iso, .controllerToHost), (0x77, .note, .unknown),
            (0xF7, .note, .unknown), (0xFC, .note, .unknown), (0xFE, .note, .unknown),
        ]
        var file = ByteWriter()
        for (type, _, _) in [(0x00, .command, .hostToController)] + types {
            file.bytes(Samples.hex("0a000000 00f15365 00000000"))
            file.u8(type)
            file.u8(0x41)
        }
        let (samples, error) = Samples.read(file.octets)
        #expect(error == nil)
        #expect(samples.dropFirst().map(\.kind) == types.map { $0.1 })
        #expect(samples.dropFirst().map(\.direction) == types.map { $0.2 })
        #expect(samples.dropFirst().map(\.foreignType) == types.map { UInt16($0.0) })
    }

    @Test
    func `cut packets keep the length that they had`() {
        let (samples, _) = Samples.read(
            Samples.hex(
                """
                6274736e6f6f7000 00000001 000003ea
                0000000c 00000008 00000000 00000007 00e2e7d7274dc7d0 02 40000700030004
                """))
        #expect(samples.map(\.originalLength) == [11])
        #expect(samples.map(\.octets) == ["40000700030004"])
    }

    /// What a file is, its octets, and what of each record can't be.
    static let impossible: [(String, String, [RecordFaults])] = [
        (
            "btsnoop",
            """
            6274736e6f6f7000 00000001 000003e9
            00000002 00000003 00000002 00000000 00e2e7d7274dc000 030c00
            00000003 00000003 00000002 00000000 00e2e7d7274dc000 030c00
            00000009 00000003 00000002 00000000 00e2e7d7274dc000 030c00
            """, [.originalLength, [], []]
        ),
        (
            "pcap of microseconds",
            """
            a1b2c3d4 0002 0004 00000000 00000000 00040000 000000bb
            6553f100 000f423f 00000004 00000003 01 030c00
            6553f100 000f4240 00000004 00000004 01 030c00
            6553f100 ffffffff 00000004 00000000 01 030c00
            """, [.originalLength, .timeFraction, [.originalLength, .timeFraction]]
        ),
        (
            "pcap of nanoseconds",
            """
            a1b23c4d 0002 0004 00000000 00000000 00040000 000000bb
            6553f100 3b9ac9ff 00000004 00000004 01 030c00
            6553f100 3b9aca00 00000004 00000004 01 030c00
            """, [[], .timeFraction]
        ),
        (
            "pcapng",
            """
            0a0d0d0a 0000001c 1a2b3c4d 00010000 ffffffffffffffff 0000001c
            00000001 00000014 00bb 0000 00040000 00000014
            00000006 00000024 00000000 00000000 00000000 00000004 00000003 01030c00 00000024
            00000006 00000024 00000000 00000000 00000000 00000004 00000004 01030c00 00000024
            """, [.originalLength, []]
        ),
        (
            "PacketLogger",
            """
            0000000c 6553f100 00000000 00 030c00
            0000000c 6553f100 000003e8 00 030c00
            0000000c 6553f100 000003e8 00 030c00
            0000000c 6553f100 000003e8 00 030c00
            0000000c 6553f100 000003e8 00 030c00
            0000000c 6553f100 000f4240 00 030c00
            """, [[], [], [], [], [], .timeFraction]
        ),
    ]

    @Test(arguments: impossible)
    func `a length or time that can't be is flagged, and the record is read`(
        _ format: String, _ hex: String, _ faults: [RecordFaults]
    ) throws {
        var reader = try CaptureReader(octets: Samples.hex(hex.filter { !$0.isWhitespace }), name: format)
        var found: [RecordFaults] = []
        while let record = try reader.next() {
            found.append(record.header.faults)
            #expect(Hex.text(record.octets.copied()) == "030c00")
            #expect(record.header.originalLength >= record.header.capturedLength)
        }
        #expect(found == faults)
    }

    @Test
    func `times of any resolution and sign`() throws {
        // if_tsresol, ticks, nanoseconds
        let cases: [(String, String, Int64)] = [
            ("03", "0000000000000005", 5_000_000), ("06", "0000000000000005", 5000),
            ("09", "0000000000000005", 5), ("0c", "0000000000001388", 5),
            ("80", "0000000000000002", 2_000_000_000), ("a0", "0000000180000000", 1_500_000_000),
        ]
        for (resolution, ticks, nanoseconds) in cases {
            let octets = Samples.hex(
                """
                0a0d0d0a 0000001c 1a2b3c4d 00010000 ffffffffffffffff 0000001c
                00000001 00000020 00bb 0000 00000000 0009 0001 \(resolution)000000 00000000 00000020
                00000006 00000024 00000000 \(ticks) 00000004 00000004 01030c00 00000024
                """)
            var reader = try CaptureReader(octets: octets, name: "time")
            #expect(try reader.next()?.header.time.nanoseconds == nanoseconds)
        }
        let before = Samples.read(
            Samples.hex(
                "6274736e6f6f7000 00000001 000003ea 00000001 00000001 00000000 00000000 0000000000000000 09"))
        #expect(before.samples.map(\.microseconds) == [-9_223_372_036_854_775])
    }

    @Test(arguments: [0, 1, 2, 3, 4], [true, false])
    func `a PacketLogger file is one whichever of its records has a type unknown here`(
        _ place: Int, _ isBigEndian: Bool
    ) throws {
        func integer(_ value: UInt32) -> [UInt8] {
            let octets = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isBigEndian ? octets.reversed() : octets
        }
        func record(_ type: UInt8, _ octets: [UInt8]) -> [UInt8] {
            integer(UInt32(9 + octets.count)) + integer(1_700_000_000) + integer(7) + [type] + octets
        }
        for type: UInt8 in [0x77, 0xF0] {
            var octets: [UInt8] = []
            for index in 0..<6 {
                octets += index == place ? record(type, Array("hello".utf8)) : record(0, [3, 0x0C, 0])
            }
            let (samples, error) = Samples.read(octets)
            #expect(error == nil && samples.count == 6)
            #expect(samples.map(\.kind).filter { $0 == .command }.count == 5)
            #expect(samples[place].kind == .note && samples[place].foreignType == UInt16(type))
        }
        let none = Samples.read((0..<6).flatMap { _ in record(0x77, Array("hello".utf8)) })
        #expect(none.samples.isEmpty && none.error?.cause == .notACapture)
    }

    @Test func `a trace that only its maker's program reads names the way to a capture`() {
        let error = Samples.read(Array("Ellisys Trace File".utf8) + [UInt8](repeating: 0, count: 300)).error
        #expect(error?.reason == "a trace in Ellisys's own format: export it as btsnoop or pcapng")
    }
}
