import BluetoothCore

/// The attributes of one server, as far as they are known.
///
/// Three sorted tables, each bounded: what discovery names more than once is replaced, never doubled. What an
/// earlier link or a file told gives way wherever discovery contradicts it, with all that hangs on it.
struct AttributeDatabase: Sendable {
    /// The most entries of each table: an attribute handle has 16 bits, a real server some hundred
    /// attributes.
    static let limit = 1024

    struct Service: Sendable {
        var start: UInt16
        var end: UInt16
        var uuid: BluetoothUUID
        var isPrimary = true
        var origin: Origin

        var range: ClosedRange<UInt16> { start...end }

        func says(_ other: Service) -> Bool {
            start == other.start && end == other.end && uuid == other.uuid
        }
    }

    struct Characteristic: Sendable {
        var declaration: UInt16
        var value: UInt16
        var properties: UInt8
        /// Nil while only the properties and handles are known (a cut record).
        var uuid: BluetoothUUID?
        var origin: Origin

        func says(_ other: Characteristic) -> Bool {
            declaration == other.declaration && value == other.value && properties == other.properties
                && uuid == other.uuid
        }
    }

    struct Attribute: Sendable {
        var handle: UInt16
        var type: BluetoothUUID
        var origin: Origin
    }

    /// Where an entry comes from: the frame and link that taught it, or a file.
    struct Origin: Hashable, Sendable {
        var source: AttributeLabel.Source
        /// The index of the frame's file.
        var file: UInt16 = 0
        var frame: Int
        /// The number of the link that taught it; 0 for a file.
        var link: Int

        /// Whether it was learned elsewhere than on the link with this number.
        func isOlder(than link: Int) -> Bool {
            self.link != link || source == .file || source == .databaseHash
        }
    }

    private(set) var services: [Service] = []
    private(set) var characteristics: [Characteristic] = []
    /// Descriptors, and values that were found by their type.
    private(set) var attributes: [Attribute] = []
    /// Where every characteristic declaration is known: only there is it told which descriptor belongs to
    /// what.
    private(set) var declared = HandleRanges()
    /// The database hash that the server showed (characteristic 0x2B2A).
    var hash: [UInt8]?
    /// The number of the link on which it showed it.
    var hashLink = 0
    /// Whether an entry had no place.
    private(set) var wasFull = false

    var isEmpty: Bool { services.isEmpty && characteristics.isEmpty && attributes.isEmpty }
    /// Entries of all tables.
    var count: Int { services.count &+ characteristics.count &+ attributes.count }

    // MARK: Learning

    mutating func add(_ service: Service) {
        guard service.start != 0, service.end >= service.start else { return }
        // Services never overlap: what contradicts the new one is out of date.
        var stale: [Service] = []
        for old in services where old.range.overlaps(service.range) && !old.says(service) {
            stale.append(old)
        }
        for old in stale {
            services.removeAll { $0.start == old.start }
            forgetContents(of: old.range, olderThan: service.origin.link)
        }
        if !Self.insert(service, into: &services, { $0.start }) { wasFull = true }
    }

    /// Discovery listed all services of one kind in a range: others that were known there are gone.
    mutating func confirmServices(_ range: ClosedRange<UInt16>, primary: Bool, link: Int) {
        for old in services
        where range.contains(old.start) && old.isPrimary == primary && old.origin.isOlder(than: link) {
            services.removeAll { $0.start == old.start }
            forgetContents(of: old.range, olderThan: link)
        }
    }

    mutating func add(_ characteristic: Characteristic) {
        guard characteristic.declaration != 0, characteristic.value > characteristic.declaration else {
            return
        }
        let link = characteristic.origin.link
        var new = characteristic
        if let old = self.characteristic(declaredAt: new.declaration) {
            // A cut record tells less than what is known already, and nothing else.
            if new.uuid == nil, old.value == new.value, old.properties == new.properties {
                new.uuid = old.uuid
                new.origin = old.origin
            }
            if !old.says(new) { forgetDescriptors(behind: old.declaration, olderThan: link) }
        }
        characteristics.removeAll {
            $0.declaration != new.declaration && $0.declaration <= new.value && $0.value >= new.declaration
                && $0.origin.isOlder(than: link)
        }
        if !Self.insert(new, into: &characteristics, { $0.declaration }) { wasFull = true }
    }

    /// Discovery listed all characteristics that are declared in a range.
    mutating func confirmCharacteristics(_ range: ClosedRange<UInt16>, link: Int) {
        for old in characteristics
        where range.contains(old.declaration) && old.origin.isOlder(than: link) {
            forgetDescriptors(behind: old.declaration, olderThan: link)
            characteristics.removeAll { $0.declaration == old.declaration }
        }
        declared.insert(range)
    }

