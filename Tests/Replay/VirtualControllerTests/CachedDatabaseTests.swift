import BluetoothCore
import Foundation
import LEHost
import Runtime
import Testing
import VirtualController

/// Bonded servers whose attributes are not discovered again.
@Suite struct CachedDatabaseTests {
    static let services = GATTOperation.discoverServices()
    static let characteristics = GATTOperation.discoverCharacteristics(1...8)

    /// A phone that keeps what it discovers, and a car.
    static func world(_ bonds: [[Bond]] = [[], []], _ database: GATTDatabase) -> World {
        var world = World(seed: 4)
        for index in 0..<2 {
            world.add(0xF1 + UInt64(index)) { _ in
            } host: {
                $0.security = SecurityPolicy()
                $0.cachesDatabases = index == 0
                $0.bonds = bonds[index]
            }
        }
        world.powerOn()
        world.put(.setDatabase(database), 1)
        world.put(.startAdvertising(AdvertisingParameters()), 1)
        return world
    }

    /// Discovers, and says what was found and how many requests of discovery were sent.
    static func discover(_ world: inout World, on link: LinkID) -> ([GATTOutcome?], requests: Int) {
        let before = world.log.count
        let found = [services, characteristics].enumerated().map { token, operation in
            try? world.perform(operation, 0, on: link, token: UInt64(100 + token))?.get()
        }
        return (found, requests(world, since: before))
    }

    /// ATT requests of the phone that discover: Find Information, Read By Group Type, and Read By Type of
    /// declarations.
    static func requests(_ world: World, since: Int) -> Int {
        world.log[since...].count { one in
            let octets = one.packet.octets
            guard one.host == 0, one.isFromHost, one.packet.type == .acl, octets.count > 8, octets[6] == 4
            else { return false }
            return [0x04, 0x06, 0x10].contains(octets[8])
                || octets[8] == 0x08 && octets.suffix(2).elementsEqual([0x03, 0x28])
        }
    }

    /// The bonds of a phone that has discovered, paired and left, as they come out of their file.
    static func bonded(_ database: GATTDatabase, pairsFirst: Bool = false) throws -> [[Bond]] {
        var world = world([[], []], database)
        let (link, _) = try world.connect(0, to: 1)
        if pairsFirst {
            world.put(.secure(link), 0)
            world.run(.seconds(5))
        }
        #expect(discover(&world, on: link).requests > 2)
        if !pairsFirst { world.put(.secure(link), 0) }
        world.run(.seconds(5))
        world.put(.disconnect(link), 0)
        world.run(.seconds(5))
        #expect(world.hosts[0].bonds.count == 1 && !world.hosts[0].bonds[0].peerDatabase.isEmpty)
        return try world.hosts.map {
            try JSONDecoder().decode([Bond].self, from: try JSONEncoder().encode($0.bonds))
        }
    }

    /// A database without a hash.
    static let plain: GATTDatabase = {
        var database = GATTDatabase()
        _ = database.add(
            GATTServiceDefinition(
                uuid: BluetoothUUID(UInt16(0xFF50)),
                characteristics: [
                    .init(uuid: BluetoothUUID(UInt16(0xFF51)), properties: .read, permissions: .readable)
                ]))
        return database
    }()

    @Test(arguments: [false, true], [false, true])
    func `a bonded server is not discovered again, by its hash or by its silence`(
        hasHash: Bool, pairsFirst: Bool
    ) throws {
        let database = hasHash ? BondedGATTTests.database() : Self.plain
        var first = Self.world([[], []], database)
        let (there, _) = try first.connect(0, to: 1)
        let expected = Self.discover(&first, on: there).0
        let bonds = try Self.bonded(database, pairsFirst: pairsFirst)
        for _ in 0..<2 {
            var world = Self.world(bonds, database)
            let (link, _) = try world.connect(0, to: 1)
            let (found, requests) = Self.discover(&world, on: link)
            #expect(found == expected && requests == 0)
            let one = world.perform(.discoverServices(BluetoothUUID(UInt16(0xFF50))), 0, on: link, token: 9)
            guard case .success(.services(let services))? = one else {
                Issue.record("\(String(describing: one))")
                continue
            }
            #expect(services.map(\.uuid) == [BluetoothUUID(UInt16(0xFF50))])
            world.put(.disconnect(link), 0)
            world.run(.seconds(5))
            #expect(world.hosts[0].bonds[0].peerDatabase == bonds[0][0].peerDatabase)
        }
    }

    @Test func `a server with another hash is discovered anew, and that is kept`() throws {
        var world = Self.world(
            try Self.bonded(BondedGATTTests.database()), BondedGATTTests.database(true))
        for isKnown in [false, true] {
            let (link, _) = try world.connect(0, to: 1)
            let (found, requests) = Self.discover(&world, on: link)
            guard case .services(let services)? = found[0] else {
                Issue.record("\(found)")
                continue
            }
            #expect(services.count == 3 && (requests == 0) == isKnown)
            world.put(.disconnect(link), 0)
            world.run(.seconds(5))
        }
    }

