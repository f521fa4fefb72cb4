import Testing
import WireBytes

@testable import PayloadFormat

/// The table of the results of slow functions.
@Suite struct FunctionResultsTests {
    private static let key = "2538cdc29a97c19c1e99a637d6cf4f8c970c118b56ede1e6323e6d162c4b30db"
    private static let peer =
        "04c7a1f47138486aa4729971494878d33b1a24e39571f748a6e16c5955b3d877d3"
        + "a6aaa0e955166474af5d32c410f439a2234137ad1bb085fd4e8813c958f11d97"

    @Test func `a shared secret is computed once for a key and a peer`() throws {
        let (key, peer) = (try Hex.octets(Self.key), try Hex.octets(Self.peer))
        let results = FunctionResults()
        let once = try TermFunction.ecdhP256.value(of: peer, key: key, nil)
        for _ in 0..<3 {
            #expect(try TermFunction.ecdhP256.value(of: peer, key: key, results) == once)
        }
        #expect(results.count == 1)
        var other = key
        other[31] ^= 1
        #expect(try TermFunction.ecdhP256.value(of: peer, key: other, results) != once)
        #expect(results.count == 2)
        // Quick functions, and inputs that are refused, leave nothing.
        #expect(try TermFunction.sha1.value(of: peer, key: [], results).count == 20)
        #expect(throws: UnknownValue.self) { try TermFunction.ecdhP256.value(of: [4], key: key, results) }
        #expect(results.count == 2)
    }

    @Test func `the table holds 64 results at most`() throws {
        let peer = try Hex.octets(Self.peer)
        let results = FunctionResults()
        for number in 1...200 {
            let key = [UInt8](repeating: 0, count: 31) + [UInt8(number)]
            _ = try TermFunction.ecdhP256.value(of: peer, key: key, results)
            #expect((1...64).contains(results.count))
        }
    }
}
