/// Spans of time in which the timers of applications stand still.
struct HeldTime: Sendable {
    /// Spans still to come, in order and without overlap.
    private var parts: [Range<Instant>] = []
    /// Total length of the spans that have passed.
    private var passed = Duration.zero

    /// How much of the time before an instant was held.
    func length(before instant: Instant) -> Duration {
        parts.reduce(passed) { length, part in
            length + max(.zero, part.lowerBound.duration(to: min(part.upperBound, instant)))
        }
    }

    /// When a timer with `delay` to go is due; a span that begins at that moment comes first.
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

    /// Forgets the spans that have passed.
    mutating func forget(before now: Instant) {
        while let first = parts.first, first.upperBound <= now {
            passed += first.lowerBound.duration(to: first.upperBound)
            parts.removeFirst()
        }
    }
}
