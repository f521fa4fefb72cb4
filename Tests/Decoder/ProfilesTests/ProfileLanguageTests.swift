import PayloadFormat
import TestSupport
import Testing
import WireBytes

@testable import Profiles

/// Every word of the language, by one profile that uses all of them.
@Suite struct ProfileLanguageTests {
    private static func harness() throws -> ProfileHarness {
        ProfileHarness([
            try Profile(json: try PackageFile.octets("Tests/Decoder/ProfilesTests/everything.json"))
        ])
    }

    /// A frame of the channel `requests` around a body.
    private static func frame(_ body: [UInt8]) throws -> String {
        let checksum = try #require(Checksum.named("crc16-modbus"))
        let rest = body.count + 4
        let covered = [UInt8(0), UInt8(rest - 1)] + body
        let value = checksum.value(of: covered)
        let octets: [UInt8] = [0xA5] + covered + [UInt8(value & 0xFF), UInt8(value >> 8), 0x0D, 0x0A]
        return Hex.text(octets)
    }

    @Test func `fields of every type are read by name, scale and unit`() throws {
        var link = try Self.harness()
        let body = try Hex.octets("81" + "3412" + "10" + "8001" + "f6ff" + "03" + "c3a966" + "0102")
        let set = try link.one(try Self.frame(body), .write, of: "FD10/FD11")
        #expect(set.problems.isEmpty && set.message == "set" && set.isChecksumRight == true)
        #expect(
            set.value("head")
                == .group([DecodedField("type", .unsigned(1)), DecodedField("urgent", .unsigned(1))]))
        #expect(set.value("sequence") == .unsigned(0x1234))
        #expect(set.fields.filter(\.isVolatile).map(\.name) == ["sequence"])
        #expect(set.value("mode") == .named(0x10, "on"))
        #expect(set.value("options") == .flags(0x8001, ["light", "sound"]))
        #expect(set.value("temperature") == .decimal(FixedDecimal(mantissa: -1250, places: 2)))
        #expect(set.value("name") == .text("éf") && set.value("rest") == .octets([1, 2]))
    }

    @Test func `an array fills the message, its elements keep their fields`() throws {
        var link = try Self.harness()
        let list = try link.one(
            try Self.frame(try Hex.octets("020100" + "030201ff" + "060504c4")), .write, of: "FD10/FD11")
        #expect(
            list.value("items")
                == .list([
                    [
                        DecodedField("id", .hex(0x010203, digits: 6), range: 3..<6),
                        DecodedField("level", .signed(-1), unit: "dBm", range: 6..<7),
                    ],
                    [
                        DecodedField("id", .hex(0x040506, digits: 6), range: 7..<10),
                        DecodedField("level", .signed(-60), unit: "dBm", range: 10..<11),
                    ],
                ]))
        let cut = try link.one(try Self.frame(try Hex.octets("020100" + "030201")), .write, of: "FD10/FD11")
        #expect(
            cut.misfits == [
                Misfit(
                    check: "length", field: "items[0].level", offset: 9, expected: "1 bytes", found: "0 left"
                )
            ])
    }

    @Test func `a message without a value of its own is the one for all others`() throws {
        var link = try Self.harness()
        let other = try link.one(try Self.frame(try Hex.octets("fe0100aabb")), .write, of: "FD10/FD11")
        #expect(other.message == "other" && other.value("octets") == .octets([0xAA, 0xBB]))
    }

    @Test(arguments: [
        (2, ["checksum", "length"]), (-1, ["trailer"]), (-3, ["checksum"]), (4, ["checksum"]),
        (0, ["prefix"]),
    ])
    func `a frame that breaks rules names each`(place: Int, checks: [String]) throws {
        var link = try Self.harness()
        var octets = try Hex.octets(try Self.frame(try Hex.octets("fe0100aabb")))
        octets[place < 0 ? octets.count + place : place] ^= 1
        let annotation = try link.one(Hex.text(octets), .write, of: "FD10/FD11")
        #expect(annotation.misfits.map(\.check) == checks)
        #expect(annotation.message == nil && annotation.fields.isEmpty && annotation.opaque == octets)
    }

    @Test func `fragments become a message, and a request is joined to its answer by a field`() throws {
        var link = try Self.harness()
        let body = try Hex.octets("81" + "3412" + "00" + "0000" + "0000" + "00")
        #expect(try link.one(try Self.frame(body), .write, of: "FD10/FD11").message == "set")
        let other = try Hex.octets("81" + "7856" + "00" + "0000" + "0000" + "00")
        #expect(try link.one(try Self.frame(other), .write, of: "FD10/FD11").message == "set")
        let answer =
            "beef" + "3412" + "123456" + "010203" + "01" + "ffffffff0100000000000000" + "6162" + "0000"
        let first = try link.one("5a31" + String(answer.prefix(40)), .notify)
        #expect(first.fragment == .open && first.message == nil)
        let last = try link.one("5a3a" + String(answer.dropFirst(40)), .notify)
        #expect(last.problems.isEmpty && last.frames == [3, 4] && last.requestFrame == 1)
        #expect(last.value("serial") == .unsigned(123_456) && last.value("distance") == .unsigned(10_203))
        #expect(last.value("label") == .text("ab"))
        guard case .list(let points)? = last.value("points") else {
            Issue.record("no points")
            return
        }
        #expect(points.first?.first?.value == .signed(-1) && points.first?.last?.value == .unsigned(1))
        #expect(
            link.tracker.close(at: link.time).map(\.message) == [
                "everything: set of frame \(FramePlace(file: 0, frame: 2)) has no answer"
            ])
    }

    /// A value of the sensor and what its fields show.
    static let measurements: [(hex: String, shown: [(String, AnnotationValue)])] = [
        (
            "02" + "17fd" + "00" + "00",
            [("value", .decimal(FixedDecimal(mantissa: -745, places: 1))), ("kind", .unsigned(0))]
        ),
        (
            "00" + "6e0100ff" + "01" + "04" + "0000c03f",
            [
                ("precise", .decimal(FixedDecimal(mantissa: 366, places: 1))),
                (
                    "extra",
                    .group([
                        DecodedField("level", .decimal(FixedDecimal(mantissa: 15, places: 1)), range: 7..<11)
                    ])
                ),
            ]
        ),
        ("02" + "ff07" + "00" + "00" + "2a", [("value", .named(0x7FF, "NaN")), ("last", .unsigned(42))]),
        (
            "03" + "1400" + "0000" + "07" + "09" + "02" + "beef",
            [
                ("value", .signed(20)),
                (
                    "when",
                    .group([
                        DecodedField("year", .named(0, "not known"), unit: "a", range: 3..<5),
                        DecodedField("day", .unsigned(7), range: 5..<6),
                    ])
                ), ("extra", .group([DecodedField("octets", .octets([0xBE, 0xEF]), range: 8..<10)])),
            ]
        ),
    ]

    @Test(arguments: measurements)
    func `fields depend on bits and values before them, and are written as they were read`(
        hex: String, shown: [(String, AnnotationValue)]
    ) throws {
        var link = try Self.harness()
        let annotation = try link.one(hex, .notify, of: "FD10/FD13")
        #expect(annotation.problems.isEmpty)
        for (name, value) in shown { #expect(annotation.value(name) == value) }
        let message = try #require(link.profiles[0].channels.first { $0.name == "sensor" }?.messages.first)
        #expect(Hex.text(try message.layout.encode(annotation.fields)) == hex)
    }

    @Test(arguments: [
        ("03" + "1400" + "0000", "length", "when.day"),
        ("02" + "1400" + "01" + "05" + "0000c03f00", "trailing", "extra"),
        ("02" + "1400" + "01" + "03" + "0000c0", "length", "extra.level"),
        ("02" + "1400" + "01" + "09" + "0000c03f", "length", "extra"),
    ])
    func `what does not fit a group or a case names it`(hex: String, check: String, field: String) throws {
        var link = try Self.harness()
        let misfit = try #require(try link.one(hex, .notify, of: "FD10/FD13").misfits.first)
        #expect(misfit.check == check && misfit.field == field)
    }

    @Test(arguments: [
        (#"{"name": "a", "type": "u8", "if": {"field": "b", "bit": 0}}"#, "before this one"),
        (#"{"name": "b", "type": "u8"}, {"name": "a", "type": "u8", "if": {"field": "b"}}"#, "with a bit"),
        (#"{"name": "a", "type": "switch", "on": "b", "cases": {"0": []}}"#, "before this one"),
        (
            #"{"name": "b", "type": "u8"}, {"name": "a", "type": "switch", "on": "b", "cases": {"x": []}}"#,
            "0x…, once"
        ),
        (#"{"name": "a", "type": "sfloat", "scale": 2}"#, "enum or unit"),
        (#"{"name": "a", "type": "group", "fields": []}"#, "one field or more"),
        (
            #"{"name": "a", "type": "group", "fields": [{"name": "b", "type": "u8"}]}, "#
                + #"{"name": "c", "type": "bytes", "length": "b"}"#, "before this one"
        ),
        (
            #"{"name": "a", "type": "group", "fields": [{"name": "b", "type": "bytes"}]}, "#
                + #"{"name": "c", "type": "u8"}"#, "no field after a group"
        ),
    ])
    func `conditions, cases and groups that can't hold are found`(fields: String, expected: String) {
        let json =
            #"{"name": "p", "channels": [{"name": "c", "attributes": [{"handle": 1}], "#
            + #""messages": [{"name": "m", "fields": [\#(fields)]}]}]}"#
        let problems = Profile.check(Array(json.utf8))
        #expect(problems.count == 1 && problems.first?.expected.contains(expected) == true, "\(problems)")
    }

    /// Fields whose inner fields depend on outer ones, values that fit them, and what the fields show.
    static let scopes: [(fields: String, hex: String, name: String, value: AnnotationValue)] = [
        (
            #"{"name": "n", "type": "u8"}, {"name": "g", "type": "group", "fields": ["#
                + #"{"name": "x", "type": "u8", "if": {"field": "n", "bit": 0}}]}"#, "0105", "g",
            .group([DecodedField("x", .unsigned(5), range: 1..<2)])
        ),
        (
            #"{"name": "n", "type": "u8"}, {"name": "g", "type": "group", "fields": ["#
                + #"{"name": "n", "type": "u8"}]}, {"name": "b", "type": "bytes", "length": "n"}"#, "0102aa",
            "b",
            .octets([0xAA])
        ),
        (
            #"{"name": "n", "type": "u8"}, {"name": "b", "type": "bytes"}, "#
                + #"{"name": "x", "type": "u8", "if": {"field": "n", "bit": 0}}"#, "01aabb07", "x",
            .unsigned(7)
        ),
        (
            #"{"name": "n", "type": "u8"}, {"name": "l", "type": "array", "items": ["#
                + #"{"name": "x", "type": "bytes", "length": "n"}]}"#, "02aabbccdd", "l",
            .list([
                [DecodedField("x", .octets([0xAA, 0xBB]), range: 1..<3)],
                [DecodedField("x", .octets([0xCC, 0xDD]), range: 3..<5)],
            ])
        ),
    ]

    @Test(arguments: scopes)
    func `fields inside know the integers outside, and none outside knows those inside`(
        fields: String, hex: String, name: String, value: AnnotationValue
    ) throws {
        let json =
            #"{"name": "p", "channels": [{"name": "c", "attributes": [{"handle": 16}], "#
            + #""messages": [{"name": "m", "fields": [\#(fields)]}]}]}"#
        var link = try ProfileHarness(json: json)
        let annotation = try link.one(hex, .write)
        #expect(annotation.problems.isEmpty && annotation.value(name) == value, "\(annotation.fields)")
        let layout = try #require(link.profiles.first?.channels.first?.messages.first?.layout)
        #expect(Hex.text(try layout.encode(annotation.fields)) == hex)
    }

    @Test(arguments: [
        (#""order""#, 1), (#""latest""#, 2), (#"{"request": "id", "response": "id"}"#, 2),
    ])
    func `an answer belongs to the oldest request, the latest, or the latest with its value`(
        by: String, frame: UInt64
    ) throws {
        let message =
            #""select": {"at": 0}, "messages": [{"name": "ask", "value": 1, "fields": [{"name": "t", "#
            + #""type": "u8"}, {"name": "id", "type": "u8"}]}, {"name": "say", "value": 2, "fields": ["#
            + #"{"name": "t", "type": "u8"}, {"name": "id", "type": "u8"}]}]"#
        var link = try ProfileHarness(
            json: #"{"name": "p", "channels": [{"name": "c", "attributes": [{"handle": 16}], \#(message)}], "#
                + #""pairs": [{"request": "ask", "response": "say", "by": \#(by)}]}"#)
        _ = try link.one("0107", .write)
        _ = try link.one("0107", .write)
        #expect(try link.one("0207", .notify).requestFrame == frame)
    }

    @Test func `an answer that began before a request does not answer it`() throws {
        var link = try ProfileHarness(
            json: """
                {"name": "p", "channels": [
                  {"name": "c", "attributes": [{"handle": 16}],
                   "messages": [{"name": "ask", "fields": [{"name": "a", "type": "u8"}]}]},
                  {"name": "d", "attributes": [{"handle": 17}], "framing": {"stream": {"size": 2}},
                   "messages": [{"name": "say", "fields": [{"name": "b", "type": "u16"}]}]}],
                 "pairs": [{"request": "ask", "response": "say", "by": "latest"}]}
                """)
        _ = try link.one("01", .write)
        _ = try link.one("02", .notify, handle: 17)
        _ = try link.one("01", .write)
        #expect(try link.one("02", .notify, handle: 17).requestFrame == 1)
        #expect(try link.one("0202", .notify, handle: 17).requestFrame == 3)
    }

    /// Values of a characteristic, and what each of them brings: a message's field, or a code of a problem.
    static let streams: [(characteristic: String, values: [String], brought: [[String]])] = [
        ("FD14", ["ee020102f3"], [["0102"]]),
        ("FD14", ["ee02", "01", "02f3"], [["open"], ["open"], ["0102"]]),
        ("FD14", ["ee020102f3ee0105f4ee"], [["0102", "05", "open"]]),
        ("FD14", ["0000ee0105f4"], [["profile.misfit.start", "05"]]),
        // The end of a message is lost: another begins in a later value.
        ("FD14", ["ee0401", "ee0105f4"], [["open"], ["profile.fragment.failed", "05"]]),
        // A length beyond the limit starts no message.
        ("FD14", ["eeff", "ee0105f4"], [["profile.misfit.start"], ["05"]]),
        ("FD14", ["ee0105f5"], [["profile.misfit.checksum"]]),
        ("FD15", ["010000000200", "0000"], [["1", "open"], ["2"]]),
        ("FD16", ["6f6b0d41", "420d"], [["ok", "open"], ["AB"]]),
    ]

    @Test(arguments: streams)
    func `messages are cut out of values by their length, their size or their end`(
        characteristic: String, values: [String], brought: [[String]]
    ) throws {
        var link = try Self.harness()
        let made = try values.map { value in
            try link.send(value, .notify, of: "FD10/\(characteristic)").map { annotation in
                if let code = annotation.codes.first { return code }
                switch annotation.fields.first?.value {
                case .octets(let octets)?: return Hex.text(octets)
                case .unsigned(let number)?: return "\(number)"
                case .text(let text)?: return text
                default: return annotation.fragment?.rawValue ?? "?"
                }
            }
        }
        #expect(made == brought)
    }

    private static let lines = ##"""
        {"name": "p", "channels": [{"name": "c",
          "attributes": [\##((16..<26).map { "{\"handle\": \($0)}" }.joined(separator: ", "))],
          "framing": {"trailer": "0d", "stream": {"maximumOctets": 4}},
          "messages": [{"name": "line", "fields": [{"name": "text", "type": "utf8"}]}]}]}
        """##

    @Test func `a message longer than the limit is skipped to its end`() throws {
        var link = try ProfileHarness(json: Self.lines)
        let first = try link.send("41424344", .notify)
        #expect(first.map(\.codes) == [["profile.misfit.start"], []] && first.last?.fragment == .open)
        let second = try link.send("450d460d", .notify)
        #expect(second.map(\.codes) == [["profile.misfit.start"], []])
        #expect(second.last?.value("text") == .text("F"))
    }

    @Test func `unfinished messages of too many attributes are forgotten, and that is said`() throws {
        var link = try ProfileHarness(json: Self.lines)
        for handle in 16..<25 as Range<UInt16> {
            #expect(try link.one("410d", .notify, handle: handle).problems.isEmpty)
        }
        for handle in 16..<24 as Range<UInt16> {
            #expect(try link.one("41", .notify, handle: handle).problems.isEmpty)
        }
        #expect(try link.one("41", .notify, handle: 24).codes == ["profile.fragment.limit"])
    }

    @Test func `a message of a stream ends with a gap, and names its frames`() throws {
        var link = try Self.harness()
        #expect(try link.one("ee0201", .notify, of: "FD10/FD14").fragment == .open)
        #expect(try link.one("02f3", .notify, of: "FD10/FD14").frames == [1, 2])
        #expect(try link.one("ee0201", .notify, of: "FD10/FD14").fragment == .open)
        #expect(link.tracker.room > 0)
        link.time += 2_000_000_000
        let late = try link.send("02f3", .notify, of: "FD10/FD14")
        #expect(late.map(\.codes) == [["profile.fragment.failed"], ["profile.misfit.start"]])
        #expect(
            late.first?.problems.map(\.message) == [
                "everything: after 3 bytes a message was not completed: the next value came after 2001 ms"
            ])
        #expect(link.tracker.room == 0)
    }

    @Test func `an answer that began before the end of the link is named as incomplete`() throws {
        var link = try ProfileHarness(shipped: "domyos")
        let service = "49535343-FE7D-4AE5-8FA9-9FAFD205E455"
        let written = "\(service)/49535343-8841-43F4-A8D4-ECBE34729BB3"
        let notified = "\(service)/49535343-1E4D-4BD9-BA61-23C647249616"
        for _ in 0..<2 { #expect(try link.one("f0ac9c", .write, of: written).message == "read-state") }
        #expect(try link.one("f0bc00000064", .notify, of: notified).fragment == .open)
        #expect(try link.one("0000003c", .notify, of: notified).fragment == .open)
        #expect(try link.one("f0ac9c", .write, of: written).message == "read-state")
        #expect(
            link.tracker.close(at: link.time).map { $0.message.text(from: 0, isOnAir: false) } == [
                "domyos: read-state of frame 1 has no answer",
                "domyos: the answer to read-state of frame 2 began at frame 3 and is not complete",
                "domyos: read-state of frame 5 has no answer",
            ])
    }

    @Test func `the rest of a message that was given up is dropped and no error`() throws {
        var link = try Self.harness()
        #expect(try link.one("5a31" + "beef3412", .notify).fragment == .open)
        #expect(link.tracker.room > 0)
        link.tracker.dropIncomplete()
        #expect(link.tracker.room == 0)
        let rest = try link.one("5a3a" + "0000", .notify)
        #expect(rest.fragment == .dropped && rest.problems.isEmpty)
    }

    @Test func `of requests that wait only what their answers repeat is kept`() throws {
        var link = try Self.harness()
        let body = try Hex.octets("81" + "3412" + "00" + "0000" + "0000" + "00")
        #expect(try link.one(try Self.frame(body), .write, of: "FD10/FD11").fields.count > 4)
        #expect(link.tracker.keptFieldCount == 1)
    }

    @Test func `a lost fragment is an error of its message and no guess`() throws {
        var link = try Self.harness()
        _ = try link.one("5a31beef", .notify)
        let gap = try link.one("5a3b0000", .notify)
        #expect(gap.fragment == .failed && gap.codes == ["profile.fragment.failed"])
        #expect(
            gap.problems.map(\.message) == [
                "everything: message 3 was not completed: fragment 3 came where fragment 2 was due"
            ])
        let short = try link.one("5a", .notify)
        #expect(short.codes == ["profile.fragment.header"])
    }

    @Test func `a handle counts where there is no label, a label where there is one`() throws {
        var link = try Self.harness()
        let frame = try Self.frame(try Hex.octets("fe0100"))
        #expect(try link.one(frame, .write, handle: 0x2A).recognition == .handle)
        #expect(try link.send(frame, .write, handle: 0x2B).isEmpty)
        #expect(try link.send(frame, .write, of: "FD10/FD12", handle: 0x2A).isEmpty)
        #expect(try link.send(frame, .notify, of: "FD10/FD11").isEmpty)
        #expect(try link.one(frame, .write, of: "FD10/FD11").recognition == .label)
    }

    @Test func `a value that the recorder cut is said to be cut`() throws {
        var link = try Self.harness()
        let annotations = try link.send("a500", .write, of: "FD10/FD11", originalLength: 20)
        #expect(annotations.map(\.codes) == [["profile.cut"]])
    }

    @Test(arguments: [
        ("{", "$"), ("{\"name\": \"a\"}", "$"), ("[]", "$"),
        (ProfileLanguageTests.with("\"type\": \"u7\""), "$.channels[0].messages[0].fields[0]"),
        (
            ProfileLanguageTests.with("\"type\": \"utf8\", \"length\": \"size\""),
            "$.channels[0].messages[0].fields[0].length"
        ),
        (
            ProfileLanguageTests.with("\"type\": \"u8\", \"equals\": 256"),
            "$.channels[0].messages[0].fields[0].equals"
        ),
        (
            ProfileLanguageTests.with("\"type\": \"u8\", \"enum\": {\"x\": \"y\"}"),
            "$.channels[0].messages[0].fields[0].enum.x"
        ),
        (
            ProfileLanguageTests.with("\"type\": \"u8\", \"scale\": 0"),
            "$.channels[0].messages[0].fields[0].scale"
        ),
        (
            ProfileLanguageTests.with("\"type\": \"u8\", \"scale\": 2, \"display\": \"hex\""),
            "$.channels[0].messages[0].fields[0]"
        ),
        (
            ProfileLanguageTests.with("\"type\": \"bcd\", \"length\": 10"),
            "$.channels[0].messages[0].fields[0].length"
        ),
        (
            ProfileLanguageTests.with("\"type\": \"array\", \"items\": []"),
            "$.channels[0].messages[0].fields[0]"
        ),
        (
            ProfileLanguageTests.with(
                "\"type\": \"u8\", \"bits\": [{\"name\": \"b\", \"at\": 7, \"width\": 2}]"),
            "$.channels[0].messages[0].fields[0].bits[0]"
        ),
        (
            ProfileLanguageTests.with("\"type\": \"u8\"", more: ", \"select\": {\"at\": 0, \"width\": 9}"),
            "$.channels[0].select.width"
        ),
        (
            ProfileLanguageTests.with("\"type\": \"u8\"", more: ", \"checksum\": {\"name\": \"crc9\"}"),
            "$.channels[0].checksum.name"
        ),
        (
            ProfileLanguageTests.with(
                "\"type\": \"u8\"", pairs: "[{\"request\": \"m\", \"response\": \"n\"}]"), "$.pairs[0]"
        ),
        (
            ProfileLanguageTests.with(
                "\"type\": \"u8\"",
                pairs:
                    #"[{"request": "m", "response": "m", "by": {"request": "f", "response": "g"}}]"#
            ),
            "$.pairs[0].by"
        ),
    ])
    func `a profile that says what the language does not is refused with its place`(
        json: String, path: String
    ) throws {
        let problems = Profile.check(Array(json.utf8))
        #expect(problems.contains { $0.path == path && $0.line >= 1 }, "\(problems)")
        #expect(throws: DocumentError.self) { try Profile(json: Array(json.utf8)) }
    }

    /// A small profile around one field.
    static func with(_ field: String, more: String = "", pairs: String = "[]") -> String {
        #"""
        {"name": "p", "channels": [{"name": "c", "attributes": [{"characteristic": "FF01"}]\#(more),
         "messages": [{"name": "m", "fields": [{"name": "f", \#(field)}]}]}], "pairs": \#(pairs)}
        """#
    }
}
