import BluetoothCore

/// The attributes of one server, as far as they are known.
///
/// There are three sorted tables, each bounded. Repeated discovery replaces an entry and never duplicates it.
/// Knowledge from an earlier link or a file is removed, with everything that depends on it, if discovery
/// contradicts it.
struct AttributeDatabase: Sendable {
    /// Most entries of each table: an attribute handle has 16 bits, a real server some hundred attributes.
    static let limit = 1024

    struct Service: AttributeTableEntry, Sendable {
        var start: UInt16
        var end: UInt16
        var uuid: BluetoothUUID
        var isPrimary = true
        var origin: Origin

        var handle: UInt16 { start }
        var range: ClosedRange<UInt16> { start...end }

        func agrees(with other: Service) -> Bool {
            start == other.start && end == other.end && uuid == other.uuid
        }
    }

    struct Characteristic: AttributeTableEntry, Sendable {
        var declaration: UInt16
        var value: UInt16
        var properties: UInt8
        /// Nil while only the properties and handles are known (from a truncated record).
        var uuid: BluetoothUUID?
        var origin: Origin

        var handle: UInt16 { declaration }

        func agrees(with other: Characteristic) -> Bool {
            declaration == other.declaration && value == other.value && properties == other.properties
                && uuid == other.uuid
        }
    }

    struct Attribute: AttributeTableEntry, Sendable {
        var handle: UInt16
        var type: BluetoothUUID
        var origin: Origin
    }

    /// Source of an entry: the frame and link that it was learned from, or a file.
    struct Origin: Hashable, Sendable {
        var source: AttributeLabel.Source
        /// The index of the frame's file.
        var file: UInt16 = 0
        var frame: Int
        /// The number of the link that it was learned from; 0 for a file.
        var link: Int

        /// Whether it was learned elsewhere than on the link with this number.
        func isOlder(than link: Int) -> Bool {
            self.link != link || source == .file || source == .databaseHash
        }
    }

    private(set) var services = AttributeTable<Service>()
    private(set) var characteristics = AttributeTable<Characteristic>()
    /// Descriptors, and values found by their type.
    private(set) var attributes = AttributeTable<Attribute>()
    /// Ranges in which every characteristic declaration is known: only there is it certain which
    /// characteristic a descriptor belongs to.
    private(set) var declared = HandleRanges()
    /// The range of the characteristic declarations that did not fit: in it, a characteristic may exist
    /// without an entry.
    private var unkept: ClosedRange<UInt16>?
    /// Greatest distance between a characteristic's declaration and its value, in handles: one on nearly all
    /// servers.
    private var reach: UInt16 = 0
    /// The database hash that the server showed (characteristic 0x2B2A).
    var hash: [UInt8]?
    private(set) var hashLink = 0
    /// The generation of the database with the same hash that was adopted then; -1 if nothing was adopted.
    private(set) var hashSource = -1
    /// Whether an entry did not fit.
    private(set) var wasFull = false
    /// Whether it changed since the last ``takeChange()``.
    private var isChanged = true

    var isEmpty: Bool { services.isEmpty && characteristics.isEmpty && attributes.isEmpty }
    var count: Int { services.count &+ characteristics.count &+ attributes.count }

    // MARK: Learning

    /// Whether it changed since the last call.
    mutating func takeChange() -> Bool {
        defer { isChanged = false }
        return isChanged
    }

    mutating func setHash(_ hash: [UInt8], link: Int, source: Int) {
        (self.hash, hashLink, hashSource, isChanged) = (hash, link, source, true)
    }

    mutating func add(_ service: Service) {
        guard service.start != 0, service.end >= service.start else { return }
        isChanged = true
        // Services never overlap, so they are sorted by end as well as by start. Those that contradict the
        // new one are out of date.
        var stale: [ClosedRange<UInt16>] = []
        if let before = services.lastEntry(notAbove: service.start), before.start < service.start,
            before.end >= service.start
        {
            stale.append(before.range)
        }
        for old in services.entries(in: service.range) where !old.agrees(with: service) {
            stale.append(old.range)
        }
        forgetServices(stale, olderThan: service.origin.link)
        if !services.insert(service, limit: Self.limit) { wasFull = true }
    }

    /// Removes older services of one kind from a range in which discovery listed all of them.
    mutating func removeStaleServices(in range: ClosedRange<UInt16>, primary: Bool, link: Int) {
        isChanged = true
        let stale = services.entries(in: range).filter {
            $0.isPrimary == primary && $0.origin.isOlder(than: link)
        }
        forgetServices(stale.map(\.range), olderThan: link)
    }

