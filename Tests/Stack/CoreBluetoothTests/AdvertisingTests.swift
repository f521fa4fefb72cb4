@_spi(Host) import CoreBluetooth
import Foundation
import LEHost
import Runtime
import Testing
import VirtualController

/// The peripheral side: services added, and what is advertised.
@Suite struct AdvertisingTests {
    static func bare(_ world: BluetoothWorld) -> Gadget {
        let gadget = Gadget(world, world.adapter(0xC1), [], advertises: nil)
        world.run(for: .seconds(1))
        return gadget
    }

    @Test func `each service added is told, with an error where it can't be`() throws {
        let world = BluetoothWorld()
        let gadget = Self.bare(world)
        let service = Gadget.usualService()
        gadget.manager.add(service)
        gadget.manager.add(service)
        let unheard = CBMutableService(type: uuid("FF10"), primary: true)
        unheard.includedServices = [CBMutableService(type: uuid("FF11"), primary: false)]
        gadget.manager.add(unheard)
        let fixed = CBMutableService(type: uuid("FF20"), primary: true)
        fixed.characteristics = [
            CBMutableCharacteristic(
                type: uuid("FF21"), properties: [.read, .notify], value: Data([1]), permissions: [.readable])
        ]
        gadget.manager.add(fixed)
        world.run(for: .seconds(1))
        #expect(
            gadget.lines.matching("added") == [
                "added FF00 nil", "added FF00 1", "added FF10 1", "added FF20 1",
            ])
    }

    @Test func `a value that is given is read without asking the program`() throws {
        let world = BluetoothWorld()
        let service = CBMutableService(type: uuid("FF00"), primary: true)
        service.characteristics = [
            CBMutableCharacteristic(
                type: uuid("FF01"), properties: [.read], value: Data([4, 5]), permissions: [.readable])
        ]
        let gadget = Gadget(world, world.adapter(0xC1), [service])
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        peripheral.readValue(for: try #require(peripheral.characteristic("FF01")))
        #expect(phone.wait("value FF01 [4, 5] nil") && gadget.lines.matching("read").isEmpty)
    }

    @Test func `only the local name and the services of a dictionary are advertised`() throws {
        let world = BluetoothWorld()
        let gadget = Self.bare(world)
        gadget.manager.startAdvertising([
            CBAdvertisementDataLocalNameKey: "n", CBAdvertisementDataServiceUUIDsKey: [uuid("FF00")],
            CBAdvertisementDataManufacturerDataKey: Data([1, 2, 3]),
            CBAdvertisementDataTxPowerLevelKey: NSNumber(value: 4),
        ])
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: nil)
        phone.wait("found")
        #expect(
            Set(try #require(phone.advertisements.last).keys) == [
                CBAdvertisementDataLocalNameKey, CBAdvertisementDataServiceUUIDsKey,
                CBAdvertisementDataIsConnectable,
            ])
        #expect(gadget.manager.isAdvertising && gadget.lines.all.last == "advertising nil")
    }

    @Test func `who advertises already is told so, and goes on`() throws {
        let world = BluetoothWorld()
        let gadget = Self.bare(world)
        gadget.manager.startAdvertising(nil)
        gadget.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "other"])
        world.run(for: .seconds(1))
        #expect(gadget.lines.matching("adv").sorted() == ["advertising 9", "advertising nil"])
        #expect(gadget.manager.isAdvertising)
    }

    @Test func `a stop before the start is done ends it with an error, and nothing is advertised`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget(
            world, world.adapter(0xC1, latency: .milliseconds(10)), [], advertises: nil)
        world.run(for: .seconds(1))
        gadget.manager.startAdvertising(nil)
        gadget.manager.stopAdvertising()
        world.run(for: .seconds(1))
        #expect(gadget.lines.matching("adv") == ["advertising 5"])
        #expect(!gadget.manager.isAdvertising)
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: nil)
        #expect(!phone.wait("found", for: .seconds(3)))
    }

    @Test func `a stop that comes while the start is told is not undone by it`() throws {
        let world = BluetoothWorld()
        let gadget = Self.bare(world)
        gadget.manager.startAdvertising(nil)
        let end = world.time.now.advanced(by: .seconds(1))
        // The host has told that it advertises; the callback waits in the queue.
        let before = world.delivery.delivered
        while world.delivery.delivered == before, world.time.step(notAfter: end) {}
        gadget.manager.stopAdvertising()
        world.run(for: .seconds(1))
        #expect(!gadget.manager.isAdvertising)
        gadget.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "b"])
        world.run(for: .seconds(1))
        #expect(gadget.manager.isAdvertising && gadget.lines.all.last == "advertising nil")
    }

    @Test func `data that are too long are refused`() throws {
        let world = BluetoothWorld()
        let gadget = Self.bare(world)
        gadget.manager.startAdvertising(data: [UInt8](repeating: 0, count: 32), scanResponse: [])
        world.run(for: .seconds(1))
        #expect(gadget.lines.all.last == "advertising 1" && !gadget.manager.isAdvertising)
        gadget.manager.startAdvertising(nil)
        world.run(for: .seconds(1))
        #expect(gadget.lines.all.last == "advertising nil")
    }

    @Test func `without power advertising stops, and services stay; after a reset they are gone`() throws {
        let world = BluetoothWorld()
        let gadget = Self.bare(world)
        gadget.manager.add(Gadget.usualService())
        gadget.manager.startAdvertising(nil)
        world.run(for: .seconds(1))
        gadget.adapter.setPower(false)
        world.run(for: .seconds(1))
        #expect(!gadget.manager.isAdvertising && gadget.lines.all.last == "state 4")
        gadget.adapter.setPower(true)
        world.run(for: .seconds(1))
        gadget.manager.startAdvertising(nil)
        world.run(for: .seconds(1))
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        #expect(peripheral.services?.map(\.name) == ["1800", "1801", "FF00"])
        let enabled = world.sent([0x0A, 0x20, 1, 1], by: gadget.controller).count
        world.inject([0x10, 1, 1], into: gadget.controller)
        world.run(for: .seconds(10))
        #expect(gadget.lines.all.suffix(2) == ["state 1", "state 5"])
        // Nothing goes on that the application has not asked for anew.
        #expect(gadget.adapter.host.state == .ready)
        #expect(world.sent([0x0A, 0x20, 1, 1], by: gadget.controller).count == enabled)
        gadget.manager.startAdvertising(nil)
        world.run(for: .seconds(1))
        #expect(gadget.lines.all.last == "advertising nil")
        phone.lines.clear()
        let again = try #require(phone.open(0xC1))
        #expect(again.services?.map(\.name) == ["1800", "1801"])
    }

    @Test func `what is called while the power goes ends with an error`() throws {
        let world = BluetoothWorld()
        let gadget = Self.bare(world)
        gadget.adapter.setPower(false)
        gadget.manager.add(Gadget.usualService())
        gadget.manager.startAdvertising(nil)
        world.run(for: .seconds(1))
        #expect(gadget.lines.all == ["state 5", "state 4", "added FF00 0", "advertising 0"])
        #expect(!gadget.manager.isAdvertising)
    }

    @Test func `two managers of one adapter have their own services in one table`() throws {
        let world = BluetoothWorld()
        let place = world.adapter(0xC1)
        let one = Gadget(world, place, [Gadget.service("FF00", [("FF01", [.read], [.readable])])])
        let other = Gadget(
            world, place, [Gadget.service("FF10", [("FF11", [.read], [.readable])])], advertises: nil)
        one.values["FF01"] = [1]
        other.values["FF11"] = [2]
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        for name in ["FF01", "FF11"] {
            peripheral.readValue(for: try #require(peripheral.characteristic(name)))
        }
        world.run(for: .seconds(1))
        #expect(phone.lines.all == ["value FF01 [1] nil", "value FF11 [2] nil"])
        #expect(one.lines.matching("read") == ["read FF01 0"])
        #expect(other.lines.matching("read") == ["read FF11 0"])
    }
}
