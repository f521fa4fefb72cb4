import TestSupport
import Testing

@testable import CaptureFile

/// However many logs are read together, and whatever they hold, little of them is in memory.
@Suite struct FileBoundsTests {
    /// Python: the block of `count` records of 15 octets each, in its compressed form.
    static let block = """
        import base64, io, struct, sys, tarfile, zipfile, zlib
        def block(count, level):
            record = struct.pack('<HHIB', 7, 7, 100, 0x10) + bytes([14, 4, 1, 3, 12, 0])
            return b'\\2' + struct.pack('<Q', 1700000000 * 10**6) + zlib.compress(record * count, level)

        """

    @Test(.process)
    func `the blocks of reports in an archive wait in files, and not in memory`() throws {
        let folder = try PackingFolder()
        let archive = try folder.python(
            Self.block + """
                text = b'report\\n--- BEGIN:BTSNOOP_LOG_SUMMARY (1) ---\\n'
                text += base64.encodebytes(block(40000, 0)) + b'--- END:BTSNOOP_LOG_SUMMARY ---\\n'
                with tarfile.open(fileobj=sys.stdout.buffer, mode='w|') as tar:
                    for name in ['1.txt', '2.txt', '3.txt']:
                        entry = tarfile.TarInfo(name)
                        entry.size = len(text)
                        tar.addfile(entry, io.BytesIO(text))
                """)
        try folder.write(archive, to: "packed")
        let sources = try CaptureSource.find(path: folder.path("packed"))
        #expect(sources.count == 3)
        for source in sources {
            #expect(source.octetsHeld == 0)
            var reader = try CaptureReader(source)
            var records = 0
            var last: Int64 = 0
            while let record = try reader.next() {
                records += 1
                last = record.header.time.nanoseconds
            }
            #expect(records == 40_000 && last == 1_700_000_000_000_000_000)
            #expect(reader.bufferCapacity <= 256 << 10)
        }
    }

    @Test(.process)
    func `of a block longer than any log of Android's the rest is not read, and that is said`() throws {
        let folder = try PackingFolder()
        try folder.write(
            folder.python(Self.block + "sys.stdout.buffer.write(block(400000, 9))\n"), to: "one.btsnooz")
        let found = try CutPackingTests.read(folder.path("one.btsnooz"))
        #expect((260_000...290_000).contains(found.records))
        #expect(found.error?.cause == .archive("more than 4 MiB of btsnooz records: the rest is not read"))
        try folder.write(
            folder.python(Self.block + "sys.stdout.buffer.write(block(250000, 9))\n"), to: "two.btsnooz")
        let whole = try CutPackingTests.read(folder.path("two.btsnooz"))
        #expect(whole.records == 250_000 && whole.error == nil)
    }

    @Test(.process, arguments: [31, 40])
    func `many files that are open at once have small buffers`(count: Int) throws {
        let folder = try PackingFolder()
        var names: [String] = []
        for number in 0..<count {
            names.append("\(number).log")
            try folder.write(Packing.log(60, seed: UInt64(number)), to: "\(number).log")
        }
        try folder.write(folder.shell("tar -c --format=ustar " + names.joined(separator: " ")), to: "tar")
        var set = try CaptureSet(paths: [folder.path("tar")])
        #expect(set.fileCount == count)
        var records = 0
        while try set.next() != nil { records += 1 }
        #expect(records == 60 * count)
        #expect(set.bufferCapacity == count * (count < 32 ? 256 << 10 : 64 << 10))
    }

    @Test
    func `a buffer that a long header made large is small again behind it`() throws {
        // Thirteen comments of 60,000 octets, in one block; only the first has room.
        let long = String(repeating: "x", count: 60_000)
        var writer = try CaptureWriter(collecting: .pcapng, comments: Array(repeating: long, count: 13))
        var log = try CaptureReader(octets: Packing.log(20_000, seed: 3), name: "log")
        while let record = try log.next() { try writer.write(record) }
        try writer.flush()
        let folder = try PackingFolder(["a.pcapng": writer.collected()])
        let names = try (0..<40).map { number in
            try folder.write(writer.collected(), to: "\(number).pcapng")
            return folder.path("\(number).pcapng")
        }
        var set = try CaptureSet(paths: names)
        #expect(set.bufferCapacity == 40 * 64 << 10)
        _ = try set.next()
        #expect(set.info(ofFile: 0).droppedComments == 12 && set.bufferCapacity == 40 * 64 << 10)
        var reader = try CaptureReader(path: names[0])
        var records = 0
        while try reader.next() != nil { records += 1 }
        #expect(records == 20_000)
    }

