import BluetoothCore
import Crypto
import LEHost
import Runtime
import Testing
import VirtualController

/// Pairing, encryption and bonds of two hosts over the air.
@Suite struct SecurityTests {
    static let value: UInt16 = 3

    /// A phone, and a car one value of which only an encrypted link gets.
    static func world(
        phone: SecurityPolicy? = SecurityPolicy(), car: SecurityPolicy? = SecurityPolicy(),
        bonds: [[Bond]] = [[], []]
    ) -> World {
        var world = World(seed: 3)
        for (index, policy) in [phone, car].enumerated() {
            world.add(0xF1 + UInt64(index)) {
                $0.aclPacketLength = 251
            } host: {
                $0.security = policy
                $0.bonds = bonds[index]
            }
        }
        var database = GATTDatabase()
        let placed = database.add(
            GATTServiceDefinition(
                uuid: BluetoothUUID(UInt16(0xFF50)),
                characteristics: [
                    GATTServiceDefinition.Characteristic(
                        uuid: BluetoothUUID(UInt16(0xFF51)), properties: .read, value: .fixed([7]),
                        permissions: .readEncryptionRequired)
                ]))
        #expect(placed != nil)
        world.powerOn()
        world.put(.setDatabase(database), 1)
        world.put(.startAdvertising(AdvertisingParameters()), 1)
        return world
    }

    static func bonds(_ world: World) -> [[Bond]] { world.hosts.map(\.bonds) }

    @Test func `a read that needs a secure link pairs once, is repeated, and leaves a bond`() throws {
        var world = Self.world()
        let (link, there) = try world.connect(0, to: 1)
        #expect(world.perform(.read(Self.value), 0, on: link) == .success(.value([7])))
        #expect(world.hosts[0].security(of: link).isSecureConnections)
        #expect(world.hosts[1].security(of: there) == world.hosts[0].security(of: link))
        #expect(Self.bonds(world).map(\.count) == [1, 1])
        #expect(world.perform(.read(Self.value), 0, on: link, token: 2) == .success(.value([7])))
        let paired = world.events.filter { if case .paired = $0.event { true } else { false } }
        #expect(paired.count == 2)
    }

    @Test func `a bond encrypts the next link by itself, before anything is asked`() throws {
        var first = Self.world()
        let (link, _) = try first.connect(0, to: 1)
        _ = first.perform(.read(Self.value), 0, on: link)
        var world = Self.world(bonds: Self.bonds(first))
        let (again, _) = try world.connect(0, to: 1)
        #expect(world.hosts[0].security(of: again).isEncrypted)
        #expect(world.perform(.read(Self.value), 0, on: again) == .success(.value([7])))
        let paired = world.events.contains { if case .paired = $0.event { true } else { false } }
        #expect(!paired)
    }

