import PayloadFormat
import Profiles
import Testing

/// The values by which a frame selects its message.
@Suite struct MessageSelectionTests {
    private static let severalValues = #"""
        {"name": "x", "channels": [{"name": "c", "attributes": [{"characteristic": "FD11"}],
         "select": {"at": 0, "mask": "0x0F"}, "messages": [
          {"name": "a", "value": [1, "0x02"], "fields": [{"name": "n", "type": "u8"}]},
          {"name": "b", "value": 3, "fields": [{"name": "n", "type": "u8"}]}]}]}
        """#

    @Test func `each of several values selects a message, and the first is written`() throws {
        var link = try ProfileHarness(json: Self.severalValues)
        for (hex, name) in [("01", "a"), ("02", "a"), ("f2", "a"), ("03", "b")] {
            #expect(try link.one(hex, .write, of: "FD10/FD11").message == name)
        }
        #expect(try link.one("04", .write, of: "FD10/FD11").misfits.first?.expected == "one of 0x1, 0x2, 0x3")
        let channel = link.profiles[0].channels[0]
        #expect(try channel.frame(of: channel.messages[0], typed: [:]) == [1])
    }

    @Test(arguments: [
        (#"[1, "0x02"]"#, "[1, 3]", "$.channels[0].messages[1]", "a value of its own"),
        (#"[1, "0x02"]"#, "[]", "$.channels[0].messages[0].value", "values, each once"),
        (#"[1, "0x02"]"#, "[1, 1]", "$.channels[0].messages[0].value", "values, each once"),
        (#"[1, "0x02"]"#, "[1, 16]", "$.channels[0].messages[0].value[1]", "a whole number"),
        (
            #""select": {"at": 0, "mask": "0x0F"}, "#, "", "$.channels[0].messages[0].value",
            "\"select\" in the channel"
        ),
    ])
    func `values that can't select a message are named`(
        part: String, replacement: String, path: String, expected: String
    ) throws {
        let problems = Profile.check(Array(Self.severalValues.replacing(part, with: replacement).utf8))
        #expect(problems.contains { $0.path == path && $0.expected.hasPrefix(expected) }, "\(problems)")
    }
}
