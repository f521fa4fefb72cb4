import PayloadFormat
import Testing
import WireBytes

@testable import Rendering

@Suite struct JSONAnnotationPrinterTests {
    @Test func `Every kind of value becomes JSON that keeps what it says`() throws {
        let fields = [
            DecodedField("count", .unsigned(UInt64.max)), DecodedField("rssi", .signed(-70), unit: "dBm"),
            DecodedField("odometer", .decimal(FixedDecimal(mantissa: -123, places: 1)), unit: "km"),
            DecodedField("code", .hex(0x0101, digits: 4)), DecodedField("raw", .octets([0xDE, 0xAD])),
            DecodedField("text", .text("a\"\u{7}\u{E9}")), DecodedField("fine", .bool(true)),
            DecodedField("status", .named(4, "counter replayed")), DecodedField("zone", .named(9, nil)),
            DecodedField("doors", .flags(5, ["front left", "rear left"])),
            DecodedField("frames", .numbers([1, 2])), DecodedField("none", .numbers([])),
            DecodedField(
                "group", .group([DecodedField("a", .unsigned(1)), DecodedField("b", .bool(false))])),
            DecodedField("empty", .group([])),
            DecodedField(
                "list", .list([[DecodedField("x", .unsigned(1))], [], [DecodedField("x", .unsigned(2))]])),
            DecodedField("last", .unsigned(0)),
        ]
        var printer = JSONAnnotationPrinter(into: TextBuffer())
        for field in fields { field.walk(&printer) }
        let text = printer.finish()
        let json = "{" + String(decoding: text.octets.copied(), as: UTF8.self) + "}"
        let expected =
            #"{"count":18446744073709551615,"rssi":-70,"odometer":-12.3,"code":257,"raw":"dead","#
            + #""text":"a\"\u0007é","fine":true,"status":{"code":4,"name":"counter replayed"},"#
            + #""zone":{"code":9},"doors":{"bits":5,"set":["front left","rear left"]},"frames":[1,2],"#
            + #""none":[],"group":{"a":1,"b":false},"empty":{},"list":[{"x":1},{},{"x":2}],"last":0}"#
        #expect(json == expected)
        _ = try JSONValue(json.utf8)
    }

    @Test func `Numbers of seven octets or more are strings, whatever their value`() throws {
        let fields = [
            DecodedField("count", .unsigned(UInt64.max), range: 0..<8),
            DecodedField("small", .unsigned(1), range: 0..<8), DecodedField("low", .signed(-1), range: 0..<7),
            DecodedField("six", .unsigned(1), range: 0..<6),
            DecodedField("code", .hex(1, digits: 16), range: 0..<8),
            DecodedField("far", .decimal(FixedDecimal(mantissa: 5, places: 1)), range: 0..<8),
            DecodedField("state", .named(2, "on"), range: 0..<8),
            DecodedField("bits", .flags(1 << 63, ["last"]), range: 0..<8),
            DecodedField("raw", .octets([1, 2, 3, 4, 5, 6, 7]), range: 0..<7),
        ]
        var printer = JSONAnnotationPrinter(into: TextBuffer())
        for field in fields { field.walk(&printer) }
        let text = printer.finish()
        let json = "{" + String(decoding: text.octets.copied(), as: UTF8.self) + "}"
        let expected =
            #"{"count":"18446744073709551615","small":"1","low":"-1","six":1,"code":"0x0000000000000001","#
            + #""far":"0.5","state":{"code":"0x0000000000000002","name":"on"},"#
            + #""bits":{"bits":"0x8000000000000000","set":["last"]},"raw":"01020304050607"}"#
        #expect(json == expected)
        _ = try JSONValue(json.utf8)
    }

    static let names: [(String, String)] = [
        ("keyId", "key_id"), ("doors-open", "doors_open"), ("doors_open", "doors_open"), ("A", "a"),
        ("maxMessageSize", "max_message_size"), ("statusURLText", "status_url_text"), ("URL", "url"),
        ("nonce2B", "nonce2_b"), ("crc16", "crc16"), ("RSSI-dBm", "rssi_d_bm"), ("x\"y", "x_y"), ("", ""),
    ]

    @Test(arguments: names)
    func `Names of fields are lower-case words with underscores, as all names are`(
        name: String, member: String
    ) throws {
        var printer = JSONAnnotationPrinter(into: TextBuffer())
        DecodedField(name, .group([DecodedField(name, .unsigned(1))])).walk(&printer)
        let text = printer.finish()
        #expect(String(decoding: text.octets.copied(), as: UTF8.self) == "\"\(member)\":{\"\(member)\":1}")
    }
}
