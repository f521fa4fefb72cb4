import BluetoothCore
import Crypto
import Testing
import VirtualController

/// The resolving list of a controller, and the private addresses that it makes and resolves.
@Suite struct ResolvingListTests {
    static let phoneKey = [UInt8](1...16)
    static let carKey = [UInt8](17...32)

    static func air(_ size: UInt8 = 4) -> AirHarness {
        var air = AirHarness { $0.resolvingListSize = size }
        for controller in [air.phone, air.car] {
            air.command(controller, LESetEventMask { $0.leEventMask = 1 << 9 | 0x1F })
        }
        return air
    }

    static func entry(
        _ peer: DeviceAddress, _ key: [UInt8], local: [UInt8] = [UInt8](repeating: 0, count: 16)
    ) -> LEAddDeviceToResolvingList {
        LEAddDeviceToResolvingList {
            $0.peerIdentityAddress = peer
            $0.peerIRK = key.reversed()
            $0.localIRK = local.reversed()
        }
    }

    static func address(_ key: [UInt8], _ random: UInt32) throws -> DeviceAddress {
        DeviceAddress(try PrivateAddressResolver.address(key: key, random: random), .random)
    }

    static let resolve = LESetAddressResolutionEnable { $0.addressResolutionEnable = 1 }

    /// The car advertises at an address that its host made.
    static func advertise(_ air: inout AirHarness, at address: DeviceAddress) {
        air.command(air.car, LESetAdvertisingEnable())
        air.command(air.car, LESetRandomAddress { $0.randomAddress = address })
        air.command(air.car, advertising { $0.ownAddressType = 1 })
        air.command(air.car, LESetAdvertisingEnable { $0.advertisingEnable = 1 })
    }

    static func advertising(
        _ change: (inout LESetAdvertisingParameters) -> Void
    ) -> LESetAdvertisingParameters {
        var wish = LESetAdvertisingParameters {
            $0.advertisingIntervalMin = 0x20
            $0.advertisingIntervalMax = 0x20
            $0.advertisingChannelMap = 7
        }
        change(&wish)
        return wish
    }

    static func scan(_ air: inout AirHarness, _ isOn: Bool = true) {
        air.command(air.phone, LESetScanEnable { $0.leScanEnable = isOn ? 1 : 0 })
    }

    static func reports(_ air: inout AirHarness, for duration: Duration = .milliseconds(100))
        -> [DeviceAddress]
    {
        air.wait(duration)
        return air.events(air.phone, LEAdvertisingReport.self).flatMap { $0.reports.map(\.address) }
    }

    @Test func `a controller without a resolving list knows none of its commands`() {
        var air = Self.air(0)
        #expect(air.command(air.phone, Self.entry(AirHarness.carAddress, Self.carKey)) == .unknownHCICommand)
        #expect(air.command(air.phone, LEReadResolvingListSize()) == .unknownHCICommand)
        #expect(air.command(air.phone, Self.resolve) == .unknownHCICommand)
    }

