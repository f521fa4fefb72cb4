import CaptureFile
import Glibc
import Testing
import WireBytes

/// Several files on one timeline.
@Suite struct CaptureSetTests {
    /// A btsnoop file of commands at times (milliseconds after the start), each told apart by its opcode.
    static func file(_ records: [(Int64, UInt8)], name: String) throws(CaptureFileError) -> CaptureSource {
        let kept = records.enumerated().map { index, record in
            CaptureWriterTests.Kept(
                RecordHeader(
                    number: index + 1, fileOffset: 0,
                    time: CaptureTime(microseconds: Samples.start + record.0 * 1000), adapter: 0,
                    kind: .command, direction: .hostToController, originalLength: 3, capturedLength: 3),
                [record.1, 0x0C, 0])
        }
        return CaptureSource(octets: try CaptureWriterTests.write(kept, as: .btsnoop).octets, name: name)
    }

    /// The records given: the file, the record's number in it, and the first octet.
    static func merge(_ sources: [CaptureSource]) throws -> [[Int]] {
        var set = try CaptureSet(sources)
        var merged: [[Int]] = []
        while let record = try set.next() {
            merged.append([
                Int(record.header.file), record.header.number, Int(record.octets.octet(at: 0) ?? 0),
            ])
        }
        #expect(set.tally.totalOctets == set.offset)
        #expect(set.tally.records == merged.count + set.duplicateRecords)
        return merged
    }

    @Test
    func `records of several files come in the order of their times, equal times in that of the files`()
        throws
    {
        let merged = try Self.merge([
            Self.file([(1, 1), (4, 2), (9, 3)], name: "a"), Self.file([(0, 4), (4, 5), (10, 6)], name: "b"),
            Self.file([], name: "c"),
        ])
        #expect(merged == [[1, 1, 4], [0, 1, 1], [0, 2, 2], [1, 2, 5], [0, 3, 3], [1, 3, 6]])
    }

    @Test
    func `a clock that is set back does not change the order within its file`() throws {
        let merged = try Self.merge([
            Self.file([(5, 1), (1, 2), (2, 3), (8, 4)], name: "a"), Self.file([(6, 5), (7, 6)], name: "b"),
        ])
        #expect(merged == [[0, 1, 1], [0, 2, 2], [0, 3, 3], [1, 1, 5], [1, 2, 6], [0, 4, 4]])
    }

    @Test
    func `what two files share is given once, what one file repeats as often as it does`() throws {
        let merged = try Self.merge([
            Self.file([(1, 1), (2, 7), (2, 7), (3, 3)], name: "a"),
            Self.file([(2, 7), (2, 7), (2, 7), (3, 3), (3, 4)], name: "b"),
        ])
        #expect(merged == [[0, 1, 1], [0, 2, 7], [0, 3, 7], [1, 3, 7], [0, 4, 3], [1, 5, 4]])
    }

    @Test
    func `the same file twice gives every record once, whatever its clock does`() throws {
        let records: [(Int64, UInt8)] = [
            (5, 1), (5, 1), (60, 2), (10, 3), (20, 4), (5, 1), (30, 5), (60, 2), (61, 6), (0, 7), (0, 7),
            (62, 8),
        ]
        let once = try Self.merge([Self.file(records, name: "a")])
        #expect(once.count == records.count)
        for count in 2...3 {
            let files = try (0..<count).map { try Self.file(records, name: "\($0)") }
            #expect(try Self.merge(files) == once)
        }
        // A part of it that begins where the clock was back already.
        let part = try Self.file(Array(records[4...]), name: "part")
        #expect(try Self.merge([Self.file(records, name: "a"), part]).count == once.count)
    }

    @Test
    func `packets of one instant that go both ways are two`() throws {
        func file(
            _ direction: Direction, microseconds: Int64 = 0, nanoseconds: Int64 = 0
        ) throws -> CaptureSource {
            let time = (Samples.start + microseconds) * 1000 + nanoseconds
            let header = RecordHeader(
                number: 1, fileOffset: 0, time: CaptureTime(nanoseconds: time), adapter: 0, kind: .acl,
                direction: direction, originalLength: 5, capturedLength: 5)
            let kept = CaptureWriterTests.Kept(header, [0x40, 0x20, 1, 0, 9])
            return CaptureSource(octets: try CaptureWriterTests.write([kept], as: .pcapng).octets, name: "x")
        }
        let (sent, received) = (Direction.hostToController, Direction.controllerToHost)
        #expect(try Self.merge([file(sent), file(received)]).count == 2)
        #expect(try Self.merge([file(sent), file(sent)]).count == 1)
        #expect(try Self.merge([file(sent), file(sent, microseconds: 1)]).count == 2)
        // One recorder's times are finer than the other's.
        #expect(try Self.merge([file(sent), file(sent, nanoseconds: 999)]).count == 1)
    }

    @Test
    func `what files share is found behind thousands of records`() throws {
        let shared = (0..<40).map { (Int64($0), UInt8($0)) }
        let others = (0..<3000).map { (Int64($0), UInt8(100 + $0 % 100)) }
        let merged = try Self.merge([
            Self.file(shared + others, name: "a"), Self.file(others + shared, name: "b"),
        ])
        #expect(merged.count == 3040)
        #expect(Set(merged.map { $0[2] }).count == 140)
    }

