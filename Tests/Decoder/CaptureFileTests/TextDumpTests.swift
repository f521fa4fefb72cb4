import CaptureFile
import Foundation
import TestSupport
import Testing
import WireBytes

/// HCI packets that programs printed as text.
@Suite struct TextDumpTests {
    /// A session as a dump gives it: with the times that it has.
    static func expected(_ session: [Sample], from form: DumpWriter) -> [Sample] {
        session.map { sample in
            var sample = sample
            let start = session.first?.microseconds ?? 0
            sample.microseconds -= form.hasDates ? 0 : start
            sample.microseconds = form.unit.map { sample.microseconds / $0 * $0 } ?? 0
            return sample
        }
    }

    /// Packets of every kind and many lengths, whose bytes look like letters, digits and hexadecimal text.
    static func session(seed: UInt64, count: Int) -> [Sample] {
        var random = SeededRandom(seed: seed)
        var session: [Sample] = []
        for index in 0..<count {
            let length = Int(random.next() % (index % 5 == 0 ? 256 : 40))
            let palette = Array("0123456789abcdefABCDEF:|<> .".utf8)
            let parameters = (0..<length).map { _ in
                index % 2 == 0
                    ? UInt8(truncatingIfNeeded: random.next())
                    : palette[Int(random.next() % UInt64(palette.count))]
            }
            let isSent = index % 3 == 0
            let head: [UInt8]
            let kind: RecordKind
            switch index % 4 {
            case 0: (kind, head) = (.command, [0x03, 0x0C, UInt8(length)])
            case 1: (kind, head) = (.event, [index % 8 == 1 ? 0x3E : 0xFF, UInt8(length)])
            default: (kind, head) = (.acl, [0x40, isSent ? 0 : 0x20, UInt8(length), 0])
            }
            let direction: Direction =
                kind == .command || kind == .acl && isSent ? .hostToController : .controllerToHost
            let time = Samples.start + Int64(index) * 1_234_567
            session.append(Sample(kind, direction, time, Hex.text(head + parameters)))
        }
        return session
    }

    @Test(arguments: DumpWriter.allCases)
    func `a recorded session is the same from each dump`(_ form: DumpWriter) throws {
        let session = try Samples.recorded()
        let text = Array(form.text(session).utf8)
        let (samples, error) = Samples.read(text)
        #expect(error == nil)
        #expect(samples == Self.expected(session, from: form))
        var reader = try CaptureReader(octets: text, name: "dump")
        while try reader.next() != nil {}
        #expect(reader.info.format == .textDump)
        #expect(reader.info.hasRelativeTime == !form.hasDates)
        #expect(reader.info.hasTimes == (form.unit != nil))
        #expect(reader.tally.totalOctets == text.count && reader.offset == text.count)
    }

    @Test(arguments: DumpWriter.allCases)
    func `packets of any bytes and lengths are read back`(_ form: DumpWriter) {
        for seed in 1...3 as ClosedRange<UInt64> {
            let session = Self.session(seed: seed, count: 60)
            let (samples, error) = Samples.read(Array(form.text(session).utf8))
            #expect(error == nil)
            #expect(samples == Self.expected(session, from: form))
        }
    }

    @Test
    func `a dump of a day or of a half has times that go on`() {
        var session = Samples.session
        for index in session.indices { session[index].microseconds += Int64(index) * 5 * 3_600_000_000 }
        for form in [DumpWriter.btool, .btoolOlder] {
            let samples = Samples.read(Array(form.text(session).utf8)).samples
            #expect(samples == Self.expected(session, from: form))
        }
    }

    @Test(
        arguments: [
            ("Sat, 21 Nov 2026 09:47:16 GMT hci onSocketData: 040e0401030c00\n", 1_795_254_436_000_000),
            ("2000-02-29 00:00:00.5 > 04 0E 04 01 03 0C 00 \n", 951_782_400_500_000),
            ("1999-12-31T23:59:59,123456Z hci onSocketData: 040e0401030c00\n", 946_684_799_123_456),
            ("[793.872751] [00:13:13.872] EVT <= 0E 04 05 03 0C 00\n", 793_872_751),
            ("I (16814) BT: EVT <= 0E 04 05 03 0C 00\n", 16_814_000),
        ] as [(String, Int64)])
    func `times are read in many forms`(_ text: String, _ microseconds: Int64) {
        let samples = Samples.read(Array(text.utf8)).samples
        #expect(samples.map(\.microseconds) == [microseconds])
    }

    @Test
    func `the date of a mail is not the time of the packets in it`() {
        let text = """
            Received: by 10.0.0.1; Sat, 21 Nov 2026 09:47:16 -0800 (PST)
             Sat, 21 Nov 2026 09:47:16 -0800 (PST)
            > 04 0E 04 01 03 0C 00
            """
        #expect(Samples.read(Array(text.utf8)).samples.map(\.microseconds) == [0])
    }

