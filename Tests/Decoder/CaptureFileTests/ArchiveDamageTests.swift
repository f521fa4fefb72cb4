import Foundation
import TestSupport
import Testing

@testable import CaptureFile

/// Archives with several logs, one of which, or the archive itself, is damaged.
@Suite(.process) struct ArchiveDamageTests {
    static let first = Packing.log(9_000, seed: 11)
    static let second = Packing.log(300, seed: 12)

    /// Python: `pack` makes a zip of (name, sum, length, deflated data), `deflate` packs.
    static let zip = """
        import os, struct, sys, zlib
        def deflate(data, mode=zlib.Z_FINISH):
            packer = zlib.compressobj(6, zlib.DEFLATED, -15)
            return packer.compress(data) + packer.flush(mode)
        def entry(name, data):
            return name, zlib.crc32(data), len(data), deflate(data)
        def pack(*entries):
            out, listed = b'', b''
            for name, crc, length, data in entries:
                fields = struct.pack('<HHHHHIIIHH', 20, 0, 8, 0, 0x21, crc, len(data), length, len(name), 0)
                listed += b'PK\\1\\2' + struct.pack('<H', 20) + fields
                listed += struct.pack('<HHHII', 0, 0, 0, 0, len(out)) + name
                out += b'PK\\3\\4' + fields + name + data
            end = struct.pack('<HHHHIIH', 0, 0, len(entries), len(entries), len(listed), len(out), 0)
            return bytearray(out + listed + b'PK\\5\\6' + end)
        first, second = open('first', 'rb').read(), open('second', 'rb').read()
        text = b'nothing of use\\n' * 9000
        a, b, t = entry(b'a.log', first), entry(b'b.log', second), entry(b'notes.txt', text)

        """

    /// What is read of the file that a program in Python writes.
    static func read(
        _ program: String
    ) throws -> (records: Int, octets: Int, error: CaptureFileError?, folder: PackingFolder) {
        let folder = try PackingFolder(["first": first, "second": second])
        try folder.write(folder.python(zip + program + "\nsys.stdout.buffer.write(z)\n"), to: "packed")
        let found = try CutPackingTests.read(folder.path("packed"))
        return (found.records, found.octets, found.error, folder)
    }

    @Test
    func `a log of a zip that is damaged is read up to the damage, and the others to their ends`() throws {
        let found = try Self.read(
            """
            part = deflate(first[:16 + 40 * 5000 + 7], zlib.Z_FULL_FLUSH)
            z = pack(t, (b'a.log', zlib.crc32(first), len(first), part + b'\\xff' * 5000), b)
            """)
        #expect(found.records == 5_300)
        #expect(found.octets == 16 + 40 * 5_000 + 7 + Self.second.count)
        #expect(found.error?.file == found.folder.path("packed") + ":a.log")
        #expect(found.error?.record == 5_001 && found.error?.fileOffset == 16 + 40 * 5_000)
        guard case .archive = found.error?.cause else {
            Issue.record("\(found)")
            return
        }
    }

    @Test
    func `a sum that is wrong is told after all records`() throws {
        let found = try Self.read("z = pack((b'a.log', a[1] ^ 1, a[2], a[3]), b)")
        #expect(found.records == 9_300)
        #expect(found.error?.file == found.folder.path("packed") + ":a.log")
        guard case .archive(let message) = found.error?.cause else {
            Issue.record("\(found)")
            return
        }
        #expect(message.contains("CRC"))
    }

    @Test(arguments: [
        "z[end + 16:end + 20] = struct.pack('<I', 12345)", "z[end + 12:end + 16] = struct.pack('<I', 7)",
        "z[listed:listed + 4] = b'XXXX'", "z[latest:latest + 4] = b'XXXX'",
        "z[listed + 42:listed + 46] = struct.pack('<I', 99999999)",
        "z[latest + 42:latest + 46] = struct.pack('<I', 99)",
    ])
    func `a zip whose directory lies or is damaged gives its logs all the same`(_ damage: String) throws {
        let found = try Self.read(
            """
            z = pack(a, t, b)
            listed, latest = z.index(b'PK\\1\\2'), z.rindex(b'PK\\1\\2')
            end = z.rindex(b'PK\\5\\6')
            \(damage)
            """)
        #expect(found.records == 9_300, "\(found)")
        guard case .archive = found.error?.cause else {
            Issue.record("\(found)")
            return
        }
    }

    @Test
    func `a zip that is cut gives every record before the cut`() throws {
        for share in [0.2, 0.5, 0.9] {
            let found = try Self.read(
                """
                z = pack(a, b)[:int(35 + len(a[3]) * \(share))]
                open('had', 'wb').write(zlib.decompressobj(-15).decompress(z[35:]))
                """)
            let had = try Data(contentsOf: URL(fileURLWithPath: found.folder.path("had"))).count
            #expect(found.records == (had - 16) / 40 && found.octets == had)
            #expect(found.error?.fileOffset == 16 + 40 * found.records)
        }
    }

    @Test(arguments: [
        "import gzip\nz = pack(b, entry(b'other.gz', gzip.compress(text)))",
        "z = pack(b)\nfor _ in range(5): z = pack(entry(b'in', z))\nz = pack(b, entry(b'z', z))",
        "import gzip\nz = gzip.compress(gzip.compress(second))",
        "import gzip\nz = pack(entry(b'b.log.gz', gzip.compress(second)))",
    ])
    func `other packed files beside a log do no harm, and packed logs are found`(_ program: String) throws {
        let found = try Self.read(program)
        #expect(found.records == 300 && found.error == nil, "\(found)")
    }

    @Test
    func `a log of a packed tar that is cut, and what is missing, is told`() throws {
        let folder = try PackingFolder(["a.log": Packing.log(30, seed: 1), "b.log": Packing.log(40, seed: 2)])
        let tar = try folder.shell("tar -c --format=ustar a.log b.log")
        // Each log behind a header of 512 octets, filled up to a multiple of as many.
        let ends = [0, 512 + 1536, 2048 + 512 + 2048]
        for place in stride(from: 512, through: ends[2] + 1024, by: 512) {
            try folder.write(tar[..<place], to: "tar")
            for packing in ["cat tar", "gzip -c tar", "zstd -qc tar"] {
                try folder.write(folder.shell(packing), to: "packed")
                let found = try CutPackingTests.read(folder.path("packed"))
                let records =
                    max(0, min(30, (place - 512 - 16) / 40)) + max(0, min(40, (place - ends[1] - 528) / 40))
                #expect(found.records == records, "\(packing), \(place)")
                // What is cut between files lacks the zeros that end every tar.
                #expect((found.error == nil) == (place > ends[2]), "\(packing), \(place)")
            }
        }
        var damaged = tar
        damaged[ends[1] + 10] ^= 1
        try folder.write(damaged, to: "tar")
        for packing in ["cat tar", "gzip -c tar", "xz -c tar"] {
            try folder.write(folder.shell(packing), to: "packed")
            let found = try CutPackingTests.read(folder.path("packed"))
            #expect(found.records == 30, "\(packing)")
            #expect(found.error?.cause == .archive("Damaged tar archive"), "\(packing)")
        }
    }
}
