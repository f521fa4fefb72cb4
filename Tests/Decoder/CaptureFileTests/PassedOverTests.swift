import CaptureFile
import TestSupport
import Testing

/// What of an archive, or a file, is not read: said, not passed over in silence.
@Suite(.process) struct PassedOverTests {
    static let log = Packing.log(20, seed: 5)
    /// A packet of BR/EDR baseband, link type 255.
    static let air = Samples.hex(
        "d4c3b2a1 02000400 00000000 00000000 00000400 ff000000 00000000 00000000 04000000 04000000 01020304")

    /// Reads all records of a file; what is told at the end, and what was passed over.
    static func read(_ path: String) throws -> (
        records: Int, errors: [CaptureFileError], passedOver: [CaptureFileError]
    ) {
        var set = try CaptureSet(paths: [path])
        var records = 0
        do {
            while try set.next() != nil { records += 1 }
        } catch {}
        return (records, set.errors, set.passedOver)
    }

    @Test
    func `a capture of Bluetooth Classic from the air beside a log is named`() throws {
        let folder = try PackingFolder(["a.log": Self.log, "air.pcap": Self.air])
        _ = try folder.shell("tar -cf x.tar a.log air.pcap")
        let found = try Self.read(folder.path("x.tar"))
        #expect(found.records == 20)
        #expect(found.errors == [])
        #expect(found.passedOver.map(\.file) == [folder.path("x.tar") + ":air.pcap"])
    }

    @Test
    func `captures of other networks are no news`() throws {
        var other = Self.air
        other.replaceSubrange(20..<24, with: [1, 0, 0, 0])
        let folder = try PackingFolder(["a.log": Self.log, "wifi.pcap": other])
        _ = try folder.shell("tar -cf x.tar a.log wifi.pcap")
        #expect(try Self.read(folder.path("x.tar")).passedOver == [])
    }

    @Test
    func `a tar archive that is cut between two files says so after the records`() throws {
        let folder = try PackingFolder(["a.log": Self.log, "b.log": Self.log])
        _ = try folder.shell("tar -cf x.tar a.log b.log")
        #expect(try Self.read(folder.path("x.tar")).errors == [])
        let length = 512 + (Self.log.count + 511) / 512 * 512
        _ = try folder.shell("head -c \(length) x.tar > cut.tar")
        let found = try Self.read(folder.path("cut.tar"))
        #expect(found.records == 20)
        #expect(found.errors.count == 1)
        #expect(found.errors.first?.fileOffset == length)
        guard case .archive = found.errors.first?.cause else {
            Issue.record("\(found.errors)")
            return
        }
    }

    @Test
    func `more captures than are read are counted`() throws {
        let folder = try PackingFolder(["a.log": Self.log])
        _ = try folder.shell("for n in $(seq 260); do cp a.log $n.log; done; rm a.log; tar -cf x.tar *.log")
        let found = try Self.read(folder.path("x.tar"))
        #expect(found.errors.count == 1)
        guard case .archive(let what) = found.errors.first?.cause else {
            Issue.record("\(found.errors)")
            return
        }
        #expect(what == "holds more than 256 captures; 4 of them were not read")
    }

    @Test
    func `an archive with a report's text and no log, or with a decoder's text, says so`() throws {
        let report = Array("==\n== dumpstate: 2026-11-27 10:00:00\n==\n".utf8)
        let decoded = Array("Bluetooth monitor ver 5.66\n".utf8)
        let folder = try PackingFolder(["bugreport.txt": report, "btmon.txt": decoded])
        _ = try folder.shell("tar -cf a.tar bugreport.txt; tar -cf b.tar btmon.txt")
        let expected: [(String, String, CaptureFileError.Cause)] = [
            ("a.tar", "bugreport.txt", .emptyReport), ("b.tar", "btmon.txt", .decoderText("btmon")),
        ]
        for (archive, name, cause) in expected {
            let error = #expect(throws: CaptureFileError.self) {
                _ = try CaptureSet(paths: [folder.path(archive)])
            }
            #expect(error?.cause == cause && error?.file == "\(folder.path(archive)):\(name)")
        }
    }

    @Test
    func `an archive whose only log is empty is a report without one`() throws {
        let folder = try PackingFolder(["btsnoop_hci.log": [], "other.txt": [0x61]])
        _ = try folder.shell("tar -cf x.tar btsnoop_hci.log other.txt")
        let error = #expect(throws: CaptureFileError.self) {
            _ = try CaptureSet(paths: [folder.path("x.tar")])
        }
        #expect(error?.cause == .emptyReport)
        #expect(error?.file == folder.path("x.tar") + ":btsnoop_hci.log")
    }
}
