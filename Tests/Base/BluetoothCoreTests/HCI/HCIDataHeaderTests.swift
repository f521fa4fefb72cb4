import BluetoothCore
import Testing
import WireBytes

@Suite struct HCIDataHeaderTests {
    @Test func `an ACL header gives handle, boundary and length`() throws {
        let header = try LEEventTests.decode(HCIACLHeader.self, "40 20 1B00")
        #expect(header.handle == 0x040)
        #expect(header.boundary == 2)
        #expect(header.broadcast == 0)
        #expect(header.dataLength == 27)
        #expect(!header.isContinuation)
        #expect(HCIACLHeader(handle: 0x40, boundary: 2, dataLength: 27) == header)
        #expect(try LEEventTests.decode(HCIACLHeader.self, "DC1E 0400").handle == 0xEDC)
    }

    @Test func `a synchronous header gives handle, status and length`() throws {
        let header = try LEEventTests.decode(HCISynchronousHeader.self, "0610 30")
        #expect(header.handle == 6)
        #expect(header.packetStatus == 1)
        #expect(header.dataLength == 48)
    }

    @Test(arguments: [
        ("6060 3400 78563412 0700 2800", true, true), ("6020 0C00 0700 0800", false, true),
        ("6010 2000", false, false), ("6070 2400 78563412", true, false),
    ]) func `an ISO header is as long as its flags say`(hex: String, stamped: Bool, starts: Bool) throws {
        let header = try LEEventTests.decode(HCIISOHeader.self, hex)
        #expect(header.handle == 0x060)
        #expect(header.hasTimeStamp == stamped)
        #expect(header.timeStamp == (stamped ? 0x1234_5678 : 0))
        #expect(header.startsSDU == starts)
        #expect(header.packetSequenceNumber == (starts ? 7 : 0))
        #expect(header.encoded == (try Hex.octets(hex)))
    }
}
