import BluetoothCore
import Testing
import VirtualController

/// Loss, signal strength and delay, all from the seed.
@Suite struct RadioPathTests {
    static func path(_ loss: UInt16 = 0, variation: UInt8 = 0) -> RadioPath {
        var path = RadioPath(rssi: -70)
        path.lossPerMille = loss
        path.variation = variation
        return path
    }

    static func scanned(_ path: RadioPath?, seed: UInt64 = 1) -> [LEAdvertisingReportItem] {
        var air = AirHarness(seed: seed)
        air.air.setPath(path, between: air.phone, and: air.car)
        air.advertise()
        air.command(air.phone, LESetScanEnable { $0.leScanEnable = 1 })
        air.wait(.seconds(100))
        return air.events(air.phone, LEAdvertisingReport.self).flatMap(\.reports)
    }

    @Test func `a path loses the share of advertising that it is to lose`() {
        let all = Self.scanned(nil).count
        let half = Self.scanned(Self.path(500)).count
        #expect((all * 45 / 100...all * 55 / 100).contains(half), "\(half) of \(all)")
    }

    @Test func `signal strengths lie around the mean, and each of them comes`() {
        let strengths = Self.scanned(Self.path(variation: 3)).map(\.rssi)
        #expect(Set(strengths) == Set(-73 ... -67))
        #expect(Set(Self.scanned(Self.path()).map(\.rssi)) == [-70])
    }

    @Test func `one seed gives one radio, another a different one`() {
        let path = Self.path(300, variation: 10)
        #expect(Self.scanned(path, seed: 5) == Self.scanned(path, seed: 5))
        #expect(Self.scanned(path, seed: 5) != Self.scanned(path, seed: 6))
    }

    /// When each packet that the phone sends arrives at the car.
    static func arrivals(_ loss: UInt16) -> [Int] {
        var air = AirHarness()
        let handles = air.connect()
        air.air.setPath(path(loss), between: air.phone, and: air.car)
        var arrivals: [Int] = []
        for index in 0..<20 {
            air.data(air.phone, handles.phone, [UInt8(index)])
            var events = 0
            while true {
                air.wait(.milliseconds(30))
                events += 1
                let packets = air.told(air.car).filter { $0.type == .acl }
                guard let packet = packets.first else { continue }
                #expect(packets.count == 1 && packet.octets.last == UInt8(index))
                break
            }
            arrivals.append(events)
        }
        return arrivals
    }

    @Test func `what a link loses is sent again in the next event`() {
        #expect(Self.arrivals(0) == [Int](repeating: 1, count: 20))
        let lossy = Self.arrivals(500)
        #expect(lossy.reduce(0, +) > 25)
        #expect(lossy.contains(1))
    }

    @Test func `a link that loses everything ends by its supervision timeout`() {
        var air = AirHarness()
        let handles = air.connect()
        air.air.setPath(Self.path(999), between: air.phone, and: air.car)
        air.data(air.phone, handles.phone, [1])
        air.wait(.milliseconds(900))
        #expect(air.air.openLinks == 1)
        air.wait(.milliseconds(300))
        #expect(air.told(air.phone).map(\.octets) == [octets("05 04 00 4000 08")])
        #expect(air.told(air.car).map(\.octets) == [octets("05 04 00 4000 08")])
    }

    @Test func `a lost request to connect leaves the central alone with a link that fails`() {
        // Of many seeds some lose that packet, and some don't.
        var failed = 0
        for seed in 1...40 {
            var air = AirHarness(seed: UInt64(seed))
            air.air.setPath(Self.path(400), between: air.phone, and: air.car)
            air.advertise()
            air.command(air.phone, AirHarness.createConnection)
            air.wait(.seconds(1))
            let ended = air.told(air.phone).filter { $0.octets[0] == 0x05 }
            guard !ended.isEmpty else { continue }
            failed += 1
            #expect(ended.map(\.octets) == [octets("05 04 00 4000 3E")])
            #expect(air.told(air.car).isEmpty)
            // The car advertises on, and is connected to.
            air.air.setPath(nil, between: air.phone, and: air.car)
            #expect(air.command(air.phone, AirHarness.createConnection) == .success)
            air.wait(.seconds(1))
            #expect(air.air.openLinks == 1)
        }
        #expect((4...36).contains(failed))
    }

    @Test func `packets that take their time to the host keep their order`() {
        var air = AirHarness { $0.hostLatency = .milliseconds(50) }
        air.wait(.seconds(1))
        air.received = [[], [], []]
        for index in 0..<20 {
            let enable = LESetScanEnable { $0.leScanEnable = index % 2 == 0 ? 0 : 2 }
            air.send(HCIPacket(.command, enable.packet), air.phone)
        }
        #expect(air.told(air.phone).isEmpty)
        air.wait(.milliseconds(50))
        let answers = air.told(air.phone)
        #expect(answers.count == 20)
        #expect(answers.map { $0.octets[5] } == (0..<20).map { $0 % 2 == 0 ? 0 : 0x12 })
    }
}
