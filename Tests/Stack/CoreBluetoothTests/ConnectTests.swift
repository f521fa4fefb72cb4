import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import LEHost
import Runtime
import Testing
import VirtualController

/// Rows 8, 9 and 11: connecting, cancelling, and what comes after a loss.
@Suite struct ConnectTests {
    @Test func `row 8: a connection is waited for without end`() throws {
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.connect(peripheral)
        world.run(for: .seconds(86_400))
        #expect(peripheral.state == .connecting && phone.lines.all == ["state 5"])
        let gadget = Gadget.usual(world)
        #expect(phone.wait("connected 2"))
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 8: who connects to what is connected is told again`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        phone.manager.connect(peripheral)
        world.run(for: .seconds(2))
        #expect(phone.lines.all == ["connected 2"] && peripheral.services?.isEmpty == false)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 8: the wish goes with the peripheral object, which nothing else keeps`() throws {
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        weak var gone: CBPeripheral?
        do {
            let peripheral = try #require(phone.peripheral(0xC1))
            gone = peripheral
            phone.manager.connect(peripheral)
            world.run(for: .seconds(1))
        }
        #expect(gone == nil)
        let gadget = Gadget.usual(world)
        world.run(for: .seconds(5))
        #expect(phone.lines.all == ["state 5"] && world.radio.air.openLinks == 0)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 8: a link ends with its peripheral object, the next one is not connected`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        var peripheral = try #require(phone.open(0xC1))
        let address = peripheral.address
        // In one breath: the object goes and another for the same device is made.
        peripheral = try #require(phone.manager.peripheral(at: DeviceAddress(0xC9, .public)))
        let next = try #require(phone.manager.peripheral(at: address))
        world.run(for: .seconds(2))
        #expect(world.radio.air.openLinks == 0)
        #expect(next.state == .disconnected && phone.lines.all.isEmpty)
        phone.manager.connect(next)
        #expect(phone.wait("connected 2"))
        withExtendedLifetime((gadget, peripheral)) {}
    }

    @Test func `row 9: who cancels what is waited for is told of no error`() throws {
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.connect(peripheral)
        world.run(for: .seconds(1))
        phone.manager.cancelPeripheralConnection(peripheral)
        #expect(peripheral.state == .disconnecting)
        world.run(for: .seconds(1))
        let gadget = Gadget.usual(world)
        world.run(for: .seconds(5))
        #expect(phone.lines.all == ["state 5", "disconnected nil 0"] && world.radio.air.openLinks == 0)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 9: who cancels a link is told of no error, once, however often it cancels`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        for _ in 0..<3 { phone.manager.cancelPeripheralConnection(peripheral) }
        world.run(for: .seconds(5))
        #expect(phone.lines.all == ["disconnected nil 0"] && peripheral.services == nil)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 9: whoever cancels before it hears of the link hears of its end alone`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.connect(peripheral)
        // The link is made, and the callback waits in the queue, when the application cancels.
        let end = world.time.now.advanced(by: .seconds(5))
        while world.radio.air.openLinks == 0, world.time.step(notAfter: end) {}
        while phone.adapter.host.openLinks.isEmpty, world.time.step(notAfter: end) {}
        phone.manager.cancelPeripheralConnection(peripheral)
        world.run(for: .seconds(3))
        #expect(phone.lines.all == ["state 5", "disconnected nil 0"] && world.radio.air.openLinks == 0)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 9: cancel and connect in one breath connects, and the state says so all the time`() throws
    {
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.connect(peripheral)
        world.run(for: .seconds(1))
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.manager.connect(peripheral)
        world.run(for: .seconds(1))
        #expect(peripheral.state == .connecting)
        #expect(phone.lines.all == ["state 5", "disconnected nil 1"])
        let gadget = Gadget.usual(world)
        #expect(phone.wait("connected 2"))
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 9: who connects while its link ends gets a new one`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.manager.connect(peripheral)
        world.run(for: .seconds(5))
        #expect(phone.lines.matching("disconnected") == ["disconnected nil 1"])
        #expect(phone.lines.matching("connected") == ["connected 2"] && peripheral.state == .connected)
        // And who thinks better of it again gets none.
        phone.lines.clear()
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.manager.connect(peripheral)
        phone.manager.cancelPeripheralConnection(peripheral)
        world.run(for: .seconds(5))
        #expect(phone.lines.all == ["disconnected nil 0"] && peripheral.state == .disconnected)
        #expect(world.radio.air.openLinks == 0)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 9: an object of another manager is misuse`() throws {
        let world = BluetoothWorld()
        let one = Phone.on(world)
        let other = Phone(world, (one.adapter, one.controller))
        world.run(for: .seconds(1))
        let peripheral = try #require(one.peripheral(0xC1))
        other.manager.connect(peripheral)
        #expect(other.manager.misuse.count == 1 && peripheral.state == .disconnected)
    }

    @Test func `row 11: a loss is told with its time, by the adapter's wall clock`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        // The beginning of 2001 lies 978,307,200 s after that of 1970.
        let phone = Phone(
            world, world.adapter(0xF1, { $0.wallClockOrigin = (978_307_200 + 1000) * 1_000_000_000 }))
        world.run(for: .seconds(1))
        _ = try #require(phone.peripheral(0xC1))
        let peripheral = try #require(phone.open(0xC1))
        let lost = Double(world.time.now.nanoseconds) / 1e9
        world.radio.separate(phone.controller, gadget.controller)
        world.run(for: .seconds(10))
        #expect(phone.lines.all == ["disconnected 6 0"] && peripheral.state == .disconnected)
        let time = try #require(phone.timestamps.first)
        // The supervision timeout is 4.2 s.
        #expect((lost + 1004...lost + 1004.3).contains(time))
    }

    @Test func `row 11: with the option a lost device is connected to again, without it is not`() throws {
        for reconnects in [true, false] {
            let world = BluetoothWorld()
            let gadget = Gadget.usual(world)
            let phone = Phone.on(world)
            let peripheral = try #require(phone.peripheral(0xC1))
            phone.manager.connect(
                peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: reconnects])
            phone.wait("connected")
            world.radio.separate(phone.controller, gadget.controller)
            world.run(for: .seconds(10))
            #expect(phone.lines.all.last == (reconnects ? "disconnected 6 1 again" : "disconnected 6 0"))
            world.radio.rejoin(phone.controller, gadget.controller)
            #expect(phone.wait("connected 2") == reconnects)
            phone.manager.cancelPeripheralConnection(peripheral)
            world.run(for: .seconds(10))
            // What the application ends itself stays ended.
            #expect(peripheral.state == .disconnected && world.radio.air.openLinks == 0)
        }
    }

    @Test func `row 11: a delegate that knows no time stamps is told without`() throws {
        final class Old: NSObject, CBCentralManagerDelegate {
            let lines = Lines()
            func centralManagerDidUpdateState(_ central: CBCentralManager) {}
            func centralManager(
                _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
                error: (any Error)?
            ) { lines.add("disconnected \(error.mark)") }
        }
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        let old = Old()
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.connect(peripheral)
        phone.manager.delegate = old
        phone.manager.cancelPeripheralConnection(peripheral)
        world.run(for: .seconds(1))
        #expect(old.lines.all == ["disconnected nil"])
    }
}