    @Test func `an entry is refused where it is there, where its key is, and where there is no room`() {
        var air = Self.air(2)
        let car = AirHarness.carAddress
        let other = DeviceAddress(0xC0FF_EE00_0002, .public)
        #expect(air.command(air.phone, LEReadResolvingListSize()) == .success)
        #expect(air.command(air.phone, Self.entry(car, Self.carKey)) == .success)
        for entry in [Self.entry(car, Self.phoneKey), Self.entry(other, Self.carKey)] {
            #expect(air.command(air.phone, entry) == .invalidHCICommandParameters)
        }
        var odd = Self.entry(other, Self.phoneKey)
        odd.peerIdentityAddressType = 2
        #expect(air.command(air.phone, odd) == .invalidHCICommandParameters)
        #expect(air.command(air.phone, Self.entry(other, Self.phoneKey)) == .success)
        let third = Self.entry(DeviceAddress(3, .public), [UInt8](repeating: 3, count: 16))
        #expect(air.command(air.phone, third) == .memoryCapacityExceeded)
        let remove = LERemoveDeviceFromResolvingList { $0.peerIdentityAddress = other }
        #expect(air.command(air.phone, remove) == .success)
        #expect(air.command(air.phone, remove) == .unknownConnectionIdentifier)
        #expect(air.command(air.phone, third) == .success)
        #expect(air.command(air.phone, LEClearResolvingList()) == .success)
        let mode = LESetPrivacyMode { $0.peerIdentityAddress = car }
        #expect(air.command(air.phone, mode) == .unknownConnectionIdentifier)
        let read = LEReadPeerResolvableAddress { $0.peerIdentityAddress = car }
        #expect(air.command(air.phone, read) == .unknownConnectionIdentifier)
        for (value, status) in [(UInt16(0), HCIStatus.invalidHCICommandParameters), (3600, .success)] {
            let timeout = LESetResolvablePrivateAddressTimeout { $0.rpaTimeout = value }
            #expect(air.command(air.phone, timeout) == status)
        }
    }

    @Test func `the list is not changed while the controller resolves and scans`() {
        var air = Self.air()
        let entry = Self.entry(AirHarness.carAddress, Self.carKey)
        let mode = LESetPrivacyMode { $0.peerIdentityAddress = AirHarness.carAddress }
        // Without resolution, the list is free.
        Self.scan(&air)
        #expect(air.command(air.phone, entry) == .success)
        #expect(air.command(air.phone, mode) == .success)
        #expect(air.command(air.phone, Self.resolve) == .commandDisallowed)
        Self.scan(&air, false)
        #expect(air.command(air.phone, Self.resolve) == .success)
        #expect(air.command(air.phone, mode) == .success)
        Self.scan(&air)
        #expect(air.command(air.phone, mode) == .commandDisallowed)
        #expect(air.command(air.phone, LEClearResolvingList()) == .commandDisallowed)
        #expect(air.command(air.phone, Self.entry(DeviceAddress(3), Self.phoneKey)) == .commandDisallowed)
        #expect(air.command(air.phone, LESetAddressResolutionEnable()) == .commandDisallowed)
    }

    @Test func `a listed device is reported by its identity, whatever address it has`() throws {
        var air = Self.air()
        air.command(air.phone, Self.entry(AirHarness.carAddress, Self.carKey))
        let identity = DeviceAddress(AirHarness.carAddress.value, .publicIdentity)
        for (isResolving, random) in [(false, UInt32(5)), (true, 6), (true, 7)] {
            air.command(
                air.phone, LESetAddressResolutionEnable { $0.addressResolutionEnable = isResolving ? 1 : 0 })
            let address = try Self.address(Self.carKey, random)
            Self.advertise(&air, at: address)
            Self.scan(&air)
            #expect(Set(Self.reports(&air)) == [isResolving ? identity : address])
            Self.scan(&air, false)
        }
        let stranger = try Self.address([UInt8](repeating: 9, count: 16), 5)
        Self.advertise(&air, at: stranger)
        Self.scan(&air)
        #expect(Set(Self.reports(&air)) == [stranger])
    }

    @Test func `network privacy does not hear an identity address, device privacy does`() {
        var air = Self.air()
        air.command(air.phone, Self.entry(AirHarness.carAddress, Self.carKey))
        air.command(air.phone, Self.resolve)
        air.advertise()
        Self.scan(&air)
        #expect(Self.reports(&air).isEmpty)
        Self.scan(&air, false)
        air.command(
            air.phone,
            LESetPrivacyMode {
                $0.peerIdentityAddress = AirHarness.carAddress
                $0.privacyMode = 1
            })
        Self.scan(&air)
        #expect(Set(Self.reports(&air)) == [AirHarness.carAddress])
    }

