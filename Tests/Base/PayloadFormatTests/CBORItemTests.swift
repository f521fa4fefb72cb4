import TestSupport
import Testing
import WireBytes

@testable import PayloadFormat

@Suite struct CBORItemTests {
    /// Examples of RFC 8949, Appendix A: bytes and diagnostic notation.
    static let examples: [(hex: String, shown: String)] = [
        ("00", "0"), ("01", "1"), ("0a", "10"), ("17", "23"), ("1818", "24"), ("1819", "25"), ("1864", "100"),
        ("1903e8", "1000"), ("1a000f4240", "1000000"), ("1b000000e8d4a51000", "1000000000000"),
        ("1bffffffffffffffff", "18446744073709551615"),
        ("c249010000000000000000", "2(h'010000000000000000')"),
        ("3bffffffffffffffff", "-18446744073709551616"), ("20", "-1"), ("29", "-10"), ("3863", "-100"),
        ("3903e7", "-1000"), ("f90000", "0.0"), ("f98000", "-0.0"), ("f93c00", "1.0"),
        ("fb3ff199999999999a", "1.1"), ("f93e00", "1.5"), ("f97bff", "65504.0"), ("fa47c35000", "100000.0"),
        ("fb7e37e43c8800759c", "1e+300"), ("f90001", "5.960464477539063e-08"), ("f90400", "6.103515625e-05"),
        ("f9c400", "-4.0"), ("fbc010666666666666", "-4.1"), ("f97c00", "Infinity"), ("f97e00", "NaN"),
        ("f9fc00", "-Infinity"), ("fa7f800000", "Infinity"), ("fb7ff8000000000000", "NaN"), ("f4", "false"),
        ("f5", "true"), ("f6", "null"), ("f7", "undefined"), ("f0", "simple(16)"), ("f8ff", "simple(255)"),
        ("c074323031332d30332d32315432303a30343a30305a", "0(\"2013-03-21T20:04:00Z\")"),
        ("c11a514b67b0", "1(1363896240)"), ("c1fb41d452d9ec200000", "1(1363896240.5)"),
        ("d74401020304", "23(h'01020304')"), ("d818456449455446", "24(h'6449455446')"), ("c601", "6(1)"),
        ("d420", "20(-1)"), ("40", "h''"),
        ("4401020304", "h'01020304'"), ("60", "\"\""), ("6161", "\"a\""), ("62225c", "\"\\\"\\\\\""),
        ("62c3bc", "\"\u{FC}\""), ("63e6b0b4", "\"\u{6C34}\""), ("64f0908591", "\"\u{10151}\""), ("80", "[]"),
        ("83010203", "[1, 2, 3]"), ("8301820203820405", "[1, [2, 3], [4, 5]]"), ("a0", "{}"),
        ("a201020304", "{1: 2, 3: 4}"), ("a26161016162820203", "{\"a\": 1, \"b\": [2, 3]}"),
        ("826161a161626163", "[\"a\", {\"b\": \"c\"}]"), ("5f42010243030405ff", "h'0102030405'"),
        ("7f657374726561646d696e67ff", "\"streaming\""), ("9fff", "[]"),
        ("9f018202039f0405ffff", "[1, [2, 3], [4, 5]]"), ("83018202039f0405ff", "[1, [2, 3], [4, 5]]"),
        ("bf61610161629f0203ffff", "{\"a\": 1, \"b\": [2, 3]}"),
        ("bf6346756ef563416d7421ff", "{\"Fun\": true, \"Amt\": -2}"),
        ("826161bf61626163ff", "[\"a\", {\"b\": \"c\"}]"), ("6309610a", "\"\\u0009a\\n\""),
    ]

    private static func items(_ hex: String) throws -> [CBORItem] {
        try CBORItem.items(in: try Hex.octets(hex)[...], depth: 16, count: 4_096)
    }

    @Test(arguments: examples)
    func `an example of the standard is read, and read again when written`(hex: String, shown: String) throws
    {
        let items = try Self.items(hex)
        #expect(items.map(\.diagnostic) == [shown])
        #expect(items.first?.range == 0..<hex.utf8.count / 2)
        let again = try Self.items(Hex.text(items.flatMap(\.octets)))
        #expect(again.map(\.diagnostic) == [shown])
    }

    /// Data that is not well-formed (RFC 8949, Appendix F), too deep or too large; the rule, its place.
    static let broken: [(hex: String, check: String, index: Int)] = [
        ("18", "length", 0), ("19ff", "length", 0), ("1b00000000", "length", 0), ("f8", "length", 0),
        ("5affffffff00", "length", 0), ("5bffffffffffffffff010203", "length", 0),
        ("7b7fffffffffffffff01", "length", 0),
        ("9bffffffffffffffff00", "length", 10), ("bb7fffffffffffffff0000", "length", 11),
        ("8200", "length", 2),
        ("a100", "length", 2), ("c0", "length", 1), ("9f01", "length", 2), ("bf0102", "length", 3),
        ("5f4100", "length", 3),
        ("1c", "item", 0), ("3d", "item", 0), ("5e", "item", 0), ("fc", "item", 0), ("f818", "item", 0),
        ("ff", "item", 0), ("81ff", "item", 0), ("a1ff", "item", 0), ("a100ff", "item", 2),
        ("bf00ff", "item", 2),
        ("c0ff", "item", 1), ("5f00ff", "item", 1), ("5f6100ff", "item", 1), ("7f4100ff", "item", 1),
        ("5f5f4100ffff", "item", 1), ("61ff", "text", 0), ("7f61c361bcff", "text", 1),
        (String(repeating: "81", count: 16) + "8100", "depth", 16),
        (String(repeating: "c1", count: 200_000), "depth", 16),
        ("9f" + String(repeating: "00", count: 5_000) + "ff", "count", 4_096),
        ("5f" + String(repeating: "40", count: 5_000) + "ff", "count", 4_096),
    ]

    @Test(arguments: broken)
    func `data that breaks a rule is refused at its place`(hex: String, check: String, index: Int) throws {
        let error = #expect(throws: CBORError.self) { try Self.items(hex) }
        #expect(error?.check == check && error?.index == index)
    }

    @Test func `any bytes are read or refused, and what is read is read again`() throws {
        var random = SeededRandom(seed: 41)
        var read = 0
        for _ in 0..<20_000 {
            let octets = random.octets(Int.random(in: 0...24, using: &random))
            guard let items = try? CBORItem.items(in: octets[...], depth: 16, count: 64) else { continue }
            read += 1
            let written = items.flatMap(\.octets)
            let again = try CBORItem.items(in: written[...], depth: 16, count: 64)
            #expect(again.map(\.diagnostic) == items.map(\.diagnostic))
            #expect(again.flatMap(\.octets) == written)
        }
        #expect(read > 1_000)
    }
}
