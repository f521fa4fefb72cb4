/// An entry of an ``AttributeTable``.
public protocol AttributeTableEntry {
    /// The attribute handle that the entry is sorted by.
    var handle: UInt16 { get }
}

/// The entries of a server's attributes, sorted by handle.
///
/// Each operation takes a single pass, however much of the table it changes.
@frozen
public struct AttributeTable<Entry: AttributeTableEntry>: RandomAccessCollection, MutableCollection {
    @usableFromInline var entries: [Entry]

    /// Creates a table of entries that are sorted by handle.
    @inlinable
    public init(sorted entries: [Entry] = []) { self.entries = entries }

    @inlinable public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int { entries.count }

    @inlinable
    public subscript(position: Int) -> Entry {
        get { entries[position] }
        set { entries[position] = newValue }
    }

    // MARK: Looking up

    /// Returns the first index whose handle is not below `handle`.
    @inlinable
    public func firstIndex(notBelow handle: UInt16) -> Int {
        entries.firstIndex(notBelow: handle) { $0.handle }
    }

    /// Returns the entry with a handle; nil if the table lacks it.
    @inlinable
    public func entry(at handle: UInt16) -> Entry? {
        let index = firstIndex(notBelow: handle)
        return index < entries.count && entries[index].handle == handle ? entries[index] : nil
    }

    /// Returns the last entry whose handle is not above `handle`; nil if all are above.
    @inlinable
    public func lastEntry(notAbove handle: UInt16) -> Entry? {
        let index = firstIndex(notBelow: handle)
        if index < entries.count, entries[index].handle == handle { return entries[index] }
        return index > 0 ? entries[index - 1] : nil
    }

    /// Returns the entries with handles in a range.
    @inlinable
    public func entries(in range: ClosedRange<UInt16>) -> ArraySlice<Entry> {
        let rest = entries[firstIndex(notBelow: range.lowerBound)...]
        return rest.prefix { $0.handle <= range.upperBound }
    }

    // MARK: Changing

    /// Appends an entry with the highest handle.
    @inlinable
    public mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Inserts an entry, or replaces the one with its handle; false if the table has `limit` entries.
    @inlinable
    @discardableResult
    public mutating func insert(_ entry: Entry, limit: Int = .max) -> Bool {
        let index = firstIndex(notBelow: entry.handle)
        if index < entries.count, entries[index].handle == entry.handle {
            entries[index] = entry
        } else if entries.count < limit {
            entries.insert(entry, at: index)
        } else {
            return false
        }
        return true
    }

    /// Inserts sorted entries whose handles the table lacks, up to `limit` entries in all; returns those for
    /// which it has no room.
    @inlinable
    public mutating func merge(_ new: Self, limit: Int = .max) -> ArraySlice<Entry> {
        let taken = new.entries.prefix(Swift.max(0, limit - entries.count))
        guard let first = taken.first else { return new.entries[...] }
        let start = firstIndex(notBelow: first.handle)
        var rest = Array(entries[start...])[...]
        entries.removeSubrange(start...)
        for entry in taken {
            while let old = rest.first, old.handle < entry.handle { entries.append(rest.removeFirst()) }
            entries.append(entry)
        }
        entries.append(contentsOf: rest)
        return new.entries[taken.endIndex...]
    }

    /// Removes the entries for which `isGone` is true.
    @inlinable
    public mutating func removeAll(where isGone: (Entry) -> Bool) { entries.removeAll(where: isGone) }

    /// Removes the entries in ranges, which are sorted and disjoint, for which `isGone` is true.
    @inlinable
    public mutating func remove(
        _ ranges: some RandomAccessCollection<ClosedRange<UInt16>>,
        where isGone: (Entry) -> Bool = { _ in true }
    ) {
        guard let first = ranges.first, let last = ranges.last else { return }
        var index = firstIndex(notBelow: first.lowerBound)
        var kept = index
        var place = ranges.startIndex
        while index < entries.count {
            let handle = entries[index].handle
            guard handle <= last.upperBound else { break }
            // The last range ends at or after this handle.
            while ranges[place].upperBound < handle { place = ranges.index(after: place) }
            if handle < ranges[place].lowerBound || !isGone(entries[index]) {
                if kept != index { entries[kept] = entries[index] }
                kept &+= 1
            }
            index &+= 1
        }
        entries.removeSubrange(kept..<index)
    }
}

extension AttributeTable: Equatable where Entry: Equatable {}
extension AttributeTable: Hashable where Entry: Hashable {}
extension AttributeTable: Sendable where Entry: Sendable {}

extension Array {
    /// Returns the first index whose key is not below `key`, in an array that is sorted by key.
    @inlinable
    public func firstIndex<Key: Comparable>(notBelow key: Key, _ keyOf: (Element) -> Key) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            if keyOf(self[middle]) < key { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
