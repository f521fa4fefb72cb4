import Adapters
import BluetoothCore
import CoreBluetooth
import Foundation
import LEHost
import Runtime
import TestSupport
import Testing
import VirtualController

/// Channels and their streams between two programs on the virtual air.
@Suite struct ChannelTests {
    /// A phone that is connected to a gadget which publishes a channel.
    struct Pair {
        let world = BluetoothWorld()
        let gadget: Gadget
        let phone: Phone
        let peripheral: CBPeripheral
        let psm: CBL2CAPPSM

        init(encrypted: Bool = false, _ configure: (inout BluetoothAdapter.Configuration) -> Void = { _ in })
            throws
        {
            gadget = Gadget(world, world.adapter(0xC1, configure), [Gadget.usualService()])
            let gadget = gadget
            world.run(for: .seconds(1)) { gadget.manager.isAdvertising }
            phone = Phone(world, world.adapter(0xF1, configure))
            let phone = phone
            world.run(for: .seconds(1)) { phone.manager.state == .poweredOn }
            peripheral = try #require(phone.open(0xC1, discovers: false))
            gadget.manager.publishL2CAPChannel(withEncryption: encrypted)
            world.run(for: .seconds(1)) { gadget.published != nil }
            psm = try #require(gadget.published)
            world.run(for: .seconds(3))
        }

        /// Opens a channel with a talker at each end; the gadget's sends back what comes.
        func open(portion: Int = 100) throws -> (Talker, Talker) {
            peripheral.openL2CAPChannel(psm)
            world.run(for: .seconds(10)) { phone.channels.count > 0 && gadget.channels.count > 0 }
            let (mine, its) = (try #require(phone.channels.last), try #require(gadget.channels.last))
            return AdapterSlot.with(phone.adapter) {
                (Talker(mine, portion: portion), Talker(its, echoes: true, portion: portion + 7))
            }
        }
    }

    @Test func `a channel carries bytes both ways, and both programs see each other's end`() throws {
        let pair = try Pair()
        #expect(pair.psm == 0x80 && pair.gadget.lines.count("channel nil") == 1)
        let (mine, its) = try pair.open()
        #expect(mine.channel.psm == pair.psm && its.channel.psm == pair.psm)
        #expect(mine.channel.peer === pair.peripheral && its.channel.peer is CBCentral)
        #expect(mine.channel.inputStream.streamStatus == .open)
        let text = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        mine.say(text)
        #expect(!mine.pending.isEmpty && !mine.channel.outputStream.hasSpaceAvailable)
        pair.world.run(for: .seconds(600)) { mine.came.count == text.count }
        // In two steps: the difference of long arrays takes minutes to show.
        let arrived = (mine.came == text, its.came == text)
        #expect(arrived == (true, true), "\(mine.came.count) and \(its.came.count) bytes")
        mine.close()
        pair.world.run(for: .seconds(5))
        #expect(its.lines.all.last == "out end" && its.lines.count("in end") == 1)
        #expect(its.channel.inputStream.streamStatus == .atEnd)
        #expect(mine.channel.outputStream.streamStatus == .closed)
        let more = unsafe mine.channel.outputStream.write([1], maxLength: 1)
        #expect(more == -1)
    }

    @Test func `the events of streams come in their order, and bytes are told of once until they are read`()
        throws
    {
        let pair = try Pair()
        let (mine, its) = try pair.open()
        pair.world.run(for: .seconds(1))
        #expect(mine.lines.all == ["in open", "out open", "out space"])
        its.onBytes = { _ in }
        mine.say([1, 2, 3])
        pair.world.run(for: .seconds(1))
        mine.say([4])
        pair.world.run(for: .seconds(1))
        #expect(its.lines.all == ["in open", "out open", "out space", "in bytes"])
        #expect(mine.lines.count("out space") == 3)
        its.read()
        #expect(its.came == [1, 2, 3, 4] && !its.channel.inputStream.hasBytesAvailable)
    }

    @Test func `a program that does not read stops the other, and reading lets it go on`() throws {
        let pair = try Pair()
        let (mine, its) = try pair.open(portion: 5000)
        its.onBytes = { _ in }
        let text = [UInt8](repeating: 5, count: 60_000)
        mine.say(text)
        pair.world.run(for: .seconds(300))
        let stopped = mine.pending.count
        #expect(stopped > 15_000)
        pair.world.run(for: .seconds(60))
        #expect(mine.pending.count == stopped)
        its.onBytes = nil
        its.read()
        pair.world.run(for: .seconds(600)) { its.came.count == text.count }
        let isSame = its.came == text
        #expect(isSame)
    }

    @Test func `what was written before the streams were closed arrives`() throws {
        let pair = try Pair()
        let (mine, its) = try pair.open(portion: 4000)
        let text = (0..<16_000).map { UInt8(truncatingIfNeeded: $0) }
        mine.say(text)
        mine.close()
        pair.world.run(for: .seconds(60))
        let isSame = its.came == text
        #expect(isSame && its.lines.count("in end") == 1)
    }

