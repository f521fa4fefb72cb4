import PayloadFormat
import Testing
import WireBytes

@Suite struct LayoutTests {
    private static func layout(_ fields: String) throws -> Layout {
        let node = try JSONParser.parse(Array("[\(fields)]".utf8))
        var problems = DocumentProblems()
        guard case .array(let nodes) = node.value else { return Layout() }
        var document = LayoutDocument(order: .big)
        let layout = Layout(document.fields(nodes, &problems))
        #expect(problems.isEmpty, "\(problems.list)")
        return layout
    }

    /// A field, the octets, the value they stand for, its unit.
    static let values: [(String, String, AnnotationValue)] = [
        ("\"type\": \"u8\"", "ff", .unsigned(255)),
        ("\"type\": \"u24\"", "010203", .unsigned(0x010203)),
        ("\"type\": \"u64\"", "ffffffffffffffff", .unsigned(.max)),
        ("\"type\": \"u56\", \"endian\": \"little\"", "01000000000000", .unsigned(1)),
        ("\"type\": \"i8\"", "80", .signed(-128)),
        ("\"type\": \"i24\"", "ffff9c", .signed(-100)),
        ("\"type\": \"i64\", \"endian\": \"little\"", "feffffffffffffff", .signed(-2)),
        ("\"type\": \"u16\", \"display\": \"hex\"", "0a0b", .hex(0x0A0B, digits: 4)),
        (
            "\"type\": \"u8\", \"scale\": 10, \"unit\": \"%\"", "06",
            .decimal(FixedDecimal(mantissa: 60, places: 0))
        ),
        (
            "\"type\": \"u32\", \"scale\": 0.1", "0001e240",
            .decimal(FixedDecimal(mantissa: 123_456, places: 1))
        ),
        (
            "\"type\": \"i8\", \"scale\": 0.5, \"offset\": -40", "fb",
            .decimal(FixedDecimal(mantissa: -425, places: 1))
        ),
        ("\"type\": \"u8\", \"offset\": 0.25", "01", .decimal(FixedDecimal(mantissa: 125, places: 2))),
        ("\"type\": \"u8\", \"scale\": 1e3", "02", .decimal(FixedDecimal(mantissa: 2000, places: 0))),
        // Too large to be scaled exactly: the number itself.
        ("\"type\": \"u64\", \"scale\": 10", "ffffffffffffffff", .unsigned(.max)),
        ("\"type\": \"u8\", \"enum\": {\"1\": \"one\"}", "01", .named(1, "one")),
        ("\"type\": \"u8\", \"enum\": {\"1\": \"one\"}", "02", .named(2, nil)),
        (
            "\"type\": \"u8\", \"flags\": {\"0\": \"a\", \"7\": \"h\"}", "83",
            .flags(0x83, ["a", "bit1", "h"])
        ),
        ("\"type\": \"bcd\", \"length\": 3", "123456", .unsigned(123_456)),
        ("\"type\": \"bcd\", \"length\": 2, \"endian\": \"little\"", "3412", .unsigned(1234)),
        ("\"type\": \"base100\", \"length\": 2", "0c22", .unsigned(1234)),
        ("\"type\": \"base100\", \"length\": 9", "636363636363636363", .unsigned(999_999_999_999_999_999)),
        ("\"type\": \"bytes\"", "0102", .octets([1, 2])),
        ("\"type\": \"bytes\"", "", .octets([])),
        ("\"type\": \"utf8\"", "c3a9", .text("é")),
        // IEEE 11073-20601: 36.4 as the Health Thermometer has it, and the values that are not numbers.
        ("\"type\": \"float\"", "ff00016c", .decimal(FixedDecimal(mantissa: 364, places: 1))),
        ("\"type\": \"float\", \"endian\": \"little\"", "ffff7f00", .named(0x7F_FFFF, "NaN")),
        ("\"type\": \"sfloat\"", "0072", .signed(114)),
        ("\"type\": \"sfloat\"", "f072", .decimal(FixedDecimal(mantissa: 114, places: 1))),
        ("\"type\": \"sfloat\"", "8801", .decimal(FixedDecimal(mantissa: -2047, places: 8))),
        ("\"type\": \"sfloat\"", "07fe", .named(0x7FE, "+infinity")),
        ("\"type\": \"sfloat\"", "0802", .named(0x802, "-infinity")),
        ("\"type\": \"sfloat\"", "0800", .named(0x800, "not at this resolution")),
        ("\"type\": \"f32\"", "3fc00000", .decimal(FixedDecimal(mantissa: 15, places: 1))),
        ("\"type\": \"f64\"", "c000000000000000", .decimal(FixedDecimal(mantissa: -20, places: 1))),
        ("\"type\": \"f32\"", "7f800000", .text("inf")),
        // Values that are not numbers beside a scale, signed ones by their bits.
        (
            "\"type\": \"u8\", \"scale\": 0.5, \"enum\": {\"255\": \"not known\"}", "05",
            .decimal(FixedDecimal(mantissa: 25, places: 1))
        ),
        (
            "\"type\": \"u8\", \"scale\": 0.5, \"enum\": {\"255\": \"not known\"}", "ff",
            .named(255, "not known")
        ),
        (
            "\"type\": \"i8\", \"scale\": 0.5, \"enum\": {\"0x80\": \"not known\"}", "80",
            .named(128, "not known")
        ),
    ]

