import CaptureFile
import Testing

/// Files that hold copies of the same records: which copy is given, and that the files are one log.
@Suite struct MergedCopiesTests {
    typealias Kept = CaptureWriterTests.Kept

    static func record(_ milliseconds: Int64, _ octets: [UInt8], original: Int? = nil) -> Kept {
        Kept(
            RecordHeader(
                number: 1, fileOffset: 0,
                time: CaptureTime(microseconds: Samples.start + milliseconds * 1000), adapter: 0, kind: .acl,
                direction: .controllerToHost, originalLength: original ?? octets.count,
                capturedLength: octets.count), octets)
    }

    static func file(_ records: [Kept], _ name: String) throws -> CaptureSource {
        CaptureSource(octets: try CaptureWriterTests.write(records, as: .btsnoop).octets, name: name)
    }

    static let whole: [UInt8] = [0x40, 0x20, 6, 0, 2, 0, 4, 0, 0x0B, 0x2A]

    @Test(arguments: [true, false])
    func `of two copies the longer one is given, whichever file is named first`(_ cutFirst: Bool) throws {
        let times = [Int64(1), 1, 2, 9]
        let full = try Self.file(times.map { Self.record($0, Self.whole) }, "full")
        let cut = try Self.file(
            times.map { Self.record($0, Array(Self.whole.prefix(9)), original: 10) }, "cut")
        var set = try CaptureSet(cutFirst ? [cut, full] : [full, cut])
        var lengths: [Int] = []
        while let record = try set.next() { lengths.append(record.octets.byteCount) }
        #expect(lengths == [10, 10, 10, 10])
        #expect(set.duplicateRecords == 4)
        #expect(set.longerDuplicates == 0)
    }

    @Test
    func `a longer copy that comes too late is counted`() throws {
        let cut = try Self.file([Self.record(1, Array(Self.whole.prefix(9)), original: 10)], "cut")
        let full = try Self.file([Self.record(1, [1, 0, 0, 0]), Self.record(1, Self.whole)], "full")
        var set = try CaptureSet([cut, full])
        var count = 0
        while try set.next() != nil { count += 1 }
        #expect(count == 2)
        #expect(set.duplicateRecords == 1)
        #expect(set.longerDuplicates == 1)
    }

    /// The logs of the records given, in their order.
    static func logs(_ sources: [CaptureSource]) throws -> [Int] {
        var set = try CaptureSet(sources)
        var logs: [Int] = []
        while try set.advance() { logs.append(set.log) }
        return logs
    }

    @Test(arguments: [true, false])
    func `a file that begins inside of another one is of its log`(_ isFirst: Bool) throws {
        let records = (0..<9).map { Self.record(Int64($0), [UInt8($0), 0, 0, 0]) }
        let earlier = try Self.file(Array(records[..<6]), "one")
        let later = try Self.file(Array(records[3...]), "two")
        let logs = try Self.logs(isFirst ? [later, earlier] : [earlier, later])
        #expect(logs.count == 9)
        #expect(Set(logs).count == 1)
    }

    /// Files that have these of twenty records, by their places.
    private static func files(_ ranges: [Range<Int>]) throws -> [CaptureSource] {
        try ranges.enumerated().map { number, range in
            try file(range.map { record(Int64($0), [UInt8($0), 0, 0, 0]) }, "file \(number)")
        }
    }

    @Test(arguments: [
        // One that another has all of, which is named after it.
        [5..<12, 0..<12, 8..<20],
        // One that has only the last record of another one, and more of a third.
        [0..<12, 11..<20, 9..<15], [0..<12, 12..<20, 9..<15],
    ])
    func `files are of one log whichever of them begins inside of which`(_ ranges: [Range<Int>]) throws {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let logs = try Self.logs(try Self.files(order.map { ranges[$0] }))
            #expect(logs.count == 20 && Set(logs).count == 1, "\(order): \(logs)")
        }
    }

    @Test
    func `files that share one record, or none, stay apart`() throws {
        let records = (0..<9).map { Self.record(Int64($0), [UInt8($0), 0, 0, 0]) }
        for start in [5, 6] {
            let earlier = try Self.file(Array(records[..<6]), "one")
            let later = try Self.file(Array(records[start...]), "two")
            #expect(Set(try Self.logs([earlier, later])).count == 2)
        }
    }

    @Test
    func `adapters of several logs have numbers of their own`() {
        var numbers = AdapterNumbers()
        #expect(numbers.number(of: 0, log: 0) == 0)
        #expect(numbers.number(of: 0, log: 1) == 1)
        #expect(numbers.number(of: 1, log: 0) == 2)
        #expect(numbers.number(of: 0, log: 1) == 1)
        #expect(numbers.number(of: 0xFFFF, log: 1) == 0xFFFF)
        #expect((UInt16(0)...3).map { numbers.log(ofNumber: $0) } == [0, 1, 0, nil])
    }
}
