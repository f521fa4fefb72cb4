// Tables in the order of their handles: one step through them, however much of them changes.

extension AttributeDatabase {
    /// The first index whose key is not below `handle`.
    @inline(__always)
    static func firstIndex<Entry>(
        in table: [Entry], notBelow handle: UInt16, _ key: (Entry) -> UInt16
    ) -> Int {
        var low = 0
        var high = table.count
        while low < high {
            let middle = (low &+ high) &>> 1
            if key(table[middle]) < handle { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// Puts an entry in its place; false where the table is full.
    static func insert<Entry>(_ entry: Entry, into table: inout [Entry], _ key: (Entry) -> UInt16) -> Bool {
        let index = firstIndex(in: table, notBelow: key(entry), key)
        if index < table.count, key(table[index]) == key(entry) {
            table[index] = entry
        } else if table.count < limit {
            table.insert(entry, at: index)
        } else {
            return false
        }
        return true
    }

    /// Puts entries in their places of which the table has none yet, and which are in order themselves; gives
    /// those for which it has no room, the last ones.
    static func merge<Entry>(
        _ new: [Entry], into table: inout [Entry], _ key: (Entry) -> UInt16
    ) -> ArraySlice<Entry> {
        let taken = new.prefix(max(0, limit - table.count))
        guard let first = taken.first else { return new[...] }
        let start = firstIndex(in: table, notBelow: key(first), key)
        var rest = Array(table[start...])[...]
        table.removeSubrange(start...)
        for entry in taken {
            while let old = rest.first, key(old) < key(entry) { table.append(rest.removeFirst()) }
            table.append(entry)
        }
        table.append(contentsOf: rest)
        return new[taken.endIndex...]
    }

    /// Removes entries of which `isGone` is true and whose handles lie in ranges, which are in order and
    /// apart from each other.
    static func remove<Entry>(
        _ ranges: some RandomAccessCollection<ClosedRange<UInt16>>, from table: inout [Entry],
        _ key: (Entry) -> UInt16, where isGone: (Entry) -> Bool
    ) {
        guard let first = ranges.first, let last = ranges.last else { return }
        var index = firstIndex(in: table, notBelow: first.lowerBound, key)
        var kept = index
        var place = ranges.startIndex
        while index < table.count {
            let handle = key(table[index])
            guard handle <= last.upperBound else { break }
            // The last range ends at this handle or behind it.
            while ranges[place].upperBound < handle { place = ranges.index(after: place) }
            if handle < ranges[place].lowerBound || !isGone(table[index]) {
                if kept != index { table[kept] = table[index] }
                kept &+= 1
            }
            index &+= 1
        }
        table.removeSubrange(kept..<index)
    }

    /// Ranges in order and apart from each other that hold what any of these does.
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

    /// Whether one of these ranges, which are in order and apart from each other, has a handle.
    static func has(_ ranges: [ClosedRange<UInt16>], _ handle: UInt16) -> Bool {
        let index = firstIndex(in: ranges, notBelow: handle) { $0.upperBound }
        return index < ranges.count && ranges[index].lowerBound <= handle
    }
}
