import Foundation
import Testing

@Suite struct InfoTests {
    static let lone = AnnotateTests.session
    static let two = PackageRoot.url.appendingPathComponent("captures/two-devices.btsnoop").path

    @Test func `Sessions of the key protocol and of profiles are listed by connection`() throws {
        let car = try CommandRun(["info", Self.lone]).text
        #expect(
            car.contains(
                "\nsessions by protocol\n  connection 1  UQDK reference format 1: 26 messages, 1 session")
        )
        #expect(car.contains(" key id "))
        #expect(car.contains("\n    responses: "))
        let band = PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path
        let text = try CommandRun(["info", band]).text
        #expect(text.contains(#/\n  connection 1  mi-band, [^\n]+: \d+ messages/#))
        #expect(text.contains(" messages of mi-band"))
    }

    @Test(arguments: ["uqdk-unlock", "uqdk-refusals", "mi-band", "handle-reuse", "link-device"])
    func `NDJSON has each entry of the verdict with the number that --failure takes`(name: String) throws {
        let log = PackageRoot.url.appendingPathComponent("captures/\(name).btsnoop").path
        let line = try #require(
            try CommandRun(["annotate", "-f", "ndjson", log]).text.split(separator: "\n").last)
        let summary = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        var numbers: Set<Int> = []
        for list in ["wrong", "overcome", "warnings"] {
            for entry in summary[list] as? [[String: Any]] ?? [] {
                let number = try #require(entry["number"] as? Int)
                let frame = try #require(entry["frame"] as? Int)
                let shown = try CommandRun(["annotate", "--failure", "\(number)", log]).text
                let mark = list == "wrong" ? "\u{2717}" : "!"
                let isFirst = shown.contains("\(mark) \(number)  frame \(frame)  ")
                #expect(isFirst || numbers.contains(number), "\(list) \(number): \(shown)")
                numbers.insert(number)
            }
        }
        #expect(numbers == Set(1..<numbers.count + 1))
        let next = try CommandRun(["annotate", "--failure", "\(numbers.count + 1)", log])
        #expect(next.status == 2, "\(next.text)")
    }

    @Test func `On a narrow terminal no line is wider`() throws {
        let band = PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path
        for words in [["info"], ["annotate", "--frame", "207"]] {
            let text = try CommandRun(words + ["--no-pager", band], variables: ["TERM": "dumb"], columns: 60)
                .text
            let wide = text.split(separator: "\n").filter { $0.count > 60 && !$0.contains("/") }
            #expect(wide.isEmpty, "\(wide)")
        }
    }

    @Test func `Adapters of several files say which file they are of, and one is one`() throws {
        let band = PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path
        let both = try CommandRun(["info", "--one-timeline", band, Self.lone]).text
        #expect(both.contains("\nfile 1: adapter 0 ") && both.contains("\nfile 2: adapter 0 "))
        let one = try CommandRun(["info", band]).text
        #expect(one.contains("\nadapter 0 ") && one.contains("\n1 address advertised\n"))
    }

    /// The number before some words of a report; nil where they are not there.
    private static func count(_ text: some StringProtocol, _ words: String) -> Int? {
        guard let range = text.range(of: " " + words) else { return nil }
        return Int(text[..<range.lowerBound].split { !$0.isNumber }.last ?? "")
    }

    @Test func `Without filters a report is about all records and says nothing of filters`() throws {
        let run = try CommandRun(["info", Self.lone])
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.text.contains("302 records: ") && !run.text.contains("filter"))
        #expect(Self.count(run.text, "ATT") == 107)
    }

    static let filters: [[String]] = [
        ["--only", "att"], ["--only", "uqdk"], ["--frames", "140-160"], ["--since", "+46"],
        ["--until", "+10"],
        ["--peer", "02:55:51:00:00:01"], ["--connection", "1"], ["--adapter", "0"],
        ["--only", "att,hci", "--frames", "100-", "--connection", "1"],
    ]

    @Test(arguments: filters)
    func `A filter counts the frames that annotate shows with it`(words: [String]) throws {
        let info = try CommandRun(["info"] + words + [Self.lone])
        #expect(info.status == 0 && info.errors.isEmpty)
        let shown = try CommandRun(["annotate", "--format", "ndjson"] + words + [Self.lone])
        let frames = shown.text.split(separator: "\n").filter { $0.hasPrefix("{\"kind\":\"frame\"") }
        #expect(frames.count > 5 && frames.count < 302 || words.contains("--adapter"))
        #expect(info.text.contains("\(frames.count) of 302 records pass the filter\n"))
        let counts =
            info.text.split(separator: "\n").first { $0.contains(" records:") }.map { $0 + " " } ?? ""
        #expect(Self.count(info.text, "ATT") ?? 0 == frames.count { $0.contains("\"att\":") })
        #expect(Self.count(counts, "ACL") ?? 0 == frames.count { $0.contains("\"type\":\"acl\"") })
        #expect(Self.count(counts, "events") ?? 0 == frames.count { $0.contains("\"type\":\"event\"") })
        let problems = frames.reduce(0) { $0 + $1.ranges(of: "{\"code\":\"").count }
        let lines = info.text.split(separator: "\n").compactMap { line -> Int? in
            line.contains(" \u{D7} ") ? Int(line.split(separator: " ")[0]) : nil
        }
        #expect(lines.reduce(0, +) == problems)
    }

    @Test func `Only the connections, databases and advertisers of the frames that pass are listed`() throws {
        let whole = try CommandRun(["info", Self.two]).text
        let first = try #require(whole.split(separator: "\n").first { $0.contains("  connection 1  ") })
        let second = try #require(whole.split(separator: "\n").first { $0.contains("  connection 2  ") })
        let peer: Substring = try #require(second.split(separator: " ").first { $0.count == 17 })
        let other: Substring = try #require(first.split(separator: " ").first { $0.count == 17 })
        let run = try CommandRun(["info", "--peer", String(peer), Self.two])
        #expect(run.status == 0)
        #expect(run.text.contains(second) && !run.text.contains(first))
        #expect(run.text.contains("1 of 2 connections\n"))
        #expect(whole.contains("\n  \(peer)\n") && whole.contains("\n  \(other)\n"))
        #expect(run.text.contains("\n  \(peer)\n") && !run.text.contains("\n  \(other)\n"))
        let none = try CommandRun(["info", "--peer", "00:00:00:00:00:00", Self.two])
        #expect(none.status == 0 && none.text.contains("\n0 of "))
        #expect(!none.text.contains("connection ") && !none.text.contains("advertised"))
        #expect(!none.text.contains("nothing wrong was found"))
    }

    @Test func `A filter that can't be meant is wrong usage`() throws {
        let run = try CommandRun(["info", "--frames", "9-5", Self.lone])
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("--frames: '9-5'"))
    }
}

