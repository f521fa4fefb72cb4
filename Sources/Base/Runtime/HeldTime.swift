/// Time spans during which application timers are stopped.
struct HeldTime: Sendable {
    /// Spans that are not over, in order and without overlap.
    private var parts: [Range<Instant>] = []
    /// Total length of the spans that are over.
    private var passed = Duration.zero

    /// Returns the amount of held time before an instant.
    func length(before instant: Instant) -> Duration {
        parts.reduce(passed) { length, part in
            length + max(.zero, part.lowerBound.duration(to: min(part.upperBound, instant)))
        }
    }

    /// Returns the deadline of a timer with `delay` left.
    ///
    /// A span that begins exactly at the deadline postpones it.
    func deadline(after delay: Duration, from now: Instant) -> Instant {
        var deadline = now.advanced(by: delay)
        for part in parts where part.upperBound > now && part.lowerBound <= deadline {
            deadline = deadline.advanced(by: max(now, part.lowerBound).duration(to: part.upperBound))
        }
        return deadline
    }

    /// Adds a span.
    mutating func add(_ part: Range<Instant>) {
        var whole = part
        parts.removeAll { other in
            guard other.lowerBound <= whole.upperBound, whole.lowerBound <= other.upperBound else {
                return false
            }
            whole =
                min(whole.lowerBound, other.lowerBound)..<max(whole.upperBound, other.upperBound)
            return true
        }
        parts.insert(whole, at: parts.firstIndex { $0.lowerBound > whole.lowerBound } ?? parts.count)
    }

    /// Removes the spans that are over.
    mutating func forget(before now: Instant) {
        while let first = parts.first, first.upperBound <= now {
            passed += first.lowerBound.duration(to: first.upperBound)
            parts.removeFirst()
        }
    }
}
