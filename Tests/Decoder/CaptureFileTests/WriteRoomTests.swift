import Foundation
import TestSupport
import Testing
import WireBytes

@testable import CaptureFile

/// What a second process makes of a file whose recorder was killed.
@Suite struct WriteRoomTests {
    /// A file and the memory that its recorder shared, as the second process has them.
    private final class Wreck {
        let file: Int32
        let memory: Int32
        let room: WriteRoom

        init() throws {
            file = try Self.nameless()
            memory = try Self.nameless()
            try #require(ftruncate(memory, CaptureWriter.sharedLength) == 0)
            room = try #require(WriteRoom(memory))
        }

        deinit {
            close(file)
            close(memory)
        }

        private static func nameless() throws -> Int32 {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            let descriptor = unsafe open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0)
            try FileManager.default.removeItem(at: url)
            return descriptor
        }

        /// What is in the file.
        var content: [UInt8] {
            get throws {
                let handle = FileHandle(fileDescriptor: file, closeOnDealloc: false)
                try handle.seek(toOffset: 0)
                return Array(try handle.readToEnd() ?? Data())
            }
        }

        func put(_ octets: some Collection<UInt8>) throws {
            try #require(ftruncate(file, 0) == 0)
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: false)
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: Data(octets))
        }

        /// Puts octets into the shared buffer.
        func buffer(_ octets: [UInt8]) {
            unsafe octets.withUnsafeBytes { octets in
                if let from = octets.baseAddress {
                    unsafe room.buffer.copyMemory(from: from, byteCount: octets.count)
                }
            }
        }
    }

    static let formats: [CaptureWriter.Format] = [.monitor, .pcapMonitor, .pcapngMonitor]

    private static func record(_ number: Int, _ length: Int) -> (RecordHeader, [UInt8]) {
        let octets = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
        let header = RecordHeader(
            monitorOpcode: 3, adapter: 0, number: number,
            time: CaptureTime(nanoseconds: 1_700_000_000_000_000_000 + Int64(number) * 1000),
            length: length)
        return (header, octets)
    }

    /// A file of some records, and where each ends; the first end is that of the file's header.
    private static func file(_ format: CaptureWriter.Format, _ lengths: [Int]) throws -> ([UInt8], [Int]) {
        var writer = try CaptureWriter(collecting: format)
        var ends = [writer.offset]
        for (index, length) in lengths.enumerated() {
            let (header, octets) = record(index + 1, length)
            try writer.write(Record(header, octets.borrowedOctets))
            ends.append(writer.offset)
        }
        return (writer.collected(), ends)
    }

    @Test(arguments: formats)
    func `A write that was cut short at any octet is completed`(format: CaptureWriter.Format) throws {
        let (whole, ends) = try Self.file(format, [5, 0, 40, 3])
        let wreck = try Wreck()
        // The header and the first record were there before the write that was cut short.
        let start = ends[1]
        wreck.room.endWriting(at: start)
        wreck.buffer(Array(whole[start...]))
        wreck.room.beginWriting(whole.count - start, starts: ends[1...].dropLast().map { $0 - start })
        for torn in start...whole.count {
            try wreck.put(whole[..<torn])
            let expected: CaptureWriter.Completion = torn == whole.count ? .nothing : .completed
            #expect(CaptureWriter.complete(wreck.file, from: wreck.memory) == expected, "torn at \(torn)")
            #expect(try wreck.content == whole, "torn at \(torn)")
        }
    }

    @Test(.process) func `Where the disk is full the file is cut behind its last whole record`() async throws
    {
        // In a process of its own, whose files may not grow beyond a limit.
        await #expect(processExitsWith: .success) {
            for format in Self.formats {
                let (whole, ends) = try Self.file(format, [5, 3000, 40, 3000])
                let wreck = try Wreck()
                wreck.room.endWriting(at: ends[1])
                wreck.buffer(Array(whole[ends[1]...]))
                signal(SIGXFSZ, SIG_IGN)
                for (room, kept) in [(ends[4] - 1, 3), (ends[3] + 20, 3), (ends[3] - 1, 2), (ends[2] - 1, 1)]
                {
                    wreck.room.beginWriting(
                        whole.count - ends[1], starts: [0, ends[2] - ends[1], ends[3] - ends[1]])
                    try wreck.put(whole[..<(ends[1] + 3)])
                    try Self.limitFiles(room)
                    #expect(CaptureWriter.complete(wreck.file, from: wreck.memory) == .cut)
                    try Self.limitFiles(nil)
                    #expect(try wreck.content == Array(whole[..<ends[kept]]), "room for \(room)")
                }
                // Before a write began there are no marks: what was there stays.
                wreck.room.endWriting(at: ends[1])
                wreck.room.whole = whole.count - ends[1]
                try wreck.put(whole[..<ends[1]])
                try Self.limitFiles(ends[1] + 10)
                #expect(CaptureWriter.complete(wreck.file, from: wreck.memory) == .cut)
                try Self.limitFiles(nil)
                #expect(try wreck.content == Array(whole[..<ends[1]]))
            }
        }
    }

    /// Sets how long a file of this process may become; nil for as long as it could be before.
    private static func limitFiles(_ octets: Int?) throws {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        try #require(unsafe getrlimit(resource, &limit) == 0)
        limit.rlim_cur = octets.map { rlim_t($0) } ?? limit.rlim_max
        try #require(unsafe setrlimit(resource, &limit) == 0)
    }

    @Test(arguments: formats)
    func `A file that ends elsewhere than the last write is left alone`(format: CaptureWriter.Format) throws {
        let (whole, ends) = try Self.file(format, [5, 60])
        let wreck = try Wreck()
        wreck.room.endWriting(at: ends[1])
        wreck.buffer(Array(whole[ends[1]...]))
        wreck.room.beginWriting(whole.count - ends[1], starts: [0])
        // Someone emptied or shortened it, or wrote behind it.
        for other in [[], Array(whole[..<(ends[1] - 1)]), whole, whole + [1, 2, 3]] {
            try wreck.put(other)
            #expect(CaptureWriter.complete(wreck.file, from: wreck.memory) == .nothing)
            #expect(try wreck.content == other)
        }
    }

    @Test func `Memory that says what can't be changes nothing`() throws {
        let wreck = try Wreck()
        try wreck.put([1, 2, 3])
        for (start, whole) in [(0, Int.max), (3, WriteRoom.capacity + 1), (Int.max, 5), (3, 0), (4, 5)] {
            wreck.room.endWriting(at: start)
            wreck.room.whole = whole
            #expect(CaptureWriter.complete(wreck.file, from: wreck.memory) == .nothing, "\(start) \(whole)")
            #expect(try wreck.content == [1, 2, 3])
        }
        try #require(ftruncate(wreck.memory, CaptureWriter.sharedLength + 1) == 0)
        #expect(CaptureWriter.complete(wreck.file, from: wreck.memory) == .failed)
    }

    @Test(arguments: formats)
    func `Records that were not handed over yet are in the file afterwards, all but one that is begun`(
        format: CaptureWriter.Format
    ) throws {
        let wreck = try Wreck()
        let (whole, ends) = try Self.file(format, [5, 9, 60])
        var writer = try CaptureWriter(descriptor: dup(wreck.file), name: "x", format: format)
        let shared = writer.share(wreck.memory)
        #expect(shared)
        let again = writer.share(wreck.memory)
        #expect(!again)
        for number in 1...3 {
            let (header, octets) = Self.record(number, [5, 9, 60][number - 1])
            try writer.write(Record(header, octets.borrowedOctets))
            if number == 1 { try writer.flush() }
        }
        // The third record could still be begun only: the second is the last that is surely whole.
        #expect(try wreck.content == Array(whole[..<ends[1]]))
        #expect(CaptureWriter.complete(wreck.file, from: wreck.memory) == .completed)
        #expect(try wreck.content == Array(whole[..<ends[2]]))
    }

    @Test func `A record longer than the memory is written all the same`() throws {
        let wreck = try Wreck()
        var writer = try CaptureWriter(descriptor: dup(wreck.file), name: "x", format: .monitor)
        let shared = writer.share(wreck.memory)
        #expect(shared)
        let lengths = [10, WriteRoom.capacity + 100, 10]
        for (index, length) in lengths.enumerated() {
            let (header, octets) = Self.record(index + 1, length)
            try writer.write(Record(header, octets.borrowedOctets))
        }
        try writer.flush()
        #expect(CaptureWriter.complete(wreck.file, from: wreck.memory) == .nothing)
        #expect(try wreck.content == Self.file(.monitor, lengths).0)
    }
}
