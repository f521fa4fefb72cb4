import Analysis
import CaptureFile
import Foundation
import TestSupport
import Testing
import UQDK
import WireBytes

@testable import Rendering

@Suite struct PcapngRendererTests {
    static let session = TestFiles.captures.first { $0.lastPathComponent == "uqdk-unlock.btsnoop" }

    /// Writes an annotated copy of a capture.
    static func annotate(
        _ file: URL, into target: URL, _ knowledge: AnalysisKnowledge = AnalysisKnowledge()
    ) throws {
        var reader = try CaptureReader(path: file.path)
        #expect(FileManager.default.createFile(atPath: target.path, contents: nil))
        let handle = try FileHandle(forWritingTo: target)
        let writer = try CaptureWriter(
            descriptor: dup(handle.fileDescriptor), name: target.path, format: .pcapngMonitor)
        var renderer = PcapngRenderer(writer)
        var analyzer = Analyzer(knowledge)
        while let record = try reader.next() {
            analyzer.analyze(record)
            try renderer.render(record, analyzer)
        }
        try renderer.flush()
    }

    static func withAnnotated(_ body: (URL) throws -> Void) throws {
        let session = try #require(session)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = folder.appendingPathComponent("annotated.pcapng")
        try annotate(session, into: target)
        try body(target)
    }

    @Test func `Every packet carries its meaning as the first comment, and is otherwise unchanged`() throws {
        let session = try #require(Self.session)
        try Self.withAnnotated { target in
            var before = try CaptureReader(path: session.path)
            var after = try CaptureReader(path: target.path)
            var count = 0
            while let record = try after.next() {
                guard let original = try before.next() else { break }
                count += 1
                let isSame = record.octets.elementsEqual(original.octets)
                #expect(isSame && record.header.time == original.header.time, "record \(count)")
                #expect(record.header.direction == original.header.direction, "record \(count)")
                var comments: [String] = []
                record.forEachComment { comments.append(String(decoding: $0.copied(), as: UTF8.self)) }
                #expect(comments.count == 1 && comments[0].hasPrefix("blecap #\(count) "), "record \(count)")
            }
            #expect(count == 302)
        }
    }

    @Test func `An annotated file that is annotated again says everything once`() throws {
        try Self.withAnnotated { target in
            let again = target.deletingLastPathComponent().appendingPathComponent("again.pcapng")
            try Self.annotate(target, into: again)
            #expect(try Data(contentsOf: again) == Data(contentsOf: target))
        }
    }

    /// The comments of every packet, in the order of the file.
    static func comments(_ file: URL) throws -> [[String]] {
        var reader = try CaptureReader(path: file.path)
        var all: [[String]] = []
        while let record = try reader.next() {
            var comments: [String] = []
            record.forEachComment { comments.append(String(decoding: $0.copied(), as: UTF8.self)) }
            all.append(comments)
        }
        return all
    }

    @Test func `An annotation takes the place of the one before, and of no other comment`() throws {
        let session = try #require(Self.session)
        let keys = session.deletingLastPathComponent().appendingPathComponent("uqdk-unlock.keys.json")
        var knowledge = AnalysisKnowledge()
        knowledge.uqdk = UQDKKnowledge(keys: try KeyStore(json: Array(Data(contentsOf: keys))))
        try Self.withAnnotated { target in
            let folder = target.deletingLastPathComponent()
            // Someone comments on packets of the annotated file, once much as an annotation begins.
            let strangers = ["", "#3 pressed unlock", "blecap #x", "blecap says so", "blecap #1:", "pressed"]
            let commented = folder.appendingPathComponent("commented.pcapng")
            var reader = try CaptureReader(path: target.path)
            var writer = try CaptureWriter(collecting: .pcapngMonitor)
            while let record = try reader.next() {
                let comment = Array(strangers[record.header.number % strangers.count].utf8)
                try writer.write(record, comment: comment.borrowedOctets)
            }
            try Data(writer.collected()).write(to: commented)
            let (again, direct) = (
                folder.appendingPathComponent("again.pcapng"), folder.appendingPathComponent("direct.pcapng")
            )
            try Self.annotate(commented, into: again, knowledge)
            try Self.annotate(session, into: direct, knowledge)
            let (old, new, wanted) = (
                try Self.comments(target), try Self.comments(again), try Self.comments(direct)
            )
            #expect(new.count == 302 && old != wanted)
            for (index, comments) in new.enumerated() {
                let stranger = strangers[(index + 1) % strangers.count]
                #expect(comments == wanted[index] + (stranger.isEmpty ? [] : [stranger]))
            }
        }
    }

    @Test(arguments: [
        ("blecap #1 ATT", true), ("blecap #2:148 ATT", true), ("blecap #1", false), ("blecap # ATT", false),
        ("blecap #2: ATT", false), ("#148 ATT", false), ("", false), ("Blecap #1 ATT", false),
    ])
    func `An annotation is told by its start`(_ comment: String, _ isOne: Bool) {
        let octets = Array(comment.utf8)
        #expect(AnnotationComment.isOne(octets.borrowedOctets) == isOne)
    }

    static let tshark = ["/usr/bin/tshark", "/usr/local/bin/tshark"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(.judge, .enabled(if: tshark != nil, "no tshark on this machine"))
    func `Wireshark shows the comments`() throws {
        let tshark = try #require(Self.tshark)
        try Self.withAnnotated { target in
            let run = try ProgramRun(tshark, ["-r", target.path, "-T", "fields", "-e", "frame.comment"])
            let lines = run.text.split(separator: "\n")
            #expect(lines.count == 302)
            #expect(lines.contains { $0.hasPrefix("blecap #148 ATT Exchange MTU Request 517") })
            #expect(lines.contains { $0.contains("UQDK ACTIVATE request, id 2, 2 fragments") })
        }
    }

    @Test func `Alignment is taken out of the comment, and nothing else`() {
        var lines = TextBuffer()
        lines.put("ATT   Write  0x0010  01\n    UQDK  DOOR_UNLOCK\n          mask=255\n    ! wrong\n")
        var out = TextBuffer()
        PcapngRenderer.compact(lines, into: &out)
        let text = String(decoding: out.octets.copied(), as: UTF8.self)
        #expect(text == "ATT Write  0x0010  01\nUQDK DOOR_UNLOCK\nmask=255\n! wrong")
    }

    @Test func `Advertising data in a report does not make the report look malformed`() throws {
        let session = try #require(Self.session)
        try Self.withAnnotated { target in
            var reader = try CaptureReader(path: target.path)
            var reports = 0
            while let record = try reader.next() {
                record.forEachComment { octets in
                    let text = String(decoding: octets.copied(), as: UTF8.self)
                    if text.contains("HCI LE Advertising Report num_reports=") { reports += 1 }
                    #expect(!text.contains("malformed"), "\(text)")
                }
            }
            #expect(reports == 3, "\(session.lastPathComponent)")
        }
    }
}
