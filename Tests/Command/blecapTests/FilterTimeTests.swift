import Testing

@testable import blecap

@Suite struct FilterTimeTests {
    static let second: Int64 = 1_000_000_000

    static let times: [(String, FilterTime)] = [
        ("1970-01-01", .absolute(0)),
        ("1970-01-01T00:00:01Z", .absolute(second)),
        ("2000-02-29T12:00:00Z", .absolute(951_825_600_000_000_000)),
        ("2026-11-21T09:30:00.5Z", .absolute(1_795_253_400_500_000_000)),
        ("2026-11-21T10:30:00.5+01:00", .absolute(1_795_253_400_500_000_000)),
        ("2026-11-21 09:30", .absolute(1_795_253_400_000_000_000)),
        ("1969-12-31T23:59:59Z", .absolute(-second)),
        ("09:30:00.25", .timeOfDay(34_200_250_000_000)),
        ("09:30", .timeOfDay(34_200 * second)),
        ("+12.5", .afterStart(12_500_000_000)),
        ("+0.1234567899", .afterStart(123_456_789)),
    ]

    @Test(arguments: times)
    func `Every way to write a time is read`(text: String, time: FilterTime) {
        #expect(FilterTime(text) == time)
    }

    @Test(arguments: [
        "", "+", "12", "2026-13-01", "2026-02-29", "2026-00-10", "25:00", "09:60", "09:30:00.", "+1.x",
        "2026-11-21T", "2026-11-21T09:30:00+1", "2026-11-21X", "09:30:00 later", "٠٩:٣٠",
        "+99999999999999999999",
    ])
    func `What is no time is refused`(text: String) { #expect(FilterTime(text) == nil) }

    @Test func `A time of day counts on the day of the first frame`() {
        let first = 1_795_253_400 * Self.second
        #expect(FilterTime.timeOfDay(0).nanoseconds(first: first) == 1_795_219_200 * Self.second)
        #expect(FilterTime.timeOfDay(0).nanoseconds(first: -1) == -86_400 * Self.second)
        #expect(FilterTime.afterStart(5).nanoseconds(first: first) == first + 5)
    }
}
