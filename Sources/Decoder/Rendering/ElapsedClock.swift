import WireBytes

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
