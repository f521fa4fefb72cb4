import CoreBluetooth
import Testing
import UQDK

@testable import UQDKBle

@Suite struct UQDKCentralManagerTests {
    static func make(_ world: TestWorld, _ change: (inout UQDKBleOptions) -> Void = { _ in })
        -> (UQDKCentralManager, BluetoothAdapter)
    {
        var options = UQDKBleOptions()
        change(&options)
        let adapter = world.adapter(0x0200_0000_0010)
        let central = UQDKCentralManager(
            options, ManagerContext(adapter: adapter, queue: world.delivery.inline))
        return (central, adapter)
    }

    @Test func `a second start while scanning does nothing`() throws {
        let world = TestWorld()
        let car = ScriptedCar(world.adapter(0x0255_5100_0001))
        let (central, _) = Self.make(world)
        var (first, second) = (0, 0)
        central.startScanning { _ in
            first += 1
        } timedOut: {
        }
        central.startScanning { _ in
            second += 1
        } timedOut: {
        }
        world.run(for: .seconds(5))
        #expect(first > 0 && second == 0 && central.isScanning)
        withExtendedLifetime(car) {}
    }

    @Test func `starting forgets what was discovered, and a known device gets its new advertising`() throws {
        let world = TestWorld()
        let car = ScriptedCar(world.adapter(0x0255_5100_0001))
        let (central, _) = Self.make(world)
        var seen: [Int] = []
        central.startScanning {
            seen.append($0.advertisement.count)
        } timedOut: {
        }
        world.run(for: .seconds(3))
        #expect(seen.count >= 2 && central.discovered.count == 1, "advertisement and scan response")
        #expect(seen.last.map { $0 > seen[0] } == true)
        central.stopScanning()
        central.startScanning { _ in
        } timedOut: {
        }
        #expect(central.discovered.isEmpty)
        withExtendedLifetime(car) {}
    }

    @Test func `the scan's time ends with a stop, and runs out once where nothing stops it`() throws {
        let world = TestWorld()
        let (central, _) = Self.make(world)
        world.run(for: .seconds(1))
        var timeouts = 0
        central.startScanning { _ in
        } timedOut: {
            timeouts += 1
        }
        world.run(for: .seconds(9))
        central.stopScanning()
        world.run(for: .seconds(30))
        #expect(timeouts == 0)
        central.startScanning { _ in
        } timedOut: {
            timeouts += 1
        }
        world.run(for: .seconds(30))
        #expect(timeouts == 1 && !central.isScanning)
    }

    @Test func `the services looked for fall back to the options'`() throws {
        let world = TestWorld()
        let car = ScriptedCar(world.adapter(0x0255_5100_0001))
        let (central, _) = Self.make(world) { $0.scanServices = [CBUUID(string: "FF00")] }
        var found = 0
        central.startScanning { _ in
            found += 1
        } timedOut: {
        }
        world.run(for: .seconds(3))
        central.stopScanning()
        #expect(found == 0)
        central.startScanning([CBUUID(car.dialect.gatt.service)]) { _ in
            found += 1
        } timedOut: {
        }
        world.run(for: .seconds(3))
        #expect(found > 0)
    }

    @Test func `a scan asked for without power starts with it, with all its time`() throws {
        let world = TestWorld()
        let (central, adapter) = Self.make(world)
        adapter.setPower(false)
        world.run(for: .seconds(1))
        var timeouts = 0
        central.startScanning { _ in
        } timedOut: {
            timeouts += 1
        }
        world.run(for: .seconds(60))
        #expect(central.isWaitingForPower && timeouts == 0)
        adapter.setPower(true)
        world.run(for: .seconds(9))
        #expect(!central.isWaitingForPower && timeouts == 0)
        world.run(for: .seconds(2))
        #expect(timeouts == 1)
    }
}
