import CaptureFile
import Glibc
import TestSupport
import Testing
import WireBytes

/// What is written and read again is what was there, but for what the writer counts as lost.
@Suite struct CaptureWriterTests {
    typealias Format = CaptureWriter.Format

    static let formats = Format.allCases

    /// All that a reader gives of a record, to be compared.
    struct Kept: Equatable {
        var header: RecordHeader
        var octets: [UInt8]
        var comments: [[UInt8]] = []

        init(_ header: RecordHeader, _ octets: [UInt8]) {
            self.header = header
            self.octets = octets
        }

        init(_ record: borrowing Record) {
            self.init(record.header, record.octets.copied())
            var found: [[UInt8]] = []
            record.forEachComment { found.append($0.copied()) }
            comments = found
        }

        static func == (left: Self, right: Self) -> Bool {
            let (one, other) = (left.header, right.header)
            return left.octets == right.octets && left.comments == right.comments
                && one.time == other.time && one.adapter == other.adapter && one.kind == other.kind
                && one.direction == other.direction && one.originalLength == other.originalLength
                && one.cumulativeDrops == other.cumulativeDrops
        }
    }

    /// Records of every kind, from a seed.
    static func records(seed: UInt64, count: Int) -> [Kept] {
        var random = SeededRandom(seed: seed)
        var drops: UInt32 = 0
        return (0..<count).map { index in
            let kinds: [RecordKind] = [
                .command, .event, .acl, .acl, .sco, .iso, .monitor, .note, .unknown, .air,
            ]
            let kind = kinds[Int(random.next() % UInt64(kinds.count))]
            var octets = (0..<Int(random.next() % 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if kind == .unknown && !octets.isEmpty { octets[0] = 9 }
            if kind == .air { octets = (random.next() & 1 == 1 ? Self.advertising : [1, 2, 3, 4]) + octets }
            let isReceived = random.next() & 1 == 1
            let direction: Direction =
                switch kind {
                case .command: .hostToController
                case .event: .controllerToHost
                case .monitor, .note: .unknown
                case .air where octets.starts(with: Self.advertising): .unknown
                default: isReceived ? .controllerToHost : .hostToController
                }
            if random.next() % 8 == 0 { drops += UInt32(random.next() % 5) }
            let cut = random.next() % 6 == 0 ? Int(random.next() % 100) : 0
            var header = RecordHeader(
                number: index + 1, fileOffset: 0,
                time: CaptureTime(
                    nanoseconds: Samples.start * 1000 + Int64(index) * 1_000_000
                        + (random.next() % 4 == 0 ? 1 : 0)),
                adapter: kind == .monitor || kind == .note || random.next() % 3 > 0
                    ? 0 : UInt16(random.next() % 3),
                kind: kind, direction: direction, originalLength: octets.count + cut,
                capturedLength: octets.count, cumulativeDrops: drops)
            if kind == .monitor { header.foreignType = random.next() & 1 == 1 ? 12 : 0 }
            if kind == .note { header.foreignType = random.next() & 1 == 1 ? 0xFC : 0xFD }
            if kind == .unknown { header.foreignType = octets.isEmpty ? 0 : 9 }
            if kind == .air {
                let sender: RadioHeader.Flags =
                    direction == .unknown ? [] : isReceived ? .fromPeripheral : .fromCentral
                let signal = random.next() & 1 == 1 ? Int8(truncatingIfNeeded: random.next()) : nil
                header.radio = RadioHeader(
                    channel: UInt8(random.next() % 40), signal: signal, [sender, .crcChecked, .crcValid])
            }
            return Kept(header, octets)
        }
    }

    /// The access address of advertising.
    private static let advertising: [UInt8] = [0xD6, 0xBE, 0x89, 0x8E]

    static func write(
        _ records: [Kept], as format: Format, nanoseconds: Bool = true
    ) throws(CaptureFileError) -> (octets: [UInt8], loss: ConversionLoss) {
        var writer = try CaptureWriter(collecting: format, nanoseconds: nanoseconds)
        for kept in records {
            try kept.octets.withReader { octets throws(CaptureFileError) in
                let record = Record(kept.header, octets.takeRest())
                if let comment = kept.comments.first {
                    try comment.withReader { octets throws(CaptureFileError) in
                        try writer.write(record, comment: octets.takeRest())
                    }
                } else {
                    try writer.write(record)
                }
            }
        }
        return (writer.collected(), writer.loss)
    }

    static func read(_ octets: [UInt8]) throws -> [Kept] {
        var reader = try CaptureReader(octets: octets, name: "written")
        var records: [Kept] = []
        while let record = try reader.next() { records.append(Kept(record)) }
        #expect(reader.tally.totalOctets == octets.count)
        return records
    }

    @Test(arguments: formats, [UInt64](1...20))
    func `what is read again differs only in what was counted as lost`(
        _ format: Format, _ seed: UInt64
    ) throws {
        let records = Self.records(seed: seed, count: 200)
        let (octets, loss) = try Self.write(records, as: format)
        let again = try Self.read(octets)
        let kept = records.filter { Self.isHeld($0.header, format) }
        #expect(again.count == records.count - loss.notes - loss.unknownPackets)
        try #require(again.count == kept.count)
        var found = ConversionLoss()
        (found.notes, found.unknownPackets) = (loss.notes, loss.unknownPackets)
        for (one, other) in zip(kept, again) {
            let (before, after) = (one.header, other.header)
            let isNote = before.kind == .note || before.kind == .monitor
            if before.adapter != after.adapter && !isNote { found.adapters += 1 }
            if before.time != after.time {
                found.times += 1
                #expect(before.time.nanoseconds / 1000 * 1000 == after.time.nanoseconds)
            }
            if before.isTruncated != after.isTruncated { found.originalLengths += 1 }
            if isNote { continue }
            #expect(before.kind == after.kind && before.direction == after.direction)
            #expect(before.radio == after.radio)
            #expect(one.octets == other.octets)
            if format != .packetLogger { #expect(before.originalLength == after.originalLength) }
            if format == .btsnoop || format == .monitor {
                #expect(before.cumulativeDrops == after.cumulativeDrops)
            }
        }
        found.drops = loss.drops
        #expect(found == loss)
    }

    /// Whether a format has a place for a record.
    static func isHeld(_ header: RecordHeader, _ format: Format) -> Bool {
        switch (header.kind, format) {
        case (let kind, .pcapAir), (let kind, .pcapngAir): kind == .air
        case (.air, _): false
        case (.monitor, .monitor), (.monitor, .pcapMonitor), (.monitor, .pcapngMonitor): true
        case (.monitor, .packetLogger): header.foreignType == 12
        case (.note, .packetLogger): true
        case (.note, .monitor), (.note, .pcapMonitor), (.note, .pcapngMonitor): header.foreignType == 0xFC
        case (.monitor, _), (.note, _): false
        case (.unknown, .btsnoop), (.unknown, .pcap), (.unknown, .pcapng): true
        case (.unknown, _): false
        default: true
        }
    }

    @Test(arguments: formats, formats)
    func `a file converted twice has the same octets as one converted once`(
        _ first: Format, _ second: Format
    ) throws {
        let records = try Self.read(try Self.write(Self.records(seed: 77, count: 300), as: first).octets)
        let once = try Self.write(records, as: second)
        // PacketLogger's files have no header: without a record they are empty.
        guard !once.octets.isEmpty else { return }
        let again = try Self.read(once.octets)
        let twice = try Self.write(again, as: second)
        #expect(once.octets == twice.octets)
        #expect(twice.loss.notes == 0 && twice.loss.unknownPackets == 0 && twice.loss.times == 0)
        let holdsTheSame = first.holdsMonitor == second.holdsMonitor && first.holdsAir == second.holdsAir
        if once.loss.isNone && holdsTheSame { #expect(again == records) }
    }

    @Test(arguments: [Format.pcapng, .pcapngMonitor], [true, false])
    func `times before 1970 survive in pcapng, whatever their order`(
        _ format: Format, _ nanoseconds: Bool
    ) throws {
        var records = Self.records(seed: 9, count: 40).filter { Self.isHeld($0.header, format) }
        let unit: Int64 = nanoseconds ? 1 : 1000
        let far = Int64.max / 1_000_000 - 1000
        let milliseconds = [far - 1, 0, -1, -2, 5, -700_000, 1_700_000_000, -far, far]
        for index in records.indices {
            let time = milliseconds[index % milliseconds.count] * 1_000_000 - Int64(index) * unit
            records[index].header.time = CaptureTime(nanoseconds: time)
        }
        let (octets, loss) = try Self.write(records, as: format, nanoseconds: nanoseconds)
        let again = try Self.read(octets)
        #expect(loss.times == 0 && again.map(\.header.time) == records.map(\.header.time))
        if format == .pcapng { #expect(again.map(\.header.adapter) == records.map(\.header.adapter)) }
        // Times that run backwards need few sections.
        let backwards = (0..<200).map { index in
            var kept = records[0]
            kept.header.time = CaptureTime(nanoseconds: -Int64(index) * 1_000_000_000)
            return kept
        }
        let written = try Self.write(backwards, as: format).octets
        let sections = written.indices.count { written[$0...].starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) }
        #expect(sections < 12)
    }

    @Test
    func `comments and counts of drops survive in pcapng`() throws {
        var records = Self.records(seed: 5, count: 50).filter { Self.isHeld($0.header, .pcapng) }
        for index in records.indices {
            records[index].header.cumulativeDrops = UInt32(index / 10)
            records[index].header.adapter = 0
        }
        records[3].comments = [Array("unlock: the car says no".utf8)]
        let (octets, loss) = try Self.write(records, as: .pcapng)
        #expect(loss.isNone)
        let again = try Self.read(octets)
        #expect(again == records)
        // The options of the source are kept, and a new comment stands before the old one.
        var writer = try CaptureWriter(collecting: .pcapng, nanoseconds: true, comments: ["of the file"])
        var reader = try CaptureReader(octets: octets, name: "first")
        while let record = try reader.next() {
            try Array("new".utf8).withReader { new throws(CaptureFileError) in
                try writer.write(record, comment: new.takeRest())
            }
        }
        let third = try Self.read(writer.collected())
        #expect(third[3].comments == [Array("new".utf8), records[3].comments[0]])
        #expect(third[4].comments == [Array("new".utf8)])
        let info = try CaptureReader(octets: writer.collected(), name: "second").info
        #expect(info.comments == ["of the file"])
        #expect(info.recorder == "blecap")
        #expect(try Self.write(records, as: .pcap).loss.comments == 1)
    }

    @Test
    func `golden octets of each format`() throws {
        let records = Samples.session.prefix(2).enumerated().map { index, sample in
            Kept(
                RecordHeader(
                    number: index + 1, fileOffset: 0,
                    time: CaptureTime(nanoseconds: sample.microseconds * 1000), adapter: 0, kind: sample.kind,
                    direction: sample.direction, originalLength: sample.octets.utf8.count / 2,
                    capturedLength: sample.octets.utf8.count / 2), Samples.hex(sample.octets))
        }
        for (format, text) in Self.golden {
            #expect(
                Hex.text(try Self.write(records, as: format, nanoseconds: false).octets)
                    == Hex.text(Samples.hex(text)))
        }
    }

    /// The first two records of the session: time 1700000000 s, and a millisecond later.
    static let golden: [(Format, String)] = [
        (
            .btsnoop,
            """
            6274736e6f6f7000 00000001 000003ea
            00000004 00000004 00000002 00000000 00e2e7d7274dc000 01 030c00
            00000007 00000007 00000003 00000000 00e2e7d7274dc3e8 04 0e0401030c00
            """
        ),
        (
            .monitor,
            """
            6274736e6f6f7000 00000001 000007d1
            00000003 00000003 00000002 00000000 00e2e7d7274dc000 030c00
            00000006 00000006 00000003 00000000 00e2e7d7274dc3e8 0e0401030c00
            """
        ),
        (
            .pcap,
            """
            d4c3b2a1 0200 0400 00000000 00000000 00000400 c900 0000
            00f15365 00000000 08000000 08000000 00000000 01 030c00
            00f15365 e8030000 0b000000 0b000000 00000001 04 0e0401030c00
            """
        ),
        (
            .pcapng,
            """
            0a0d0d0a 2c000000 4d3c2b1a 0100 0000 ffffffffffffffff 0400 0600 626c65636170 0000 00000000
            2c000000
            01000000 20000000 c900 0000 00000400 0900 0100 06000000 00000000 20000000
            06000000 28000000 00000000 240a0600 00401e18 08000000 08000000 00000000 01 030c00  28000000
            06000000 2c000000 00000000 240a0600 e8431e18 0b000000 0b000000 00000001 04 0e0401030c00 00
            2c000000
            """
        ),
        (
            .pcapMonitor,
            """
            d4c3b2a1 0200 0400 00000000 00000000 00000400 fe00 0000
            00f15365 00000000 07000000 07000000 0000 0002 030c00
            00f15365 e8030000 0a000000 0a000000 0000 0003 0e0401030c00
            """
        ),
        (
            .pcapngMonitor,
            """
            0a0d0d0a 2c000000 4d3c2b1a 0100 0000 ffffffffffffffff 0400 0600 626c65636170 0000 00000000
            2c000000
            01000000 20000000 fe00 0000 00000400 0900 0100 06000000 00000000 20000000
            06000000 28000000 00000000 240a0600 00401e18 07000000 07000000 0000 0002 030c00 00 28000000
            06000000 2c000000 00000000 240a0600 e8431e18 0a000000 0a000000 0000 0003 0e0401030c00 0000
            2c000000
            """
        ),
        (
            .packetLogger,
            """
            0c000000 00f15365 00000000 00 030c00
            0f000000 00f15365 e8030000 01 0e0401030c00
            """
        ),
    ]

    @Test
    func `A file of more records than the buffer holds has all of them`() throws {
        let file = try CapturePackedTests.TemporaryFile([])
        let descriptor = unsafe open(file.path, O_WRONLY)
        var writer = try CaptureWriter(descriptor: descriptor, name: file.path, format: .btsnoop)
        for kept in Self.records(seed: 9, count: 3000) {
            try kept.octets.withReader { octets throws(CaptureFileError) in
                try writer.write(Record(kept.header, octets.takeRest()))
            }
        }
        let records = writer.records
        try writer.finish()
        var reader = try CaptureReader(path: file.path)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == records && count > 2000)
    }

    @Test
    func `a full disk is an error with its number`() throws {
        let descriptor = unsafe open("/dev/full", O_WRONLY)
        var writer = try CaptureWriter(descriptor: descriptor, name: "/dev/full", format: .pcap)
        let error = #expect(throws: CaptureFileError.self) { try writer.flush() }
        #expect(error?.cause == .system(call: "write", errno: 28))
    }
}
