/// Which parts of a time are none for applications: their timers stand still in them.
struct HeldTime: Sendable {
    /// Parts that have not passed, in order and apart from each other.
    private var parts: [Range<Instant>] = []
    /// How long those were that have passed.
    private var passed = Duration.zero

    /// How much of the time before an instant was held.
    func length(before instant: Instant) -> Duration {
        parts.reduce(passed) { length, part in
            length + max(.zero, part.lowerBound.duration(to: min(part.upperBound, instant)))
        }
    }

    /// When an application's timer is due that has `delay` to go; at the end of a part that begins then.
    func deadline(after delay: Duration, from now: Instant) -> Instant {
        var deadline = now.advanced(by: delay)
        for part in parts where part.upperBound > now && part.lowerBound <= deadline {
            deadline = deadline.advanced(by: max(now, part.lowerBound).duration(to: part.upperBound))
        }
        return deadline
    }

    /// Adds a part.
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

    /// Forgets the parts that have passed.
    mutating func forget(before now: Instant) {
        while let first = parts.first, first.upperBound <= now {
            passed += first.lowerBound.duration(to: first.upperBound)
            parts.removeFirst()
        }
    }
}
