import BluetoothCore
import CoreBluetooth
import Foundation
import LEHost
import Synchronization
import Testing
import VirtualController

/// Pairing by need, and the bonds that outlive a process.
@Suite struct BondTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private var file: URL { folder.appending(path: "state/bonds.json") }

    /// A gadget whose value FF01 takes an encrypted link, and the phone of one process.
    private func meet(
        _ world: BluetoothWorld, _ kept: URL?, gadgetHas bonds: [Bond] = [],
        gadget change: (inout SecurityPolicy) -> Void = { _ in },
        phone configure: (inout BluetoothAdapter.Configuration) -> Void = { _ in }
    ) -> (Gadget, Phone) {
        var policy = SecurityPolicy()
        change(&policy)
        let place = world.adapter(
            0xC1,
            { configuration in
                configuration.host.security = policy
                configuration.host.bonds = bonds
                configuration.pairingAgent = { question, _, answer in
                    if case .enter = question { answer(.passkey(0)) } else { answer(.yes) }
                }
            })
        let gadget = Gadget(
            world, place,
            [Gadget.service("FF00", [("FF01", [.read, .write], [.readEncryptionRequired, .writeable])])])
        gadget.values = ["FF01": [1, 2, 3]]
        let phone = Phone(
            world,
            world.adapter(
                0xF1,
                { configuration in
                    configuration.host.security = SecurityPolicy()
                    configuration.bonds = kept
                    configure(&configuration)
                }))
        world.run(for: .seconds(1))
        return (gadget, phone)
    }

    /// Whether a host has sent something of the Security Manager.
    private func pairs(_ world: BluetoothWorld, _ controller: ControllerID) -> Bool {
        world.commands.withLock { $0 }.contains { sender, packet in
            sender == controller && packet.type == .acl && packet.octets.count > 8
                && packet.octets[6...7] == [6, 0]
        }
    }

    private func read(_ phone: Phone) throws {
        let peripheral = try #require(phone.open(0xC1))
        peripheral.readValue(for: try #require(peripheral.characteristic("FF01")))
    }

    @Test func `a value that takes encryption is read: the devices pair, and are bonded in the next process`()
        throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = BluetoothWorld()
        let (gadget, phone) = meet(world, file)
        try read(phone)
        #expect(phone.wait("value FF01 [1, 2, 3]"), "\(phone.lines.all)")
        #expect(pairs(world, phone.controller))
        let bond = try #require(phone.adapter.bonds.first)
        #expect(phone.adapter.bonds.count == 1 && bond.security.isSecureConnections)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let later = BluetoothWorld()
        let (again, next) = meet(later, file, gadgetHas: gadget.adapter.bonds)
        #expect(next.adapter.bonds == [bond])
        try read(next)
        #expect(next.wait("value FF01 [1, 2, 3]"), "\(next.lines.all)")
        #expect(!pairs(later, next.controller))
        withExtendedLifetime(again) {}
    }

    @Test func `a gadget that has lost the bond ends the link, with Apple's error`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = BluetoothWorld()
        let (gadget, phone) = meet(world, file)
        try read(phone)
        #expect(phone.wait("value FF01 [1, 2, 3]"))
        let bonds = phone.adapter.bonds
        withExtendedLifetime(gadget) {}

        let later = BluetoothWorld()
        let (reset, next) = meet(later, file)
        let peripheral = try #require(next.peripheral(0xC1))
        next.manager.connect(peripheral)
        later.run(for: .seconds(5))
        let code = CBError.Code.peerRemovedPairingInformation.rawValue
        #expect(next.lines.all.contains("failed \(code) 0"), "\(next.lines.all)")
        // The person has to forget the device first, as on a phone.
        #expect(next.adapter.bonds == bonds)
        next.adapter.setBonds([])
        try read(next)
        #expect(next.wait("value FF01 [1, 2, 3]"), "\(next.lines.all)")
        #expect(next.adapter.bonds.count == 1)
        withExtendedLifetime(reset) {}
    }

    @Test func `a second connect during encryption does not fail the link`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = BluetoothWorld()
        let (gadget, phone) = meet(world, file)
        try read(phone)
        #expect(phone.wait("value FF01 [1, 2, 3]"))
        let later = BluetoothWorld()
        let (again, next) = meet(later, file, gadgetHas: gadget.adapter.bonds)
        let peripheral = try #require(next.peripheral(0xC1))
        next.manager.connect(peripheral)
        later.run(for: .seconds(30)) { !next.adapter.host.openLinks.isEmpty }
        #expect(peripheral.state == .connecting)
        next.manager.connect(peripheral)
        later.run(for: .seconds(5))
        #expect(peripheral.state == .connected)
        #expect(!next.lines.all.contains { $0.hasPrefix("failed") }, "\(next.lines.all)")
        withExtendedLifetime(again) {}
    }

    @Test func `two programs at once keep the bonds of both`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let worlds = [BluetoothWorld(), BluetoothWorld()]
        let phones = worlds.map { $0.adapter(0xF1, { $0.bonds = file }).0 }
        var bonds = [0xC1, 0xC2].map { Bond(peer: DeviceAddress($0, .public)) }
        for place in 0..<2 {
            bonds[place].security.isEncrypted = true
            bonds[place].security.keySize = 16
            phones[place].setBonds([bonds[place]])
        }
        #expect(BluetoothWorld().adapter(0xF1, { $0.bonds = file }).0.bonds == bonds)
        phones[0].setBonds([])
        #expect(BluetoothWorld().adapter(0xF1, { $0.bonds = file }).0.bonds == [bonds[1]])
    }

    @Test func `who is asked by a pairing answers it, and without anybody it is refused`() throws {
        for isThere in [true, false] {
            let world = BluetoothWorld()
            let asked = Mutex<[PairingQuestion]>([])
            let (gadget, phone) = meet(
                world, nil,
                gadget: {
                    $0.needsProtection = true
                    $0.ioCapability = .displayYesNo
                },
                phone: { configuration in
                    configuration.host.security?.ioCapability = .displayYesNo
                    guard isThere else { return }
                    configuration.pairingAgent = { question, _, answer in
                        asked.withLock { $0.append(question) }
                        answer(.yes)
                    }
                })
            try read(phone)
            #expect(phone.wait(isThere ? "value FF01 [1, 2, 3]" : "value FF01 [] att5"), "\(phone.lines.all)")
            let questions = asked.withLock { $0 }
            #expect(questions.count == (isThere ? 1 : 0))
            #expect(phone.adapter.bonds.first?.security.isAuthenticated == (isThere ? true : nil))
            withExtendedLifetime(gadget) {}
        }
    }

    @Test(arguments: [false, true])
    func `the line about refused legacy pairing names the option that accepts it, unless that is excluded`(
        needsSecureConnections: Bool
    ) throws {
        let said = Mutex<[String]>([])
        let world = BluetoothWorld()
        let (gadget, phone) = meet(
            world, nil, gadget: { $0.offersSecureConnections = false },
            phone: { configuration in
                configuration.host.security?.asksForProtection = true
                configuration.host.security?.needsSecureConnections = needsSecureConnections
                configuration.log = { line in said.withLock { $0.append(line) } }
            })
        try read(phone)
        #expect(phone.wait("value FF01 [] att5"), "\(phone.lines.all)")
        let lines = said.withLock { $0 }.filter { $0.contains("refused") }
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("`--allow-legacy`") != needsSecureConnections })
        withExtendedLifetime(gadget) {}
    }

    @Test(arguments: [
        ("{", 0o600), ("[]", 0o600), ("{\"version\":2,\"bonds\":[]}", 0o600),
        ("{\"version\":1,\"bonds\":[{}]}", 0o600), ("{\"version\":1,\"bonds\":[]}", 0o640),
    ])
    func `a file that is not understood, or that others read, is left as it is, and a line says so`(
        text: String, mode: Int
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let said = Mutex<[String]>([])
        let world = BluetoothWorld()
        let (gadget, phone) = meet(
            world, file, phone: { $0.log = { line in said.withLock { $0.append(line) } } })
        try read(phone)
        #expect(phone.wait("value FF01 [1, 2, 3]"))
        #expect(try Data(contentsOf: file) == Data(text.utf8))
        #expect(said.withLock { $0 }.contains { $0.contains("left as it is") })
        withExtendedLifetime(gadget) {}
    }
}
