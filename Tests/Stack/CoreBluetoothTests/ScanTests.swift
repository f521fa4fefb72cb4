import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import LEHost
import Testing
import VirtualController

/// Rows 4 to 7: scanning, names and identity.
@Suite struct ScanTests {
    /// Three gadgets with the services FF00, FF10 and FF20.
    static func three(_ world: BluetoothWorld) -> [Gadget] {
        let gadgets = [(0xC0, "FF00"), (0xC1, "FF10"), (0xC2, "FF20")].map { address, name in
            Gadget(world, world.adapter(UInt64(address)), [Gadget.service(name, [])])
        }
        world.run(for: .seconds(1))
        return gadgets
    }

    @Test(
        arguments: [
            (["FF10"], ["c1"]), (["FF20", "FF00"], ["c0", "c2"]), (["ABCD"], []), ([], ["c0", "c1", "c2"]),
            (nil, ["c0", "c1", "c2"]), (["0000FF10-0000-1000-8000-00805F9B34FB"], ["c1"]),
        ] as [([String]?, [String])])
    func `row 4: any one of the services will do, and none means all`(
        services: [String]?, expected: [String]
    ) {
        let world = BluetoothWorld()
        let gadgets = Self.three(world)
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: services?.map { uuid($0) })
        world.run(for: .seconds(3))
        #expect(Set(phone.found.map { String($0.address.value, radix: 16) }) == Set(expected))
        withExtendedLifetime(gadgets) {}
    }

    @Test func `row 4: a second scan takes the place of the first`() {
        let world = BluetoothWorld()
        let gadgets = Self.three(world)
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: [uuid("FF00")])
        phone.manager.scanForPeripherals(withServices: [uuid("FF20")])
        world.run(for: .seconds(3))
        #expect(phone.found.map(\.address.value) == [0xC2])
        withExtendedLifetime(gadgets) {}
    }

    @Test func `row 4: nothing that an earlier scan has found is told to a later one`() {
        let world = BluetoothWorld()
        let gadgets = Self.three(world)
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: [uuid("FF00")])
        // In the callback of the first find the application looks for something else; what waits behind it
        // is of the first scan.
        phone.reaction = { phone, line in
            guard line.hasPrefix("found c0"), phone.found.count == 1 else { return }
            phone.manager.scanForPeripherals(withServices: [uuid("FF20")])
        }
        world.run(for: .seconds(3))
        #expect(phone.lines.matching("found c0").count == 1)
        #expect(phone.found.map(\.address.value) == [0xC0, 0xC2])
        withExtendedLifetime(gadgets) {}
    }

    @Test func `row 4: each manager has its own filter`() {
        let world = BluetoothWorld()
        let gadgets = Self.three(world)
        let one = Phone.on(world)
        let other = Phone(world, (one.adapter, one.controller))
        world.run(for: .seconds(1))
        one.manager.scanForPeripherals(withServices: [uuid("FF00")])
        other.manager.scanForPeripherals(withServices: [uuid("FF10")])
        world.run(for: .seconds(2))
        one.manager.stopScan()
        #expect(!one.manager.isScanning && other.manager.isScanning)
        #expect(one.found.map(\.address.value) == [0xC0] && other.found.map(\.address.value) == [0xC1])
        withExtendedLifetime(gadgets) {}
    }

    @Test func `row 4: a service in the scan response counts, and so does one that is asked for`() {
        let world = BluetoothWorld()
        let gadget = Gadget(world, world.adapter(0xC1), [], advertises: nil)
        world.run(for: .seconds(1))
        // 15: the device asks for service 1812; 03 in the scan response: it has FF30.
        gadget.manager.startAdvertising(
            data: [2, 1, 6, 3, 0x14, 0x12, 0x18], scanResponse: [3, 3, 0x30, 0xFF])
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: [uuid("FF30")])
        #expect(phone.wait("found c1"))
        phone.manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [uuid("1812")]])
        #expect(phone.wait("found c1"))
        phone.manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [uuid("1813")]])
        #expect(!phone.wait("found c1", for: .seconds(2)))
    }

    @Test func `row 5: repeats are left out, per device and per scan`() {
        let world = BluetoothWorld()
        let gadgets = Self.three(world)
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: nil)
        world.run(for: .seconds(5))
        // Once for the advertising data, once for the scan response, as devices do it.
        #expect(phone.lines.matching("found").count == 6)
        phone.manager.scanForPeripherals(withServices: nil)
        world.run(for: .seconds(5))
        #expect(phone.lines.matching("found").count == 12)
        withExtendedLifetime(gadgets) {}
    }

    @Test(arguments: [false, true])
    func `row 5: with duplicates each packet is told, be the flag a Bool or an NSNumber`(isNumber: Bool) {
        let flag: Any = isNumber ? NSNumber(value: true) : true
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: flag])
        world.run(for: .seconds(2))
        // An event each 100 to 110 ms, each a packet and a scan response.
        #expect((34...42).contains(phone.lines.matching("found").count))
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 5: after the stop nothing more is told`() {
        let world = BluetoothWorld()
        let gadgets = Self.three(world)
        let phone = Phone.on(world)
        phone.reaction = { phone, line in if line.hasPrefix("found") { phone.manager.stopScan() } }
        phone.manager.scanForPeripherals(withServices: nil)
        world.run(for: .seconds(5))
        #expect(phone.lines.matching("found").count == 1 && !phone.manager.isScanning)
        withExtendedLifetime(gadgets) {}
    }

    @Test func `row 6: the advertised name comes with its report, the device's after connecting`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget(
            world, world.adapter(0xC1), [Gadget.usualService()],
            advertises: [CBAdvertisementDataLocalNameKey: "a name too long for one advertisement"])
        world.run(for: .seconds(1))
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        world.run(for: .seconds(1))
        let peripheral = try #require(phone.found.first)
        let short = "a name too long for one advert".prefix(29)
        // The name stands in the scan response.
        #expect(phone.lines.matching("found").prefix(2) == ["found c1 - -60", "found c1 \(short) -60"])
        #expect(phone.lines.matching("found").last == "found c1 \(short) -60")
        phone.manager.stopScan()
        phone.manager.connect(peripheral)
        #expect(phone.wait("name"))
        #expect(peripheral.name == "a name too long for one advertisement")
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 6: an application connects by name also where each device is told of once`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget(
            world, world.adapter(0xC1), [Gadget.usualService()],
            advertises: [CBAdvertisementDataLocalNameKey: "gadget"])
        world.run(for: .seconds(1))
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: nil)
        world.run(for: .seconds(1))
        #expect(phone.lines.matching("found").contains { $0.hasPrefix("found c1 gadget") })
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 6: a name that one response can't hold is read to its end`() throws {
        let world = BluetoothWorld()
        let name = String(repeating: "long ", count: 20)
        let gadget = Gadget(
            world, world.adapter(0xC1), [], advertises: [CBAdvertisementDataLocalNameKey: name])
        world.run(for: .seconds(1))
        let phone = Phone(world, world.adapter(0xF1, { $0.host.clientMTU = nil }))
        world.run(for: .seconds(1))
        let peripheral = try #require(phone.open(0xC1, discovers: false))
        world.run(for: .seconds(3))
        #expect(peripheral.name == name)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 7: a device is the same UUID for every manager, and another for another phone`() throws {
        let world = BluetoothWorld()
        let one = Phone.on(world)
        let same = Phone(world, (one.adapter, one.controller))
        let other = Phone(world, world.adapter(0xF2, { $0.identifierSalt = 7 }))
        let first = try #require(one.peripheral(0xC1))
        #expect(one.peripheral(0xC1) === first)
        let second = try #require(same.peripheral(0xC1))
        #expect(second !== first && second.identifier == first.identifier)
        #expect(other.peripheral(0xC1)?.identifier != first.identifier)
        #expect(one.peripheral(0xC2)?.identifier != first.identifier)
    }

    @Test func `row 7: what advertising data hold is told by Apple's keys`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget(world, world.adapter(0xC1), [], advertises: nil)
        world.run(for: .seconds(1))
        gadget.manager.startAdvertising(
            data: [2, 1, 6, 5, 0xFF, 0x4C, 0, 1, 2, 2, 0x0A, 0xF4, 5, 0x16, 0x0A, 0x18, 7, 8],
            scanResponse: [3, 9, 0x68, 0x69])
        let phone = Phone.on(world)
        phone.manager.scanForPeripherals(withServices: nil)
        world.run(for: .seconds(1))
        let contents = try #require(phone.advertisements.last)
        #expect(contents[CBAdvertisementDataLocalNameKey] as? String == "hi")
        #expect(contents[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x4C, 0, 1, 2]))
        #expect(contents[CBAdvertisementDataTxPowerLevelKey] as? NSNumber == NSNumber(value: -12))
        #expect(contents[CBAdvertisementDataIsConnectable] as? NSNumber == NSNumber(value: true))
        let data = contents[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
        #expect(data == [uuid("180A"): Data([7, 8])])
    }
}
