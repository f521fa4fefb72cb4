import Analysis
import CaptureFile
import Foundation
import PayloadFormat
import Rendering
import Testing
import UQDK
import WireBytes

/// How often, and on how many connections, the verdict says that something went wrong.
@Suite struct RepeatedFailureTests {
    /// Connections with these handles; `body` adds a record of each, the newest first.
    private func verdict(_ handles: ClosedRange<UInt8>, _ body: (inout Shown, String) -> Void) -> String? {
        var shown = Shown()
        for handle in handles {
            shown.event("3E 13 01 00 \(Hex.text([handle, 0])) 00 00 665544332211 1800 0000 F401 00")
        }
        for handle in handles.reversed() { body(&shown, Hex.text([handle])) }
        return Self.first(shown)
    }

    /// The first incident, a failure or a warning.
    private static func first(_ shown: Shown) -> String? {
        shown.verdict().first { $0.contains("\u{2717} 1  frame ") || $0.contains("! 1  frame ") }
    }

    @Test func `connections that are lost are as many as their ends`() {
        let line = verdict(0x40...0x67) { $0.event("05 04 00 \($1)00 08") }
        #expect(line?.contains("(40 times, on 40 connections)") == true, "\(line ?? "none")")
    }

    @Test func `past those that are told apart, at least as many connections as are known`() {
        func notify(_ shown: inout Shown, _ handle: String) {
            shown.add(.acl, .controllerToHost, "\(handle)20 0800 0400 0400 1B 1400 01")
        }
        let few = verdict(0x40...0x5F, notify)
        #expect(few?.contains("(32 times, on 32 connections)") == true, "\(few ?? "none")")
        let many = verdict(0x40...0x67, notify)
        #expect(many?.contains("(40 times, on at least 33 connections)") == true, "\(many ?? "none")")
    }

    @Test(arguments: [nil, 1...9] as [ClosedRange<Int>?])
    func `of what weighs as much, the first that is named came first, in whatever file`(
        _ chosen: ClosedRange<Int>?
    ) {
        var shown = Shown()
        shown.names = ["later", "earlier"]
        shown.isOneLog = true
        shown.file = 1
        shown.connect()
        shown.event("08 04 06 4000 00")
        shown.file = 0
        shown.event("10 01 42")
        let lines = shown.verdict(choosing: chosen).filter { $0.contains("\u{2717} ") }
        #expect(lines.map { $0.prefix(16) } == ["  \u{2717} 1  frame 2:2", "\u{2717} 2  frame 1:1  "])
    }

    @Test func `a frame of no connection is not counted among connections`() {
        var shown = Shown()
        shown.connect()
        shown.add(.command, .hostToController, "0910 01")
        shown.add(.command, .hostToController, "0604 04 4000 13 00 FF")
        let line = Self.first(shown)
        #expect(line?.contains("(2 times)") == true, "\(line ?? "none")")
    }

    @Test func `a device that comes back again and again leaves room for the failure of another one`() {
        var shown = Shown()
        for _ in 0..<70 {
            shown.add(.command, .hostToController, "0504 0D 010203040506 18CC 02 00 0000 00")
            shown.event("0F 04 00 01 0504")
            shown.event("03 0B 04 0000 010203040506 01 00")
            shown.now += 70_000_000_000
            shown.event("03 0B 00 4200 010203040506 01 00")
            shown.event("05 04 00 4200 16")
        }
        shown.connect()
        shown.event("05 04 00 4000 08")
        let lines = shown.report()
        #expect(lines.contains { $0.contains("connection lost: Connection Timeout (0x08)") }, "\(lines)")
        #expect(lines.contains { $0.contains(" times); connected 70.0 s after the last time") }, "\(lines)")
        #expect(lines.count { $0.contains("\u{2717} ") } == 5, "\(lines)")
    }

    @Test func `a refusal that comes again after a success has all its places`() throws {
        var shown = Shown()
        shown.connect()
        func read(_ answer: String) {
            shown.att(.hostToController, "0A 0300")
            shown.att(.controllerToHost, answer)
        }
        for _ in 0..<2 {
            for _ in 0..<3 { read("01 0A 0300 0E") }
            read("0B 64")
        }
        let summary = try #require(try shown.values(toEnd: true).last)
        let entries = ["wrong", "overcome"].flatMap { summary[$0]?.elements ?? [] }
        let entry = try #require(entries.first)
        #expect(entries.count == 1 && entry["count"]?.integer == 6)
        let places = entry["occurrences"]?.elements ?? []
        #expect(places.compactMap { $0["frame"]?.integer ?? $0.integer } == [3, 5, 7, 11, 13, 15])
    }

    @Test func `a key that was locked out names the refused proofs before`() throws {
        let file = try #require(TestFiles.captures.first { $0.lastPathComponent == "uqdk-refusals.btsnoop" })
        let zeros = String(repeating: "0", count: 32)
        let wrong = #"{"uqdk": [{"keyId": "1122334455667788", "key": "\#(zeros)"}]}"#
        for keys in [nil, try KeyStore(json: Array(wrong.utf8))] {
            var reader = try CaptureReader(path: file.path)
            var knowledge = AnalysisKnowledge()
            if let keys { knowledge.uqdk = UQDKKnowledge(keys: keys) }
            var analyzer = Analyzer(knowledge)
            while let record = try reader.next() { analyzer.analyze(record) }
            analyzer.finish()
            let cause = "keyLockedOut after 5 refused proofs (frames 333 to 377)"
            let locked = Verdict.listed(analyzer, analyzer.totals)
                .filter { $0.problem.line.contains(cause) }
            #expect(locked.map(\.place.frame) == [382] && locked.map(\.count) == [2])
        }
    }

    @Test func `a pairing that failed first stands before a warning`() {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "1B 0500 01")
        shown.add(.acl, .controllerToHost, "4020 0600 0200 0600 05 04")
        shown.event("05 04 00 4000 16")
        shown.connect()
        shown.add(.acl, .hostToController, "4000 0B00 0700 0600 01 03 00 01 10 00 00")
        shown.add(.acl, .controllerToHost, "4020 0B00 0700 0600 02 03 00 01 10 00 00")
        shown.event("08 04 00 4000 01")
        let lines = shown.verdict()
        #expect(shown.failures() == [])
        let marked = lines.filter { $0.hasPrefix("! ") }
        #expect(marked.first?.contains("pairing failed: Confirm Value Failed (0x04)") == true, "\(lines)")
        #expect(marked.count == 2, "\(lines)")
    }
}
