import MonitorCapture

/// The latest time that the wall clock may have given to a record that has come by some moment: the clock may
/// have been set back since, but never showed more than this.
struct LatestWall: Equatable, Sendable {
    private var difference = Int64.min

    /// Takes a reading of both clocks.
    mutating func note(_ reading: ClockReading) {
        difference = max(difference, reading.wall &- reading.monotonic)
    }

    /// The latest wall time at a moment of the clock that only goes forward.
    func wall(at monotonic: Int64) -> Int64 {
        let (sum, overflows) = difference.addingReportingOverflow(monotonic)
        return overflows ? .max : sum
    }
}
