import BluetoothCore
import Runtime
import Testing
import VirtualController

@Suite struct VirtualAirTests {
    @Test func `a scanner hears an advertiser at its interval, with its scan response`() {
        var air = AirHarness()
        air.advertise()
        #expect(
            air.command(
                air.phone,
                LESetScanParameters {
                    $0.leScanType = 1
                    $0.leScanInterval = 0x10
                    $0.leScanWindow = 0x10
                }) == .success)
        #expect(air.command(air.phone, LESetScanEnable { $0.leScanEnable = 1 }) == .success)
        air.wait(.seconds(10))
        let reports = air.events(air.phone, LEAdvertisingReport.self).flatMap(\.reports)
        let advertisements = reports.filter { $0.eventType == 0 }
        // 20 ms, and up to 10 ms more each time.
        #expect((333...500).contains(advertisements.count))
        #expect(reports.count == 2 * advertisements.count)
        #expect(advertisements.allSatisfy { $0.data == octets("020106") })
        #expect(reports.last?.data == octets("0409434152"))
        #expect(reports.allSatisfy { $0.address == AirHarness.carAddress && $0.rssi == -60 })
    }

    @Test func `a passive scanner gets no scan response, and duplicates can be filtered`() {
        var air = AirHarness()
        air.advertise()
        air.command(
            air.phone,
            LESetScanEnable {
                $0.leScanEnable = 1
                $0.filterDuplicates = 1
            })
        air.wait(.seconds(5))
        #expect(air.events(air.phone, LEAdvertisingReport.self).count == 1)
        air.command(air.phone, LESetScanEnable())
        air.wait(.seconds(5))
        #expect(air.told(air.phone).isEmpty)
    }

    @Test func `a window of a tenth hears about a tenth`() {
        var air = AirHarness()
        air.advertise()
        air.command(
            air.phone,
            LESetScanParameters {
                $0.leScanInterval = 0x640
                $0.leScanWindow = 0xA0
            })
        air.command(air.phone, LESetScanEnable { $0.leScanEnable = 1 })
        air.wait(.seconds(100))
        #expect((320...480).contains(air.events(air.phone, LEAdvertisingReport.self).count))
    }

    @Test func `a connection is told to both, in the form that each mask asks for`() {
        var air = AirHarness()
        air.command(air.car, LESetEventMask { $0.leEventMask = 0x3FF })
        air.advertise()
        #expect(air.command(air.phone, AirHarness.createConnection) == .success)
        air.wait(.milliseconds(40))
        let central = air.events(air.phone, LEConnectionComplete.self)
        #expect(central.map(\.role) == [0])
        #expect(central.map(\.peerAddress) == [AirHarness.carAddress])
        #expect(central.map(\.connectionInterval) == [24])
        let peripheral = air.events(air.car, LEEnhancedConnectionComplete.self)
        #expect(peripheral.map(\.role) == [1])
        #expect(peripheral.map(\.peerAddress) == [AirHarness.phoneAddress])
        #expect(air.air.openLinks == 1)
        // The advertiser is silent now.
        air.command(air.phone, LESetScanEnable { $0.leScanEnable = 1 })
        air.wait(.seconds(1))
        #expect(air.told(air.phone).isEmpty)
    }

    @Test func `an attempt can be cancelled, and once it succeeded it can't`() {
        var air = AirHarness()
        #expect(air.command(air.phone, LECreateConnectionCancel()) == .commandDisallowed)
        #expect(air.command(air.phone, AirHarness.createConnection) == .success)
        #expect(air.command(air.phone, AirHarness.createConnection) == .commandDisallowed)
        #expect(air.command(air.phone, LECreateConnectionCancel()) == .success)
        #expect(
            air.events(air.phone, LEConnectionComplete.self).map(\.status) == [.unknownConnectionIdentifier])
        _ = air.connect()
        #expect(air.command(air.phone, LECreateConnectionCancel()) == .commandDisallowed)
        #expect(air.command(air.phone, AirHarness.createConnection) == .connectionAlreadyExists)
    }

    @Test func `data arrive in order, at connection events, and give their credits back`() {
        var air = AirHarness { $0.aclPacketLength = 60 }
        let handles = air.connect()
        let long = (0..<60).map { UInt8($0) }
        air.data(air.phone, handles.phone, long)
        air.data(air.phone, handles.phone, [0xAA], boundary: 1)
        #expect(air.told(air.car).isEmpty)
        air.wait(.milliseconds(30))
        let packets = air.told(air.car)
        // 27 octets go into one Link Layer PDU; the receiver's packets are theirs.
        #expect(packets.map(\.octets.count) == [31, 31, 10, 5])
        #expect(packets.map { $0.octets[1] >> 4 } == [2, 1, 1, 1])
        #expect(packets.flatMap { $0.octets.dropFirst(4) } == long + [0xAA])
        #expect(air.told(air.phone).map(\.octets) == [octets("13 05 01") + octets("4000 0200")])
    }

    @Test func `a host that sends more than there are buffers for is told`() {
        var air = AirHarness()
        let handles = air.connect()
        for index in 0..<5 { air.data(air.phone, handles.phone, [UInt8(index)]) }
        #expect(air.told(air.phone).map(\.octets) == [octets("1A 01 01")])
        air.wait(.milliseconds(30))
        #expect(air.told(air.car).count == 4)
        // Buffers are free again.
        air.data(air.phone, handles.phone, [9])
        air.wait(.milliseconds(30))
        #expect(air.told(air.car).count == 1)
    }

    @Test func `a longer PDU is agreed on, and both are told`() {
        var air = AirHarness { $0.aclPacketLength = 251 }
        let handles = air.connect()
        air.command(air.phone, LESetEventMask { $0.leEventMask = 0x7F })
        #expect(
            air.command(
                air.phone,
                LESetDataLength {
                    $0.connectionHandle = handles.phone
                    $0.txOctets = 100
                    $0.txTime = 2120
                }) == .success)
        air.wait(.milliseconds(30))
        let changes = air.events(air.phone, LEDataLengthChange.self)
        #expect(changes.map(\.maxTxOctets) == [100])
        #expect(changes.map(\.maxRxOctets) == [27])
        air.data(air.phone, handles.phone, [UInt8](repeating: 1, count: 150))
        air.wait(.milliseconds(30))
        #expect(air.told(air.car).map(\.octets.count) == [104, 54])
    }

    @Test func `a disconnection is told to both with their own reasons`() {
        var air = AirHarness()
        let handles = air.connect()
        let wish = HCIDisconnect {
            $0.connectionHandle = handles.phone
            $0.reason = .remoteUserTerminatedConnection
        }
        #expect(air.command(air.phone, wish) == .success)
        #expect(air.command(air.phone, wish) == .commandDisallowed)
        air.wait(.milliseconds(40))
        #expect(air.told(air.phone).map(\.octets) == [octets("05 04 00 4000 16")])
        #expect(air.told(air.car).map(\.octets) == [octets("05 04 00 4000 13")])
        #expect(air.air.openLinks == 0)
        #expect(air.command(air.phone, wish) == .unknownConnectionIdentifier)
    }

    @Test func `out of reach, a link ends by its supervision timeout at both ends`() {
        var air = AirHarness()
        let handles = air.connect()
        air.air.separate(air.phone, air.car)
        air.data(air.phone, handles.phone, [1])
        air.wait(.milliseconds(900))
        #expect(air.told(air.phone).isEmpty)
        air.wait(.milliseconds(150))
        #expect(air.told(air.phone).map(\.octets) == [octets("05 04 00 4000 08")])
        #expect(air.told(air.car).map(\.octets) == [octets("05 04 00 4000 08")])
    }

    @Test func `within reach again in time, a link goes on and loses nothing`() {
        var air = AirHarness()
        let handles = air.connect()
        air.air.separate(air.phone, air.car)
        air.data(air.phone, handles.phone, [1])
        air.wait(.milliseconds(500))
        air.air.rejoin(air.phone, air.car)
        air.wait(.seconds(2))
        #expect(air.told(air.car).map { Array($0.octets.dropFirst(4)) } == [[1]])
        #expect(air.air.openLinks == 1)
    }

    @Test func `a controller that is reset forgets, and its peer learns it by the timeout`() {
        var air = AirHarness()
        let handles = air.connect()
        #expect(air.command(air.car, HCIReset()) == .success)
        air.wait(.seconds(2))
        #expect(air.told(air.car).isEmpty)
        #expect(air.told(air.phone).map(\.octets) == [octets("05 04 00 4000 08")])
        // And they can connect again.
        air.unmask()
        #expect(air.connect().phone != handles.phone)
    }

    @Test func `other parameters hold six events later`() {
        var air = AirHarness()
        let handles = air.connect()
        #expect(
            air.command(
                air.phone,
                LEConnectionUpdate {
                    $0.connectionHandle = handles.phone
                    $0.connectionIntervalMin = 80
                    $0.connectionIntervalMax = 80
                    $0.maxLatency = 4
                    $0.supervisionTimeout = 200
                }) == .success)
        air.wait(.milliseconds(180))
        #expect(air.told(air.phone).isEmpty)
        air.wait(.milliseconds(40))
        #expect(air.events(air.phone, LEConnectionUpdateComplete.self).map(\.connectionInterval) == [80])
        #expect(air.events(air.car, LEConnectionUpdateComplete.self).map(\.peripheralLatency) == [4])
        // The peripheral sleeps over four of five events of 100 ms.
        air.wait(.milliseconds(20))
        air.data(air.phone, handles.phone, [1])
        air.wait(.milliseconds(300))
        #expect(air.told(air.car).isEmpty)
        air.wait(.milliseconds(300))
        #expect(air.told(air.car).count == 1)
    }

    @Test func `a peripheral asks for other parameters, and the central decides`() {
        var air = AirHarness()
        let handles = air.connect()
        air.command(air.phone, LESetEventMask { $0.leEventMask = 0x3F })
        let wish = LEConnectionUpdate {
            $0.connectionHandle = handles.car
            $0.connectionIntervalMin = 80
            $0.connectionIntervalMax = 80
            $0.supervisionTimeout = 200
        }
        #expect(air.command(air.car, wish) == .success)
        air.wait(.milliseconds(40))
        #expect(air.events(air.phone, LERemoteConnectionParameterRequest.self).map(\.intervalMin) == [80])
        #expect(
            air.command(
                air.phone,
                LERemoteConnectionParameterRequestNegativeReply {
                    $0.connectionHandle = handles.phone
                    $0.reason = .unacceptableConnectionParameters
                }) == .success)
        air.wait(.milliseconds(60))
        #expect(
            air.events(air.car, LEConnectionUpdateComplete.self).map(\.status) == [
                .unacceptableConnectionParameters
            ])
        #expect(air.command(air.car, wish) == .success)
        air.wait(.milliseconds(40))
        air.command(
            air.phone,
            LERemoteConnectionParameterRequestReply {
                $0.connectionHandle = handles.phone
                $0.intervalMin = 80
                $0.intervalMax = 80
                $0.timeout = 200
            })
        air.wait(.milliseconds(300))
        #expect(air.events(air.car, LEConnectionUpdateComplete.self).map(\.status) == [.success])
    }

    @Test func `one seed gives one course, a copy is a fork, another seed another course`() {
        func course(_ seed: UInt64) -> [[HCIPacket]] {
            var air = AirHarness(seed: seed)
            air.advertise()
            air.command(air.phone, LESetScanEnable { $0.leScanEnable = 1 })
            air.wait(.seconds(1))
            var fork = air
            air.wait(.seconds(1))
            fork.wait(.seconds(1))
            #expect(fork.received == air.received)
            return air.received
        }
        let first = course(7)
        for _ in 0..<50 { #expect(course(7) == first) }
        #expect((1...5).contains { course(7 + UInt64($0)) != first })
    }

    @Test func `an hour without traffic costs nothing`() {
        var air = AirHarness()
        _ = air.connect()
        #expect(air.air.nextDeadline == nil)
        air.wait(.seconds(3_600))
        #expect(air.air.openLinks == 1)
    }
}
