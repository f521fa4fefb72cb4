import PayloadFormat
import Testing
import WireBytes

/// Concatenations with functions, parts and values of earlier messages.
@Suite struct FormulaTermTests {
    // Example keys of the description of vehicle-command, and its shared key.
    static let client = "2538cdc29a97c19c1e99a637d6cf4f8c970c118b56ede1e6323e6d162c4b30db"
    static let clientPublic =
        "04b2b6bc68c2da0665ce656815594996c62394edd8bea905fe781a754fe6a845a7"
        + "14330902f225e9269d466e05b349981fda9d85cc23c6fb444aa73b629105dc6e"
    static let vehicle = "344ee5b466a7cf1eeb12b6f50331db2e5ec5834ef5f4befcfd8cbe55c2528d70"
    static let vehiclePublic =
        "04c7a1f47138486aa4729971494878d33b1a24e39571f748a6e16c5955b3d877d3"
        + "a6aaa0e955166474af5d32c410f439a2234137ad1bb085fd4e8813c958f11d97"
    static let shared = "1b2fce19967b79db696f909cff89ea9a"

    private static func octets(_ hex: String) throws -> FormulaTerm { .octets(try Hex.octets(hex)) }

    private static func agreed(_ own: String, _ peer: String) throws -> FormulaTerm {
        .function(.ecdhP256, key: [try octets(own)], of: [try octets(peer)])
    }

    private static func text(
        _ terms: FormulaTerm..., variables: FormulaVariables = FormulaVariables()
    ) throws -> String {
        Hex.text(try terms.concatenation(variables))
    }

    @Test func `both sides agree on the published key`() throws {
        for (own, peer) in [(Self.client, Self.vehiclePublic), (Self.vehicle, Self.clientPublic)] {
            let key = FormulaTerm.part(
                of: .function(.sha1, key: [], of: [try Self.agreed(own, peer)]), 0..<16)
            #expect(try Self.text(key) == Self.shared)
        }
    }

    @Test func `a shared secret keeps its leading zeros, and an invalid key makes none`() throws {
        // Values of vehicle-command's own test.
        let own = "5260f8d6113875d86f8ee8fea340df1ffb40c658b5455e8c33d797c53a41afd3"
        let peer =
            "0407fb60b65b94e0de4a954c53be10003d9e69918dedfda5f4e9efb9ebd8c5bd67"
            + "2a53991c4068865d5fb44f97f6cecf8398f261dd1d7bc69be676afdc8ffacbcc"
        #expect(
            try Self.text(try Self.agreed(own, peer))
                == "0072d5b815207a04f0c795fba0ba9e8add3f1f57148c51fface22ca15e6fd845")
        let zeros = String(repeating: "00", count: 64)
        let wrong = [
            (own, "0406" + peer.dropFirst(4)), (own, "04" + zeros), (own, "03" + peer.dropFirst(2)),
            (own, String(peer.dropLast(2))), (String(zeros.prefix(64)), peer),
            (String(own.dropLast(2)), peer),
        ]
        for (own, peer) in wrong {
            #expect(throws: UnknownValue.self) { try Self.text(try Self.agreed(own, peer)) }
        }
    }

    @Test func `functions, parts and replacements nest`() throws {
        var variables = FormulaVariables()
        variables["a"] = [1, 2, 3]
        let a = FormulaTerm.variable("a", nil)
        let missing = FormulaTerm.function(nil, key: [], of: [a, .variable("b", nil)])
        #expect(
            try Self.text(.function(.lengthPrefixed, key: [], of: [a, a]), variables: variables)
                == "06010203010203")
        #expect(try Self.text(.part(of: .reversed(a), 0..<2), variables: variables) == "0302")
        #expect(try Self.text(.either(missing, or: .octets([])), a, variables: variables) == "010203")
        #expect(throws: UnknownValue.self) { try Self.text(missing, variables: variables) }
        #expect(throws: UnknownValue.self) { try Self.text(.part(of: a, 2..<4), variables: variables) }
        let long = FormulaTerm.octets([UInt8](repeating: 0, count: 256))
        #expect(throws: UnknownValue.self) { try Self.text(.function(.lengthPrefixed, key: [], of: [long])) }
    }

    @Test func `of an earlier value the last one counts, and old ones are forgotten`() throws {
        var variables = FormulaVariables()
        for number in 0..<40 as Range<UInt8> { variables.remember([number], as: "earlier.a", by: [number]) }
        variables.remember([100], as: "earlier.a", by: [39])
        variables.remember([7], as: "earlier.b", by: [])
        func earlier(_ name: String, _ by: [UInt8]) -> FormulaTerm { .earlier(name, by: [.octets(by)]) }
        #expect(try Self.text(earlier("earlier.a", [39]), variables: variables) == "64")
        #expect(try Self.text(earlier("earlier.a", [8]), variables: variables) == "08")
        #expect(try Self.text(.earlier("earlier.b", by: []), variables: variables) == "07")
        for (name, by) in [("earlier.a", [7]), ("earlier.b", [0]), ("earlier.c", [])] as [(String, [UInt8])] {
            #expect(throws: UnknownValue.self) { try Self.text(earlier(name, by), variables: variables) }
        }
    }
}
