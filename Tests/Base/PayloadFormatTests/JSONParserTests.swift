import PayloadFormat
import Testing

@Suite struct JSONParserTests {
    private static func parse(_ text: String) throws -> JSONNode { try JSONParser.parse(Array(text.utf8)) }

    @Test(arguments: [
        "", " ", "{", "[", "\"", "tru", "nul", "01", "-", "1.", ".5", "1e", "1e401", "+1", "[1,]", "[1 2]",
        "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":2}", "\"\\x\"", "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "1 2", "NaN", "'a'", "//", "[1]x",
        "99999999999999999999",
        "\u{FEFF}1",
    ])
    func `what is no JSON is refused`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try Self.parse(text) }
    }

    @Test func `values are read with their place`() throws {
        let node = try Self.parse(
            "{\n \"a\": [true, false, null],\n \"b\\u00e9\\ud83d\\ude00\": {\"c\": -12.50e+2}\n}")
        guard case .object(let members) = node.value, case .array(let list) = members[0].node.value,
            case .object(let inner) = members[1].node.value, case .number(let number) = inner[0].node.value
        else {
            Issue.record("\(node)")
            return
        }
        #expect(members.map(\.name) == ["a", "bé😀"])
        #expect(list.map(\.path) == ["$.a[0]", "$.a[1]", "$.a[2]"] && list[0].line == 2)
        #expect(inner[0].node.path == "$.bé😀.c" && inner[0].node.line == 3)
        #expect(number == JSONNumber(mantissa: -1250, exponent: 0) && number.integer == -1250)
        #expect(JSONNumber(mantissa: 5, exponent: -1).integer == nil)
        #expect(JSONNumber(mantissa: .max, exponent: 1).integer == nil)
    }

    @Test func `octets that are no UTF-8 are refused`() {
        for octets: [UInt8] in [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        ] {
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(octets) }
        }
    }

    @Test func `depth, size and number of values have limits`() throws {
        let deep = String(repeating: "[", count: 100_000)
        let error = #expect(throws: JSONSyntaxError.self) { try Self.parse(deep) }
        #expect(error?.what == "more than 32 levels" && error?.offset == 33)
        let many = "[" + String(repeating: "0,", count: 100_001) + "0]"
        #expect(throws: JSONSyntaxError.self) { try Self.parse(many) }
        let large = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(large) }
        // A long name is not repeated in every path below it.
        let name = String(repeating: "n", count: 10_000)
        let node = try Self.parse("{\"\(name)\":[[[1]]]}")
        guard case .object(let members) = node.value else { return }
        #expect(members[0].node.path.utf8.count == 34)
    }

    @Test func `every cut of a text is refused`() throws {
        let text = Array("{\"a\": [1, -2.5e3, \"\\u00e9x\"], \"b\": null}".utf8)
        #expect(throws: Never.self) { try JSONParser.parse(text) }
        for count in 0..<text.count {
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.prefix(count))) }
        }
    }
}
