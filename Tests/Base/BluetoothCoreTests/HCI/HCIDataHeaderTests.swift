import BluetoothCore
import Testing

@Suite struct HCIDataHeaderTests {
    @Test func `an ACL header gives handle, boundary and length`() throws {
        let header = try LEEventTests.decode(HCIACLHeader.self, "40 20 1B00")
        #expect(header.handle == 0x040)
        #expect(header.boundary == 2)
        #expect(header.dataLength == 27)
        #expect(!header.isContinuation)
        #expect(HCIACLHeader(handle: 0x40, boundary: 2, dataLength: 27) == header)
        #expect(try LEEventTests.decode(HCIACLHeader.self, "DC1E 0400").handle == 0xEDC)
    }
}