    @Test(arguments: values)
    func `a field is read and written`(field: String, hex: String, value: AnnotationValue) throws {
        let layout = try Self.layout("{\"name\": \"f\", \(field)}")
        let octets = try Hex.octets(hex)
        let decoded = layout.decode(octets)
        #expect(decoded.misfit == nil && decoded.fields.map(\.value) == [value])
        #expect(try layout.encode(["f": value]) == octets)
    }

    @Test(arguments: [
        ("\"type\": \"u16\"", "00", "length"), ("\"type\": \"u16\"", "000000", "trailing"),
        ("\"type\": \"u8\", \"equals\": 7", "08", "constant"),
        ("\"type\": \"bcd\", \"length\": 1", "1a", "digits"),
        ("\"type\": \"base100\", \"length\": 1", "64", "digits"), ("\"type\": \"utf8\"", "ff", "text"),
        ("\"type\": \"bytes\", \"length\": 3", "0102", "length"),
    ])
    func `octets that do not fit name the rule`(field: String, hex: String, check: String) throws {
        let layout = try Self.layout("{\"name\": \"f\", \(field)}")
        #expect(layout.decode(try Hex.octets(hex)).misfit?.check == check)
    }

    @Test func `lengths and counts may stand in other fields, and are filled in when written`() throws {
        let layout = try Self.layout(
            #"""
            {"name": "n", "type": "u8"}, {"name": "text", "type": "utf8", "length": "n"},
            {"name": "m", "type": "u8"},
            {"name": "list", "type": "array", "count": "m", "items": [{"name": "v", "type": "u8"}]},
            {"name": "rest", "type": "bytes"}, {"name": "end", "type": "u16", "equals": "0xCAFE"}
            """#)
        let octets = try Hex.octets("02" + "6869" + "03" + "010203" + "aabb" + "cafe")
        let decoded = layout.decode(octets)
        #expect(decoded.misfit == nil)
        #expect(decoded.fields.first { $0.name == "rest" }?.value == .octets([0xAA, 0xBB]))
        #expect(try layout.encode(decoded.fields) == octets)
        let list = AnnotationValue.list((1...3).map { [DecodedField("v", .unsigned($0))] })
        #expect(
            try layout.encode(["text": .text("hi"), "list": list, "rest": .octets([0xAA, 0xBB])]) == octets)
        // A count that lies asks for more elements than there are octets.
        let lying = layout.decode(try Hex.octets("00" + "ff" + "0102" + "cafe"))
        #expect(lying.misfit?.check == "length")
    }

    @Test func `values that do not fit are refused when written`() throws {
        let layout = try Self.layout(
            #"""
            {"name": "a", "type": "u8"}, {"name": "b", "type": "i8"},
            {"name": "c", "type": "u8", "bits": [{"name": "x", "at": 0, "width": 3}]}
            """#)
        let good: [String: AnnotationValue] = [
            "a": .unsigned(255), "b": .signed(-128), "c": .group([DecodedField("x", .unsigned(7))]),
        ]
        #expect(try layout.encode(good) == [255, 0x80, 7])
        let cases: [(String, AnnotationValue?, LayoutError)] = [
            ("a", .unsigned(256), .unfit("a")), ("a", nil, .missing("a")), ("b", .signed(128), .unfit("b")),
            ("b", .text("x"), .unfit("b")), ("c", .unsigned(7), .unfit("c")),
            ("c", .group([DecodedField("x", .unsigned(8))]), .unfit("c.x")),
            ("c", .group([]), .missing("c.x")),
        ]
        for (name, value, error) in cases {
            var values = good
            values[name] = value
            #expect(throws: error) { try layout.encode(values) }
        }
        // Bits that no part covers are kept.
        let decoded = layout.decode([0, 0, 0xF9])
        #expect(try layout.encode(decoded.fields) == [0, 0, 0xF9])
    }

    @Test(arguments: [
        (FixedDecimal(mantissa: 5, places: 3), "0.005"), (FixedDecimal(mantissa: -5, places: 1), "-0.5"),
        (FixedDecimal(mantissa: 123_456, places: 1), "12345.6"),
        (FixedDecimal(mantissa: .min, places: 0), "\(Int64.min)"),
        (FixedDecimal(mantissa: 0, places: 2), "0.00"),
    ])
    func `a decimal is written with all its places`(decimal: FixedDecimal, text: String) {
        #expect(decimal.description == text)
    }
}
