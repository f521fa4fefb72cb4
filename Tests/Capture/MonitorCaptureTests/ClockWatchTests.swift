import Testing

@testable import MonitorCapture

@Suite struct ClockWatchTests {
    private static func reading(wall: Int64, monotonic: Int64) -> ClockReading {
        ClockReading(wall: wall, monotonic: monotonic)
    }

    /// Readings as (wall, monotonic) in milliseconds, and the step that the last of them shows.
    static let cases: [([(Int64, Int64)], Int64?)] = [
        ([(1_000, 10)], nil),
        ([(1_000, 10), (1_500, 510)], nil),
        ([(1_000, 10), (1_504, 510)], nil),
        ([(1_000, 10), (5_000, 510)], 3_500),
        ([(9_000, 10), (5_000, 510)], -4_500),
        ([(1_000, 10), (5_000, 510), (5_100, 610)], nil),
        ([(1_000, 10), (5_000, 510), (1_100, 610)], -4_000),
    ]

    @Test(arguments: cases)
    func `A step of the wall clock against the other is seen once, and how far it went`(
        readings: [(Int64, Int64)], expected: Int64?
    ) {
        var watch = ClockWatch()
        var step: Int64?
        for (wall, monotonic) in readings {
            step = watch.step(Self.reading(wall: wall * 1_000_000, monotonic: monotonic * 1_000_000))
        }
        #expect(step == expected.map { $0 * 1_000_000 })
    }

    @Test func `The machine's clocks run, and a pause between readings is no step`() {
        var watch = ClockWatch()
        let first = ClockReading.now()
        #expect(watch.step(first) == nil)
        for _ in 0..<1000 {
            let next = ClockReading.now()
            #expect(next.monotonic >= first.monotonic)
            #expect(watch.step(next) == nil)
        }
        #expect(first.wall > 1_600_000_000_000_000_000)
    }
}
