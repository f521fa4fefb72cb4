import PayloadFormat
import TestSupport
import Testing

@testable import Profiles

/// Messages of Protocol Buffers in profiles.
@Suite struct ProtobufLanguageTests {
    @Test func `a message stands among other fields and is refused by its names`() throws {
        var link = ProfileHarness([
            try Profile(json: try PackageFile.octets("Tests/Decoder/ProfilesTests/everything.json"))
        ])
        let fits = try link.one("02" + "0801" + "0801" + "1001" + "1a020801", .notify, of: "FD10/FD17")
        #expect(fits.message == "buffer" && fits.codes == ["profile.refused"] && fits.refusal == "refused")
        #expect(fits.fields.text("first.state") == "refused" && fits.fields.text("second.id") == "0x1")
        #expect(fits.fields.text("second.levels.0.levels") == "-0.5")
        #expect(fits.fields.text("second.content.state") == "refused")
        let broken = try link.one("020801" + "08", .notify, of: "FD10/FD17")
        #expect(broken.misfits.map(\.check) == ["varint"] && broken.misfits.first?.field == "second")
        #expect(broken.opaque == [2, 8, 1, 8])
    }

    /// A mistake in the types or members, its path, and a part of what was expected.
    static let mistakes: [(types: String, member: String, path: String, expected: String)] = [
        ("3", #""type": "bool""#, "$.protobuf", "an object of message types and enumerations"),
        (#"{"A": 3}"#, #""type": "bool""#, "$.protobuf.A", "an array of members"),
        (#"{"E": {"x": "y"}}"#, #""type": "bool""#, "$.protobuf.E.x", "a number or 0x"),
        ("{}", #""type": "u8""#, "$.channels[0].messages[0].fields[0].members[0]", "one of uint32"),
        (
            "{}", #""type": "enum""#, "$.channels[0].messages[0].fields[0].members[0]",
            "the names of its values"
        ),
        (
            "{}", #""type": "enum", "enum": "E""#, "$.channels[0].messages[0].fields[0].members[0].enum",
            "an object of names"
        ),
        (
            #"{"A": []}"#, #""type": "message", "message": "B""#,
            "$.channels[0].messages[0].fields[0].members[0].message", "one of A"
        ),
        (
            "{}", #""type": "message""#, "$.channels[0].messages[0].fields[0].members[0]", "one"
        ),
        (
            "{}", #""type": "string", "repeated": true, "packed": true"#,
            "$.channels[0].messages[0].fields[0].members[0]", "only with a repeated number"
        ),
        (
            "{}", #""type": "bytes", "if": {"field": "a.b", "is": 1}"#,
            "$.channels[0].messages[0].fields[0].members[0]", "the path of an integer"
        ),
        (
            #"{"Node": [{"number": 1, "name": "next", "type": "message", "message": "Node"}]}"#,
            #""type": "message", "message": "Node"}, {"number": 2, "name": "b", "type": "bytes", "if": {"field": "a"#
                + String(repeating: ".next", count: 60_000) + #"", "is": 1}"#,
            "$.channels[0].messages[0].fields[0].members[1]", "the path of an integer"
        ),
        (
            "{}",
            #""type": "message", "members": [{"number": 1, "name": "b", "type": "bytes", "if": {"field": "c", "is": 1}}]"#,
            "$.channels[0].messages[0].fields[0].members[0]", "the path of an integer"
        ),
        (
            "{}", #""type": "bool"}, {"number": 1, "name": "b", "type": "bool""#,
            "$.channels[0].messages[0].fields[0].members[1]", "\"if\" in all but the last"
        ),
        (
            "{}", #""type": "bool"}, {"number": 2, "name": "a", "type": "bool""#,
            "$.channels[0].messages[0].fields[0].members[1]", "another"
        ),
        (
            "{}", #""type": "bool"}, {"number": 0, "name": "b", "type": "bool""#,
            "$.channels[0].messages[0].fields[0].members[1].number", "1"
        ),
        (
            "{}", #""type": "bool"}, {"number": 2, "name": "unknown", "type": "bool""#,
            "$.channels[0].messages[0].fields[0].members[1]", "other numbers"
        ),
    ]

    @Test(arguments: mistakes)
    func `a mistake in a message type is named with its place`(
        types: String, member: String, path: String, expected: String
    ) {
        let text = """
            {"name": "p", "protobuf": \(types),
             "channels": [{"name": "c", "attributes": [{"characteristic": "FD11"}], "messages": [
             {"name": "m", "fields": [{"name": "f", "type": "protobuf", "members": [
               {"number": 1, "name": "a", \(member)}]}]}]}]}
            """
        let problems = Profile.check(Array(text.utf8))
        #expect(
            problems.contains { $0.path == path && $0.expected.contains(expected) },
            "\(problems.map(\.description))")
    }
}
