import Testing

@testable import Comparison

/// Two logs of one session, whose clocks are apart by a known time.
@Suite struct ClockMatchTests {
    private static let apart: Int64 = 3_600_000_000_000

    /// The session as both sides have it: packets in turn, each under way for up to 30 ms.
    private static func logs(
        _ packets: Int, repeating period: Int = .max, step: Int64 = 900_000_000
    ) -> (PacketTimes, PacketTimes) {
        var (phone, car) = (PacketTimes(), PacketTimes())
        for index in 0..<packets {
            let start = Int64(index) * step
            let arrival = start + 2_000_000 + Int64(index * 7919 % 28) * 1_000_000
            let isFromPhone = index % 2 == 0
            let octets = [4, 0, UInt8(index % period), isFromPhone ? 1 : 0]
            phone.add(octets, at: isFromPhone ? start : arrival, isSent: isFromPhone)
            car.add(octets, at: (isFromPhone ? arrival : start) - apart, isSent: !isFromPhone)
        }
        return (phone, car)
    }

    @Test(arguments: [8, 40, 200])
    func `the clocks' difference is within what is said`(packets: Int) throws {
        let (phone, car) = Self.logs(packets)
        let match = try #require(ClockMatch(phone, car))
        #expect(match.packets == packets)
        #expect(abs(match.offset - Self.apart) <= match.uncertainty && match.uncertainty <= 45_000_000)
        let back = try #require(ClockMatch(car, phone))
        #expect(abs(back.offset + Self.apart) <= back.uncertainty)
    }

    @Test func `a drifting clock makes the match less sure`() throws {
        var (phone, car) = (PacketTimes(), PacketTimes())
        for index in 0..<100 {
            let time = Int64(index) * 1_000_000_000
            // The car's clock loses 1 ms in a second.
            phone.add([UInt8(index)], at: time, isSent: index % 2 == 0)
            car.add([UInt8(index)], at: time - Int64(index) * 1_000_000, isSent: index % 2 == 1)
        }
        let match = try #require(ClockMatch(phone, car))
        #expect(match.uncertainty > 40_000_000)
    }

    @Test func `too few packets, one direction, or one side's logs match nothing`() {
        let (phone, car) = Self.logs(7)
        #expect(ClockMatch(phone, car) == nil)
        #expect(ClockMatch(phone, phone) == nil)
        var (sent, received) = (PacketTimes(), PacketTimes())
        for index in 0..<50 {
            sent.add([UInt8(index)], at: Int64(index), isSent: true)
            received.add([UInt8(index)], at: Int64(index), isSent: false)
        }
        #expect(ClockMatch(sent, received) == nil)
        #expect(ClockMatch(PacketTimes(), PacketTimes()) == nil)
    }

    @Test func `packets that fit at several places match nothing`() {
        let (phone, car) = Self.logs(24, repeating: 2)
        #expect(ClockMatch(phone, car) == nil)
        let (often, other) = Self.logs(200, repeating: 2)
        #expect(ClockMatch(often, other) == nil)
    }
}
