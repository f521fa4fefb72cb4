import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

/// What a device is called and which one it is, beside the address that a frame shows.
@Suite struct DeviceNameTests {
    let identity = "C0:11:22:33:44:55"
    let irk = octets("00112233445566778899AABBCCDDEEFF")
    let named = TestServer(services: [
        .init(
            start: 1, end: 5, uuid: BluetoothUUID(0x1800 as UInt16),
            characteristics: [.init(declaration: 2, properties: 2, uuid: BluetoothUUID(0x2A00 as UInt16))])
    ])

    @Test func `the Device Name that was read is the link's, and that of later links to the same device`() {
        var trace = Trace()
        trace.connect(0x40, "00:11:22:33:44:55")
        trace.discover(0x40, named)
        trace.read(0x40, 3, Array("MyLock\0\0".utf8))
        trace.disconnect(0x40)
        trace.connect(0x41, "00:11:22:33:44:55")
        trace.connect(0x42, "00:11:22:33:44:66")
        let names = trace.run().links.map { String(decoding: $0.deviceName, as: UTF8.self) }
        #expect(names == ["MyLock", "MyLock", ""])
    }

    @Test func `the name that a host asks for before it connects over BR and EDR is the link's`() {
        let name = Array("Television".utf8)
        let octets =
            [0x07, 0xFF, 0, 1, 0, 0, 0x51, 0x55, 2] + name + Array(repeating: 0, count: 248 - name.count)
        for isBefore in [true, false] {
            var trace = Trace()
            if isBefore { trace.event(octets) }
            trace.connectClassic(0x40, "02:55:51:00:00:01")
            if !isBefore { trace.event(octets) }
            #expect(trace.run().links.first?.deviceName == name)
        }
    }

    @Test func `a Device Name found by its type counts as well`() {
        var trace = Trace()
        trace.connect(0x40, "00:11:22:33:44:55")
        trace.att(
            0x40, .tx,
            ATTReadByTypeRequest(startingHandle: 1, endingHandle: 7, type: BluetoothUUID(0x2A00 as UInt16)))
        trace.att(0x40, .rx, ATTReadByTypeResponse(length: 6, attributes: [3, 0] + Array("Even".utf8)))
        #expect(trace.run().links.first?.deviceName == Array("Even".utf8))
    }

    private func advertise(_ trace: inout Trace, _ text: String, _ data: [UInt8] = [2, 1, 6]) -> Int {
        let value = address(text, .random).value
        let little = (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        let parameters = [2, 1, 0, 1] + little + [UInt8(data.count)] + data + [0xC8]
        return trace.event([0x3E, UInt8(parameters.count)] + parameters)
    }

    @Test func `an advertiser's private address is resolved once its key is known`() throws {
        let own = IdentityTests()
        var trace = Trace()
        let before = advertise(&trace, try own.privateAddress(irk, 1))
        own.pair(&trace, try own.privateAddress(irk, 2), identity, key: irk)
        let after = advertise(&trace, try own.privateAddress(irk, 3))
        let again = advertise(&trace, try own.privateAddress(irk, 1))
        let foreign = advertise(&trace, try own.privateAddress(own.irk.reversed(), 1))
        var analyzer = Analyzer()
        let outcome = trace.run(&analyzer)
        #expect(outcome[before].frame.identity == nil && outcome[foreign].frame.identity == nil)
        #expect(outcome[after].frame.identity?.description == identity)
        #expect(outcome[again].frame.identity?.description == identity)
        let known = analyzer.advertisers.all.map { $0.identity?.description }
        #expect(known == [identity, identity, nil])
    }

    @Test func `a name that was advertised by another private address is the identity's`() throws {
        let own = IdentityTests()
        var trace = Trace()
        _ = advertise(&trace, try own.privateAddress(irk, 1), [5, 9, 0x4C, 0x6F, 0x63, 0x6B])
        own.pair(&trace, try own.privateAddress(irk, 2), identity, key: irk)
        var analyzer = Analyzer()
        _ = trace.run(&analyzer)
        #expect(analyzer.advertisers.name(ofIdentity: address(identity)) == Array("Lock".utf8))
    }

    static let events: [(UInt8, String)] = [
        (0x36, "05 554433221100"), (0x12, "00 554433221100 00"), (0x31, "554433221100"),
        (0x32, "554433221100 010003"), (0x16, "554433221100"), (0x17, "554433221100"),
        (0x22, "01 554433221100 0100 040424 0000 C0"), (0x02, "01 554433221100 010000 040424 0000"),
        (0x07, "04 554433221100" + String(repeating: "00", count: 248)),
    ]

    @Test(arguments: events)
    func `an event that names a device by its address is about that device`(
        _ code: UInt8, _ parameters: String
    ) {
        var trace = Trace()
        let parameters = octets(parameters)
        let event = trace.event([code, UInt8(parameters.count)] + parameters)
        #expect(trace.run()[event].frame.peer == address("00:11:22:33:44:55"))
    }

    @Test func `a car whose name is its own address is one`() throws {
        let car = "02:55:51:00:00:02"
        var trace = Trace()
        _ = advertise(&trace, car, [13, 9] + Array("025551000002".utf8))
        _ = advertise(&trace, car, [2, 1, 6])
        _ = advertise(&trace, "02:55:51:00:00:09", [13, 9] + Array("025551000003".utf8))
        var analyzer = Analyzer()
        var found: [Int] = []
        for made in trace.made {
            let record = Record(made.header, made.octets.borrowedOctets)
            analyzer.analyze(record)
            for annotation in analyzer.advertised(in: record) {
                #expect(annotation.details.fields.first?.value == .text(car))
                found.append(made.header.number)
            }
        }
        #expect(found == [1])
    }
}
