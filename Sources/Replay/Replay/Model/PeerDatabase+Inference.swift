import Analysis
import BluetoothCore

// Attributes whose types the log doesn't show, inferred from their use.

extension RecordedConnection {
    /// Makes up attributes for unknown handles in use: characteristics with the properties that the use
    /// needs, in services of their own.
    ///
    /// - Returns: the number of handles with a made-up attribute, and the first frame that uses one.
    mutating func inferAttributes() -> (count: Int, frame: Int) {
        var uses: [UInt16: AttributeUse] = [:]
        // A handle that the server rejected as invalid has no attribute.
        let unknown = Set(
            pdus.lazy.filter { $0.side == .host && $0.refusal == .invalidHandle }.compactMap(\.answers))
        for (place, pdu) in pdus.enumerated() where pdu.channel == .attribute && !unknown.contains(place) {
            guard let (handle, use) = AttributeUse.shown(by: pdu, server: server), handle > 0,
                database[handle]?.characteristic == nil, database[handle]?.declaration == nil
            else { continue }
            uses[handle, default: AttributeUse(frame: pdu.frame)].join(use)
        }
        let handles = uses.keys.sorted()
        var made = 0
        var characteristic: UInt16?
        for handle in handles {
            guard let use = uses[handle], handle < 0xFFF0 else { continue }
            let owner =
                characteristic.flatMap { handle - $0 <= 4 ? $0 : nil } ?? database.value(before: handle)
            if let owner, use.isConfiguration(of: owner, at: handle) {
                database.add(
                    .init(handle: handle, type: .clientCharacteristicConfiguration, frame: use.frame))
                made += 1
                // A characteristic has at most one, so the next one belongs to another characteristic.
                characteristic = nil
            } else if use.isConfigurationAlone, uses[handle - 1] == nil,
                database.hasRoom(from: Int(handle) - 2, count: 3)
            {
                // Only the configuration was used, but not the value.
                database.addCharacteristic(
                    at: handle - 1, use.configures == 2 ? .indicate : .notify, frame: use.frame)
                database.add(
                    .init(handle: handle, type: .clientCharacteristicConfiguration, frame: use.frame))
                made += 2
            } else if database.hasRoom(from: Int(handle) - 1, count: 2), uses[handle - 1] == nil {
                var properties = use.properties
                if let next = uses[handle + 1], next.isConfiguration(of: handle, at: handle + 1) {
                    properties.formUnion(next.configures == 2 ? .indicate : .notify)
                }
                database.addCharacteristic(at: handle, properties, frame: use.frame)
                characteristic = handle
                made += 1
                let isConfigured = (1...4).contains { uses[handle + $0]?.isConfigurationAlone ?? false }
                guard !properties.isDisjoint(with: [.notify, .indicate]), !isConfigured,
                    uses[handle + 1] == nil, uses[handle + 2] == nil,
                    database.hasRoom(from: Int(handle) + 1, count: 1)
                else { continue }
                database.add(
                    .init(handle: handle + 1, type: .clientCharacteristicConfiguration, frame: use.frame))
            }
        }
        if !isCentral { made += database.declareValues() }
        made += database.addServices()
        return (made, uses.values.map(\.frame).min() ?? 0)
    }
}

/// The recorded use of an attribute.
private struct AttributeUse {
    var frame: Int
    var properties: GATTCharacteristicProperties = []
    /// The highest value written as a Client Characteristic Configuration; nil if none was written.
    var configures: UInt8?
    var isValue = false

    init(frame: Int) { self.frame = frame }

    mutating func join(_ other: AttributeUse) {
        properties.formUnion(other.properties)
        isValue = isValue || other.isValue
        configures = [configures, other.configures].compactMap(\.self).max()
    }

    /// Returns the use that a PDU shows; nil if it is about no attribute's value.
    static func shown(by pdu: RecordedPDU, server: RecordedPDU.Side) -> (handle: UInt16, use: AttributeUse)? {
        guard let handle = pdu.octets.attributeHandle else { return nil }
        var use = AttributeUse(frame: pdu.frame)
        switch (pdu.opcode, pdu.side == server) {
        case (.readRequest, false), (.readBlobRequest, false): use.properties = .read
        case (.writeRequest, false):
            let value = pdu.octets.attributeValue ?? []
            if value.count == 2, value[0] <= 3, value[1] == 0 {
                use.configures = value[0]
            } else {
                use.isValue = true
            }
            use.properties = .write
        case (.prepareWriteRequest, false):
            use.properties = .write
            use.isValue = true
        case (.writeCommand, false):
            use.properties = .writeWithoutResponse
            use.isValue = true
        case (.handleValueNotification, true):
            use.properties = .notify
            use.isValue = true
        case (.handleValueIndication, true):
            use.properties = .indicate
            use.isValue = true
        default: return nil
        }
        return (handle, use)
    }

