import CoreBluetooth
import Foundation
import Testing
import VirtualController

/// Row 3: what a manager with a restore identifier leaves to the next.
@Suite struct RestorationTests {
    static var options: [String: Any] { [CBCentralManagerOptionRestoreIdentifierKey: "app"] }

    @Test func `row 3: the scan and its options are restored before the state is told`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let place = world.adapter(0xF1)
        var phone: Phone? = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        phone?.manager.scanForPeripherals(
            withServices: [uuid("FF00")], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        world.run(for: .seconds(1))
        phone = nil
        world.run(for: .seconds(5))
        let next = Phone(world, place, options: Self.options)
        world.run(for: .seconds(2))
        #expect(next.lines.all.prefix(2) == ["restore in state 0", "state 5"])
        #expect(next.restored[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID] == [uuid("FF00")])
        let options = next.restored[CBCentralManagerRestoredStateScanOptionsKey] as? [String: Any]
        #expect(
            options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? NSNumber == NSNumber(value: true))
        // The scan goes on without being asked for again.
        #expect(next.manager.isScanning && next.lines.matching("found").count > 10)
        withExtendedLifetime((gadget, phone)) {}
    }

    @Test func `row 3: a link and all that was known of it is restored, and is of use`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let place = world.adapter(0xF1)
        var phone: Phone? = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        var before = phone?.open(0xC1)
        before?.setNotifyValue(true, for: try #require(before?.characteristic("FF02")))
        phone?.wait("notify FF02 true nil")
        before?.discoverDescriptors(for: try #require(before?.characteristic("FF02")))
        phone?.wait("descriptors")
        let identifier = before?.identifier
        phone?.found = []
        (before, phone) = (nil, nil)
        world.run(for: .seconds(5))
        #expect(world.radio.air.openLinks == 1)

        let next = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        let all = next.restored[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
        let peripheral = try #require(all?.first)
        peripheral.delegate = next
        #expect(peripheral.identifier == identifier && peripheral.state == .connected)
        #expect(
            peripheral.name == "gadget" && peripheral.maximumWriteValueLength(for: .withoutResponse) == 512)
        let characteristic = try #require(peripheral.characteristic("FF02"))
        #expect(characteristic.isNotifying && characteristic.descriptors?.map(\.name) == ["2902"])
        #expect(characteristic.service?.peripheral === peripheral)
        gadget.update("FF02", [6])
        #expect(next.wait("value FF02 [6] nil"))
        peripheral.readValue(for: try #require(peripheral.characteristic("FF01")))
        #expect(next.wait("value FF01 [1, 2, 3] nil"))
        next.manager.cancelPeripheralConnection(peripheral)
        #expect(next.wait("disconnected nil 0") && world.radio.air.openLinks == 0)
        withExtendedLifetime((gadget, phone, before)) {}
    }

    @Test func `row 3: a connection that is waited for is restored, and is made`() throws {
        let world = BluetoothWorld()
        let place = world.adapter(0xF1)
        var phone: Phone? = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        var peripheral = phone?.peripheral(0xC1)
        phone?.manager.connect(try #require(peripheral))
        world.run(for: .seconds(1))
        (peripheral, phone) = (nil, nil)
        world.run(for: .seconds(1))
        let next = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        let all = next.restored[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
        #expect(all?.map(\.state) == [.connecting])
        let gadget = Gadget.usual(world)
        #expect(next.wait("connected 2"))
        withExtendedLifetime((gadget, phone, peripheral)) {}
    }

    @Test func `row 3: a link that was made meanwhile is restored as connected`() throws {
        let world = BluetoothWorld()
        let place = world.adapter(0xF1)
        var phone: Phone? = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        var peripheral = phone?.peripheral(0xC1)
        phone?.manager.connect(try #require(peripheral))
        world.run(for: .seconds(1))
        (peripheral, phone) = (nil, nil)
        let gadget = Gadget.usual(world)
        world.run(for: .seconds(3))
        let next = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        let all = next.restored[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
        #expect(all?.map(\.state) == [.connected])
        withExtendedLifetime((gadget, phone, peripheral)) {}
    }

    @Test func `row 3: what the new program does not keep is let go`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let place = world.adapter(0xF1)
        var phone: Phone? = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        _ = try #require(phone?.peripheral(0xC1))
        var kept = phone?.open(0xC1)
        (kept, phone) = (nil, nil)
        world.run(for: .seconds(1))
        let next = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        #expect(world.radio.air.openLinks == 1)
        next.restored = [:]
        world.run(for: .seconds(2))
        #expect(world.radio.air.openLinks == 0)
        withExtendedLifetime((gadget, kept, phone)) {}
    }

    @Test func `row 3: without an identifier, with another or with nothing left nothing is restored`() throws
    {
        for (first, second) in [(nil, "app"), ("app", nil), ("app", "other"), ("app", "app")] {
            let world = BluetoothWorld()
            let gadget = Gadget.usual(world)
            let place = world.adapter(0xF1)
            let identify = { (name: String?) in
                name.map { [CBCentralManagerOptionRestoreIdentifierKey: $0 as Any] }
            }
            var phone: Phone? = Phone(world, place, options: identify(first))
            world.run(for: .seconds(1))
            if first != second { phone?.manager.scanForPeripherals(withServices: nil) }
            world.run(for: .seconds(1))
            phone = nil
            world.run(for: .seconds(1))
            let next = Phone(world, place, options: identify(second))
            world.run(for: .seconds(1))
            #expect(next.lines.all == ["state 5"])
            withExtendedLifetime((gadget, phone)) {}
        }
    }

    @Test
    func `row 3: a manager that comes before the other went takes nothing over, and nothing stays behind`()
        throws
    {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let place = world.adapter(0xF1)
        var phone: Phone? = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        var kept = phone?.open(0xC1)
        #expect(kept?.state == .connected)
        let next = Phone(world, place, options: Self.options)
        (kept, phone) = (nil, nil)
        world.run(for: .seconds(3))
        #expect(next.lines.all == ["state 5"] && world.radio.air.openLinks == 0)
        withExtendedLifetime((gadget, kept, phone)) {}
    }

    @Test func `row 3: without power nothing is left to restore`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let place = world.adapter(0xF1)
        var phone: Phone? = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        phone?.manager.scanForPeripherals(withServices: nil)
        world.run(for: .seconds(1))
        phone = nil
        world.run(for: .seconds(1))
        place.0.setPower(false)
        world.run(for: .seconds(1))
        let next = Phone(world, place, options: Self.options)
        world.run(for: .seconds(1))
        #expect(next.lines.all == ["state 4"])
        withExtendedLifetime((gadget, phone)) {}
    }
}
