import Runtime
import Testing

@Suite struct EntropyTests {
    @Test func `one seed gives one stream, and each purpose its own`() throws {
        let one = SeededEntropy(seed: 7)
        let other = SeededEntropy(seed: 7)
        _ = try other.octets(100, for: .air)
        #expect(try one.octets(32, for: .nonce) == other.octets(32, for: .nonce))
        #expect(try one.octets(32, for: .nonce) != one.octets(32, for: .nonce))
        #expect(
            try SeededEntropy(seed: 8).octets(32, for: .nonce)
                != SeededEntropy(seed: 7).octets(32, for: .nonce))
        #expect(
            try SeededEntropy(seed: 7).octets(32, for: .pairing)
                != SeededEntropy(seed: 7).octets(32, for: .nonce))
    }

    @Test func `a stream is the same on every machine`() throws {
        // Computed apart from this code: FNV-1a of the purpose, SplitMix64, bits 24 to 31 of each number.
        #expect(try SeededEntropy(seed: 1).octets(8, for: .nonce) == EntropyTests.golden)
    }

    @Test func `recorded draws come in their order, then the fallback's`() throws {
        let entropy = RecordedEntropy(
            [.nonce: [[1, 2], [3, 4]], .pairing: [[9]]], fallback: SeededEntropy(seed: 1))
        #expect(try entropy.octets(2, for: .nonce) == [1, 2])
        #expect(try entropy.octets(3, for: .nonce).count == 3)
        #expect(try entropy.octets(2, for: .nonce) == [3, 4])
        #expect(entropy.unused.map(\.0) == [.pairing])
        #expect(entropy.unused.map(\.1) == [1])
    }

    @Test func `without a fallback the end of a recording is an error`() throws {
        let entropy = RecordedEntropy([.nonce: [[1]]])
        #expect(try entropy.octets(1, for: .nonce) == [1])
        #expect(throws: EntropyError.exhausted(.nonce)) { try entropy.octets(1, for: .nonce) }
    }

    static let golden: [UInt8] = [0xB8, 0x3B, 0x50, 0xC7, 0x06, 0x89, 0x6E, 0x4E]
}
