import PayloadFormat
import Profiles
import Testing

/// The name of all values that have none of their own.
@Suite struct OtherValuesTests {
    private static let text = #"""
        {"name": "x",
         "protobuf": {"Result": {"0": "OK", "default": {"name": "failed", "refusal": true}},
          "Answer": [{"number": 1, "name": "result", "type": "enum", "enum": "Result"}]},
         "channels": [{"name": "c", "attributes": [{"characteristic": "FD11"}], "select": {"at": 0}, "messages": [
          {"name": "plain", "value": 1, "fields": [{"name": "kind", "type": "u8"},
            {"name": "result", "type": "u8", "enum": {"0": "fine", "7": "later", "default": {"name": "error", "refusal": true}}},
            {"name": "mode", "type": "i8", "enum": {"default": "reserved", "1": "on"}},
            {"name": "flags", "type": "u8", "bits": [{"name": "state", "at": 0, "width": 4,
             "enum": {"0": "idle", "default": {"name": "busy", "refusal": true}}}]}]},
          {"name": "map", "value": 2, "fields": [{"name": "kind", "type": "u8"},
            {"name": "answer", "type": "protobuf", "message": "Answer"}]}]}]}
        """#

    @Test func `values without a name of their own have the name of all others`() throws {
        var link = try ProfileHarness(json: Self.text)
        let fine = try link.one("01000100", .notify, of: "FD10/FD11")
        #expect(fine.problems.isEmpty && fine.fields.text("result") == "fine")
        #expect(fine.fields.text("mode") == "on" && fine.fields.text("flags.state") == "idle")
        let later = try link.one("0107ff00", .notify, of: "FD10/FD11")
        #expect(later.problems.isEmpty && later.fields.text("result") == "later")
        #expect(later.value("mode") == .named(0xFF, "reserved"))
        let refused = try link.one("01190100", .notify, of: "FD10/FD11")
        #expect(refused.codes == ["profile.refused"] && refused.refusal == "error 25")
        #expect(refused.value("result") == .named(25, "error"))
        let busy = try link.one("01000103", .notify, of: "FD10/FD11")
        #expect(busy.refusal == "busy 3")
        let layout = link.profiles[0].channels[0].messages[0].layout
        #expect(try layout.encode(refused.fields) == [1, 25, 1, 0])
    }

    @Test func `an enumeration that messages share may have such a name`() throws {
        var link = try ProfileHarness(json: Self.text)
        #expect(try link.one("020800", .notify, of: "FD10/FD11").problems.isEmpty)
        let refused = try link.one("0208ac02", .notify, of: "FD10/FD11")
        #expect(refused.refusal == "failed 300" && refused.fields.text("answer.result") == "failed")
    }

    @Test func `a value can't be typed by the name of all others`() throws {
        let layout = try Profile(json: Array(Self.text.utf8)).channels[0].messages[0].layout
        #expect(throws: LayoutError.unfit("result")) {
            try layout.encode(typed: ["kind": "1", "result": "error"])
        }
        #expect(try layout.encode(typed: ["kind": "1", "result": "9", "mode": "on"]) == [1, 9, 1, 0])
    }

    /// A part of the profile, its replacement, and the finding and the expectation of the problem.
    static let faults: [(String, String, String, String)] = [
        (
            #""type": "i8", "enum""#, #""type": "i8", "scale": 2, "enum""#,
            "a default name beside flags, a scale, a unit or hex", "it with names of values alone"
        ),
        (
            #""type": "i8", "enum""#, #""type": "i8", "unit": "V", "enum""#,
            "a default name beside flags, a scale, a unit or hex", "it with names of values alone"
        ),
        (
            #""type": "i8", "enum""#, #""type": "utf8", "enum""#, "the key \"default\"",
            "a number or 0x… up to 255, once"
        ),
        (#""type": "i8", "enum""#, #""type": "bcd", "length": 1, "enum""#, "the key \"default\"", "a number"),
    ]

    @Test(arguments: faults)
    func `a mistake is named`(part: String, replacement: String, found: String, expected: String) throws {
        let problem = try Profile.problem(of: Self.text, replacing: part, with: replacement, found: found)
        #expect(problem.expected.hasPrefix(expected) && problem.line > 1)
    }
}
