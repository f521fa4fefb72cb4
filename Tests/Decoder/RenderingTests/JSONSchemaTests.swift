import Testing

@Suite struct JSONSchemaTests {
    private static func value(_ text: String) throws -> JSONValue { try JSONValue(text.utf8) }

    @Test(arguments: [
        "{\"a\":1,\"a\":2}", "[1,]", "{\"a\":}", "01", "1.", "\"\\x\"", "\"a", "{\"a\" 1}", "tru", "[1] 2",
        "\"\u{1}\"", "", "+1", "-", "nul", "{1:2}",
    ])
    func `What RFC 8259 forbids is refused`(text: String) {
        #expect(throws: JSONValue.Malformed.self) { try JSONValue(text.utf8) }
    }

    @Test func `Octets that are no UTF-8 are refused`() {
        #expect(throws: JSONValue.Malformed.self) { try JSONValue([0x22, 0xC3, 0x28, 0x22]) }
    }

    @Test func `Values are read as they were written`() throws {
        let value = try Self.value(#"{"a":[1,-2.5e3,true,null],"b":"x\u00e9\n"}"#)
        #expect(value["a"] == .array([.number("1"), .number("-2.5e3"), .bool(true), .null]))
        #expect(value["b"]?.text == "x\u{E9}\n")
    }

    static let rules: [(String, String, Bool)] = [
        (#"{"type":"integer"}"#, "1", true), (#"{"type":"integer"}"#, "1.0", false),
        (#"{"type":["string","null"]}"#, "null", true), (#"{"type":"object"}"#, "[]", false),
        (#"{"const":"x"}"#, #""x""#, true), (#"{"const":"x"}"#, #""y""#, false),
        (#"{"enum":[1,2]}"#, "3", false), (#"{"pattern":"^[0-9a-f]*$"}"#, #""0g""#, false),
        (#"{"pattern":"^[0-9a-f]*$"}"#, #""0f""#, true), (#"{"minimum":1}"#, "0", false),
        (#"{"maximum":1}"#, "2", false), (#"{"items":{"type":"string"}}"#, "[1]", false),
        (#"{"minItems":1}"#, "[]", false), (#"{"required":["a"]}"#, "{}", false),
        (#"{"properties":{"a":{"type":"null"}}}"#, #"{"a":1}"#, false),
        (#"{"properties":{"a":true},"additionalProperties":false}"#, #"{"b":1}"#, false),
        (#"{"properties":{"a":true},"additionalProperties":false}"#, #"{"a":1}"#, true),
        (#"{"additionalProperties":{"type":"integer"}}"#, #"{"b":"1"}"#, false),
        (#"{"oneOf":[{"type":"string"},{"const":"a"}]}"#, #""a""#, false),
        (#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#, "1", false),
        (#"{"anyOf":[{"type":"string"},{"const":"a"}]}"#, #""a""#, true),
        (##"{"$defs":{"x":{"type":"null"}},"$ref":"#/$defs/x"}"##, "1", false),
        (##"{"$ref":"#/$defs/none"}"##, "1", false), (#"{"format":"date"}"#, "1", false),
        ("false", "1", false),
    ]

    @Test(arguments: rules)
    func `Every rule of a schema is enforced`(schema: String, text: String, holds: Bool) throws {
        let problems = JSONSchema(try Self.value(schema)).problems(of: try Self.value(text))
        #expect(problems.isEmpty == holds, "\(problems)")
    }
}
