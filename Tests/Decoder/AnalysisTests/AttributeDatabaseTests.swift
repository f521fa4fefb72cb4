import BluetoothCore
import Testing

@testable import Analysis

/// Tables that are changed in one step come out as one that is changed entry by entry.
@Suite struct AttributeDatabaseTests {
    private func ranges(_ random: inout SeededOctets, _ count: Int) -> [ClosedRange<UInt16>] {
        var set = HandleRanges()
        for _ in 0..<random.below(count) {
            let low = UInt16(1 + random.below(300))
            set.insert(low...(low + UInt16(random.below(6))))
        }
        return set.ranges
    }

    @Test func `many ranges are removed and added as one by one`() {
        var random = SeededOctets(seed: 41)
        for _ in 0..<500 {
            var set = HandleRanges()
            for range in ranges(&random, 20) { set.insert(range) }
            let gone = ranges(&random, 20)
            var (byOne, atOnce) = (set, set)
            for range in gone { byOne.remove(range) }
            atOnce.remove(gone)
            #expect(atOnce == byOne)
            var added = HandleRanges()
            for range in gone { added.insert(range) }
            (byOne, atOnce) = (set, set)
            for range in gone { byOne.insert(range) }
            atOnce.formUnion(added)
            #expect(atOnce == byOne)
        }
    }

    @Test func `a union that does not fit changes nothing`() {
        var (odd, even) = (HandleRanges(), HandleRanges())
        for index in 0..<UInt16(200) {
            odd.insert((1 + 8 * index)...(1 + 8 * index))
            even.insert((5 + 8 * index)...(5 + 8 * index))
        }
        let before = odd
        odd.formUnion(even)
        #expect(odd == before)
    }

    @Test func `entries are merged and removed as one by one`() {
        var random = SeededOctets(seed: 42)
        for _ in 0..<500 {
            let old = Set((0..<random.below(40)).map { _ in UInt16(random.below(300)) }).sorted()
            let new = Set((0..<random.below(40)).map { _ in UInt16(random.below(300)) })
                .subtracting(old).sorted()
            var merged = table(old)
            #expect(merged.merge(table(new)).isEmpty)
            #expect(merged.map(\.handle) == (old + new).sorted())
            let gone = ranges(&random, 10)
            var left = table(old)
            left.remove(gone) { $0.handle % 3 != 0 }
            #expect(
                left.map(\.handle)
                    == old.filter { handle in handle % 3 == 0 || !gone.contains { $0.contains(handle) } })
            #expect(
                (0..<310).allSatisfy { handle in
                    (HandleRanges.place(of: handle, in: gone) != nil) == gone.contains { $0.contains(handle) }
                })
        }
    }

    @Test func `a table takes the first entries that it has room for`() {
        var evens = table((0..<1000).map { UInt16(2 * $0) })
        let left = evens.merge(table((0..<30).map { UInt16(2 * $0 + 1) }), limit: AttributeDatabase.limit)
        #expect(evens.count == AttributeDatabase.limit)
        #expect(evens.map(\.handle) == evens.map(\.handle).sorted())
        #expect(left.map(\.handle) == (24..<30).map { UInt16(2 * $0 + 1) })
    }

    private func origin(_ link: Int) -> AttributeDatabase.Origin {
        .init(source: .discovered, frame: 1, link: link)
    }

    /// Services with one characteristic each.
    private func database(_ random: inout SeededOctets, link: Int) -> AttributeDatabase {
        var database = AttributeDatabase()
        for _ in 0..<random.below(30) {
            let start = UInt16(1 + random.below(400))
            let end = start + UInt16(2 + random.below(6))
            let uuid = BluetoothUUID(UInt16(0x1800 + random.below(2)))
            database.add(AttributeDatabase.Service(start: start, end: end, uuid: uuid, origin: origin(link)))
            database.add(
                AttributeDatabase.Characteristic(
                    declaration: start + 1, value: start + 2, properties: 2,
                    uuid: BluetoothUUID(0x2A00 as UInt16), origin: origin(link)))
        }
        return database
    }

    @Test func `services never overlap, and what is taken over contradicts nothing`() {
        var random = SeededOctets(seed: 43)
        for _ in 0..<500 {
            let own = database(&random, link: 2)
            let older = database(&random, link: 1)
            var both = own
            both.adopt(older, as: .databaseHash)
            let expected =
                own.services.map(\.range)
                + older.services.map(\.range).filter { old in
                    !own.services.contains { $0.range.overlaps(old) }
                }
            #expect(both.services.map(\.range) == expected.sorted { $0.lowerBound < $1.lowerBound })
            for (one, next) in zip(both.services, both.services.dropFirst()) { #expect(one.end < next.start) }
            let kept = own.characteristics.map(\.declaration)
            #expect(Set(both.characteristics.map(\.declaration)).isSuperset(of: kept))
            #expect(
                both.characteristics.map(\.declaration)
                    == Set(both.characteristics.map(\.declaration)).sorted())
            let left = older.services.filter { old in
                own.services.contains { $0.range.overlaps(old.range) && !old.agrees(with: $0) }
            }
            for entry in both.characteristics where entry.origin.source == .databaseHash {
                #expect(!left.contains { $0.range.contains(entry.declaration) })
            }
        }
    }

    @Test func `an empty database takes over all, as it is told`() {
        var random = SeededOctets(seed: 44)
        var older = database(&random, link: 1)
        older.hash = [1]
        for source in [AttributeLabel.Source.file, .databaseHash] {
            var database = AttributeDatabase()
            database.adopt(older, as: source)
            #expect(database.count == older.count && database.count > 0)
            #expect(database.services.allSatisfy { $0.origin.source == source && $0.origin.link == 0 })
            #expect(database.services.allSatisfy { $0.origin.frame == (source == .file ? 0 : 1) })
            #expect(database.hash == [1])
        }
    }
}

/// A table of attributes with these handles.
private func table(_ handles: [UInt16]) -> AttributeTable<AttributeDatabase.Attribute> {
    AttributeTable(
        sorted: handles.map {
            .init(
                handle: $0, type: .characteristicDeclaration,
                origin: .init(source: .discovered, frame: 1, link: 1))
        })
}
