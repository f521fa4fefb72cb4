import CaptureFile
import Foundation
import Testing
import WireBytes

/// Keys in the packets of annotated pcapng.
@Suite struct KeptKeysTests {
    private static let key = [UInt8](repeating: 0xAA, count: 16)
    private static let peer: [UInt8] = [1, 2, 3, 4, 5, 6]

    /// Packets of HCI with a key each.
    private static let packets: [(String, RecordKind, Direction, [UInt8])] = [
        ("Link Key Request Reply", .command, .hostToController, [0x0B, 0x04, 22] + peer + key),
        (
            "LE Enable Encryption", .command, .hostToController,
            [0x19, 0x20, 28, 0x40, 0] + Array(1...10) + key
        ),
        ("LE Long Term Key Request Reply", .command, .hostToController, [0x1A, 0x20, 18, 0x40, 0] + key),
        (
            "LE Add Device To Resolving List", .command, .hostToController,
            [0x27, 0x20, 39, 0] + peer + key + key
        ),
        ("LE Create BIG", .command, .hostToController, [0x68, 0x20, 31] + Array(1...14) + [1] + key),
        ("Link Key Notification", .event, .controllerToHost, [0x18, 23] + peer + key + [4]),
        ("Return Link Keys", .event, .controllerToHost, [0x15, 23, 1] + peer + key),
        ("Encryption Information", .acl, .hostToController, [0x40, 0, 21, 0, 17, 0, 6, 0, 6] + key),
        ("Identity Information", .acl, .controllerToHost, [0x40, 0x20, 21, 0, 17, 0, 6, 0, 8] + key),
        ("Signing Information", .acl, .controllerToHost, [0x40, 0x20, 21, 0, 17, 0, 6, 0, 10] + key),
        ("the beginning of one", .acl, .hostToController, [0x40, 0, 10, 0, 17, 0, 6, 0, 6] + key.prefix(5)),
        ("its end", .acl, .hostToController, [0x40, 0x10, 11, 0] + key.suffix(11)),
    ]

    private static func log(of packets: [(String, RecordKind, Direction, [UInt8])]) throws -> Data {
        var writer = try CaptureWriter(collecting: .btsnoop)
        for (index, (_, kind, direction, octets)) in packets.enumerated() {
            let header = RecordHeader(
                number: index + 1, fileOffset: 0, time: CaptureTime(nanoseconds: Int64(index) * 1_000_000),
                adapter: 0, kind: kind, direction: direction, originalLength: octets.count,
                capturedLength: octets.count)
            try writer.write(Record(header, octets.borrowedOctets))
        }
        try writer.flush()
        return Data(writer.collected())
    }

    /// The bytes of all packets of a capture.
    private static func octets(_ data: Data) throws -> [[UInt8]] {
        var reader = try CaptureReader(octets: Array(data), name: "annotated")
        var all: [[UInt8]] = []
        while let record = try reader.next() { all.append(record.octets.copied()) }
        return all
    }

    private static func annotate(_ log: Data, _ more: [String] = []) throws -> (Data, CommandRun) {
        let run = try CommandRun(["annotate", "--format", "pcapng"] + more + ["-"], input: log)
        return (run.output, run)
    }

    @Test func `keys become zeros in annotated pcapng, and nothing else changes`() throws {
        let (written, run) = try Self.annotate(try Self.log(of: Self.packets))
        #expect(!written.contains(0xAA))
        let expected = Self.packets.map { $0.3.map { $0 == 0xAA ? 0 : $0 } }
        #expect(try Self.octets(written) == expected)
        #expect(run.errors.contains("12 records with keys blanked; --keep-keys keeps them"), "\(run.errors)")
    }

    @Test func `a filter leaves no key either`() throws {
        let (written, _) = try Self.annotate(try Self.log(of: Self.packets), ["--only", "smp"])
        #expect(!written.contains(0xAA) && written.count > 0)
        let (last, _) = try Self.annotate(try Self.log(of: Self.packets), ["--frames", "12"])
        #expect(!last.contains(0xAA))
    }

    @Test func `--keep-keys keeps packets whole`() throws {
        let (written, run) = try Self.annotate(try Self.log(of: Self.packets), ["--keep-keys"])
        #expect(try Self.octets(written) == Self.packets.map(\.3))
        #expect(!run.errors.contains("blanked"))
        // The other formats have no packets to keep them in.
        for more in [["annotate", "--keep-keys"], ["annotate", "--format", "ndjson", "--keep-keys"]] {
            let refused = try CommandRun(more + [AnnotateTests.session])
            #expect(refused.status == 2 && refused.errors.contains("--keep-keys is for --format pcapng"))
        }
    }

    @Test func `the long term key of a bond is in no output that explains a log`() throws {
        let folder = PackageRoot.url.appendingPathComponent("captures")
        let keys = try String(
            contentsOf: folder.appendingPathComponent("bonded-reconnect.keys.json"), encoding: .utf8)
        let hex = try #require(keys.firstMatch(of: #/"ltk": "([0-9a-f]{32})"/#)?.output.1)
        let key = try Hex.octets(hex)
        let log = folder.appendingPathComponent("bonded-reconnect.btsnoop").path
        let forms = [Data(key), Data(key.reversed()), Data(hex.utf8), Data(Hex.text(key.reversed()).utf8)]
        let input = try Data(contentsOf: URL(fileURLWithPath: log))
        #expect(forms.contains { input.range(of: $0) != nil })
        for words in [
            ["annotate", "--all"], ["annotate", "--format", "ndjson"], ["annotate", "--format", "pcapng"],
            ["annotate", "--frame", "1"], ["info"], ["report"], ["replay"], ["diff", log],
        ] {
            for more in [[], ["--keys", folder.appendingPathComponent("bonded-reconnect.keys.json").path]] {
                let run = try CommandRun(words + more + [log])
                let all = run.output + Data(run.errors.utf8)
                #expect(forms.allSatisfy { all.range(of: $0) == nil }, "\(words)")
            }
        }
    }
}
