import BluetoothCore

/// The attributes of one server, as far as they are known.
///
/// Three sorted tables, each bounded: what discovery names more than once is replaced, never doubled.
struct AttributeDatabase: Sendable {
    /// The most entries of each table: an attribute handle has 16 bits, a real server some hundred attributes.
    static let limit = 2048

    struct Service: Sendable {
        var start: UInt16
        var end: UInt16
        var uuid: BluetoothUUID
        var origin: Origin
    }

    struct Characteristic: Sendable {
        var declaration: UInt16
        var value: UInt16
        var properties: UInt8
        /// Nil while only the properties and handles are known (a cut record).
        var uuid: BluetoothUUID?
        var origin: Origin
    }

    struct Attribute: Sendable {
        var handle: UInt16
        var type: BluetoothUUID
        var origin: Origin
    }

    /// Where an entry comes from: the frame and link that taught it, or a file.
    struct Origin: Hashable, Sendable {
        var source: AttributeLabel.Source
        var frame: Int
        /// The number of the link that taught it; 0 for a file.
        var link: Int
    }

    private(set) var services: [Service] = []
    private(set) var characteristics: [Characteristic] = []
    /// Descriptors, and values that were found by their type.
    private(set) var attributes: [Attribute] = []
    /// Changes whenever an entry does, so that a label that was looked up can be kept.
    private(set) var generation = 0
    /// The database hash that the server showed (characteristic 0x2B2A).
    var hash: [UInt8]?

    var isEmpty: Bool { services.isEmpty && characteristics.isEmpty && attributes.isEmpty }

    mutating func add(_ service: Service) {
        guard service.start != 0, service.end >= service.start else { return }
        generation &+= 1
        Self.insert(service, into: &services) { $0.start }
    }

    mutating func add(_ characteristic: Characteristic) {
        guard characteristic.declaration != 0, characteristic.value > characteristic.declaration else {
            return
        }
        generation &+= 1
        Self.insert(characteristic, into: &characteristics) { $0.declaration }
    }

    mutating func add(_ attribute: Attribute) {
        guard attribute.handle != 0 else { return }
        generation &+= 1
        Self.insert(attribute, into: &attributes) { $0.handle }
    }

    private static func insert<Entry>(_ entry: Entry, into table: inout [Entry], _ key: (Entry) -> UInt16) {
        let index = firstIndex(in: table, notBelow: key(entry), key)
        if index < table.count, key(table[index]) == key(entry) {
            table[index] = entry
        } else if table.count < limit {
            table.insert(entry, at: index)
        }
    }

    /// The first index whose key is not below `handle`.
    @inline(__always)
    private static func firstIndex<Entry>(
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

    /// Forgets all within a range of handles (Service Changed).
    mutating func invalidate(_ range: ClosedRange<UInt16>) {
        generation &+= 1
        services.removeAll { range.contains($0.start) }
        characteristics.removeAll { range.contains($0.declaration) }
        attributes.removeAll { range.contains($0.handle) }
        hash = nil
    }

    /// Forgets all that was not learned on this link.
    mutating func keepOnly(link: Int) {
        generation &+= 1
        services.removeAll { $0.origin.link != link }
        characteristics.removeAll { $0.origin.link != link }
        attributes.removeAll { $0.origin.link != link }
        hash = nil
    }

    /// Takes over what another database knows and this one does not.
    mutating func adopt(_ other: AttributeDatabase, as source: AttributeLabel.Source?) {
        func origin(_ old: Origin) -> Origin {
            source.map { Origin(source: $0, frame: old.frame, link: old.link) } ?? old
        }
        for var entry in other.services where service(at: entry.start)?.start != entry.start {
            entry.origin = origin(entry.origin)
            add(entry)
        }
        for var entry in other.characteristics
        where characteristic(at: entry.declaration)?.declaration != entry.declaration {
            entry.origin = origin(entry.origin)
            add(entry)
        }
        for var entry in other.attributes where attribute(at: entry.handle) == nil {
            entry.origin = origin(entry.origin)
            add(entry)
        }
        if hash == nil { hash = other.hash }
    }

    func service(at handle: UInt16) -> Service? {
        let index = Self.firstIndex(in: services, notBelow: handle) { $0.start }
        if index < services.count, services[index].start == handle { return services[index] }
        guard index > 0, services[index - 1].end >= handle else { return nil }
        return services[index - 1]
    }

    /// The characteristic whose declaration is at or before `handle`, wherever that ends.
    private func characteristic(at handle: UInt16) -> Characteristic? {
        let index = Self.firstIndex(in: characteristics, notBelow: handle) { $0.declaration }
        if index < characteristics.count, characteristics[index].declaration == handle {
            return characteristics[index]
        }
        return index > 0 ? characteristics[index - 1] : nil
    }

    func attribute(at handle: UInt16) -> Attribute? {
        let index = Self.firstIndex(in: attributes, notBelow: handle) { $0.handle }
        guard index < attributes.count, attributes[index].handle == handle else { return nil }
        return attributes[index]
    }

    /// What is known about a handle; nil where nothing is, since no label is better than a wrong one.
    func label(of handle: UInt16, onLink link: Int) -> AttributeLabel? {
        guard handle != 0 else { return nil }
        let service = service(at: handle)
        if let service, service.start == handle {
            return Self.label(.service, service, nil, service.origin, link)
        }
        let own = attribute(at: handle)
        guard let characteristic = characteristic(at: handle),
            service.map({ characteristic.declaration > $0.start }) ?? true
        else {
            guard let own else { return nil }
            return Self.label(ofLone: own, service, link)
        }
        let uuid = characteristic.uuid
        if handle == characteristic.declaration {
            return Self.label(.declaration, service, uuid, characteristic.origin, link)
        }
        if handle == characteristic.value {
            return Self.label(.value, service, uuid, characteristic.origin, link)
        }
        // Past the value only a descriptor can follow, and only within the service that holds both.
        guard let service, handle > characteristic.value else {
            return own.map { Self.label(ofLone: $0, service, link) }
        }
        return Self.label(
            .descriptor(own?.type), service, uuid, own?.origin ?? characteristic.origin, link)
    }

    /// The label of an attribute known by its type alone, as found by Read By Type or Find Information.
    private static func label(ofLone own: Attribute, _ service: Service?, _ link: Int) -> AttributeLabel {
        if let short = own.type.assigned16, (0x2900...0x29FF).contains(short) {
            return label(.descriptor(own.type), service, nil, own.origin, link)
        }
        return label(.value, service, own.type, own.origin, link)
    }

    private static func label(
        _ part: AttributeLabel.Part, _ service: Service?, _ characteristic: BluetoothUUID?, _ origin: Origin,
        _ link: Int
    ) -> AttributeLabel {
        let source: AttributeLabel.Source =
            origin.source == .discovered && origin.link != link ? .earlierLink : origin.source
        return AttributeLabel(
            service: service?.uuid, characteristic: characteristic, part: part, source: source,
            frame: origin.frame)
    }

    /// The characteristic that a descriptor at `handle` belongs to.
    func characteristic(ofDescriptor handle: UInt16) -> Characteristic? {
        guard let characteristic = characteristic(at: handle), characteristic.value < handle,
            service(at: handle).map({ characteristic.declaration > $0.start }) ?? true
        else { return nil }
        return characteristic
    }

    /// The characteristic value that a Client Characteristic Configuration descriptor at `handle` configures.
    func valueHandle(ofDescriptor handle: UInt16) -> UInt16? {
        characteristic(ofDescriptor: handle)?.value
    }
}
