import Analysis
import CaptureFile
import Testing
import WireBytes

@testable import Rendering

/// Names and notes that are no UTF-8, or more than a text.
@Suite struct StrangeTextTests {
    /// Octets of a name, the string that NDJSON has for it, and what text shows.
    static let names: [(String, String, String)] = [
        ("4772C3B6C39F65", "Größe", "\"Größe\""),
        ("4772C3", "Gr\u{FFFD}", #""Gr\xc3""#),
        ("41C0AF", "A\u{FFFD}\u{FFFD}", #""A\xc0\xaf""#),
        ("EDA080", "\u{FFFD}\u{FFFD}\u{FFFD}", #""\xed\xa0\x80""#),
        ("1B5B324A", "\u{1B}[2J", #""\u001b[2J""#),
        ("C29B41", "\u{9B}A", #""\u009bA""#),
    ]

    @Test(arguments: names)
    func `an advertised name is told to its last octet`(
        _ hex: String, _ string: String, _ text: String
    ) throws {
        var shown = Shown()
        let count = hex.utf8.count / 2
        let name = Hex.text([UInt8(count + 1), 9]) + hex
        shown.advertise(name)
        shown.connect()
        let isText = !string.contains("\u{FFFD}")
        let data = try #require(try shown.values().first?["advertising"]?[0]?["data"]?[0])
        #expect(data["name"]?.text == string)
        #expect(data["name_octets"]?.text == (isText ? nil : hex.lowercased()))
        let lines = shown.lines()
        #expect(lines.contains { $0.contains(text) }, "\(lines)")
        let scalars = lines.joined().unicodeScalars
        #expect(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    }

    @Test func `octets behind the zero that ends a name are told, zeros alone are not`() throws {
        var shown = Shown()
        shown.advertise("05 09 41 42 00 00")
        shown.advertise("06 09 41 42 00 43 00")
        let data = try shown.values().compactMap { $0["advertising"]?[0]?["data"]?[0] }
        #expect(data.map { $0["name"]?.text } == ["AB", "AB"])
        #expect(data.map { $0["name_octets"]?.text } == [nil, "4142004300"])
    }

    @Test func `a value that is text in UTF-8 is shown as text, one with controls or broken is not`() {
        var shown = Shown()
        shown.connect()
        for value in ["4772C3B6C39F65", "4772C3B6C3", "411B5B324A", "41420A42", "C29B4142"] {
            shown.att(.controllerToHost, "1B 0300" + value)
        }
        let lines = shown.text().filter { $0.contains("Handle Value Notification") }
        #expect(lines.count == 5)
        #expect(lines[0].contains("4772c3b6c39f65 \"Größe\""))
        #expect(lines.dropFirst().allSatisfy { !$0.contains("\"") })
    }

    @Test func `notes and comments that are no UTF-8 keep their octets`() throws {
        var shown = Shown()
        shown.add(.note, .unknown, "C3A9 FF 00")
        let note = try #require(try shown.values().first)
        #expect(note["note"]?.text == "é\u{FFFD}" && note["note_octets"]?.text == "c3a9ff00")
        let octets = Shown.octets("030C00")
        let header = RecordHeader(
            number: 1, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .command,
            direction: .hostToController, originalLength: 3, capturedLength: 3)
        var writer = try CaptureWriter(collecting: .pcapng)
        let comment: [UInt8] = [0x41, 0xE9]
        try writer.write(Record(header, octets.borrowedOctets), comment: comment.borrowedOctets)
        try writer.flush()
        var reader = try CaptureReader(octets: writer.collected(), name: "commented")
        var renderer = NDJSONRenderer()
        var analyzer = Analyzer()
        while let record = try reader.next() {
            analyzer.analyze(record)
            renderer.render(record, analyzer)
        }
        let frame = try JSONValue(renderer.out.octets.copied())
        #expect(try NDJSONRendererTests.schema().problems(of: frame).isEmpty)
        #expect(frame["comments"]?[0]?.text == "A\u{FFFD}")
        #expect(frame["comments_octets"]?[0]?.text == "41e9")
    }

    @Test func `a connection's name keeps its octets`() throws {
        var shown = Shown()
        shown.advertise("04 09 41 E9 42")
        shown.connect()
        let end = try #require(try shown.connections().first)
        #expect(end["peer_name"]?.text == "A\u{FFFD}B" && end["peer_name_octets"]?.text == "41e942")
    }
}
