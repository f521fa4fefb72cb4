import PayloadFormat
import TestSupport
import Testing
import WireBytes

@Suite struct ProtobufTests {
    /// Every type, of which some are of a named type, one of them its own.
    static let types = #"""
        {
          "State": {"0": "idle", "1": "busy", "2": {"name": "not allowed", "refusal": true}},
          "Node": [
            {"number": 1, "name": "value", "type": "uint32"},
            {"number": 2, "name": "next", "type": "message", "message": "Node"}
          ],
          "All": [
            {"number": 1, "name": "a", "type": "int32"},
            {"number": 2, "name": "b", "type": "string"},
            {"number": 3, "name": "c", "type": "message", "members": [
              {"number": 1, "name": "a", "type": "int32"}, {"number": 2, "name": "kind", "type": "uint32"}
            ]},
            {"number": 4, "name": "d", "type": "string"},
            {"number": 5, "name": "e", "type": "int32", "repeated": true, "packed": false},
            {"number": 6, "name": "f", "type": "int32", "repeated": true},
            {"number": 7, "name": "u32", "type": "uint32", "unit": "s"},
            {"number": 8, "name": "u64", "type": "uint64"},
            {"number": 9, "name": "i64", "type": "int64"},
            {"number": 10, "name": "s32", "type": "sint32", "scale": 0.5},
            {"number": 11, "name": "s64", "type": "sint64"},
            {"number": 12, "name": "flag", "type": "bool"},
            {"number": 13, "name": "state", "type": "enum", "enum": "State"},
            {"number": 14, "name": "f32", "type": "fixed32", "display": "hex"},
            {"number": 15, "name": "f64", "type": "fixed64"},
            {"number": 16, "name": "sf32", "type": "sfixed32"},
            {"number": 17, "name": "sf64", "type": "sfixed64"},
            {"number": 18, "name": "float", "type": "float"},
            {"number": 19, "name": "double", "type": "double"},
            {"number": 20, "name": "bytes", "type": "bytes", "volatile": true},
            {"number": 21, "name": "node", "type": "message", "message": "Node"},
            {"number": 22, "name": "nodes", "type": "message", "message": "Node", "repeated": true},
            {"number": 23, "name": "held", "type": "bytes", "message": "Node", "if": {"field": "c.kind", "is": 2}},
            {"number": 23, "name": "sealed", "type": "bytes"},
            {"number": 24, "name": "floats", "type": "float", "repeated": true},
            {"number": 536870911, "name": "last", "type": "uint32"}
          ]
        }
        """#

    static func layout(
        _ field: String = "\"message\": \"All\"", before: String = "", types: String = Self.types
    ) throws -> Layout {
        var problems = DocumentProblems()
        var document = LayoutDocument(order: .big)
        document.takesRefusals = true
        document.protobuf = MessageDocument(
            try JSONParser.parse(Array(types.utf8)), takesRefusals: true, &problems)
        let node = try JSONParser.parse(
            Array("[\(before) {\"name\": \"m\", \"type\": \"protobuf\", \(field)}]".utf8))
        guard case .array(let nodes) = node.value else { return Layout() }
        let layout = Layout(document.fields(nodes, &problems))
        #expect(problems.isEmpty, "\(problems.list)")
        return layout
    }

    /// Octets and the values that they stand for; the first are the examples of the format's description.
    static let values: [(String, [(String, AnnotationValue)])] = [
        ("089601", [("a", .signed(150))]),
        ("120774657374696e67", [("b", .text("testing"))]),
        ("1a03089601", [("c", .group([number("a", .signed(150), 3..<5)]))]),
        (
            "220568656c6c6f280128022803",
            [("d", .text("hello")), ("e", list("e", [.signed(1), .signed(2), .signed(3)], at: 8, step: 2))]
        ),
        ("08feffffffffffffffff01", [("a", .signed(-2))]),
        ("5001", [("s32", .decimal(FixedDecimal(mantissa: -5, places: 1)))]),
        ("58feffffffffffffffff01", [("s64", .signed(.max))]),
        ("58ffffffffffffffffff01", [("s64", .signed(.min))]),
        ("38ffffffff0f", [("u32", .unsigned(0xFFFF_FFFF))]),
        ("40ffffffffffffffffff01", [("u64", .unsigned(.max))]),
        ("48ffffffffffffffffff01", [("i64", .signed(-1))]),
        ("60016801", [("flag", .bool(true)), ("state", .named(1, "busy"))]),
        ("6809", [("state", .named(9, nil))]),
        ("7578563412", [("f32", .hex(0x1234_5678, digits: 8))]),
        ("790100000000000080", [("f64", .unsigned(0x8000_0000_0000_0001))]),
        ("8501feffffff", [("sf32", .signed(-2))]), ("8901feffffffffffffff", [("sf64", .signed(-2))]),
        ("95010000c03f", [("float", .decimal(FixedDecimal(mantissa: 15, places: 1)))]),
        ("990100000000000000c0", [("double", .decimal(FixedDecimal(mantissa: -20, places: 1)))]),
        ("a20102cafe", [("bytes", .octets([0xCA, 0xFE]))]), ("ba0101ff", [("sealed", .octets([0xFF]))]),
        ("f8ffffff0f07", [("last", .unsigned(7))]), ("", []),
    ]

    private static func number(_ name: String, _ value: AnnotationValue, _ range: Range<Int>) -> DecodedField
    {
        DecodedField(name, value, range: range)
    }

    private static func list(
        _ name: String, _ values: [AnnotationValue], at start: Int, step: Int
    ) -> AnnotationValue {
        .list(
            values.enumerated().map { index, value in
                [number(name, value, start + step * index..<start + step * index + 1)]
            })
    }

    private static func fields(_ layout: Layout, _ hex: String) throws -> [DecodedField] {
        let decoded = layout.decode(try Hex.octets(hex))
        #expect(decoded.misfit == nil)
        guard case .group(let fields)? = decoded.fields.last?.value else { return [] }
        return fields
    }

    @Test(arguments: values)
    func `a member is read by its number and written again`(
        hex: String, expected: [(String, AnnotationValue)]
    ) throws {
        let layout = try Self.layout()
        let fields = try Self.fields(layout, hex)
        #expect(fields.map(\.name) == expected.map(\.0))
        #expect(fields.map(\.value) == expected.map(\.1))
        #expect(Hex.text(try layout.encode(["m": .group(fields)])) == hex)
    }

    @Test func `numbers that share one value are a list, as those apart are`() throws {
        let layout = try Self.layout()
        for hex in ["3206038e029ea705", "3003308e02309ea705"] {
            guard case .list(let numbers)? = try Self.fields(layout, hex).first?.value else {
                Issue.record("no list")
                return
            }
            #expect(numbers.map { $0.map(\.value) } == [[.signed(3)], [.signed(270)], [.signed(86_942)]])
        }
        let twice = try Self.fields(layout, "320103" + "08010801" + "32028e02")
        #expect(twice.map(\.name) == ["f", "a", "unknown"])
        guard case .list(let numbers)? = twice.first?.value else { return }
        #expect(numbers.count == 2)
        let written = try layout.encode([
            "m": .group([DecodedField("f", .list([3, 270].map { [DecodedField("f", .signed($0))] }))])
        ])
        #expect(Hex.text(written) == "3203038e02")
    }

    @Test func `values without a member are shown by number and form, and nothing is dropped`() throws {
        let layout = try Self.layout()
        // A number of no member, of each form; a group; a member of another form; a number too large for it.
        let hex =
            "f806" + "05" + "fd06" + "01000000" + "f906" + "0200000000000000" + "fa06" + "02abcd"
            + "fb06" + "0801" + "fc06" + "0a01ff" + "38ffffffff1f" + "6002"
        let fields = try Self.fields(layout, hex)
        #expect(fields.map(\.name) == ["unknown"])
        guard case .list(let unknown)? = fields.first?.value else { return }
        #expect(
            unknown.map { $0.map(\.value) } == [
                [.unsigned(111), .text("varint"), .unsigned(5)],
                [.unsigned(111), .text("32-bit"), .unsigned(1)],
                [.unsigned(111), .text("64-bit"), .unsigned(2)],
                [.unsigned(111), .text("bytes"), .octets([0xAB, 0xCD])],
                [.unsigned(111), .text("group"), .octets([8, 1])],
                [.unsigned(1), .text("bytes"), .octets([0xFF])],
                [.unsigned(7), .text("varint"), .unsigned(0x1_FFFF_FFFF)],
                [.unsigned(12), .text("varint"), .unsigned(2)],
            ])
        #expect(Hex.text(try layout.encode(["m": .group(fields)])) == hex)
    }

    @Test func `of a member that is sent twice the last counts, and the first is shown too`() throws {
        let fields = try Self.fields(try Self.layout(), "08010802")
        #expect(fields.map(\.name) == ["a", "unknown"] && fields.first?.value == .signed(2))
        guard case .list(let unknown)? = fields.last?.value else { return }
        #expect(unknown.map { $0.map(\.value) } == [[.unsigned(1), .text("varint"), .unsigned(1)]])
    }

    @Test func `bytes may hold a message, by a condition and if they fit it fully`() throws {
        let layout = try Self.layout()
        #expect(try Self.fields(layout, "1a021002" + "ba01020805").map(\.name) == ["c", "held"])
        guard case .group(let node)? = try Self.fields(layout, "1a021002" + "ba01020805").last?.value else {
            Issue.record("no message")
            return
        }
        #expect(node.map(\.value) == [.unsigned(5)])
        #expect(try Self.fields(layout, "1a021002" + "ba01021805").last?.value == .octets([0x18, 5]))
        #expect(try Self.fields(layout, "1a021002" + "ba01021208").last?.value == .octets([0x12, 8]))
        #expect(try Self.fields(layout, "1a021003" + "ba01020805").map(\.name) == ["c", "sealed"])
    }

    @Test func `a value that means a refusal is found in any message`() throws {
        #expect(try Self.layout().decode(try Hex.octets("6802")).refusal == "not allowed")
        #expect(try Self.layout().decode(try Hex.octets("6801")).refusal == nil)
    }

    @Test(arguments: [
        ("08", "varint", 1), ("08ffffffffffffffffff02", "varint", 1),
        ("08ffffffffffffffffffff01", "varint", 1),
        ("0c", "wire", 0), ("0e", "wire", 0), ("0f", "wire", 0), ("00", "wire", 0),
        ("808080801001", "wire", 0),
        ("1205aabb", "length", 1), ("12ffffffffffffffffff01", "length", 1), ("751122", "length", 1),
        ("1202ffff", "text", 2), ("1a0208", "length", 1), ("1a0108", "varint", 3), ("32018e", "varint", 2),
        ("fb06", "varint", 2), ("c20105aabbccddee", "length", 7),
    ])
    func `broken wire data names the rule and its place`(hex: String, check: String, offset: Int) throws {
        let misfit = try Self.layout().decode(try Hex.octets(hex)).misfit
        #expect(misfit?.check == check && misfit?.offset == offset)
    }

    @Test func `a misfit in an element of a list names the element`() throws {
        let layout = try Self.layout()
        #expect(layout.decode(try Hex.octets("b201020801" + "b2010108")).misfit?.field == "m.nodes[1]")
        #expect(layout.decode(try Hex.octets("3003" + "320203ff")).misfit?.field == "m.f[1]")
    }

    @Test func `messages of a type within itself are read to sixteen levels`() throws {
        let layout = try Self.layout("\"message\": \"Node\"")
        func nested(_ levels: Int) -> [UInt8] {
            (1..<levels).reduce([]) { octets, _ in [0x12, UInt8(octets.count)] + octets }
        }
        #expect(layout.decode(nested(16)).misfit == nil)
        #expect(layout.decode(nested(17)).misfit?.check == "depth")
        let groups = [UInt8](repeating: 0x1B, count: 20) + [UInt8](repeating: 0x1C, count: 20)
        #expect(layout.decode(groups).misfit?.check == "depth")
        let many = [[UInt8]](repeating: [0x08, 0x01], count: 5_000).flatMap { $0 }
        #expect(layout.decode(many).misfit?.check == "count")
    }

    @Test func `a message has the length that is left, a fixed one, or one of another field`() throws {
        let u8 = "{\"name\": \"n\", \"type\": \"u8\"},"
        let counted = try Self.layout("\"message\": \"All\", \"length\": \"n\"", before: u8)
        #expect(counted.decode(try Hex.octets("02" + "0801")).misfit == nil)
        #expect(counted.decode(try Hex.octets("02" + "080108")).misfit?.check == "trailing")
        let fields = [DecodedField("a", .signed(150))]
        #expect(Hex.text(try counted.encode(["m": .group(fields)])) == "03089601")
        let fixed = try Self.layout("\"message\": \"All\", \"length\": 2")
        #expect(fixed.decode(try Hex.octets("0801")).misfit == nil)
        #expect(fixed.decode(try Hex.octets("08")).misfit?.check == "length")
        #expect(throws: LayoutError.unfit("m")) { try fixed.encode(["m": .group(fields)]) }
    }

    @Test func `a value that a member can't hold is refused by its path`() throws {
        let layout = try Self.layout()
        let wrong: [(DecodedField, LayoutError)] = [
            (DecodedField("u32", .unsigned(1 << 32)), .unfit("m.u32")),
            (DecodedField("a", .signed(1 << 31)), .unfit("m.a")),
            (DecodedField("b", .unsigned(1)), .unfit("m.b")),
            (DecodedField("other", .unsigned(1)), .unfit("m.other")),
            (DecodedField("c", .group([DecodedField("kind", .text("x"))])), .unfit("m.c.kind")),
        ]
        for (field, error) in wrong {
            #expect(throws: error) { try layout.encode(["m": .group([field])]) }
        }
        #expect(Hex.text(try layout.encode(["m": .group([DecodedField("state", .text("busy"))])])) == "6801")
    }

    @Test func `a member that must be there is missed`() throws {
        let layout = try Self.layout(
            "\"members\": [{\"number\": 1, \"name\": \"a\", \"type\": \"uint32\", \"required\": true}]")
        #expect(layout.decode([]).misfit?.check == "required")
        #expect(layout.decode([8, 1]).misfit == nil)
        #expect(throws: LayoutError.missing("m.a")) { try layout.encode(["m": .group([])]) }
        #expect(layout.fields.first?.isDistinctive == true)
    }

    @Test(arguments: [UInt64(41), 42, 43])
    func `any octets are read or refused, and what is read is written with the same values`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let layout = try Self.layout()
        let seeds = try Self.values.map { try Hex.octets($0.0) }
        var fitting = 0
        for step in 0..<4_000 {
            var octets = random.octets(Int.random(in: 0...24, using: &random))
            if step % 2 == 0 {
                octets = (0..<3).flatMap { _ in seeds.randomElement(using: &random) ?? [] }
                if step % 4 == 0 { octets = random.mutated(octets) }
            }
            let decoded = layout.decode(octets)
            guard decoded.misfit == nil else { continue }
            fitting += 1
            let written = try layout.encode(decoded.fields)
            let again = layout.decode(written)
            #expect(again.misfit == nil)
            if step % 2 == 1 {
                #expect(Self.bare(again.fields) == Self.bare(decoded.fields))
            } else {
                // The first value of a member that was sent twice is unknown: the order may change.
                #expect(try layout.encode(again.fields).count == written.count)
            }
        }
        #expect(fitting > 500)
    }

    /// Names and values without places.
    private static func bare(_ fields: [DecodedField]) -> [String] {
        fields.map { field in
            switch field.value {
            case .group(let inner): "\(field.name)\(bare(inner))"
            case .list(let elements): "\(field.name)\(elements.map(bare))"
            default: "\(field.name)=\(field.value)"
            }
        }
    }
}
