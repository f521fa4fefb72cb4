import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import Testing

/// One central whose devices have sessions.
@Suite struct GATTSessionTests {
    final class Central: NSObject, GATTCentral, @unchecked Sendable {
        let world: BluetoothWorld
        let manager: CBCentralManager
        let lines = Lines()
        var session: GATTSession?

        init(_ world: BluetoothWorld) {
            self.world = world
            manager = CBCentralManager(
                delegate: nil, queue: world.delivery.inline, options: nil, adapter: world.adapter(0xF1).0)
            super.init()
            manager.delegate = self
            world.run(for: .seconds(1)) { manager.state == .poweredOn }
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {}

        /// Makes a session whose events are written down, each with this name before it.
        func open(_ name: String = "") throws -> GATTSession {
            let peripheral = try #require(manager.peripheral(at: DeviceAddress(0xC1, .public)))
            let session = GATTSession(peripheral) { [lines] event, _ in lines.add(name + Self.text(event)) }
            self.session = session
            return session
        }

        /// Connects, discovers, and returns the lines.
        func lines(_ start: (GATTSession) -> Void) throws -> [String] {
            let session = try open()
            manager.connect(session.peripheral)
            world.run(for: .seconds(5)) { lines.count("connected") > 0 }
            world.run(for: .seconds(3))
            start(session)
            world.run(for: .seconds(5))
            return lines.all
        }

        private static func text(_ event: GATTSession.Event) -> String {
            switch event {
            case .services: "services"
            case .characteristics(let service, _): "characteristics \(service.uuid)"
            case .descriptors(let characteristic, _): "descriptors \(characteristic.uuid)"
            case .discovered(let error): "discovered \(error.mark)"
            case .connected: "connected"
            case .disconnected(let error): "disconnected \(error.mark)"
            case .subscription(let one, let error): "subscription \(one.uuid) \(error.mark)"
            case .value(let one, _, let error): "value \(one.uuid) \(error.mark)"
            case .written(let one, let error): "written \(one.uuid) \(error.mark)"
            default: "\(event)"
            }
        }
    }

    @Test func `a deep discovery ends once, after everything that it found`() throws {
        let world = BluetoothWorld()
        let gadget = DiscoveryTests.rich(world)
        let lines = try Central(world).lines { $0.discover([uuid("FF20"), uuid("FF10")], isDeep: true) }
        #expect(
            lines == [
                "connected", "services", "characteristics FF10", "characteristics FF20", "descriptors FF11",
                "descriptors FF21", "descriptors FF22", "discovered nil",
            ])
        withExtendedLifetime(gadget) {}
    }

    @Test func `of a service that is there twice only the first instance is looked into`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget(
            world, world.adapter(0xC1),
            [
                Gadget.service("FF10", [("FF11", [.read], [.readable]), ("FF12", [.read], [.readable])]),
                Gadget.service("FF10", [("FF13", [.read], [.readable])]),
            ])
        world.run(for: .seconds(1))
        let central = Central(world)
        let lines = try central.lines { $0.discover([uuid("FF11"), uuid("FF13")], of: uuid("FF10")) }
        #expect(lines == ["connected", "services", "characteristics FF10", "discovered nil"])
        #expect(central.session?.characteristic(uuid("FF11")) != nil)
        #expect(central.session?.characteristic(uuid("FF12")) == nil, "was not asked for")
        #expect(central.session?.characteristic(uuid("FF13")) == nil, "is in the other instance")
        withExtendedLifetime(gadget) {}
    }

    @Test func `a discovery that finds nothing ends too, and one that is stopped goes no further`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let central = Central(world)
        #expect(
            try central.lines { $0.discover([uuid("ABCD")]) }.dropFirst() == ["services", "discovered nil"])
        central.lines.clear()
        let session = try #require(central.session)
        session.discover()
        session.stopDiscovery()
        world.run(for: .seconds(5))
        #expect(central.lines.all == ["services"] && session.discoveries == 0)
        withExtendedLifetime(gadget) {}
    }

    @Test func `events go to the latest session of a device, until it ends`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let central = Central(world)
        let first = try central.open("first ")
        let second = try central.open("second ")
        central.manager.connect(second.peripheral)
        world.run(for: .seconds(5)) { central.lines.count("second connected") > 0 }
        first.end()
        second.discover()
        world.run(for: .seconds(5))
        #expect(central.lines.count("second discovered nil") == 1, "the first one's end changes nothing")
        second.end()
        central.manager.cancelPeripheralConnection(second.peripheral)
        world.run(for: .seconds(5))
        #expect(
            central.lines.matching("first") == []
                && central.lines.matching("second dis") == ["second discovered nil"])
        withExtendedLifetime(gadget) {}
    }

    @Test func `answers name their attribute, and the loss of the link ends the calls`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let central = Central(world)
        _ = try central.lines { $0.discover([uuid("FF00")]) }
        central.lines.clear()
        let session = try #require(central.session)
        let value = try #require(session.characteristic(uuid("FF01")))
        let event = try #require(session.characteristic(uuid("FF02")))
        session.peripheral.readValue(for: value)
        session.peripheral.writeValue(Data([7]), for: value, type: .withResponse)
        session.peripheral.setNotifyValue(true, for: event)
        world.run(for: .seconds(5))
        gadget.adapter.setPower(false)
        world.run(for: .seconds(60))
        let timeout = CBError.Code.connectionTimeout.rawValue
        #expect(
            central.lines.all == [
                "value FF01 nil", "written FF01 nil", "subscription FF02 nil", "disconnected \(timeout)",
            ])
    }
}
