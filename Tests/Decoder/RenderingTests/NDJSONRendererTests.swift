import Analysis
import CaptureFile
import Foundation
import PayloadFormat
import TestSupport
import Testing
import WireBytes

@testable import Rendering

@Suite struct NDJSONRendererTests {
    /// All lines of a capture, as the command writes them.
    static func lines(_ file: URL) -> [Substring] {
        var renderer = NDJSONRenderer()
        var analyzer = Analyzer()
        var tally = ReaderTally()
        var infos: [CaptureInfo] = []
        var errors: [CaptureFileError] = []
        do throws(CaptureFileError) {
            var reader = try CaptureReader(path: file.path)
            infos = [reader.info]
            renderer.begin(reader.info)
            do throws(CaptureFileError) {
                while let record = try reader.next() {
                    analyzer.analyze(record)
                    renderer.render(record, analyzer)
                }
            } catch {
                renderer.problem(error)
                errors.append(error)
            }
            tally = reader.tally
        } catch {
            renderer.problem(error)
            errors.append(error)
        }
        analyzer.finish()
        renderer.finish(analyzer, tally)
        // As `info` writes them.
        var report = NDJSONRenderer()
        let line = LogLine(infos, analyzer, ReadingDamage(errors, tally))
        report.log(infos, analyzer, tally, line, errors)
        return (renderer.out.text + report.out.text).split(separator: "\n")
    }

    static func schema() throws -> JSONSchema {
        let url = TestFiles.root.appendingPathComponent("docs/ndjson.schema.json")
        return JSONSchema(try JSONValue(try Data(contentsOf: url)))
    }

    /// Checks lines against the schema: the first ones, then every 97th, and always the last ones.
    static func check(_ file: URL) throws {
        let schema = try schema()
        let lines = lines(file)
        for (index, line) in lines.enumerated()
        where index < 120 || index % 97 == 0 || index + 20 > lines.count {
            do throws(JSONValue.Malformed) {
                let problems = schema.problems(of: try JSONValue(line.utf8))
                #expect(problems.isEmpty, "\(file.lastPathComponent) line \(index + 1): \(problems) \(line)")
                if !problems.isEmpty { return }
            } catch {
                Issue.record("\(file.lastPathComponent) line \(index + 1): \(error) \(line)")
                return
            }
        }
    }

