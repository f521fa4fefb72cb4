import CaptureFile
import WireBytes

extension TextBuffer {
    /// Appends a time as RFC 3339 UTC with `digits` decimals of a second (0 to 9).
    package mutating func put(utc time: CaptureTime, digits: Int) {
        let second: Int64 = 1_000_000_000
        let seconds = time.nanoseconds.floored(by: second)
        let rest = UInt64(time.nanoseconds &- seconds &* second)
        let days = seconds.floored(by: 86_400)
        let clock = UInt64(seconds &- days &* 86_400)
        date(daysSinceEpoch: days)
        put(0x54)
        self.clock(clock, rest, digits: digits)
        put(0x5A)
    }

    /// Appends the UTC time of day with `digits` decimals of a second (0 to 9).
    mutating func put(timeOfDay time: CaptureTime, digits: Int) {
        let second: Int64 = 1_000_000_000
        let seconds = time.nanoseconds.floored(by: second)
        let clock = UInt64(seconds &- seconds.floored(by: 86_400) &* 86_400)
        self.clock(clock, UInt64(time.nanoseconds &- seconds &* second), digits: digits)
    }

    /// Appends a time of day from its seconds and nanoseconds.
    private mutating func clock(_ clock: UInt64, _ rest: UInt64, digits: Int) {
        decimal(clock / 3600, digits: 2)
        put(0x3A)
        decimal(clock / 60 % 60, digits: 2)
        put(0x3A)
        decimal(clock % 60, digits: 2)
        guard digits > 0 else { return }
        put(0x2E)
        var fraction = rest
        for _ in digits..<9 { fraction /= 10 }
        decimal(fraction, digits: digits)
    }

    /// Appends the proleptic Gregorian date of a day counted from 1970-01-01; computed by eras of 400 years.
    private mutating func date(daysSinceEpoch days: Int64) {
        let shifted = days &+ 719_468
        let era = shifted.floored(by: 146_097)
        let dayOfEra = shifted &- era &* 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        if year < 0 { put(0x2D) }
        decimal(UInt64(year.magnitude), digits: max(4, year.magnitude > 9999 ? 5 : 4))
        put(0x2D)
        decimal(UInt64(month), digits: 2)
        put(0x2D)
        decimal(UInt64(day), digits: 2)
    }
}

extension Int64 {
    /// Returns the quotient, rounded towards minus infinity.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

/// Writes elapsed seconds with six decimals; the text of the whole seconds is cached, since most records
/// share it.
struct ElapsedClock: ~Copyable {
    private var second = UInt64.max
    private var whole = TextBuffer(capacity: 256)

    mutating func put(since nanoseconds: Int64, into out: inout TextBuffer) {
        let magnitude = nanoseconds.magnitude
        let seconds = magnitude / 1_000_000_000
        if nanoseconds < 0 {
            // The sign is directly before the number, after the padding.
            out.fill(0x20, count: seconds < 10 ? 2 : seconds < 100 ? 1 : 0)
            out.put(0x2D)
            out.decimal(seconds)
            out.put(0x2E)
        } else {
            if seconds != second {
                second = seconds
                whole.clear()
                whole.decimal(seconds, width: 4)
                whole.put(0x2E)
            }
            out.put(whole.octets)
        }
        out.decimal((magnitude &- seconds &* 1_000_000_000) / 1000, digits: 6)
    }
}