    @Test func `the controller makes private addresses, each for the time that was set`() {
        var air = Self.air()
        air.command(air.car, Self.entry(AirHarness.phoneAddress, Self.phoneKey, local: Self.carKey))
        air.command(air.car, LESetResolvablePrivateAddressTimeout { $0.rpaTimeout = 2 })
        air.command(air.car, Self.resolve)
        air.command(
            air.car,
            Self.advertising {
                $0.ownAddressType = 2
                $0.peerAddress = AirHarness.phoneAddress
            })
        air.command(air.car, LESetAdvertisingEnable { $0.advertisingEnable = 1 })
        air.command(
            air.phone,
            LESetScanParameters {
                $0.leScanInterval = 0x10
                $0.leScanWindow = 0x10
            })
        Self.scan(&air)
        let seen = Set(Self.reports(&air, for: .milliseconds(9000)))
        #expect(seen.count == 5)
        var resolver = PrivateAddressResolver()
        _ = try? resolver.add(identityResolvingKey: Self.carKey)
        #expect(seen.allSatisfy { $0.isResolvablePrivate && resolver.resolve($0.value) == 0 })
        let read = LEReadLocalResolvableAddress { $0.peerIdentityAddress = AirHarness.phoneAddress }
        #expect(air.command(air.car, read) == .success)
    }

    @Test(arguments: [UInt8(0), 1]) func `private on both sides, a link knows both identities and addresses`(
        type: UInt8
    ) throws {
        var air = Self.air()
        air.command(air.phone, Self.entry(AirHarness.carAddress, Self.carKey, local: Self.phoneKey))
        air.command(air.car, Self.entry(AirHarness.phoneAddress, Self.phoneKey, local: Self.carKey))
        for controller in [air.phone, air.car] { air.command(controller, Self.resolve) }
        // Undirected or directed: then to a private address of the phone.
        air.command(
            air.car,
            Self.advertising {
                $0.advertisingType = type
                $0.ownAddressType = 2
                $0.peerAddress = AirHarness.phoneAddress
            })
        air.command(air.car, LESetAdvertisingEnable { $0.advertisingEnable = 1 })
        var wish = AirHarness.createConnection
        wish.ownAddressType = 2
        #expect(air.command(air.phone, wish) == .success)
        air.wait(.milliseconds(100))
        let phone = try #require(air.events(air.phone, LEEnhancedConnectionComplete.self).first)
        let car = try #require(air.events(air.car, LEEnhancedConnectionComplete.self).first)
        #expect(phone.peerAddress == DeviceAddress(AirHarness.carAddress.value, .publicIdentity))
        #expect(car.peerAddress == DeviceAddress(AirHarness.phoneAddress.value, .publicIdentity))
        #expect(phone.peerResolvablePrivateAddress == car.localResolvablePrivateAddress)
        #expect(car.peerResolvablePrivateAddress == phone.localResolvablePrivateAddress)
        #expect(phone.peerResolvablePrivateAddress.isResolvablePrivate)
        #expect(car.peerResolvablePrivateAddress.isResolvablePrivate)
        // The link is known by the identity, too.
        #expect(air.command(air.phone, wish) == .connectionAlreadyExists)
    }

    @Test func `directed to another, or from someone who is not listed, nothing connects`() {
        for isListed in [true, false] {
            var air = Self.air()
            air.command(air.phone, Self.entry(AirHarness.carAddress, Self.carKey, local: Self.phoneKey))
            air.command(air.phone, Self.resolve)
            let target = isListed ? DeviceAddress(0xABC, .public) : AirHarness.phoneAddress
            air.command(
                air.car, Self.entry(target, [UInt8](repeating: 8, count: 16), local: Self.carKey))
            air.command(air.car, Self.resolve)
            air.command(
                air.car,
                Self.advertising {
                    $0.advertisingType = 4
                    $0.ownAddressType = 2
                    $0.peerAddress = target
                })
            air.command(air.car, LESetAdvertisingEnable { $0.advertisingEnable = 1 })
            var wish = AirHarness.createConnection
            wish.ownAddressType = 2
            air.command(air.phone, wish)
            air.wait(.seconds(5))
            #expect(air.air.openLinks == 0)
        }
    }
}