    /// Tests a list of the schema; with `RECORD_GOLDEN=1` it is written anew, what it lacks at its end.
    @Test(arguments: [
        (
            "problemCode", "Sources/Decoder/Analysis",
            #"Self\(\s*\.[a-zA-Z0-9]+,\s*"([a-z0-9-]+)"|rank: \d+, code: "([a-z0-9-]+)""#
        ),
        ("format", "Sources/Decoder/CaptureFile/CaptureInfo", #"Self\(rawValue: "([^"]+)"\)"#),
    ])
    func `The schema lists exactly the words that the sources declare`(
        list: String, sources: String, pattern: String
    ) throws {
        let file = TestFiles.root.appendingPathComponent("docs/ndjson.schema.json")
        let declaration = try Regex(pattern)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: TestFiles.root.path)
            .filter { $0.hasPrefix(sources) && $0.hasSuffix(".swift") }
        let declared = try paths.sorted().flatMap { path in
            try String(contentsOf: TestFiles.root.appendingPathComponent(path), encoding: .utf8)
                .matches(of: declaration).compactMap { $0.output.dropFirst().compactMap(\.substring).first }
        }
        #expect(!declared.isEmpty)
        var schema = try String(contentsOf: file, encoding: .utf8)
        let enumeration = try Regex(#""\#(list)": \{\s*"enum": \[([^\]]*)\]"#)
        let found = try #require(schema.firstMatch(of: enumeration)?.output[1])
        let range = try #require(found.range)
        let listed = try #require(found.substring).matches(of: /"([^"]+)"/).map(\.1)
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            let words = listed.filter(declared.contains) + declared.filter { !listed.contains($0) }
            let old = schema[range]
            let margin = old.prefix { $0 != "\"" }
            let end = old[old.index(after: try #require(old.lastIndex(of: "\"")))...]
            let list = words.map { "\"\($0)\"" }.joined(separator: "," + margin)
            schema.replaceSubrange(range, with: margin + list + end)
            try schema.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(Set(listed) == Set(declared))
        }
    }

    @Test(arguments: TestFiles.captures)
    func `Every line of the package's captures is what the schema says`(file: URL) throws {
        try Self.check(file)
    }

    @Test(.corpus, arguments: Corpus.files)
    func `Every line of the corpus is what the schema says`(file: String) throws {
        try Self.check(URL(fileURLWithPath: file))
    }

    @Test func `The session with the car holds what its frames mean`() throws {
        let file = try #require(TestFiles.captures.first { $0.lastPathComponent == "uqdk-unlock.btsnoop" })
        let all = try Self.lines(file).map { try JSONValue($0.utf8) }
        let values = all.prefix { $0["kind"]?.text != "log" }
        #expect(values.first?["kind"]?.text == "file")
        #expect(values.last?["kind"]?.text == "summary")
        let frames = values.filter { $0["kind"]?.text == "frame" }
        #expect(frames.compactMap { $0["frame"]?.integer } == Array(1...302))
        #expect(frames.allSatisfy { $0["file"] == nil })
        let connected = frames.first { $0["hci"]?["name"]?.text == "LE Connection Complete" }
        #expect(connected?["peer"]?.text == "02:55:51:00:00:01")
        #expect(connected?["hci"]?["status"]?.integer == 0)
        let response = frames.first { $0["att"]?["opcode"]?.integer == 0x13 }
        #expect(response?["att"]?["request_frame"]?.integer != nil)
        let request = frames.first { $0["frame"] == response?["att"]?["request_frame"] }
        #expect(request?["att"]?["opcode"]?.integer == 0x12)
        #expect(request?["att"]?["transaction"] == response?["att"]?["transaction"])
        let notified = frames.first { $0["att"]?["opcode"]?.integer == 0x1B }
        #expect(notified?["att"]?["characteristic"]?.text == "5551444B-0003-4449-4749-54414C4B4559")
        #expect(notified?["att"]?["label"]?.text == "discovered")
    }

    /// Lines as the tests of `blecap devices` have them.
    @Test(arguments: [
        #"{"kind":"device","adapter":1,"name":"hci1","address":"00:AA:01:00:00:01","bus":"USB","#
            + #""state":"up","flags":["up","running","pscan"],"record":{"allowed":true},"#
            + #""drive":{"allowed":false,"missing":"CAP_NET_ADMIN and the adapter powered off"}}"#,
        #"{"kind":"device","adapter":0,"name":"hci0","bus":"virtual","state":"down","flags":[],"#
            + #""record":{"allowed":true},"drive":{"allowed":true}}"#,
    ])
    func `A line about an adapter is what the schema says`(line: String) throws {
        let schema = try Self.schema()
        #expect(schema.problems(of: try JSONValue(line.utf8)).isEmpty)
        let other = line.split(separator: "\"state\":\"").joined(separator: "\"state\":\"un")
        #expect(!schema.problems(of: try JSONValue(other.utf8)).isEmpty)
    }

    @Test func `Times keep the file's digits and run across the start of 1970`() {
        var clock = JSONClock()
        var out = TextBuffer()
        clock.put(CaptureTime(nanoseconds: -1), digits: 9, into: &out)
        out.put(0x20)
        clock.put(CaptureTime(nanoseconds: 1_795_253_400_123_456_789), digits: 6, into: &out)
        let text = String(decoding: out.octets.copied(), as: UTF8.self)
        #expect(text == "1969-12-31T23:59:59.999999999Z 2026-11-21T09:30:00.123456Z")
    }

    @Test func `Packets that only statistics say were lost stand in the summary`() throws {
        var tally = ReaderTally()
        tally.dropsAfterLast = 3
        var renderer = NDJSONRenderer()
        renderer.finish(Analyzer(), tally)
        let value = try JSONValue(renderer.out.octets.copied())
        #expect(value["untold_drops"]?.integer == 3)
        #expect(try Self.schema().problems(of: value).isEmpty)
    }

    @Test func `Commas stand between members, and absent members are left out`() throws {
        var out = TextBuffer()
        out.line("test")
        out.member("absent", nil as Int?)
        out.member("text", String("a{[:"))
        out.array("list")
        for number in 1...2 {
            out.element()
            out.member("number", number)
            out.endObject()
        }
        out.endArray()
        out.object("empty")
        out.endObject()
        out.member("unset", if: false)
        out.null("null")
        out.endObject()
        let expected =
            #"{"kind":"test","text":"a{[:","list":[{"number":1},{"number":2}],"empty":{},"null":null}"#
        #expect(out.text == expected)
    }

    @Test func `Where several files are read, every frame says which it is from`() throws {
        var renderer = NDJSONRenderer()
        for name in ["a", "b\"", "c"] { renderer.begin(CaptureInfo(name: name, format: .btsnoop)) }
        renderer.out.clear()
        for index in [2, 0, 1] {
            renderer.out.put("{")
            renderer.file(index)
            renderer.out.member("x", 1)
            renderer.out.endObject()
        }
        let text = String(decoding: renderer.out.octets.copied(), as: UTF8.self)
        #expect(text == #"{"file":"c","x":1}{"file":"a","x":1}{"file":"b\"","x":1}"#)
    }

    @Test func `A name that is no UTF-8, and one with quotes, stay valid JSON`() throws {
        var info = CaptureInfo(name: "a\"b\\\n\u{1}", format: .pcap)
        info.comments = ["\u{202E}x"]
        var renderer = NDJSONRenderer()
        renderer.begin(info)
        let value = try JSONValue(renderer.out.octets.copied())
        #expect(value["file"]?.text == "a\"b\\\n\u{1}")
    }

    /// PDUs of codes that are not assigned: channel, payload, and the parameters as they are to be shown.
    static let unassigned: [(UInt8, [UInt8], String)] = [
        (6, [0x3F, 0xAB, 0xCD], "abcd"), (6, [0x00, 0x11], "11"), (5, [0x3F, 1, 2, 0, 0xAB, 0xCD], "abcd"),
    ]

    @Test(arguments: unassigned)
    func `Parameters of a code that is not assigned are shown once, in JSON and in text`(
        channel: UInt8, pdu: [UInt8], shown: String
    ) throws {
        let length = UInt8(pdu.count)
        let packet: [UInt8] = [2, 0x40, 0x20, length + 4, 0, length, 0, channel, 0] + pdu
        let count = UInt8(packet.count)
        let file: [UInt8] =
            Array("btsnoop\0".utf8) + [
                0, 0, 0, 1, 0, 0, 0x03, 0xEA, 0, 0, 0, count, 0, 0, 0, count, 0, 0, 0, 1,
            ]
            + [0, 0, 0, 0, 0x00, 0xE2, 0x4F, 0x62, 0x7A, 0x6D, 0x50, 0x00] + packet
        var reader = try CaptureReader(octets: file, name: "made")
        var analyzer = Analyzer()
        var renderer = NDJSONRenderer()
        var options = TextRenderer.Options()
        options.showsAll = true
        var text = TextRenderer(options)
        guard let record = try reader.next() else {
            Issue.record("no record")
            return
        }
        analyzer.analyze(record)
        renderer.render(record, analyzer)
        text.render(record, analyzer)
        text.finish()
        let line = renderer.out.octets.copied()
        // A member that stands twice is an error of the parser.
        _ = try JSONParser.parse(line)
        let json = String(decoding: line, as: UTF8.self)
        #expect(
            json.ranges(of: "\"parameters\"").count == 1 && json.ranges(of: "\"\(shown)\"").count == 1,
            "\(json)")
        let words = String(decoding: text.out.octets.copied(), as: UTF8.self)
        #expect(words.ranges(of: shown).count == 1, "\(words)")
    }

    @Test func `the ATT_MTU is null where the log does not show it`() throws {
        func mtu(_ make: (inout Shown) -> Void) throws -> JSONValue? {
            var shown = Shown()
            make(&shown)
            return try shown.connections().last?["att_mtu"]
        }
        let value = "52 0300 \(String(repeating: "00", count: 30))"
        #expect(try mtu { $0.att(.hostToController, value) } == .null)
        #expect(try mtu { $0.event("03 0B 00 4000 010203040506 01 00") } == .null)
        #expect(try mtu { $0.connect() }?.integer == 23)
        let exchanged = try mtu {
            $0.att(.hostToController, "02 F700")
            $0.att(.controllerToHost, "03 4100")
        }
        #expect(exchanged?.integer == 65)
    }
}
