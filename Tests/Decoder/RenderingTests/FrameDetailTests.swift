import Analysis
import CaptureFile
import Foundation
import Testing
import WireBytes

@testable import Rendering

/// One frame in full.
@Suite struct FrameDetailTests {
    /// A line with its place and its bytes.
    private struct Line {
        var place: Int
        var octets: [UInt8]

        init?(_ line: Substring) {
            guard line.hasPrefix("  +") else { return nil }
            let words = line.dropFirst(3).split(separator: " ", omittingEmptySubsequences: true)
            guard let first = words.first, let place = Int(first) else { return nil }
            self.place = place
            // The bytes have their column, left of the text's.
            let column = line.dropFirst(8).prefix(34).prefix { $0 != " " }
            octets = (try? Hex.octets(String(column))) ?? []
        }
    }

    private static func detail(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer
    ) -> String {
        var detail = FrameDetail(usesColor: false)
        detail.render(record, analyzer)
        return detail.out.text
    }

    @Test(arguments: TestFiles.captures)
    func `text and page show the same lines`(file: URL) throws {
        guard ["btsnoop", "pcap"].contains(file.pathExtension) else { return }
        var reader = try CaptureReader(path: file.path)
        var analyzer = Analyzer()
        var detail = FrameDetail(usesColor: false)
        while let record = try reader.next() {
            analyzer.analyze(record)
            detail.out.clear()
            detail.render(record, analyzer)
            // A field's text begins in a fixed column, before the characters; lines of further bytes have
            // none.
            let text = detail.out.text.split(separator: "\n").filter { $0.hasPrefix("  +") }
                .map { String($0.dropFirst(42)).replacing(/\s\s\|.*\|$/, with: "") }.filter { !$0.isEmpty }
            var json = TextBuffer()
            detail.document.put(json: &json)
            let lines = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [Any] ?? []
            let fields = lines.compactMap { ($0 as? [Any])?[2] as? String }
            #expect(fields == text, "frame \(record.header.number)")
        }
    }

    @Test func `bytes that may be text have their characters beside them`() {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "1B 1200 50756D7020003336373135303334480001")
        shown.att(.controllerToHost, "1B 1200 50756D00504100FF")
        var texts: [String] = []
        shown.each { texts.append(Self.detail($0, $1)) }
        #expect(texts[1].contains("  |Pump \u{B7}36715034H\u{B7}|\n"), "\(texts[1])")
        #expect(texts[1].contains("  |\u{B7}|\n"))
        #expect(!texts[2].contains("|"), "less than four characters in a row are no text")
    }

    @Test(arguments: TestFiles.captures)
    func `every line shows the record's own bytes, and each byte has one line`(file: URL) throws {
        guard ["btsnoop", "pcap"].contains(file.pathExtension) else { return }
        var reader = try CaptureReader(path: file.path)
        var analyzer = Analyzer()
        var shown = 0
        while let record = try reader.next() {
            analyzer.analyze(record)
            let text = Self.detail(record, analyzer)
            let lines = text.split(separator: "\n").compactMap { Line($0) }
            if case .assembly? = analyzer.frame.l2cap?.place { continue }
            let octets = record.octets.copied()
            var covered = [Int](repeating: 0, count: octets.count)
            for line in lines {
                let end = line.place + line.octets.count
                guard line.place >= 0, end <= octets.count else {
                    Issue.record("frame \(record.header.number): +\(line.place) is outside\n\(text)")
                    continue
                }
                #expect(Array(octets[line.place..<end]) == line.octets, "\(text)")
                for place in line.place..<end { covered[place] += 1 }
            }
            // The structures of advertising data and the fields of messages lie in a field; keys have no
            // bytes.
            let isNested =
                text.contains("data = ") || text.contains("not shown") || !analyzer.annotations.isEmpty
            if !isNested, !text.contains("more byte") {
                #expect(covered.allSatisfy { $0 == 1 }, "\(text)")
            }
            shown += 1
        }
        #expect(shown > 20)
    }

    @Test func `keys are not shown, and their bytes neither`() {
        var shown = Shown()
        // LE Enable Encryption with a long term key.
        shown.connect()
        let key = "000102030405060708090a0b0c0d0e0f"
        shown.add(.command, .hostToController, "1920 1C 4000 0000000000000000 0000 \(key)")
        // SMP Encryption Information.
        shown.add(.acl, .controllerToHost, "4020 1500 1100 0600 06 \(key)")
        for number in [2, 3] {
            let text = shown.detail(number)
            #expect(text.contains("(not shown)") && !text.contains("00010203"), "\(text)")
        }
    }

    @Test func `what a wrong count leaves of a list of keys is not shown`() {
        var shown = Shown()
        let key = "000102030405060708090a0b0c0d0e0f"
        // Link Key Request Reply with bytes behind its key, and an SMP key that is one byte too long.
        shown.connect()
        shown.add(.command, .hostToController, "0B04 26 665544332211 \(key) \(key)")
        shown.add(.acl, .controllerToHost, "4020 1600 1200 0600 06 \(key) 77")
        for number in [2, 3] {
            let text = shown.detail(number)
            #expect(text.contains("not covered by any field") && !text.contains("00010203"), "\(text)")
        }
    }

    @Test func `a fragment shows no bytes of a PDU that may hold a key`() {
        var shown = Shown()
        shown.connect()
        shown.add(.acl, .controllerToHost, "4020 0900 1100 0600 06 00010203")
        let part = "part of a PDU that this frame does not complete, 5 bytes: not shown"
        #expect(shown.detail(2).contains("L2CAP length = 17") && shown.detail(2).contains(part))
        #expect(!shown.detail(2).contains("00010203"))
        // A PDU of ATT holds none.
        shown.add(.acl, .controllerToHost, "4020 0900 1100 0400 1B 03000102")
        let value = shown.detail(3)
        #expect(value.contains("does not complete, 5 bytes\n") && value.contains("1b03000102"), "\(value)")
    }

    @Test func `what ends too early, and what no field covers, is said`() {
        var shown = Shown()
        shown.connect()
        shown.event("05 03 00 4000")
        shown.event("05 06 00 4000 13 AABB")
        #expect(shown.detail(2).contains("malformed: "))
        let rest = shown.detail(3).split(separator: "\n").first { $0.contains("not covered") }
        #expect(rest?.hasPrefix("  +6     ") == true && rest?.contains("aabb") == false)
        #expect(rest?.hasSuffix("  not covered by any field, 2 bytes") == true)
    }

    @Test func `a stranger's text can't reach the terminal`() {
        var shown = Shown()
        shown.advertise("06 09 41 1B 5B 32 4A")
        let text = shown.detail(1)
        #expect(text.contains("\"A\\u001b[2J\"") && !text.contains("\u{1B}"), "\(text)")
    }
}

extension Shown {
    /// The frame with this number in full.
    func detail(_ number: Int) -> String {
        var text = ""
        each { record, analyzer in
            guard record.header.number == number else { return }
            var detail = FrameDetail(usesColor: false)
            detail.render(record, analyzer)
            text = detail.out.text
        }
        return text
    }
}
