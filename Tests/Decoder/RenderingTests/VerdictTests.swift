import Analysis
import CaptureFile
import Foundation
import Testing
import WireBytes

@testable import Rendering

/// The verdict on the session with the car: as it was recorded, and with records left out or moved.
@Suite struct VerdictTests {
    /// What is done to the records of the capture.
    struct Change {
        /// Records that are left out.
        var without: ClosedRange<Int> = 0...0
        /// The last record that is read.
        var last = Int.max
        /// What is added to the time of records from this one on.
        var delay: (from: Int, seconds: Int64) = (.max, 0)
    }

    private static func analyzed(
        _ change: Change = Change(), width: Int = 10_000
    ) throws -> (CaptureInfo, [UInt8], [String]) {
        let file = try #require(TestFiles.captures.first { $0.lastPathComponent == "uqdk-unlock.btsnoop" })
        var reader = try CaptureReader(path: file.path)
        var analyzer = Analyzer()
        var texts: [String] = []
        while let record = try reader.next() {
            let number = record.header.number
            if number > change.last { break }
            if change.without.contains(number) { continue }
            var header = record.header
            if number >= change.delay.from {
                header.time = CaptureTime(
                    nanoseconds: header.time.nanoseconds + change.delay.seconds * 1_000_000_000)
            }
            let octets = record.octets.copied()
            analyzer.analyze(Record(header, octets.borrowedOctets))
            for problem in analyzer.problems {
                texts.append("\(number) \(problem.line)")
            }
        }
        analyzer.finish()
        var out = TextBuffer(capacity: 4096)
        Verdict.put(
            [reader.info], analyzer, change.damage(file.path), style: Verdict.Style(width: width),
            into: &out)
        return (reader.info, out.copied(from: 0), texts)
    }

    private static func verdict(_ change: Change = Change(), width: Int = 10_000) throws -> [String] {
        String(decoding: try analyzed(change, width: width).1, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `a refusal is named before what the phone tried in clear`() throws {
        let lines = try Self.verdict()
        #expect(
            lines[4...5] == [
                "  \u{2717} 1  frame 282  STATUS_QUERY: bad checksum: 0x8a76, expected 0x8a89  [host]",
                "       then frame 285  STATUS_QUERY is answered with badMessage",
            ])
        #expect(
            lines.contains(
                "! 2  frame 221, connection 1  ACTIVATE is answered with badProof; it succeeded later  [peer]"
            ))
        #expect(!lines.contains { $0.contains("must be secured") })
    }

    @Test func `an unlock that the car never answers is named where it came`() throws {
        let lines = try Self.verdict(Change(without: 259...262))
        let unlock = "DOOR_UNLOCK of frame 257 has no response  [peer]"
        #expect(lines.contains { $0.hasPrefix("  \u{2717} ") && $0.hasSuffix(unlock) })
    }

    @Test func `an unlock whose time runs out is told at the next frame, whosever it is`() throws {
        let (_, verdict, texts) = try Self.analyzed(Change(last: 259, delay: (259, 8)))
        let told = "no response to DOOR_UNLOCK of frame 257 within the 5000 ms that a phone waits"
        #expect(texts.contains("259 \(told)"))
        #expect(
            String(decoding: verdict, as: UTF8.self).contains(
                "  \u{2717} 1  frame 259  \(told)  [peer]\n"))
    }

    @Test func `an unlock that waits when the log ends is named with how long`() throws {
        let lines = try Self.verdict(Change(last: 258))
        let line = try #require(lines.first { $0.hasPrefix("unanswered: ") })
        #expect(
            line.hasPrefix("unanswered: connection 1: DOOR_UNLOCK of frame 257 had no response when the log"))
    }

    @Test func `each phase has its time, and no line is longer than a terminal's`() throws {
        let lines = try Self.verdict(width: 80)
        let story = lines.drop { !$0.hasPrefix("connection 1") }.joined(separator: " ")
        for phase in [
            "connect 155.2 ms", "MTU 23 in ", "discovery 14 requests in ", "subscribed at +",
            "authentication 285.1 ms", "first command at +3.4 s (STATUS_QUERY), answered in ",
        ] {
            #expect(story.contains(phase), "\(phase)")
        }
        #expect(lines.dropFirst().allSatisfy { $0.count <= 80 } && lines.count <= 26)
    }

    @Test func `damage of the file is named with its offset`() throws {
        let lines = try Self.verdict(Change(last: 100))
        #expect(
            lines[1].hasPrefix("damaged: ")
                && lines[1].hasSuffix("(record 101, offset 5000); 77 bytes were not read"))
        #expect(!lines.contains("nothing wrong was found"))
    }

    @Test func `a capture that was restored counts as read`() {
        let error = CaptureFileError(.restored("changed by a copy"), file: "a.log", record: 9)
        let restored = ReadingDamage([error])
        #expect(restored.isNone)
        var lines = TextLines(Verdict.Style(width: .max))
        Verdict.add(restored, Analyzer().totals, &lines)
        #expect(lines.lines == ["restored: a.log: changed by a copy"])
    }

    @Test func `a jump of the clock is no time that the log covers`() {
        var shown = Shown()
        shown.connect()
        shown.now += 2_000_000_000
        shown.att(.hostToController, "0A 0300")
        shown.now += 99 * 86_400_000_000_000
        shown.att(.controllerToHost, "0B 01")
        #expect(
            shown.verdict()[0] == "made: btsnoop, 3 records, 2.0 s from 2023-11-14T22:13:20.001Z, "
                + "the clock jumps ahead by 99.0 d at frame 3")
    }

    @Test func `times of a clock that was never set are named as such`() {
        var shown = Shown()
        shown.now = 1_358_819_000_000_000
        shown.connect()
        #expect(
            shown.verdict()[0] == "made: btsnoop, 1 record, 0.0 ms from 1970-01-16T17:26:59.001Z "
                + "(the recorder's clock was not set)")
    }
}

extension VerdictTests.Change {
    /// A file that ends early is one that was cut.
    fileprivate func damage(_ path: String) -> ReadingDamage {
        guard last == 100 else { return ReadingDamage() }
        return ReadingDamage(
            [CaptureFileError(.truncated, file: path, fileOffset: 5000, record: 101)], unreadOctets: 77)
    }
}
