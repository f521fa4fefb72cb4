import BluetoothCore
import Testing
import WireBytes

/// LE Meta events whose octets were laid out by hand from the specification.
@Suite struct LEEventTests {
    static func decode<T: PDUFields>(_ type: T.Type, _ hex: String) throws -> T {
        try Hex.octets(hex).withReader { (reader: inout ByteReader) throws(DecodeError) in
            let value = try T(decoding: &reader)
            try reader.expectEnd()
            return value
        }
    }

    @Test func `LE Connection Complete lies field after field`() throws {
        // Success, handle 0x0040, central, random address, 30 ms, latency 0, 500 ms, 50 ppm
        let hex = "00 4000 00 01 F6E5D4C3B2A1 1800 0000 3200 05"
        let event = try Self.decode(LEConnectionComplete.self, hex)
        #expect(event.status == .success)
        #expect(event.connectionHandle == 0x40)
        #expect(event.role == 0)
        #expect(event.peerAddress == DeviceAddress(0xA1B2_C3D4_E5F6, .random))
        #expect(event.connectionInterval == 24)
        #expect(event.peripheralLatency == 0)
        #expect(event.supervisionTimeout == 50)
        #expect(event.centralClockAccuracy == 5)
        #expect(event.packet == (try Hex.octets("3E 13 01" + hex)))
    }

    @Test func `LE Enhanced Connection Complete carries the private addresses`() throws {
        let hex = "00 4100 01 03 F6E5D4C3B2C1 060504030241 0C0B0A090847 0600 0100 C800 00"
        let event = try Self.decode(LEEnhancedConnectionComplete.self, hex)
        #expect(event.peerAddress == DeviceAddress(0xC1B2_C3D4_E5F6, .randomIdentity))
        #expect(event.localResolvablePrivateAddress == DeviceAddress(0x4102_0304_0506, .random))
        #expect(event.peerResolvablePrivateAddress == DeviceAddress(0x4708_090A_0B0C, .random))
        #expect(event.connectionInterval == 6)
        #expect(event.supervisionTimeout == 200)
        #expect(event.packet == (try Hex.octets("3E 1F 0A" + hex)))
    }

    /// Two legacy reports: ADV_IND with flags, and a scan response without data.
    static let legacy = "02 00 00 060504030201 03 020106 C5 04 01 F6E5D4C3B2C1 00 7F"

    @Test func `legacy advertising reports follow one another`() throws {
        let event = try Self.decode(LEAdvertisingReport.self, Self.legacy)
        #expect(event.reports.count == 2)
        #expect(event.reports.first?.data == [2, 1, 6])
        #expect(event.reports.first?.rssi == -59)
        #expect(event.reports.last?.address == DeviceAddress(0xC1B2_C3D4_E5F6, .random))
        #expect(event.encoded == (try Hex.octets(Self.legacy)))
    }

    @Test func `the walk over legacy reports agrees with the event`() throws {
        let seen = try Self.walk(Self.legacy, extended: false)
        #expect(seen.error == nil)
        #expect(seen.reports.map(\.data) == [10..<13, 23..<23])
        #expect(seen.reports.map(\.rssi) == [-59, 127])
        #expect(seen.reports.map(\.isScanResponse) == [false, true])
    }

    @Test func `the walk over an extended report finds its data`() throws {
        // Legacy connectable ADV_IND seen by an extended scanner, TX power not available, RSSI -70
        let hex = "01 1300 01 F6E5D4C3B2C1 01 00 FF 7F BA 0000 00 000000000000 03 020106"
        let seen = try Self.walk(hex, extended: true)
        #expect(seen.error == nil)
        let report = try #require(seen.reports.first)
        #expect(report.isConnectable && !report.isScanResponse && !report.isIncomplete)
        #expect(report.data == 25..<28)
        #expect(report.rssi == -70)
        #expect(report.txPower == 127)
    }

    @Test func `cut reports give what is there and then the error`() throws {
        let whole = try Hex.octets(Self.legacy)
        for count in 0..<whole.count {
            let seen = try Self.walk(Hex.text(whole.prefix(count)), extended: false)
            #expect(seen.error != nil, "cut to \(count)")
            for report in seen.reports { #expect(report.data.upperBound <= count) }
            // From the length octet on, the first advertisement is there.
            #expect(seen.reports.count == (count < 10 ? 0 : count < 23 ? 1 : 2), "cut to \(count)")
        }
    }

    static func walk(
        _ hex: String, extended: Bool
    ) throws -> (reports: [LEAdvertisement], error: DecodeError?) {
        try Hex.octets(hex).withReader { (reader: inout ByteReader) in
            var reports: [LEAdvertisement] = []
            do throws(DecodeError) {
                var walk = try LEAdvertisingReports(reader.takeRest(), extended: extended)
                while let report = try walk.next() { reports.append(report) }
            } catch {
                return (reports, error)
            }
            return (reports, nil)
        }
    }
}
