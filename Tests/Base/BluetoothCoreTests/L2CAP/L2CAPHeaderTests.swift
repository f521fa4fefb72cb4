import BluetoothCore
import Testing
import WireBytes

@Suite struct L2CAPHeaderTests {
    @Test func `length and channel are read and written`() throws {
        let whole = octets("0700 0400")
        let header = try whole.withReader { (reader: inout ByteReader) throws(DecodeError) in
            try L2CAPHeader(decoding: &reader)
        }
        #expect(header == L2CAPHeader(length: 7, channel: .attribute))
        var writer = ByteWriter()
        header.encode(into: &writer)
        #expect(writer.octets == whole)
        for count in 0..<4 {
            let cut = Array(whole.prefix(count))
            #expect(throws: DecodeError(.truncated(need: 4, have: count), at: 0)) {
                try cut.withReader { (reader: inout ByteReader) throws(DecodeError) in
                    try L2CAPHeader(decoding: &reader)
                }
            }
        }
    }

    @Test func `fixed channels have names, dynamic ones none`() {
        #expect(L2CAPChannelID.attribute.name.map { "\($0)" } == "ATT")
        #expect(L2CAPChannelID.securityManager.name.map { "\($0)" } == "SMP")
        #expect(L2CAPChannelID(rawValue: 0x40).name == nil)
    }
}
