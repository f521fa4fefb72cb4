import BluetoothCore
import Testing
import WireBytes

/// The text that tables of PDUs and names of values are written in.
@Suite struct PDUTableTests {
    /// The fields of the first row's parameters in `hex`, as a printer would show them.
    static func show(_ rows: StaticText, _ hex: String) throws -> String {
        let layout = try #require(try PDUTable([rows]).rows.first?.parameters)
        var coder = DescribingCoder(try Hex.octets(hex))
        try layout.code(&coder)
        return coder.text
    }

    @Test func `a row has a code, a section, a name, fields and what is returned`() throws {
        let table = try PDUTable(["2030 7.8.47 LE Read PHY\n> connection_handle\n< status tx_phy:1=phy\n"])
        let row = try #require(table[0x2030])
        #expect(row.name == "LE Read PHY")
        #expect(row.section == "7.8.47")
        #expect(row.parameters?.size == 2)
        #expect(row.parameters?.handle?.offset == 0)
        #expect(row.returnParameters?.size == 2)
        #expect(table[0x2031] == nil)
    }

    @Test func `every kind of field is read`() throws {
        #expect(
            try Self.show(
                "01 All\n> a:1 b:2x c:3*1.25ms d:1=phy e:1|phys f:addr g:dBm h:2! i:9 j:3\" k:i1 l:1h\n",
                "05 3412 080000 01 03 060504030201 C5 AABB 010203040506070809 616200 FF 02")
                == "a=5 b=0x1234 c=10ms d=<LE 1M> e={LE 1M,LE 2M} f=01:02:03:04:05:06 g=-59dBm h=hidden "
                + "i=010203040506070809 j='ab' k=-1 l=0x2")
    }

    @Test func `lists and lengths count by an earlier field, or by its bits`() throws {
        #expect(
            try Self.show(
                "01 Counted\n> n:1 m:1 a:[n](b:1 c:[m]) d:[#m](e:1)\n", "02 03 01 AABBCC 02 DDEEFF 07 08")
                == "n=2 m=3 a=[ b=1 c=aabbcc b=2 c=ddeeff ] d=[ e=7 e=8 ]")
    }

    @Test func `a list may say how wide its elements are`() throws {
        let rows: StaticText = "01 Wide\n> Length:1 List:[/Length](a:1 b:*)\n"
        #expect(try Self.show(rows, "03 010203 040506") == "Length=3 List=[ a=1 b=0203 a=4 b=0506 ]")
        #expect(throws: DecodeError(.truncated(need: 3, have: 1), at: 4)) {
            try Self.show(rows, "03 010203 04")
        }
        #expect(throws: DecodeError(.invalidLength, at: 0)) { try Self.show(rows, "00 01") }
        #expect(throws: DecodeError(.invalidLength, at: 0)) {
            try Self.show("01 Empty\n> Length:1 List:[/Length](a:*)\n", "00 01")
        }
        let none: [StaticText] = [
            "01 None\n> n:1 List:[/0](a:*)\n", "01 None\n> n:1 List:[/n=0,1](a:*)\n",
            "01 None\n> n:1 List:[/n=1,0](a:*)\n",
        ]
        for rows in none { #expect(throws: PDUTableError.self) { try PDUTable([rows]) } }
        let fixed: StaticText = "01 Fixed\n> [/2](a:2)\n"
        #expect(throws: PDUTableError.self) { try Self.show(fixed, "00") }
        let choice: StaticText = "01 Two\n> kind:1 list:[/kind=1,3](a:1 b:*)\n"
        #expect(try Self.show(choice, "01 0102") == "kind=1 list=[ a=1 b= a=2 b= ]")
        #expect(try Self.show(choice, "02 010203") == "kind=2 list=[ a=1 b=0203 ]")
        #expect(throws: DecodeError(.invalidValue, at: 0)) { try Self.show(choice, "03 01") }
    }

    @Test func `a value may be cut by the end, or end before the last bytes`() throws {
        let rows: StaticText = "01 Cut\n> n:1 a:[<n]\n"
        #expect(try Self.show(rows, "02 010203") == "n=2 a=0102")
        #expect(try Self.show(rows, "05 0102") == "n=5 a=0102")
        #expect(try Self.show("01 But\n> a:*-2 b:2x\n", "01 02 0304") == "a=0102 b=0x403")
    }

    @Test func `an attribute type has two bytes or 16`() throws {
        #expect(try Self.show("01 Type\n> a:attribute_type\n", "0028") == "a=2800")
        #expect(throws: DecodeError(.truncated(need: 16, have: 3), at: 0)) {
            try Self.show("01 Type\n> a:attribute_type\n", "002801")
        }
    }

    @Test func `names with spaces stand between quotation marks`() throws {
        let rows: StaticText = "01 Named\n> \"The Count\":1 a:[\"The Count\"](\"Its Value\":1)\n"
        #expect(try Self.show(rows, "02 07 08") == "The Count=2 a=[ Its Value=7 Its Value=8 ]")
    }

    @Test func `a condition chooses fields by a value`() throws {
        let rows: StaticText = "01 Either\n> kind:1 ?kind=1,3(a:1 ) ?kind=2(b:2)\n"
        #expect(try Self.show(rows, "01 05") == "kind=1 a=5")
        #expect(try Self.show(rows, "02 0500") == "kind=2 b=5")
        #expect(try Self.show(rows, "04 05") == "kind=4")
    }

    @Test func `a group stands for its fields, and a line that begins with a space goes on`() throws {
        #expect(try Self.show("@g a:1\n  b:1\n01 Two\n> @g c:1\n", "01 02 03") == "a=1 b=2 c=3")
    }

    @Test func `return parameters may end with a status that is no success`() throws {
        let row = try PDUTable(["01 Refused\n< status a:2\n"])[1]
        #expect(row?.returnParameters?.fault(in: [0x0C].borrowedOctets) == nil)
        #expect(
            row?.returnParameters?.fault(in: [0x00].borrowedOctets)?.reason == .truncated(need: 2, have: 0))
    }

    static let mistakes: [(StaticText, Int, StaticText)] = [
        ("01 One\n> a:1\n01 Again\n> a:1\n", 0, "a code that is there twice"),
        ("> a:1\n", 1, "fields before the first row"),
        ("01 One\n> a\n", 2, "a field without a type"),
        ("01 One\n> a:1=nothing\n", 2, "an unknown set of names"),
        ("01 One\n> a:[b]\n", 2, "a count or condition by a field that is not there"),
        ("01 One\n> n:1 a:[n](b:1\n", 2, "a bracket that nothing closes"),
        ("01 One\n> a:1)\n", 2, "a bracket that nothing opens"),
        ("01 One\n> @g\n", 2, "an unknown group"),
        ("@g @g\n", 1, "too many groups or brackets in each other"),
        ("01 One\n> a:2*furlong\n", 2, "an unknown unit"),
        ("01 One\n> a:9x\n", 2, "an integer of no or more than eight bytes"),
        ("10000 One\n", 1, "a code over FFFF"),
        ("one\n", 1, "a line that begins with no code, >, <, @ or #"),
    ]

    @Test(arguments: mistakes)
    func `a mistake is named with its line`(text: StaticText, line: Int, reason: StaticText) {
        let error = #expect(throws: PDUTableError.self) { _ = try PDUTable([text]) }
        #expect(error?.line == line)
        #expect(error?.reason == reason)
    }

    @Test func `names count on from the value before an equals sign, and ranges have one name`() {
        let names = ValueNames(["a: zero; one; 4=four; five; 80-9F=many; A0=after\nb: x\n"])
        func name(_ value: UInt64) -> String? { names.name(of: value, in: "a").map { "\($0)" } }
        #expect(
            [0, 1, 2, 4, 5, 0x80, 0x9F, 0xA0, 0xA1].map(name) == [
                "zero", "one", nil, "four", "five", "many", "many", "after", nil,
            ])
        #expect(names.name(of: 0, in: "c") == nil)
    }
}
