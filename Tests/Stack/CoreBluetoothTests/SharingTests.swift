import CoreBluetooth
import Foundation
import Testing
import VirtualController

/// Rows 25 to 27: managers that share a link, and what is known of other managers' devices.
@Suite struct SharingTests {
    static func pair(_ world: BluetoothWorld) -> (Phone, Phone) {
        let one = Phone.on(world)
        let other = Phone(world, (one.adapter, one.controller))
        world.run(for: .seconds(1))
        return (one, other)
    }

    @Test func `row 26: two managers have one link, which ends with the last of them`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let (one, other) = Self.pair(world)
        let first = try #require(one.open(0xC1))
        let second = try #require(other.open(0xC1))
        #expect(world.radio.air.openLinks == 1 && first !== second)
        one.manager.cancelPeripheralConnection(first)
        world.run(for: .seconds(3))
        #expect(one.lines.all.last == "disconnected nil 0" && first.state == .disconnected)
        #expect(other.lines.all.isEmpty && world.radio.air.openLinks == 1)
        second.readValue(for: try #require(second.characteristic("FF01")))
        #expect(other.wait("value FF01 [1, 2, 3] nil"))
        other.manager.cancelPeripheralConnection(second)
        world.run(for: .seconds(3))
        #expect(other.lines.all.last == "disconnected nil 0" && world.radio.air.openLinks == 0)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 26: a loss is told to both, and only who wants it is connected again`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let (one, other) = Self.pair(world)
        let first = try #require(one.peripheral(0xC1))
        let second = try #require(other.peripheral(0xC1))
        one.manager.connect(first, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        other.manager.connect(second)
        world.run(for: .seconds(3))
        world.radio.separate(one.controller, gadget.controller)
        world.run(for: .seconds(10))
        world.radio.rejoin(one.controller, gadget.controller)
        world.run(for: .seconds(5))
        #expect(one.lines.matching("disconnected") == ["disconnected 6 1 again"])
        #expect(other.lines.matching("disconnected") == ["disconnected 6 0"])
        #expect(first.state == .connected && second.state == .disconnected)
    }

    @Test func `row 26: pending calls of who leaves end, those of who stays go on`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let (one, other) = Self.pair(world)
        let first = try #require(one.open(0xC1))
        let second = try #require(other.open(0xC1))
        one.lines.clear()
        for _ in 0..<3 {
            first.readValue(for: try #require(first.characteristic("FF01")))
            second.readValue(for: try #require(second.characteristic("FF01")))
        }
        one.manager.cancelPeripheralConnection(first)
        world.run(for: .seconds(3))
        #expect(one.lines.all == [String](repeating: "value FF01 [] 3", count: 3) + ["disconnected nil 0"])
        #expect(other.lines.all == [String](repeating: "value FF01 [1, 2, 3] nil", count: 3))
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 26: a manager that goes leaves the link to the others`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let place = world.adapter(0xF1)
        let other = Phone(world, place)
        var one: Phone? = Phone(world, place)
        world.run(for: .seconds(1))
        _ = try #require(one?.open(0xC1))
        let second = try #require(other.open(0xC1))
        one = nil
        world.run(for: .seconds(3))
        #expect(world.radio.air.openLinks == 1 && second.state == .connected && other.lines.all.isEmpty)
        withExtendedLifetime((gadget, one)) {}
    }

    @Test func `row 25: known devices are retrieved in the order of the request, by any manager`() throws {
        let world = BluetoothWorld()
        let gadgets = ScanTests.three(world)
        let (one, other) = Self.pair(world)
        one.manager.scanForPeripherals(withServices: nil)
        world.run(for: .seconds(2))
        let ids = one.found.map(\.identifier)
        #expect(ids.count == 3)
        let wanted = [ids[2], UUID(), ids[0], ids[2]]
        #expect(
            one.manager.retrievePeripherals(withIdentifiers: wanted).map(\.identifier) == [
                ids[2], ids[0], ids[2],
            ])
        #expect(one.manager.retrievePeripherals(withIdentifiers: [ids[1]]).first === one.found[1])
        let theirs = try #require(other.manager.retrievePeripherals(withIdentifiers: [ids[1]]).first)
        #expect(theirs !== one.found[1] && theirs.name == "gadget" && theirs.state == .disconnected)
        withExtendedLifetime(gadgets) {}
    }

    @Test func `row 25: what others are connected to is retrieved, and must be connected all the same`()
        throws
    {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let (one, other) = Self.pair(world)
        let first = try #require(one.open(0xC1))
        let theirs = try #require(
            other.manager.retrieveConnectedPeripherals(withServices: [uuid("FF00"), uuid("ABCD")]).first)
        #expect(other.manager.retrieveConnectedPeripherals(withServices: [uuid("ABCD")]).isEmpty)
        #expect(theirs.identifier == first.identifier && theirs.state == .disconnected)
        theirs.delegate = other
        theirs.discoverServices(nil)
        #expect(other.wait("services [] 3"))
        other.manager.connect(theirs)
        #expect(other.wait("connected 2"))
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 27: the strength of the signal is asked of the controller`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget(
            world, world.adapter(0xC1, controller: { $0.rssi = -71 }), [Gadget.usualService()])
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1, discovers: false))
        phone.lines.clear()
        peripheral.readRSSI()
        peripheral.readRSSI()
        world.run(for: .seconds(1))
        #expect(phone.lines.matching("rssi") == ["rssi -71 nil", "rssi -71 nil"])
        // HCI Read RSSI, opcode 0x1405.
        #expect(world.sent([0x05, 0x14], by: phone.controller).count == 2)
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.wait("disconnected")
        peripheral.readRSSI()
        #expect(phone.wait("rssi 127 3"))
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 27: connections of others are told to who registered for them`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let (one, other) = Self.pair(world)
        let third = Phone(world, (one.adapter, one.controller))
        world.run(for: .seconds(1))
        let first = try #require(one.peripheral(0xC1))
        other.manager.registerForConnectionEvents(options: [.peripheralUUIDs: [first.identifier]])
        third.manager.registerForConnectionEvents(options: [.peripheralUUIDs: [UUID()]])
        world.run(for: .seconds(1))
        one.manager.connect(first)
        one.wait("connected")
        one.manager.cancelPeripheralConnection(first)
        one.wait("disconnected")
        #expect(other.lines.matching("event") == ["event 1", "event 0"])
        #expect(third.lines.matching("event").isEmpty && one.lines.matching("event").isEmpty)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 27: there are no notifications of Apple's center, and no extended scan`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        #expect(!peripheral.ancsAuthorized && !CBCentralManager.supports(.extendedScanAndConnect))
        withExtendedLifetime(gadget) {}
    }
}
