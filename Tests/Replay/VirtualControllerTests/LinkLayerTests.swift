import BluetoothCore
import Testing
import VirtualController

/// What the Link Layers of two controllers agree on, and what becomes of it on a radio that loses packets.
@Suite struct LinkLayerTests {
    static func setPHY(_ phys: LEPHYs) -> LESetPHY {
        LESetPHY {
            $0.connectionHandle = 0x40
            $0.txPHYs = phys
            $0.rxPHYs = phys
        }
    }

    /// A phone and a car of these versions.
    static func harness(
        phone: ControllerConfiguration.Version, car: ControllerConfiguration.Version
    ) -> AirHarness {
        var air = AirHarness {
            let version = $0.publicAddress == AirHarness.phoneAddress ? phone : car
            $0 = ControllerConfiguration(publicAddress: $0.publicAddress, version: version)
        }
        for controller in [air.phone, air.car] {
            // Without the enhanced form of Connection Complete.
            air.command(controller, LESetEventMask { $0.leEventMask = 0x8FF })
        }
        return air
    }

    @Test func `both agree on the fastest PHY that both allow`() {
        var air = Self.harness(phone: .v53, car: .v53)
        _ = air.connect()
        #expect(air.command(air.phone, Self.setPHY([.le1M, .le2M])) == .success)
        air.wait(.seconds(1))
        for controller in [air.phone, air.car] {
            let told = air.events(controller, LEPHYUpdateComplete.self)
            #expect(told.map(\.status) == [.success])
            #expect(told.map(\.txPHY) == [.le2M])
            #expect(told.map(\.rxPHY) == [.le2M])
        }
        // Nothing changes: only who asked is told.
        #expect(air.command(air.car, Self.setPHY(.le2M)) == .success)
        air.wait(.seconds(1))
        #expect(air.events(air.car, LEPHYUpdateComplete.self).count == 1)
        #expect(air.events(air.phone, LEPHYUpdateComplete.self).isEmpty)
    }