    @Test func `a server that gets a hash is discovered anew`() throws {
        var world = Self.world(try Self.bonded(Self.plain), BondedGATTTests.database())
        let (link, _) = try world.connect(0, to: 1)
        #expect(Self.discover(&world, on: link).requests > 2)
    }

    @Test func `Service Changed has what was found forgotten`() throws {
        var bonds = try Self.bonded(BondedGATTTests.database())
        var world = Self.world(bonds, BondedGATTTests.database())
        let (link, _) = try world.connect(0, to: 1)
        #expect(Self.discover(&world, on: link).requests == 0)
        #expect(world.perform(.write(4, [2, 0]), 0, on: link) == .success(.written))
        world.put(.setDatabase(BondedGATTTests.database(true)), 1)
        world.run(.seconds(5))
        let (found, requests) = Self.discover(&world, on: link)
        guard case .services(let services)? = found[0] else {
            Issue.record("\(found)")
            return
        }
        #expect(services.count == 3 && requests > 2)
        bonds = SecurityTests.bonds(world)
        #expect(bonds[0][0].peerDatabase.isEmpty)
    }

    @Test func `a hash that is wrong is noticed by the first missing handle, and reported`() throws {
        // The server says what it said before, but has fewer attributes.
        func database(_ count: Int) -> GATTDatabase {
            var database = GATTDatabase()
            _ = database.add(
                GATTServiceDefinition(
                    uuid: .genericAttributeService,
                    characteristics: [
                        .init(
                            uuid: .databaseHash, properties: .read,
                            value: .fixed([UInt8](repeating: 7, count: 16)), permissions: .readable)
                    ]))
            for _ in 0..<count {
                _ = database.add(
                    GATTServiceDefinition(
                        uuid: BluetoothUUID(UInt16(0xFF50)),
                        characteristics: [
                            .init(
                                uuid: BluetoothUUID(UInt16(0xFF51)), properties: .read, value: .fixed([1]),
                                permissions: .readable)
                        ]))
            }
            return database
        }
        var world = Self.world(try Self.bonded(database(2)), database(1))
        let (link, _) = try world.connect(0, to: 1)
        #expect(Self.discover(&world, on: link).requests == 0)
        let read = world.perform(.read(9), 0, on: link, token: 5)
        #expect(read == .failure(.refused(.invalidHandle, handle: 9)))
        let isReported = world.events.contains { $0.event == .databaseChanged(link) }
        #expect(isReported && world.hosts[0].bonds[0].peerDatabase.isEmpty)
        #expect(Self.discover(&world, on: link).requests > 2)
    }

    @Test func `without a hash and a bond, or where it is not wanted, each link discovers`() throws {
        var world = Self.world([[], []], Self.plain)
        for _ in 0..<2 {
            let (link, _) = try world.connect(0, to: 1)
            #expect(Self.discover(&world, on: link).requests > 2)
            world.put(.disconnect(link), 0)
            world.run(.seconds(5))
        }
        world = BondedGATTTests.world(bonds: try Self.bonded(BondedGATTTests.database()))
        let (link, _) = try world.connect(0, to: 1)
        #expect(Self.discover(&world, on: link).requests > 2)
    }

    /// Connects, discovers, and leaves; returns the number of found services and of requests.
    static func visit(_ world: inout World) throws -> (services: Int, requests: Int) {
        let (link, _) = try world.connect(0, to: 1)
        let (found, requests) = discover(&world, on: link)
        world.run(.seconds(1))
        world.put(.disconnect(link), 0)
        world.run(.seconds(5))
        guard case .services(let services)? = found[0] else { return (0, requests) }
        return (services.count, requests)
    }

    @Test func `a server with a hash but no bond is discovered again only when the hash changes`() throws {
        var world = Self.world([[], []], BondedGATTTests.database())
        #expect(try Self.visit(&world).requests > 2)
        #expect(try Self.visit(&world) == (2, 0))
        world.put(.setDatabase(BondedGATTTests.database(true)), 1)
        let (services, requests) = try Self.visit(&world)
        #expect(services == 3 && requests > 2)
        #expect(try Self.visit(&world) == (3, 0))
        #expect(world.hosts[0].bonds.isEmpty)
    }

