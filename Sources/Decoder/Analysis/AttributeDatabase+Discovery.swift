import BluetoothCore
import WireBytes

// Knowledge about a server's attributes, taken from responses and added to the tables.

extension AttributeDatabase {
    /// Values in a response that matter beyond the existence of their attributes.
    struct FoundValues {
        var configurations: [(descriptor: UInt16, value: UInt16)] = []
        /// The value of the Device Name characteristic; empty if absent.
        var deviceName: [UInt8] = []
    }

    mutating func learn(
        _ response: RawSpan, to request: PendingRequest, isCut: Bool, from origin: Origin
    ) -> FoundValues {
        var values = FoundValues()
        guard let list = ATTTable.elements(in: response) else { return values }
        var elements = Elements(response: response, next: list.start, width: list.width)
        switch response.octet(at: 0).map(ATTOpcode.init(rawValue:)) {
        case .readByGroupTypeResponse: learnServices(&elements, request, origin)
        case .findByTypeValueResponse: learnServiceRanges(&elements, request, origin)
        case .readByTypeResponse: learnByType(&elements, request, origin, isCut: isCut, &values)
        case .findInformationResponse: learnTypes(&elements, request, origin)
        default: break
        }
        return values
    }

    /// The elements of a response's list, the last of which may be truncated.
    private struct Elements: ~Escapable {
        let response: RawSpan
        var next: Int
        let width: Int

        @_lifetime(copy response)
        init(response: RawSpan, next: Int, width: Int) {
            (self.response, self.next, self.width) = (response, next, width)
        }

        @_lifetime(copy self)
        mutating func take() -> RawSpan? {
            guard next < response.byteCount else { return nil }
            defer { next &+= width }
            return response.clamped(next..<next &+ width)
        }
    }

    /// Returns the database hash in a response to a request for values of its type; nil if absent.
    static func hash(in response: RawSpan, to request: PendingRequest) -> [UInt8]? {
        guard request.opcode == .readByTypeRequest, request.type?.assigned16 == 0x2B2A,
            let list = ATTTable.elements(in: response), list.width == 18,
            let handle = response.u16le(at: list.start), request.range.contains(handle)
        else { return nil }
        let value = response.clamped(list.start &+ 2..<list.start &+ list.width)
        return value.byteCount == 16 ? value.copied() : nil
    }

    /// Learns services with their ranges and UUIDs from a Read By Group Type Response.
    private mutating func learnServices(
        _ elements: inout Elements, _ request: PendingRequest, _ origin: Origin
    ) {
        guard let isPrimary = request.isForPrimaryServices else { return }
        var last: UInt16 = 0
        while let element = elements.take(), element.byteCount == elements.width {
            guard let handle = element.u16le(at: 0), let end = element.u16le(at: 2),
                let uuid = BluetoothUUID(attributeType: element.dropping(4)),
                request.range.contains(handle), handle > last
            else { return }
            last = end
            add(Service(start: handle, end: end, uuid: uuid, isPrimary: isPrimary, origin: origin))
        }
        guard !request.isAmbiguous, last >= request.handle else { return }
        removeStaleServices(in: request.handle...last, primary: isPrimary, link: origin.link)
    }

    /// Learns the ranges of the requested service from a Find By Type Value Response.
    private mutating func learnServiceRanges(
        _ elements: inout Elements, _ request: PendingRequest, _ origin: Origin
    ) {
        guard let isPrimary = request.isForPrimaryServices, let uuid = request.sought else { return }
        while let element = elements.take() {
            guard let handle = element.u16le(at: 0), let end = element.u16le(at: 2),
                request.range.contains(handle)
            else { return }
            add(Service(start: handle, end: end, uuid: uuid, isPrimary: isPrimary, origin: origin))
        }
    }

    /// Learns characteristic declarations, or values found by their type, from a Read By Type Response.
    private mutating func learnByType(
        _ elements: inout Elements, _ request: PendingRequest, _ origin: Origin, isCut: Bool,
        _ values: inout FoundValues
    ) {
        guard let type = request.type else { return }
        var last: UInt16 = 0
        while let element = elements.take(), let handle = element.u16le(at: 0) {
            // Elements are in the order of their handles, all within the requested range.
            guard request.range.contains(handle), handle > last else { return }
            last = handle
            let value = element.dropping(2)
            let isWhole = element.byteCount == elements.width
            switch type.assigned16 {
            case 0x2803: learnCharacteristic(at: handle, value, isWhole: isWhole, origin)
            case 0x2800, 0x2801, 0x2802: continue
            default:
                if isWhole { values.add(value, at: handle, ofType: type) }
                // Adding a known attribute would invalidate everything derived from the database.
                if attribute(at: handle)?.type != type {
                    add(Attribute(handle: handle, type: type, origin: origin))
                }
            }
        }
        guard type.assigned16 == 0x2803, !isCut, !request.isAmbiguous, last >= request.handle else { return }
        // The value directly follows its declaration, so it is not a declaration (Vol 3, Part G, 3.3.2).
        let value = characteristic(declaredAt: last)?.value ?? last
        removeStaleCharacteristics(
            in: request.handle...(value == last &+ 1 ? value : last), link: origin.link)
    }