    @Test func `a channel that the program lets go closes, and one whose link ends says so`() throws {
        let pair = try Pair()
        let its: Talker = try {
            let (mine, its) = try pair.open()
            mine.say([1])
            pair.phone.channels = []
            return its
        }()
        pair.world.run(for: .seconds(5))
        #expect(its.came == [1] && its.lines.count("in end") == 1)

        let (mine, other) = try pair.open()
        pair.phone.manager.cancelPeripheralConnection(pair.peripheral)
        pair.world.run(for: .seconds(5))
        #expect(mine.lines.matching("in error") == ["in error 7"])
        #expect(other.lines.matching("out error") == ["out error 7"])
        #expect(mine.channel.inputStream.streamError != nil)
        pair.peripheral.openL2CAPChannel(pair.psm)
        pair.world.run(for: .seconds(1))
        #expect(pair.phone.lines.all.last == "channel 3")
    }

    @Test func `a service that is taken away closes its channels, and none is opened to it any more`() throws
    {
        let pair = try Pair()
        let (mine, _) = try pair.open()
        pair.gadget.manager.unpublishL2CAPChannel(pair.psm)
        pair.gadget.manager.unpublishL2CAPChannel(0x99)
        pair.world.run(for: .seconds(5))
        #expect(
            pair.gadget.lines.matching("no channel") == ["no channel \(pair.psm) nil", "no channel 153 1"])
        #expect(mine.lines.count("in end") == 1)
        pair.peripheral.openL2CAPChannel(pair.psm)
        pair.phone.wait("channel")
        #expect(pair.phone.lines.all.last == "channel 13")
        pair.gadget.manager.publishL2CAPChannel(withEncryption: false)
        pair.gadget.manager.publishL2CAPChannel(withEncryption: true)
        pair.world.run(for: .seconds(1))
        #expect(pair.gadget.published == 0x81)
    }

    @Test func `a service that wants encryption gets it by pairing, once`() throws {
        let pair = try Pair(encrypted: true) { $0.host.security = SecurityPolicy() }
        let (mine, its) = try pair.open()
        mine.say([1, 2])
        pair.world.run(for: .seconds(5)) { mine.came.count == 2 }
        #expect(mine.came == [1, 2] && its.came == [1, 2])
        #expect(pair.phone.adapter.host.bonds.count == 1)

        let refused = try Pair(encrypted: true)
        refused.peripheral.openL2CAPChannel(refused.psm)
        refused.phone.wait("channel")
        #expect(refused.phone.lines.all.last == "channel att5" && refused.gadget.channels.isEmpty)
    }

    @Test func `streams in the main run loop tell their delegate in virtual time`() throws {
        let pair = try Pair()
        pair.peripheral.openL2CAPChannel(pair.psm)
        pair.world.run(for: .seconds(10)) { pair.phone.channels.count > 0 && pair.gadget.channels.count > 0 }
        let mine = Talker(try #require(pair.phone.channels.last), loop: .main)
        let its = Talker(try #require(pair.gadget.channels.last), echoes: true, loop: .main)
        pair.world.run(for: .seconds(1)) { mine.lines.count("out space") == 1 }
        mine.say([1, 2, 3])
        pair.world.run(for: .seconds(5)) { mine.came.count == 3 }
        #expect(mine.came == [1, 2, 3] && its.came == [1, 2, 3])
        #expect(mine.lines.all == ["in open", "out open", "out space", "out space", "in bytes"])
    }

    @Test(.realTime)
    func `a run loop of the program's own thread tells it, and a read without bytes waits for some`()
        throws
    {
        let time = RealTime()
        let radio = VirtualRadio(seed: 1, scheduler: time)
        func adapter(_ address: UInt64) -> BluetoothAdapter {
            let controller = radio.add(
                ControllerConfiguration(publicAddress: DeviceAddress(address, .public)))
            return BluetoothAdapter(
                pipe: PacketPipe(
                    attach: { radio.attach(controller, $0) }, send: { radio.send($0, from: controller) }),
                time: time, entropy: SeededEntropy(seed: address), delivery: LiveDelivery())
        }
        let ends = LiveEnds(central: adapter(0xF1), peripheral: adapter(0xC1))
        time.start()
        defer { ends.close() }
        let (mine, its) = try ends.open()
        let talker = Guest(its)
        let input = try #require(mine.inputStream)
        let output = try #require(mine.outputStream)
        input.open()
        output.open()
        let text = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        Thread.detachNewThread { [output = Handed(output)] in
            var left = text[...]
            while !left.isEmpty {
                let count = unsafe output.value.write(Array(left), maxLength: left.count)
                guard count > 0 else { return }
                left = left.dropFirst(count)
            }
        }
        var came: [UInt8] = []
        while came.count < text.count {
            var buffer = [UInt8](repeating: 0, count: 1000)
            let count = unsafe input.read(&buffer, maxLength: 1000)
            try #require(count > 0)
            came += buffer[..<count]
        }
        let isSame = came == text
        #expect(isSame)
        talker.cancel()
    }
}
