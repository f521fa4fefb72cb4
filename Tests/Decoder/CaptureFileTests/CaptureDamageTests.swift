import CaptureFile
import TestSupport
import Testing

/// Damaged and hostile input: a clear end, all records before the damage, and every octet accounted for.
@Suite struct CaptureDamageTests {
    /// The sample session in every format that is written.
    static func samples() throws(CaptureFileError) -> [(name: String, octets: [UInt8])] {
        var all: [(String, [UInt8])] = []
        for format in CaptureWriter.Format.allCases {
            let records = CaptureWriterTests.records(seed: 3, count: 40)
            all.append((format.rawValue, try CaptureWriterTests.write(records, as: format).octets))
        }
        return all
    }

    /// Reads to the end, whatever the octets are; checks what must hold for any octets.
    static func readAny(_ octets: [UInt8]) -> (records: Int, error: CaptureFileError?) {
        var records = 0
        do throws(CaptureFileError) {
            var reader = try CaptureReader(octets: octets, name: "any")
            do throws(CaptureFileError) {
                while let record = try reader.next() {
                    records += 1
                    if record.header.capturedLength != record.octets.byteCount
                        || record.header.originalLength < record.header.capturedLength
                    {
                        Issue.record("\(record.header)")
                    }
                    record.forEachComment { _ in }
                }
            } catch {
                let isOver = try reader.next() == nil
                reader.countUnreadable()
                if !isOver || reader.tally.totalOctets != reader.offset {
                    Issue.record("\(reader.tally), \(reader.offset)")
                }
                return (records, error)
            }
            if reader.tally.totalOctets != reader.offset { Issue.record("\(reader.tally), \(reader.offset)") }
            return (records, nil)
        } catch {
            return (records, error)
        }
    }

    @Test
    func `a file cut anywhere gives the records before the cut and then says where`() throws {
        for (name, octets) in try Self.samples() {
            let whole = Self.readAny(octets)
            #expect(whole.error == nil && whole.records > 3, "\(name)")
            var before = 0
            for end in 0..<octets.count {
                let (records, error) = Self.readAny(Array(octets[..<end]))
                #expect(records >= before && records <= whole.records, "\(name) cut at \(end)")
                before = records
                if let error {
                    #expect(error.fileOffset <= end, "\(name) cut at \(end)")
                    let isNamed = error.cause == .truncated || error.cause == .notACapture
                    #expect(isNamed, "\(name) cut at \(end): \(error)")
                }
            }
        }
    }