    var isConfigurationAlone: Bool { configures != nil && !isValue }

    /// Whether this is the configuration of a characteristic whose value is at most four handles before.
    func isConfiguration(of value: UInt16, at handle: UInt16) -> Bool {
        isConfigurationAlone && handle > value && handle - value <= 4
    }
}

extension PeerDatabase.Attribute {
    fileprivate init(handle: UInt16, type: BluetoothUUID, declaration: [UInt8]? = nil, frame: Int) {
        self.init(
            handle: handle, type: type, declaration: declaration, groupEnd: handle, source: .inferred,
            frame: frame, service: nil, characteristic: nil)
    }
}

extension PeerDatabase {
    /// Whether these `count` handles are valid and have no known attributes.
    fileprivate func hasRoom(from first: Int, count: Int) -> Bool {
        guard first > 0, let start = UInt16(exactly: first), let end = UInt16(exactly: first + count - 1)
        else { return false }
        return attributes(in: start...end).isEmpty
    }

    /// Returns the handle just before this one, if it has a known characteristic value or descriptor.
    fileprivate func value(before handle: UInt16) -> UInt16? {
        guard handle > 1, let one = self[handle - 1], one.characteristic != nil, one.declaration == nil,
            one.type != .clientCharacteristicConfiguration
        else { return nil }
        return one.handle
    }

    fileprivate mutating func addCharacteristic(
        at value: UInt16, _ properties: GATTCharacteristicProperties, frame: Int
    ) {
        let uuid = Self.madeUp(at: value)
        let declaration = GATTCharacteristicDeclaration(
            properties: properties, valueHandle: value, uuid: uuid)
        add(
            .init(
                handle: value - 1, type: .characteristicDeclaration, declaration: declaration.encoded,
                frame: frame))
        add(.init(handle: value, type: uuid, frame: frame))
    }

    /// Adds declarations for values whose type is all that the log shows, since they were read by type.
    ///
    /// - Returns: the number of made-up characteristics.
    fileprivate mutating func declareValues() -> Int {
        var made = 0
        for one in attributes where one.characteristic == nil && one.declaration == nil {
            // The types of declarations and descriptors (Assigned Numbers, 3.7).
            if let number = one.type.assigned16, (0x2800...0x29FF).contains(number) { continue }
            guard hasRoom(from: Int(one.handle) - 1, count: 1) else { continue }
            let declaration = GATTCharacteristicDeclaration(
                properties: .read, valueHandle: one.handle, uuid: one.type)
            add(
                .init(
                    handle: one.handle - 1, type: .characteristicDeclaration,
                    declaration: declaration.encoded, frame: one.frame))
            made += 1
        }
        label()
        return made
    }

    /// Puts attributes outside of all services into new services, if there is a free handle for the
    /// declaration.
    ///
    /// - Returns: the number of made-up services.
    fileprivate mutating func addServices() -> Int {
        var made = 0
        var end: UInt16 = 0
        var service: UInt16?
        for attribute in attributes {
            if attribute.type == .primaryService || attribute.type == .secondaryService {
                end = max(end, attribute.groupEnd)
                service = nil
                continue
            }
            guard attribute.handle > end else { continue }
            if service == nil, attribute.handle > 1, self[attribute.handle - 1] == nil {
                service = attribute.handle - 1
                made += 1
                add(
                    .init(
                        handle: attribute.handle - 1, type: .primaryService,
                        declaration: GATTServiceDeclaration(uuid: Self.madeUp(at: attribute.handle - 1))
                            .encoded,
                        frame: attribute.frame))
            }
            if let service { extend(service, to: attribute.handle) }
        }
        label()
        return made
    }

    /// Returns a UUID for made-up attributes: "blecap" and the handle.
    private static func madeUp(at handle: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: 0x626C_6563_6170_4000, low: 0x8000_0000_0000_0000 | UInt64(handle))
    }
}
