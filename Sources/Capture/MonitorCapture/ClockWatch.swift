import Glibc

/// Readings of the machine's clocks at one moment, in nanoseconds.
public struct ClockReading: Equatable, Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00 UTC; jumps when the clock is set.
    public var wall: Int64
    /// Nanoseconds since the machine started, including sleep; never decreases.
    public var monotonic: Int64

    public init(wall: Int64, monotonic: Int64) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// Readings further apart than this are repeated, because the process was interrupted.
    private static let patience: Int64 = 50_000

    /// The current readings of both clocks.
    ///
    /// Reads the wall clock between two readings of the other clock, and keeps the closest of several tries.
    public static func now() -> ClockReading {
        var best = ClockReading(wall: 0, monotonic: 0)
        var closest = Int64.max
        for _ in 0..<8 {
            let before = nanoseconds(CLOCK_BOOTTIME)
            let wall = nanoseconds(CLOCK_REALTIME)
            let after = nanoseconds(CLOCK_BOOTTIME)
            guard after &- before < closest else { continue }
            closest = after &- before
            best = ClockReading(wall: wall, monotonic: before &+ closest / 2)
            if closest <= patience { break }
        }
        return best
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Safe: the kernel fills one structure, which outlives the call.
        guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// Detects steps of the wall clock.
///
/// Both clocks are slewed equally, so their difference is constant until the wall clock is set: by NTP in one
/// step, a user, a phone network.
public struct ClockWatch: Sendable {
    /// Smaller differences come from interrupted readings, not from steps.
    public static let tolerance: Int64 = 5_000_000
    private var difference: Int64?

    public init() {}

    /// Returns the step of the wall clock since the last reading, in nanoseconds; nil if it was not set.
    public mutating func step(_ reading: ClockReading) -> Int64? {
        let now = reading.wall &- reading.monotonic
        guard let before = difference else {
            difference = now
            return nil
        }
        let step = now &- before
        guard step.magnitude > Self.tolerance.magnitude else { return nil }
        difference = now
        return step
    }
}
