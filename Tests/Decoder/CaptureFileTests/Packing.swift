import TestSupport
import Testing

/// A way to pack the file `log`, and a way to unpack all that is left of the file `cut`.
struct Packing: CustomTestStringConvertible {
    var testDescription: String
    var pack: String
    var unpack: Unpacking
    /// Octets before the log's own and what may follow them: those of a tar archive.
    var tarHeader = 0

    enum Unpacking: String {
        case gzip = "zlib.decompressobj(31)"
        case xz = "lzma.LZMADecompressor()"
        case bzip2 = "bz2.BZ2Decompressor()"
        case zstd
        case lz4

        /// The shell command; Python keeps what it unpacked before the step that meets damage.
        func command(step: Int) -> String {
            switch self {
            case .zstd: "zstd -qdc --long=27 cut"
            case .lz4: "lz4 -qdc cut"
            default: "python3 unpack.py '\(rawValue)' \(step)"
            }
        }
    }

    init(_ name: String, _ pack: String, _ unpack: Unpacking) {
        (testDescription, self.pack, self.unpack) = (name, pack, unpack)
    }

    /// The same of a tar archive with the log in it.
    var ofTar: Self {
        var tar = self
        tar.testDescription = "tar in \(testDescription)"
        tar.pack = "tar -c --format=ustar log > tar && " + pack.replacing("log", with: "tar")
        tar.tarHeader = 512
        return tar
    }

    static let unpackProgram = """
        import bz2, lzma, sys, zlib
        data = open('cut', 'rb').read()
        step = int(sys.argv[2])
        try:
            while data:
                member = eval(sys.argv[1])
                for place in range(0, len(data), step):
                    sys.stdout.buffer.write(member.decompress(data[place:place + step]))
                    if member.eof:
                        break
                data = member.unused_data + data[place + step:] if member.eof else b''
        except (EOFError, OSError, lzma.LZMAError, zlib.error):
            pass
        """

    static let simple = [
        Packing("gzip", "gzip -c log", .gzip),
        Packing("zstd 1", "zstd -q1c log", .zstd),
        Packing("zstd 3", "zstd -q3c log", .zstd),
        Packing("zstd 19", "zstd -q19c log", .zstd),
        Packing("xz", "xz -c log", .xz),
        Packing("bzip2", "bzip2 -1c log", .bzip2),
        Packing("LZ4", "lz4 -qc log", .lz4),
    ]

    static let all =
        simple + simple.map(\.ofTar) + [
            Packing("zstd 1 long", "zstd -q1c --long log", .zstd),
            Packing("zstd 3 long", "zstd -q3c --long log", .zstd),
            Packing("zstd 19 long", "zstd -q19c --long log", .zstd),
            Packing("zstd of a pipe without sums", "cat log | zstd -q3c --no-check", .zstd),
            Packing("zstd of several threads", "pzstd -qc log", .zstd),
            Packing("zstd frames", "head -c 99999 log | zstd -qc; tail -c +100000 log | zstd -q19c", .zstd),
            Packing("gzip members", "head -c 99999 log | gzip -c; tail -c +100000 log | gzip -1c", .gzip),
            Packing("xz blocks", "xz -0c --block-size=65536 log", .xz),
            Packing("xz streams", "head -c 99999 log | xz -c; tail -c +100000 log | xz -c", .xz),
            Packing("bzip2, large blocks", "bzip2 -c log", .bzip2),
            Packing(
                "bzip2 streams", "head -c 99999 log | bzip2 -1c; tail -c +100000 log | bzip2 -c", .bzip2),
            Packing("LZ4, small linked blocks", "lz4 -qc -B4 -BD log", .lz4),
            Packing("LZ4 with sums of blocks", "lz4 -q9c -B5 -BX log", .lz4),
        ]

    /// A btsnoop file of `count` records of 40 octets each, vendor events whose octets hardly repeat.
    static func log(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var file = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        file.reserveCapacity(16 + 40 * count)
        for index in 0..<count {
            file += [0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0x00, 0xE2, 0x4F, 0x62]
            file += [UInt8(0x10 + index >> 20), UInt8(index >> 12 & 0xFF), UInt8(index >> 4 & 0xFF), 0]
            file += [4, 0xFF, 13]
            for _ in 0..<13 { file.append(UInt8(random.next() >> 60)) }
        }
        return file
    }

    /// Logs of 300 KB and of 3 MB.
    static let short = log(7_500, seed: 7)
    static let long = log(75_000, seed: 8)
}
