import BluetoothCore
import CoreBluetooth
import Gadgets
import Testing
import WireBytes

@testable import UQDKBle

@Suite struct LinkDeviceTests {
    final class Bench {
        let world = TestWorld()
        let phone: BluetoothAdapter
        let manager: LinkDeviceManager
        let links = Box<String>()
        let info = Box<String>()
        var devices: [ScriptedGadget] = []

        init(_ count: Int, showsMACAsName: Bool = false) {
            phone = world.adapter(0x0200_0000_0010)
            manager = LinkDeviceManager(
                context: ManagerContext(adapter: phone, queue: world.delivery.inline))
            let (links, info) = (links, info)
            manager.linkInfoBlock = { links.put("\($0) \($1)") }
            manager.infoBlock = { info.put("\($0) \($1)") }
            for number in 0..<count {
                let mac = 0x024C_4B00_0001 + UInt64(number)
                let device = ScriptedGadget(
                    world.adapter(mac), service: 0xFFE0,
                    characteristics: [(0xFFE1, [.read, .write, .writeWithoutResponse, .notify])], mac: mac,
                    name: "BLE-LINK", showsMACAsName: showsMACAsName)
                device.read = { _ in Array("LINK \(number + 1)".utf8) }
                device.write = { (.success, Array(Self.answer(to: $0).utf8)) }
                devices.append(device)
            }
        }

        static func answer(to octets: [UInt8]) -> String {
            let isFrame =
                octets.count == 10 && octets.starts(with: LinkFrame.prefix)
                && octets.suffix(4).elementsEqual(LinkFrame.suffix)
            return isFrame ? "SPEED \(Int(octets[4]) * 100 + Int(octets[5]))" : "ERR"
        }

        static func mac(_ number: Int) -> String { "\(DeviceAddress(0x024C_4B00_0001 + UInt64(number)))" }

        func start(_ numbers: [Int]) throws {
            let ready = links.all.count { $0.hasPrefix("ready") }
            try manager.startLinkDevice(numbers.map(Self.mac))
            world.run(for: .seconds(30)) {
                links.all.count { $0.hasPrefix("ready") } == ready + numbers.count
            }
        }

        func write(
            _ body: (LinkDeviceManager, @escaping @Sendable (LinkDeviceError?) -> Void) -> Void
        ) -> LinkDeviceError?? {
            let done = Box<LinkDeviceError?>()
            body(manager) { done.put($0) }
            world.run(for: .seconds(5)) { done.count > 0 }
            world.run(for: .milliseconds(200))
            return done.all.first
        }
    }

