import BluetoothCore
import CoreBluetooth
import Foundation
import LEHost
import Testing
import VirtualController

/// A peripheral manager and the centrals that are bonded with it.
@Suite struct BondedServerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    static func services(_ isLarger: Bool = false) -> [CBMutableService] {
        let guarded = Gadget.service(
            "FF00",
            [
                ("FF01", [.read, .write], [.readEncryptionRequired, .writeEncryptionRequired]),
                ("FF02", [.notifyEncryptionRequired], []), ("FF03", [.indicateEncryptionRequired], []),
                ("FF04", [.notify], []),
            ])
        return [guarded] + (isLarger ? [Gadget.service("FF10", [("FF11", [.read], [.readable])])] : [])
    }

    private func meet(_ world: BluetoothWorld, isLarger: Bool = false) -> (Gadget, Phone) {
        let gadget = Gadget(
            world,
            world.adapter(
                0xC1,
                {
                    $0.host.security = SecurityPolicy()
                    $0.bonds = folder.appending(path: "gadget/bonds.json")
                }), Self.services(isLarger))
        gadget.values = ["FF01": [1, 2, 3]]
        let phone = Phone(
            world,
            world.adapter(
                0xF1,
                {
                    $0.host.security = SecurityPolicy()
                    $0.bonds = folder.appending(path: "phone/bonds.json")
                }))
        world.run(for: .seconds(1))
        return (gadget, phone)
    }

    private func subscribe(_ phone: Phone, _ peripheral: CBPeripheral) throws {
        for name in ["FF02", "FF03", "FF04"] {
            peripheral.setNotifyValue(true, for: try #require(peripheral.characteristic(name)))
            #expect(phone.wait("notify \(name) true nil"), "\(phone.lines.all)")
        }
    }

    @Test func `a central that comes back has its subscriptions, without a word, in the next process too`()
        throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = BluetoothWorld()
        let (gadget, phone) = meet(world)
        let peripheral = try #require(phone.open(0xC1))
        try subscribe(phone, peripheral)
        #expect(gadget.adapter.bonds.first?.client.subscriptions.count == 4)
        phone.manager.cancelPeripheralConnection(peripheral)
        world.run(for: .seconds(2))
        let names = ["FF02", "FF03", "FF04"]
        #expect(gadget.lines.matching("unsubscribed") == names.map { "unsubscribed f1 \($0)" })

        let worlds = [world, BluetoothWorld()]
        for (number, later) in worlds.enumerated() {
            let (server, client) = number == 0 ? (gadget, phone) : meet(later)
            server.lines.clear()
            let writes = later.sentPDUs(0x12, by: client.controller).count
            let again = try #require(client.open(0xC1, discovers: false))
            later.run(for: .seconds(2))
            #expect(server.lines.matching("subscribed") == names.map { "subscribed f1 \($0)" })
            // The phone wrote nothing but its wish to hear of changes.
            #expect(later.sentPDUs(0x12, by: client.controller).count <= writes + 1)
            #expect(server.update("FF02", [7]) && server.update("FF03", [8]))
            later.run(for: .seconds(1))
            #expect(later.sentPDUs(0x1B, by: server.controller).last?.suffix(1) == [7])
            #expect(later.sentPDUs(0x1D, by: server.controller).last?.suffix(1) == [8])
            withExtendedLifetime(again) {}
        }
    }

    @Test func `services that come after the central has come back are told first, then subscribed to`()
        throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = BluetoothWorld()
        let (gadget, phone) = meet(world)
        let peripheral = try #require(phone.open(0xC1))
        try subscribe(phone, peripheral)
        gadget.manager.remove(gadget.services[0])
        world.run(for: .seconds(1))
        // Another process of the gadget: the central is there before its services are.
        let later = BluetoothWorld()
        let (server, client) = meet(later)
        server.manager.remove(server.services[0])
        later.run(for: .seconds(1))
        let again = try #require(client.open(0xC1, discovers: false))
        later.run(for: .seconds(2))
        server.lines.clear()
        let fresh = Self.services()[0]
        server.manager.add(fresh)
        later.run(for: .seconds(2))
        #expect(server.lines.all.first == "added FF00 nil")
        // Its handles are others now: the central must discover and subscribe anew.
        #expect(server.lines.matching("subscribed").isEmpty)
        withExtendedLifetime(again) {}
    }

    @Test func `a central that was away is told of changes when it comes back, and confirms`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = BluetoothWorld()
        let (gadget, phone) = meet(world)
        let peripheral = try #require(phone.open(0xC1))
        try subscribe(phone, peripheral)
        withExtendedLifetime(gadget) {}

        for (isLarger, count) in [(true, 1), (true, 0), (false, 1)] {
            let later = BluetoothWorld()
            let (server, client) = meet(later, isLarger: isLarger)
            let again = try #require(client.open(0xC1, discovers: false))
            later.run(for: .seconds(2))
            // Service Changed: all handles.
            let told = later.sentPDUs(0x1D, by: server.controller)
            #expect(told == [[UInt8]](repeating: [0x1D, 8, 0, 1, 0, 0xFF, 0xFF], count: count))
            #expect(later.sentPDUs(0x1E, by: client.controller).count == count)
            withExtendedLifetime(again) {}
        }
    }

    @Test func `what takes encryption is refused without it, by the reason that is true`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = BluetoothWorld()
        let (gadget, phone) = meet(world)
        let peripheral = try #require(phone.open(0xC1))
        try subscribe(phone, peripheral)
        // A phone that has lost its bond, and does not pair: the gadget has a key for it, and wants it used.
        for (isBonded, code) in [(true, 15), (false, 5)] {
            let later = BluetoothWorld()
            let (server, _) = meet(later)
            if !isBonded { server.adapter.setBonds([]) }
            let other = Phone(later, later.adapter(0xF1))
            later.run(for: .seconds(1))
            let found = try #require(other.open(0xC1))
            let value = try #require(found.characteristic("FF01"))
            found.readValue(for: value)
            #expect(other.wait("value FF01 [] att\(code)"), "\(other.lines.all)")
            for size in [1, 40] {
                found.writeValue(Data(count: size), for: value, type: .withResponse)
                #expect(other.wait("wrote FF01 att\(code)"), "\(other.lines.all)")
            }
            for name in ["FF02", "FF03"] {
                found.setNotifyValue(true, for: try #require(found.characteristic(name)))
                #expect(other.wait("notify \(name) false att\(code)"), "\(other.lines.all)")
            }
            #expect(server.lines.matching("subscribed").isEmpty && server.lines.matching("read").isEmpty)
            server.update("FF02", [7])
            later.run(for: .seconds(1))
            #expect(later.sentPDUs(0x1B, by: server.controller).isEmpty)
        }
        withExtendedLifetime(gadget) {}
    }

    @Test func `bonds that an earlier version kept are read`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "bonds.json")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = String(repeating: "0F", count: 16)
        let text =
            "{\"bonds\":[{\"address\":\"00:00:00:00:00:C1\",\"asCentral\":{\"ediv\":0,\"key\":\"\(key)\","
            + "\"rand\":0},\"isAuthenticated\":false,\"isSecureConnections\":true,\"keySize\":16,\"kind\":0}],"
            + "\"version\":1}"
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let adapter = BluetoothWorld().adapter(0xF1, { $0.bonds = file }).0
        #expect(adapter.bonds.map(\.client) == [ClientRecord()])
        // What is new is kept beside it, and read again.
        var bond = try #require(adapter.bonds.first)
        bond.client.subscriptions = [
            .init(handle: 9, uuid: .serviceChanged, configuration: .indication),
            .init(
                handle: 12, uuid: BluetoothUUID(high: 0x0123_4567_89AB_CDEF, low: 5),
                configuration: .notification),
        ]
        bond.client.features = [1]
        bond.client.databaseHash = [UInt8](repeating: 3, count: 16)
        bond.peerDatabaseHash = [UInt8](repeating: 4, count: 16)
        adapter.setBonds([bond])
        #expect(BluetoothWorld().adapter(0xF1, { $0.bonds = file }).0.bonds == [bond])
    }
}
