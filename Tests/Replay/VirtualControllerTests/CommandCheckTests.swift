import BluetoothCore
import Runtime
import Testing
import VirtualController

@Suite struct CommandCheckTests {
    @Test func `parameters outside their range are refused`() {
        var air = AirHarness()
        for wish in [
            LESetAdvertisingParameters { $0.advertisingIntervalMin = 0x1F },
            LESetAdvertisingParameters { $0.advertisingIntervalMax = 0x4001 },
            LESetAdvertisingParameters { $0.advertisingIntervalMin = 0x100 },
            LESetAdvertisingParameters { $0.advertisingType = 5 },
            LESetAdvertisingParameters { $0.advertisingChannelMap = 0 },
        ] {
            var whole = wish
            if whole.advertisingIntervalMin == 0 { whole.advertisingIntervalMin = 0x20 }
            if whole.advertisingIntervalMax == 0 { whole.advertisingIntervalMax = 0x20 }
            if whole.advertisingChannelMap == 0, whole != wish, wish.advertisingType != 0 {
                whole.advertisingChannelMap = 7
            }
            #expect(air.command(air.car, whole) == .invalidHCICommandParameters, "\(wish)")
        }
        for change: @Sendable (inout LECreateConnection) -> Void in [
            { $0.connectionIntervalMin = 5 }, { $0.connectionIntervalMax = 23 }, { $0.maxLatency = 500 },
            { $0.supervisionTimeout = 9 }, { $0.leScanWindow = 0x61 }, { $0.initiatorFilterPolicy = 2 },
            {
                $0.maxLatency = 9
                $0.supervisionTimeout = 100
            },
        ] {
            var wish = AirHarness.createConnection
            change(&wish)
            #expect(air.command(air.phone, wish) == .invalidHCICommandParameters)
        }
        #expect(
            air.command(air.phone, LESetScanParameters { $0.leScanInterval = 3 })
                == .invalidHCICommandParameters)
        #expect(
            air.command(air.phone, LESetScanEnable { $0.leScanEnable = 2 }) == .invalidHCICommandParameters)
    }

    @Test func `a state that does not allow a command is respected`() {
        var air = AirHarness()
        air.advertise()
        #expect(
            air.command(
                air.car,
                LESetAdvertisingParameters {
                    $0.advertisingIntervalMin = 0x20
                    $0.advertisingIntervalMax = 0x20
                    $0.advertisingChannelMap = 7
                }) == .commandDisallowed)
        let address = LESetRandomAddress { $0.randomAddress = DeviceAddress(0xC000_0000_0001, .random) }
        #expect(air.command(air.car, address) == .commandDisallowed)
        #expect(air.command(air.phone, address) == .success)
        air.command(air.phone, LESetScanEnable { $0.leScanEnable = 1 })
        #expect(
            air.command(
                air.phone,
                LESetScanParameters {
                    $0.leScanInterval = 4
                    $0.leScanWindow = 4
                }) == .commandDisallowed)
    }

    @Test func `an address that was never set can't be used`() {
        var air = AirHarness { $0.publicAddress = DeviceAddress(0, .public) }
        #expect(
            air.command(air.car, LESetAdvertisingEnable { $0.advertisingEnable = 1 })
                == .invalidHCICommandParameters)
        #expect(
            air.command(air.phone, LESetScanEnable { $0.leScanEnable = 1 }) == .invalidHCICommandParameters)
        #expect(air.command(air.phone, AirHarness.createConnection) == .invalidHCICommandParameters)
    }

    @Test func `a command of another length is refused, one that is not there is unknown`() {
        var air = AirHarness()
        air.send(HCIPacket(.command, octets("0C20 01 01")), air.phone)
        #expect(air.told(air.phone).map(\.octets) == [octets("0E 04 01 0C20 12")])
        air.send(HCIPacket(.command, octets("0C20 02 01")), air.phone)
        #expect(air.told(air.phone).map(\.octets) == [octets("0E 04 01 0C20 12")])
        air.send(HCIPacket(.command, octets("FFFC 00")), air.phone)
        #expect(air.told(air.phone).map(\.octets) == [octets("0F 04 01 01 FFFC")])
    }

    @Test func `the accept list has a size, and is not changed while it is used`() {
        var air = AirHarness { $0.acceptListSize = 2 }
        func entry(_ value: UInt64) -> LEAddDeviceToFilterAcceptList {
            LEAddDeviceToFilterAcceptList { $0.address = DeviceAddress(value, .public) }
        }
        #expect(air.command(air.phone, entry(1)) == .success)
        #expect(air.command(air.phone, entry(1)) == .success)
        #expect(air.command(air.phone, entry(0xC1)) == .success)
        #expect(air.command(air.phone, entry(3)) == .memoryCapacityExceeded)
        var wish = AirHarness.createConnection
        wish.initiatorFilterPolicy = 1
        wish.peerAddress = DeviceAddress(0, .public)
        #expect(air.command(air.phone, wish) == .success)
        #expect(air.command(air.phone, LEClearFilterAcceptList()) == .commandDisallowed)
        air.advertise()
        air.wait(.milliseconds(40))
        #expect(air.air.openLinks == 1)
    }

    @Test func `random packets from hosts never break the air`() {
        var random = SplitMix(state: 0xA12)
        var air = AirHarness()
        let opcodes: [UInt16] = [
            0x0406, 0x041D, 0x0C01, 0x0C03, 0x1001, 0x1005, 0x1009, 0x1405, 0x2001, 0x2002, 0x2005, 0x2006,
            0x2008, 0x2009, 0x200A, 0x200B, 0x200C, 0x200D, 0x200E, 0x2010, 0x2011, 0x2013, 0x2016, 0x2020,
            0x2021, 0x2022, 0x2024,
        ]
        for _ in 0..<30_000 {
            var packet = (0..<random.next(below: 34)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            var type = HCIPacketType.command
            if packet.count >= 4, random.next(below: 4) == 0 {
                type = .acl
                packet[0] = 0x40 + UInt8(random.next(below: 3))
                packet[1] &= 0x30
                packet[2] = UInt8(packet.count - 4)
                packet[3] = 0
            } else if packet.count >= 3 {
                let opcode = opcodes[random.next(below: opcodes.count)]
                packet[0] = UInt8(opcode & 0xFF)
                packet[1] = UInt8(opcode >> 8)
                packet[2] = UInt8(packet.count - 3)
            }
            air.send(HCIPacket(type, packet), random.next(below: 2) == 0 ? air.phone : air.car)
            if random.next(below: 50) == 0 { air.wait(.milliseconds(20)) }
            if random.next(below: 2000) == 0 {
                _ = air.command(air.car, HCIReset())
                _ = air.command(air.phone, HCIReset())
                air.received = [[], [], []]
                air.wait(.seconds(40))
            }
        }
        #expect(air.air.openLinks <= 1)
    }
}
