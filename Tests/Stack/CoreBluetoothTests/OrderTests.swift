@_spi(Host) import CoreBluetooth
import Foundation
import Runtime
import Testing
import VirtualController

/// Rows 13, 14, 22 and 28: calls wait for each other, and each ends.
@Suite struct OrderTests {
    @Test func `row 13: an application may call without waiting, and is answered in that order`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let value = try #require(peripheral.characteristic("FF01"))
        let notifying = try #require(peripheral.characteristic("FF02"))
        let service = try #require(value.service)
        // Subscribing takes two requests where the configuration must be found first.
        peripheral.setNotifyValue(true, for: notifying)
        peripheral.readValue(for: value)
        peripheral.writeValue(Data([4]), for: value, type: .withResponse)
        peripheral.readValue(for: value)
        peripheral.discoverDescriptors(for: value)
        peripheral.discoverServices([uuid("FF00")])
        peripheral.discoverCharacteristics(nil, for: service)
        peripheral.setNotifyValue(false, for: notifying)
        peripheral.readValue(for: value)
        world.run(for: .seconds(5))
        #expect(
            phone.lines.all == [
                "notify FF02 true nil", "value FF01 [1, 2, 3] nil", "wrote FF01 nil", "value FF01 [4] nil",
                "descriptors [] nil", "services [\"1800\", \"1801\", \"FF00\"] nil",
                "characteristics FF00 [\"FF01\", \"FF02\", \"FF03\", \"FF04\", \"FF05\"] nil",
                "notify FF02 false nil", "value FF01 [4] nil",
            ])
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 13: one request is outstanding at a time`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let value = try #require(peripheral.characteristic("FF01"))
        // The gadget takes its time, and looks how many requests there are.
        var most = 0
        gadget.onRead = { gadget, request in
            let world = gadget.world
            most = max(most, world.sentPDUs(0x0A, by: phone.controller).count - gadget.commands.count)
            gadget.adapter.asyncAfter(.milliseconds(500), on: world.delivery.inline) {
                gadget.commands.append([])
                request.value = Data([1])
                gadget.manager.respond(to: request, withResult: .success)
            }
        }
        let before = world.sentPDUs(0x0A, by: phone.controller).count
        for _ in 0..<10 { peripheral.readValue(for: value) }
        world.run(for: .seconds(10))
        #expect(phone.lines.count("value FF01 [1] nil") == 10 && most - before == 1)
    }

    @Test func `row 20: a value without response follows what was asked for before it`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let value = try #require(peripheral.characteristic("FF01"))
        let command = try #require(peripheral.characteristic("FF04"))
        let before = world.sentPDUs(by: phone.controller).count
        peripheral.writeValue(Data([1]), for: command, type: .withoutResponse)
        peripheral.writeValue(Data([2]), for: value, type: .withResponse)
        // The request is on its way; a command need not wait for its response.
        peripheral.writeValue(Data([3]), for: command, type: .withoutResponse)
        peripheral.writeValue(Data([4]), for: value, type: .withResponse)
        peripheral.writeValue(Data([5]), for: command, type: .withoutResponse)
        peripheral.writeValue(Data([6]), for: command, type: .withoutResponse)
        peripheral.readValue(for: value)
        world.run(for: .seconds(5))
        #expect(world.sentPDUs(by: phone.controller)[before...].map(\.last) == [1, 2, 3, 4, 5, 6, 0])
        #expect(gadget.commands == [[1], [3], [5], [6]])
        #expect(phone.lines.matching("wrote").count == 2 && peripheral.canSendWriteWithoutResponse)
    }

    @Test func `row 20: it follows them also while the host asks for what it needs itself`() throws {
        // After connecting the host has requests of its own under way, at some of these times.
        for delay in stride(from: 0, to: 600, by: 15) {
            let world = BluetoothWorld()
            let gadget = Gadget.usual(world)
            let phone = Phone.on(world)
            let peripheral = try #require(phone.open(0xC1, discovers: false))
            peripheral.discoverServices([uuid("FF00")])
            phone.wait("services")
            peripheral.discoverCharacteristics(nil, for: try #require(peripheral.services?.first))
            phone.wait("characteristics")
            world.run(for: .milliseconds(delay))
            let before = world.sentPDUs(by: phone.controller).count
            peripheral.writeValue(
                Data([2]), for: try #require(peripheral.characteristic("FF01")), type: .withResponse)
            peripheral.writeValue(
                Data([3]), for: try #require(peripheral.characteristic("FF04")), type: .withoutResponse)
            world.run(for: .seconds(5))
            let sent = world.sentPDUs(by: phone.controller)[before...].compactMap(\.last)
            #expect(sent.filter { [2, 3].contains($0) } == [2, 3], "after \(delay) ms")
            withExtendedLifetime(gadget) {}
        }
    }

    @Test func `on request, calls that lose their link stay unanswered, as on a phone`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone(world, world.adapter(0xF1, controller: { _ in }) { $0.answersLostCalls = false })
        world.run(for: .seconds(1)) { phone.manager.state == .poweredOn }
        let peripheral = try #require(phone.open(0xC1))
        gadget.onRead = { _, _ in }
        let value = try #require(peripheral.characteristic("FF01"))
        peripheral.readValue(for: value)
        peripheral.writeValue(Data([4]), for: value, type: .withResponse)
        world.run(for: .seconds(1))
        phone.manager.cancelPeripheralConnection(peripheral)
        world.run(for: .seconds(5))
        peripheral.readValue(for: value)
        peripheral.readRSSI()
        world.run(for: .seconds(60))
        #expect(phone.lines.all == ["disconnected nil 0"])
        #expect(phone.manager.misuse.map { $0.hasSuffix("is not connected: no callback follows") } == [true])
        // The next link's calls are answered again.
        gadget.onRead = nil
        let again = try #require(phone.open(0xC1))
        again.readValue(for: try #require(again.characteristic("FF01")))
        #expect(phone.wait("value FF01"))
    }

    @Test func `row 22: a peripheral that does not answer for 30 s loses the link, and all calls fail`()
        throws
    {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        gadget.onRead = { _, _ in }
        let value = try #require(peripheral.characteristic("FF01"))
        peripheral.readValue(for: value)
        peripheral.writeValue(Data([4]), for: value, type: .withResponse)
        peripheral.discoverServices(nil)
        world.run(for: .seconds(29))
        #expect(phone.lines.all.isEmpty)
        world.run(for: .seconds(10))
        #expect(phone.lines.all.count == 4 && phone.lines.all.first == "value FF01 [] 6")
        #expect(phone.lines.all.last == "disconnected 6 0" && phone.lines.matching("wrote FF01 3").count == 1)
        #expect(world.radio.air.openLinks == 0)
    }

    /// What ends a link: by name, and what the application is told at the end.
    enum End: String, CaseIterable, Sendable {
        case loss, power, reset, cancel, gone
    }

    @Test(arguments: End.allCases)
    func `row 28: whatever ends the link, each call ends once, and before the link does`(end: End) throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        gadget.onRead = { _, _ in }
        let value = try #require(peripheral.characteristic("FF01"))
        let notifying = try #require(peripheral.characteristic("FF02"))
        peripheral.readValue(for: value)
        world.run(for: .milliseconds(200))
        peripheral.writeValue(Data([4]), for: value, type: .withResponse)
        peripheral.setNotifyValue(true, for: notifying)
        peripheral.discoverServices(nil)
        peripheral.discoverDescriptors(for: value)
        peripheral.readRSSI()
        world.run(for: .milliseconds(1))
        switch end {
        case .loss: world.radio.separate(phone.controller, gadget.controller)
        case .power: phone.adapter.setPower(false)
        case .reset: world.inject([0x10, 1, 1], into: phone.controller)
        case .cancel: phone.manager.cancelPeripheralConnection(peripheral)
        case .gone:
            world.radio.cutPower(of: gadget.controller)
        }
        world.run(for: .seconds(20))
        let lines = phone.lines.all.filter { !$0.hasPrefix("state") && !$0.hasPrefix("rssi") }
        #expect(
            lines.dropLast().map { $0.prefix { $0 != " " } }.sorted() == [
                "descriptors", "notify", "services", "value", "wrote",
            ])
        #expect(lines.dropLast().allSatisfy { $0.hasSuffix(" 3") })
        #expect(lines.last?.hasPrefix("disconnected") ?? false)
        #expect(phone.lines.matching("rssi").count == 1)
    }

    @Test func `row 28: without a link each call ends with an error at once`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let value = try #require(peripheral.characteristic("FF01"))
        let service = try #require(value.service)
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.wait("disconnected")
        phone.lines.clear()
        peripheral.discoverServices(nil)
        peripheral.discoverCharacteristics(nil, for: service)
        peripheral.discoverIncludedServices(nil, for: service)
        peripheral.readValue(for: value)
        peripheral.writeValue(Data([1]), for: value, type: .withResponse)
        peripheral.writeValue(Data([1]), for: value, type: .withoutResponse)
        peripheral.setNotifyValue(true, for: value)
        peripheral.readRSSI()
        world.run(for: .seconds(1))
        #expect(
            phone.lines.all.map { $0.prefix { $0 != " " } } == [
                "services", "characteristics", "included", "value", "wrote", "notify", "rssi",
            ])
        #expect(phone.lines.all.allSatisfy { $0.hasSuffix(" 3") })
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 28: attributes of another peripheral end with an error`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let other = Gadget.usual(world, 0xC2)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let second = try #require(phone.open(0xC2))
        let strange = try #require(second.characteristic("FF01"))
        let own = try #require(gadget.characteristic("FF01"))
        for characteristic in [strange, own] {
            peripheral.readValue(for: characteristic)
            peripheral.writeValue(Data(), for: characteristic, type: .withResponse)
            peripheral.setNotifyValue(true, for: characteristic)
            peripheral.discoverDescriptors(for: characteristic)
            peripheral.writeValue(Data(), for: characteristic, type: .withoutResponse)
        }
        world.run(for: .seconds(1))
        #expect(phone.lines.all.count == 8 && phone.lines.all.allSatisfy { $0.hasSuffix(" 2") })
        #expect(peripheral.canSendWriteWithoutResponse)
        withExtendedLifetime((gadget, other)) {}
    }
}
