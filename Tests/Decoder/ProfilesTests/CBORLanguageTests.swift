import PayloadFormat
import TestSupport
import Testing
import WireBytes

@testable import Profiles

/// Maps of CBOR in profiles.
@Suite struct CBORLanguageTests {
    private static func annotate(_ hex: String) throws -> ProfileAnnotation {
        var link = ProfileHarness([
            try Profile(json: try PackageFile.octets("Tests/Decoder/ProfilesTests/everything.json"))
        ])
        return try link.one(hex, .notify, of: "FD10/FD18")
    }

    @Test func `maps stand among other fields, in any order of their keys`() throws {
        // The state comes before the id that says what it is.
        let first = "a2" + "6474657874" + "6161" + "646e657874" + "a1" + "63796573" + "f5"
        let second =
            "a5" + "0201" + "2001" + "666c6576656c73" + "820322" + "657461736b73" + "a1646d61696ea1617024"
            + "1864" + "f6"
        let fits = try Self.annotate("13" + first + second)
        #expect(fits.message == "map" && fits.misfits.isEmpty)
        #expect(fits.fields.text("first.text") == "a")
        #expect(fits.fields.text("second.id") == "0x1" && fits.fields.text("second.state") == "refused")
        #expect(fits.fields.text("second.levels.0.levels") == "1.5")
        #expect(fits.fields.text("second.levels.1.levels") == "-1.5")
        #expect(fits.fields.text("second.tasks.0.key") == "main")
        #expect(fits.fields.text("second.tasks.0.priority") == "-5")
        #expect(fits.fields.text("second.unknown.0.key") == "100")
        #expect(fits.fields.text("second.unknown.0.value") == "null")
        #expect(fits.fields.text("second.unknown.0.bytes") == "1864f6")
        #expect(fits.codes == ["profile.refused"] && fits.refusal == "refused")
    }

    @Test func `a value of another type or a second one is unknown`() throws {
        let fits = try Self.annotate(
            "01a0" + "a5" + "2002" + "2003" + "0220" + "666c6576656c73" + "8161" + "61" + "187b" + "c101")
        #expect(fits.misfits.isEmpty && fits.fields.text("second.id") == "0x2")
        let unknown = (0..<4).map { fits.fields.text("second.unknown.\($0).value") }
        #expect(unknown == ["3", "[\"a\"]", "1(1)", "-1"])
    }

    /// A second map that does not fit, the broken rule, the field and its offset.
    static let broken: [(hex: String, check: String, field: String, offset: Int)] = [
        ("a0", "required", "second.id", 2), ("80", "type", "second", 2), ("", "type", "second", 2),
        ("a12001a0", "trailing", "second", 5), ("a1", "length", "second", 3),
        ("a120011c", "item", "second", 5),
        ("a12001ff", "item", "second", 5), ("bf2001", "length", "second", 5),
        ("a161ff00", "text", "second", 3),
        ("bbffffffffffffffff2001", "length", "second", 13),
        (String(repeating: "81", count: 100), "depth", "second", 18),
        ("9f" + String(repeating: "00", count: 5_000), "count", "second", 4_098),
    ]

    @Test(arguments: broken)
    func `a map that does not fit names the rule and the place`(
        hex: String, check: String, field: String, offset: Int
    ) throws {
        let misfit = try Self.annotate("01a0" + hex).misfits.first
        #expect(misfit?.check == check && misfit?.field == field && misfit?.offset == offset)
    }

