import BluetoothCore
import Testing
import WireBytes

@Suite struct ADTypeTests {
    static func names(_ type: ADType, _ hex: String) throws -> [String] {
        try octets(hex).withReader { (reader: inout ByteReader) throws(DecodeError) in
            var spy = MeaningSpy(reader.wholeSpan)
            try type.walk(&spy)
            guard spy.remaining == 0 else {
                throw DecodeError(.trailingOctets(spy.remaining), at: spy.offset)
            }
            return spy.names
        }
    }

    @Test func `each type hands over its fields`() throws {
        for (type, hex, names) in [
            (ADType.flags, "06", ["Flags"]), (.complete16, "E1FF F0FF", ["UUIDs", "UUID", "UUID"]),
            (.completeName, "4142", ["Name"]), (.txPower, "F4", ["Tx Power Level"]),
            (.manufacturerData, "4C00 0215", ["Company Identifier", "Data"]),
            (.serviceData16, "AAFE 00", ["Service UUID", "Data"]),
            (.serviceData128, "000102030405060708090A0B0C0D0E0F 00", ["Service UUID", "Data"]),
            (.appearance, "C103", ["Appearance"]),
            (.connectionIntervalRange, "0600 0A00", ["Interval Min", "Interval Max"]),
            (.leAddress, "665544332211 01", ["Device Address", "Address Type"]),
            (.leRole, "02", ["LE Role"]), (.uri, "17 2F2F78", ["URI"]),
            (.advertisingInterval, "A000", ["Advertising Interval"]),
            (.advertisingIntervalLong, "A00001", ["Advertising Interval"]),
            (.advertisingIntervalLong, "A0000100", ["Advertising Interval"]),
            (.broadcastName, "4142", ["Name"]), (.meshBeacon, "0001", ["Data"]),
            (
                .deviceIDOrTK, "0100 0F00 0100 0002",
                ["Vendor ID Source", "Vendor ID", "Product ID", "Version"]
            ),
            (.encryptedData, "0102030405 AA 01020304", ["Randomizer", "Encrypted Payload", "MIC"]),
            (.channelMapUpdate, "FFFFFFFF1F 0100", ["Channel Map", "Instant"]),
            (ADType(rawValue: 0x77), "0102", ["Data"]),
        ] {
            #expect(try Self.names(type, hex) == names, "\(type)")
        }
    }

    @Test func `a lying width is an error, never a trap`() {
        for (type, hex) in [
            (ADType.complete16, "E1FF F0"), (.complete32, "0102"), (.serviceData16, "AA"), (.txPower, ""),
            (.manufacturerData, "4C"), (.leAddress, "6655"), (.encryptedData, "0102"), (.appearance, "01"),
            (.publicTargetAddress, "01020304050607"),
        ] {
            #expect(throws: DecodeError.self, "\(type)") { try Self.names(type, hex) }
        }
    }

    @Test func `random data of every type never break`() {
        var random = SeededOctets(seed: 0xADAD)
        for type in UInt8.min...UInt8.max {
            for count in 0..<40 {
                let data = random.octets(count)
                data.withReader { (reader: inout ByteReader) in
                    var spy = MeaningSpy(reader.wholeSpan)
                    do throws(DecodeError) {
                        try ADType(rawValue: type).walk(&spy)
                    } catch {
                        #expect(error.offset <= count)
                    }
                }
            }
        }
    }

    @Test func `a key that pairs out of band is secret`() throws {
        let secrets = try [UInt8](repeating: 1, count: 16).withReader {
            (reader: inout ByteReader) throws(DecodeError) in
            var spy = MeaningSpy(reader.wholeSpan)
            try ADType.deviceIDOrTK.walk(&spy)
            try ADType.broadcastCode.walk(&spy)
            return spy.secrets
        }
        #expect(secrets == 2)
        for type in [0x0E, 0x0F, 0x1D, 0x1E, 0x22, 0x23].map(ADType.init(rawValue:)) {
            let secrets = try [UInt8](repeating: 1, count: 16).withReader {
                (reader: inout ByteReader) throws(DecodeError) in
                var spy = MeaningSpy(reader.wholeSpan)
                try type.walk(&spy)
                return spy.secrets
            }
            #expect(secrets == 1, "\(type)")
        }
    }
}
