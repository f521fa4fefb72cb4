import BluetoothCore

// Labels of handles, and the sources of that knowledge.

extension AttributeDatabase {
    func service(at handle: UInt16) -> Service? {
        services.lastEntry(notAbove: handle).flatMap { $0.end >= handle ? $0 : nil }
    }

    /// Returns the characteristic whose declaration is at or before `handle`, wherever it ends.
    func characteristic(at handle: UInt16) -> Characteristic? {
        characteristics.lastEntry(notAbove: handle)
    }

    func characteristic(declaredAt handle: UInt16) -> Characteristic? {
        characteristics.entry(at: handle)
    }

    func attribute(at handle: UInt16) -> Attribute? { attributes.entry(at: handle) }

    /// Whether a descriptor that was found at a handle can't be written by any client: descriptions are
    /// writable only if the characteristic has extended properties (Vol 3, Part G, 3.3.3).
    func hasReadOnlyDescriptor(at handle: UInt16) -> Bool {
        switch attribute(at: handle)?.type {
        case BluetoothUUID(0x2900 as UInt16), BluetoothUUID(0x2904 as UInt16),
            BluetoothUUID(0x2905 as UInt16):
            return true
        case BluetoothUUID(0x2901 as UInt16):
            guard let owner = characteristic(at: handle), declared.covers(owner.declaration...handle) else {
                return false
            }
            return owner.properties & 0x80 == 0
        default: return false
        }
    }

    /// Returns the label of a handle; nil if nothing is known, since no label is better than a wrong one.
    func label(of handle: UInt16, onLink link: Int) -> AttributeLabel? {
        guard handle != 0 else { return nil }
        let service = service(at: handle)
        if let service, service.start == handle {
            return Self.label(.service, service, nil, service.origin, onLink: link)
        }
        let own = attribute(at: handle)
        guard let characteristic = characteristic(at: handle),
            service.map({ characteristic.declaration > $0.start }) ?? true
        else {
            guard let own else { return nil }
            return Self.label(ofLone: own, service, onLink: link)
        }
        let uuid = characteristic.uuid
        if handle == characteristic.declaration {
            return Self.label(.declaration, service, uuid, characteristic.origin, onLink: link)
        }
        if handle == characteristic.value {
            let type = uuid ?? own?.type
            return Self.label(.value, service, type, characteristic.origin, onLink: link)
        }
        // Only a descriptor can follow the value, within the same service, and only if it is known that no
        // other characteristic is declared in between.
        guard handle > characteristic.value, declared.covers(characteristic.declaration...handle),
            service != nil || own?.isDescriptor == true
        else {
            return own.map { Self.label(ofLone: $0, service, onLink: link) }
        }
        return Self.label(
            .descriptor(own?.type), service, uuid, own?.origin ?? characteristic.origin, onLink: link)
    }

    /// Returns the label of an attribute known only by its type, as found by Read By Type or Find
    /// Information.
    private static func label(ofLone own: Attribute, _ service: Service?, onLink link: Int) -> AttributeLabel
    {
        if own.isDescriptor { return label(.descriptor(own.type), service, nil, own.origin, onLink: link) }
        return label(.value, service, own.type, own.origin, onLink: link)
    }

    private static func label(
        _ part: AttributeLabel.Part, _ service: Service?, _ characteristic: BluetoothUUID?, _ origin: Origin,
        onLink link: Int
    ) -> AttributeLabel {
        let source: AttributeLabel.Source =
            origin.source == .discovered && origin.link != link ? .earlierLink : origin.source
        return AttributeLabel(
            service: service?.uuid, characteristic: characteristic, part: part, source: source,
            file: origin.file, frame: origin.frame)
    }

    /// Returns the characteristic that a descriptor at `handle` belongs to; nil if that is uncertain.
    func characteristic(ofDescriptor handle: UInt16) -> Characteristic? {
        guard let characteristic = characteristic(at: handle), characteristic.value < handle,
            declared.covers(characteristic.declaration...handle),
            service(at: handle).map({ characteristic.declaration > $0.start }) ?? true
        else { return nil }
        return characteristic
    }

    /// Returns the handle of the characteristic value that a CCCD at `handle` configures.
    func valueHandle(ofDescriptor handle: UInt16) -> UInt16? {
        characteristic(ofDescriptor: handle)?.value
    }
}

extension AttributeDatabase.Attribute {
    var isDescriptor: Bool { type.assigned16.map { (0x2900...0x29FF).contains($0) } ?? false }
}
