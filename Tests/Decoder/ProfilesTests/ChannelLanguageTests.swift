import PayloadFormat
import Testing
import WireBytes

@testable import Profiles

/// Profiles of the SDUs of L2CAP channels.
@Suite struct ChannelLanguageTests {
    /// A profile of the channels that a list of selectors names, and of the attribute FD10/FD11, whose value
    /// holds an SPSM.
    static func profile(_ list: String, framing: String = "{}", endian: String = "big") -> String {
        """
        {"name": "x", "channels": [
         {"name": "service", "attributes": [{"service": "FD10", "characteristic": "FD11", "operations": ["read"]}],
          "messages": [{"name": "announcement", "fields": [
            {"name": "version", "type": "u8"},
            {"name": "service", "type": "u16", "endian": "\(endian)", "display": "hex"}]}]},
         {"name": "messages", "l2cap": \(list), "framing": \(framing), "select": {"at": 0}, "messages": [
          {"name": "ask", "value": 1, "fields": [{"name": "type", "type": "u8"}, {"name": "a", "type": "u8"}]},
          {"name": "tell", "value": 2, "fields": [
            {"name": "type", "type": "u8"},
            {"name": "b", "type": "u8", "enum": {"9": {"name": "busy", "refusal": true}}}]}]}],
         "pairs": [{"request": "ask", "response": "tell", "by": "order"}]}
        """
    }

    @Test func `SDUs of a stated SPSM have fields, answers and refusals`() throws {
        var link = try ProfileHarness(json: Self.profile(#"[{"psm": 37}, {"psm": "0x0080"}]"#))
        let asked = try link.send("0105", .write, psm: 0x80)
        #expect(asked.first?.message == "ask" && asked.first?.recognition == .psm)
        let told = try link.send("0209", .notify, psm: 0x80)
        #expect(told.first?.requestFrame == 1 && told.first?.codes == ["profile.refused"])
        #expect(try link.send("0105", .write, psm: 37).count == 1)
        #expect(try link.send("0105", .write, psm: 0x81).isEmpty)
        #expect(try link.send("01", .write, psm: 0x80).first?.codes == ["profile.misfit.length"])
    }

    @Test(arguments: [("big", "0000b1", UInt16(0xB1)), ("little", "00b100", 0xB1), ("big", "000100", 0x100)])
    func `an attribute announces the SPSM, in the byte order of its field`(
        endian: String, value: String, psm: UInt16
    ) throws {
        var link = try ProfileHarness(json: Self.profile(#"[{"psmField": "service"}]"#, endian: endian))
        #expect(try link.send("0105", .write, psm: psm).isEmpty)
        #expect(!link.tracker.follows(psm: psm))
        #expect(try link.one(value, .read, of: "FD10/FD11").problems.isEmpty)
        #expect(link.tracker.follows(psm: psm) && !link.tracker.follows(psm: psm + 1))
        #expect(try link.send("0105", .write, psm: psm).first?.message == "ask")
        #expect(try link.send("0105", .write, psm: psm + 1).isEmpty)
        _ = link.tracker.close(at: link.time)
        #expect(!link.tracker.follows(psm: psm))
    }

    @Test func `a profile that is only tried is proved by its announced SPSM, not by a stated one`() throws {
        let announced = try Profile(json: Array(Self.profile(#"[{"psmField": "service"}]"#).utf8))
        var link = ProfileHarness([], tried: [ProfileSource(announced)])
        #expect(try link.send("0000b1", .read, of: "FD10/FD11").isEmpty)
        #expect(try link.send("07", .write, psm: 0xB1).isEmpty)
        #expect(try link.send("0105", .write, psm: 0xB1).first?.message == "ask")
        #expect(try link.send("0207", .notify, psm: 0xB1).first?.requestFrame == 3)
        let stated = try Profile(json: Array(Self.profile(#"[{"psm": 177}]"#).utf8))
        link = ProfileHarness([], tried: [ProfileSource(stated)])
        #expect(try link.send("0105", .write, psm: 0xB1).isEmpty)
    }

    @Test func `messages may run over several SDUs, those of each side by themselves`() throws {
        let framing = #"{"stream": {"size": 2}}"#
        var link = try ProfileHarness(json: Self.profile(#"[{"psm": 128}]"#, framing: framing))
        #expect(try link.send("01", .write, psm: 0x80).first?.fragment == .open)
        #expect(try link.send("02", .notify, psm: 0x80).first?.fragment == .open)
        #expect(try link.send("05", .write, psm: 0x80).first?.message == "ask")
        #expect(try link.send("06", .notify, psm: 0x80).first?.message == "tell")
    }

    @Test func `a link remembers a bounded number of announced SPSMs`() throws {
        var link = try ProfileHarness(json: Self.profile(#"[{"psmField": "service"}]"#))
        for number in 1...500 {
            let value: [UInt8] = [0, UInt8(number >> 8), UInt8(number & 0xFF)]
            _ = try link.send(Hex.text(value), .read, of: "FD10/FD11")
        }
        #expect((1...500).count { link.tracker.follows(psm: UInt16($0)) } == 64)
    }

    @Test func `an SDU of which the log has a part is shown as bytes`() throws {
        var link = try ProfileHarness(json: Self.profile(#"[{"psm": 128}]"#))
        let cut = try link.send("01", .write, psm: 0x80, originalLength: 2)
        #expect(cut.first?.codes == ["profile.cut"] && cut.first?.opaque == [1])
    }

    static let faults: [(list: String, found: String)] = [
        ("[]", "an empty array"), ("[{}]", "nothing that identifies its values"),
        (#"[{"psm": 128, "psmField": "service"}]"#, "an SPSM and a field"),
        (#"[{"psm": 65536}]"#, "another number"), (#"[{"psmField": "nowhere"}]"#, #""nowhere""#),
        (#"[{"psm": 128, "handle": 3}]"#, "an unknown member"),
    ]

    @Test(arguments: faults)
    func `a wrong selector is reported`(list: String, found: String) throws {
        let problems = Profile.check(Array(Self.profile(list).utf8))
        #expect(problems.contains { $0.description.contains(found) }, "\(problems)")
        #expect(problems.allSatisfy { $0.description.contains("channels[1].l2cap") }, "\(problems)")
    }
}