    /// Learns a characteristic from its declaration's value: properties, value handle, UUID.
    private mutating func learnCharacteristic(
        at declaration: UInt16, _ value: RawSpan, isWhole: Bool, _ origin: Origin
    ) {
        guard let properties = value.octet(at: 0), let handle = value.u16le(at: 1) else { return }
        let uuid = isWhole ? BluetoothUUID(attributeType: value.dropping(3)) : nil
        add(
            Characteristic(
                declaration: declaration, value: handle, properties: properties, uuid: uuid, origin: origin))
    }

    /// Learns attribute types from a Find Information Response: types other than declarations are
    /// descriptors.
    private mutating func learnTypes(
        _ elements: inout Elements, _ request: PendingRequest, _ origin: Origin
    ) {
        while let element = elements.take() {
            guard element.byteCount == elements.width, let handle = element.u16le(at: 0),
                let type = BluetoothUUID(attributeType: element.dropping(2)), request.range.contains(handle)
            else { return }
            // The type of a declaration is less than what discovery reads from the declaration itself.
            if let short = type.assigned16, (0x2800...0x2803).contains(short) { continue }
            confirmNoDeclaration(at: handle)
            if let own = characteristic(at: handle), own.value == handle, own.uuid == type { continue }
            add(Attribute(handle: handle, type: type, origin: origin))
        }
    }

    /// Records that a discovery found nothing more in its range.
    mutating func learnEnd(of request: PendingRequest, link: Int) {
        guard request.handle != 0, request.endHandle >= request.handle else { return }
        switch request.opcode {
        case .readByGroupTypeRequest:
            guard let isPrimary = request.isForPrimaryServices else { return }
            removeStaleServices(in: request.range, primary: isPrimary, link: link)
        case .readByTypeRequest where request.type?.assigned16 == 0x2803:
            removeStaleCharacteristics(in: request.range, link: link)
        default: break
        }
    }

    /// Records the hash that the server showed: a database with the same hash has the same attributes.
    mutating func noteHash(
        _ shown: [UInt8], link: Int, same: (database: AttributeDatabase, generation: Int)?
    ) {
        let source = same?.generation ?? -1
        // A hash shown again changes nothing, unless there is more to adopt.
        if hash == shown, hashLink == link, hashSource == source { return }
        if let hash, hash != shown {
            // The database has changed. Knowledge from earlier links is out of date; if it changed on this
            // link, so is everything.
            if hashLink == link { forgetAll() } else { keepOnly(link: link) }
        }
        if let same { adopt(same.database, as: .databaseHash) }
        setHash(shown, link: link, source: source)
    }
}

extension AttributeDatabase.FoundValues {
    fileprivate mutating func add(_ value: RawSpan, at handle: UInt16, ofType type: BluetoothUUID) {
        switch type.assigned16 {
        case 0x2902:
            guard value.byteCount == 2, let state = value.u16le(at: 0) else { return }
            configurations.append((handle, state))
        case 0x2A00 where value.byteCount > 0: deviceName = value.copied()
        default: break
        }
    }
}

extension PendingRequest {
    /// Whether it looks for primary services, or for secondary ones (false); nil if it looks for neither.
    fileprivate var isForPrimaryServices: Bool? {
        switch type?.assigned16 {
        case 0x2800: true
        case 0x2801: false
        default: nil
        }
    }
}

extension AttributeDatabase {
    /// Learns a characteristic from the value of its declaration, which some clients read one by one: a value
    /// that names the next attribute by the type that Find Information told.
    mutating func learnDeclaration(_ value: RawSpan, at handle: UInt16, from origin: Origin) {
        guard attribute(at: handle) == nil, let properties = value.octet(at: 0),
            let valueHandle = value.u16le(at: 1), valueHandle > handle,
            let uuid = BluetoothUUID(attributeType: value.dropping(3)),
            attribute(at: valueHandle)?.type == uuid
        else { return }
        add(
            Characteristic(
                declaration: handle, value: valueHandle, properties: properties, uuid: uuid, origin: origin))
    }
}
