import Foundation
import Testing

/// The signatures of incidents, and the tags of logs: what a fleet of logs is grouped by.
@Suite struct SignatureTests {
    private static func logs(_ arguments: [String]) throws -> [[String: Any]] {
        let run = try CommandRun(["info", "--format", "ndjson"] + arguments)
        return try run.text.split(separator: "\n")
            .map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
            .filter { $0["kind"] as? String == "log" }
    }

    private static func path(_ capture: String) -> String {
        PackageRoot.url.appendingPathComponent("captures/\(capture).btsnoop").path
    }

    private static let key = "5551444B-0001-4449-4749-54414C4B4559"

    /// Other versions of the command must give the same: databases keep them for years.
    @Test(arguments: [
        ("uqdk-unlock", ["uqdk.message.checksum/host/STATUS_QUERY/badMessage/\(key)"]),
        (
            "uqdk-refusals",
            [
                "uqdk.status/peer/ACTIVATE/keyRevoked/\(key)",
                "uqdk.counter.auth-replayed/host/AUTH_FINISH/counterReplayed/\(key)",
                "uqdk.fragment.gap/host/messages/badMessage/\(key)",
                "uqdk.fragment.timeout/host/messages/timedOut/\(key)",
                "uqdk.counter.replayed/host/STATUS_QUERY/-/\(key)",
                "uqdk.session.unsecured-response/host/STATUS_QUERY/badMessage/\(key)",
                "uqdk.status/host/AUTH_FINISH/badProof/\(key)",
                "uqdk.status/peer/AUTH_BEGIN/keyLockedOut/\(key)",
                "uqdk.status/peer/AUTH_BEGIN/keyLockedOut/\(key)",
            ]
        ),
        ("peripheral-clock", ["att-error/peer/values/0x0d/FFF0", "att-error/host/values/0x03/FFF0"]),
        ("mi-band", ["att-error/peer/values/0x80/FEE0"]),
    ])
    func `a signature stays what it is`(capture: String, expected: [String]) throws {
        let log = try #require(try Self.logs([Self.path(capture)]).first)
        let summary = try #require(log["summary"] as? [String: Any])
        let wrong = try #require(summary["wrong"] as? [[String: Any]])
        let signatures = wrong.compactMap { $0["signature"] as? String }
        #expect(Array(signatures.prefix(expected.count)) == expected)
        #expect(log["signature"] as? String == (log["verdict"] as? String == "failed" ? expected.first : nil))
    }

    @Test func `a signature holds no address, frame or handle`() throws {
        // The same session with other addresses, times and handles.
        let first = try Self.logs([Self.path("two-devices"), Self.path("link-device")])
        for log in first {
            for wrong in (log["summary"] as? [String: Any])?["wrong"] as? [[String: Any]] ?? [] {
                let signature = try #require(wrong["signature"] as? String)
                #expect(signature.split(separator: "/").count == 5 && !signature.contains(":"))
            }
        }
    }

    @Test func `tags come from the option and from folders, the option's first`() throws {
        try SimulateTests.inFolder { folder in
            let place = folder.appendingPathComponent("model=van/app=3.2")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for name in ["a", "b"] {
                let source = Self.path(name == "a" ? "mi-band" : "mobike")
                try FileManager.default.copyItem(
                    atPath: source, toPath: place.appendingPathComponent("\(name).btsnoop").path)
            }
            let logs = try Self.logs(["--tag", "night=\u{201C}1\u{201D}", "--tag", "app=4", folder.path])
            #expect(logs.count == 2)
            for log in logs {
                #expect(
                    log["tags"] as? [String: String]
                        == ["app": "4", "model": "van", "night": "\u{201C}1\u{201D}"])
            }
            let bad = try CommandRun(["info", "--format", "ndjson", "--tag", "=x", folder.path])
            #expect(bad.status == 2 && bad.errors.contains("give it as key=value"))
        }
    }
}
