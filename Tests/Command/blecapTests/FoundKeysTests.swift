import Foundation
import Testing

/// Keys files that lie beside their logs.
@Suite struct FoundKeysTests {
    /// A log with its keys file beside it, which has these permission bits.
    private static func log(_ bits: Int, _ change: (String) -> String = { $0 }) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let session = URL(fileURLWithPath: AnnotateTests.session)
        let keys = session.deletingLastPathComponent().appendingPathComponent("uqdk-unlock.keys.json")
        try FileManager.default.copyItem(atPath: session.path, toPath: folder.path("x.btsnoop"))
        let text = change(try String(contentsOf: keys, encoding: .utf8))
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("x.keys.json")))
        try FileManager.default.setAttributes(
            [.posixPermissions: bits], ofItemAtPath: folder.path("x.keys.json"))
        return folder
    }

    @Test(arguments: ["annotate", "info", "replay"])
    func `Keys beside a log are found by themselves, and said`(command: String) throws {
        let folder = try Self.log(0o600) { $0.replacing("\"test\": true", with: "\"test\": false") }
        let path = folder.path("x.btsnoop")
        let found = try CommandRun([command, path], findsFiles: true)
        #expect(found.errors.contains("blecap: keys of \(folder.path("x.keys.json")), found beside the log"))
        let given = try CommandRun([command, path, "--keys", folder.path("x.keys.json")])
        #expect(found.text == given.text && found.status == given.status && given.errors.isEmpty)
        let without = try CommandRun([command, path, "--keys", "none"])
        #expect(without.text != found.text && without.errors.isEmpty)
    }

    @Test(arguments: ["annotate", "info", "replay"])
    func `Keys beside a log are not those of the other logs of a batch`(command: String) throws {
        let folder = try Self.log(0o600)
        try FileManager.default.copyItem(
            atPath: folder.path("x.btsnoop"), toPath: folder.path("other.btsnoop"))
        func lines(_ names: [String]) throws -> [Substring] {
            let format =
                command == "info" ? ["-f", "ndjson"] : ["--wide"].filter { _ in command == "annotate" }
            let run = try CommandRun([command] + format + names.map(folder.path), findsFiles: true)
            return run.text.split(separator: "\n")
        }
        let both = try lines(["x.btsnoop", "other.btsnoop"])
        switch command {
        case "info":
            #expect(both == (try lines(["x.btsnoop"])) + (try lines(["other.btsnoop"])))
        case "annotate":
            #expect(both[0].hasSuffix("ENGINE_START is answered with refusedInState  [peer]"), "\(both)")
            #expect(
                both[1].hasSuffix("STATUS_QUERY: bad checksum: 0x8a76, expected 0x8a89  [host]"), "\(both)")
        default:
            #expect(both[0].contains("x.btsnoop      same "), "\(both)")
            #expect(both[1].contains("other.btsnoop  partly same "), "\(both)")
        }
    }

    @Test func `Keys that others may read, and what is no keys file, are named and not used`() throws {
        let open = try Self.log(0o644) { $0.replacing("\"test\": true", with: "\"test\": false") }
        let run = try CommandRun(["annotate", open.path("x.btsnoop")], findsFiles: true)
        #expect(run.status == 0 && run.text.contains("not read: connection 1: "))
        #expect(run.errors.contains("others can read these keys") && run.errors.contains("but not used\n"))
        let wrong = try Self.log(0o600) { _ in "{" }
        let other = try CommandRun(["annotate", wrong.path("x.btsnoop")], findsFiles: true)
        #expect(other.status == 0 && other.errors.contains("x.keys.json: not a keys file: "))
    }

    @Test func `convert --no-keys blanks the keys of a log`() throws {
        let folder = try TemporaryFolder()
        let bonding = PackageRoot.url.appendingPathComponent("captures/bonding.btsnoop").path
        let copy = folder.path("x.btsnoop")
        let run = try CommandRun(["convert", "--no-keys", bonding, copy])
        #expect(run.status == 0 && run.errors.contains(" with keys blanked, "))
        let whole = try Data(contentsOf: URL(fileURLWithPath: bonding))
        let blanked = try Data(contentsOf: URL(fileURLWithPath: copy))
        #expect(whole.count == blanked.count && whole != blanked)
        // Identity Information, code 8, on the fixed channel of SMP: 17 bytes, of which 16 are the key.
        let place = try #require(whole.range(of: Data([0x11, 0x00, 0x06, 0x00, 0x08])))
        #expect(!whole[place.upperBound..<place.upperBound + 16].allSatisfy { $0 == 0 })
        #expect(blanked[place.upperBound..<place.upperBound + 16].allSatisfy { $0 == 0 })
    }
}
