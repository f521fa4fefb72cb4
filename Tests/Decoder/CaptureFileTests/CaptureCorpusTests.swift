import CaptureFile
import TestSupport
import Testing

/// Reads the captures of the corpus; skipped where it is absent.
@Suite(.corpus)
struct CaptureCorpusTests {
    /// Link types that are not read: those of other networks, and BR/EDR baseband.
    static let unread: Set<UInt32> = [1, 255]

    static func isRead(_ file: CorpusTable.File) -> Bool {
        if file.fmt.hasPrefix("pklg") || file.fmt.hasPrefix("btsnoop") { return true }
        return file.fmt.hasPrefix("pcap") && !unread.contains(file.datalink ?? 0)
    }

    static let read = CorpusTable.shared.files.filter { isRead($0) && !$0.name.hasPrefix("btsnooz") }
    static let foreign = CorpusTable.shared.files.filter { $0.fmt.hasPrefix("pcap") && !isRead($0) }
    // Those of TI's packet sniffer have tests of their own.
    static let other = CorpusTable.shared.files.filter {
        !isRead($0) && !$0.fmt.hasPrefix("pcap") && !$0.name.hasSuffix(".psd")
    }

    @Test(arguments: read)
    func `every capture gives as many records as other readers count`(_ file: CorpusTable.File) throws {
        let octets = try CorpusTable.shared.octets(of: file)
        var reader = try CaptureReader(octets: octets, name: file.name)
        var last = 0
        var unknown = 0
        while let record = try reader.next() {
            #expect(record.header.number == last + 1)
            #expect(record.octets.byteCount == record.header.capturedLength)
            last = record.header.number
            if record.header.kind == .unknown { unknown += 1 }
        }
        #expect(last == file.n)
        #expect(unknown == 0)
        #expect(reader.offset == octets.count)
        #expect(reader.tally.totalOctets == octets.count)
        #expect(reader.tally.records == last)
        if let datalink = file.datalink { #expect(reader.info.datalink == datalink) }
        #expect(
            file.fmt.hasPrefix(reader.info.format == .packetLogger ? "pklg" : reader.info.format.rawValue))
    }

    @Test(arguments: foreign)
    func `link types that are not read are named`(_ file: CorpusTable.File) throws {
        let octets = try CorpusTable.shared.octets(of: file)
        let error = #expect(throws: CaptureFileError.self) {
            _ = try CaptureReader(octets: octets, name: file.name)
        }
        guard case .unsupportedDatalink(let what, holds: _) = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(what.contains("link type \(file.datalink ?? 0)"))
    }

    @Test(arguments: other)
    func `what is no capture is refused`(_ file: CorpusTable.File) throws {
        let octets = try CorpusTable.shared.octets(of: file)
        let error = #expect(throws: CaptureFileError.self) {
            _ = try CaptureReader(octets: octets, name: file.name)
        }
        #expect(error?.cause == (file.fmt == "btmon text" ? .decoderText("btmon") : .notACapture))
    }

    @Test
    func `btsnooz records behind a btsnoop header are read to the end`() throws {
        let file = try #require(CorpusTable.shared.files.first { $0.name == "btsnooz-v2-raw-records.log" })
        let octets = try CorpusTable.shared.octets(of: file)
        var reader = try CaptureReader(octets: octets, name: file.name)
        var count = 0
        while let record = try reader.next() {
            #expect([RecordKind.command, .event].contains(record.header.kind))
            #expect(!record.header.isTruncated)
            count += 1
        }
        #expect(count == 6990)
        #expect(reader.info.format == .btsnooz)
        #expect(reader.info.hasRelativeTime)
        #expect(reader.tally.totalOctets == octets.count)
    }
}