    @Test func `Service Changed has what is kept without a bond forgotten, used or not`() throws {
        for isUsed in [true, false] {
            var world = Self.world([[], []], BondedGATTTests.database())
            #expect(try Self.visit(&world).requests > 2)
            let (link, _) = try world.connect(0, to: 1)
            if isUsed { #expect(Self.discover(&world, on: link).requests == 0) }
            _ = world.perform(.readByType(.databaseHash, 1...0xFFFF), 0, on: link)
            #expect(world.perform(.write(4, [2, 0]), 0, on: link, token: 2) == .success(.written))
            world.put(.setDatabase(BondedGATTTests.database(true)), 1)
            world.run(.seconds(5))
            let (found, requests) = Self.discover(&world, on: link)
            guard case .services(let services)? = found[0] else {
                Issue.record("\(found)")
                continue
            }
            #expect(services.count == 3 && requests > 2)
        }
    }

    @Test(arguments: [false, true])
    func `nothing is kept of a server that claims a bonded device's address without its key`(
        isBonded: Bool
    ) throws {
        let bonds = try Self.bonded(BondedGATTTests.database())
        // The device at the other end comes as a central, and has no key to encrypt with.
        var world = Self.world([isBonded ? bonds[0] : [], []], BondedGATTTests.database())
        var counts: [Int] = []
        for _ in 0..<2 {
            world.put(.startAdvertising(AdvertisingParameters()), 0)
            let (_, link) = try world.connect(1, to: 0)
            let found = Self.discover(&world, on: link)
            #expect(found.0.allSatisfy { $0 != nil })
            counts.append(found.requests)
            world.run(.seconds(1))
            world.put(.disconnect(link), 0)
            world.run(.seconds(5))
        }
        #expect(counts[0] > 2 && (counts[1] == 0) == !isBonded)
        if isBonded { #expect(world.hosts[0].bonds[0].peerDatabase == bonds[0][0].peerDatabase) }
    }

    @Test func `assumed attributes are used at once on links as the central, until they are taken back`()
        throws
    {
        let database = BondedGATTTests.database()
        var world = Self.world([[], []], database)
        let address = try #require(world.hosts[1].address)
        let service = GATTService(uuid: BluetoothUUID(UInt16(0xFF50)), handle: 1, endHandle: 8)
        let one = GATTCharacteristic(
            uuid: BluetoothUUID(UInt16(0xFF51)), properties: .read, declarationHandle: 2, valueHandle: 3,
            endHandle: 8)
        let cache = AttributeCache(
            services: [service], characteristics: [1: [one]],
            descriptors: [3: [GATTDescriptor(uuid: .clientCharacteristicConfiguration, handle: 4)]])
        for isAssumed in [true, false] {
            world.put(.assume(isAssumed ? cache : AttributeCache(), of: address), 0)
            let (link, _) = try world.connect(0, to: 1)
            let (found, requests) = Self.discover(&world, on: link)
            #expect((requests == 0) == isAssumed)
            #expect((found == [.services([service]), .characteristics([one])]) == isAssumed)
            world.put(.disconnect(link), 0)
            world.run(.seconds(5))
        }
    }

    @Test func `a link that ends while the hash is asked for ends the discovery`() throws {
        var world = Self.world(try Self.bonded(BondedGATTTests.database()), BondedGATTTests.database())
        let (link, _) = try world.connect(0, to: 1)
        world.put(.perform(Self.services, GATTToken(rawValue: 3), on: link), 0)
        world.put(.disconnect(link), 0)
        world.run(.seconds(5))
        let ended = world.events.count { event in
            if case .finished(link, GATTToken(rawValue: 3), _) = event.event { true } else { false }
        }
        #expect(ended == 1)
    }

    @Test(arguments: [
        ("[1,8]", "[8,1]"), ("\"1801\"", "\"zz\""), ("\"discoverServices\"", "\"read\""),
        ("\"endHandle\":", "\"endHandle\":7000"), ("\"hash\":\"", "\"hash\":\"0"),
    ])
    func `a file with other attributes is refused`(part: String, spoiled: String) throws {
        let bonds = try Self.bonded(BondedGATTTests.database())
        let text = String(decoding: try JSONEncoder().encode(bonds[0]), as: UTF8.self)
        let start = try #require(text.range(of: "\"peerDatabase\":{"))
        let place = try #require(text.range(of: part, range: start.upperBound..<text.endIndex))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                [Bond].self, from: Data(text.replacingCharacters(in: place, with: spoiled).utf8))
        }
    }

    @Test func `a bond of an earlier version is read, and its server discovered anew`() throws {
        var bond = try Self.bonded(Self.plain)[0][0]
        bond.peerDatabase = AttributeCache()
        let text = String(decoding: try JSONEncoder().encode(bond), as: UTF8.self)
        let old =
            text.dropLast() + ",\"peerAttributes\":[\"services 1800:1:5\"],\"peerAttributesHash\":\"00\"}"
        #expect(try JSONDecoder().decode(Bond.self, from: Data(old.utf8)) == bond)
    }
}