    @Test
    func `a damaged file ends where it is damaged, and the others go on`() throws {
        var octets = try CaptureWriterTests.write(
            CaptureWriterTests.records(seed: 1, count: 40).filter { $0.header.kind == .command }, as: .btsnoop
        ).octets
        octets.removeLast(2)
        let other = try Self.file([(0, 1), (1_000_000, 2)], name: "whole")
        var set = try CaptureSet([CaptureSource(octets: octets, name: "cut"), other])
        var files: [UInt16] = []
        let error = #expect(throws: CaptureFileError.self) {
            while let record = try set.next() { files.append(record.header.file) }
        }
        #expect(error?.cause == .truncated && error?.file == "cut")
        #expect(files.last == 1)
        #expect(files.count >= 3)
        #expect(try set.next() == nil)
        #expect(set.errors.count == 1)
        #expect(set.tally(ofFile: 0).totalOctets == octets.count)
        #expect(set.tally(ofFile: 0).unreadableOctets > 0)
    }

    @Test(arguments: [
        (["btsnoop_hci.log.last", "btsnoop_hci.log"], [0, 0]),
        (["x.btsnoop", "x.btsnoop.1", "x.btsnoop.22"], [0, 0, 0]),
        (["a.log", "b.log"], [0, 1]), (["one/a.log", "two/a.log.last"], [0, 1]),
        (["r.zip:logs/a.log", "r.zip:logs/a.log.last", "r.zip:a.log"], [0, 0, 2]),
        (["trace.2023", "trace"], [0, 0]), ([".1", ".2"], [0, 1]),
    ])
    func `the parts of a rotated log belong together by their names`(_ names: [String], _ groups: [Int])
        throws
    {
        let set = try CaptureSet(names.map { name in try Self.file([(0, 1)], name: name) })
        #expect(set.logOfFile == groups)
    }

    @Test(arguments: [
        // One goes on where the other ended.
        ([1, 2, 3, 4], [3, 4, 5], 1),
        // They part while both go on.
        ([1, 2, 3, 4, 10], [1, 2, 3, 9, 11], 2), ([1, 2, 3, 4, 5], [2, 3, 9], 2),
        // One lacks records that the other has.
        ([1, 2, 3, 4, 5], [2, 3, 5, 6], 2), ([1, 2, 3, 5, 6], [2, 3, 4, 5, 6, 7], 2),
        // One record may be the same by accident.
        ([1, 2, 3, 4], [4, 5, 6], 2),
    ])
    func `a file is part of another's log where both hold the same in the time that both cover`(
        _ one: [UInt8], _ other: [UInt8], _ logs: Int
    ) throws {
        for isFirst in [true, false] {
            let files = [
                try Self.file(one.map { (Int64($0), $0) }, name: "one"),
                try Self.file(other.map { (Int64($0), $0) }, name: "other"),
            ]
            var set = try CaptureSet(isFirst ? files : files.reversed())
            while try set.next() != nil {}
            #expect(Set(set.logOfFile).count == logs)
        }
    }

    @Test
    func `two files that go on differently after the same beginning are two logs`() throws {
        var set = try CaptureSet([
            Self.file([(1, 1), (2, 2), (3, 3)], name: "a"),
            Self.file([(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)], name: "b"),
            Self.file([(1, 1), (2, 2), (3, 3), (4, 6), (5, 7)], name: "c"),
        ])
        while try set.next() != nil {}
        #expect(set.logOfFile[1] == set.logOfFile[0] && set.logOfFile[1] != set.logOfFile[2])
    }

    /// Reads from a pipe into which the octets are written in pieces.
    static func throughPipe(_ octets: [UInt8], piece: Int) throws -> (count: Int, format: CaptureInfo.Format)
    {
        var ends: [Int32] = [0, 0]
        // Safe: the array has room for the two descriptors.
        let status = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
        #expect(status == 0)
        let (read, write) = (ends[0], ends[1])
        // The octets fit into the pipe's buffer, so one thread can write and then read.
        var place = 0
        while place < octets.count {
            let end = min(place + piece, octets.count)
            // Safe: the slice is written while it is borrowed.
            place += unsafe octets[place..<end].withUnsafeBytes {
                unsafe Glibc.write(write, $0.baseAddress, $0.count)
            }
        }
        close(write)
        var reader = try CaptureReader(path: "/dev/fd/\(read)")
        var count = 0
        while try reader.next() != nil { count += 1 }
        close(read)
        return (count, reader.info.format)
    }

    @Test(arguments: [1, 7, 4096])
    func `every format is read from a pipe`(_ piece: Int) throws {
        for file in CaptureFormatTests.files {
            let (count, format) = try Self.throughPipe(Samples.hex(file.hex), piece: piece)
            #expect(count == 4 && format == file.format, "\(file)")
        }
        for packed in [
            CapturePackedTests.gzip, CapturePackedTests.zstandard, CapturePackedTests.sysdiagnose,
            CapturePackedTests.snooz1,
        ] {
            #expect(try Self.throughPipe(packed.octets, piece: piece).count == 4, "\(packed)")
        }
    }

    @Test
    func `a compressed file that is cut says so after its records`() throws {
        var cut = CapturePackedTests.gzip.octets
        cut.removeLast(30)
        let file = try CapturePackedTests.TemporaryFile(cut)
        let error = #expect(throws: CaptureFileError.self) {
            var reader = try CaptureReader(path: file.path)
            while try reader.next() != nil {}
        }
        guard case .archive = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
