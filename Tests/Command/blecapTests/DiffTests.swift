import Foundation
import PayloadFormat
import TestSupport
import Testing

@testable import blecap

@Suite struct DiffTests {
    private static let unlock = AnnotateTests.session
    private static let refusals = PackageRoot.url
        .appendingPathComponent("captures/uqdk-refusals.btsnoop").path

    private static let band = PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path

    private static func objects(_ run: CommandRun) throws -> [[String: Any]] {
        try run.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `One session of two recorders is alike, with exit status 0`() throws {
        let other = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.pcap").path
        let keys = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.keys.json").path
        let run = try CommandRun(["diff", "--keys", keys, Self.unlock, other])
        #expect(run.status == 0 && run.text.contains("\nalike\ncompared: 1 of 1 connection of the bad log, "))
        let words = ["diff", "--format", "ndjson", "--keys"]
        let lines = try Self.objects(try CommandRun(words + [keys, Self.unlock, other]))
        #expect(lines.count == 1 && lines[0]["alike"] as? Bool == true)
        // Without the key nobody knows what the secured messages say.
        let unread = try Self.objects(try CommandRun(words + ["none", Self.unlock, other]))
        #expect(unread.count == 1 && unread[0]["alike"] as? Bool == false)
        #expect((unread[0]["not_compared"] as? [String])?.count == 1)
    }

    @Test func `Sessions that differ give exit status 1, and each frame is the one that is named`() throws {
        let run = try CommandRun(["diff", "--format", "ndjson", Self.unlock, Self.refusals])
        #expect(run.status == 1)
        let lines = try Self.objects(run)
        #expect(lines.first?["part"] as? String == "cause")
        #expect(lines.last?["differences"] as? Int == lines.count - 1)
        let answer = try #require(
            lines.first {
                let bad = $0["bad"] as? [String: Any]
                return bad?["text"] as? String == "ACTIVATE is answered with keyRevoked"
            })
        let frame = try #require((answer["bad"] as? [String: Any])?["frame"] as? Int)
        let detail = try CommandRun(["annotate", "--frame", "\(frame)", Self.refusals]).text
        #expect(detail.contains("ACTIVATE") && detail.contains("keyRevoked"))
    }

    @Test func `Of several good logs, a failure and a frame name theirs`() throws {
        let folder = try TemporaryFolder()
        let (good, other) = (
            try log("good.txt", in: folder, ["01"], isAnswered: true),
            try log("other.txt", in: folder, ["01"], isAnswered: true)
        )
        let bad = try log("bad.txt", in: folder, [], isAnswered: true)
        let text = try CommandRun(["diff", good, other, bad]).text
        #expect(text.contains("\n  good (good.txt): connection 1, frame "), "\(text)")
        let lines = try Self.objects(try CommandRun(["diff", "-f", "ndjson", good, other, bad]))
        let side = lines.first?["bad"] as? [String: Any]
        #expect(side?["text"] as? String == "not done; the bad log ends at frame 3, before this")
        // The host's request is refused in the good log alone.
        let refused = try log("refused.txt", in: folder, ["01"], isAnswered: true)
        let dump = try String(contentsOfFile: refused, encoding: .utf8).replacingOccurrences(
            of: "05 00 01 00 04 00 13", with: "09 00 05 00 04 00 01 12 03 00 80")
        try dump.write(toFile: refused, atomically: true, encoding: .utf8)
        let swapped = try CommandRun(["diff", refused, good]).text
        let line = "GOOD failed at frame 5 where BAD did not: are the logs swapped?\n"
        #expect(swapped.hasPrefix(line), "\(swapped)")
    }

    @Test func `The properties of other attributes are named`() throws {
        let lines = try CommandRun(["diff", "--all", "-f", "ndjson", Self.band, Self.unlock]).text
        #expect(lines.contains(", properties read, write without response, write"), "\(lines)")
        #expect(!lines.contains("properties 0x"))
    }

