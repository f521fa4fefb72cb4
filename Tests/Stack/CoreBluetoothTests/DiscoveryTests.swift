import CoreBluetooth
import Foundation
import Testing
import VirtualController

/// Rows 12, 14 and 23: what is discovered, and how long it is of use.
@Suite struct DiscoveryTests {
    /// A gadget with three services, the last of which includes the first.
    static func rich(_ world: BluetoothWorld) -> Gadget {
        let first = Gadget.usualService()
        let second = Gadget.service("FF10", [("FF11", [.read], [.readable])])
        let third = Gadget.service("FF20", [("FF21", [.read], [.readable]), ("FF22", [.read], [.readable])])
        third.includedServices = [first]
        let described = third.characteristics?.first as? CBMutableCharacteristic
        described?.descriptors = [
            CBMutableDescriptor(type: uuid(CBUUIDCharacteristicUserDescriptionString), value: "what it is"),
            CBMutableDescriptor(
                type: uuid(CBUUIDCharacteristicFormatString), value: Data([4, 0, 0, 0x27, 1, 0, 0])),
        ]
        let gadget = Gadget(
            world, world.adapter(0xC1), [first, second, third],
            advertises: [CBAdvertisementDataServiceUUIDsKey: [uuid("FF00")]])
        world.run(for: .seconds(1))
        return gadget
    }

