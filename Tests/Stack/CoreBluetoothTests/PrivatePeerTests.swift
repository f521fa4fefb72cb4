import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import LEHost
import Testing
import VirtualController

/// A gadget and a phone whose addresses change.
@Suite struct PrivatePeerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    /// One process of each, on controllers whose resolving lists hold so many.
    private func meet(_ world: BluetoothWorld, _ list: UInt8) -> (Gadget, Phone) {
        func place(_ address: UInt64, _ name: String) -> (BluetoothAdapter, ControllerID) {
            world.adapter(
                address, controller: { $0.resolvingListSize = list },
                { configuration in
                    configuration.host.security = SecurityPolicy()
                    configuration.usesPrivateAddress = true
                    configuration.bonds = folder.appending(path: "\(name)/bonds.json")
                    configuration.memory = folder.appending(path: "\(name)/peripherals.json")
                })
        }
        let gadget = Gadget(
            world, place(0xC1, "gadget"),
            [Gadget.service("FF00", [("FF01", [.read], [.readEncryptionRequired])])])
        gadget.values = ["FF01": [1, 2, 3]]
        let phone = Phone(world, place(0xF1, "phone"))
        world.run(for: .seconds(1))
        return (gadget, phone)
    }

    /// Connects, reads the value that takes an encrypted link, and leaves.
    private func visit(_ peripheral: CBPeripheral, _ phone: Phone) {
        peripheral.delegate = phone
        phone.manager.connect(peripheral)
        #expect(phone.wait("connected"), "\(phone.lines.all)")
        peripheral.discoverServices(nil)
        phone.wait("services")
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
        phone.wait("characteristics FF00")
        if let one = peripheral.characteristic("FF01") { peripheral.readValue(for: one) }
        #expect(phone.wait("value FF01 [1, 2, 3]"), "\(phone.lines.all)")
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.wait("disconnected")
    }

    @Test(arguments: [UInt8(0), 4])
    func `a bonded gadget is one peripheral at all addresses, in the next process too`(list: UInt8) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = BluetoothWorld()
        let (gadget, phone) = meet(world, list)
        phone.manager.scanForPeripherals(withServices: nil)
        phone.wait("found")
        phone.manager.stopScan()
        let peripheral = try #require(phone.found.first)
        #expect(peripheral.address.isResolvablePrivate && peripheral.address == gadget.adapter.address)
        visit(peripheral, phone)
        #expect(phone.adapter.bonds.map(\.peer) == [DeviceAddress(0xC1, .public)])
        for _ in 0..<3 {
            world.run(for: .seconds(16 * 60))
            #expect(gadget.adapter.address != peripheral.address)
            phone.manager.scanForPeripherals(withServices: nil)
            world.run(for: .seconds(3))
            phone.manager.stopScan()
            visit(peripheral, phone)
        }
        #expect(phone.found.count == 1)
        #expect(phone.manager.peripheral(at: DeviceAddress(0xC1, .public)) === peripheral)
        let paired = phone.adapter.bonds

        let later = BluetoothWorld()
        let (again, next) = meet(later, list)
        #expect(next.adapter.bonds == paired)
        later.run(for: .seconds(20 * 60))
        let known = next.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier])
        visit(try #require(known.first), next)
        next.manager.scanForPeripherals(withServices: nil)
        later.run(for: .seconds(3))
        #expect(next.found.map(\.identifier) == [peripheral.identifier])
        #expect(next.adapter.bonds == paired)
        withExtendedLifetime(again) {}
    }

    @Test func `without private addresses the key is still given, so that they can be used later`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "bonds.json")
        let keys = try (0..<2).map { _ -> Substring? in
            let (adapter, _) = BluetoothWorld().adapter(0xF1, { $0.bonds = file })
            #expect(adapter.host.configuration.privacy?.rotation == nil)
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            return text.split(separator: "\"").first { $0.count == 32 }
        }
        #expect(keys[0] != nil && keys[0] == keys[1])
    }
}
