import CoreBluetooth
import Testing
import VirtualController

/// Rows 15, 16 and 26: who is sent what.
@Suite struct SubscriptionTests {
    @Test func `row 15: reads, notifications and indications come by one callback`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        for name in ["FF02", "FF03"] {
            peripheral.setNotifyValue(true, for: try #require(peripheral.characteristic(name)))
            phone.wait("notify")
        }
        phone.lines.clear()
        peripheral.readValue(for: try #require(peripheral.characteristic("FF01")))
        world.run(for: .seconds(1))
        gadget.update("FF02", [8])
        gadget.update("FF03", [9])
        world.run(for: .seconds(1))
        #expect(
            phone.lines.all == ["value FF01 [1, 2, 3] nil", "value FF02 [8] nil", "value FF03 [9] nil"])
    }

    @Test(arguments: [("FF02", [1, 0]), ("FF03", [2, 0]), ("FF05", [1, 0])] as [(String, [UInt8])])
    func `row 16: notifications go before indications`(name: String, written: [UInt8]) throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let characteristic = try #require(peripheral.characteristic(name))
        let before = world.sentPDUs(0x12, by: phone.controller).count
        peripheral.setNotifyValue(true, for: characteristic)
        #expect(phone.wait("notify \(name) true nil"))
        let writes = world.sentPDUs(0x12, by: phone.controller).dropFirst(before)
        #expect(writes.map { Array($0.dropFirst(3)) } == [written])
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 16: a state that does not change is answered without a word on the air`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let characteristic = try #require(peripheral.characteristic("FF02"))
        let before = world.sentPDUs(0x12, by: phone.controller).count
        for isOn in [false, true, true, false, false, true] {
            peripheral.setNotifyValue(isOn, for: characteristic)
        }
        world.run(for: .seconds(3))
        #expect(
            phone.lines.all.map { $0.split(separator: " ")[2] } == [
                "false", "true", "true", "false", "false", "true",
            ])
        #expect(world.sentPDUs(0x12, by: phone.controller).count - before == 3)
        #expect(gadget.lines.matching("subscribed").count == 2)
        #expect(gadget.lines.matching("unsubscribed").count == 1)
    }

    @Test func `row 16: what can't notify says so, and what needs encryption is refused`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget(
            world, world.adapter(0xC1),
            [
                Gadget.service(
                    "FF00",
                    [
                        ("FF01", [.read], [.readable]), ("FF06", [.notifyEncryptionRequired], []),
                        ("FF07", [.indicateEncryptionRequired, .read], [.readable]),
                    ])
            ])
        world.run(for: .seconds(1))
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        #expect(peripheral.characteristic("FF06")?.properties == [.notify])
        #expect(peripheral.characteristic("FF07")?.properties == [.indicate, .read])
        for name in ["FF01", "FF06", "FF07"] {
            peripheral.setNotifyValue(true, for: try #require(peripheral.characteristic(name)))
        }
        world.run(for: .seconds(3))
        #expect(
            phone.lines.all == [
                "notify FF01 false att6", "notify FF06 false att5", "notify FF07 false att5",
            ])
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 16: after a refusal it can be tried again`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let plain = try #require(peripheral.characteristic("FF01"))
        peripheral.setNotifyValue(true, for: plain)
        peripheral.setNotifyValue(true, for: plain)
        peripheral.setNotifyValue(false, for: plain)
        world.run(for: .seconds(2))
        #expect(
            phone.lines.all == ["notify FF01 false att6", "notify FF01 false att6", "notify FF01 false nil"])
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 26: two managers subscribe to one value, and each is sent it as long as it wants`() throws
    {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let one = Phone.on(world)
        let other = Phone(world, (one.adapter, one.controller))
        world.run(for: .seconds(1))
        let first = try #require(one.open(0xC1))
        let second = try #require(other.open(0xC1))
        one.lines.clear()
        let before = world.sentPDUs(0x12, by: one.controller).count
        first.setNotifyValue(true, for: try #require(first.characteristic("FF02")))
        second.setNotifyValue(true, for: try #require(second.characteristic("FF02")))
        world.run(for: .seconds(2))
        #expect(other.lines.all == ["notify FF02 true nil"])
        gadget.update("FF02", [1])
        world.run(for: .seconds(1))
        first.setNotifyValue(false, for: try #require(first.characteristic("FF02")))
        world.run(for: .seconds(1))
        gadget.update("FF02", [2])
        world.run(for: .seconds(1))
        #expect(one.lines.matching("value") == ["value FF02 [1] nil"])
        #expect(other.lines.matching("value") == ["value FF02 [1] nil", "value FF02 [2] nil"])
        // One word on the air for both so far; the last to go says another.
        #expect(world.sentPDUs(0x12, by: one.controller).count - before == 1)
        second.setNotifyValue(false, for: try #require(second.characteristic("FF02")))
        world.run(for: .seconds(1))
        #expect(world.sentPDUs(0x12, by: one.controller).count - before == 2)
        #expect(gadget.lines.matching("unsub") == ["unsubscribed f1 FF02"])
    }

    @Test func `row 26: a manager that leaves a shared link takes its subscriptions with it`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let one = Phone.on(world)
        let other = Phone(world, (one.adapter, one.controller))
        world.run(for: .seconds(1))
        let first = try #require(one.open(0xC1))
        let second = try #require(other.open(0xC1))
        first.setNotifyValue(true, for: try #require(first.characteristic("FF02")))
        one.wait("notify")
        one.manager.cancelPeripheralConnection(first)
        #expect(one.wait("disconnected nil 0"))
        world.run(for: .seconds(1))
        #expect(second.state == .connected && gadget.lines.all.last == "unsubscribed f1 FF02")
        // Back on the link it is sent nothing before it subscribes again, and then it is.
        let again = try #require(one.open(0xC1))
        again.setNotifyValue(true, for: try #require(again.characteristic("FF02")))
        one.wait("notify FF02 true nil")
        gadget.update("FF02", [3])
        #expect(one.wait("value FF02 [3] nil") && gadget.lines.all.last == "subscribed f1 FF02")
    }
}