    @Test func `an empty list, what is no MAC, and more than four are errors`() {
        let bench = Bench(0)
        #expect(throws: LinkDeviceError.noDevices) { try bench.manager.startLinkDevice([]) }
        #expect(throws: LinkDeviceError.invalidID("QR")) { try bench.manager.startLinkDevice(["QR"]) }
        #expect(throws: LinkDeviceError.tooManyDevices(5)) {
            try bench.manager.startLinkDevice((0..<5).map(Bench.mac))
        }
    }

    @Test(arguments: [false, true])
    func `each device is read, its descriptors found, and notified, in this order`(_ byName: Bool) throws {
        let bench = Bench(2, showsMACAsName: byName)
        try bench.start([0, 1])
        #expect(bench.links.all.contains("deviceOpen true"))
        #expect(bench.links.all.contains("ready(channel: 0) true"))
        #expect(bench.links.all.contains("ready(channel: 1) true"))
        #expect(
            bench.devices.map(\.lines) == [
                ["read FFE1", "subscribed FFE1"], ["read FFE1", "subscribed FFE1"],
            ])
        let channel = try #require(bench.manager.channels[0])
        #expect(channel.characteristic?.descriptors?.isEmpty == false)
        #expect(
            bench.info.all.sorted() == ["0 LINK 1", "1 LINK 2"]
                || bench.info.all.sorted() == ["0 LINK 2", "1 LINK 1"])
    }

    @Test func `four devices are linked; those dropped leave their numbers to the next`() throws {
        let bench = Bench(6)
        for number in 0..<4 { try bench.start([number]) }
        #expect(bench.manager.channels.all.map(\.id.description) == (0..<4).map(Bench.mac))
        #expect(!bench.manager.channels.canAdd)
        bench.manager.unlink(channel: 1)
        bench.manager.unlink(channel: 3)
        bench.world.run(for: .seconds(5))
        #expect(bench.manager.channels.all.map(\.number) == [0, 2] && bench.manager.channels.canAdd)
        try bench.start([4])
        try bench.start([5])
        #expect(bench.manager.channels[1]?.id.description == Bench.mac(4))
        #expect(bench.manager.channels[3]?.id.description == Bench.mac(5))
        let peripheral = try #require(bench.manager.channels[3]?.peripheral)
        #expect(bench.manager.channels.number(of: peripheral) == 3)
        #expect(bench.manager.linkedDevice(of: peripheral)?.number == 3 && !bench.manager.hasFreeChannel)
        #expect(bench.manager.linkedDevice(channel: 3)?.characteristic?.uuid == CBUUID(string: "FFE1"))
        #expect(bench.manager.linkedDevices.map(\.number) == [0, 1, 2, 3])
        #expect(bench.manager.channels[4] == nil && bench.manager.channels[-1] == nil)
        bench.manager.stop()
        bench.world.run(for: .seconds(5))
        #expect(bench.manager.channels.all.isEmpty)
    }

    @Test func `speeds and commands go to their channel alone, and the answers come with its number`() throws
    {
        let bench = Bench(2)
        try bench.start([0])
        try bench.start([1])
        for (speed, hex) in [(200, "0200"), (1_000, "0a00"), (0, "0000"), (999, "0963")] {
            #expect(bench.write { $0.writeSpeed(speed, channel: 1, $1) } == .some(nil))
            #expect(bench.devices[1].lines.last == "written FFE1 aa031272\(hex)01723055")
            #expect(bench.info.last == "1 SPEED \(speed)")
        }
        #expect(bench.write { $0.writeCommand(.dcd, channel: 0, speed: 1_000, $1) } == .some(nil))
        #expect(bench.devices[0].lines.last == "written FFE1 0dcdaa0312720a0001723055")
        #expect(bench.write { $0.writeSpeed(1_001, channel: 0, $1) } == .some(.invalidSpeed(1_001)))
        #expect(
            bench.write { $0.writeCommand(.aba, channel: 0, speed: -1, $1) } == .some(.invalidSpeed(-1)))
        #expect(bench.write { $0.writeSpeed(1, channel: 2, $1) } == .some(.noDevice(channel: 2)))
        #expect(bench.write { $0.writeSpeed(1, channel: 9, $1) } == .some(.noDevice(channel: 9)))
    }

    @Test func `hexadecimal text is written as it says, or not at all`() throws {
        let bench = Bench(1)
        try bench.start([0])
        #expect(bench.write { $0.writeHex("aA 03:Ff", channel: 0, $1) } == .some(nil))
        #expect(bench.devices[0].lines.last == "written FFE1 aa03ff")
        let before = bench.devices[0].lines.count
        #expect(bench.write { $0.writeHex("123", channel: 0, $1) } == .some(.invalidHex(.oddDigitCount)))
        #expect(
            bench.write { $0.writeHex("12g4", channel: 0, $1) } == .some(.invalidHex(.notADigit(at: 2))))
        let long = String(repeating: "00", count: 21)
        #expect(bench.write { $0.writeHex(long, channel: 0, $1) } == .some(.tooLong(limit: 20)))
        #expect(bench.devices[0].lines.count == before)
    }

    @Test func `without power the channels are free, and a list goes on when it is back`() throws {
        let bench = Bench(1)
        try bench.start([0])
        bench.phone.setPower(false)
        bench.world.run(for: .seconds(2))
        #expect(bench.manager.channels.all.isEmpty && bench.links.all.contains("deviceOpen false"))
        try bench.manager.startLinkDevice([Bench.mac(0)])
        bench.world.run(for: .seconds(2))
        bench.phone.setPower(true)
        #expect(
            bench.world.run(for: .seconds(20)) {
                bench.manager.channels[0]?.characteristic?.isNotifying == true
            })
    }
}
