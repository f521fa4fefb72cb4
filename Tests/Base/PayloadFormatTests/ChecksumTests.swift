import PayloadFormat
import Testing

@Suite struct ChecksumTests {
    @Test(arguments: Checksum.catalogue)
    func `a checksum gives the catalogue's check value`(checksum: Checksum) {
        #expect(checksum.value(of: "123456789".utf8) == checksum.checkValue, "\(checksum.name)")
        #expect(Checksum.named(checksum.name) == checksum)
    }

    @Test func `names are told apart and others are unknown`() {
        #expect(Set(Checksum.catalogue.map(\.name)).count == Checksum.catalogue.count)
        #expect(Checksum.named("crc16") == nil && Checksum.named("") == nil)
    }

    @Test func `a sum's complement makes the sum of all octets zero`() throws {
        let checksum = try #require(Checksum.named("sum8-complement"))
        let octets: [UInt8] = [0x56, 0x7B, 0x06]
        #expect(checksum.value(of: octets) == 0x29)
        #expect(checksum.value(of: []) == 0)
    }
}
