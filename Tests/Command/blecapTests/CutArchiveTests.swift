import Foundation
import TestSupport
import Testing

@Suite struct CutArchiveTests {
    /// A way to pack: the shell commands that pack the file `log`, and unpack what can be of their input.
    struct Packing: CustomTestStringConvertible {
        var testDescription: String
        var pack: String
        var unpack: String
        /// Octets before the log's own.
        var header = 0
    }

    private static func python(_ member: String) -> String {
        "python3 -c 'import bz2, lzma, sys, zlib; "
            + "sys.stdout.buffer.write(\(member).decompress(sys.stdin.buffer.read()))'"
    }

    static let packings = [
        Packing(
            testDescription: "tar.gz", pack: "tar -c --format=ustar log | gzip -c",
            unpack: python("zlib.decompressobj(31)"), header: 512),
        Packing(testDescription: "gzip", pack: "gzip -c log", unpack: python("zlib.decompressobj(31)")),
        Packing(testDescription: "zstd", pack: "zstd -q19c log", unpack: "(zstd -qdc || true)"),
        Packing(
            testDescription: "tar.zst", pack: "tar -c --format=ustar log | zstd -qc",
            unpack: "(zstd -qdc || true)", header: 512),
        Packing(testDescription: "xz", pack: "xz -c log", unpack: python("lzma.LZMADecompressor()")),
        Packing(
            testDescription: "bzip2", pack: "bzip2 -1 -c log", unpack: python("bz2.BZ2Decompressor()")),
        Packing(
            testDescription: "tar.xz", pack: "tar -c --format=ustar log | xz -c",
            unpack: python("lzma.LZMADecompressor()"), header: 512),
    ]

    /// A btsnoop file of `count` records of 40 octets each, vendor events whose octets hardly repeat.
    static func log(_ count: Int) -> Data {
        var file = Data("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        var state: UInt64 = 42
        for index in 0..<count {
            file += [0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0x00, 0xE2, 0x4F, 0x62]
            file += [UInt8(0x10 + index >> 20), UInt8(index >> 12 & 0xFF), UInt8(index >> 4 & 0xFF), 0]
            file += [4, 0xFF, 13]
            for _ in 0..<13 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                file.append(UInt8(state >> 60))
            }
        }
        return file
    }

    private static func shell(_ line: String, in folder: URL) throws -> Data {
        let run = try ProgramRun(shell: line, in: folder)
        #expect(run.status == 0, "\(line): \(run.errors)")
        return run.output
    }

    @Test(.process, arguments: packings)
    func `Of a packed log that is cut, all that can be had is read`(packing: Packing) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.log(60_000).write(to: folder.appendingPathComponent("log"))
        let packed = try Self.shell(packing.pack, in: folder)
        for share in [0.3, 0.61, 0.97] {
            let cut = folder.appendingPathComponent("cut")
            try packed.prefix(Int(Double(packed.count) * share)).write(to: cut)
            let had = try Self.shell("\(packing.unpack) < cut", in: folder).count - packing.header
            #expect(had > 200_000)
            let run = try CommandRun(["info", cut.path])
            let line = run.text.split(separator: "\n").first { $0.contains(" records: ") }
            let records = line.flatMap { Int($0.split(separator: " ")[0]) } ?? 0
            #expect(records == (had - 16) / 40, "\(packing.testDescription) \(share)")
            #expect(run.status == 3)
            let place = "the data ends too early (record \(records + 1), offset \(16 + 40 * records))"
            #expect(run.errors.contains(place), "\(packing.testDescription) \(share): \(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
            // The same from a pipe.
            let command = "(cat cut | '\(PackageRoot.command.path)' info - || true)"
            let piped = try Self.shell(command, in: folder)
            #expect(String(decoding: piped, as: UTF8.self).contains("\n\(records) records: "))
        }
    }
}