    mutating func add(_ characteristic: Characteristic) {
        guard characteristic.declaration != 0, characteristic.value > characteristic.declaration else {
            return
        }
        isChanged = true
        let link = characteristic.origin.link
        var new = characteristic
        if let old = self.characteristic(declaredAt: new.declaration) {
            // A truncated record repeats only a part of what is known.
            if new.uuid == nil, old.value == new.value, old.properties == new.properties {
                new.uuid = old.uuid
                new.origin = old.origin
            }
            if !old.agrees(with: new) { forgetDescriptors(behind: [old.declaration], olderThan: link) }
        }
        characteristics.remove(CollectionOfOne(reaching(new.declaration)...new.value)) {
            $0.declaration != new.declaration && $0.value >= new.declaration
                && $0.origin.isOlder(than: link)
        }
        if characteristics.insert(new, limit: Self.limit) {
            reach = max(reach, new.value &- new.declaration)
        } else {
            markIncomplete(new.declaration...new.declaration)
        }
    }

    /// Returns the first handle at which a characteristic that extends to `handle` can be declared.
    private func reaching(_ handle: UInt16) -> UInt16 { handle - min(handle, reach) }

    /// Records that characteristics declared in a range did not fit: there, the owners of descriptors are
    /// unknown.
    private mutating func markIncomplete(_ range: ClosedRange<UInt16>) {
        wasFull = true
        let known = unkept ?? range
        unkept = min(known.lowerBound, range.lowerBound)...max(known.upperBound, range.upperBound)
        declared.remove(range)
    }

    /// Records that every declaration in a range is known, except for those that did not fit.
    private mutating func confirm(_ range: ClosedRange<UInt16>) {
        declared.insert(range)
        if let unkept { declared.remove(unkept) }
    }

    /// Removes older characteristics from a range in which discovery listed all of them.
    mutating func removeStaleCharacteristics(in range: ClosedRange<UInt16>, link: Int) {
        isChanged = true
        let stale = characteristics.entries(in: range).filter { $0.origin.isOlder(than: link) }
        if !stale.isEmpty {
            forgetDescriptors(behind: stale.map(\.declaration), olderThan: link)
            characteristics.remove(CollectionOfOne(range)) { $0.origin.isOlder(than: link) }
        }
        confirm(range)
    }

    /// Records that the attribute at a handle is not a characteristic declaration.
    mutating func confirmNoDeclaration(at handle: UInt16) {
        isChanged = true
        declared.insert(handle...handle)
    }

    /// Records that a file which lists the whole database was read.
    mutating func confirmAll() { confirm(1...0xFFFF) }

    mutating func add(_ attribute: Attribute) {
        guard attribute.handle != 0 else { return }
        isChanged = true
        let link = attribute.origin.link
        if let old = self.attribute(at: attribute.handle), old.type != attribute.type,
            attribute.origin.source == .inferred, old.origin.source != .inferred
        {
            return
        }
        characteristics.remove(CollectionOfOne(reaching(attribute.handle)...attribute.handle)) {
            $0.origin.isOlder(than: link)
                && ($0.declaration == attribute.handle
                    || $0.value == attribute.handle && $0.uuid != attribute.type)
        }
        if !attributes.insert(attribute, limit: Self.limit) { wasFull = true }
    }

    // MARK: Forgetting

    /// Forgets everything in a range of handles (Service Changed).
    mutating func invalidate(_ range: ClosedRange<UInt16>) {
        isChanged = true
        services.removeAll { $0.range.overlaps(range) }
        characteristics.removeAll { range.contains($0.declaration) || range.contains($0.value) }
        attributes.removeAll { range.contains($0.handle) }
        declared.remove(range)
        if let gone = unkept, range.contains(gone.lowerBound), range.contains(gone.upperBound) {
            unkept = nil
        }
        hash = nil
    }

    /// Forgets everything that was not learned on this link.
    mutating func keepOnly(link: Int) {
        isChanged = true
        services.removeAll { $0.origin.isOlder(than: link) }
        characteristics.removeAll { $0.origin.isOlder(than: link) }
        attributes.removeAll { $0.origin.isOlder(than: link) }
        declared = HandleRanges()
        hash = nil
    }

    mutating func forgetAll() { self = AttributeDatabase() }

    /// Forgets services, whose ranges are sorted, with their contents.
    private mutating func forgetServices(_ ranges: [ClosedRange<UInt16>], olderThan link: Int) {
        guard !ranges.isEmpty else { return }
        services.remove(ranges)
        characteristics.remove(ranges) { $0.origin.isOlder(than: link) }
        attributes.remove(ranges) { $0.origin.isOlder(than: link) }
        declared.remove(ranges)
    }

