import CoreBluetooth
import LEHost
import Testing
import VirtualController

/// The services that each server has: Generic Access and Generic Attribute.
@Suite struct GenericServiceTests {
    @Test func `a server has its name, its appearance and word of changes, before all other services`() throws
    {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        #expect(peripheral.services?.map(\.name) == ["1800", "1801", "FF00"])
        #expect(peripheral.services?[0].characteristics?.map(\.name) == ["2A00", "2A01"])
        #expect(peripheral.services?[1].characteristics?.map(\.name) == ["2A05"])
        for name in ["2A00", "2A01"] {
            peripheral.readValue(for: try #require(peripheral.characteristic(name)))
        }
        world.run(for: .seconds(1))
        #expect(phone.lines.all == ["value 2A00 \(Array("gadget".utf8)) nil", "value 2A01 [0, 0] nil"])
        withExtendedLifetime(gadget) {}
    }

    @Test func `changes are indicated to who subscribed, with their range, and to no one else`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let deaf = Phone(world, world.adapter(0xF2, { $0.keepsHouse = false }))
        world.run(for: .seconds(1))
        let peripheral = try #require(phone.open(0xC1))
        _ = try #require(deaf.peripheral(0xC1))
        let other = try #require(deaf.open(0xC1))
        let last = try #require(gadget.adapter.host.openLinks.last)
        #expect(gadget.adapter.host.openLinks.count == 2 && last.isCentral == false)
        gadget.manager.add(Gadget.service("FF20", [("FF21", [.read], [.readable])]))
        world.run(for: .seconds(2))
        #expect(phone.lines.all == ["modified []"] && deaf.lines.all.isEmpty)
        // Handle Value Indication of 2A05: handle 8, three attributes behind all others.
        #expect(world.sentPDUs(0x1D, by: gadget.controller) == [[0x1D, 8, 0, 24, 0, 26, 0]])
        withExtendedLifetime((peripheral, other)) {}
    }

    @Test func `an adapter can be without them`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget(
            world, world.adapter(0xC1, { $0.hasGenericServices = false }), [Gadget.usualService()])
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        #expect(peripheral.services?.map(\.name) == ["FF00"])
        gadget.manager.remove(gadget.services[0])
        world.run(for: .seconds(1))
        #expect(phone.lines.all.isEmpty)
    }

    /// Connection intervals in steps of 1.25 ms, latency, timeout in steps of 10 ms, and whether an Apple
    /// host takes them.
    static let parameters: [([UInt16], Bool)] = [
        ([12, 12, 0, 200], true), ([12, 24, 0, 200], true), ([24, 40, 0, 420], true),
        ([24, 36, 30, 600], true), ([12, 24, 30, 600], true), ([12, 24, 31, 600], false),
        ([6, 12, 0, 200], false), ([12, 20, 0, 200], false), ([16, 40, 0, 200], false),
        ([24, 36, 0, 199], false), ([24, 36, 0, 601], false), ([24, 24, 0, 300], false),
        ([1536, 1600, 0, 600], false), ([1536, 1599, 0, 600], true),
    ]

    @Test(arguments: Self.parameters)
    func `row 29: parameters are accepted as Apple's hosts accept them`(
        values: [UInt16], isAllowed: Bool
    ) throws {
        let wish = ConnectionParameters(
            intervalMin: values[0], intervalMax: values[1], latency: values[2], timeout: values[3])
        #expect(wish.areAllowed(by: .apple) == isAllowed && wish.areAllowed(by: .specification))
        // As the Link Layer brings the wish to the host: it answers by a reply or a negative reply.
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1, discovers: false))
        let handle = try #require(phone.adapter.host.openLinks.first?.handle)
        let octets = ([handle] + values).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        world.inject([0x3E, 11, 6] + octets, into: phone.controller)
        world.run(for: .seconds(1))
        #expect(world.sent([0x20, 0x20], by: phone.controller).count == (isAllowed ? 1 : 0))
        #expect(world.sent([0x21, 0x20], by: phone.controller).count == (isAllowed ? 0 : 1))
        withExtendedLifetime((gadget, peripheral)) {}
    }

    @Test func `row 29: the parameters that a link begins with are such`() {
        #expect(ConnectionParameters().areAllowed(by: .apple))
    }
}
