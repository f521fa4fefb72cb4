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
        let nanoseconds: UInt64
        if nanosecondsOfTick > 0 {
            let (product, isTooLarge) = ticks.multipliedReportingOverflow(by: nanosecondsOfTick)
            nanoseconds = isTooLarge ? .max : product
        } else if ticksOfNanosecond > 0 {
            nanoseconds = ticks / ticksOfNanosecond
        } else {
            let (high, low) = ticks.multipliedFullWidth(by: 1_000_000_000)
            let isTooLarge = high >> binaryDigits != 0
            nanoseconds =
                isTooLarge
                ? .max : binaryDigits == 0 ? low : high << (64 - binaryDigits) | low >> binaryDigits
        }
        let time = Int64(clamping: nanoseconds)
        if offsetSeconds == 0 { return CaptureTime(nanoseconds: time) }
        let offset = CaptureTime(microseconds: Self.clampedMicroseconds(offsetSeconds)).nanoseconds
        let (sum, isTooLarge) = time.addingReportingOverflow(offset)
        return CaptureTime(nanoseconds: isTooLarge ? (offset < 0 ? -.max : .max) : sum)
    }

    private static func clampedMicroseconds(_ seconds: Int64) -> Int64 {
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return isTooLarge ? (seconds < 0 ? -.max : .max) : product
    }
}
