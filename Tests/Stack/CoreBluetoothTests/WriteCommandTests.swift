import CoreBluetooth
import Foundation
import Testing
import VirtualController

/// Rows 19 and 20: values without response go as fast as the controller takes them, and none is lost.
@Suite struct WriteCommandTests {
    /// A phone whose controller holds few and small packets, connected.
    static func slow(
        _ world: BluetoothWorld, count: UInt8 = 1, length: UInt16 = 27
    ) throws -> (Gadget, Phone, CBPeripheral) {
        let gadget = Gadget.usual(world)
        let phone = Phone(
            world,
            world.adapter(
                0xF1,
                controller: {
                    $0.aclPacketCount = count
                    $0.aclPacketLength = length
                    $0.pdusPerEvent = 1
                }))
        world.run(for: .seconds(1))
        let peripheral = try #require(phone.open(0xC1))
        return (gadget, phone, peripheral)
    }

    /// Writes numbered values as long as there is room, and goes on when it is told that there is.
    final class Writer: @unchecked Sendable {
        let characteristic: CBCharacteristic
        let total: Int
        let length: Int
        var next = 0

        init(_ characteristic: CBCharacteristic, total: Int, length: Int) {
            self.characteristic = characteristic
            self.total = total
            self.length = length
        }

        func go(_ peripheral: CBPeripheral) {
            while next < total, peripheral.canSendWriteWithoutResponse {
                let value = [UInt8(truncatingIfNeeded: next >> 8), UInt8(truncatingIfNeeded: next)]
                let rest = [UInt8](repeating: 0x5A, count: length - 2)
                peripheral.writeValue(Data(value + rest), for: characteristic, type: .withoutResponse)
                next += 1
            }
        }

        var all: [[UInt8]] {
            (0..<total).map { number in
                [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
                    + [UInt8](repeating: 0x5A, count: length - 2)
            }
        }
    }

    @Test(arguments: [2, 20, 24, 244, 512], [UInt8(1), 4])
    func `rows 19 and 20: with few buffers none is lost, and each stop is followed by a word to go on`(
        length: Int, buffers: UInt8
    ) throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.slow(world, count: buffers)
        let writer = Writer(
            try #require(peripheral.characteristic("FF04")), total: length > 100 ? 60 : 300, length: length)
        phone.onReady = { writer.go($0) }
        writer.go(peripheral)
        #expect(writer.next < writer.total && !peripheral.canSendWriteWithoutResponse)
        world.run(for: .seconds(600)) { gadget.commands.count == writer.total }
        #expect(gadget.commands == writer.all)
        #expect(phone.lines.all.allSatisfy { $0 == "ready" } && !phone.lines.all.isEmpty)
    }

    @Test func `row 20: while the controller completes nothing there is room for nothing`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.slow(world, count: 2)
        world.radio.separate(phone.controller, gadget.controller)
        let writer = Writer(try #require(peripheral.characteristic("FF04")), total: 1000, length: 20)
        phone.onReady = { writer.go($0) }
        writer.go(peripheral)
        world.run(for: .seconds(3))
        let stopped = writer.next
        #expect(stopped < 100 && !peripheral.canSendWriteWithoutResponse)
        world.run(for: .milliseconds(500))
        #expect(writer.next == stopped)
        world.radio.rejoin(phone.controller, gadget.controller)
        world.run(for: .seconds(600)) { gadget.commands.count == 1000 }
        #expect(gadget.commands == writer.all)
    }

    @Test func `row 19: what is written without room is dropped, with no callback`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.slow(world)
        let characteristic = try #require(peripheral.characteristic("FF04"))
        for number in 0..<200 {
            peripheral.writeValue(Data([UInt8(number)]), for: characteristic, type: .withoutResponse)
        }
        world.run(for: .seconds(60))
        #expect(gadget.commands.count < 200)
        #expect(gadget.commands == (0..<gadget.commands.count).map { [UInt8($0)] })
        // What was refused was noticed, so there is one word to go on.
        #expect(phone.lines.all == ["ready"] && peripheral.canSendWriteWithoutResponse)
    }

    @Test func `row 19: who never saw it full is told nothing`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.slow(world)
        let characteristic = try #require(peripheral.characteristic("FF04"))
        for number in 0..<8 {
            peripheral.writeValue(Data([UInt8(number)]), for: characteristic, type: .withoutResponse)
        }
        world.run(for: .seconds(60))
        #expect(gadget.commands.count == 8 && phone.lines.all.isEmpty)
    }

    @Test func `row 19: a value that is too long is dropped and takes no room`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.slow(world)
        let characteristic = try #require(peripheral.characteristic("FF04"))
        let most = peripheral.maximumWriteValueLength(for: .withoutResponse)
        for _ in 0..<100 {
            peripheral.writeValue(Data(count: most + 10), for: characteristic, type: .withoutResponse)
            world.run(for: .milliseconds(10))
        }
        #expect(peripheral.canSendWriteWithoutResponse && gadget.commands.isEmpty)
        peripheral.writeValue(Data(count: most), for: characteristic, type: .withoutResponse)
        world.run(for: .seconds(10))
        #expect(gadget.commands.map(\.count) == [most] && phone.lines.all.isEmpty)
    }

    @Test func `row 19: requests that fill the link are followed by a word to go on, too`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.slow(world)
        // A long write is many packets; values without response wait behind them.
        let writer = Writer(try #require(peripheral.characteristic("FF04")), total: 50, length: 20)
        phone.onReady = { writer.go($0) }
        peripheral.writeValue(
            Data(count: 512), for: try #require(peripheral.characteristic("FF01")), type: .withResponse)
        world.run(for: .milliseconds(1))
        writer.go(peripheral)
        world.run(for: .seconds(60)) { gadget.commands.count == 50 }
        #expect(gadget.commands == writer.all)
    }

    @Test func `row 19: nothing can be sent without a link, and after it came back everything can`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.slow(world)
        let writer = Writer(try #require(peripheral.characteristic("FF04")), total: 40, length: 20)
        writer.go(peripheral)
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.wait("disconnected")
        #expect(!peripheral.canSendWriteWithoutResponse)
        let again = try #require(phone.open(0xC1))
        #expect(again === peripheral && peripheral.canSendWriteWithoutResponse)
        gadget.commands = []
        let next = Writer(try #require(peripheral.characteristic("FF04")), total: 100, length: 20)
        phone.onReady = { next.go($0) }
        next.go(peripheral)
        world.run(for: .seconds(60)) { gadget.commands.count == 100 }
        #expect(gadget.commands == next.all)
    }

    @Test func `rows 20 and 26: two managers on a slow link lose nothing either`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, first) = try Self.slow(world)
        let other = Phone(world, (phone.adapter, phone.controller))
        world.run(for: .seconds(1))
        let second = try #require(other.open(0xC1))
        let one = Writer(try #require(first.characteristic("FF04")), total: 150, length: 20)
        let two = Writer(try #require(second.characteristic("FF04")), total: 150, length: 21)
        phone.onReady = { one.go($0) }
        other.onReady = { two.go($0) }
        one.go(first)
        two.go(second)
        world.run(for: .seconds(200)) { gadget.commands.count == 300 }
        #expect(gadget.commands.filter { $0.count == 20 } == one.all)
        #expect(gadget.commands.filter { $0.count == 21 } == two.all)
    }
}
