import Foundation
import Testing

/// Folders and several files: each log is judged apart.
@Suite struct SeveralLogsTests {
    static let captures = PackageRoot.url.appendingPathComponent("captures")

    private static func capture(_ name: String) -> String {
        captures.appendingPathComponent(name + ".btsnoop").path
    }

    /// The lines about logs, and those of the summary.
    private static func parts(_ run: CommandRun) -> (logs: [Substring], summary: [Substring]) {
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let end = lines.firstIndex(of: "") ?? lines.endIndex
        return (Array(lines[..<end]), Array(lines[end...].dropFirst()))
    }

    @Test(arguments: [60, 80, 160]) func `a summary of a folder has whole causes at each width`(
        _ columns: Int
    ) throws {
        let words = ["annotate", "--no-pager", Self.captures.path]
        let lines = try CommandRun(words, columns: columns).text.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("failed ") }.count == 6)
        // A slow machine also shows the progress, before the first notice.
        let fits = { (line: Substring) in line.count <= columns || line.contains("blecap: ") }
        #expect(lines.allSatisfy(fits), "\(lines)")
        let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(text.contains("Application Error (0x80) on write to FF02 (0x0013)"), "\(text)")
    }

    @Test func `a summary of a folder has one line for each log where nothing limits the width`() throws {
        func failed(_ words: [String], columns: Int?) throws -> [Substring] {
            try CommandRun(["annotate"] + words + [Self.captures.path], columns: columns).text
                .split(separator: "\n").filter { $0.hasPrefix("failed ") }
        }
        #expect(try failed(["--wide"], columns: nil) == failed(["--no-pager"], columns: 160))
    }

    @Test func `A missing file is told in the system's words, with what a forgotten comma meant`() throws {
        let log = Self.capture("uqdk-unlock")
        let run = try CommandRun(["annotate", "--only", "att", "smp", "uqdk", log])
        #expect(run.status == 3 && !run.text.contains("errno") && !run.text.contains("system"))
        #expect(run.text.contains("unreadable  smp"), "\(run.text)")
        #expect(run.text.contains("\n  2 \u{D7} can't open: No such file or directory\n"), "\(run.text)")
        let line = "blecap: smp: can't open: No such file or directory; several layers: --only att,smp,uqdk\n"
        #expect(run.errors.contains(line), "\(run.errors)")
    }

    @Test func `A number without a file of that name is told as a frame`() throws {
        let errors = try CommandRun(["annotate", "5"]).errors
        #expect(errors == "blecap: 5: can't open: No such file or directory; --frame 5 FILE shows a frame\n")
    }

    @Test func `Nothing of the lines about several logs is cut in a pipe`() throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "long-", count: 10) + "name.btsnoop"
        try FileManager.default.copyItem(atPath: Self.capture("mi-band"), toPath: folder.path(name))
        try FileManager.default.copyItem(atPath: Self.capture("bonding"), toPath: folder.path("other"))
        let run = try CommandRun(["annotate", "--summary", folder.url.path], variables: ["COLUMNS": "60"])
        #expect(run.text.contains(name) && !run.text.contains("\u{2026}"), "\(run.text)")
    }

    @Test func `On a terminal a long name has a line of its own, and stays whole`() throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "long-", count: 10) + "name.btsnoop"
        try FileManager.default.copyItem(atPath: Self.capture("mi-band"), toPath: folder.path(name))
        try FileManager.default.copyItem(atPath: Self.capture("bonding"), toPath: folder.path("other"))
        let lines = try CommandRun(["annotate", "--no-pager", folder.url.path], columns: 80).text
            .split(separator: "\n")
        let place = try #require(lines.firstIndex { $0.hasSuffix("  " + name) })
        #expect(lines[place + 1].hasPrefix("       ") && lines[place + 1].count <= 80, "\(lines)")
    }

    @Test func `The formats are listed once, and a cut header and a missing file are called so`() throws {
        let folder = try TemporaryFolder()
        let names = ["a", "b", "cut", "missing"].map(folder.path)
        for name in names.prefix(2) { try "no log".write(toFile: name, atomically: true, encoding: .utf8) }
        try Data("btsnoop\0\0\0".utf8).write(to: URL(fileURLWithPath: names[2]))
        let run = try CommandRun(["annotate", Self.capture("mi-band")] + names)
        let all = run.text + run.errors
        #expect(all.split(separator: "supported: ", omittingEmptySubsequences: false).count == 2, "\(all)")
        #expect(run.status == 3 && run.text.contains("the file is cut: it ends inside its header"), "\(all)")
        let one = try CommandRun(["info", "--one-log", Self.capture("mi-band"), names[3]]).text
        #expect(one.contains("\nnot read: \(names[3]): can't open: ") && !one.contains("damaged"), "\(one)")
    }

    @Test(arguments: ["annotate", "info"])
    func `Each log has a line with its verdict, and a summary counts the causes`(command: String) throws {
        let folder = try TemporaryFolder()
        try FailOnTests.emptyLog.write(to: URL(fileURLWithPath: folder.path("empty")))
        for name in ["uqdk-unlock", "bonded-reconnect"] {
            try FileManager.default.copyItem(
                atPath: Self.capture(name), toPath: folder.path(name + ".btsnoop"))
        }
        let names = ["uqdk-unlock.btsnoop", "bonded-reconnect.btsnoop", "empty"].map(folder.path)
        let run = try CommandRun([command] + names)
        #expect(run.status == 0)
        let (logs, summary) = Self.parts(run)
        #expect(logs.count == 3, "\(run.text)")
        #expect(logs[0].hasPrefix("failed   uqdk-unlock.btsnoop       blecap car  "))
        #expect(logs[0].hasSuffix("  frame 282: STATUS_QUERY: bad checksum: 0x8a76, expected 0x8a89  [host]"))
        #expect(logs[1].hasPrefix("ok       bonded-reconnect.btsnoop  fob  "))
        #expect(logs[2].hasPrefix("warning  empty "))
        #expect(logs[2].hasSuffix("  the log is empty: nothing was recorded"))
        #expect(summary.first == "3 logs: 1 failed, 1 warning, 1 ok", "\(run.text)")
        #expect(summary.count == 3 && summary[1...].allSatisfy { $0.hasPrefix("  1 \u{D7} ") })
        #expect(try CommandRun([command, "--fail-on", "failure"] + names).status == 1)
        let others = try CommandRun([command, "--fail-on", "failure"] + names[1...])
        #expect(others.status == 0)
    }

    @Test(arguments: ["annotate", "info"])
    func `Folders are walked, and what is no capture there is passed over`(command: String) throws {
        let folder = try TemporaryFolder()
        let deep = folder.url.appendingPathComponent("b/c")
        try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
        let copies = [("bonding", "b/c/z"), ("uqdk-unlock", "b/y"), ("bonded-reconnect", "a")]
        for (name, copy) in copies {
            try FileManager.default.copyItem(atPath: Self.capture(name), toPath: folder.path(copy))
        }
        try Data("Notes.".utf8).write(to: URL(fileURLWithPath: folder.path("notes.md")))
        let run = try CommandRun([command, folder.url.path])
        #expect(run.status == 0 && run.errors.contains("1 file in folders skipped"), "\(run.errors)")
        let names = Self.parts(run).logs.map { $0.split(separator: " ")[1] }
        #expect(names == ["a", "b/c/z", "b/y"], "\(run.text)")
        // What is named is meant to be one.
        let named = try CommandRun([command, folder.url.path, folder.path("notes.md")])
        #expect(named.status == 3 && named.text.contains("\nunreadable  notes.md"), "\(named.text)")
        #expect(named.text.contains(" 1 unreadable\n") && named.text.contains("\u{D7} not-a-capture\n"))
        let empty = try CommandRun([command, folder.url.appendingPathComponent("none").path])
        #expect(empty.status == 3)
    }

    @Test func `Parts of one log are judged as one, by their names or their records`() throws {
        let folder = try TemporaryFolder()
        let start = ["convert", "-f", "btsnoop", "--frames"]
        let session = Self.capture("uqdk-unlock")
        for (frames, name) in [("1-200", "x.log.last"), ("201-", "x.log"), ("1-220", "one"), ("180-", "two")]
        {
            #expect(try CommandRun(start + [frames, session, folder.path(name)]).status == 0)
        }
        let other = Self.capture("mi-band")
        for parts in [["x.log.last", "x.log"], ["two", "one"]] {
            let paths = parts.map(folder.path)
            let (logs, summary) = Self.parts(try CommandRun(["annotate", other] + paths))
            #expect(logs.count == 2 && paths.allSatisfy { logs[1].contains($0.dropFirst()) }, "\(logs)")
            #expect(summary.first?.hasPrefix("2 logs in 3 files: ") == true, "\(summary)")
            let whole = try CommandRun(["annotate"] + paths)
            #expect(whole.text.hasPrefix("file 1: ") && whole.text.contains("\nframe "))
        }
    }

    @Test func `A log in which nothing passes the filter is said to be that`() throws {
        let (logs, summary) = Self.parts(try CommandRun(["annotate", "--peer", "MI", Self.captures.path]))
        let bonding = logs.first { $0.contains("  bonding.btsnoop ") }
        #expect(bonding?.hasSuffix("  nothing passes the filter") == true, "\(logs)")
        #expect(bonding?.hasPrefix("-  ") == true)
        #expect(summary.first?.hasSuffix(" not judged") == true, "\(summary)")
        #expect(logs.contains { $0.hasPrefix("failed  mi-band.btsnoop ") })
    }

    @Test func `--one-timeline merges several logs`() throws {
        let both = [Self.capture("bonding"), Self.capture("uqdk-unlock")]
        let merged = try CommandRun(["annotate", "--one-timeline"] + both)
        #expect(merged.unwrapped.hasPrefix("file 1: ") && merged.text.contains(" 1  frame 2:282  "))
        let framed = try CommandRun(["annotate", "--frames", "2:200-230"] + both)
        #expect(framed.text.contains(" frame 2:221, connection "))
        let lines = try CommandRun(["annotate", "-f", "ndjson", "--one-timeline"] + both)
        #expect(try CommandRun(["annotate", "-f", "ndjson"] + both).output == lines.output)
    }
}
