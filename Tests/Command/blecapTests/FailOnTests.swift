import Foundation
import Testing

/// What a script learns of a log by the exit status and the last line.
@Suite struct FailOnTests {
    static let failed = AnnotateTests.session
    /// A log of which the clock was set, which is no warning.
    static let noted = PackageRoot.url.appendingPathComponent("captures/handle-reuse.btsnoop").path
    static let good = PackageRoot.url.appendingPathComponent("captures/bonded-reconnect.btsnoop").path

    /// A btsnoop file of H4 packets without a record: a log with a warning, and none that failed.
    static let emptyLog = Data("btsnoop\0".utf8 + [0, 0, 0, 1, 0, 0, 3, 0xEA])

    /// The ways to get a verdict, without the file.
    static let ways: [[String]] = [
        ["info"], ["annotate"], ["annotate", "--summary"], ["annotate", "-f", "ndjson"],
        ["annotate", "-f", "pcapng"],
    ]

    @Test(arguments: ways)
    func `--fail-on gives status 1 where the verdict has a failure, or a warning`(way: [String]) throws {
        func status(_ least: String?, _ path: String) throws -> Int32 {
            try CommandRun(way + (least.map { ["--fail-on", $0] } ?? []) + [path]).status
        }
        let folder = try TemporaryFolder()
        try Self.emptyLog.write(to: URL(fileURLWithPath: folder.path("empty")))
        for (path, expected) in [
            (Self.failed, [0, 1, 1]), (folder.path("empty"), [0, 0, 1]), (Self.noted, [0, 0, 0]),
            (Self.good, [0, 0, 0]),
        ] {
            let statuses = try [nil, "failure", "warning"].map { try status($0, path) }
            #expect(statuses == expected.map { Int32($0) }, "\(path)")
        }
        let said = try CommandRun(way + ["--fail-on", "failure", Self.failed]).errors
        #expect(said.contains("--fail-on failure: ") && said.contains(" failure"), "\(said)")
    }

    @Test(arguments: ways)
    func `A file that can't be read is an error with --fail-on too`(way: [String]) throws {
        let folder = try TemporaryFolder()
        try Data("no capture at all".utf8).write(to: URL(fileURLWithPath: folder.path("x.btsnoop")))
        for name in ["x.btsnoop", "none.btsnoop"] {
            let run = try CommandRun(way + ["--fail-on", "failure", folder.path(name)])
            #expect(run.status == 3 && run.errors.contains(name), "\(run.errors)")
        }
    }

    @Test func `The summary of NDJSON lists the files that could not be read`() throws {
        let none = "/nowhere/none.btsnoop"
        for paths in [[none], [none, Self.good]] {
            let run = try CommandRun(["annotate", "-f", "ndjson"] + paths)
            let summary = try #require(run.text.split(separator: "\n").last)
            #expect(run.status == 3)
            #expect(summary.contains(#""unreadable":[{"file":"\#(none)","code":"system","message":""#))
        }
        let good = try CommandRun(["annotate", "-f", "ndjson", Self.good])
        #expect(good.status == 0 && !good.text.contains("\"unreadable\":["))
    }
}
