import CaptureFile
import CommandLineKit
import Testing

@testable import blecap

@Suite struct RecordOptionsTests {
    private static func options(_ words: [String]) throws -> RecordOptions {
        guard case .run(let parsed) = try CommandTable.blecap.parse(["record"] + words) else {
            throw Failure(.usage, "no run")
        }
        return try RecordOptions(parsed)
    }

    @Test func `Everything that is asked is read`() throws {
        let options = try Self.options([
            "--duration", "1.5m", "--packets=7", "--size", "2M", "--rotate-size", "64K", "--rotate-time",
            "500ms", "--keep", "3", "--sync", "--force", "--no-keys", "--buffer", "4096", "--user", "nobody",
            "--annotate", "--only", "att", "trace.pcapng",
        ])
        #expect(options.path == "trace.pcapng")
        #expect(options.format == .pcapngMonitor)
        #expect(
            options.limits
                == RecordLimits(octets: 2 << 20, nanoseconds: 90_000_000_000, packets: 7))
        #expect(
            options.rotation
                == RecordOptions.Rotation(octets: 64 << 10, nanoseconds: 500_000_000, kept: 3))
        #expect(options.syncs && options.replaces && options.blanksKeys && options.annotates)
        #expect(options.receiveBuffer == 4096)
        #expect(options.user == "nobody")
    }

    @Test(arguments: [
        ([], nil, "monitor"), (["x.btsnoop"], "x.btsnoop", "monitor"), (["x.pcap"], "x.pcap", "pcap-monitor"),
        (["-"], "-", "monitor"), (["-f", "pcapng", "-"], "-", "pcapng-monitor"),
        (["--format=pcap", "x.dat"], "x.dat", "pcap-monitor"), (["x.log"], "x.log", "monitor"),
    ])
    func `The format is what is said, else what the suffix says, else btsnoop`(
        words: [String], path: String?, format: String
    ) throws {
        let options = try Self.options(words)
        #expect(options.path == path)
        #expect(options.format.rawValue == format)
    }

    @Test(arguments: [
        (["x.pklg"], "unknown suffix"), (["x"], "unknown suffix"),
        (["--keep", "2"], "needs rotation"), (["--rotate-size", "100"], "the minimum is"),
        (["--annotate", "-"], "can't take both"), (["--rotate-time", "1s", "-"], "can't be rotated"),
        (["--duration", "0"], "is not a duration"), (["--duration", "soon"], "is not a duration"),
        (["--size", "-1"], "is not a size"), (["--packets", "0"], "not a whole number of 1"),
        (["--buffer", "1T"], "is not a size"),
        (["--only", "att", "x.btsnoop"], "--annotate, which is not given"),
        (["--keys", "k.json", "x.btsnoop"], "--annotate, which is not given"), ([""], "name is empty"),
        (["a.btsnoop", "b.btsnoop"], "no more than"),
    ])
    func `What can't be is refused as wrong usage, and why`(words: [String], part: String) {
        let failure = #expect(throws: Failure.self) { try Self.options(words) }
        #expect(failure?.status == .usage)
        #expect(failure?.line.contains(part) == true, "\(failure?.line ?? "")")
    }

    @Test(arguments: [
        ("500", 500), ("64K", 65_536), ("64k", 65_536), ("64KiB", 65_536), ("1.5M", 1_572_864),
        ("1G", 1 << 30), ("12B", 12), ("0", nil), ("K", nil), ("1.", nil), (".5K", nil), ("-1", nil),
        ("1T", nil), ("99999999999G", nil), ("", nil), ("1 K", nil), ("5ib", nil), ("0.1", nil),
    ])
    func `Sizes are powers of 1024`(text: String, expected: Int?) {
        #expect(Quantity.octets(text) == expected)
    }

    @Test(arguments: [
        ("10", 10_000_000_000), ("10s", 10_000_000_000), ("1.5", 1_500_000_000), ("500ms", 500_000_000),
        ("5m", 300_000_000_000), ("2h", 7_200_000_000_000), ("0", nil), ("ms", nil), ("1d", nil), ("", nil),
        ("9999999999999h", nil), ("1.0000000001", nil), ("0.000000001", 1),
    ])
    func `Durations are seconds unless a unit stands there`(text: String, expected: Int?) {
        #expect(Quantity.nanoseconds(text) == expected.map(Int64.init))
    }

    @Test func `Sizes and durations are shown as a person says them`() {
        #expect(Quantity.text(octets: 0) == "0 B")
        #expect(Quantity.text(octets: 1023) == "1023 B")
        #expect(Quantity.text(octets: 1024) == "1.0 KiB")
        #expect(Quantity.text(octets: 10 << 20) == "10.0 MiB")
        #expect(Quantity.text(nanoseconds: 9_460_000_000) == "9.4 s")
        #expect(Quantity.text(nanoseconds: 723_000_000_000) == "12 min 03 s")
        #expect(Quantity.text(nanoseconds: 7_500_000_000_000) == "2 h 05 min")
        #expect(PumpState.seconds(-3_500_000_000) == "3.500")
        #expect(PumpState.seconds(7_000_000) == "0.007")
    }
}
