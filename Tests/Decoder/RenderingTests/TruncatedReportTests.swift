import CaptureFile
import Testing
import WireBytes

@testable import Rendering

/// Advertising data of which the controller says that it could not get the rest: cut, and not malformed.
@Suite struct TruncatedReportTests {
    /// An extended advertising report with these data and this data status.
    private static func report(_ data: String, status: UInt8) -> String {
        let data = Shown.octets(data)
        let head: [UInt8] = [status << 5, 0, 0] + Shown.octets("665544332211") + [1, 1, 0, 127, 0xC8, 0, 0]
        let report = head + [0] + Shown.octets("000000000000") + [UInt8(data.count)] + data
        return Hex.text([0x3E, UInt8(report.count + 2), 0x0D, 1] + report)
    }

    @Test func `a structure at the end of truncated data is cut`() throws {
        var shown = Shown()
        shown.event(Self.report("020106 0A 09 6162", status: 2))
        let text = shown.text()
        #expect(text.contains { $0.contains("Complete Local Name=\"ab\" [cut: 3 of 10 bytes]") }, "\(text)")
        #expect(!text.contains { $0.contains("malformed") })
        let report = try #require(try shown.values().last?["advertising"]?[0])
        #expect(report["malformed"] == nil)
        #expect(report["cut"]?["captured"]?.integer == 3 && report["cut"]?["length"]?.integer == 10)
    }

    @Test func `truncated data that end with a structure are shown as they are`() throws {
        var shown = Shown()
        shown.event(Self.report("020106 03 09 6162", status: 2))
        #expect(!shown.text().contains { $0.contains("cut") || $0.contains("malformed") })
        #expect(try shown.values().last?["advertising"]?[0]?["cut"] == nil)
    }

    @Test func `the same octets in a report that is whole are malformed, whichever came first`() throws {
        for order in [[2, 0], [0, 2]] as [[UInt8]] {
            var shown = Shown()
            for status in order { shown.event(Self.report("0A 09 6162", status: status)) }
            let lines = shown.text().filter { $0.contains("Complete Local Name") }
            #expect(lines.map { $0.contains("[cut: 3 of 10") } == order.map { $0 == 2 }, "\(lines)")
            #expect(lines.map { $0.contains("[malformed at ") } == order.map { $0 == 0 })
            let reports = try shown.values().map { $0["advertising"]?[0] }
            #expect(reports.map { $0?["malformed"] != nil } == order.map { $0 == 0 })
        }
    }

    @Test func `parts whose last one is truncated are cut where they end`() throws {
        var shown = Shown()
        shown.event(Self.report("020106 0A 09 61", status: 1))
        shown.event(Self.report("62", status: 2))
        let text = shown.text()
        #expect(text.contains { $0.contains("[cut: 3 of 10 bytes]") }, "\(text)")
        let part = try #require(try shown.values().last?["advertising"]?[0])
        #expect(part["part"] != nil && part["cut"]?["captured"]?.integer == 3)
    }

    @Test func `what goes on in no later report is a part, and not malformed`() throws {
        var shown = Shown()
        shown.event(Self.report("020106 0A 09 6162", status: 1))
        #expect(!shown.text().contains { $0.contains("malformed") })
        #expect(try shown.values().last?["advertising"]?[0]?["malformed"] == nil)
    }
}
