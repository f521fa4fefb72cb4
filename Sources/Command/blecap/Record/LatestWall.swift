import MonitorCapture

/// The latest wall time that a record received by some moment can have: the clock may have been set back
/// since, but never showed more than this.
struct LatestWall: Equatable, Sendable {
    private var difference = Int64.min

    /// Adds a reading of both clocks.
    mutating func note(_ reading: ClockReading) {
        difference = max(difference, reading.wall &- reading.monotonic)
    }

    /// The latest wall time at a moment of the monotonic clock.
    func wall(at monotonic: Int64) -> Int64 {
        let (sum, overflows) = difference.addingReportingOverflow(monotonic)
        return overflows ? .max : sum
    }
}