    @Test(.process) func `a member that is no log and could ask for any memory is passed over`() throws {
        let folder = try PackingFolder(["b.log": Packing.log(70, seed: 2)])
        let zip = try folder.python(
            """
            import io, sys, zipfile
            out = io.BytesIO()
            with zipfile.ZipFile(out, 'w') as zip:
                zip.writestr('text', b'text', compress_type=zipfile.ZIP_LZMA)
                zip.write('b.log')
            sys.stdout.buffer.write(out.getvalue())
            """)
        try folder.write(zip, to: "zip")
        let found = try PassedOverTests.read(folder.path("zip"))
        #expect(found.records == 70 && found.errors.isEmpty)
        #expect(found.passedOver.map(\.file) == [folder.path("zip") + ":text"])
        // What was read of the others says nothing about it.
        #expect(found.passedOver.map(\.fileOffset) == [0])
    }

    @Test(.process, arguments: ["session.pcapng", "HCI.LOG", "sub/btsnoop_hci.log.last", "report.zip"])
    func `a member that may be a log by its name and is not read is damage`(name: String) throws {
        let folder = try PackingFolder(["b.log": Packing.log(70, seed: 2)])
        func zip(alone: Bool) throws -> [UInt8] {
            try folder.python(
                """
                import io, sys, zipfile
                out = io.BytesIO()
                with zipfile.ZipFile(out, 'w') as zip:
                    zip.writestr('text', b'text', compress_type=zipfile.ZIP_LZMA)
                    zip.writestr('\(name)', b'text', compress_type=zipfile.ZIP_LZMA)
                    if not \(alone ? "True" : "False"):
                        zip.write('b.log')
                sys.stdout.buffer.write(out.getvalue())
                """)
        }
        try folder.write(zip(alone: false), to: "zip")
        let found = try PassedOverTests.read(folder.path("zip"))
        #expect(found.records == 70 && found.errors.map(\.file) == [folder.path("zip") + ":" + name])
        // It is the one that is missed, where there is nothing else.
        try folder.write(zip(alone: true), to: "alone")
        do throws(CaptureFileError) {
            _ = try CaptureSource.find(path: folder.path("alone"))
            Issue.record("found something")
        } catch {
            #expect(error.file == folder.path("alone") + ":" + name)
        }
    }

    @Test(.process, arguments: [130, 0])
    func `a directory that is too long is not read behind what does not begin as a zip either`(
        _ count: Int
    ) throws {
        let folder = try PackingFolder(["a.log": Packing.log(50, seed: 1)])
        let zip = try folder.python(
            """
            import io, sys, zipfile
            out = io.BytesIO()
            with zipfile.ZipFile(out, 'w') as zip:
                zip.write('a.log')
                for number in range(\(count)):
                    zip.writestr(str(number) + 'x' * 65000, b'')
            sys.stdout.buffer.write(b' ' * 257 + b'ustar' + b' ' * 250 + out.getvalue())
            """)
        try folder.write(zip, to: "zip")
        var records = 0
        do throws(CaptureFileError) {
            var set = try CaptureSet(paths: [folder.path("zip")])
            while try set.next() != nil { records += 1 }
        } catch {
            #expect(count > 0 && error.cause == .notACapture, "\(error)")
        }
        #expect(records == (count > 0 ? 0 : 50))
    }

    @Test(.process, arguments: ["LZMA", "DEFLATED", "BZIP2", "STORED"])
    func `a member of a zip that could ask for any memory is refused, and the others are read`(
        method: String
    ) throws {
        let folder = try PackingFolder([
            "btsnoop.log": Packing.log(50, seed: 1), "b.log": Packing.log(70, seed: 2),
        ])
        let zip = try folder.python(
            """
            import io, sys, zipfile
            out = io.BytesIO()
            with zipfile.ZipFile(out, 'w') as zip:
                zip.write('btsnoop.log', compress_type=zipfile.ZIP_\(method))
                zip.write('b.log', compress_type=zipfile.ZIP_DEFLATED)
            sys.stdout.buffer.write(out.getvalue())
            """)
        try folder.write(zip, to: "zip")
        let found = try CutPackingTests.read(folder.path("zip"))
        guard method == "LZMA" else {
            #expect(found.records == 120 && found.error == nil)
            return
        }
        #expect(found.records == 70)
        #expect(found.error?.file == folder.path("zip") + ":btsnoop.log")
        guard case .archive(let message) = found.error?.cause else {
            Issue.record("\(found)")
            return
        }
        #expect(message.contains("lzma"))
    }