/// `info --format ndjson`.
@Suite struct InfoLinesTests {
    private static func objects(_ run: CommandRun) throws -> [[String: Any]] {
        try run.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `Each log is an object with its verdict, and each connection one`() throws {
        let lines = try Self.objects(try CommandRun(["info", "-f", "ndjson", InfoTests.two, InfoTests.lone]))
        #expect(
            lines.map { $0["kind"] as? String } == ["log", "connection", "connection", "log", "connection"])
        let car = try #require(lines.last { $0["kind"] as? String == "log" })
        #expect(car["verdict"] as? String == "failed" && car["cause"] as? String == "uqdk.message.checksum")
        #expect(car["device"] as? String == "blecap car" && car["version"] as? Int == 2)
        #expect((car["tags"] as? [String: Any])?.isEmpty == true)
        let summary = try #require(car["summary"] as? [String: Any])
        #expect(summary["frames"] as? Int == 302 && (summary["wrong"] as? [Any])?.count == 1)
        let connection = try #require(lines.last)
        #expect(connection["file"] as? String == InfoTests.lone)
        #expect(connection["outcome"] as? String == "ended by the host")
        #expect(connection["cause"] as? String == "uqdk.message.checksum")
        #expect(connection["connected"] != nil && connection["writes"] as? Int == 23)
    }

    @Test func `A file that can't be read is an object too, and no pass`() throws {
        let license = PackageRoot.url.appendingPathComponent("LICENSE").path
        let run = try CommandRun(["info", "--format", "ndjson", license])
        #expect(run.status == 3)
        let lines = try Self.objects(run)
        #expect(lines.count == 1 && lines[0]["verdict"] as? String == "unreadable")
        #expect(lines[0]["cause"] as? String == "not-a-capture")
    }
}
