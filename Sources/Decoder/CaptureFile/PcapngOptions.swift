import WireBytes

/// Iterates over the options of a pcapng block: code, length, value padded to four bytes.
struct PcapngOptions: ~Copyable, ~Escapable {
    private let octets: RawSpan
    private let order: OctetOrder
    private var place = 0

    static let endOfOptions: UInt16 = 0
    static let comment: UInt16 = 1
    static let dropCount: UInt16 = 4

    @_lifetime(copy octets)
    init(_ octets: RawSpan, _ order: OctetOrder) {
        self.octets = octets
        self.order = order
    }

    /// One option, whose value is borrowed from the block.
    struct Option: ~Escapable {
        let code: UInt16
        let value: RawSpan

        @_lifetime(copy value)
        init(_ code: UInt16, _ value: RawSpan) {
            self.code = code
            self.value = value
        }
    }

    /// The next option; nil at the end, or if a length exceeds it.
    @_lifetime(copy self)
    mutating func next() -> Option? {
        guard octets.byteCount &- place >= 4 else { return nil }
        let code = octets.u16(at: place, order)
        let length = Int(octets.u16(at: place &+ 2, order))
        guard code != Self.endOfOptions, octets.byteCount &- place &- 4 >= length else { return nil }
        let from = place &+ 4
        place = from &+ Pcapng.padded(length)
        return Option(code, octets.clamped(from..<from &+ length))
    }
}

extension Record {
    /// Calls `body` with the bytes of each comment on the packet, in the order of the file.
    public func forEachComment<E: Error>(_ body: (RawSpan) throws(E) -> Void) throws(E) {
        if options.byteCount == 0 { return }
        var walk = PcapngOptions(options, optionsOrder)
        while let option = walk.next() {
            if option.code == PcapngOptions.comment { try body(option.value) }
        }
    }
}

/// The clock of a pcapng interface, which converts ticks to time.
struct PcapngClock: Sendable {
    /// Nanoseconds per tick; 0 if a tick is shorter or a power of two.
    private var nanosecondsOfTick: UInt64 = 1000
    /// Ticks per nanosecond, if a tick is a smaller power of ten.
    private var ticksOfNanosecond: UInt64 = 0
    /// Binary exponent of the ticks per second, if they are a power of two.
    private var binaryDigits: UInt64 = 0
    /// Seconds added to every time.
    var offsetSeconds: Int64 = 0
    /// Whether ticks are finer than microseconds.
    private(set) var hasNanoseconds = false

    /// Sets the resolution from the option if_tsresol: a power of ten, or of two if the highest bit is set.
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

    /// The time for a packet's ticks, clamped to 292 years around 1970.
    @inline(__always)
    func time(_ ticks: UInt64) -> CaptureTime {
        if offsetSeconds == 0, nanosecondsOfTick > 0 {
            let (product, isTooLarge) = ticks.multipliedReportingOverflow(by: nanosecondsOfTick)
            return CaptureTime(nanoseconds: isTooLarge ? .max : Int64(clamping: product))
        }
        return timeWithOffset(ticks)
    }

    /// The time for any resolution and offset; uses 128 bits because the sum may be near 1970 even if both
    /// parts are far from it.
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
