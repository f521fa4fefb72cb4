import CaptureFile
import Testing
import WireBytes

/// Counts of dropped packets, of the parts of one log and of files that hold the same.
@Suite struct DropCountsTests {
    typealias Kept = CaptureWriterTests.Kept

    static func record(_ milliseconds: Int, _ drops: UInt32, file: UInt16 = 0) -> Kept {
        var kept = MergedCopiesTests.record(Int64(milliseconds), [UInt8(milliseconds), 0, 0, 0])
        kept.header.cumulativeDrops = drops
        kept.header.file = file
        return kept
    }

    /// A file of records a millisecond apart, with these counts.
    static func part(
        _ name: String, _ drops: [UInt32], from start: Int, as format: CaptureWriter.Format = .btsnoop
    ) throws -> CaptureSource {
        let records = drops.enumerated().map { record(start + $0.offset, $0.element) }
        return CaptureSource(octets: try CaptureWriterTests.write(records, as: format).octets, name: name)
    }

    /// The counts of the records given.
    static func counts(_ sources: [CaptureSource]) throws -> [UInt32] {
        var set = try CaptureSet(sources)
        var counts: [UInt32] = []
        while let record = try set.next() { counts.append(record.header.cumulativeDrops) }
        return counts
    }

    @Test(
        arguments: [
            // A recorder that starts again, and one that goes on.
            ([[0, 5, 5], [0, 3, 3]], [0, 5, 5, 5, 8, 8]),
            ([[0, 5, 5], [5, 5, 8]], [0, 5, 5, 5, 5, 8]),
            ([[0, 5], [7, 7]], [0, 5, 7, 7]),
            ([[0, 5], [2, 4], [1, 1]], [0, 5, 7, 9, 10, 10]),
            ([[0, 5], [2, 4], [4, 6]], [0, 5, 7, 9, 9, 11]),
            // The first part has none, and a count that goes down within a part says nothing.
            ([[0, 0], [0, 3], [3, 4]], [0, 0, 0, 3, 3, 4]),
            ([[4, 2, 5], [5]], [4, 4, 5, 5]),
            // All that the field holds, and more.
            ([[.max], [1, .max]], [.max, .max, .max]),
        ] as [([[UInt32]], [UInt32])])
    func `a part goes on with the count of the one before, or starts again where its own is lower`(
        _ parts: [[UInt32]], _ all: [UInt32]
    ) throws {
        let sources = try parts.enumerated().map {
            try Self.part("x.000\($0.offset + 1).log", $0.element, from: $0.offset * 10)
        }
        #expect(try Self.counts(sources) == all)
    }

    @Test
    func `a part in pcapng starts again, whatever its first count is`() throws {
        let names = ["x.0001.pcapng", "x.0002.pcapng"]
        let sources = try names.enumerated().map {
            try Self.part($0.element, [0, 2, 2].map { $0 + 3 }, from: $0.offset * 10, as: .pcapng)
        }
        #expect(try Self.counts(sources) == [3, 5, 5, 8, 10, 10])
    }

    @Test(arguments: [CaptureWriter.Format.btsnoop, .pcapng])
    func `what two files share of a log counts once`(_ format: CaptureWriter.Format) throws {
        // The later file's own counts begin inside of the earlier one, after three drops.
        let earlier = try Self.part("one", [0, 3, 3, 5, 5], from: 0, as: format)
        let later = try Self.part("two", [0, 2, 2, 2, 6], from: 2, as: format)
        #expect(try Self.counts([earlier, later]) == [0, 3, 3, 5, 5, 5, 9])
    }

    /// A file of records at these milliseconds, with these counts.
    private static func file(_ name: String, _ records: [(Int, UInt32)]) throws -> CaptureSource {
        let kept = records.map { record($0.0, $0.1) }
        return CaptureSource(octets: try CaptureWriterTests.write(kept, as: .btsnoop).octets, name: name)
    }

    @Test
    func `what a file counts that began later was lost before it did`() throws {
        let earlier = try Self.part("one", [0, 0, 0, 0, 0, 0], from: 0)
        let later = try Self.part("two", [5, 5, 5, 5, 5, 7, 7], from: 2)
        #expect(try Self.counts([earlier, later]) == [0, 0, 0, 0, 0, 0, 0, 2, 2])
        // The earlier one begins to count only after what the later one has too.
        let counting = try Self.part("one", [0, 0, 0, 0, 0, 3], from: 0)
        let short = try Self.file("two", [(2, 5), (3, 5), (10, 8), (11, 9)])
        #expect(try Self.counts([counting, short]) == [0, 0, 0, 0, 0, 3, 3, 4])
    }

    @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0]])
    func `what three files share of a log counts once`(_ order: [Int]) throws {
        let sources = [
            try Self.part("one", [5, 5, 5, 5, 5, 5], from: 0), try Self.part("two", [5, 5, 5], from: 2),
            try Self.part("three", [5, 5, 6, 6, 7], from: 4),
        ]
        #expect(try Self.counts(order.map { sources[$0] }) == [5, 5, 5, 5, 5, 5, 6, 6, 7])
    }

    @Test
    func `a record that two logs have in common by accident says nothing about their counts`() throws {
        let one = try Self.part("one.log", [0, 7, 7, 7, 7, 7], from: 0)
        let records: [(Int, UInt32)] = [(2, 0), (20, 0), (21, 0), (22, 1), (23, 1)]
        let other = try Self.file("two.log", records)
        #expect(try Self.counts([one, other]) == [0, 7, 7, 7, 7, 7, 0, 0, 1, 1])
        // Of parts of one log it does.
        let first = try Self.part("x.0001.log", [0, 3], from: 0)
        let second = try Self.part("x.0002.log", [1, 1, 4], from: 1)
        #expect(try Self.counts([first, second]) == [0, 3, 3, 6])
    }

    @Test
    func `logs of two recorders count apart`() throws {
        let one = try Self.part("one.log", [1, 4], from: 0)
        let other = try Self.part("two.log", [2, 9], from: 10)
        #expect(try Self.counts([one, other]) == [1, 4, 2, 9])
    }

    @Test
    func `drops of several logs add up in one file`() throws {
        let records = [Self.record(0, 2), Self.record(1, 3, file: 1), Self.record(2, 5)]
        #expect(try CaptureWriterTests.write(records, as: .pcap).loss.drops == 8)
        let octets = try CaptureWriterTests.write(records, as: .btsnoop).octets
        #expect(try CaptureWriterTests.read(octets).map(\.header.cumulativeDrops) == [2, 5, 8])
    }

    @Test
    func `a file that begins after another counts its own drops alone`() throws {
        var writer = try CaptureWriter(collecting: .btsnoop)
        writer.begin(afterDrops: 5)
        for (index, drops) in [UInt32(5), 7, 4].enumerated() {
            let kept = Self.record(index, drops)
            try kept.octets.withReader { octets throws(CaptureFileError) in
                try writer.write(Record(kept.header, octets.takeRest()))
            }
        }
        let counts = try CaptureWriterTests.read(writer.collected()).map(\.header.cumulativeDrops)
        #expect(counts == [0, 2, 0])
    }
}
