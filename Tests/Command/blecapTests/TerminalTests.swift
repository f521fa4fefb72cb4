import Foundation
import TestSupport
import Testing

@Suite struct TerminalTests {
    private static func plain(_ text: String) -> String {
        text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    }

    @Test func `Colour is there only when asked for, and changes nothing else`() throws {
        let plain = try CommandRun(["annotate", AnnotateTests.session])
        #expect(!plain.text.contains("\u{1B}"))
        let always = try CommandRun(["annotate", "--color=always", AnnotateTests.session])
        #expect(always.text.contains("\u{1B}[36mUQDK"))
        #expect(Self.plain(always.text) == plain.text)
        let never = try CommandRun(["annotate", "--color", "never", AnnotateTests.session])
        #expect(never.text == plain.text)
    }

    @Test func `where lines are cut the bytes come first, and UUIDs of 128 bits are short`() throws {
        func text(columns: Int?) throws -> String {
            let words = [
                "annotate", "--no-pager", "--frames", "180", "--frames", "257", AnnotateTests.session,
            ]
            return try CommandRun(words, variables: ["TERM": "dumb"], columns: columns).text
        }
        let (cut, whole) = (try text(columns: 120), try text(columns: nil))
        #expect(cut.contains("Write Request 0x0010  06810c746662ef4c  UQDK Command"), "\(cut)")
        #expect(cut.contains("0x0012 5551444B-0003\u{2026}4559 (notify"), "\(cut)")
        #expect(whole.contains("Write Request 0x0010 UQDK Command  06810c746662ef4c"))
        #expect(whole.contains("0x0012 5551444B-0003-4449-4749-54414C4B4559 (notify"), "\(whole)")
    }

