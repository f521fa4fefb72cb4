import Foundation
import Testing

/// `--gatt`: attributes known from another capture or from BlueZ's cache.
@Suite struct GATTOptionTests {
    static func capture(_ name: String) -> String {
        PackageRoot.url.appendingPathComponent("captures/\(name)").path
    }

    /// The line of the notification in the bonded reconnection, in which nothing is discovered.
    static func notification(_ options: [String]) throws -> String {
        let words = ["annotate", "--all", "--labels", "--only", "att"] + options
        let run = try CommandRun(words + [capture("bonded-reconnect.btsnoop")])
        #expect(run.status == 0, "\(run.errors)")
        let line = run.text.split(separator: "\n").first { $0.contains("Handle Value Notification") }
        return try String(#require(line))
    }

    @Test func `Without it a bonded reconnection has no labels`() throws {
        #expect(try !Self.notification([]).contains("FF51"))
    }

    @Test func `A capture in which the device was bonded names its attributes, by the identity`() throws {
        // The keys are those of the recording itself: the other one holds them too.
        let line = try Self.notification([
            "--keys", Self.capture("bonded-reconnect.keys.json"), "--gatt", Self.capture("bonding.btsnoop"),
        ])
        #expect(line.contains("0x0010 FF51 in FF50 [file]"))
        let alone = try Self.notification(["--gatt", Self.capture("bonding.btsnoop")])
        #expect(alone.contains("0x0010 FF51 in FF50 [file]"))
    }

    @Test func `BlueZ's copy names them where the device shows its hash`() throws {
        let line = try Self.notification(["--gatt", Self.capture("bonded-reconnect.gatt")])
        #expect(line.contains("0x0010 FF51 in FF50 [database-hash"))
    }

    @Test(arguments: ["annotate", "info", "replay"])
    func `LOG.gatt beside the log is found, named and can be left aside`(command: String) throws {
        let log = Self.capture("bonded-reconnect.btsnoop")
        let found = try CommandRun([command, log], findsFiles: true)
        let file = Self.capture("bonded-reconnect.gatt")
        let line = "attributes of \(file), found beside the log (--gatt none ignores them)\n"
        #expect(found.errors.contains(line))
        let given = try CommandRun([command, "--gatt", file, log], findsFiles: true)
        #expect(found.text == given.text && found.status == given.status)
        #expect(!given.errors.contains("attributes of"))
        let without = try CommandRun([command, "--gatt", "none", log], findsFiles: true)
        #expect(!without.errors.contains("attributes of"))
        if command == "annotate" { #expect(found.text.contains("FF51") && !without.text.contains("FF51")) }
    }

    @Test func `A file beside the log that is not about attributes is named and not used`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: Self.capture("mi-band.btsnoop"), toPath: folder.path("x.btsnoop"))
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path("x.gatt")))
        let run = try CommandRun(["annotate", folder.path("x.btsnoop")], findsFiles: true)
        #expect(run.status == 0)
        #expect(run.errors.contains("x.gatt: neither a capture nor a cache file of BlueZ; found beside "))
    }

    @Test func `What is neither is refused in one line`() throws {
        let run = try CommandRun([
            "annotate", "--gatt", Self.capture("README.md"), Self.capture("bonded-reconnect.btsnoop"),
        ])
        #expect(run.status == 3)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("README.md: neither a capture nor a cache file of BlueZ"))
    }
}
