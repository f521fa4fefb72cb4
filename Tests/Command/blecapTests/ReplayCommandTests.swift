import Foundation
import TestSupport
import Testing

@Suite struct ReplayCommandTests {
    static let unlock = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.btsnoop").path
    static let keys = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.keys.json").path
    static let refusals = PackageRoot.url.appendingPathComponent("captures/uqdk-refusals.btsnoop").path
    static let band = PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path

    @Test(.process) func `a session is the same, and so is its transcript whatever the hashes' seed`() throws
    {
        let arguments = ["replay", "--keys", Self.keys, "--repeat", "3", Self.unlock]
        let run = try CommandRun.process(arguments)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.hasPrefix("SAME: "), "\(run.text)")
        let fixed = try CommandRun.process(arguments, environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
        #expect(fixed.text == run.text)
    }

    @Test func `without the key a part is judged, with the reason and status 5`() throws {
        let run = try CommandRun(["replay", Self.unlock])
        #expect(run.status == 5)
        #expect(run.text.contains("missing-key at frame"))
        #expect(
            run.text.contains("\n  now       give --keys FILE with the key of the session "), "\(run.text)")
        // Keys beside the log are left aside again.
        let words = "again     blecap replay --keys none --gatt none "
        #expect(run.text.contains(words + Self.unlock))
        let repeated = try CommandRun(["replay", "--repeat", "2", Self.unlock])
        #expect(repeated.text.contains(words + "--repeat 2 "))
    }

    @Test func `a log that ends before its first connection says with which frame that begins`() throws {
        let run = try CommandRun(["replay", "--until-frame", "100", Self.unlock])
        let words =
            "--until-frame 100 ends before the first connection, which begins with frame 141; give a later"
        #expect(run.status == 5 && run.errors.contains(words), "\(run.errors)")
    }

    @Test func `the strict tier says that it suits only logs of this stack`() throws {
        let run = try CommandRun(["replay", "--tier", "strict", Self.band])
        #expect(run.status == 1 && run.text.contains("it suits only logs of this stack"), "\(run.text)")
    }

    @Test func `a request that failed fails the log where that is asked for and not expected`() throws {
        let folder = try TemporaryFolder()
        let expectation = folder.path("band.expect.json")
        #expect(try CommandRun(["replay", "--bless", expectation, Self.band]).status == 0)
        let arguments = ["replay", "--fail-on", "outcome"]
        let run = try CommandRun(arguments + [Self.band])
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.text.hasPrefix("FAILED OUTCOME: 1 request\n  failed    "), "\(run.text)")
        #expect(run.text.contains("again     blecap replay") && run.text.contains("--fail-on outcome"))
        let batch = try CommandRun(arguments + [Self.band, Self.band])
        #expect(batch.status == 1 && batch.text.hasSuffix("2 logs: 2 failed outcome\n"), "\(batch.text)")
        let expected = try CommandRun(arguments + ["--expect", expectation, Self.band])
        #expect(expected.status == 0 && expected.text.hasPrefix("AS EXPECTED: "), "\(expected.text)")
    }

    @Test func `what passes can be recorded, and is the same session as the log's`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("ours.btsnoop")
        let arguments = ["replay", "--keys", Self.keys, "--record", log, "--repeat", "2", Self.unlock]
        let run = try CommandRun(arguments)
        #expect(run.status == 0 && run.errors.contains("recorded to \(log)"), "\(run.errors)")
        let compared = try CommandRun(["diff", "--keys", Self.keys, Self.unlock, log])
        #expect(compared.status == 0, "\(compared.text)")
        let again = try CommandRun(["replay", "--keys", Self.keys, log])
        #expect(again.text.hasPrefix("SAME: "), "\(again.text)")
        #expect(try CommandRun(["replay", "--record", log, Self.unlock, Self.band]).status == 2)
        #expect(try CommandRun(arguments).status != 0)
    }

    @Test func `repeated runs say what of them was compared`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("transcript")
        let run = try CommandRun(["replay", "--repeat", "3", "--transcript", path, Self.band])
        let octets = try Data(contentsOf: URL(fileURLWithPath: path))
        let lines = octets.count { $0 == 0x0A }
        let told = "3 runs, with the same report and transcript: \(lines) lines, \(octets.count) bytes"
        #expect(run.text.contains("\n  repeated  \(told)\n"), "\(run.text)")
        let batch = try CommandRun(["replay", "--repeat", "2", Self.band, Self.band])
        #expect(batch.text.matches(of: #/(?m)^  repeated  2 runs, /#).count == 2, "\(batch.text)")
        #expect(!(try CommandRun(["replay", Self.band]).text.contains("repeated")))
    }

    @Test func `connections are chosen by their numbers and their devices`() throws {
        let two = PackageRoot.url.appendingPathComponent("captures/two-devices.btsnoop").path
        let all = try CommandRun(["replay", two]).text
        let peers = all.matches(of: #/connection ([12])  ([0-9A-F:]{17})/#)
        try #require(peers.count == 2)
        for (place, found) in peers.enumerated() {
            for words in [["--connection", "\(found.1)"], ["--peer", "\(found.2)"]] {
                let run = try CommandRun(["replay"] + words + [two])
                #expect(run.status == 0, "\(run.text)")
                #expect(run.text.hasPrefix("SAME: ") && run.text.contains(" over 1 connection"))
                #expect(run.text.contains(found.output.0))
                #expect(!run.text.contains(peers[1 - place].output.0), "\(run.text)")
                #expect(run.text.contains("  not read  1 connection, not chosen\n"))
            }
        }
        let none = try CommandRun(["replay", "--connection", "3", two])
        #expect(
            none.status == 5
                && none.errors.contains("no connection passes --connection 3; its connections: 1 with "),
            "\(none.errors)")
        #expect(try CommandRun(["replay", "--connection", "0", two]).status == 2)
        #expect(try CommandRun(["replay", "--peer", "nobody", two]).status == 5)
    }

    @Test func `the command that a sweep prints repeats the run with the options it had`() throws {
        let log = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.btsnoop").path
        // A host that may not wait is stuck in every run.
        let swept = try CommandRun([
            "replay", "--sweep", "--limit", "1", "--connection", "1", "--patience", "1ms", "--keys", "none",
            log,
        ])
        #expect(swept.status == 1)
        #expect(swept.text.hasPrefix("SWEPT: 1 run, 1 with something wrong"), "\(swept.text)")
        let again = try #require(swept.text.split(separator: "\n").first { $0.hasPrefix("  again     ") })
        let words = again.dropFirst(12).split(separator: " ").map(String.init)
        #expect(words.contains("--connection") && words.contains("--patience"), "\(again)")
        let repeated = try CommandRun(Array(words.dropFirst()))
        #expect(repeated.status == 1 && repeated.text.contains("WRONG lost at PDU 0"), "\(repeated.text)")
    }

    @Test func `an expectation is replaced only when asked, and never written without a failure`() throws {
        let folder = try TemporaryFolder()
        let place = folder.path("night.expect.json")
        let bless = ["replay", "--bless", place, "--keys", Self.keys]
        #expect(try CommandRun(bless + [Self.refusals]).status == 1)
        let first = try String(contentsOfFile: place, encoding: .utf8)
        #expect(first.contains("\"frame\" : 240"))
        let again = try CommandRun(bless + [Self.refusals])
        #expect(again.status == 4 && again.text.isEmpty)
        let command =
            "blecap replay --keys \(Self.keys) --gatt none --bless \(place) --force \(Self.refusals)\n"
        #expect(again.errors.hasSuffix("; to replace it: \(command)"), "\(again.errors)")
        #expect(
            try CommandRun(command.split(separator: " ").dropFirst().map { String($0.prefix { $0 != "\n" }) })
                .status == 1)
        // A log in which nothing failed and nothing was asked that has an end.
        let empty = folder.path("empty.expect.json")
        let log = PackageRoot.url.appendingPathComponent("captures/two-devices.btsnoop").path
        let run = try CommandRun(["replay", "--bless", empty, log])
        #expect(run.status == 2 && run.errors.contains("nothing to bless"), "\(run.errors)")
        #expect(run.errors.contains("a log without a failure needs no expectation"))
        #expect(folder.names == ["night.expect.json"])
    }

    @Test func `several logs give a line each and the graver status`() throws {
        let run = try CommandRun(["replay", Self.band, Self.unlock, Self.band])
        #expect(run.status == 5)
        #expect(run.text.split(separator: "\n").count == 4)
        #expect(run.text.hasSuffix("3 logs: 2 same, 1 partly same\n"), "\(run.text)")
        let folder = PackageRoot.url.appendingPathComponent("captures").path
        let all = try CommandRun(["replay", "--keys", "none", folder])
        #expect(all.text.contains("mi-band.btsnoop") && all.errors.contains("no captures"))
        let bad = try CommandRun(["replay", Self.band, "/nonexistent"])
        #expect(bad.status == 3)
        #expect(bad.errors.contains("/nonexistent"))
    }

    @Test func `a transcript is a golden one until something changes, and then CI sees it too`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("golden.txt")
        #expect(try CommandRun(["replay", "--transcript", path, Self.band]).status == 0)
        var lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        #expect(lines.contains { $0.contains("host ATT Write") })
        #expect(lines.contains { $0.contains("didWriteValue") })
        #expect(try CommandRun(["replay", "--golden", path, Self.band]).status == 0)
        let line = lines[4]
        lines[4] = "5 another line"
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let junit = folder.path("junit.xml")
        let run = try CommandRun(["replay", "--golden", path, "--junit", junit, Self.band])
        #expect(run.status == 1)
        let told =
            "is not that of \(path), first in line 5\n  expected  5 another line\n  got       \(line)\nSAME"
        #expect(run.text.hasPrefix("GOLDEN DIFFERS: the transcript \(told)"), "\(run.text)")
        let xml = try XMLText(String(contentsOfFile: junit, encoding: .utf8))
        #expect(xml.text.contains("failures=\"1\""))
        #expect(xml.count("failure") == 1)
        #expect(xml.text.contains(told))
    }

    @Test func `a golden transcript that can't be read is a failure for CI too`() throws {
        let folder = try TemporaryFolder()
        let junit = folder.path("junit.xml")
        let run = try CommandRun(["replay", "--golden", folder.path("none"), "--junit", junit, Self.band])
        #expect(run.status == 3)
        #expect(run.text.hasPrefix("FAILED: \(folder.path("none")): can't open"), "\(run.text)")
        #expect(try XMLText(String(contentsOfFile: junit, encoding: .utf8)).count("failure") == 1)
    }

    @Test func `several logs have their golden transcripts in a folder`() throws {
        let folder = try TemporaryFolder()
        let goldens = folder.path("goldens")
        let unlock = ["--keys", Self.keys]
        let made = try CommandRun(["replay", "--transcript", goldens, Self.band, Self.unlock] + unlock)
        #expect(made.status == 0, "\(made.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: goldens).sorted()
        #expect(names == ["mi-band.btsnoop.transcript", "uqdk-unlock.btsnoop.transcript"])
        let same = try CommandRun(["replay", "--golden", goldens, Self.band, Self.unlock] + unlock)
        #expect(same.status == 0, "\(same.text)")
        // One log finds its own in the folder.
        #expect(try CommandRun(["replay", "--golden", goldens, Self.band]).status == 0)

        let path = goldens + "/mi-band.btsnoop.transcript"
        var lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        let line = lines[4]
        lines[4] = "5 another line"
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let changed = try CommandRun(["replay", "--golden", goldens, Self.band, Self.unlock] + unlock)
        #expect(changed.status == 1)
        let told = "golden differs  the transcript is not that of \(path), first in line 5\n"
        #expect(changed.text.contains(told + "  expected  5 another line\n  got       \(line)\n"))
        #expect(changed.text.hasSuffix("2 logs: 1 golden differs, 1 same\n"), "\(changed.text)")
    }

    @Test func `a log without a golden transcript fails, and the command that makes it works`() throws {
        let folder = try TemporaryFolder()
        let goldens = folder.path("goldens")
        let transcripts = folder.path("transcripts")
        let junit = folder.path("junit.xml")
        let run = try CommandRun([
            "replay", "--golden", goldens, "--transcript", transcripts, "--junit", junit, Self.band,
            Self.unlock, "--keys", Self.keys,
        ])
        #expect(run.status == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: transcripts).count == 2)
        #expect(try XMLText(String(contentsOfFile: junit, encoding: .utf8)).count("failure") == 2)
        let command = "blecap replay --keys \(Self.keys) --gatt none --transcript \(goldens)/ \(Self.band)"
        #expect(run.errors.contains("mi-band.btsnoop.transcript: can't open: "))
        #expect(run.errors.contains("; make it: \(command)\n"), "\(run.errors)")
        #expect(try CommandRun(command.split(separator: " ").dropFirst().map(String.init)).status == 0)
        #expect(try CommandRun(["replay", "--golden", goldens, Self.band]).status == 0)
    }

    @Test(arguments: ["--golden", "--transcript"])
    func `two logs of one file name are named before anything runs`(option: String) throws {
        let folder = try TemporaryFolder()
        let other = folder.path("mi-band.btsnoop")
        try FileManager.default.copyItem(atPath: Self.band, toPath: other)
        let run = try CommandRun(["replay", option, folder.path("t"), Self.band, other])
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.contains("\(Self.band) and \(other) have the same file name"))
        #expect(folder.names == ["mi-band.btsnoop"])
    }

    @Test func `a failing log is an annotation for GitHub at its frame`() throws {
        let folder = try TemporaryFolder()
        let odd = folder.path("50%, a:b.btsnoop")
        try FileManager.default.copyItem(atPath: Self.unlock, toPath: odd)
        let plain = try CommandRun(["replay", Self.band, odd])
        #expect(!plain.text.contains("::error"))
        for run in [
            try CommandRun(["replay", "--github", Self.band, odd]),
            try CommandRun(["replay", Self.band, odd], variables: ["GITHUB_ACTIONS": "true"]),
        ] {
            #expect(run.status == plain.status && run.text.hasPrefix(plain.text))
            let lines = run.text.dropFirst(plain.text.count).split(separator: "\n")
            let file = folder.path("50%25%2C a%3Ab.btsnoop")
            let head = "::error file=\(file),title=blecap replay%3A partly same::frame 215: PARTLY SAME"
            #expect(lines.count == 1 && lines.first?.hasPrefix(head) == true, "\(run.text)")
            #expect(lines.first?.contains("%0A  left out  missing-key at frame") == true)
        }
        let allowed = try CommandRun(["replay", "--github", "--allow", "partial", odd])
        #expect(allowed.status == 0 && !allowed.text.contains("::error"))
    }

    @Test func `verdicts are written for continuous integration`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("junit.xml").path
        _ = try CommandRun(["replay", "--junit", path, Self.band, Self.unlock])
        let xml = try XMLText(String(contentsOfFile: path, encoding: .utf8))
        #expect(xml.count("testcase") == 2)
        #expect(xml.count("skipped") == 1)
        #expect(xml.count("failure") == 0)
        #expect(xml.text.contains("<skipped message=\"partly same\">"))
        // A log's name, its time, and the time of all.
        #expect(xml.text.contains(" classname=\"blecap.replay\" name=\"\(Self.band)\" time=\""))
        #expect(xml.text.matches(of: #/ time="[0-9]+\.[0-9]{3}">/#).count == 3)
    }

    @Test func `the verdicts that count as success can be chosen`() throws {
        let folder = try TemporaryFolder()
        let advertising = folder.path("advertising.btsnoop")
        _ = try CommandRun(["convert", "-f", "monitor", "--frames", "1-100", Self.unlock, advertising])
        func run(_ options: [String]) throws -> (status: Int32, xml: XMLText) {
            let path = folder.path(UUID().uuidString)
            let logs = [Self.band, Self.unlock, advertising]
            let run = try CommandRun(["replay", "--junit", path] + options + logs)
            return (run.status, try XMLText(String(contentsOfFile: path, encoding: .utf8)))
        }
        let strict = try run([])
        #expect(strict.status == 5 && strict.xml.count("skipped") == 2)
        for words in [["--allow", "partial"], ["--allow-partial"]] {
            let partial = try run(words)
            #expect(partial.status == 5 && partial.xml.count("skipped") == 1)
        }
        let both = try run(["--allow", "partial,not-replayable"])
        #expect(both.status == 0 && both.xml.count("skipped") == 1 && both.xml.count("failure") == 0)
        #expect(both.xml.text.contains("<skipped message=\"not replayable\">"))
        #expect(try CommandRun(["replay", "--allow", "not-replayable", Self.unlock]).status == 5)
    }

    @Test(arguments: [
        ["replay"], ["replay", "--policy", "never", "x"], ["replay", "--repeat", "0", "x"],
        ["replay", "--transcript", "/dev/null", "a", "b"], ["replay", "--allow", "diverged", "x"],
        ["replay", "--allow", "partial,", "x"],
    ])
    func `wrong usage is told`(arguments: [String]) throws {
        let run = try CommandRun(arguments)
        #expect(run.status == 2)
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}

/// The elements of a small XML file.
struct XMLText {
    let text: String

    init(_ text: String) throws { self.text = text }

    /// How many elements of a name begin.
    func count(_ name: String) -> Int { text.components(separatedBy: "<\(name) ").count - 1 }
}