    @Test func `On a narrow terminal lines go on below, of frames and of replays`() throws {
        let command = try CommandRun(
            ["annotate", "--no-pager", AnnotateTests.session], variables: ["TERM": "dumb"], columns: 60
        ).text
        let end = #/Disconnect\n +reason=0x13\(Remote User Terminated Connection\)/#
        #expect(command.contains(end), "\(command)")
        let replay = try CommandRun(["replay", AnnotateTests.session], columns: 60).text
        for line in (command + replay).split(separator: "\n") {
            #expect(
                line.count <= 60 || line.contains(AnnotateTests.session)
                    || line.split(separator: " ").count == 1, "\(line)")
        }
    }

    /// What the built command writes on a real terminal of 80 columns.
    private static func onTerminal(_ words: [String], pager: String) throws -> String {
        let command = [PackageRoot.command.path] + CommandRun.withoutFoundFiles(words)
        let line = "stty cols 80; " + command.joined(separator: " ")
        return try ProgramRun("/usr/bin/script", ["-qec", line, "/dev/null"], environment: ["PAGER": pager])
            .text
    }

    @Test func `On a terminal damage is named once, and without the path that stands above`() throws {
        let folder = try TemporaryFolder()
        let cut = folder.path("cut.btsnoop")
        try Data(contentsOf: URL(fileURLWithPath: AnnotateTests.session)).prefix(13_000)
            .write(to: URL(fileURLWithPath: cut))
        for words in [["annotate"], ["annotate", "--summary"], ["info"]] {
            let run = try CommandRun(words + ["--no-pager", cut], variables: ["TERM": "dumb"], columns: 300)
            #expect(run.status == 3)
            #expect(run.text.contains("\ndamaged: the file ends inside a record (record 294"), "\(run.text)")
            #expect(!run.text.contains("\nblecap: "), "\(words) \(run.text)")
        }
    }

    @Test func `On a terminal a file that can't be opened is named with the advice`() throws {
        let folder = try TemporaryFolder()
        let text = folder.path("btmon.txt")
        let missing = folder.path("missing.btsnoop")
        try Data("Bluetooth monitor ver 5.66\n= Note: Linux version 6.1 (x86_64)\n".utf8)
            .write(to: URL(fileURLWithPath: text))
        for (file, advice) in [(text, "btmon -w FILE"), (missing, "No such file or directory")] {
            let words = ["annotate", "--no-pager", "--one-timeline", AnnotateTests.session, file]
            let run = try CommandRun(words, variables: ["TERM": "dumb"], columns: 300)
            let line = run.text.split(separator: "\n").first { $0.hasPrefix("blecap: \(file): ") }
            #expect(run.status == 3 && line?.contains(advice) == true, "\(run.text)")
        }
    }

    @Test func `On a terminal there is colour, unless NO_COLOR is set`() throws {
        func text(_ variables: [String: String]) throws -> String {
            try CommandRun(["annotate", AnnotateTests.session], variables: variables, columns: 80).text
        }
        #expect(try text(["TERM": "xterm", "NO_COLOR": ""]).contains("\u{1B}[36m"))
        #expect(try !text(["TERM": "xterm", "NO_COLOR": "1"]).contains("\u{1B}["))
        #expect(try !text(["TERM": "dumb", "NO_COLOR": ""]).contains("\u{1B}["))
    }

    @Test func `failures are explained on a terminal and in a pipe, unless that is not wanted`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("lost.log")
        var octets = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        let address: [UInt8] = [1, 2, 3, 4, 5, 6]
        let connected = [4, 0x3E, 19, 1, 0, 0x40, 0, 0, 0] + address + [24, 0, 0, 0, 0xF4, 1, 0]
        for (index, packet) in [connected, [4, 5, 4, 0, 0x40, 0, 8]].enumerated() {
            let length: [UInt8] = [0, 0, 0, UInt8(packet.count)]
            octets += length + length + [0, 0, 0, 3, 0, 0, 0, 0]
            octets += [0x00, 0xE2, 0x4F, 0x62, 0, 0, UInt8(index), 0] + packet
        }
        try Data(octets).write(to: URL(fileURLWithPath: log))
        func explains(_ words: [String], columns: Int?) throws -> Bool {
            let run = try CommandRun(words + [log], variables: ["TERM": "dumb"], columns: columns)
            #expect(words[0] == "report" || run.text.contains("Connection Timeout (0x08)"))
            return run.text.contains("usually out of range")
        }
        // On a terminal, `report` writes a file.
        let places: [(command: String, columns: Int?)] = [
            ("annotate", 80), ("annotate", nil), ("info", 80), ("info", nil), ("report", nil),
        ]
        for (command, columns) in places {
            #expect(try explains([command], columns: columns))
            #expect(try !explains([command, "--terse"], columns: columns))
        }
    }

    @Test(.process) func `On a terminal text goes through the pager, unless it is not wanted`() throws {
        let pager = "sed s/^/paged:/"
        for command in ["annotate", "info"] {
            let paged = try Self.onTerminal([command, AnnotateTests.session], pager: pager)
                .split(whereSeparator: \.isNewline)
            #expect(paged.count > 20 && paged.allSatisfy { $0.hasPrefix("paged:") })
            for words in [["--no-pager"], ["-o", "/dev/stdout"]] {
                let plain = try Self.onTerminal([command, AnnotateTests.session] + words, pager: pager)
                #expect(plain.contains("302 records") && !plain.contains("paged:"))
            }
        }
    }

    @Test func `On a terminal lines fit it, and without a pager the verdict comes again at the end`() throws {
        let lines = try CommandRun(
            ["annotate", AnnotateTests.session], variables: ["TERM": "dumb"], columns: 80
        ).text.split(whereSeparator: \.isNewline)
        let frames = try #require(lines.firstIndex { $0.hasPrefix("frame     time s") })
        #expect(lines.joined(separator: " ").ranges(of: /302\s+records/).count == 2)
        #expect(lines[frames...].filter { $0.contains(" ATT   ") }.allSatisfy { $0.count <= 80 })
    }
}
