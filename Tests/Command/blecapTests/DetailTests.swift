import Foundation
import TestSupport
import Testing

/// `annotate --frame N` and `annotate --failure N`.
@Suite struct DetailTests {
    private static let keys = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.keys.json").path

    private static func annotate(_ words: [String]) throws -> CommandRun {
        try CommandRun(["annotate", "--keys", keys] + words + [AnnotateTests.session])
    }

    @Test func `--frame shows one frame by its layers, with what its attribute is`() throws {
        let run = try Self.annotate(["--frame", "257"])
        #expect(run.status == 0 && run.errors.isEmpty)
        for line in [
            "frame 257, 19 bytes", "ACL data, 19 bytes", "ATT Write Request, 11 bytes",
            "  +9    1000                              Attribute Handle = 0x0010",
            "  0x0010 is UQDK Command [discovered 177]", "    doors=255(all)",
        ] {
            #expect(run.text.contains(line + "\n"), "\(line) is not in \(run.text)")
        }
        #expect(run.text.contains("UQDK  DOOR_UNLOCK request, id 6, 2 fragments, tag verified"))
    }

    @Test func `A vendor's data on no connection is not shown as a part of a PDU`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vendor.txt")
        try "< 02 40 00 07 00 03 00 04 00 02 17 00\n> 02 DC 2E 05 00 01 00 04 00 0A\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        let text = try CommandRun(["annotate", "--frame", "2", path]).text
        #expect(text.contains("vendor data of no connection, 5 bytes") && !text.contains("L2CAP"), "\(text)")
    }

    @Test func `--frame shows the fields of a message in one piece with their bytes`() throws {
        let answer = try Self.annotate(["--frame", "243"]).text
        #expect(answer.contains("+11   048055510102010200000300012c6af8  Attribute Value = 16 bytes\n"))
        #expect(answer.contains("+23   012c                                lifetime = 300 s\n"), "\(answer)")
        #expect(answer.components(separatedBy: "lifetime").count == 2)
        let info = try Self.annotate(["--frame", "207"]).text
        let vehicle = "+12   4341523030303031                    vehicleId = 4341523030303031  |CAR00001|\n"
        #expect(info.contains(vehicle), "\(info)")
        // Of several frames, or not in clear: the fields stand below the message's name.
        let secured = try Self.annotate(["--frame", "257"]).text
        #expect(secured.contains("    doors=255(all)\n") && !secured.contains("+19   ff "))
    }

    @Test func `--failure shows the frames that explain it, from the request to the end`() throws {
        let run = try Self.annotate(["--failure", "2"])
        #expect(run.status == 0 && run.errors.isEmpty)
        let lines = run.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("\u{2717} 2  frame 282  STATUS_QUERY: bad checksum") })
        let frames = lines.compactMap { Int($0.prefix(7).drop { $0 == " " }) }
        #expect(frames.starts(with: [274, 276, 277]) && frames.last == 300, "\(frames)")
        #expect(frames.contains(282) && frames.contains(285) && frames == frames.sorted())
        // A pause alone is no mark of frames that were left out.
        let marks = lines.filter { $0.hasPrefix("      ") && !$0.hasPrefix("       ") }
        #expect(marks.contains { $0.hasPrefix("      \u{2026} ") })
        #expect(marks.allSatisfy { $0.hasSuffix(" later") || $0.contains(" more frame") }, "\(marks)")
    }

    @Test func `--failure counts folded frames that it leaves out, and tells a pause once`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("lost.txt")
        // A connection, Read RSSI, which is folded, a write 9 s later and the loss.
        let dump = """
            2026-11-21 10:00:00.000000 > 04 3E 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 F4 01 05
            2026-11-21 10:00:01.000000 < 02 40 00 08 00 04 00 04 00 52 03 00 01
            2026-11-21 10:00:01.100000 < 01 05 14 02 40 00
            2026-11-21 10:00:10.200000 < 02 40 00 08 00 04 00 04 00 52 03 00 02
            2026-11-21 10:00:10.300000 > 04 05 04 00 40 00 08

            """
        try dump.write(toFile: log, atomically: true, encoding: .utf8)
        let text = try CommandRun(["annotate", "--failure", "1", log]).text
        #expect(text.contains("\n      \u{2026} 1 more frame, 9.2 s later\n      4 "), "\(text)")
        #expect(text.components(separatedBy: " later\n").count == 3, "\(text)")
    }

    @Test(
        arguments: [40, 60],
        [["--frame", "229"], ["--failure", "1"], ["--summary"], ["--frames", "190-230"]])
    func `Lines fit a narrow terminal, colored ones too`(_ columns: Int, _ words: [String]) throws {
        let refusals = PackageRoot.url.path + "/captures/uqdk-refusals.btsnoop"
        let run = try CommandRun(["annotate", "--no-pager"] + words + [refusals], columns: columns)
        let lines = run.text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").split(separator: "\n")
        // Paths stay whole.
        let long = lines.filter { $0.count > columns && !$0.contains("/captures/") }
        #expect(run.status == 0 && long.isEmpty, "\(long)")
    }

    @Test func `--failure tells an end that came long after in one line`() throws {
        let refusals = PackageRoot.url.path + "/captures/uqdk-refusals.btsnoop"
        let text = try CommandRun(["annotate", "--failure", "1", refusals]).text
        let last = try #require(text.split(separator: "\n").last)
        let end = #/^      … \d+ more frames; the connection ends with frame 387, 10.9 s later \(/#
        #expect(last.contains(end), "\(text)")
        #expect(!text.contains("AUTH_BEGIN"), "\(text)")
    }

    @Test func `--failure has the facts of each loss`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("losses.txt")
        func loss(_ timeout: String) -> String {
            """
            > 04 3E 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 \(timeout) 05
            > 04 05 04 00 40 00 08

            """
        }
        try (loss("F4 01") + loss("2A 00")).write(toFile: log, atomically: true, encoding: .utf8)
        let text = try CommandRun(["annotate", "--failure", "1", log]).text
        #expect(text.contains("\u{2717} 1  frame 2  connection lost: Connection Timeout (0x08) (2 times, on"))
        #expect(
            text.contains("known of the first: interval 30 ms, latency 0, supervision timeout 5.0 s"),
            "\(text)")
        let later = "on connection 2, frame 4: interval 30 ms, latency 0, supervision timeout 420.0 ms"
        #expect(text.contains(later), "\(text)")
        #expect(!text.contains("again at"), "\(text)")
        let refusals = PackageRoot.url.path + "/captures/uqdk-refusals.btsnoop"
        let locked = try CommandRun(["annotate", "--failure", "8", refusals]).text
        #expect(locked.contains("keyLockedOut after 5 refused proofs (frames 333 to 377)"), "\(locked)")
        // The phone sent proofs without a content, so that it and not the car is to blame.
        #expect(locked.contains("  [host]"), "\(locked)")
        #expect(locked.firstMatch(of: #/\n     again at frame \d+\n/#) != nil, "\(locked)")
        let lines = try CommandRun(["annotate", "-f", "ndjson", log]).text.split(separator: "\n")
        #expect(lines.last?.contains(#""occurrences":[{"frame":2},{"frame":4}]"#) == true)
    }

    @Test func `of several logs a frame's time counts from the first record of its own log`() throws {
        let logs = ["mi-band", "mobike"].map { PackageRoot.url.path + "/captures/\($0).btsnoop" }
        let alone = try logs.map { try CommandRun(["annotate", "--frame", "100", $0]).text }
        let both = try CommandRun(["annotate", "--frame", "100"] + logs).text
        for text in alone {
            let time = try #require(text.split(separator: "\n").first { $0.hasPrefix("  time ") })
            #expect(both.contains(time), "\(time) in \(both)")
        }
    }

    @Test func `in parts of one log a frame's time counts from the first record of the log`() throws {
        let folder = try TemporaryFolder()
        let whole = folder.path("whole.btsnoop")
        let parts = ["x.log.last", "x.log"].map(folder.path)
        #expect(try CommandRun(["convert", "-f", "btsnoop", AnnotateTests.session, whole]).status == 0)
        for (frames, part) in zip(["1-120", "121-"], parts) {
            let words = ["convert", "-f", "btsnoop", "--frames", frames, whole, part]
            #expect(try CommandRun(words).status == 0)
        }
        // The first frame of the second part, whose number in the part is 1.
        let alone = try CommandRun(["annotate", "--frame", "121", whole]).text
        let time = try #require(alone.split(separator: "\n").first { $0.hasPrefix("  time ") })
        for (files, number) in [(parts, "2:1"), (Array(parts.reversed()), "1:1")] {
            let text = try CommandRun(["annotate", "--frame", number] + files).text
            #expect(text.contains(time), "\(time) in \(text)")
        }
    }

    @Test func `a log without times has no durations`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("dump.txt")
        let dump = """
            > 04 3E 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 F4 01 00
            < 02 40 00 07 00 03 00 04 00 02 17 00
            > 02 40 20 07 00 03 00 04 00 03 17 00
            < 02 40 00 0B 00 07 00 04 00 10 01 00 FF FF 00 28
            > 02 40 20 09 00 05 00 04 00 01 10 01 00 0A
            < 02 40 00 07 00 03 00 04 00 0A 03 00
            > 02 40 20 06 00 02 00 04 00 0B 05
            < 02 40 00 08 00 04 00 04 00 12 03 00 01
            < 01 03 0C 00
            > 04 0E 04 01 03 0C 00

            """
        try dump.write(toFile: log, atomically: true, encoding: .utf8)
        for words in [["annotate"], ["annotate", "--all"], ["annotate", "--frame", "7"], ["info"]] {
            let text = try CommandRun(words + [log]).text
            let duration = text.firstMatch(of: #/ 0(\.0)? ms|\+0\.0|0\.0000|1970/#)
            #expect(!text.isEmpty && duration == nil, "\(text)")
        }
    }

    @Test func `a frame or a failure that is not there is wrong usage, and said`() throws {
        let frame = try Self.annotate(["--frame", "900"])
        #expect(frame.status == 2 && frame.text.isEmpty)
        #expect(frame.errors == "blecap: no frame 900: the log has 302 frames\n")
        let failure = try Self.annotate(["--failure", "9"])
        #expect(failure.status == 2 && failure.text.isEmpty)
        #expect(failure.errors == "blecap: --failure 9: the verdict has 5 entries\n")
        // Of several files, each is named.
        let files = ["mi-band", "mobike"].map { PackageRoot.url.path + "/captures/\($0).btsnoop" }
        for number in ["900", "2:900", "3:1"] {
            let run = try CommandRun(["annotate", "--frame", number] + files)
            let start = "blecap: no frame \(number): of the files, 1 is "
            #expect(run.status == 2 && run.errors.hasPrefix(start))
            #expect(run.errors.contains("mi-band.btsnoop with 220 frames, 2 is "), "\(run.errors)")
            #expect(run.errors.hasSuffix("; --frame FILE:NUMBER is a frame of one of them, such as 2:1\n"))
        }
        let none = try CommandRun(["annotate", "--failure", "9"] + files)
        #expect(none.errors.hasPrefix("blecap: --failure 9: the verdict on these 2 files together has "))
        #expect(none.errors.hasSuffix("; for the numbers of one log, give its file\n"), "\(none.errors)")
        let first = try CommandRun(["annotate", "--failure", "1"] + files)
        #expect(first.status == 0 && first.text.hasPrefix("file 1: \(files[0])\n"), "\(first.text)")
        // What was overcome has a number too.
        let overcome = try Self.annotate(["--failure", "3"])
        #expect(overcome.status == 0 && overcome.text.contains("! 3  frame "), "\(overcome.text)")
        let several = try Self.annotate(["--frame", "3-4"]).errors
        #expect(several.hasSuffix("'3-4' is not a frame's number; --frames 3-4 shows several\n"))
        let whole = try Self.annotate(["--failure", "1", "--all"]).text
        #expect(!whole.contains(" more frame") && whole.contains("Number Of Completed Packets"), "\(whole)")
        let session = AnnotateTests.session
        let taken = try CommandRun(["annotate", "--failure", session])
        #expect(taken.status == 2 && taken.errors.hasSuffix("; '--failure 1 \(session)', for example\n"))
        #expect(try Self.annotate(["--failure", "1", "-f", "ndjson"]).status == 2)
        for words in [
            ["--summary", "--frame", "3"], ["--frame", "3", "--frames", "4-"],
            ["--summary", "--failure", "1"],
        ] {
            let both = try Self.annotate(words)
            let names = words.filter { $0.hasPrefix("--") }.joined(separator: " and ")
            #expect(both.status == 2 && both.errors.hasPrefix("blecap: \(names) exclude each other"))
        }
        for words in [
            ["annotate", "-f", "ndjson", "--summary"], ["annotate", "-f", "ndjson", "--time", "clock"],
            ["info", "-f", "ndjson", "--summary"], ["info", "--tag", "a=b"],
        ] {
            let ignored = try CommandRun(words + [AnnotateTests.session])
            #expect(ignored.status == 2 && ignored.errors.contains("--format ndjson"), "\(ignored.errors)")
        }
        let well = try CommandRun([
            "annotate", "--failure", "1",
            SeveralLogsTests.captures.appendingPathComponent("bonding.btsnoop").path,
        ])
        #expect(well.errors == "blecap: --failure 1: nothing failed in this log\n")
    }
}
