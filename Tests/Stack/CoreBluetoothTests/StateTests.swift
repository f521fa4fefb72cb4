@_spi(Host) import CoreBluetooth
import Foundation
import Testing
import VirtualController

/// Rows 1 and 2: what a manager does in which state.
@Suite struct StateTests {
    @Test func `row 1: a new manager's state is unknown until its queue is told`() {
        let world = BluetoothWorld()
        let phone = Phone(world, world.adapter(0xF1))
        #expect(phone.manager.state == .unknown && phone.lines.all.isEmpty)
        world.run(for: .seconds(1))
        #expect(phone.lines.all == ["state 5"])
    }

    @Test func `row 1: a second manager on an adapter that is on hears so, not before its first turn`() {
        let world = BluetoothWorld()
        let first = Phone.on(world)
        let second = Phone(world, (first.adapter, first.controller))
        #expect(second.manager.state == .unknown)
        world.run(for: .seconds(1))
        #expect(second.lines.all == ["state 5"] && first.lines.all == ["state 5"])
    }

    @Test func `row 1: whoever comes while the power is off hears that it is`() {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        gadget.adapter.setPower(false)
        world.run(for: .seconds(1))
        // The first central manager of an adapter whose peripheral manager has seen it on and off.
        let phone = Phone(world, (gadget.adapter, gadget.controller))
        let server = Gadget(world, (gadget.adapter, gadget.controller), [])
        world.run(for: .seconds(1))
        #expect(phone.lines.all == ["state 4"] && server.lines.all == ["state 4"])
        gadget.adapter.setPower(true)
        world.run(for: .seconds(1))
        #expect(phone.lines.all == ["state 4", "state 5"])
        #expect(server.lines.all.prefix(2) == ["state 4", "state 5"])
    }

