import BluetoothCore
import Crypto
import LEHost
import Runtime
import Testing
import VirtualController

/// A stranger who pairs without a person, and would take the place of a bonded device.
@Suite struct StolenBondTests {
    /// The phone's public address, which the stranger says is its identity.
    static let phone = DeviceAddress(0xF1, .public)

    static func key(_ octet: UInt8) -> SecretKey { SecretKey([UInt8](repeating: octet, count: 16)) }

    /// The stranger at an address of its own, which its key makes, or at the phone's.
    enum Stranger: CaseIterable, Sendable {
        case claims, spoofs
    }

    /// A victim (0), the phone (1) that it is bonded with, and the stranger (2).
    ///
    /// - Parameter isCentral: whether the victim is the central.
    static func world(
        _ stranger: Stranger, isCentral: Bool, answering answer: PairingAnswer? = nil
    ) throws -> World {
        var world = World(seed: 11)
        for (index, address) in [0xA0, phone.value, phone.value].enumerated() {
            world.add(address) { _ in
            } host: {
                $0.security = SecurityPolicy()
                var privacy = HostPrivacy(identityKey: key(UInt8(index + 1)))
                if index != 2 || stranger == .spoofs { privacy.rotation = nil }
                $0.privacy = privacy
            }
        }
        if let answer {
            world.answers[0] = { event in
                guard case .pairingAsks(let link, .replaceBond) = event else { return [] }
                return [.answerPairing(answer, on: link)]
            }
        }
        for host in 0..<2 { world.put(.powerOn, host) }
        try meet(&world, 1, isCentral)
        #expect(world.hosts[0].bonds.map(\.peer) == [phone] && world.hosts[1].bonds.count == 1)
        world.put(.powerOff, 1)
        world.put(.powerOn, 2)
        return world
    }

    /// Lets the victim meet another host and pair with it, or encrypt by the bond.
    static func meet(_ world: inout World, _ other: Int, _ isCentral: Bool) throws {
        let (central, peripheral) = isCentral ? (0, other) : (other, 0)
        world.put(.startAdvertising(AdvertisingParameters()), peripheral)
        world.run(.seconds(1))
        let (link, _) = try world.connect(central, to: peripheral)
        if !world.hosts[central].security(of: link).isEncrypted { world.put(.secure(link), central) }
        world.run(.seconds(5))
    }

    /// Ends all links, and has the phone come back: whether its link is encrypted by the bond.
    static func phoneReturns(_ world: inout World, _ isCentral: Bool) throws -> Bool {
        world.put(.powerOff, 2)
        world.run(.seconds(5))
        world.put(.stopAdvertising, 0)
        world.put(.powerOn, 1)
        world.unread = world.events.count
        try meet(&world, 1, isCentral)
        let link = try #require(world.hosts[0].openLinks.last)
        return world.hosts[0].security(of: link.id).isEncrypted
    }

    static func questions(_ world: World) -> Int {
        world.events.count { event in
            if case .pairingAsks(_, .replaceBond) = event.event { event.host == 0 } else { false }
        }
    }

    @Test(arguments: [PairingAnswer.no, nil], [false, true])
    func `who claims the identity of a bonded device gets no bond, and the device still has its own`(
        answer: PairingAnswer?, isCentral: Bool
    ) throws {
        var world = try Self.world(.claims, isCentral: isCentral, answering: answer)
        let bonds = world.hosts[0].bonds
        try Self.meet(&world, 2, isCentral)
        #expect(Self.questions(world) == 1)
        world.run(.seconds(40))
        #expect(world.hosts[0].bonds == bonds)
        #expect(try Self.phoneReturns(&world, isCentral))
    }

    @Test(arguments: [PairingAnswer.no, nil])
    func `who has the address of a bonded device and not its key gets no bond`(
        answer: PairingAnswer?
    ) throws {
        var world = try Self.world(.spoofs, isCentral: false, answering: answer)
        let bonds = world.hosts[0].bonds
        try Self.meet(&world, 2, false)
        #expect(Self.questions(world) == 1)
        world.run(.seconds(40))
        #expect(world.hosts[0].bonds == bonds)
        #expect(try Self.phoneReturns(&world, false))
    }

    @Test(arguments: Stranger.allCases)
    func `a device that has lost its key is bonded anew where a person says so, or has forgotten it`(
        stranger: Stranger
    ) throws {
        var world = try Self.world(stranger, isCentral: false, answering: .yes)
        let bonds = world.hosts[0].bonds
        try Self.meet(&world, 2, false)
        #expect(Self.questions(world) == 1)
        #expect(world.hosts[0].bonds.map(\.peer) == [Self.phone] && world.hosts[0].bonds != bonds)

        world = try Self.world(stranger, isCentral: false)
        world.put(.setBonds([]), 0)
        try Self.meet(&world, 2, false)
        #expect(Self.questions(world) == 0)
        #expect(world.hosts[0].bonds.map(\.peer) == [Self.phone] && world.hosts[0].bonds != bonds)
    }

    @Test(arguments: [false, true])
    func `who has the old key replaces the bond without a question`(isCentral: Bool) throws {
        var world = try Self.world(.claims, isCentral: isCentral)
        let bonds = world.hosts[0].bonds
        #expect(try Self.phoneReturns(&world, isCentral))
        let central = isCentral ? 0 : 1
        world.put(.secure(try #require(world.hosts[central].openLinks.last).id), central)
        world.run(.seconds(5))
        #expect(Self.questions(world) == 0)
        #expect(world.hosts[0].bonds.map(\.peer) == [Self.phone] && world.hosts[0].bonds != bonds)
    }

    @Test func `numbers that a person compares don't give away the bond of another device`() throws {
        var world = try Self.world(.claims, isCentral: false)
        var policy = SecurityPolicy()
        policy.ioCapability = .displayYesNo
        policy.asksForProtection = true
        for host in [0, 2] {
            world.put(.setSecurity(policy), host)
            world.answers[host] = { event in
                guard case .pairingAsks(let link, .compare) = event else { return [] }
                return [.answerPairing(.yes, on: link)]
            }
        }
        let bonds = world.hosts[0].bonds
        try Self.meet(&world, 2, false)
        #expect(Self.questions(world) == 1)
        world.run(.seconds(40))
        #expect(world.hosts[0].bonds == bonds)
        #expect(try Self.phoneReturns(&world, false))
    }

    @Test func `a device that gives the address key of a bonded one is kept without it`() throws {
        // A stranger with an identity of its own, which it says makes the phone's private addresses.
        var world = World(seed: 12)
        for (index, address) in [0xA0, 0xF1, 0xF2].enumerated() {
            world.add(UInt64(address)) { _ in
            } host: {
                $0.security = SecurityPolicy()
                $0.privacy = HostPrivacy(identityKey: Self.key(index == 2 ? 2 : UInt8(index + 1)))
                $0.privacy?.rotation = nil
            }
        }
        world.powerOn()
        for other in 1...2 {
            try Self.meet(&world, other, false)
            world.put(.disconnect(try #require(world.hosts[other].openLinks.last).id), other)
            world.run(.seconds(5))
        }
        #expect(world.hosts[0].bonds.map(\.peer) == [0xF1, 0xF2].map { DeviceAddress($0, .public) })
        #expect(world.hosts[0].bonds.map { $0.identityKey == Self.key(2) } == [true, false])
    }
}