    @Test
    func `any octet set to any telling value gives a clear end`() throws {
        for (_, octets) in try Self.samples() {
            for place in octets.indices {
                for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                    var damaged = octets
                    damaged[place] = value
                    let (records, error) = Self.readAny(damaged)
                    #expect(records <= octets.count / 9 && (error?.fileOffset ?? 0) <= octets.count)
                }
            }
        }
    }

    @Test(arguments: [UInt64](1...40))
    func `octets changed at random give a clear end`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let samples = try Self.samples()
        for _ in 0..<200 {
            var octets = samples[Int(random.next() % UInt64(samples.count))].octets
            for _ in 0..<(1 + random.next() % 8) {
                let place = Int(random.next() % UInt64(octets.count))
                switch random.next() % 4 {
                case 0: octets[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: octets[place] ^= 1 << UInt8(random.next() % 8)
                case 2: octets.remove(at: place)
                default: octets.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
                if octets.isEmpty { octets = [0] }
            }
            CaptureFileFuzz.run(octets)
            _ = Self.readAny(octets)
        }
    }

    @Test(arguments: [CaptureWriter.Format.btsnoop, .monitor, .pcap, .pcapMonitor, .packetLogger])
    func `zeros behind the last record are one damage`(_ format: CaptureWriter.Format) throws {
        let records = CaptureWriterTests.records(seed: 5, count: 12)
        let whole = try CaptureWriterTests.write(records, as: format).octets
        let (before, none) = Samples.read(whole)
        let (samples, error) = Samples.read(whole + [UInt8](repeating: 0, count: 5000))
        #expect(none == nil && samples == before)
        guard case .damaged = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.fileOffset == whole.count && error?.record == before.count + 1)
    }

    @Test(arguments: [CaptureWriter.Format.btsnoop, .monitor, .pcap, .pcapMonitor, .pcapng, .pcapngMonitor])
    func `behind damage the next whole records are read, and the gap is told once`(
        _ format: CaptureWriter.Format
    ) throws {
        var records = CaptureWriterTests.records(seed: 6, count: 80)
        records.removeAll { !CaptureWriterTests.isHeld($0.header, format) || $0.header.kind == .unknown }
        for index in records.indices { records[index].header.adapter = 0 }
        let whole = try CaptureWriterTests.write(records, as: format).octets
        let (samples, _) = Samples.read(whole)
        var reader = try CaptureReader(octets: whole, name: "whole")
        var places: [Int] = []
        while let record = try reader.next() { places.append(record.header.fileOffset) }
        for (from, count) in [(places[10], 70), (places[20] + 4, 8)] {
            var damaged = whole
            for place in from..<from + count { damaged[place] = 0xFF }
            let (read, error) = Samples.read(damaged)
            #expect(read.count >= samples.count - 8 && read.count < samples.count, "\(from)")
            #expect(read.suffix(20) == samples.suffix(20))
            #expect(error?.isPassed == true && (error?.fileOffset ?? .max) <= from + count)
            guard case .damaged = error?.cause else {
                Issue.record("\(String(describing: error))")
                continue
            }
            var reader = try CaptureReader(octets: damaged, name: "damaged")
            var drops: UInt32 = 0
            var marked = 0
            let end = #expect(throws: CaptureFileError.self) {
                while let record = try reader.next() {
                    drops = record.header.cumulativeDrops
                    if record.header.faults.contains(.behindDamage) { marked += 1 }
                }
            }
            #expect(marked == 1)
            #expect(end?.isPassed == true && drops > 0 && reader.tally.unreadableOctets > 0)
            #expect(reader.tally.totalOctets == damaged.count)
        }
    }

    @Test
    func `octets that look like records everywhere are read in bounded time`() {
        // Each octet may begin a record, and none is followed by another one.
        let header = Samples.hex("6274736e6f6f7000 00000001 000003ea")
        let body = [UInt8](repeating: 0, count: 3_000_000).enumerated().map {
            UInt8($0.offset % 4 == 3 ? 1 : 0)
        }
        let (_, error) = Samples.read(header + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] + body)
        #expect(error != nil)
    }

    @Test
    func `an empty file and a report without a log are told from what is no capture`() throws {
        func cause(_ octets: [UInt8]) -> CaptureFileError.Cause? {
            let error = #expect(throws: CaptureFileError.self) {
                _ = try CaptureSet([CaptureSource(octets: octets, name: "x")])
            }
            return error?.cause
        }
        #expect(cause([]) == .empty)
        #expect(cause([0]) == .notACapture)
        let report = """
            == dumpstate
            --- BEGIN:BTSNOOP_LOG_SUMMARY (0 bytes in) ---
            --- END:BTSNOOP_LOG_SUMMARY ---

            """
        #expect(cause(Array(report.utf8)) == .emptyReport)
        #expect(cause(Array("== dumpstate\n".utf8)) == .notACapture)
        #expect(cause(Array("=====\n== dumpstate: 2026-11-27 10:00:00\n=====\n".utf8)) == .emptyReport)
    }

    @Test(
        arguments: [
            ("Bluetooth monitor ver 5.66\n= Note: Linux\n", "btmon"),
            ("me@pc:~ $ sudo btmon\n\u{1B}[0;37mBluetooth monitor ver 5.82\n", "btmon"),
            ("HCI sniffer - Bluetooth packet analyzer ver 5.50\ndevice: hci0\n", "hcidump"),
            ("> HCI Event: Command Complete (0x0e) plen 4\n", "btmon or hcidump"),
            ("copied:\n< HCI Command: Reset (0x03|0x0003) plen 0\n", "btmon or hcidump"),
            (String(repeating: "[bluetooth]# scan on\n", count: 400) + "@ MGMT Open: bluetoothd\n", "btmon"),
            ("> ACL Data RX: Handle 64 flags 0x02 dlen 7\n", "btmon"),
            ("< ACL data: handle 11 flags 0x00 dlen 10\n", "hcidump"),
            ("\"No.\",\"Time\",\"Source\",\"Destination\",\"Protocol\",\"Length\",\"Info\"\n", "Wireshark"),
            ("No.     Time           Source                Destination\n      1 0.000000\n", "Wireshark"),
            ("[\n  {\n    \"_source\": {\n      \"layers\": {\n        \"frame\": {\n", "Wireshark"),
        ])
    func `text that a decoder printed is told from what is no capture`(_ text: String, _ program: String) {
        let error = #expect(throws: CaptureFileError.self) {
            _ = try CaptureSet([CaptureSource(octets: Array(text.utf8), name: "x")])
        }
        #expect(error?.cause == .decoderText(program))
    }

    @Test
    func `a record without octets counts and is no end`() {
        let octets = Samples.hex(
            """
            6274736e6f6f7000 00000001 000003ea
            00000000 00000000 00000000 00000000 00e2e7d7274dc000
            00000004 00000004 00000002 00000005 00e2e7d7274dc3e8 01 030c00
            """)
        let (samples, error) = Samples.read(octets)
        #expect(error == nil)
        #expect(samples.map(\.kind) == [.unknown, .command])
        #expect(samples.map(\.octets) == ["", "030c00"])
    }

    @Test(
        arguments: [
            ("6274736e6f6f7000 00000001 000003eb", "BCSP"), ("6274736e6f6f7000 00000001 000003ec", "H5"),
            ("6274736e6f6f7000 00000001 000007d2", "simulator"),
            ("6274736e6f6f7000 00000001 00000400", "1024"),
            ("6274736e6f6f7000 00000001 00000300", "saved or sent as text"),
            ("6274736e6f6f7000 00000001 0000033f", "saved or sent as text"),
            ("6274736e6f6f7000 00000001 000003efbfbd", "saved or sent as text"),
            ("6274736e6f6f7000 00000002 000003ea", "version 2"),
            ("d4c3b2a1 0200 0400 00000000 00000000 00000400 ff000000", "255"),
            ("a1b23c4d 0002 0004 00000000 00000000 00000400 00000093", "147"),
            ("0a0d0d0a 1c000000 4d3c2b1a 02000000 ffffffffffffffff 1c000000", "version 2"),
        ])
    func `what is not read is named`(_ hex: String, _ name: String) {
        let (_, error) = Samples.read(Samples.hex(hex))
        guard case .unsupportedDatalink(let what, holds: _) = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(what.contains(name))
    }

    @Test(arguments: [
        ("6274736e6f6f7000 00000001 000003ea 00000004 00020001 00000000 00000000 0000000000000000", 16),
        ("d4c3b2a1 0200 0400 00000000 00000000 00000400 c9000000 00000000 00000000 01000400 01000400", 24),
        (
            "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000 06000000 20000000 00000000 "
                + "00000000 00000000 00000000 00000000 20000000", 28
        ),
        ("0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1d000000", 0),
    ])
    func `a length that can't be is damage at its place`(_ hex: String, _ offset: Int) {
        let (samples, error) = Samples.read(Samples.hex(hex))
        #expect(samples.isEmpty)
        #expect(error?.fileOffset == offset)
        guard case .damaged = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

/// The same for the captures of strangers; skipped where they are absent.
@Suite(.corpus)
struct CaptureCorpusDamageTests {
    static let small = CaptureCorpusTests.read.filter { $0.size <= 7000 }
    static let all = CaptureCorpusTests.read.filter { $0.size <= 130_000 }

    @Test(arguments: small)
    func `each is read up to where it is cut`(_ file: CorpusTable.File) throws {
        let octets = try CorpusTable.shared.octets(of: file)
        var before = 0
        for end in stride(from: 0, to: octets.count, by: octets.count > 3000 ? 7 : 1) {
            let (records, error) = CaptureDamageTests.readAny(Array(octets[..<end]))
            #expect(records >= before && records <= (file.n ?? 0))
            #expect(error == nil || error?.cause == .truncated || error?.cause == .notACapture)
            before = records
        }
    }

    @Test(arguments: all)
    func `each has a clear end with any octet of its headers changed`(_ file: CorpusTable.File) throws {
        let octets = try CorpusTable.shared.octets(of: file)
        for place in 0..<min(octets.count, 80) {
            // Two of four values at each place, other ones in other files.
            for pick in 0..<2 {
                var damaged = octets
                damaged[place] = [0, 0x80, 0x7F, 0xFF][(place + octets.count) % 2 * 2 + pick]
                let (_, error) = CaptureDamageTests.readAny(damaged)
                #expect((error?.fileOffset ?? 0) <= octets.count)
            }
        }
    }
}
