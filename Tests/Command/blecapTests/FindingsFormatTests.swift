import Foundation
import Testing

/// The verdict without frames: `--format markdown` and `--format sarif`.
@Suite struct FindingsFormatTests {
    private static func path(_ name: String) -> String {
        PackageRoot.url.appendingPathComponent("captures/\(name)").path
    }

    private static func lines(_ run: CommandRun) -> [Substring] {
        run.text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test func `Markdown shows the failures, their sides and their frames on one screen`() throws {
        let run = try CommandRun(
            ["annotate", "--format", "markdown", Self.path("uqdk-unlock.btsnoop")], findsFiles: true)
        #expect(run.status == 0)
        let lines = Self.lines(run)
        #expect(lines.count <= 40, "\(run.text)")
        let title = "### \u{2717} \u{201C}blecap car\u{201D}: ENGINE\\_START is answered with refusedInState"
        #expect(lines.first.map(String.init) == title, "\(run.text)")
        // A blank line between two failures, and the cause in a line of its own.
        let first = "frame 281: ENGINE\\_START is answered with refusedInState  \\[peer\\]\n"
        #expect(run.text.contains("\n\n- **\u{2717} 1** \(first)  - The car does not "), "\(run.text)")
        let then = "\n  - then frame 285: STATUS\\_QUERY is answered with badMessage\n\n"
        #expect(run.text.contains(then), "\(run.text)")
        #expect(run.text.contains("\n\n- **!** frame 218: "), "\(run.text)")
        // The frames as `annotate` prints them.
        #expect(lines.contains("```text") && lines.contains { $0.hasPrefix("    282 ") }, "\(run.text)")
    }

    @Test(arguments: ["markdown", "sarif"])
    func `keys are in neither format`(format: String) throws {
        let keys = try String(contentsOfFile: Self.path("uqdk-unlock.keys.json"), encoding: .utf8)
        let run = try CommandRun(
            ["annotate", "--format", format, Self.path("uqdk-unlock.btsnoop")], findsFiles: true)
        let secrets = keys.matches(of: /[0-9a-f]{32}/).map { String($0.output) }
        #expect(!secrets.isEmpty)
        for secret in secrets { #expect(!run.text.contains(secret)) }
    }

    @Test func `several logs have a row each, what failed first`() throws {
        let names = ["bonded-reconnect.btsnoop", "uqdk-unlock.btsnoop", "mi-band.btsnoop"]
        let run = try CommandRun(
            ["annotate", "--format", "markdown", "--fail-on", "failure"] + names.map(Self.path))
        #expect(run.status == 1)
        let lines = Self.lines(run)
        #expect(lines.first == "### 3 logs: 2 failed, 1 ok")
        let rows = lines.filter { $0.hasPrefix("| \u{2717} |") || $0.hasPrefix("| \u{2713} |") }
        #expect(rows.count == 3 && rows[2].contains("bonded-reconnect"), "\(run.text)")
        #expect(lines.contains("- 1 \u{D7} att-error"), "\(run.text)")
    }

    @Test func `input from a pipe has no second reading, and is judged all the same`() throws {
        let log = try Data(contentsOf: URL(fileURLWithPath: Self.path("mi-band.btsnoop")))
        let run = try CommandRun(["annotate", "--format", "markdown", "-"], input: log)
        #expect(run.status == 0 && run.text.contains("- **\u{2717} 1** frame 207: "), "\(run.text)")
    }

    @Test func `a file that can't be read is a finding of both formats`() throws {
        let folder = try TemporaryFolder()
        try Data("no capture".utf8).write(to: URL(fileURLWithPath: folder.path("a b.log")))
        let markdown = try CommandRun(["annotate", "--format", "markdown", folder.path("a b.log")])
        #expect(markdown.status == 3 && markdown.text.hasPrefix("### ! "), "\(markdown.text)")
        let sarif = try CommandRun(["annotate", "--format", "sarif", folder.path("a b.log")])
        let run = try SARIF(sarif.output)
        #expect(sarif.status == 3 && run.results.isEmpty)
        let invocation = try #require((run.run["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == false)
        #expect(sarif.text.contains("\"uri\":\"file:///") && sarif.text.contains("/a%20b.log\""))
    }

    @Test func `SARIF has the shape of version 2.1.0, and signatures as fingerprints`() throws {
        let log = try SARIF(
            CommandRun(
                [
                    "annotate", "--format", "sarif", Self.path("uqdk-unlock.btsnoop"),
                    Self.path("mi-band.btsnoop"),
                ],
                findsFiles: true
            ).output)
        #expect(log.problems.isEmpty, "\(log.problems)")
        let first = try #require(log.results.first)
        #expect(first["ruleId"] as? String == "uqdk.status" && first["level"] as? String == "error")
        let prints = log.results.compactMap {
            ($0["fingerprints"] as? [String: String])?["blecapSignature/v1"]
        }
        #expect(prints.count == log.results.count)
        #expect(prints.contains { $0.hasPrefix("uqdk.message.checksum/host/STATUS_QUERY/badMessage/") })
        #expect(prints.contains("att-error/peer/values/0x80/FEE0"))
        let lines = log.results.map { log.line(of: $0) }
        #expect(lines.contains(281) && lines.contains(282))
    }
}

/// A SARIF log as the tests read it. The rules are those of SARIF 2.1.0 (OASIS, 27 March 2020), sections 3.13
/// to 3.52, for the members that occur here.
struct SARIF {
    let log: [String: Any]
    let run: [String: Any]
    let results: [[String: Any]]

    init(_ data: Data) throws {
        log = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        run = try #require((log["runs"] as? [[String: Any]])?.first)
        results = try #require(run["results"] as? [[String: Any]])
    }

    func line(of result: [String: Any]) -> Int? {
        let location = (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
        return (location?["region"] as? [String: Any])?["startLine"] as? Int
    }

    private var rules: [[String: Any]] {
        let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
        return driver?["name"] as? String == "blecap" ? driver?["rules"] as? [[String: Any]] ?? [] : []
    }

    /// The rules that the log breaks.
    var problems: [String] {
        var problems = Self.unknown(log, ["$schema", "version", "runs"])
        if log["version"] as? String != "2.1.0" { problems.append("version") }
        problems += Self.unknown(run, ["tool", "invocations", "results"])
        let ids = rules.compactMap { $0["id"] as? String }
        if ids.isEmpty || Set(ids).count != ids.count { problems.append("rules \(ids)") }
        if !rules.allSatisfy({ ($0["shortDescription"] as? [String: Any])?["text"] is String }) {
            problems.append("a rule without text")
        }
        return problems + results.flatMap { faults(of: $0, ids) }
    }

    private func faults(of result: [String: Any], _ ids: [String]) -> [String] {
        var problems = Self.unknown(
            result,
            [
                "ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "occurrenceCount",
                "fingerprints", "partialFingerprints",
            ])
        let rule = (result["ruleIndex"] as? Int).flatMap { ids.indices.contains($0) ? ids[$0] : nil }
        if rule == nil || rule != result["ruleId"] as? String { problems.append("rule of \(result)") }
        if !["error", "warning", "note"].contains(result["level"] as? String) { problems.append("level") }
        if (result["message"] as? [String: Any])?["text"] as? String == nil { problems.append("message") }
        if (result["occurrenceCount"] as? Int ?? 0) < 1 { problems.append("occurrenceCount") }
        let places = ["locations", "relatedLocations"].flatMap { result[$0] as? [[String: Any]] ?? [] }
        for place in places {
            let physical = place["physicalLocation"] as? [String: Any]
            let uri = (physical?["artifactLocation"] as? [String: Any])?["uri"] as? String
            if uri.flatMap({ URL(string: $0) }) == nil { problems.append("uri \(uri ?? "-")") }
            let line = (physical?["region"] as? [String: Any])?["startLine"] as? Int
            if line.map({ $0 < 1 }) ?? false { problems.append("startLine") }
        }
        return problems + (places.isEmpty ? ["no location"] : [])
    }

    private static func unknown(_ object: [String: Any], _ known: Set<String>) -> [String] {
        Set(object.keys).subtracting(known).map { "unknown member \($0)" }
    }
}
