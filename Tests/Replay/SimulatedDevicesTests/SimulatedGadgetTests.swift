import BluetoothCore
import CoreBluetooth
import Runtime
import Testing
import WireBytes

@testable import SimulatedDevices

/// The devices of the other four systems, each through the flow of its own.
@Suite struct SimulatedGadgetTests {
    /// 2026-01-01T00:00:00Z.
    static let newYear: Int64 = 1_767_225_600_000_000_000

    static func scene(
        _ gadget: some Gadget, service: String, centrals: Int = 1
    ) -> (world: SimulatedWorld, gadget: SimulatedGadget, centrals: [AirCentral]) {
        let world = SimulatedWorld(seed: 3, wallClockOrigin: newYear)
        let adapter = world.adapter(DeviceAddress(0x0247_0000_0001, .public))
        let simulated = SimulatedGadget(gadget, on: adapter.bluetooth)
        let all = (0..<centrals).map { AirCentral(0xF000 + UInt64($0), world, simulated, service: service) }
        world.run(for: .seconds(4))
        #expect(simulated.problems.isEmpty)
        return (world, simulated, all)
    }

    @Test func `the link device answers frames, commands and nonsense`() {
        let (_, _, centrals) = Self.scene(LinkDevice(number: 2), service: "FFE0")
        let phone = centrals[0]
        #expect(phone.discovered == ["FFE0: FFE1 30"])
        // The three calls without which no data come: read, descriptors, notifications.
        #expect(phone.read("FFE1") == ["FFE1 LINK 2"])
        #expect(phone.describe("FFE1").contains("2901 data"))
        #expect(phone.listen("FFE1") == ["FFE1 notifying true"])
        let exchanges: [(hex: String, answer: String)] = [
            ("aa0312720a0001723055", "SPEED 1000"), ("aa031272020001723055", "SPEED 200"),
            ("aa0312720c2201723055", "ERR"), ("0abaaa0312720a0001723055", "ABA SPEED 1000"),
            ("0dcdaa031272000501723055", "DCD SPEED 5"), ("aa03", "ERR"), ("", "ERR"),
        ]
        for (hex, answer) in exchanges {
            let value = (try? Hex.octets(hex)) ?? []
            #expect(
                Set(phone.write("FFE1", value)) == ["FFE1 written", "FFE1 \(answer)"], "\(hex)")
        }
        #expect(phone.write("FFE1", [1], .withoutResponse) == ["FFE1 ERR"])
        #expect(phone.read("FFE1") == ["FFE1 ERR"])
    }

    @Test func `Mobike's levels: read, written, refused, told`() {
        let (_, _, centrals) = Self.scene(Mobike(), service: "FF00")
        let phone = centrals[0]
        #expect(phone.name == "Mobike")
        #expect(phone.discovered == ["FFEE: FFE1 18, FFE2 10, FFE3 2"])
        #expect(phone.read("FFE1") == ["FFE1 Z"])
        #expect(phone.read("FFE2") == ["FFE2 0a"])
        #expect(phone.read("FFE3") == ["FFE3 2"])
        #expect(phone.listen("FFE1") == ["FFE1 notifying true"])
        #expect(phone.write("FFE2", [20]) == ["FFE2 written"])
        #expect(phone.read("FFE3") == ["FFE3 7"])
        // Invalid Attribute Value Length, then Write Not Permitted.
        #expect(phone.write("FFE2", [1, 2]) == ["FFE2 written error 13"])
        #expect(phone.write("FFE3", [1]) == ["FFE3 written error 3"])
        #expect(Set(phone.write("FFE2", [100])) == ["FFE2 written", "FFE1 d"])
        #expect(phone.listen("FFE1", false) == ["FFE1 notifying false"])
        #expect(phone.write("FFE2", [200]) == ["FFE2 written"])
        #expect(phone.read("FFE1") == ["FFE1 c8"])
    }

    @Test func `the band tells its battery, a tenth less each time, and knows no other command`() {
        let (_, _, centrals) = Self.scene(Band(), service: "FEE0")
        let phone = centrals[0]
        #expect(phone.discovered == ["FEE0: FF01 18, FF02 14"])
        #expect(phone.read("FF01") == ["FF01 " + Hex.text(Array("MI 手环".utf8))])
        #expect(phone.listen("FF01") == ["FF01 notifying true"])
        #expect(phone.write("FF02", [0x1B, 0x99, 0x01], .withoutResponse) == ["FF01 567b0629"])
        #expect(Set(phone.write("FF02", [0x1B, 0x99, 0x01])) == ["FF02 written", "FF01 567b052a"])
        #expect(phone.write("FF02", [0x1B]) == ["FF02 written error 128"])
        #expect(phone.read("FF02") == ["FF02 1b9901"])
        for _ in 0..<6 { _ = phone.write("FF02", [0x1B, 0x99, 0x01]) }
        #expect(Set(phone.write("FF02", [0x1B, 0x99, 0x01])) == ["FF02 written", "FF01 567b002f"])
    }

    @Test func `the clock tells each subscriber the time, every two seconds from its own beginning`() {
        let (world, clock, centrals) = Self.scene(WallClock(), service: "FFF0", centrals: 2)
        let (one, other) = (centrals[0], centrals[1])
        #expect(one.name == "xmg")
        #expect(one.discovered == ["FFF0: FFF1 16, FFF2 10", "FFE0: FFF3 2"])
        #expect(one.listen("FFF1") == ["FFF1 notifying true"])
        world.run(for: .milliseconds(200))
        #expect(other.listen("FFF1") == ["FFF1 notifying true"])
        #expect(clock.subscriptions == 2)
        world.run(for: .milliseconds(8_500))
        let told = one.take()
        #expect(told.count == 4)
        #expect(told.allSatisfy { $0.hasPrefix("FFF1 26:01:01:00:00:") && $0.utf8.count == 22 })
        let seconds = told.compactMap { Int($0.suffix(2)) }
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 == 2 })
        let heard = other.take()
        #expect(heard.count == 4)
        // The second began 700 ms after the first.
        let (first, second) = (one.times.first ?? 0, other.times.first ?? 0)
        #expect(abs(second - first - 700) <= 60)
        // One central's end does not stop another's.
        one.disconnect()
        #expect(clock.subscriptions == 1)
        _ = (one.take(), other.take())
        world.run(for: .seconds(6))
        #expect(other.take().count == 3)
        #expect(other.listen("FFF1", false) == ["FFF1 notifying false"])
        world.run(for: .seconds(6))
        #expect(other.take().isEmpty && one.take().isEmpty)
    }

    @Test func `the clock's values: read by parts, written by parts, refused`() {
        let (_, _, centrals) = Self.scene(WallClock(), service: "FFF0")
        let phone = centrals[0]
        #expect(phone.describe("FFF2").contains("2901 xmgDes1"))
        #expect(phone.read("FFF2") == ["FFF2 xmg"])
        #expect(phone.read("FFF3") == ["FFF3 read only"])
        #expect(phone.read("FFF1") == ["FFF1 error 2"])
        #expect(phone.write("FFF3", [1]) == ["FFF3 written error 3"])
        let long = Array("0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789ABCDEF".utf8)
        #expect(phone.write("FFF2", long) == ["FFF2 written"])
        #expect(phone.read("FFF2") == ["FFF2 " + String(decoding: long, as: UTF8.self)])
        #expect(phone.write("FFF2", long + [0x21]) == ["FFF2 written error 13"])
        #expect(phone.read("FFF2") == ["FFF2 " + String(decoding: long, as: UTF8.self)])
    }

    @Test(arguments: [
        (Int64(0), "70:01:01:00:00:00"), (951_782_399, "00:02:28:23:59:59"),
        (951_782_400, "00:02:29:00:00:00"), (951_868_800, "00:03:01:00:00:00"),
        (1_767_225_600, "26:01:01:00:00:00"), (4_107_542_399, "00:02:28:23:59:59"),
        (4_107_542_400, "00:03:01:00:00:00"), (-1, "69:12:31:23:59:59"),
    ])
    func `the time as it is told`(seconds: Int64, text: String) {
        #expect(WallClock.text(seconds * 1_000_000_000) == text)
    }

    @Test func `the time of the largest and the smallest clock`() {
        #expect(WallClock.text(.max).utf8.count == 17)
        #expect(WallClock.text(.min).utf8.count == 17)
    }
}
