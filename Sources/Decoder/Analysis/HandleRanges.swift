import BluetoothCore

/// A set of attribute handles, as sorted ranges that neither overlap nor touch.
///
/// A range that does not fit is left out, so the set never contains a wrong handle.
struct HandleRanges: Hashable, Sendable {
    static let limit = 256

    private(set) var ranges: [ClosedRange<UInt16>] = []

    var isEmpty: Bool { ranges.isEmpty }

    func covers(_ range: ClosedRange<UInt16>) -> Bool {
        guard let place = Self.place(of: range.lowerBound, in: ranges) else { return false }
        return ranges[place].upperBound >= range.upperBound
    }

    /// Returns the index of the range, of these sorted and disjoint ones, that contains a handle; nil if none
    /// does.
    static func place(of handle: UInt16, in ranges: [ClosedRange<UInt16>]) -> Int? {
        let place = ranges.firstIndex(notBelow: handle) { $0.upperBound }
        return place < ranges.count && ranges[place].lowerBound <= handle ? place : nil
    }

    /// Returns the union of these ranges as sorted and disjoint ranges.
    static func joined(_ ranges: [ClosedRange<UInt16>]) -> [ClosedRange<UInt16>] {
        var joined: [ClosedRange<UInt16>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
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

    /// Removes ranges that are sorted and disjoint.
    mutating func remove(_ gone: [ClosedRange<UInt16>]) {
        guard !ranges.isEmpty, !gone.isEmpty else { return }
        var kept: [ClosedRange<UInt16>] = []
        var place = 0
        for old in ranges {
            while place < gone.count, gone[place].upperBound < old.lowerBound { place &+= 1 }
            var low = Int(old.lowerBound)
            // The last of these may extend into the next range.
            var at = place
            while at < gone.count, gone[at].lowerBound <= old.upperBound {
                if Int(gone[at].lowerBound) > low {
                    kept.append(UInt16(clamping: low)...(gone[at].lowerBound - 1))
                }
                low = Int(gone[at].upperBound) + 1
                at &+= 1
            }
            if low <= Int(old.upperBound) { kept.append(UInt16(clamping: low)...old.upperBound) }
        }
        ranges = Array(kept.prefix(Self.limit))
    }

    /// Adds the ranges of another set, unless they don't all fit.
    mutating func formUnion(_ other: HandleRanges) {
        guard !other.isEmpty, other != self else { return }
        guard !isEmpty else {
            ranges = other.ranges
            return
        }
        var all: [ClosedRange<UInt16>] = []
        var (own, theirs) = (ranges[...], other.ranges[...])
        while let next = Self.takeFirst(&own, &theirs) {
            if let last = all.last, Int(next.lowerBound) <= Int(last.upperBound) + 1 {
                all[all.count - 1] = last.lowerBound...max(last.upperBound, next.upperBound)
            } else {
                all.append(next)
            }
        }
        if all.count <= Self.limit { ranges = all }
    }

    private static func takeFirst(
        _ one: inout ArraySlice<ClosedRange<UInt16>>, _ other: inout ArraySlice<ClosedRange<UInt16>>
    ) -> ClosedRange<UInt16>? {
        guard let first = one.first else { return other.popFirst() }
        guard let second = other.first, second.lowerBound < first.lowerBound else { return one.popFirst() }
        return other.popFirst()
    }
}
