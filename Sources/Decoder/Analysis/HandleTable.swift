/// From file, adapter and connection handle to the slot of the open link.
///
/// A handle has 12 bits, so each adapter in use has a table of its own that needs no hashing; the number of
/// adapters is bounded, and one that does not fit is told.
struct HandleTable: Sendable {
    static let adapterLimit = 64

    private var tables: [(key: UInt64, slots: [Int32])] = []
    /// The table used last: most captures have one adapter.
    private var last = 0
    private(set) var wasFull = false

    private mutating func table(_ file: Int, _ adapter: UInt16, make: Bool) -> Int? {
        let key = UInt64(file) << 16 | UInt64(adapter)
        if last < tables.count, tables[last].key == key { return last }
        if let found = tables.firstIndex(where: { $0.key == key }) {
            last = found
            return found
        }
        guard make else { return nil }
        guard tables.count < Self.adapterLimit else {
            wasFull = true
            return nil
        }
        tables.append((key, [Int32](repeating: -1, count: 4096)))
        last = tables.count - 1
        return last
    }

    /// The slot of the open link; nil where there is none.
    mutating func slot(_ file: Int, _ adapter: UInt16, _ handle: UInt16) -> Int? {
        guard let table = table(file, adapter, make: false) else { return nil }
        let slot = tables[table].slots[Int(handle & 0xFFF)]
        return slot < 0 ? nil : Int(slot)
    }

    mutating func set(_ slot: Int?, _ file: Int, _ adapter: UInt16, _ handle: UInt16) {
        guard let table = table(file, adapter, make: slot != nil) else { return }
        tables[table].slots[Int(handle & 0xFFF)] = Int32(slot ?? -1)
    }

    /// The slots of all links of an adapter (all adapters of the file where it is nil).
    func slots(_ file: Int, _ adapter: UInt16) -> [Int] {
        guard let table = tables.first(where: { $0.key == UInt64(file) << 16 | UInt64(adapter) }) else {
            return []
        }
        return table.slots.filter { $0 >= 0 }.map { Int($0) }
    }

    /// The slots of all open links.
    var allSlots: [Int] { tables.flatMap { $0.slots.filter { $0 >= 0 }.map { Int($0) } } }
}
