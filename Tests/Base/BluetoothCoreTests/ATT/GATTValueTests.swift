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

    @Test func `descriptors and values agree both ways`() throws {
        try Self.check(GATTClientCharacteristicConfiguration(configuration: .notification), "0100")
        try Self.check(GATTServerCharacteristicConfiguration(bits: 1), "0100")
        try Self.check(GATTExtendedProperties(bits: 3), "0300")
        // sint16, exponent -2, degrees Celsius
        try Self.check(
            GATTPresentationFormat(
                format: 0x0E, exponent: -2, unit: BluetoothUUID(UInt16(0x272F)), namespace: 1,
                description: 0),
            "0E FE 2F27 01 0000")
        try Self.check(GATTAggregateFormat<[UInt8]>(handles: octets("0300 0400")), "0300 0400")
        try Self.check(GATTServiceChanged(startHandle: 1, endHandle: 0xFFFF), "0100 FFFF")
        try Self.check(
            GAPPreferredConnectionParameters(intervalMin: 6, intervalMax: 12, latency: 0, timeout: 200),
            "0600 0C00 0000 C800")
        try Self.check(GATTDatabaseHash<[UInt8]>(hash: SMPPDUTests.value16), SMPPDUTests.hex16)
        try Self.check(GATTText<[UInt8]>(text: Array("Car".utf8)), "436172")
    }

    @Test func `a type with fields hands them over, another hands over nothing`() throws {
        for value in UInt16.min...UInt16.max where value >> 8 >= 0x28 && value >> 8 <= 0x2B {
            let uuid = BluetoothUUID(value)
            let known = try [UInt8](repeating: 1, count: 20).withReader {
                (reader: inout ByteReader) throws(DecodeError) in
                var spy = MeaningSpy(reader.wholeSpan)
                return try uuid.walkAttributeValue(&spy) && !spy.names.isEmpty
            }
            #expect(known == uuid.hasAttributeFields, "\(uuid)")
        }
    }
}
