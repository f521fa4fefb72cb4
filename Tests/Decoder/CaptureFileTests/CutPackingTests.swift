import Foundation
import TestSupport
import Testing

@testable import CaptureFile

/// Logs packed by the system's own tools, cut and damaged, against what those tools still unpack of them.
@Suite(.process) struct CutPackingTests {
    /// What was read of a file: its records, the octets accounted for, and the error.
    static func read(_ path: String) throws -> (records: Int, octets: Int, error: CaptureFileError?) {
        var records = 0
        do throws(CaptureFileError) {
            var set = try CaptureSet(paths: [path])
            do throws(CaptureFileError) {
                while try set.next() != nil { records += 1 }
            } catch { return (records, set.tally.totalOctets, error) }
            return (records, set.tally.totalOctets, nil)
        } catch { return (0, 0, error) }
    }

    private static func check(_ packing: Packing, _ log: [UInt8], cuts: Int, seed: UInt64) throws {
        let folder = try PackingFolder(["log": log, "unpack.py": Array(Packing.unpackProgram.utf8)])
        let packed = try folder.shell(packing.pack)
        let path = folder.path("cut")
        try folder.write(packed, to: "cut")
        let whole = try read(path)
        #expect(whole.error == nil && whole.records == (log.count - 16) / 40)
        var random = SeededRandom(seed: seed)
        for _ in 0..<cuts {
            let place = 1 + Int(random.next() % UInt64(packed.count - 1))
            try folder.write(packed[..<place], to: "cut")
            let unpacked = try folder.shell(packing.unpack.command(step: 1 << 20), mayFail: true).count
            let had = min(max(unpacked - packing.tarHeader, 0), log.count)
            let found = try read(path)
            let label: Comment = "\(packing) of \(packed.count), cut at \(place), seed \(seed): \(found)"
            #expect(found.records == max(0, (had - 16) / 40), label)
            guard let error = found.error else {
                Issue.record(label)
                continue
            }
            if found.records > 0 {
                #expect(found.octets == had, label)
                // Where the records have come whole, what is cut stands after the log.
                if had < log.count {
                    #expect(error.fileOffset == 16 + 40 * found.records, label)
                    #expect(error.record == found.records + 1, label)
                }
            }
            #expect(error.file.hasPrefix(path), label)
            guard case .archive(let message) = error.cause else {
                if place >= 4 { Issue.record(label) }
                continue
            }
            #expect(message.hasSuffix("byte \(place) of the packed file: the data ends too early"), label)
        }
    }

    @Test(arguments: Packing.all)
    func `of a packed log that is cut every record is read that can be unpacked`(_ packing: Packing) throws {
        try Self.check(packing, Packing.short, cuts: 2, seed: 101)
    }

    @Test(arguments: Packing.simple)
    func `of a long packed log that is cut every record is read too`(_ packing: Packing) throws {
        try Self.check(packing, Packing.long, cuts: 1, seed: 102)
    }

    @Test(arguments: Packing.simple)
    func `of packed data that is damaged all before the damage is unpacked`(_ packing: Packing) throws {
        let log = Packing.short
        let folder = try PackingFolder(["log": log, "unpack.py": Array(Packing.unpackProgram.utf8)])
        let packed = try folder.shell(packing.pack)
        var random = SeededRandom(seed: 103)
        var notices = 0
        for _ in 0..<6 {
            var damaged = packed
            let place = 30 + Int(random.next() % UInt64(packed.count - 30))
            damaged[place] ^= UInt8(1 + random.next() % 255)
            try folder.write(damaged, to: "cut")
            let had = try folder.shell(packing.unpack.command(step: 1), mayFail: true)
            let (octets, failure) = try Self.unpack(folder.path("cut"))
            #expect(
                octets.starts(with: had), "\(packing), damage at \(place): \(octets.count) of \(had.count)")
            if failure != nil { notices += 1 } else { #expect(octets == log) }
        }
        #expect(notices > 4)
    }

    /// All octets that a file unpacks to, and why there are no more.
    static func unpack(_ path: String) throws -> ([UInt8], CaptureFileError.Cause?) {
        // Safe: the string's octets live as long as the call.
        let owned = OwnedDescriptor(unsafe open(path, O_RDONLY))
        let head = try PackedFormat.head(of: owned, name: path)
        let stream = OctetStream.unpacking(owned, head, ending: nil)
        var octets: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 10_007)
        while true {
            // Safe: the stream writes at most the length of the array.
            let count = unsafe room.withUnsafeMutableBytes { buffer -> Int in
                guard let start = buffer.baseAddress else { return 0 }
                return unsafe stream.read(into: start, count: buffer.count)
            }
            if count == 0 { return (octets, stream.failure) }
            octets += room[..<count]
        }
    }

    @Test
    func `what follows packed data is zeros, a further member, or told`() throws {
        let folder = try PackingFolder(["log": Packing.short])
        for packing in Packing.simple {
            let packed = try folder.shell(packing.pack)
            try folder.write(packed + [UInt8](repeating: 0, count: 1024), to: "cut")
            let padded = try Self.unpack(folder.path("cut"))
            #expect(padded.0 == Packing.short && padded.1 == nil, "\(packing)")
            try folder.write(packed + Array("something else".utf8), to: "cut")
            let followed = try Self.read(folder.path("cut"))
            #expect(followed.records == 7_500 && followed.octets == Packing.short.count, "\(packing)")
            guard case .archive(let message) = followed.error?.cause else {
                Issue.record("\(packing): \(followed)")
                continue
            }
            #expect(message.hasSuffix("other data follows"), "\(packing): \(message)")
        }
    }

    @Test
    func `what wants more memory than is given is refused`() throws {
        // A window of 2 GiB: RFC 8878, 3.1.1.1.2.
        let folder = try PackingFolder(["zstd": [0x28, 0xB5, 0x2F, 0xFD, 0, 0xA8, 1, 0, 0]])
        // The dictionary's size is the octet after the filter's number and length; the header ends with
        // its sum.
        let program = """
            import lzma, struct, sys, zlib
            data = bytearray(lzma.compress(b'btsnoop' * 100))
            end = 12 + 4 * (data[12] + 1) - 4
            place = data.index(b'\\x21\\x01', 12, end)
            data[place + 2] = 40
            data[end:end + 4] = struct.pack('<I', zlib.crc32(data[12:end]))
            sys.stdout.buffer.write(data)
            """
        try folder.write(folder.python(program), to: "xz")
        for name in ["zstd", "xz"] {
            let found = try Self.read(folder.path(name))
            guard case .archive(let message) = found.error?.cause else {
                Issue.record("\(name): \(found)")
                continue
            }
            #expect(message.hasSuffix("unpacking needs more than 128 MiB of memory"), "\(message)")
        }
    }
}
