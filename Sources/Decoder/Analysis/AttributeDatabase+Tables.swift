// Tables sorted by handle. Each operation takes a single pass, however much of a table it changes.

extension AttributeDatabase {
    /// Returns the first index whose key is not below `handle`.
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

    /// Inserts an entry, or replaces the one with its key; false if the table is full.
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

    /// Inserts sorted entries whose keys are new to the table; returns those at the end that did not fit.
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

    /// Removes the entries in ranges, which are sorted and disjoint, for which `isGone` is true.
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
            // The last range ends at or after this handle.
            while ranges[place].upperBound < handle { place = ranges.index(after: place) }
            if handle < ranges[place].lowerBound || !isGone(table[index]) {
                if kept != index { table[kept] = table[index] }
                kept &+= 1
            }
            index &+= 1
        }
        table.removeSubrange(kept..<index)
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

    /// Whether one of these ranges, which are sorted and disjoint, contains a handle.
    static func has(_ ranges: [ClosedRange<UInt16>], _ handle: UInt16) -> Bool {
        let index = firstIndex(in: ranges, notBelow: handle) { $0.upperBound }
        return index < ranges.count && ranges[index].lowerBound <= handle
    }
}
