import BluetoothCore
import Crypto
import LEHost
import Runtime
import Testing
import VirtualController

/// Hosts with private addresses that change, on controllers that resolve and on those that don't.
@Suite struct PrivacyTests {
    /// How many devices the resolving lists of the phone and the car hold.
    static let lists: [[UInt8]] = [[0, 0], [4, 4], [4, 0], [0, 4]]
    static let rotation: Duration = .seconds(15 * 60)

    static func key(_ index: Int) -> SecretKey { SecretKey([UInt8](repeating: UInt8(index) + 1, count: 16)) }

    /// A phone, a car, and a stranger who listens.
    static func world(
        _ lists: [UInt8], _ version: Version = .v42, seed: UInt64 = 5,
        bonds: [[Bond]] = [[], []]
    ) -> World {
        var world = World(seed: seed)
        for index in 0..<2 {
            world.add(0xF1 + UInt64(index)) {
                $0 = ControllerConfiguration(publicAddress: $0.publicAddress, version: version)
                $0.resolvingListSize = lists[index]
            } host: {
                $0.security = SecurityPolicy()
                $0.privacy = HostPrivacy(identityKey: key(index))
                $0.bonds = bonds[index]
            }
        }
        world.add(0xEE)
        world.powerOn()
        world.put(.startAdvertising(slow), 1)
        return world
    }

    /// Twice a second.
    static var slow: AdvertisingParameters {
        var parameters = AdvertisingParameters()
        parameters.intervalUnits = 0x320
        parameters.data = [2, 1, 6]
        return parameters
    }

    /// Bonds the phone with the car, and leaves it.
    static func bond(_ world: inout World) throws {
        let (link, _) = try world.connect(0, to: 1)
        world.put(.secure(link), 0)
        world.run(.seconds(5))
        world.put(.disconnect(link), 0)
        world.run(.seconds(5))
        #expect(world.hosts[0].bonds.map(\.peer) == [DeviceAddress(0xF2, .public)])
        #expect(world.hosts[1].bonds.map(\.peer) == [DeviceAddress(0xF1, .public)])
        #expect(world.hosts.allSatisfy { $0.openLinks.isEmpty })
    }

    /// Whatever the controller refused, or was sent that it must not.
    static func problems(_ world: World) -> [HostEvent] {
        world.events.map(\.event).filter { if case .problem = $0 { true } else { false } }
    }

