/// A point in time on one clock, in whole nanoseconds since the clock's start.
///
/// Arithmetic saturates: a deadline too far away becomes ``distantFuture`` and never traps.
@frozen
public struct Instant: InstantProtocol, Hashable, Sendable {
    /// Nanoseconds since the clock's start; negative before it.
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's start.
    @inlinable public static var zero: Self { .init(nanoseconds: 0) }
    /// A time after every event.
    @inlinable public static var distantFuture: Self { .init(nanoseconds: .max) }

    public func advanced(by duration: Duration) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
        guard overflow else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: nanoseconds < 0 ? .min : .max)
    }

    public func duration(to other: Instant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(nanoseconds < 0 ? Int64.max : Int64.min)
    }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
    /// Whole nanoseconds, rounded towards zero and clamped to 64 bits.
    public var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carried else { return seconds < 0 ? .min : .max }
        return sum
    }
}
