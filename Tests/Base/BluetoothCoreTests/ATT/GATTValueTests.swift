import BluetoothCore
import Testing
import WireBytes

@Suite struct GATTValueTests {
    static func decode<Fields: PDUFields>(_: Fields.Type, _ hex: String) throws(DecodeError) -> Fields {
        try octets(hex).withReader { (reader: inout ByteReader) throws(DecodeError) -> Fields in
            let fields = try Fields(decoding: &reader)
            try reader.expectEnd()
            return fields
        }
    }

    static func check<Fields: PDUFields & Equatable>(_ fields: Fields, _ hex: String) throws {
        #expect(try decode(Fields.self, hex) == fields, "\(hex)")
        #expect(fields.encoded == octets(hex))
        expectPrefixesTruncated(octets(hex), hex) { prefix throws(DecodeError) in
            try prefix.withReader { (reader: inout ByteReader) throws(DecodeError) in
                try Fields(decoding: &reader).encoded
            }
        }
    }

    @Test func `declarations agree both ways`() throws {
        try Self.check(GATTServiceDeclaration(uuid: BluetoothUUID(UInt16(0x1800))), "0018")
        try Self.check(GATTServiceDeclaration(uuid: ATTPDUTests.custom), ATTPDUTests.customHex)
        try Self.check(
            GATTCharacteristicDeclaration(
                properties: [.read, .notify], valueHandle: 3, uuid: BluetoothUUID(UInt16(0x2A00))),
            "12 0300 002A")
        try Self.check(
            GATTCharacteristicDeclaration(
                properties: .writeWithoutResponse, valueHandle: 9, uuid: ATTPDUTests.custom),
            "04 0900" + ATTPDUTests.customHex)
        try Self.check(
            GATTIncludeDeclaration(
                handle: 0x10, endGroupHandle: 0x14, uuid: BluetoothUUID(UInt16(0x180F))),
            "1000 1400 0F18")
        try Self.check(GATTIncludeDeclaration(handle: 0x10, endGroupHandle: 0x14, uuid: nil), "1000 1400")
    }

    @Test func `a client configuration agrees both ways`() throws {
        try Self.check(GATTClientCharacteristicConfiguration(configuration: .notification), "0100")
    }
}