    @Test func `row 14: services are filtered, and what is found is added to what is there`() throws {
        let world = BluetoothWorld()
        let gadget = Self.rich(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1, discovers: false))
        phone.lines.clear()
        peripheral.discoverServices([uuid("FF10")])
        phone.wait("services")
        let first = try #require(peripheral.services?.first)
        peripheral.discoverServices([uuid("FF00"), uuid("FF20"), uuid("ABCD")])
        phone.wait("services")
        peripheral.discoverServices([uuid("ABCD")])
        phone.wait("services")
        peripheral.discoverServices(nil)
        phone.wait("services")
        #expect(
            phone.lines.matching("services") == [
                "services [\"FF10\"] nil", "services [\"FF10\", \"FF00\", \"FF20\"] nil",
                "services [\"FF10\", \"FF00\", \"FF20\"] nil",
                "services [\"FF10\", \"FF00\", \"FF20\", \"1800\", \"1801\"] nil",
            ])
        // What was known keeps its object.
        #expect(peripheral.services?.first === first)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 14: an empty list asks for everything`() throws {
        let world = BluetoothWorld()
        let gadget = Self.rich(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1, discovers: false))
        peripheral.discoverServices([])
        phone.wait("services")
        #expect(peripheral.services?.count == 5)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 14: characteristics are filtered and added, with their properties`() throws {
        let world = BluetoothWorld()
        let gadget = Self.rich(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1, discovers: false))
        peripheral.discoverServices([uuid("FF00")])
        phone.wait("services")
        let service = try #require(peripheral.services?.first)
        #expect(service.characteristics == nil && service.peripheral === peripheral && service.isPrimary)
        peripheral.discoverCharacteristics([uuid("FF02")], for: service)
        phone.wait("characteristics")
        #expect(service.characteristics?.map(\.name) == ["FF02"])
        peripheral.discoverCharacteristics([uuid("FF01"), uuid("FF02")], for: service)
        phone.wait("characteristics")
        #expect(service.characteristics?.map(\.name) == ["FF02", "FF01"])
        #expect(service.characteristics?.map(\.properties) == [[.notify], [.read, .write]])
        #expect(service.characteristics?.allSatisfy { $0.service === service } ?? false)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 14: included services and descriptors are found, and their values have Apple's forms`()
        throws
    {
        let world = BluetoothWorld()
        let gadget = Self.rich(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let service = try #require(peripheral.services?.first { $0.name == "FF20" })
        peripheral.discoverIncludedServices(nil, for: service)
        #expect(phone.wait("included [\"FF00\"] nil"))
        // The included service is the one that was found before.
        #expect(service.includedServices?.first === peripheral.services?.first { $0.name == "FF00" })
        let described = try #require(peripheral.characteristic("FF21"))
        let plain = try #require(peripheral.characteristic("FF11"))
        let notifying = try #require(peripheral.characteristic("FF02"))
        for one in [described, plain, notifying] { peripheral.discoverDescriptors(for: one) }
        world.run(for: .seconds(1))
        #expect(
            phone.lines.matching("descriptors") == [
                "descriptors [\"2901\", \"2904\"] nil", "descriptors [] nil", "descriptors [\"2902\"] nil",
            ])
        let all = [described, notifying].flatMap { $0.descriptors ?? [] }
        for descriptor in all { peripheral.readValue(for: descriptor) }
        world.run(for: .seconds(1))
        #expect(all.map { $0.value as? String } == ["what it is", nil, nil])
        #expect(all.map { $0.value as? Data } == [nil, Data([4, 0, 0, 0x27, 1, 0, 0]), nil])
        #expect(all.last?.value as? NSNumber == NSNumber(value: 0))
        // The configuration is written by setNotifyValue alone.
        peripheral.writeValue(Data([1, 0]), for: all[2])
        peripheral.writeValue(Data([1]), for: all[0])
        world.run(for: .seconds(1))
        #expect(phone.lines.matching("wrote") == ["wrote 2902 13", "wrote 2901 att3"])
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 12: with the link all that was discovered goes, and old objects are of no use`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let service = try #require(peripheral.services?.first { $0.name == "FF00" })
        let old = try #require(peripheral.characteristic("FF01"))
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.wait("disconnected")
        #expect(peripheral.services == nil)
        phone.manager.connect(peripheral)
        phone.wait("connected")
        #expect(peripheral.services == nil)
        phone.lines.clear()
        let before = gadget.lines.all.count
        peripheral.readValue(for: old)
        peripheral.writeValue(Data([9]), for: old, type: .withResponse)
        peripheral.setNotifyValue(true, for: old)
        peripheral.discoverDescriptors(for: old)
        peripheral.discoverCharacteristics(nil, for: service)
        world.run(for: .seconds(3))
        #expect(
            phone.lines.all.filter { !$0.hasPrefix("name") } == [
                "value FF01 [] 2", "wrote FF01 2", "notify FF01 false 2", "descriptors [] 2",
                "characteristics FF00 [\"FF01\", \"FF02\", \"FF03\", \"FF04\", \"FF05\"] 2",
            ])
        #expect(gadget.lines.all.count == before)
    }

    @Test
    func `row 23: changed services are taken away, their objects are useless, the indication confirmed`()
        throws
    {
        let world = BluetoothWorld()
        let gadget = Self.rich(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let gone = try #require(peripheral.characteristic("FF11"))
        let kept = try #require(peripheral.characteristic("FF21"))
        gadget.values["FF21"] = [5]
        gadget.manager.remove(gadget.services[1])
        #expect(phone.wait("modified"))
        #expect(phone.lines.all == ["modified [\"FF10\"]"])
        #expect(peripheral.services?.contains { $0.name == "FF10" } == false)
        // One confirmation, and by no one but the host.
        #expect(world.sentPDUs(0x1E, by: phone.controller).count == 1)
        peripheral.readValue(for: gone)
        peripheral.readValue(for: kept)
        world.run(for: .seconds(1))
        #expect(phone.lines.matching("value") == ["value FF11 [] 2", "value FF21 [5] nil"])
        // A new service is told of, too, and can be found.
        gadget.manager.add(Gadget.service("FF30", []))
        #expect(phone.wait("modified []"))
        peripheral.discoverServices([uuid("FF30")])
        phone.wait("services")
        #expect(peripheral.services?.last?.name == "FF30")
    }

    @Test func `row 23: who subscribed to what has changed subscribes anew, and it is written`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        peripheral.setNotifyValue(true, for: try #require(peripheral.characteristic("FF02")))
        phone.wait("notify")
        gadget.manager.remove(gadget.services[0])
        phone.wait("modified")
        #expect(gadget.lines.all.last == "unsubscribed f1 FF02")
        gadget.manager.add(gadget.services[0])
        phone.wait("modified")
        peripheral.discoverServices([uuid("FF00")])
        phone.wait("services")
        peripheral.discoverCharacteristics(nil, for: try #require(peripheral.services?.last))
        phone.wait("characteristics")
        peripheral.setNotifyValue(true, for: try #require(peripheral.characteristic("FF02")))
        #expect(phone.wait("notify FF02 true nil"))
        gadget.update("FF02", [7])
        #expect(phone.wait("value FF02 [7] nil"))
    }
}