    /// Forgets the contents of the characteristics with these declarations, which are sorted: everything up
    /// to the next declaration.
    private mutating func forgetDescriptors(behind declarations: [UInt16], olderThan link: Int) {
        var ranges: [ClosedRange<UInt16>] = []
        for declaration in declarations {
            let next = characteristics.firstIndex(notBelow: declaration) &+ 1
            let end = next < characteristics.count ? characteristics[next].declaration &- 1 : 0xFFFF
            ranges.append(declaration...max(declaration, end))
        }
        attributes.remove(ranges) { $0.origin.isOlder(than: link) }
    }

    // MARK: Adopting

    /// Adopts the knowledge of an older database, as far as nothing here contradicts it.
    mutating func adopt(_ other: AttributeDatabase, as source: AttributeLabel.Source?) {
        isChanged = true
        if let hash, let old = other.hash, hash != old { return }
        if isEmpty, declared.isEmpty {
            // This database is empty, so nothing contradicts the other: entries that keep their source need
            // no copy.
            services = Self.adopted(other.services, as: source)
            characteristics = Self.adopted(other.characteristics, as: source)
            attributes = Self.adopted(other.attributes, as: source)
            (declared, reach) = (other.declared, other.reach)
        } else {
            merge(other, as: source)
        }
        if hash == nil { hash = other.hash }
    }

    private mutating func merge(_ other: AttributeDatabase, as source: AttributeLabel.Source?) {
        var fresh = other
        fresh.dropContradicted(by: self)
        fresh.services.removeAll { service(at: $0.start) != nil }
        fresh.characteristics.removeAll {
            declared.covers($0.declaration...$0.declaration)
                || characteristic(declaredAt: $0.declaration) != nil
        }
        fresh.attributes.removeAll { attribute(at: $0.handle) != nil }
        let left = characteristics.merge(Self.adopted(fresh.characteristics, as: source), limit: Self.limit)
        if !services.merge(Self.adopted(fresh.services, as: source), limit: Self.limit).isEmpty
            || !attributes.merge(Self.adopted(fresh.attributes, as: source), limit: Self.limit).isEmpty
        {
            wasFull = true
        }
        reach = max(reach, fresh.reach)
        declared.formUnion(fresh.declared)
        if let first = left.first, let last = left.last {
            markIncomplete(first.declaration...last.declaration)
        }
        if let unkept { declared.remove(unkept) }
    }

    /// Drops entries that contradict another database, or that discovery of that database covers.
    private mutating func dropContradicted(by own: AttributeDatabase) {
        var stale: [ClosedRange<UInt16>] = []
        var place = 0
        for old in services {
            while place < own.services.count, own.services[place].end < old.start { place &+= 1 }
            guard place < own.services.count else { break }
            if own.services[place].range.overlaps(old.range), !old.agrees(with: own.services[place]) {
                stale.append(old.range)
            }
        }
        drop(stale)
        services.remove(stale)
        var wrong: [ClosedRange<UInt16>] = []
        for known in own.characteristics {
            guard let old = characteristic(at: known.value), !old.agrees(with: known) else { continue }
            if old.declaration >= known.declaration || old.value >= known.declaration {
                wrong.append(old.declaration...max(old.value, known.value))
            }
        }
        drop(HandleRanges.joined(wrong))
    }

    /// Drops the entries in ranges, which are sorted.
    private mutating func drop(_ ranges: [ClosedRange<UInt16>]) {
        guard !ranges.isEmpty else { return }
        characteristics.removeAll {
            HandleRanges.place(of: $0.declaration, in: ranges) != nil
                || HandleRanges.place(of: $0.value, in: ranges) != nil
        }
        attributes.remove(ranges)
        declared.remove(ranges)
    }

    /// Returns entries with another source; without one, unchanged.
    private static func adopted<Entry: Learned>(
        _ entries: AttributeTable<Entry>, as source: AttributeLabel.Source?
    ) -> AttributeTable<Entry> {
        guard let source, entries.contains(where: { $0.origin != $0.origin.adopted(as: source) }) else {
            return entries
        }
        var adopted = entries
        for index in adopted.indices { adopted[index].origin = adopted[index].origin.adopted(as: source) }
        return adopted
    }
}

/// An entry of a table of attributes, with its origin.
private protocol Learned: AttributeTableEntry {
    var origin: AttributeDatabase.Origin { get set }
}

extension AttributeDatabase.Service: Learned {}
extension AttributeDatabase.Characteristic: Learned {}
extension AttributeDatabase.Attribute: Learned {}

extension AttributeDatabase.Origin {
    /// Returns the origin of an entry that is adopted from another link or a file; a file has no frames.
    fileprivate func adopted(as source: AttributeLabel.Source) -> Self {
        Self(source: source, file: file, frame: source == .file ? 0 : frame, link: 0)
    }
}
