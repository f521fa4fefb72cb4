/// A set of attribute handles, as ranges in ascending order that neither overlap nor touch.
///
/// Bounded: a range that does not fit is not taken, so what the set holds is always true.
struct HandleRanges: Hashable, Sendable {
    static let limit = 256

    private(set) var ranges: [ClosedRange<UInt16>] = []

    var isEmpty: Bool { ranges.isEmpty }

    /// Whether all of `range` is in the set.
    func covers(_ range: ClosedRange<UInt16>) -> Bool {
        guard let place = place(of: range.lowerBound) else { return false }
        return ranges[place].upperBound >= range.upperBound
    }

    /// The place of the range that holds a handle; nil where none does.
    private func place(of handle: UInt16) -> Int? {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low &+ high) &>> 1
            if ranges[middle].upperBound < handle { low = middle &+ 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= handle ? low : nil
    }

    mutating func insert(_ range: ClosedRange<UInt16>) {
        if covers(range) { return }
        var low = Int(range.lowerBound)
        var high = Int(range.upperBound)
        var kept: [ClosedRange<UInt16>] = []
        kept.reserveCapacity(ranges.count + 1)
        var at = 0
        for old in ranges {
            if Int(old.upperBound) + 1 < low {
                kept.append(old)
                at = kept.count
            } else if Int(old.lowerBound) > high + 1 {
                kept.append(old)
            } else {
                low = min(low, Int(old.lowerBound))
                high = max(high, Int(old.upperBound))
            }
        }
        guard kept.count < Self.limit else { return }
        kept.insert(UInt16(clamping: low)...UInt16(clamping: high), at: at)
        ranges = kept
    }

    mutating func remove(_ range: ClosedRange<UInt16>) {
        guard ranges.contains(where: { $0.overlaps(range) }) else { return }
        var kept: [ClosedRange<UInt16>] = []
        for old in ranges {
            guard old.overlaps(range) else {
                kept.append(old)
                continue
            }
            if old.lowerBound < range.lowerBound { kept.append(old.lowerBound...(range.lowerBound - 1)) }
            if old.upperBound > range.upperBound { kept.append((range.upperBound + 1)...old.upperBound) }
        }
        ranges = Array(kept.prefix(Self.limit))
    }

    mutating func removeAll() { ranges = [] }
}