    @Test func `Two devices are said to be different in the first line, a failure in words`() throws {
        let run = try CommandRun(["diff", Self.band, Self.unlock])
        let words = try #require(run.text.split(separator: "\n").first)
        #expect(words.hasPrefix("different devices: good 02:4D:49:00:00:01 \"MI\", bad "), "\(words)")
        #expect(
            run.text.contains(
                "likely cause:\n  failed in the bad log; a good log failed otherwise  [host]\n"),
            "\(run.text)")
        let same = try CommandRun(["diff", Self.unlock, Self.refusals])
        #expect(same.text.hasPrefix("good: "), "\(same.text)")
    }

    @Test func `Logs of Bluetooth Classic are not called alike, in the words that annotate has`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("classic.txt")
        // A BR/EDR connection, and an L2CAP Connection Request for SDP on it.
        let dump = """
            > 04 03 0B 00 40 00 01 02 03 04 05 06 01 00
            < 02 40 20 0C 00 08 00 01 00 02 01 04 00 01 00 40 00
            > 02 40 20 10 00 0C 00 01 00 03 01 08 00 41 00 40 00 00 00 00 00

            """
        try dump.write(toFile: log, atomically: true, encoding: .utf8)
        let run = try CommandRun(["diff", log, log])
        let gap = "what Bluetooth Classic carries above L2CAP"
        #expect(try CommandRun(["annotate", log]).text.contains("; \(gap) is not decoded"))
        #expect(run.text.contains("\nno difference in what could be compared\n"), "\(run.text)")
        #expect(run.text.contains("\nnot compared: \(gap) (not decoded in both logs)\n"))
        let lines = try Self.objects(try CommandRun(["diff", "-f", "ndjson", log, log]))
        #expect(lines.count == 1 && lines[0]["alike"] as? Bool == false)
    }

    /// Writes a log with commands, or answered requests, that write these values from frame 4 on.
    private func log(
        _ name: String, in folder: borrowing TemporaryFolder, _ values: [String], isAnswered: Bool = false
    ) throws -> String {
        let start = """
            > 04 3E 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 F4 01 05
            < 02 40 00 0B 00 07 00 04 00 08 01 00 FF FF 03 28
            > 02 40 20 0D 00 09 00 04 00 09 07 02 00 08 03 00 F2 FF

            """
        let writes = values.map { value in
            let count = value.count / 2 + 3
            let opcode = isAnswered ? "12" : "52"
            let header = String(format: "02 40 00 %02X 00 %02X 00 04 00 ", count + 4, count)
            let octets = stride(from: 0, to: value.count, by: 2).map { value.dropFirst($0).prefix(2) }
            let write = "< \(header)\(opcode) 03 00 \(octets.joined(separator: " "))\n"
            return write + (isAnswered ? "> 02 40 20 05 00 01 00 04 00 13\n" : "")
        }
        try (start + writes.joined()).write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        return folder.path(name)
    }

    @Test func `Bytes that differ are shown on both sides, and make no logs differ`() throws {
        let folder = try TemporaryFolder()
        let (good, bad) = (
            try log("good.txt", in: folder, ["2510"]), try log("bad.txt", in: folder, ["2511"])
        )
        let change = "FFF2 by the host: 2510 (frame 4) \u{2192} 2511 (frame 4)\n"
        let run = try CommandRun(["diff", good, bad])
        #expect(run.status == 0 && run.text.contains("\nother values, good \u{2192} bad:\n"), "\(run.text)")
        #expect(run.text.contains(change) && run.text.contains("\nalike\n"), "\(run.text)")
        #expect(try !CommandRun(["diff", good, good]).text.contains("other values"))
        let line = try CommandRun(["diff", "--format", "ndjson", good, bad]).text
        let schema = try JSONSchema(
            [UInt8](try Data(contentsOf: PackageRoot.url.appendingPathComponent("docs/ndjson.schema.json"))))
        #expect(try schema.violations(try JSONParser.parse([UInt8](line.utf8))).isEmpty)
        #expect(
            line.contains(
                #""good":{"complete":true,"values":[{"value":"2510","frame":4}]},"bad":{"complete":true,"#),
            "\(line)")
    }

    @Test func `A folder of good logs leaves out the bad log and unreadable files`() throws {
        let folder = try TemporaryFolder()
        let bad = try log("bad.txt", in: folder, ["03"], isAnswered: true)
        let nights = folder.path("nights")
        try FileManager.default.createDirectory(atPath: nights, withIntermediateDirectories: true)
        for (name, value) in [("1.txt", "01"), ("2.txt", "02"), ("3.txt", "02")] {
            let log = try log("nights/\(name)", in: folder, [value], isAnswered: true)
            #expect(log.hasPrefix(nights))
        }
        try "notes".write(toFile: nights + "/notes", atomically: true, encoding: .utf8)
        try FileManager.default.copyItem(atPath: bad, toPath: nights + "/same.txt")
        try FileManager.default.removeItem(atPath: bad)
        let run = try CommandRun(["diff", nights, nights + "/same.txt"])
        #expect(run.status == 0, "\(run.text)\(run.errors)")
        let names = run.text.split(separator: "\n").filter { $0.hasPrefix("good: ") }
        #expect(names.map { $0.suffix(5) } == ["1.txt", "2.txt", "3.txt"], "\(run.text)")
        #expect(run.errors.contains("1 file in folders skipped"), "\(run.errors)")
        let swapped = try CommandRun(["diff", nights + "/1.txt", nights])
        #expect(swapped.status == 3, "\(swapped.errors)")
        #expect(swapped.errors.contains("the bad log is a folder"), "\(swapped.errors)")
    }

    @Test func `A device or connection is compared alone, in each log`() throws {
        let words = ["diff", "--format", "ndjson"]
        let all = try Self.objects(try CommandRun(words + [Self.unlock, Self.refusals]))
        #expect((all.last?["compared"] as? [String: Any])?["of_connections"] as? Int == 2)
        let one = try Self.objects(
            try CommandRun(words + ["--connection", "1", Self.unlock, Self.refusals]))
        #expect((one.last?["compared"] as? [String: Any])?["of_connections"] as? Int == 1)
        for line in one.dropLast() {
            #expect((line["bad"] as? [String: Any])?["connection"] as? Int ?? 1 == 1, "\(line)")
        }
        // A good log without the device is no good log of it.
        let run = try CommandRun(["diff", "--peer", "MI", Self.unlock, Self.band, Self.band])
        #expect(run.status == 0 && run.text.hasPrefix("good: \(Self.band)\nbad: "), "\(run.text)")
        #expect(run.errors.contains("1 good log left out: no frame passes --peer MI"), "\(run.errors)")
        let none = try CommandRun(["diff", "--peer", "MI", Self.unlock, Self.band])
        #expect(none.status == 2 && none.errors.contains("nothing to compare"), "\(none.errors)")
    }

    @Test func `The bad log among the good ones is told under another name, too`() throws {
        let folder = try TemporaryFolder()
        let bad = try log("bad.txt", in: folder, ["01"], isAnswered: true)
        let link = folder.path("link.txt")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: bad)
        let run = try CommandRun(["diff", link, bad])
        #expect(run.errors.contains("this log is given as good and as bad"), "\(run.errors)")
    }

    @Test func `The only file of a folder is told once if it can't be read`() throws {
        let folder = try TemporaryFolder()
        let bad = try log("bad.txt", in: folder, ["01"], isAnswered: true)
        let nights = folder.path("nights")
        try FileManager.default.createDirectory(atPath: nights, withIntermediateDirectories: true)
        try Data("btsnoop".utf8).write(to: URL(fileURLWithPath: nights + "/cut.btsnoop"))
        let run = try CommandRun(["diff", nights, bad])
        #expect(run.status == 3 && run.errors.split(separator: "cut.btsnoop").count == 2, "\(run.errors)")
    }

    @Test func `The next command has the options that were given`() throws {
        let run = try CommandRun(["diff", "--connection", "1", Self.band, Self.refusals])
        let next = run.text.split(separator: "\n").last { $0.hasPrefix("next: ") } ?? ""
        #expect(next.contains(" --connection 1 ") && next.contains(" --keys none "), "\(run.text)")
    }

    @Test func `A connection that the bad log does not have is wrong usage`() throws {
        let run = try CommandRun(["diff", "--connection", "2", Self.refusals, Self.band])
        #expect(run.status == 2 && run.text.isEmpty, "\(run.text)")
        #expect(run.errors.contains("there is one connection, number 1"), "\(run.errors)")
    }

    @Test func `Only a failure that ended a session is called a cause`() throws {
        let folder = try TemporaryFolder()
        let good = try log("good.txt", in: folder, ["01"], isAnswered: true)
        let bad = try log("bad.txt", in: folder, [], isAnswered: true)
        let run = try CommandRun(["diff", good, bad])
        #expect(run.status == 1 && run.text.contains("\nfirst difference:\n  not done: "), "\(run.text)")
        #expect(run.text.contains("\nnext: blecap annotate --frame 3 --keys none "), "\(run.text)")
        #expect(run.text.hasSuffix(" \(bad)\n"), "\(run.text)")
        #expect(!run.text.contains("cause"), "\(run.text)")
    }

    @Test func `Each other value has its own frame, and good logs agree on it`() throws {
        let folder = try TemporaryFolder()
        let one = try log("1.txt", in: folder, ["01"], isAnswered: true)
        let two = try log("2.txt", in: folder, ["01", "02"], isAnswered: true)
        let added = try CommandRun(["diff", one, two]).text
        #expect(added.contains("host: no other value \u{2192} 02 (frame 6)\n"), "\(added)")
        let gone = try CommandRun(["diff", two, one]).text
        #expect(gone.contains("host: 02 (frame 6) \u{2192} no other value\n"), "\(gone)")
        for goods in [[two, one], [one, two]] {
            let text = try CommandRun(["diff"] + goods + [one]).text
            #expect(text.contains("\nalike\n") && !text.contains("other values"), "\(text)")
        }
    }

    @Test func `Values beyond those that are kept are no reason to call logs alike, or a value missing`()
        throws
    {
        let folder = try TemporaryFolder()
        let numbers = (0..<20).map { String(format: "%02X", 0xA0 + $0) }
        let (many, one) = (try log("many.txt", in: folder, numbers), try log("one.txt", in: folder, ["A0"]))
        let others = try log("others.txt", in: folder, numbers.map { String($0.reversed()) })
        let long = try ["11", "22"].map { value in
            try log("\(value).txt", in: folder, [String(repeating: value, count: 100)])
        }
        let note = "\nnot compared: values after the first 8, or of more than 64 bytes: write of FFF2 "
        for logs in [[many, one], [one, many], [many, others], long] {
            let text = try CommandRun(["diff"] + logs).text
            #expect(text.contains("\nno difference in what could be compared\n"), "\(text)")
            #expect(text.contains(note) && !text.contains("no other value"), "\(text)")
        }
        #expect(try CommandRun(["diff", many, many]).text.contains("\nalike\n"))
        let text = try CommandRun(["diff", one, many]).text.replacingOccurrences(of: "\n    ", with: " ")
        let change = "host: not compared \u{2192} a1 (frame 5), a2 (frame 6) and at least 5 more\n"
        #expect(text.contains(change), "\(text)")
        let all = try CommandRun(["diff", "--all", one, many]).text
            .replacingOccurrences(of: "\n    ", with: " ")
        #expect(all.contains("at least a1 (frame 5)") && all.contains("a7 (frame 11)\n"), "\(all)")
    }

    @Test func `A connection without a counterpart keeps logs from being called alike`() throws {
        let folder = try TemporaryFolder()
        // A connection that began before the log, whose device is unknown, with a value each way.
        func value(_ handle: String) -> String {
            "> 02 \(handle) 20 08 00 04 00 04 00 1B 03 00 01\n< 02 \(handle) 00 08 00 04 00 04 00 52 05 00 01\n"
        }
        let known =
            "> 04 3E 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 F4 01 05\n"
            + "< 02 40 00 07 00 03 00 04 00 02 17 00\n> 02 40 20 07 00 03 00 04 00 03 17 00\n"
        let (good, bad) = (folder.path("good.txt"), folder.path("bad.txt"))
        try known.write(toFile: good, atomically: true, encoding: .utf8)
        try (known + value("41")).write(toFile: bad, atomically: true, encoding: .utf8)
        let same = try CommandRun(["diff", good, good]).text
        #expect(same.contains("\nalike\ncompared: 1 of 1 connection of the bad log"), "\(same)")
        let run = try CommandRun(["diff", good, bad]).text
        #expect(run.contains("\nno difference in what could be compared\n"), "\(run)")
        #expect(run.contains("\ncompared: 1 of 2 connections of the bad log, "), "\(run)")
    }

    @Test func `A connection that never came about, or of another device, is no counterpart`() throws {
        let folder = try TemporaryFolder()
        let (good, bad) = (
            try log("good.txt", in: folder, ["01"], isAnswered: true), try log("bad.txt", in: folder, [])
        )
        let end = "> 04 05 04 00 40 00 13\n"
        let failed =
            "> 04 3E 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 F4 01 05\n> 04 05 04 00 40 00 3E\n"
        for (log, more) in [(good, end + failed), (bad, end)] {
            let text = try String(contentsOfFile: log, encoding: .utf8)
            try (text + more).write(toFile: log, atomically: true, encoding: .utf8)
        }
        let run = try CommandRun(["diff", "--all", good, bad]).text
        #expect(run.contains("not done"), "\(run)")
        let logs = ["handle-reuse-before", "handle-reuse"].map {
            PackageRoot.url.appendingPathComponent("captures/\($0).btsnoop").path
        }
        let other = try CommandRun(["diff", "--all"] + logs).text
        #expect(!other.contains("MTU 517") && other.contains("compared: 1 of 2 connections"), "\(other)")
    }

    @Test func `Of a good log in several files, the one with the frame is named`() throws {
        let folder = try TemporaryFolder()
        let goods = folder.path("good")
        try FileManager.default.createDirectory(atPath: goods, withIntermediateDirectories: false)
        let parts = ["good/x\u{1B}.log.last", "good/x\u{1B}.log"].map(folder.path)
        for (frames, part) in zip(["1-220", "221-"], parts) {
            let words = ["convert", "-f", "btsnoop", "--frames", frames, Self.unlock, part]
            #expect(try CommandRun(words).status == 0)
        }
        let keys = ["--keys", PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.keys.json").path]
        let run = try CommandRun(["diff"] + keys + [goods, Self.refusals])
        #expect(run.text.contains("good (x\\u001b.log.last): connection 1,"), "\(run)")
        let lines = try CommandRun(["diff", "-f", "ndjson"] + keys + [goods, Self.refusals]).text
        #expect(lines.contains(#"x\u001b.log.last","connection":1,"frame":134"#), "\(lines)")
        let other = try CommandRun(["diff", "-f", "ndjson", Self.refusals, parts[0]]).text
        #expect(!other.contains(#"\\u"#), "\(other)")
    }

    @Test func `Every line is what the schema says`() throws {
        let file = PackageRoot.url.appendingPathComponent("docs/ndjson.schema.json")
        let schema = try JSONSchema([UInt8](try Data(contentsOf: file)))
        var kinds: Set<String> = []
        for (good, bad) in [
            (Self.unlock, Self.refusals), (Self.unlock, Self.unlock), (Self.band, Self.unlock),
        ] {
            for line in try CommandRun(["diff", "--format", "ndjson", good, bad]).text.split(separator: "\n")
            {
                let value = try JSONParser.parse([UInt8](line.utf8))
                #expect(try schema.violations(value).isEmpty, "\(line)")
                if case .string(let what) = value.member("what")?.value { kinds.insert(what) }
            }
        }
        #expect(kinds.isSuperset(of: ["failure", "answer", "database", "missing", "value"]), "\(kinds)")
        let other = #"{"kind":"diff","alike":true,"good_logs":["a"],"bad_log":"b","differences":0,"more":1}"#
        #expect(try !schema.violations(try JSONParser.parse([UInt8](other.utf8))).isEmpty)
    }

    @Test func `Text fits its width, and --all shows what is folded`() throws {
        let run = try CommandRun(["diff", Self.unlock, Self.refusals])
        let all = try CommandRun(["diff", "--all", Self.unlock, Self.refusals])
        #expect(run.status == 1 && run.text.contains("(--all shows them)"))
        #expect(!all.text.contains("--all shows them") && all.text.count > run.text.count)
        let lines = all.text.split { $0 == "\n" }
        // The names of the logs and the command that goes on with them are whole, as long as their paths.
        let prose = lines.dropFirst(2).filter { !$0.hasPrefix("next: ") }
        #expect(prose.count == lines.count - 3 && prose.allSatisfy { $0.count <= 100 }, "\(all.text)")
    }

    @Test func `A page holds hostile names as text, and allows nothing but its own style`() throws {
        let folder = try TemporaryFolder()
        let name = "<script>alert(1)<\u{1B}[31m\"&.btsnoop"
        let log = folder.path(name)
        try FileManager.default.copyItem(atPath: Self.unlock, toPath: log)
        let page = folder.path("page.html")
        let run = try CommandRun(["diff", "--html", page, log, Self.refusals])
        #expect(run.status == 1 && !run.text.contains("\u{1B}"))
        let text = try String(contentsOfFile: page, encoding: .utf8)
        #expect(text.contains("&lt;script&gt;alert(1)&lt;\\u001b[31m&quot;&amp;.btsnoop"))
        #expect(!text.contains("<script") && !text.contains("\u{1B}"))
        #expect(text.contains("content=\"default-src 'none'; style-src 'sha256-"))
        #expect(!text.contains("src=") && !text.contains("href=") && !text.contains("style="))
        #expect(text.contains("<td>connection 1, frame "))
    }

    @Test func `A log that can't be read is an error, and no difference`() throws {
        let text = PackageRoot.url.appendingPathComponent("README.md").path
        let run = try CommandRun(["diff", Self.unlock, text])
        #expect(run.status == 3 && run.text.isEmpty)
        #expect(try CommandRun(["diff", Self.unlock]).status == 2)
        #expect(try CommandRun(["diff", "-", "-"]).status == 2)
    }
}
