import Foundation
import Testing

/// Keys of the keys file for the encrypted fields of profiles.
@Suite struct ProfileKeysTests {
    private let folder: TemporaryFolder
    private let log: String

    /// BTHome's published example.
    private static let key = "231d39c1d7cc1ab1aee224cd096db932"

    init() throws {
        folder = try TemporaryFolder()
        log = folder.path("sensor.btsnoop")
        // An LE advertising report of 54:48:E6:8F:80:A5 with service data of FCD2.
        let service = Self.octets("16d2fc" + "41a47266c95f730011223378237214")
        let data = [UInt8(service.count)] + service
        let report = Self.octets("020100" + "00" + "a5808fe64854") + [UInt8(data.count)] + data + [0xC0]
        let packet = [0x04, 0x3E, UInt8(report.count)] + report
        var file = Array("btsnoop\0".utf8) + Self.octets("00000001000003ea")
        let length = Self.octets("000000") + [UInt8(packet.count)]
        file += length + length + Self.octets("0000000300000000") + Self.octets("00dd5b8b1f2f8000") + packet
        try Data(file).write(to: URL(fileURLWithPath: log))
    }

    private static func octets(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func keys(_ members: String) throws -> String {
        let path = folder.path("keys.json")
        try Data("{\"test\": true, \"profiles\": [{\(members)}]}".utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `A sensor's values show with its key, and the key shows nowhere`() throws {
        let path = try keys(
            "\"profile\": \"bthome\", \"address\": \"54:48:E6:8F:80:A5\", \"key\": \"\(Self.key)\"")
        let saved = folder.path("saved.json")
        for options in [
            ["--all"], ["--format", "ndjson"], ["--format", "pcapng"], ["--all", "--save-keys", saved],
        ] {
            let run = try CommandRun(["annotate", "--keys", path] + options + [log])
            #expect(run.status == 0)
            if options != ["--format", "pcapng"] { #expect(run.text.contains("25.06")) }
            let all = (run.text + run.errors).lowercased()
            #expect(!all.contains(Self.key) && !all.contains("231d39"))
            #expect(!run.output.contains(sequence: Self.octets(Self.key)))
        }
        if let text = try? String(contentsOfFile: saved, encoding: .utf8) {
            #expect(!text.contains(Self.key))
        }
        let info = try CommandRun(["info", "--keys", path, log])
        #expect(info.status == 0 && !info.text.contains(Self.key))
    }

    @Test func `Without its key, or with another's, the value says what to give`() throws {
        let other = try keys(
            "\"profile\": \"bthome\", \"address\": \"54:48:E6:8F:80:A6\", \"key\": \"\(Self.key)\"")
        for path in ["none", other] {
            let run = try CommandRun(["annotate", "--all", "--keys", path, log])
            #expect(run.status == 0 && run.unwrapped.contains("no key for this device: --keys"))
            #expect(!run.text.contains("25.06"))
        }
        let wrong = try keys("\"profile\": \"bthome\", \"key\": \"00000000000000000000000000000001\"")
        let run = try CommandRun(["annotate", "--all", "--keys", wrong, log])
        #expect(run.unwrapped.contains("the tag does not fit") && !run.text.contains("25.06"))
    }

    @Test func `A mistake in such an entry is named by its place, and never quoted`() throws {
        for members in [
            "\"profile\": \"bthome\", \"key\": \"c0ffee0\"", "\"profile\": \"bthome\"", "\"key\": \"c0ffee\"",
            "\"profile\": \"bthome\", \"key\": \"c0ffee\", \"address\": \"c0ffee\"",
        ] {
            let run = try CommandRun(["annotate", "--keys", try keys(members), log])
            #expect(run.status != 0 && run.errors.contains("line 1: $.profiles[0]"))
            #expect(!run.errors.contains("c0ffee"))
        }
    }
}

extension Data {
    fileprivate func contains(sequence octets: [UInt8]) -> Bool { range(of: Data(octets)) != nil }
}