    @Test func `a bond that the car has lost ends the link with that reason`() throws {
        var first = Self.world()
        let (link, _) = try first.connect(0, to: 1)
        _ = first.perform(.read(Self.value), 0, on: link)
        var world = Self.world(bonds: [first.hosts[0].bonds, []])
        world.put(.connect(try #require(world.hosts[1].address)), 0)
        let reason = world.await(0) { event -> HCIStatus? in
            if case .connectFailed(_, let status) = event { status } else { nil }
        }
        #expect(reason == .pinOrKeyMissing)
        let lost = world.events.contains { if case .bondLost = $0.event { true } else { false } }
        #expect(lost)
    }

    @Test func `keys that differ end the link at the first packet`() throws {
        var first = Self.world()
        let (link, _) = try first.connect(0, to: 1)
        _ = first.perform(.read(Self.value), 0, on: link)
        var bonds = Self.bonds(first)
        bonds[1][0].asPeripheral = LongTermKey(SecretKey([UInt8](repeating: 9, count: 16)))
        var world = Self.world(bonds: bonds)
        world.put(.connect(try #require(world.hosts[1].address)), 0)
        let reason = world.await(0) { event -> HCIStatus? in
            if case .connectFailed(_, let status) = event { status } else { nil }
        }
        #expect(reason == .connectionTerminatedDueToMICFailure)
    }

    @Test func `a host that does not pair refuses, and the read fails as it did before`() throws {
        var world = Self.world(car: nil)
        let (link, _) = try world.connect(0, to: 1)
        let result = world.perform(.read(Self.value), 0, on: link)
        #expect(result == .failure(.refused(.insufficientAuthentication, handle: Self.value)))
        let failures = world.events.compactMap { event -> PairingFailure? in
            if case .pairingFailed(_, let failure) = event.event { failure } else { nil }
        }
        #expect(failures == [.refused(.pairingNotSupported)])
        // Another attempt at once is not even sent.
        _ = world.perform(.read(Self.value), 0, on: link, token: 2)
        #expect(world.hosts[0].bonds.isEmpty && world.hosts[0].isOpen(link))
    }

    @Test func `a passkey makes an authenticated bond, but not by legacy pairing`() throws {
        for secure in [false, true] {
            var show = SecurityPolicy()
            show.ioCapability = .displayOnly
            show.offersSecureConnections = secure
            show.acceptsLegacyPairing = !secure
            var enter = show
            enter.ioCapability = .keyboardOnly
            enter.needsProtection = true
            var world = Self.world(phone: enter, car: show)
            let (link, there) = try world.connect(0, to: 1)
            world.put(.secure(link), 0)
            let number = world.await(1) { event -> UInt32? in
                if case .pairingAsks(there, .display(let number)) = event { number } else { nil }
            }
            world.run(.seconds(1))
            let asked = world.events.contains { $0.event == .pairingAsks(link, .enter) }
            #expect(asked)
            world.put(.answerPairing(.passkey(try #require(number)), on: link), 0)
            world.run(.seconds(5))
            let bond = try #require(world.hosts[0].bonds.first)
            #expect(bond.security.isAuthenticated == secure)
            #expect(bond.security.isSecureConnections == secure)
            #expect(world.hosts[0].security(of: link) == bond.security)
        }
    }

    @Test func `a bond is not given up for a weaker one`() throws {
        // The car has an authenticated bond with the phone; someone with the phone's address has no key.
        var world = Self.world()
        let phone = DeviceAddress(0xF1, .public)
        var bond = Bond(peer: phone)
        bond.asPeripheral = LongTermKey(SecretKey([UInt8](repeating: 9, count: 16)))
        bond.security.isEncrypted = true
        bond.security.isAuthenticated = true
        bond.security.isSecureConnections = true
        bond.security.keySize = 16
        world.put(.setBonds([bond]), 1)
        let (link, _) = try world.connect(0, to: 1)
        let result = world.perform(.read(Self.value), 0, on: link)
        // The car has a key for the phone: it wants the link encrypted, not another pairing.
        #expect(result == .failure(.refused(.insufficientEncryption, handle: Self.value)))
        #expect(world.hosts[1].bonds == [bond])
    }

    @Test func `a peripheral asks for a secure link, and the central pairs`() throws {
        var world = Self.world()
        let (_, there) = try world.connect(0, to: 1)
        world.put(.secure(there), 1)
        world.run(.seconds(5))
        #expect(world.hosts[1].security(of: there).isEncrypted)
    }

    @Test func `a link that ends while it pairs ends the pairing`() throws {
        var world = Self.world()
        let (link, _) = try world.connect(0, to: 1)
        world.put(.secure(link), 0)
        world.put(.disconnect(link), 0)
        world.run(.seconds(5))
        let failures = world.events.filter { if case .pairingFailed = $0.event { true } else { false } }
        #expect(!failures.isEmpty && world.hosts.allSatisfy { $0.openLinks.isEmpty })
    }

    @Test func `the same seed pairs octet by octet the same`() throws {
        var transcripts: Set<[String]> = []
        for _ in 0..<50 {
            var world = Self.world()
            let (link, _) = try world.connect(0, to: 1)
            _ = world.perform(.read(Self.value), 0, on: link)
            transcripts.insert(world.transcript + ["\(world.hosts[0].bonds[0].asCentral?.key.octets ?? [])"])
        }
        #expect(transcripts.count == 1)
    }
}
