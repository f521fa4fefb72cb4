import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import Testing
import VirtualController

/// The peripheral side: values sent to those who subscribed.
@Suite struct UpdateTests {
    /// A gadget, and phones that have subscribed to a characteristic of it.
    static func subscribed(
        _ world: BluetoothWorld, _ count: Int, to name: String, _ change: (Gadget) -> Void = { _ in }
    ) throws -> (Gadget, [(Phone, CBPeripheral)]) {
        let place = world.adapter(
            0xC1,
            controller: {
                $0.aclPacketCount = 1
                $0.pdusPerEvent = 1
            })
        let gadget = Gadget(world, place, [Gadget.usualService()])
        change(gadget)
        world.run(for: .seconds(1))
        var all: [(Phone, CBPeripheral)] = []
        for number in 0..<count {
            let phone = Phone.on(world, 0xF1 + UInt64(number))
            let peripheral = try #require(phone.open(0xC1))
            peripheral.setNotifyValue(true, for: try #require(peripheral.characteristic(name)))
            phone.wait("notify")
            phone.lines.clear()
            all.append((phone, peripheral))
        }
        return (gadget, all)
    }

    /// Sends numbered values as long as there is room.
    static func send(_ gadget: Gadget, _ name: String, _ next: inout Int, _ total: Int, length: Int) {
        while next < total {
            let value = [UInt8](repeating: UInt8(truncatingIfNeeded: next), count: length)
            guard gadget.update(name, value) else { return }
            next += 1
        }
    }

    @Test func `centrals subscribe and go one by one`() throws {
        let world = BluetoothWorld()
        let (gadget, all) = try Self.subscribed(world, 2, to: "FF02")
        let characteristic = try #require(gadget.characteristic("FF02"))
        #expect(gadget.lines.matching("subscribed") == ["subscribed f1 FF02", "subscribed f2 FF02"])
        #expect(characteristic.subscribedCentrals?.map(\.address.value) == [0xF1, 0xF2])
        #expect(characteristic.subscribedCentrals?.map(\.maximumUpdateValueLength) == [512, 512])
        all[0].0.manager.cancelPeripheralConnection(all[0].1)
        world.run(for: .seconds(2))
        #expect(gadget.lines.matching("unsubscribed") == ["unsubscribed f1 FF02"])
        gadget.update("FF02", [5])
        world.run(for: .seconds(1))
        #expect(all[0].0.lines.matching("value").isEmpty)
        #expect(all[1].0.lines.all == ["value FF02 [5] nil"])
        #expect(characteristic.subscribedCentrals?.map(\.address.value) == [0xF2])
    }

    @Test func `a value goes to those of the centrals that it is for`() throws {
        let world = BluetoothWorld()
        let (gadget, all) = try Self.subscribed(world, 2, to: "FF02")
        let characteristic = try #require(gadget.characteristic("FF02"))
        let second = try #require(characteristic.subscribedCentrals?.last)
        let isTaken = gadget.manager.updateValue(
            Data([6]), for: characteristic, onSubscribedCentrals: [second])
        world.run(for: .seconds(1))
        #expect(isTaken && all[0].0.lines.all.isEmpty && all[1].0.lines.all == ["value FF02 [6] nil"])
    }

    @Test(arguments: ["FF02", "FF03"], [1, 20, 100])
    func `when the queue is full it says so, then that there is room, and nothing is lost`(
        name: String, length: Int
    ) throws {
        let world = BluetoothWorld()
        let (gadget, all) = try Self.subscribed(world, 2, to: name)
        var next = 0
        let total = 200
        gadget.onReady = { Self.send($0, name, &next, total, length: length) }
        Self.send(gadget, name, &next, total, length: length)
        #expect(next < total)
        world.run(for: .seconds(300)) { all.allSatisfy { $0.0.lines.all.count == total } }
        for (phone, _) in all {
            let shown = { (number: Int) in
                length > 20
                    ? "\(length) bytes"
                    : "\([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: length))"
            }
            #expect(phone.lines.all == (0..<total).map { "value \(name) \(shown($0)) nil" })
        }
        #expect(gadget.lines.count("ready") > 1)
    }

    @Test func `long answers that fill the link do not stop what is sent for ever`() throws {
        let world = BluetoothWorld()
        let (gadget, all) = try Self.subscribed(world, 1, to: "FF02")
        gadget.values["FF01"] = ValueTests.pattern
        let (phone, peripheral) = all[0]
        peripheral.readValue(for: try #require(peripheral.characteristic("FF01")))
        world.run(for: .seconds(1)) { !gadget.lines.matching("read").isEmpty }
        // The answer, 20 packets, is on its way; there is no room, and the word that there is must come.
        for number in 0..<10 { gadget.update("FF02", [UInt8(number)]) }
        world.run(for: .seconds(10))
        #expect(phone.lines.matching("value FF02").count == 10)
    }

    @Test func `one slow central does not let the queue grow behind the others`() throws {
        let world = BluetoothWorld()
        let (gadget, all) = try Self.subscribed(world, 2, to: "FF02")
        world.radio.separate(gadget.controller, all[0].0.controller)
        var next = 0
        gadget.onReady = { Self.send($0, "FF02", &next, 1000, length: 20) }
        Self.send(gadget, "FF02", &next, 1000, length: 20)
        world.run(for: .seconds(3))
        #expect(next < 100)
        // With the lost one gone the others are served.
        world.run(for: .seconds(300)) { all[1].0.lines.all.count == 1000 }
        #expect(all[1].0.lines.all.count == 1000)
    }

    @Test func `who waits for room is told when all centrals have gone`() throws {
        let world = BluetoothWorld()
        let (gadget, all) = try Self.subscribed(world, 1, to: "FF02")
        var next = 0
        Self.send(gadget, "FF02", &next, 1000, length: 500)
        world.radio.separate(gadget.controller, all[0].0.controller)
        world.run(for: .seconds(10))
        #expect(gadget.lines.count("ready") >= 1 && gadget.lines.matching("unsubscribed").count == 1)
        // No one hears it, and there is room.
        #expect(gadget.update("FF02", [1]))
    }

    @Test func `an indication is confirmed by the host, and the link goes on`() throws {
        let world = BluetoothWorld()
        let (gadget, all) = try Self.subscribed(world, 1, to: "FF03")
        gadget.update("FF03", [1])
        #expect(all[0].0.wait("value FF03 [1] nil"))
        world.run(for: .seconds(60))
        #expect(all[0].1.state == .connected)
        #expect(world.sentPDUs(0x1E, by: all[0].0.controller).count >= 1)
    }

    @Test func `a value that is longer than the link takes is cut to what it takes`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = ValueTests.place(world, mtu: nil)
        let peripheral = try #require(phone.open(0xC1))
        peripheral.setNotifyValue(true, for: try #require(peripheral.characteristic("FF02")))
        phone.wait("notify")
        #expect(gadget.characteristic("FF02")?.subscribedCentrals?.first?.maximumUpdateValueLength == 20)
        gadget.update("FF02", [UInt8](repeating: 1, count: 100))
        phone.wait("value FF02")
        #expect(peripheral.characteristic("FF02")?.value == Data(repeating: 1, count: 20))
    }
}
