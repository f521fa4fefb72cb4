import Analysis
import CaptureFile
import Profiles
import Testing
import WireBytes

@testable import Rendering

/// Profiles of advertising data, and refusals, in each output.
@Suite struct AdvertisedProfileTests {
    private static let ruuvi = "1B FF 9904 0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F"

    @Test func `the lines below a report name its sender's values`() {
        var shown = Shown()
        shown.advertise(Self.ruuvi)
        shown.advertise("05 16 0F18 6400")
        let lines = shown.text()
        #expect(lines.contains("ruuvi measurements"), "\(lines)")
        #expect(lines.contains { $0.contains("temperature=24.300 °C  humidity=53.4900%") }, "\(lines)")
        #expect(lines.count { $0.hasPrefix("ruuvi ") } == 1)
    }

    @Test func `NDJSON has the values of each report, within its schema`() throws {
        var shown = Shown()
        shown.advertise(Self.ruuvi)
        shown.advertise("03 16 D2FC" + "02 01 06")
        shown.advertise("09 16 D2FC 40 02CA09 0161")
        let values = try shown.values()
        let profiles = values.map { $0["profiles"]?[0] }
        #expect(profiles[0]?["profile"]?.text == "ruuvi" && profiles[0]?["recognized_by"]?.text == "company")
        #expect(profiles[0]?["fields"]?["sequence"] == .number("205"))
        #expect(profiles[1] == nil)
        #expect(profiles[2]?["recognized_by"]?.text == "service-data")
    }

    @Test func `frame details include advertised values`() {
        var shown = Shown()
        shown.advertise(Self.ruuvi)
        var detail = FrameDetail(usesColor: false)
        shown.each { record, analyzer in detail.render(record, analyzer) }
        #expect(String(decoding: detail.out.octets.copied(), as: UTF8.self).contains("ruuvi measurements"))
    }

    private static let lamp = """
        {"name": "lamp", "channels": [
          {"name": "requests", "attributes": [{"handle": 42, "operations": ["write"]}],
           "messages": [{"name": "dim", "fields": [{"name": "level", "type": "u8"}]}]},
          {"name": "answers", "attributes": [{"handle": 43, "operations": ["notify"]}],
           "messages": [{"name": "dimmed", "fields": [{"name": "result", "type": "u8",
             "enum": {"0": "done", "2": {"name": "too hot", "refusal": true}}}]}]}
        ], "pairs": [{"request": "dim", "response": "dimmed"}]}
        """

    private static func knowledge(strict: Bool = false) throws -> AnalysisKnowledge {
        var profile = try Profile(json: Array(lamp.utf8))
        profile.isStrict = strict
        return AnalysisKnowledge(profiles: ProfileSet([profile]))
    }

    @Test func `a result that means a refusal is a failure, until the request is accepted`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "52 2A00 40")
        shown.att(.controllerToHost, "1B 2B00 02")
        let failures = shown.failures(try Self.knowledge())
        #expect(
            failures.contains { $0.contains("lamp: dimmed refuses the request: too hot") }, "\(failures)")
        shown.att(.hostToController, "52 2A00 41")
        shown.att(.controllerToHost, "1B 2B00 00")
        let later = shown.failures(try Self.knowledge())
        #expect(!later.contains { $0.contains("refuses") }, "\(later)")
    }

    @Test func `a value that does not fit is a failure only of a strict profile`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "1B 2B00 0001")
        #expect(shown.failures(try Self.knowledge()).isEmpty)
        let strict = shown.failures(try Self.knowledge(strict: true))
        #expect(strict.contains { $0.contains("lamp: trailing") }, "\(strict)")
    }
}