    @Test func `what a map's fields read, they write again`() throws {
        var problems = DocumentProblems()
        var document = LayoutDocument(order: .big)
        let text = """
            [{"name": "m", "type": "cbor", "members": [
              {"key": "a", "type": "int32"}, {"key": 1, "name": "b", "type": "uint64"}, {"key": -2, "name": "c", "type": "int64"},
              {"key": "d", "type": "bool"}, {"key": "e", "type": "double"}, {"key": "f", "type": "string"},
              {"key": "g", "type": "bytes"}, {"key": "h", "type": "int32", "enum": {"0xFFFFFFFF": "none"}},
              {"key": "i", "type": "message", "keyed": true, "members": [{"key": 0, "name": "x", "type": "bool"}]},
              {"key": "j", "type": "string", "repeated": true}, {"key": "k", "type": "uint32", "keyed": true},
              {"key": "l", "type": "message", "repeated": true, "members": [{"key": 0, "name": "x", "type": "int64"}]}]}]
            """
        guard case .array(let nodes) = try JSONParser.parse(Array(text.utf8)).value else { return }
        let layout = Layout(document.fields(nodes, &problems))
        #expect(problems.isEmpty, "\(problems.list)")
        for hex in [
            "a161613a7fffffff", "a1011bffffffffffffffff", "a1213b7fffffffffffffff", "a16164f5",
            "a16165fa3fc00000",
            "a16165fb3ff199999999999a", "a161666161", "a16167420001", "a1616820", "a16169a1616da100f4",
            "a1616a826161" + "6162", "a1616ba2616101616200", "a1616c82a10000a0", "a2616120" + "617a83010203",
            "a1f6a161611b8000000000000000", "a0",
        ] {
            let decoded = layout.decode(try Hex.octets(hex))
            #expect(try decoded.misfit == nil && Hex.text(layout.encode(decoded.fields)) == hex)
        }
    }

    @Test func `a mistake in the fields that messages share is named once`() {
        let text = """
            {"name": "p", "channels": [{"name": "c", "attributes": [{"characteristic": "FD11"}],
             "select": {"at": 0}, "fields": [{"name": "a", "type": "u9"}],
             "messages": [{"name": "m", "value": 1, "fields": []}, {"name": "n", "fields": []}]}]}
            """
        #expect(Profile.check(Array(text.utf8)).map(\.path) == ["$.channels[0].fields[0]"])
    }

    /// A mistake in the types or members, its path, and a part of what was expected.
    static let mistakes: [(types: String, member: String, path: String, expected: String)] = [
        ("3", #""key": "a", "type": "bool""#, "$.cbor", "an object of message types and enumerations"),
        ("{}", #""type": "bool""#, "members[0]", "one"),
        ("{}", #""key": true, "type": "bool""#, "members[0].key", "number"),
        ("{}", #""key": 1, "type": "bool""#, "members[0]", "one"),
        ("{}", #""key": "a b", "type": "bool""#, "members[0]", "1 to 40 letters"),
        ("{}", #""key": "a", "type": "fixed32""#, "members[0]", "one of uint32, uint64, int32, int64, bool"),
        ("{}", #""key": "a", "type": "bool", "packed": true"#, "members[0].packed", "one of"),
        (
            "{}", #""key": "a", "type": "bytes", "message": "B""#, "members[0].message",
            "the profile's \"cbor\""
        ),
        (
            "{}", #""key": "a", "type": "message", "message": "B""#, "members[0].message",
            "the profile's \"cbor\""
        ),
        ("{}", #""key": "a", "type": "bool", "keyed": true, "repeated": true"#, "members[0]", "one of them"),
        (
            "{}", #""key": "a", "type": "bool"}, {"key": "a", "name": "b", "type": "bool""#, "members[1]",
            "of the same key"
        ),
        ("{}", #""key": "unknown", "type": "bool""#, "members[0]", "other keys"),
        (
            "{}", #""key": "a", "type": "bool", "if": {"field": "b", "is": 1}"#, "members[0]",
            "the path of an integer"
        ),
    ]

    @Test(arguments: mistakes)
    func `a mistake in a map is named with its place`(
        types: String, member: String, path: String, expected: String
    ) {
        let text = """
            {"name": "p", "cbor": \(types),
             "channels": [{"name": "c", "attributes": [{"characteristic": "FD11"}], "messages": [
             {"name": "m", "fields": [{"name": "f", "type": "cbor", "members": [{\(member)}]}]}]}]}
            """
        let problems = Profile.check(Array(text.utf8))
        #expect(
            problems.contains { $0.path.hasSuffix(path) && $0.expected.contains(expected) },
            "\(problems.map(\.description))")
    }
}