    /// A link of a bonded host to another, by its identity: at both.
    static func reconnect(_ world: inout World, _ central: Int, to peripheral: Int) throws -> (Link, Link) {
        world.unread = world.events.count
        world.put(.connect(DeviceAddress(0xF1 + UInt64(peripheral), .public)), central)
        let here = world.await(central) { if case .connected(let link) = $0 { link } else { nil } }
        world.run(.seconds(5))
        return (try #require(here), try #require(world.hosts[peripheral].openLinks.last))
    }

    /// By legacy commands and by extended ones.
    @Test(arguments: lists, [Version.v42, .v53])
    func `bonded hosts find each other after each change of their addresses`(
        lists: [UInt8], version: Version
    ) throws {
        var world = Self.world(lists, version)
        try Self.bond(&world)
        var addresses: [Set<DeviceAddress>] = [[], []]
        for round in 0..<6 {
            world.run(Self.rotation + .seconds(60))
            // Both are the central in turn.
            let (central, peripheral) = round % 2 == 0 ? (0, 1) : (1, 0)
            world.put(.stopAdvertising, central)
            world.put(.startAdvertising(Self.slow), peripheral)
            let (here, there) = try Self.reconnect(&world, central, to: peripheral)
            #expect(here.peer == DeviceAddress(0xF1 + UInt64(peripheral), .public))
            #expect(there.peer == DeviceAddress(0xF1 + UInt64(central), .public))
            #expect(world.hosts[central].security(of: here.id).isEncrypted)
            #expect(world.hosts[peripheral].security(of: there.id).isEncrypted)
            for host in 0..<2 { addresses[host].insert(try #require(world.hosts[host].address)) }
            world.put(.disconnect(here.id), central)
            world.run(.seconds(5))
        }
        #expect(addresses.map(\.count) == [6, 6])
        #expect(addresses.joined().allSatisfy { $0.isResolvablePrivate })
        #expect(Self.problems(world) == [])
    }

    @Test(arguments: lists) func `a scan names a bonded device, of which a stranger sees no trace`(
        lists: [UInt8]
    ) throws {
        var world = Self.world(lists)
        try Self.bond(&world)
        world.events = []
        world.unread = 0
        for host in [0, 2] { world.put(.startScanning(ScanParameters()), host) }
        world.run(Self.rotation * 5 + .seconds(60))
        func seen(_ host: Int) -> [DeviceAddress] {
            world.events.compactMap { event in
                guard event.host == host, case .advertisement(let seen) = event.event else { return nil }
                return seen.address
            }
        }
        #expect(Set(seen(0)) == [DeviceAddress(0xF2, .public)])
        let strange = Set(seen(2))
        #expect(strange.count == 6)
        #expect(strange.allSatisfy { $0.isResolvablePrivate && world.hosts[2].identity(of: $0) == $0 })
        // Of two addresses, one who has no key can't tell whether one device made both; one who has it can.
        #expect(Set(strange.map { world.hosts[0].identity(of: $0) }) == [DeviceAddress(0xF2, .public)])
        #expect(Self.problems(world) == [])
    }

    @Test(arguments: [Version.v42, .v53])
    func `what is broadcast has a private address that changes, and no one may connect to it`(
        version: Version
    ) throws {
        var world = Self.world([0, 0], version)
        try Self.bond(&world)
        var broadcast = Self.slow
        broadcast.isConnectable = false
        world.put(.startAdvertising(broadcast), 1)
        world.put(.startScanning(ScanParameters()), 2)
        world.events = []
        world.run(Self.rotation * 2 + .seconds(60))
        let heard = world.events.compactMap { event -> Advertisement? in
            guard event.host == 2, case .advertisement(let seen) = event.event else { return nil }
            return seen
        }
        #expect(heard.allSatisfy { $0.address.isResolvablePrivate })
        #expect(heard.allSatisfy { !$0.isConnectable && $0.data == [2, 1, 6] })
        #expect(Set(heard.map(\.address)).count == 3)
        #expect(heard.allSatisfy { world.hosts[0].identity(of: $0.address) == DeviceAddress(0xF2, .public) })
        #expect(Self.problems(world) == [])
    }

    @Test func `the address changes without the application hearing of it`() {
        var world = Self.world([0, 0])
        world.put(.startScanning(ScanParameters()), 1)
        // Someone who never comes.
        world.put(.connect(DeviceAddress(0xC0FF_EE00_0009, .random)), 1)
        world.events = []
        let before = world.hosts[1].address
        world.run(Self.rotation + .seconds(1))
        #expect(world.hosts[1].address != before && before != nil)
        let told = world.events.filter { event in
            if case .advertisement = event.event { return false }
            return event.host == 1
        }
        #expect(told.isEmpty)
        // Still all three.
        world.events = []
        world.put(.startScanning(ScanParameters()), 2)
        world.put(.stopScanning, 1)
        world.put(.stopAdvertising, 1)
        world.run(.seconds(2))
        let ended = world.events.filter { $0.host == 1 }.map(\.event)
        #expect(ended == [.scanning(false), .advertising(false)])
    }

    @Test(arguments: lists) func `an earlier private address still names the device that it was`(
        lists: [UInt8]
    ) throws {
        var world = Self.world(lists)
        let early = try #require(world.hosts[1].address)
        try Self.bond(&world)
        world.run(Self.rotation * 2)
        #expect(world.hosts[1].address != early)
        world.unread = world.events.count
        world.put(.connect(early), 0)
        let link = world.await(0) { if case .connected(let link) = $0 { link } else { nil } }
        #expect(link?.peer == early)
        // The same device a second time is refused, by any of its addresses.
        world.put(.connect(DeviceAddress(0xF2, .public)), 0)
        let status = world.await(0) { if case .connectFailed(_, let status) = $0 { status } else { nil } }
        #expect(status == .connectionAlreadyExists)
    }

    @Test(arguments: lists) func `bonds of an earlier process, under the same keys, are good`(
        lists: [UInt8]
    ) throws {
        var first = Self.world(lists)
        try Self.bond(&first)
        var world = Self.world(lists, seed: 77, bonds: first.hosts.prefix(2).map(\.bonds))
        #expect(world.hosts[1].address != first.hosts[1].address)
        let (link, _) = try Self.reconnect(&world, 0, to: 1)
        #expect(world.hosts[0].security(of: link.id).isEncrypted)
        #expect(Self.problems(world) == [])
    }

    @Test(arguments: lists) func `a bonded device that moves while it is waited for is connected to`(
        lists: [UInt8]
    ) throws {
        var world = Self.world(lists)
        try Self.bond(&world)
        world.put(.stopAdvertising, 1)
        world.unread = world.events.count
        // Another device is waited for, too, and is there later.
        let other = DeviceAddress(0xEE, .public)
        world.put(.connect(DeviceAddress(0xF2, .public)), 0)
        world.put(.connect(other), 0)
        world.run(Self.rotation * 3)
        world.put(.startAdvertising(Self.slow), 2)
        let first = world.await(0) { if case .connected(let link) = $0 { link.peer } else { nil } }
        #expect(first == other)
        world.put(.startAdvertising(Self.slow), 1)
        let second = world.await(0) { if case .connected(let link) = $0 { link.peer } else { nil } }
        #expect(second == DeviceAddress(0xF2, .public))
        #expect(Self.problems(world) == [])
    }

    @Test func `a forgotten device is a stranger again, and the list is not used for it`() throws {
        var world = Self.world([4, 4])
        try Self.bond(&world)
        world.put(.setBonds([]), 0)
        world.put(.startScanning(ScanParameters()), 0)
        world.events = []
        world.run(.seconds(5))
        let seen = Set(
            world.events.compactMap { event in
                if event.host == 0, case .advertisement(let seen) = event.event { seen.address } else { nil }
            })
        #expect(seen == Set([world.hosts[1].address].compactMap { $0 }))
        #expect(Self.problems(world) == [])
    }

    @Test func `the same seed gives the same addresses and the same bonds, octet by octet`() throws {
        var transcripts: Set<[String]> = []
        for _ in 0..<10 {
            var world = Self.world([4, 0])
            try Self.bond(&world)
            world.put(.startScanning(ScanParameters()), 2)
            world.run(Self.rotation * 2)
            _ = try Self.reconnect(&world, 0, to: 1)
            transcripts.insert(world.transcript + ["\(world.hosts[0].bonds[0].asCentral?.key.octets ?? [])"])
        }
        #expect(transcripts.count == 1)
    }
}
