import BluetoothCore
import Crypto
import LEHost
import Runtime
import Testing
import VirtualController

/// What two bonded hosts keep of each other's attributes from link to link.
@Suite struct BondedGATTTests {
    /// Service Changed, features and hash at 3, 6 and 8; what takes encryption to be subscribed to at 11; and
    /// one more service, or not.
    static func database(_ isLarger: Bool = false) -> GATTDatabase {
        var database = GATTDatabase()
        _ = database.add(
            GATTServiceDefinition(
                uuid: .genericAttributeService,
                characteristics: [
                    .init(uuid: .serviceChanged, properties: .indicate, value: .fixed([]), permissions: []),
                    .init(
                        uuid: .clientSupportedFeatures, properties: [.read, .write], value: .clientFeatures,
                        permissions: [.readable, .writeable]),
                    .init(
                        uuid: .databaseHash, properties: .read, value: .databaseHash, permissions: .readable),
                ]))
        _ = database.add(
            GATTServiceDefinition(
                uuid: BluetoothUUID(UInt16(0xFF50)),
                characteristics: [
                    .init(
                        uuid: BluetoothUUID(UInt16(0xFF51)), properties: .notify, permissions: [],
                        configurationPermissions: [.readable, .writeable, .writeEncryptionRequired])
                ]))
        if isLarger {
            _ = database.add(
                GATTServiceDefinition(uuid: BluetoothUUID(UInt16(0xFF60)), characteristics: []))
        }
        return database
    }

    static func world(bonds: [[Bond]] = [[], []], isLarger: Bool = false) -> World {
        var world = SecurityTests.world(bonds: bonds)
        world.put(.setDatabase(database(isLarger)), 1)
        return world
    }

    /// A phone that has paired by need, subscribed to what there is, and gone.
    static func bonded() throws -> [[Bond]] {
        var world = world()
        let (link, _) = try world.connect(0, to: 1)
        #expect(world.perform(.write(12, [1, 0]), 0, on: link) == .success(.written))
        #expect(world.perform(.write(4, [2, 0]), 0, on: link, token: 2) == .success(.written))
        #expect(world.perform(.write(6, [1]), 0, on: link, token: 3) == .success(.written))
        let hash = world.perform(.readByType(.databaseHash, 1...0xFFFF), 0, on: link, token: 4)
        #expect(world.hosts[0].bonds[0].peerDatabaseHash.count == 16, "\(String(describing: hash))")
        return SecurityTests.bonds(world)
    }

    static func values(_ world: World) -> [[UInt8]] {
        world.events.compactMap { event -> [UInt8]? in
            guard event.host == 0, case .value(_, let handle, let value, _) = event.event else { return nil }
            return [UInt8(handle)] + value
        }
    }

    @Test func `a bonded client is subscribed again once the link is encrypted`() throws {
        let bonds = try Self.bonded()
        let kept = try #require(bonds[1].first)
        #expect(kept.client.subscriptions.map(\.handle).sorted() == [4, 12] && kept.client.features == [1])
        var world = Self.world(bonds: bonds)
        let (link, there) = try world.connect(0, to: 1)
        world.run(.seconds(1))
        let told = world.events.contains {
            $0.event == .subscriptionChanged(there, valueHandle: 11, .notification)
        }
        #expect(told)
        world.put(.update(valueHandle: 11, [9], on: there), 1)
        world.run(.seconds(1))
        #expect(Self.values(world) == [[11, 9]])
        // The database is as it was: the client is told nothing, and hears that its hash is.
        _ = world.perform(.readByType(.databaseHash, 1...0xFFFF), 0, on: link)
        let isKnown = world.events.contains { $0.event == .databaseHash(link, isKnown: true) }
        #expect(isKnown)
    }

    @Test func `a client without its bond is subscribed to nothing, and is sent nothing in clear`() throws {
        var world = Self.world(bonds: [[], try Self.bonded()[1]])
        let (link, there) = try world.connect(0, to: 1)
        world.run(.seconds(1))
        world.put(.update(valueHandle: 11, [9], on: there), 1)
        world.run(.seconds(1))
        #expect(Self.values(world).isEmpty && world.hosts[0].isOpen(link))
    }

