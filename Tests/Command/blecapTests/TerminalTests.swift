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

    /// What the built command writes on a real terminal of 80 columns.
    private static func onTerminal(_ words: [String], pager: String) throws -> String {
        let command = [PackageRoot.command.path] + CommandRun.withoutFoundFiles(words)
        let line = "stty cols 80; " + command.joined(separator: " ")
        return try ProgramRun("/usr/bin/script", ["-qec", line, "/dev/null"], environment: ["PAGER": pager])
            .text
    }

    @Test func `On a terminal there is colour, unless NO_COLOR is set`() throws {
        func text(_ variables: [String: String]) throws -> String {
            try CommandRun(["annotate", AnnotateTests.session], variables: variables, columns: 80).text
        }
        #expect(try text(["TERM": "xterm", "NO_COLOR": ""]).contains("\u{1B}[36m"))
        #expect(try !text(["TERM": "xterm", "NO_COLOR": "1"]).contains("\u{1B}["))
        #expect(try !text(["TERM": "dumb", "NO_COLOR": ""]).contains("\u{1B}["))
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