    /// The handles are no declarations of characteristics.
    mutating func confirmNoDeclaration(_ handle: UInt16) { declared.insert(handle...handle) }

    /// A file that lists the whole database was read.
    mutating func confirmAll() { declared.insert(1...0xFFFF) }

    mutating func add(_ attribute: Attribute) {
        guard attribute.handle != 0 else { return }
        let link = attribute.origin.link
        if let old = self.attribute(at: attribute.handle), old.type != attribute.type,
            attribute.origin.source == .inferred, old.origin.source != .inferred
        {
            return
        }
        characteristics.removeAll {
            $0.origin.isOlder(than: link)
                && ($0.declaration == attribute.handle
                    || $0.value == attribute.handle && $0.uuid != attribute.type)
        }
        if !Self.insert(attribute, into: &attributes, { $0.handle }) { wasFull = true }
    }

    /// Puts an entry in its place; false where the table is full.
    private static func insert<Entry>(
        _ entry: Entry, into table: inout [Entry], _ key: (Entry) -> UInt16
    ) -> Bool {
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

    // MARK: Forgetting

    /// Forgets all within a range of handles (Service Changed).
    mutating func invalidate(_ range: ClosedRange<UInt16>) {
        services.removeAll { $0.range.overlaps(range) }
        characteristics.removeAll { range.contains($0.declaration) || range.contains($0.value) }
        attributes.removeAll { range.contains($0.handle) }
        declared.remove(range)
        hash = nil
    }

    /// Forgets all that was not learned on this link.
    mutating func keepOnly(link: Int) {
        services.removeAll { $0.origin.isOlder(than: link) }
        characteristics.removeAll { $0.origin.isOlder(than: link) }
        attributes.removeAll { $0.origin.isOlder(than: link) }
        declared.removeAll()
        hash = nil
    }

    mutating func forgetAll() { self = AttributeDatabase() }

    private mutating func forgetContents(of range: ClosedRange<UInt16>, olderThan link: Int) {
        characteristics.removeAll { range.contains($0.declaration) && $0.origin.isOlder(than: link) }
        attributes.removeAll { range.contains($0.handle) && $0.origin.isOlder(than: link) }
        declared.remove(range)
    }

    /// Forgets what belongs to the characteristic declared at `declaration`: all up to the next one.
    private mutating func forgetDescriptors(behind declaration: UInt16, olderThan link: Int) {
        let next = characteristics.first { $0.declaration > declaration }?.declaration ?? 0xFFFF
        attributes.removeAll {
            $0.handle >= declaration && $0.handle < next && $0.origin.isOlder(than: link)
        }
    }

    // MARK: Taking over

    /// Takes over what an older database knows, as far as nothing here contradicts it.
    mutating func adopt(_ other: AttributeDatabase, as source: AttributeLabel.Source?) {
        func origin(_ old: Origin) -> Origin {
            guard let source else { return old }
            return Origin(
                source: source, file: old.file, frame: source == .file ? 0 : old.frame, link: 0)
        }
        if let hash, let old = other.hash, hash != old { return }
        var fresh = other
        // What discovery here covers, or says otherwise, is not taken from elsewhere.
        for own in services {
            for old in other.services where old.range.overlaps(own.range) && !old.says(own) {
                fresh.drop(old.range)
                fresh.services.removeAll { $0.start == old.start }
            }
        }
        for own in characteristics {
            guard let old = fresh.characteristic(at: own.value), !old.says(own) else { continue }
            if old.declaration >= own.declaration || old.value >= own.declaration {
                fresh.drop(old.declaration...max(old.value, own.value))
            }
        }
        for entry in fresh.services where service(at: entry.start) == nil {
            var entry = entry
            entry.origin = origin(entry.origin)
            if !Self.insert(entry, into: &services, { $0.start }) { wasFull = true }
        }
        let known = declared
        for entry in fresh.characteristics
        where !known.covers(entry.declaration...entry.declaration)
            && characteristic(declaredAt: entry.declaration) == nil
        {
            var entry = entry
            entry.origin = origin(entry.origin)
            if !Self.insert(entry, into: &characteristics, { $0.declaration }) { wasFull = true }
        }
        for entry in fresh.attributes where attribute(at: entry.handle) == nil {
            var entry = entry
            entry.origin = origin(entry.origin)
            if !Self.insert(entry, into: &attributes, { $0.handle }) { wasFull = true }
        }
        for range in fresh.declared.ranges { declared.insert(range) }
        if hash == nil { hash = other.hash }
    }

    private mutating func drop(_ range: ClosedRange<UInt16>) {
        characteristics.removeAll { range.contains($0.declaration) || range.contains($0.value) }
        attributes.removeAll { range.contains($0.handle) }
        declared.remove(range)
    }
}
