import BluetoothCore
@_spi(Host) import CoreBluetooth
import Testing
import VirtualController

/// A device that has connected to us as a central is connected to over that same link: two devices have one
/// link only.
@Suite struct PeerLinkTests {
    /// Two devices that each serve and connect: the other one has connected to us.
    struct Pair {
        let world = BluetoothWorld()
        let ours: Gadget
        let phone: Phone
        let theirs: Gadget
        let other: Phone

        init() throws {
            let place = world.adapter(0xA1)
            ours = Gadget(world, place, [Gadget.usualService()])
            phone = Phone(world, place)
            let elsewhere = world.adapter(0xB1)
            theirs = Gadget(world, elsewhere, [Gadget.usualService()], advertises: nil)
            other = Phone(world, elsewhere)
            theirs.values = ["FF01": [7]]
            world.run(for: .seconds(1)) { ours.manager.isAdvertising }
        }

        /// The other device connects to us.
        func link() throws -> CBPeripheral {
            let peripheral = try #require(other.open(0xA1))
            phone.lines.clear()
            return peripheral
        }

        var attempts: Int { world.sent([0x0D, 0x20], by: phone.controller).count }
    }

    @Test func `connect uses the link that the device has made, in both directions`() throws {
        let pair = try Pair()
        let us = try pair.link()
        let them = try #require(pair.phone.open(0xB1))
        #expect(them.state == .connected && pair.attempts == 0)
        let value = try #require(them.characteristic("FF01"))
        them.readValue(for: value)
        #expect(pair.phone.wait("value FF01 [7] nil"))
        them.setNotifyValue(true, for: try #require(them.characteristic("FF02")))
        #expect(pair.phone.wait("notify FF02 true nil"))
        pair.theirs.update("FF02", [9])
        #expect(pair.phone.wait("value FF02 [9] nil"))
        // The other direction goes on.
        us.setNotifyValue(true, for: try #require(us.characteristic("FF02")))
        #expect(pair.other.wait("notify FF02 true nil"))
        pair.ours.update("FF02", [8])
        #expect(pair.other.wait("value FF02 [8] nil"))
    }

    @Test func `cancel ends what is ours, and the device keeps its link`() throws {
        let pair = try Pair()
        let us = try pair.link()
        let them = try #require(pair.phone.open(0xB1))
        them.setNotifyValue(true, for: try #require(them.characteristic("FF02")))
        pair.phone.wait("notify")
        pair.phone.lines.clear()
        pair.phone.manager.cancelPeripheralConnection(them)
        pair.world.run(for: .seconds(3))
        #expect(pair.phone.lines.all == ["disconnected nil 0"])
        #expect(us.state == .connected && them.services == nil)
        #expect(pair.theirs.lines.all.last == "unsubscribed a1 FF02")
        pair.phone.manager.connect(them)
        #expect(pair.phone.wait("connected 2") && pair.attempts == 0)
    }

    @Test func `the end of the link ends both directions`() throws {
        let pair = try Pair()
        let us = try pair.link()
        let them = try #require(pair.phone.open(0xB1))
        pair.other.manager.cancelPeripheralConnection(us)
        #expect(pair.phone.wait("disconnected 7 0"))
        #expect(them.state == .disconnected)
    }

    @Test func `a connection that is waited for is made when the device connects by itself`() throws {
        let pair = try Pair()
        let them = try #require(pair.phone.peripheral(0xB1))
        pair.phone.manager.connect(them)
        pair.world.run(for: .seconds(2))
        #expect(them.state == .connecting)
        _ = try #require(pair.other.open(0xA1))
        #expect(them.state == .connected && pair.phone.lines.count("connected 2") == 1)
    }

    @Test func `a device that we connected to is retrieved by what it advertised, before any discovery`()
        throws
    {
        let world = BluetoothWorld()
        let gadget = Gadget(
            world, world.adapter(0xC1), [Gadget.usualService()],
            advertises: [CBAdvertisementDataServiceUUIDsKey: [uuid("FF00")]])
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: nil)
        phone.wait("found")
        phone.manager.stopScan()
        _ = try #require(phone.open(0xC1, discovers: false))
        let found = phone.manager.retrieveConnectedPeripherals(withServices: [uuid("FF00")])
        #expect(found.map(\.address.value) == [0xC1])
        withExtendedLifetime(gadget) {}
    }

    @Test func `a device that has connected by itself is retrieved by its services, and told of`() throws {
        let pair = try Pair()
        pair.phone.manager.registerForConnectionEvents()
        pair.theirs.manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [uuid("FF00")]])
        pair.phone.manager.scanForPeripherals(withServices: nil)
        pair.phone.wait("found")
        pair.phone.manager.stopScan()
        let us = try #require(pair.other.open(0xA1))
        let found = pair.phone.manager.retrieveConnectedPeripherals(withServices: [uuid("FF00")])
        #expect(found.map(\.address.value) == [0xB1])
        #expect(found.first?.state == .disconnected)
        #expect(pair.phone.manager.retrieveConnectedPeripherals(withServices: [uuid("FF09")]).isEmpty)
        pair.other.manager.cancelPeripheralConnection(us)
        #expect(pair.phone.wait("event 0"))
        #expect(pair.phone.lines.matching("event") == ["event 1", "event 0"])
        #expect(pair.phone.manager.retrieveConnectedPeripherals(withServices: [uuid("FF00")]).isEmpty)
    }
}