    @Test
    func `lines of a public report of ESP-IDF and of BTstack are read`() {
        let espressif = """
            W (16814) GATTC_DEMO: connect to the remote device.
            c3 C:0a fd 02 0a 00
            c4 C:0c 20 02 00 01
            c5 E:0e 04 05 0c 20 00
            d5 0d 02 01 00 00 58 02 e9 9b bd c3 01 00 bd
            """
        let found = Samples.read(Array(espressif.utf8)).samples
        #expect(found.map(\.kind) == [.command, .command, .event, .event])
        #expect(found.last?.octets.hasPrefix("3e0d0201") == true)
        let btstack = """
            [00:00:01.561] EVT <= 60 01 01
            [00:00:01.562] CMD => 03 0C 00
            I (1563) uart_send_task: uart_send_task start
            [00:00:01.587] EVT <= 0E 04 05 03 0C 00
            """
        #expect(
            Samples.read(Array(btstack.utf8)).samples.map(\.octets) == ["600101", "030c00", "0e0405030c00"])
    }

    @Test
    func `a packet whose end is missing keeps its own length`() {
        let text = """
            > 04 3E 20 01 02 03
            > 04 0E 04 01 03 0C 00
            < 02 40 00 07 00 03 00
            """
        let samples = Samples.read(Array(text.utf8)).samples
        #expect(samples.map(\.octets) == ["3e20010203", "0e0401030c00", "400007000300"])
        #expect(samples.map(\.originalLength) == [34, 6, 11])
    }

    @Test(arguments: [
        "> HCI Event: Command Complete (0x0e) plen 4\n    Reset (0x03|0x0003) ncmd 1\n",
        "HCI sniffer - Bluetooth packet analyzer ver 5.66\n> HCI Event: Command Complete (0x0e) plen 12\n"
            + "    LE Read Supported States (0x08|0x001c) ncmd 1\n    0000: 00 ff ff 3f ff ff 03 00  00\n",
        "Bluetooth monitor ver 5.66\n= Note: Linux\n> HCI Event: Command Complete (0x0e) plen 4  #1 [hci0]\n",
    ])
    func `text without all bytes stays refused`(_ text: String) {
        guard case .decoderText = Samples.read(Array(text.utf8)).error?.cause else {
            Issue.record("\(text)")
            return
        }
    }

    @Test(arguments: [
        "> be ad\n> I quote your mail\n", "--- a/file\n+++ b/file\n< 01 02\n> 03 04\n",
        "20 bytes from here\nde facto\n", "00000000: 01 03 0c 00 04 0e 04 01\n", "Dump(Tx):\n", "EVT <= \n",
        "onSocketData: 04\n", "c3 C:0a fd\n", "!HCI! 00 00 00 01 04\n",
    ])
    func `other text is no capture`(_ text: String) {
        #expect(Samples.read(Array(text.utf8)).error?.cause == .notACapture)
    }

    @Test(arguments: DumpWriter.allCases)
    func `a dump cut anywhere gives the packets before the cut`(_ form: DumpWriter) {
        let whole = Array(form.text(Samples.session).utf8)
        let session = Self.expected(Samples.session, from: form)
        var before = 0
        for end in stride(from: 0, through: whole.count, by: 2) {
            let samples = Samples.read(Array(whole[..<end])).samples
            let same = zip(samples, session).prefix { $0 == $1 }.count
            #expect(same >= before && samples.count <= same + 1, "\(end): \(samples)")
            before = same
        }
        #expect(before >= session.count - 1)
    }

    @Test(arguments: DumpWriter.allCases)
    func `characters changed at random give a clear end`(_ form: DumpWriter) {
        let whole = Array(form.text(Self.session(seed: 5, count: 6)).utf8)
        var random = SeededRandom(seed: UInt64(form.rawValue.utf8.count))
        let telling = Array("0fg <>[]:|\n\u{1B}.,-+".utf8)
        for _ in 0..<20 {
            var octets = whole
            for _ in 0..<(1 + random.next() % 12) {
                let place = Int(random.next() % UInt64(octets.count))
                switch random.next() % 3 {
                case 0: octets[place] = telling[Int(random.next() % UInt64(telling.count))]
                case 1: octets[place] = UInt8(truncatingIfNeeded: random.next())
                default: octets.removeSubrange(place..<min(place + 9, octets.count))
                }
            }
            CaptureFileFuzz.run(octets)
            _ = CaptureDamageTests.readAny(octets)
        }
    }

    @Test
    func `a line without an end does not grow the packet`() {
        let start = "> 04 0E 04 01 03 0C 00 \n> 02 40 20 FF FF "
        let text = Array(start.utf8) + Array(String(repeating: "AB ", count: 400_000).utf8)
        let samples = Samples.read(text).samples
        #expect(samples.first?.octets == "0e0401030c00")
        #expect(samples.allSatisfy { $0.originalLength <= 70_000 })
    }
}

/// hcidump prints what the tests expect of it.
@Suite struct TextDumpJudgeTests {
    static let hcidump = "/usr/bin/hcidump"

    @Test(
        .judge,
        .enabled(if: FileManager.default.isExecutableFile(atPath: hcidump), "hcidump is not installed"),
        arguments: [
            (["-R"], false), (["-R", "-t"], true), (["-R", "-X"], false), (["-R", "-X", "-t"], true),
        ])
    func `a session that hcidump prints is the session`(_ options: [String], _ hasTimes: Bool) throws {
        let session = try Samples.recorded()
        let octets = try PackageFile.octets("captures/uqdk-unlock.btsnoop")
        var reader = try CaptureReader(octets: octets, name: "log")
        var writer = try CaptureWriter(collecting: .btsnoop)
        while let record = try reader.next() { try writer.write(record) }
        try writer.flush()
        let folder = try PackingFolder(["log": writer.collected()])
        let run = try ProgramRun(
            Self.hcidump, options + ["-r", folder.path("log")], environment: ["TZ": "UTC"])
        let (samples, error) = Samples.read(Array(run.output))
        #expect(error == nil)
        #expect(samples.map(\.octets) == session.map(\.octets))
        #expect(samples.map(\.direction) == session.map(\.direction))
        #expect(samples.map(\.microseconds) == session.map { hasTimes ? $0.microseconds : 0 })
    }
}
