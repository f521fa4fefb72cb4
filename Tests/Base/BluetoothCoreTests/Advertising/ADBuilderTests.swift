import BluetoothCore
import Testing

@Suite struct ADBuilderTests {
    @Test func `flags, services and name make the expected octets`() {
        var builder = ADBuilder()
        let fits1 = builder.append([.leGeneralDiscoverableMode, .brEDRNotSupported] as ADFlags)
        #expect(fits1)
        let fits2 = builder.append(services: [BluetoothUUID(UInt16(0xFFE1))]).isEmpty
        #expect(fits2)
        let fits3 = builder.append(name: "UQKD")
        #expect(fits3)
        #expect(builder.octets == octets("02 01 06  03 03 E1FF  05 09 55514B44"))
    }

    @Test func `nothing ever makes the data too long`() {
        var random = SeededOctets(seed: 31)
        for _ in 0..<2_000 {
            let limit = random.next(below: 300)
            var builder = ADBuilder(limit: limit)
            for _ in 0..<random.next(below: 12) {
                let before = builder.octets
                let data = random.octets(random.next(below: 40))
                if !builder.append(ADType(rawValue: 0xFF), data) { #expect(builder.octets == before) }
            }
            #expect(builder.octets.count <= limit)
            #expect(ADStructuresTests.walk(builder.octets).1 == .complete)
        }
    }

    @Test func `a name is shortened at a character's end`() {
        var builder = ADBuilder(limit: 8)
        let fits4 = builder.append(name: "äöüß")
        #expect(fits4)
        #expect(builder.octets == [7, 0x08] + Array("äöü".utf8))
        var full = ADBuilder(limit: 2)
        let fits5 = full.append(name: "A")
        #expect(!fits5)
        #expect(full.octets.isEmpty)
    }

    @Test func `services that find no room are said to be left, and the list is incomplete`() {
        var builder = ADBuilder(limit: 20)
        let long = BluetoothUUID(high: 1, low: 2)
        let services = (0..<10).map { BluetoothUUID(UInt16(0x1800 + $0)) } + [long]
        let left = builder.append(services: services)
        #expect(left == [services[9], long])
        #expect(ADStructuresTests.walk(builder.octets).0.map(\.0) == [.incomplete16])
    }

    @Test func `the data of a company are their own structure`() {
        var builder = ADBuilder(limit: 64)
        let fits = builder.append(company: 0x004C, [4])
        #expect(fits)
        #expect(ADStructuresTests.walk(builder.octets).0.map(\.0) == [.manufacturerData])
    }
}