    @Test func `a bonded client that was away hears of changes once, and of none thereafter`() throws {
        var world = Self.world(bonds: try Self.bonded(), isLarger: true)
        let (link, there) = try world.connect(0, to: 1)
        world.run(.seconds(1))
        #expect(Self.values(world) == [[3, 1, 0, 0xFF, 0xFF]])
        _ = world.perform(.readByType(.databaseHash, 1...0xFFFF), 0, on: link)
        let isOther = world.events.contains { $0.event == .databaseHash(link, isKnown: false) }
        #expect(isOther)
        // It has confirmed, so it is served, and sent what it subscribed to.
        world.put(.update(valueHandle: 11, [9], on: there), 1)
        world.run(.seconds(1))
        #expect(Self.values(world).last == [11, 9])
        var later = Self.world(bonds: SecurityTests.bonds(world), isLarger: true)
        _ = try later.connect(0, to: 1)
        later.run(.seconds(1))
        #expect(Self.values(later).isEmpty)
    }

    @Test func `services that come to a bonded client bring its subscriptions with them`() throws {
        var world = SecurityTests.world(bonds: try Self.bonded())
        world.put(.setDatabase(GATTDatabase()), 1)
        let (_, there) = try world.connect(0, to: 1)
        world.run(.seconds(1))
        world.put(.setDatabase(Self.database()), 1)
        let told = world.events.contains {
            $0.event == .subscriptionChanged(there, valueHandle: 11, .notification)
        }
        #expect(told)
    }

    @Test func `a server that wants a better key than the link has gets one pairing`() throws {
        // The car's bond is of a key of 7 octets; it now wants 16.
        var bonds: [[Bond]] = [[], []]
        let key = LongTermKey(SecretKey([UInt8](repeating: 0, count: 9) + [UInt8](repeating: 5, count: 7)))
        for index in 0..<2 {
            var bond = Bond(peer: DeviceAddress(0xF2 - UInt64(index), .public))
            (bond.asCentral, bond.asPeripheral) = (key, key)
            bond.security.isEncrypted = true
            bond.security.keySize = 7
            bonds[index] = [bond]
        }
        var world = SecurityTests.world(bonds: bonds)
        let (link, _) = try world.connect(0, to: 1)
        #expect(world.hosts[0].security(of: link).keySize == 7)
        let result = world.perform(.read(SecurityTests.value), 0, on: link)
        #expect(result == .success(.value([7])))
        #expect(world.hosts[0].security(of: link).keySize == 16)
        #expect(world.hosts.allSatisfy { $0.bonds.map(\.security.keySize) == [16] })
    }

    @Test func `a server that wants a person is asked once more, and then believed`() throws {
        // The car never lets anyone read: it says so for want of authentication.
        var policy = SecurityPolicy()
        policy.ioCapability = .displayYesNo
        var world = SecurityTests.world(phone: policy, car: policy)
        var database = GATTDatabase()
        _ = database.add(
            GATTServiceDefinition(
                uuid: BluetoothUUID(UInt16(0xFF50)),
                characteristics: [
                    .init(
                        uuid: BluetoothUUID(UInt16(0xFF51)), properties: .read, permissions: .readable)
                ]))
        world.put(.setDatabase(database), 1)
        for host in 0..<2 {
            world.answers[host] = { event in
                switch event {
                case .pairingAsks(let link, .compare): [.answerPairing(.yes, on: link)]
                case .readRequested(let link, let id, _, _):
                    [.answerRead(id, .failure(.insufficientAuthentication), on: link)]
                default: []
                }
            }
        }
        let (link, _) = try world.connect(0, to: 1)
        let result = world.perform(.read(3), 0, on: link)
        #expect(result == .failure(.refused(.insufficientAuthentication, handle: 3)))
        let paired = world.events.count { if case .paired = $0.event { $0.host == 0 } else { false } }
        #expect(paired == 2 && world.hosts[0].security(of: link).isAuthenticated)
    }
}
