import CaptureFile
import Testing

@testable import Rendering

/// What discovery finds as NDJSON has it: named members, as far as the recorder kept the response.
@Suite struct DiscoveryJSONTests {
    /// What a request on a connection and its response found, each element as sorted `name=value` words.
    private func found(
        _ request: String, _ response: String, original: Int? = nil
    ) throws -> [String] {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, request)
        shown.att(.controllerToHost, response, original: original)
        let att = try #require(try shown.values().last?["att"])
        return (att["found"]?.elements ?? []).map { element in
            Self.names.compactMap { name in
                guard let value = element[name] else { return nil }
                if let number = value.integer { return "\(name)=\(number)" }
                if let list = value.elements {
                    return name + "=" + list.compactMap(\.text).joined(separator: "+")
                }
                return name + "=" + (value.text ?? "true")
            }.joined(separator: " ")
        }
    }

    private static let names = [
        "handle", "included_handle", "end_handle", "properties", "value_handle", "uuid", "name", "value",
        "cut", "octets",
    ]

    private static let whole: [(String, String, [String])] = [
        // Services by their group, of 16 and of 128 bits.
        (
            "10 0100 FFFF 0028", "11 06 0100 0500 0F18 0600 FFFF F0FF",
            ["handle=1 end_handle=5 uuid=180F name=Battery", "handle=6 end_handle=65535 uuid=FFF0"]
        ),
        (
            "10 0100 FFFF 0128", "11 14 0100 0500 59454b4c41544947494401004b445155",
            ["handle=1 end_handle=5 uuid=5551444B-0001-4449-4749-54414C4B4559"]
        ),
        // A service by its UUID.
        (
            "06 0100 FFFF 0028 0F18", "07 0A00 0F00 2000 2500",
            ["handle=10 end_handle=15", "handle=32 end_handle=37"]
        ),
        // Included services, with a UUID and without.
        (
            "08 0100 FFFF 0228", "09 08 0A00 2000 2500 0F18",
            ["handle=10 included_handle=32 end_handle=37 uuid=180F name=Battery"]
        ),
        ("08 0100 FFFF 0228", "09 06 0A00 2000 2500", ["handle=10 included_handle=32 end_handle=37"]),
        // Characteristics.
        (
            "08 0100 FFFF 0328", "09 07 0200 12 0300 192A 0500 04 0600 F2FF",
            [
                "handle=2 properties=read+notify value_handle=3 uuid=2A19 name=Battery Level",
                "handle=5 properties=write without response value_handle=6 uuid=FFF2",
            ]
        ),
        // A value by its type.
        ("08 0100 0700 002A", "09 08 0300 4D794C6F636B", ["handle=3 value=4d794c6f636b"]),
        // Types of attributes.
        (
            "04 0100 0500", "05 01 0300 0228 0400 0229 0500 192A",
            [
                "handle=3 uuid=2802 name=Include",
                "handle=4 uuid=2902 name=Client Characteristic Configuration",
                "handle=5 uuid=2A19 name=Battery Level",
            ]
        ),
    ]

    @Test(arguments: whole)
    func `each element has its parts by name`(request: String, response: String, expected: [String]) throws {
        #expect(try found(request, response) == expected)
    }

    private static let cut: [(String, String, Int, [String])] = [
        ("10 0100 FFFF 0028", "11 06 0100 0500", 14, ["handle=1 end_handle=5 cut=true"]),
        ("10 0100 FFFF 0028", "11 06 01", 14, ["cut=true octets=01"]),
        ("10 0100 FFFF 0128", "11 14 0100 0500 5945", 22, ["handle=1 end_handle=5 cut=true octets=5945"]),
        ("08 0100 FFFF 0328", "09 07 0200 12", 9, ["handle=2 properties=read+notify cut=true"]),
        (
            "08 0100 FFFF 0328", "09 07 0200 12 0300 19", 9,
            ["handle=2 properties=read+notify value_handle=3 cut=true octets=19"]
        ),
        (
            "08 0100 FFFF 0328", "09 15 0200 12 0300 192A", 23,
            ["handle=2 properties=read+notify value_handle=3 cut=true octets=192a"]
        ),
        ("08 0100 FFFF 0228", "09 08 0A00 2000", 10, ["handle=10 included_handle=32 cut=true"]),
        ("08 0100 0700 002A", "09 08 0300 4D79", 10, ["handle=3 value=4d79 cut=true"]),
        (
            "04 0100 0500", "05 01 0400 0229 0500", 10,
            [
                "handle=4 uuid=2902 name=Client Characteristic Configuration", "handle=5 cut=true",
            ]
        ),
        ("06 0100 FFFF 0028 0F18", "07 0A00 0F", 5, ["handle=10 cut=true octets=0f"]),
    ]

    @Test(arguments: cut)
    func `of an element that is cut what is there has its name`(
        request: String, response: String, original: Int, expected: [String]
    ) throws {
        #expect(try found(request, response, original: original) == expected)
    }

    @Test func `a malformed response lists nothing, and one whose request is missing its values`() throws {
        #expect(try found("04 0100 0500", "05 03 0400 0029").isEmpty)
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "09 07 0200 12 0300 192A")
        let element = try shown.values().last?["att"]?["found"]?[0]
        #expect(element?["value"]?.text == "120300192a")
    }

    @Test func `text takes the start of a long UUID for no short one`() {
        for (request, response, octets) in [
            ("10 0100 FFFF 0128", "11 14 0100 0500 0F18", "0f18"),
            ("08 0100 FFFF 0328", "09 15 0200 12 0300 192A", "192a"),
            ("04 0100 0500", "05 02 0400 0229", "0229"),
        ] {
            var shown = Shown()
            shown.connect()
            shown.att(.hostToController, request)
            shown.att(.controllerToHost, response, original: 23)
            let line = shown.text().last { $0.hasPrefix("ATT") } ?? ""
            #expect(line.contains(" \(octets)") && !line.contains("Battery"), "\(line)")
            #expect(!line.contains("Client"), "\(line)")
        }
    }
}
