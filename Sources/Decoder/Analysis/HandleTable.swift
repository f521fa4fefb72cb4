/// Maps a file, adapter and connection handle to the slot of the open link.
///
/// A handle has 12 bits, so a table for each adapter in use needs no hashing. A new adapter evicts the least
/// recently used one.
struct HandleTable: Sendable {
    static let adapterLimit = 64

    private struct Table: Sendable {
        var key: UInt64
        var lastUse = 0
        /// Number of handles that have a link; 0 saves the search.
        var openCount = 0
    }

    /// Number of handles in a table, which have 12 bits.
    private static let length = 4096

    private var tables: [Table] = []
    /// The slots by handle, one table after the other; -1 for handles without a link.
    private var slots: [Int32] = []
    /// The table used last, since most captures have one adapter.
    private var last = 0
    private var clock = 0

    @inline(__always)
    private mutating func table(file: Int, adapter: UInt16) -> Int? {
        let key = AdapterTable.key(file: file, adapter: adapter)
        if last < tables.count, tables[last].key == key { return last }
        return find(key)
    }

    @inline(never)
    private mutating func find(_ key: UInt64) -> Int? {
        guard let found = tables.firstIndex(where: { $0.key == key }) else { return nil }
        last = found
        clock &+= 1
        tables[found].lastUse = clock
        return found
    }

    /// Makes a table for an adapter without one; returns the slots of the evicted adapter's links.
    mutating func makeTable(file: Int, adapter: UInt16) -> [Int] {
        guard table(file: file, adapter: adapter) == nil else { return [] }
        clock &+= 1
        let new = Table(key: AdapterTable.key(file: file, adapter: adapter), lastUse: clock)
        if tables.count < Self.adapterLimit {
            tables.append(new)
            slots += [Int32](repeating: -1, count: Self.length)
            last = tables.count - 1
            return []
        }
        guard let oldest = tables.indices.min(by: { tables[$0].lastUse < tables[$1].lastUse }) else {
            return []
        }
        let lost = open(of: oldest)
        tables[oldest] = new
        for place in Self.places(of: oldest) { slots[place] = -1 }
        last = oldest
        return lost
    }

    /// Returns the slot of the open link; nil if absent.
    @inline(__always)
    mutating func slot(file: Int, adapter: UInt16, handle: UInt16) -> Int? {
        guard let table = table(file: file, adapter: adapter) else { return nil }
        let slot = slots[table &* Self.length &+ Int(handle & 0xFFF)]
        return slot < 0 ? nil : Int(slot)
    }

    mutating func set(_ slot: Int?, file: Int, adapter: UInt16, handle: UInt16) {
        guard let table = table(file: file, adapter: adapter) else { return }
        let place = table &* Self.length &+ Int(handle & 0xFFF)
        tables[table].openCount += (slot == nil ? 0 : 1) - (slots[place] < 0 ? 0 : 1)
        slots[place] = Int32(slot ?? -1)
    }

    func slots(file: Int, adapter: UInt16) -> [Int] {
        let key = AdapterTable.key(file: file, adapter: adapter)
        guard let table = tables.firstIndex(where: { $0.key == key }), tables[table].openCount > 0 else {
            return []
        }
        return open(of: table)
    }

    var allSlots: [Int] { slots.filter { $0 >= 0 }.map { Int($0) } }

    private static func places(of table: Int) -> Range<Int> { table &* length..<(table &+ 1) &* length }

    /// Returns the slots of a table's links.
    private func open(of table: Int) -> [Int] {
        slots[Self.places(of: table)].filter { $0 >= 0 }.map { Int($0) }
    }
}
