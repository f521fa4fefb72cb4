/// How an interface of a pcapng file counts time.
struct PcapngClock: Sendable {
    /// Nanoseconds of one tick, or 0 where a tick is finer or a power of two.
    private var nanosecondsOfTick: UInt64 = 1000
    /// Ticks of one nanosecond where a tick is a finer power of ten.
    private var ticksOfNanosecond: UInt64 = 0
    /// The power of two of a second's ticks, where it is one.
    private var binaryDigits: UInt64 = 0
    /// Seconds to be added to every time.
    var offsetSeconds: Int64 = 0
    /// Whether ticks are finer than microseconds.
    private(set) var hasNanoseconds = false

    /// Sets the resolution from the option if_tsresol: a power of ten, or of two where the highest bit is
    /// set.
    mutating func setResolution(_ option: UInt8) {
        let digits = Int(option & 0x7F)
        (nanosecondsOfTick, ticksOfNanosecond, binaryDigits) = (0, 0, 0)
        if option & 0x80 != 0 {
            binaryDigits = UInt64(min(digits, 63))
            hasNanoseconds = digits > 20
        } else if digits <= 9 {
            nanosecondsOfTick = Self.powerOfTen(9 - digits)
            hasNanoseconds = digits > 6
        } else {
            ticksOfNanosecond = Self.powerOfTen(min(digits - 9, 19))
            hasNanoseconds = true
        }
    }

    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        var value: UInt64 = 1
        for _ in 0..<exponent { value &*= 10 }
        return value
    }

    /// The time that a packet's ticks give; what lies more than 292 years from 1970 is put at that end.
    @inline(__always)
    func time(_ ticks: UInt64) -> CaptureTime {
        if offsetSeconds == 0, nanosecondsOfTick > 0 {
            let (product, isTooLarge) = ticks.multipliedReportingOverflow(by: nanosecondsOfTick)
            return CaptureTime(nanoseconds: isTooLarge ? .max : Int64(clamping: product))
        }
        return timeWithOffset(ticks)
    }

    /// The same for any resolution and offset: their sum may be near where both are far from 1970.
    private func timeWithOffset(_ ticks: UInt64) -> CaptureTime {
        var nanoseconds = Int128(offsetSeconds) * 1_000_000_000
        if nanosecondsOfTick > 0 {
            nanoseconds += Int128(ticks) * Int128(nanosecondsOfTick)
        } else if ticksOfNanosecond > 0 {
            nanoseconds += Int128(ticks / ticksOfNanosecond)
        } else {
            nanoseconds += (Int128(ticks) * 1_000_000_000) >> Int128(binaryDigits)
        }
        return CaptureTime(nanoseconds: max(Int64(clamping: nanoseconds), -.max))
    }
}