    @Test func `row 1: calls before the power is on are misuse and do nothing`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone(world, world.adapter(0xF1))
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.scanForPeripherals(withServices: nil)
        phone.manager.connect(peripheral)
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.manager.stopScan()
        #expect(phone.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).isEmpty)
        #expect(phone.manager.retrieveConnectedPeripherals(withServices: []).isEmpty)
        #expect(!phone.manager.isScanning && peripheral.state == .disconnected)
        world.run(for: .seconds(3))
        #expect(phone.lines.all == ["state 5"])
        #expect(
            phone.manager.misuse.map { $0.dropFirst("API MISUSE: ".count).prefix { $0 != " " } } == [
                "scanForPeripherals", "connect", "cancelPeripheralConnection", "stopScan",
                "retrievePeripherals", "retrieveConnectedPeripherals",
            ])
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 1: a peripheral manager without power does nothing but note the misuse`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget(world, world.adapter(0xC1), [Gadget.usualService()])
        let characteristic = try #require(gadget.characteristic("FF02"))
        gadget.manager.add(gadget.services[0])
        gadget.manager.startAdvertising(nil)
        gadget.manager.removeAllServices()
        #expect(!gadget.manager.updateValue(Data(), for: characteristic, onSubscribedCentrals: nil))
        gadget.manager.stopAdvertising()
        #expect(gadget.manager.misuse.count == 5)
        world.run(for: .seconds(1))
        #expect(gadget.lines.all == ["state 5", "added FF00 nil", "advertising nil"])
    }

    @Test func `row 1: a misuse is kept and logged once, and further ones are only counted`() throws {
        let world = BluetoothWorld()
        let log = Lines()
        let place = world.adapter(0xF1, { $0.log = { log.add($0) } })
        let phone = Phone(world, place)
        let other = Phone(world, (place.0, place.1))
        for _ in 0..<3 { phone.manager.stopScan() }
        let line = "API MISUSE: stopScan can only be used while in the powered on state"
        #expect(phone.manager.misuse == [line] && phone.manager.misuseCount == 3)
        #expect(log.all == [line])
        world.run(for: .seconds(1))
        for address in 1...UInt64(150) {
            phone.manager.connect(try #require(other.peripheral(address)))
        }
        #expect(phone.manager.misuse.count == 100 && phone.manager.misuseCount == 153)
        #expect(phone.manager.misuse.last?.hasSuffix("belongs to another central manager") ?? false)
        #expect(log.all.dropLast() == phone.manager.misuse[...])
        #expect(log.all.last == "API MISUSE: 100 different misuses; further ones are only counted")
        #expect(other.manager.misuse.isEmpty)
    }

    @Test func `row 1: without an adapter a manager is unsupported`() {
        let lines = Lines()
        final class Listener: NSObject, CBCentralManagerDelegate {
            let lines: Lines
            init(_ lines: Lines) { self.lines = lines }
            func centralManagerDidUpdateState(_ central: CBCentralManager) {
                lines.add("state \(central.state.rawValue)")
            }
        }
        let listener = Listener(lines)
        let queue = DispatchQueue(label: "unsupported")
        let manager = CBCentralManager(delegate: listener, queue: queue, options: nil, adapter: nil)
        queue.sync {}
        #expect(lines.all == ["state 2"])
        manager.scanForPeripherals(withServices: nil)
        #expect(manager.misuse.count == 1)
    }

    @Test func `row 2: without power the scan stops, links end with an error, and the state comes last`()
        throws
    {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        phone.manager.scanForPeripherals(withServices: nil)
        world.run(for: .seconds(1))
        phone.adapter.setPower(false)
        world.run(for: .seconds(1))
        #expect(!phone.manager.isScanning && peripheral.state == .disconnected && peripheral.services == nil)
        #expect(phone.lines.matching("disconnected") == ["disconnected 0 0"])
        #expect(phone.lines.all.last == "state 4")
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 2: a connection that is waited for fails without power`() throws {
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.connect(peripheral)
        world.run(for: .seconds(1))
        #expect(peripheral.state == .connecting)
        phone.adapter.setPower(false)
        world.run(for: .seconds(1))
        #expect(phone.lines.all == ["state 5", "failed 10 0", "state 4"])
    }

    @Test func `row 2: power alone brings nothing back`() throws {
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.connect(
            peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        phone.manager.scanForPeripherals(withServices: nil)
        world.run(for: .seconds(1))
        phone.adapter.setPower(false)
        world.run(for: .seconds(1))
        let gadget = Gadget.usual(world)
        phone.adapter.setPower(true)
        world.run(for: .seconds(5))
        #expect(phone.lines.all == ["state 5", "failed 10 0", "state 4", "state 5"])
        #expect(world.radio.air.openLinks == 0)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 2: a link that connects again by itself does not without power`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.connect(
            peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        phone.wait("connected")
        phone.adapter.setPower(false)
        world.run(for: .seconds(1))
        phone.adapter.setPower(true)
        world.run(for: .seconds(10))
        #expect(phone.lines.matching("disconnected") == ["disconnected 0 0"])
        #expect(phone.lines.matching("connected").count == 1 && peripheral.state == .disconnected)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 2: what is called while the power goes ends all the same`() throws {
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.adapter.setPower(false)
        // The application still sees the power on.
        phone.manager.connect(peripheral)
        phone.manager.scanForPeripherals(withServices: nil)
        #expect(phone.manager.state == .poweredOn && phone.manager.isScanning)
        world.run(for: .seconds(1))
        #expect(phone.lines.all == ["state 5", "state 4", "failed 10 0"])
        #expect(!phone.manager.isScanning && peripheral.state == .disconnected)
        let gadget = Gadget.usual(world)
        phone.adapter.setPower(true)
        world.run(for: .seconds(5))
        #expect(phone.lines.all.last == "state 5" && world.radio.air.openLinks == 0)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 2: a reset makes objects strangers, and the adapter comes back by itself`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        // Hardware Error, code 1.
        world.inject([0x10, 1, 1], into: phone.controller)
        world.run(for: .milliseconds(500))
        #expect(phone.lines.all == ["disconnected 0 0", "state 1"])
        world.run(for: .seconds(2))
        #expect(phone.manager.state == .poweredOn)
        phone.manager.connect(peripheral)
        #expect(phone.manager.misuse.last?.hasSuffix("is from before a reset") ?? false)
        let again = phone.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier])
        #expect(again.count == 1 && again.first !== peripheral)
        withExtendedLifetime(gadget) {}
    }
}
