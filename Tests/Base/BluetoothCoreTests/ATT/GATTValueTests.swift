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

    static let values: [(UInt16, String, [String])] = [
        (0x2800, "0018", ["Service UUID"]), (0x2801, "0A18", ["Service UUID"]),
        (
            0x2803, "12 0300 002A",
            ["Characteristic Properties", "Characteristic Value Handle", "Characteristic UUID"]
        ),
        (0x2900, "0300", ["Characteristic Extended Properties"]),
        (0x2902, "0100", ["Client Characteristic Configuration"]),
        (0x2903, "0100", ["Server Characteristic Configuration"]),
        (0x2904, "0E FE 2F27 01 0000", ["Format", "Exponent", "Unit", "Name Space", "Description"]),
        (
            0x2A04, "0600 0C00 0000 C800",
            [
                "Minimum Connection Interval", "Maximum Connection Interval", "Peripheral Latency",
                "Connection Supervision Timeout",
            ]
        ),
        (
            0x2A05, "0100 FFFF",
            ["Start of Affected Attribute Handle Range", "End of Affected Attribute Handle Range"]
        ),
        (0x2B2A, SMPTableTests.hex16, ["Database Hash"]),
    ]

    /// The names of an attribute value's fields, which take all of it.
    private static func names(_ type: UInt16, _ value: [UInt8]) throws(DecodeError) -> [String] {
        try value.withReader { (reader: inout ByteReader) throws(DecodeError) in
            var spy = MeaningSpy(reader.wholeSpan)
            try BluetoothUUID(type).walkAttributeValue(&spy)
            guard spy.remaining == 0 else {
                throw DecodeError(.trailingOctets(spy.remaining), at: spy.offset)
            }
            return spy.names
        }
    }

    @Test(arguments: values)
    func `a value hands over its fields, and a shorter one is an error`(
        _ type: UInt16, _ hex: String, _ names: [String]
    ) throws {
        #expect(try Self.names(type, octets(hex)) == names)
        expectPrefixesTruncated(octets(hex), hex) { prefix throws(DecodeError) in
            try Self.names(type, prefix).flatMap { Array($0.utf8) }
        }
    }

    @Test func `texts and lists take what is there`() throws {
        #expect(try Self.names(0x2901, Array("Car".utf8)) == ["Text"])
        #expect(try Self.names(0x2A00, []) == ["Text"])
        #expect(try Self.names(0x2905, octets("0300 0400")).first == "List of Handles")
        #expect(throws: DecodeError.self) { try Self.names(0x2905, octets("0300 04")) }
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