    @Test(.process)
    func `a zip whose directory is too long for memory is read file by file, and that is said`() throws {
        let folder = try PackingFolder(["a.log": Packing.log(50, seed: 1)])
        for (files, isTold) in [(140, true), (100, false)] {
            let zip = try folder.python(
                """
                import io, sys, zipfile
                out = io.BytesIO()
                with zipfile.ZipFile(out, 'w') as zip:
                    for number in range(\(files)):
                        zip.writestr('%05d' % number + 'x' * 65000, b'')
                    zip.write('a.log')
                sys.stdout.buffer.write(out.getvalue())
                """)
            try folder.write(zip, to: "zip")
            let found = try CutPackingTests.read(folder.path("zip"))
            #expect(found.records == 50 && (found.error != nil) == isTold, "\(found)")
            guard isTold, case .archive(let message) = found.error?.cause else { continue }
            #expect(message.contains("more than 8 MiB"))
        }
    }

    /// Python: `large` gives a zip the end records of one too large for the plain record.
    private static let large = """
        import io, struct, zipfile
        def large(zip, begin):
            plain = zip[-22:]
            count, length = struct.unpack('<HI', plain[10:16])
            record = struct.pack('<IQHHIIQQQQ', 0x06064B50, 44, 45, 45, 0, 0, count, count, length, begin)
            locator = struct.pack('<IIQI', 0x07064B50, 0, len(zip) - 22, 1)
            return zip[:-22] + record + locator + plain[:12] + b'\\xff' * 8 + plain[20:]
        """

    @Test(.process, arguments: ["zips(9 << 20, 1)", "zips(1, 9 << 20)", "large(zips(9 << 20, 1), begin)"])
    func `a zip of zips is read by its own directory`(program: String) throws {
        let folder = try PackingFolder([
            "a.log": Packing.log(50, seed: 1), "b.log": Packing.log(70, seed: 2),
        ])
        let zip = try folder.python(
            Self.large + """

                import sys
                def report(length, log):
                    out = io.BytesIO()
                    with zipfile.ZipFile(out, 'w') as zip:
                        zip.writestr('text', bytes(length))
                        zip.write(log)
                    return out.getvalue()
                def zips(first, second):
                    global begin
                    out = io.BytesIO()
                    with zipfile.ZipFile(out, 'w') as zip:
                        zip.writestr('a.zip', report(first, 'a.log'))
                        zip.writestr('b.zip', report(second, 'b.log'))
                        begin = out.tell()
                    return out.getvalue()
                sys.stdout.buffer.write(\(program))
                """)
        try folder.write(zip, to: "zip")
        let found = try CutPackingTests.read(folder.path("zip"))
        #expect(found.records == 120 && found.error == nil, "\(found)")
    }

    @Test(.process) func `a directory that begins too far from its large end record is not read`() throws {
        let folder = try PackingFolder(["a.log": Packing.log(50, seed: 1)])
        let zip = try folder.python(
            Self.large + """

                import sys
                out = io.BytesIO()
                with zipfile.ZipFile(out, 'w') as zip:
                    zip.write('a.log')
                    zip.writestr('text', bytes(9 << 20))
                sys.stdout.buffer.write(large(out.getvalue(), 100))
                """)
        try folder.write(zip, to: "zip")
        let found = try CutPackingTests.read(folder.path("zip"))
        #expect(found.records == 50)
        guard case .archive(let message) = found.error?.cause else {
            Issue.record("\(found)")
            return
        }
        #expect(message.contains("more than 8 MiB"))
    }

    @Test(arguments: [64, 65])
    func `of how many files it is told that records may be there twice`(count: Int) throws {
        let log = Packing.log(3, seed: 1)
        var set = try CaptureSet((0..<count).map { CaptureSource(octets: log, name: "\($0)") })
        var records = 0
        while try set.next() != nil { records += 1 }
        #expect(set.mayRepeat == (records > 3) && set.mayRepeat == (count > 64))
    }

    @Test
    func `of a file's comments as many octets are kept as one may have, and the others are counted`() throws {
        let long = String(repeating: "x", count: 30_000)
        var writer = try CaptureWriter(
            collecting: .pcapng, comments: [long, "short", long, long, "last"])
        try writer.flush()
        let reader = try CaptureReader(octets: writer.collected(), name: "long")
        #expect(reader.info.comments == [long, "short", long, "last"])
        #expect(reader.info.droppedComments == 1 && reader.tally.laterComments == 1)
    }
}
