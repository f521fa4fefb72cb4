/// The clock of an Ubertooth, which stands in for the times of its recorder from the first impossible one on.
///
/// A version of the recorder wrote fractions of a second in nanoseconds, with overflows, where pcap has
/// microseconds: they step back and jump by more than an hour.
struct SnifferClock: Sendable {
    /// The clock in units of 100 ns, and the time, both of the first record with an impossible time.
    private var start: (clock: UInt64, time: CaptureTime)?

    /// Replaces the time of a record, if one was impossible; the fault stays on the first such record only.
    mutating func correct(_ header: inout RecordHeader, _ clock: UInt64?) {
        guard let clock else { return }
        guard let start else {
            if header.faults.contains(.timeFraction) { self.start = (clock, header.time) }
            return
        }
        header.faults.remove(.timeFraction)
        let passed = Int64(truncatingIfNeeded: clock &- start.clock)
        header.time = CaptureTime(nanoseconds: start.time.nanoseconds &+ passed &* 100)
    }
}
