import Analysis
import CaptureFile
import Foundation
import Testing
import WireBytes

@testable import Rendering

/// Comments that someone put on packets of a pcapng file.
@Suite struct CommentTests {
    /// A file with three advertising reports, of which one has a comment and one an annotation's.
    static func withFile(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("commented.pcapng")
        let octets = Shown.octets("3E 0C 02 01 00 00 665544332211 00 C8")
        var writer = try CaptureWriter(collecting: .pcapng)
        for (number, comment) in [
            (1, ""), (2, "pressed \"unlock\"\n"), (3, "blecap #3 HCI LE Advertising Report"),
        ] {
            let header = RecordHeader(
                number: number, fileOffset: 0, time: CaptureTime(nanoseconds: Int64(number) * 1_000_000),
                adapter: 0, kind: .event, direction: .controllerToHost, originalLength: octets.count,
                capturedLength: octets.count)
            let comment = Array(comment.utf8)
            try writer.write(Record(header, octets.borrowedOctets), comment: comment.borrowedOctets)
        }
        try Data(writer.collected()).write(to: file)
        try body(file)
    }

    @Test func `Comments on a file that have no room are counted where the file is named`() throws {
        let long = String(repeating: "x", count: 60_000)
        let told = [
            (1, ""), (2, "1 further comment is not kept"), (4, "3 further comments are not kept"),
        ]
        for (count, says) in told {
            var writer = try CaptureWriter(
                collecting: .pcapng, comments: Array(repeating: long, count: count))
            try writer.flush()
            var reader = try CaptureReader(octets: writer.collected(), name: "made")
            while try reader.next() != nil {}
            var analyzer = Analyzer()
            analyzer.finish()
            for isReport in [false, true] {
                var out = TextBuffer(capacity: 4096)
                if isReport {
                    Report.put([reader.info], analyzer, style: Verdict.Style(width: 10_000), into: &out)
                } else {
                    Verdict.put([reader.info], analyzer, style: Verdict.Style(width: 10_000), into: &out)
                }
                let line = String(decoding: out.copied(from: 0), as: UTF8.self).split(separator: "\n").first
                #expect(line?.contains(" not kept") == (count > 1) && line?.hasPrefix("made: pcapng") == true)
                #expect(count == 1 || line?.contains(", " + says) == true, "\(line ?? "none")")
            }
        }
    }

    @Test func `A comment stands below its frame, which is not folded for it`() throws {
        try Self.withFile { file in
            var renderer = TextRenderer()
            var analyzer = Analyzer()
            var reader = try CaptureReader(path: file.path)
            while let record = try reader.next() {
                analyzer.analyze(record)
                renderer.render(record, analyzer)
            }
            renderer.finish()
            let lines = String(decoding: renderer.out.octets.copied(), as: UTF8.self).split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines[0].contains("1 advertising report") && lines[3].contains("1 advertising report"))
            #expect(lines[2].hasSuffix(#"comment "pressed \"unlock\"\u000a""#))
        }
    }

    @Test func `NDJSON has every comment`() throws {
        try Self.withFile { file in
            try NDJSONRendererTests.check(file)
            let values = try NDJSONRendererTests.lines(file).map { try JSONValue($0.utf8) }
            let frames = values.filter { $0["kind"]?.text == "frame" }
            #expect(frames.map { $0["comments"]?[0]?.text }[1] == "pressed \"unlock\"\n")
            #expect(frames[0]["comments"] == nil)
            #expect(frames[2]["comments"]?[0]?.text == "blecap #3 HCI LE Advertising Report")
        }
    }
}