    @Test func `a peer that has one PHY, or wants one, keeps it`() {
        var air = Self.harness(phone: .v53, car: .v42)
        _ = air.connect()
        air.command(air.phone, Self.setPHY(.le2M))
        air.wait(.seconds(1))
        #expect(
            air.events(air.phone, LEPHYUpdateComplete.self).map(\.status) == [.unsupportedRemoteFeature])
        air = Self.harness(phone: .v53, car: .v53)
        let only = LESetDefaultPHY {
            $0.txPHYs = .le1M
            $0.rxPHYs = .le1M
        }
        #expect(air.command(air.car, only) == .success)
        _ = air.connect()
        air.command(air.phone, Self.setPHY(.le2M))
        air.wait(.seconds(1))
        #expect(air.events(air.phone, LEPHYUpdateComplete.self).map(\.txPHY) == [.le1M])
        #expect(air.command(air.phone, Self.setPHY([])) == .invalidHCICommandParameters)
        #expect(
            air.command(air.phone, Self.setPHY(LEPHYs(rawValue: 8))) == .unsupportedFeatureOrParameterValue)
        var other = Self.setPHY(.le2M)
        other.connectionHandle = 9
        #expect(air.command(air.phone, other) == .unknownConnectionIdentifier)
    }

    @Test func `a payload is as long as its time allows, and both have the extension`() {
        func length(_ time: UInt16, car: ControllerConfiguration.Version) -> [UInt16] {
            var air = Self.harness(phone: .v53, car: car)
            let handles = air.connect()
            let wish = LESetDataLength {
                $0.connectionHandle = handles.phone
                $0.txOctets = 251
                $0.txTime = time
            }
            #expect(air.command(air.phone, wish) == .success)
            air.wait(.seconds(1))
            return air.events(air.car, LEDataLengthChange.self).map(\.maxRxOctets)
        }
        #expect(length(2120, car: .v42) == [251])
        #expect(length(1064, car: .v42) == [119])
        #expect(length(2120, car: .v40) == [])
    }

    static func ask(_ handle: UInt16) -> LEConnectionUpdate {
        LEConnectionUpdate {
            $0.connectionHandle = handle
            $0.connectionIntervalMin = 40
            $0.connectionIntervalMax = 60
            $0.supervisionTimeout = 200
        }
    }

    @Test func `a peripheral asks for parameters where both controllers can`() {
        var air = Self.harness(phone: .v42, car: .v42)
        var handles = air.connect()
        #expect(air.command(air.car, Self.ask(handles.car)) == .success)
        air.wait(.seconds(1))
        let asked = air.events(air.phone, LERemoteConnectionParameterRequest.self)
        #expect(asked.map(\.intervalMin) == [40])
        air.command(
            air.phone,
            LERemoteConnectionParameterRequestReply {
                $0.connectionHandle = handles.phone
                $0.intervalMin = 40
                $0.intervalMax = 60
                $0.timeout = 200
            })
        air.wait(.seconds(1))
        #expect(air.events(air.car, LEConnectionUpdateComplete.self).map(\.connectionInterval) == [40])
        air = Self.harness(phone: .v40, car: .v42)
        handles = air.connect()
        #expect(air.command(air.car, Self.ask(handles.car)) == .success)
        air.wait(.seconds(1))
        #expect(
            air.events(air.car, LEConnectionUpdateComplete.self).map(\.status) == [.unsupportedRemoteFeature])
        air = Self.harness(phone: .v42, car: .v40)
        handles = air.connect()
        #expect(air.command(air.car, Self.ask(handles.car)) == .commandDisallowed)
    }

    /// A link that is encrypted, with a timeout of ten seconds, whose hosts want to know of LE Ping.
    static func encrypted() -> AirHarness {
        var air = harness(phone: .v42, car: .v42)
        air.command(air.phone, HCISetEventMaskPage2 { $0.eventMaskPage2 = 1 << 23 })
        air.advertise()
        var wish = AirHarness.createConnection
        wish.supervisionTimeout = 1000
        air.command(air.phone, wish)
        air.wait(.milliseconds(40))
        let key = [UInt8](repeating: 5, count: 16)
        air.command(
            air.phone,
            LEEnableEncryption {
                $0.connectionHandle = 0x40
                $0.longTermKey = key
            })
        air.wait(.milliseconds(100))
        air.command(
            air.car,
            LELongTermKeyRequestReply {
                $0.connectionHandle = 0x40
                $0.longTermKey = key
            })
        air.wait(.milliseconds(100))
        let timeout = HCIWriteAuthenticatedPayloadTimeout {
            $0.connectionHandle = 0x40
            $0.authenticatedPayloadTimeout = 200
        }
        #expect(air.command(air.phone, timeout) == .success)
        air.wait(.seconds(30))
        #expect(!air.told(air.phone).map(\.octets).contains(octets("57 02 4000")))
        return air
    }

    @Test func `an encrypted link that hears nothing tells its host in time`() {
        var air = Self.encrypted()
        air.air.separate(air.phone, air.car)
        air.wait(.milliseconds(900))
        #expect(air.told(air.phone).isEmpty)
        air.wait(.milliseconds(1100))
        #expect(air.told(air.phone).map(\.octets) == [octets("57 02 4000")])
        // Not again before the timeout, and not once they hear each other.
        air.air.rejoin(air.phone, air.car)
        air.wait(.seconds(30))
        #expect(air.told(air.phone).isEmpty)
        #expect(air.told(air.car).map { $0.octets[0] } == [0x3E, 0x3E, 0x08])
    }

    @Test func `a timeout shorter than what the peripheral may sleep is refused`() {
        var air = Self.harness(phone: .v42, car: .v42)
        let handles = air.connect()
        func write(_ timeout: UInt16) -> HCIStatus? {
            air.command(
                air.phone,
                HCIWriteAuthenticatedPayloadTimeout {
                    $0.connectionHandle = handles.phone
                    $0.authenticatedPayloadTimeout = timeout
                })
        }
        #expect(write(2) == .invalidHCICommandParameters)
        #expect(write(3) == .success)
        air.send(
            HCIPacket(
                .command, HCIReadAuthenticatedPayloadTimeout { $0.connectionHandle = handles.phone }.packet),
            air.phone)
        #expect(air.told(air.phone).last?.octets == octets("0E 08 01 7B0C 00 4000 0300"))
    }
}
