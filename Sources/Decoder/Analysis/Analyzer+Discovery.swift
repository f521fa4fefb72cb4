import BluetoothCore
import CaptureFile
import WireBytes

// What responses teach about the server's attributes.

extension Analyzer {
    /// Learns from a response that answers `pending`.
    mutating func learn(
        _ payload: RawSpan, _ pending: PendingRequest, server: Side, _ slot: Int, isCut: Bool
    ) {
        if pending.opcode.isDiscovery { links[slot].phases.discoveryEnded = frame.time }
        switch frame.attPDU.opcode {
        case .readByGroupTypeResponse: learnServices(payload, pending, server, slot)
        case .findByTypeValueResponse: learnServiceRanges(payload, pending, server, slot)
        case .readByTypeResponse: learnByType(payload, pending, server, slot, isCut: isCut)
        case .findInformationResponse: learnTypes(payload, pending, server, slot)
        case .readResponse where !isCut: learnValue(payload, pending, server, slot)
        default: break
        }
    }

    private func origin(_ slot: Int) -> AttributeDatabase.Origin {
        AttributeDatabase.Origin(
            source: .discovered, file: frame.header.file, frame: frame.number, link: links[slot].number)
    }

    /// Changes the database of the server at one end of a link.
    mutating func withDatabase(of server: Side, _ slot: Int, _ body: (inout AttributeDatabase) -> Void) {
        switch server {
        case .peer: peers.withDatabase(of: links[slot].peer, body)
        case .host:
            adapters.withDatabase(links[slot].file, links[slot].adapter, body)
            if adapters.databaseWasFull { reportFull(.ownAttributes) }
        }
    }

    /// The type of an attribute that is known by it.
    private func attributeType(at handle: UInt16, _ server: Side, _ slot: Int) -> BluetoothUUID? {
        switch server {
        case .peer: return peers.attributeType(of: handle, peer: links[slot].peer)
        case .host:
            return adapters.attributeType(of: handle, links[slot].file, links[slot].adapter)
        }
    }

    /// Read By Group Type Response: services with their ranges and UUIDs.
    private mutating func learnServices(
        _ payload: RawSpan, _ pending: PendingRequest, _ server: Side, _ slot: Int
    ) {
        guard let type = pending.type?.assigned16, type == 0x2800 || type == 0x2801,
            let width = payload.octet(at: 1), width == 6 || width == 20
        else { return }
        let origin = origin(slot)
        var at = 2
        var last: UInt16 = 0
        while at &+ Int(width) <= payload.byteCount {
            let element = payload.clamped(at..<at &+ Int(width))
            at &+= Int(width)
            guard let group = try? ATTGroupValue<BorrowedOctets>(decoding: element),
                let uuid = uuid(in: element.clamped(group.value.range)),
                pending.range.contains(group.handle), group.handle > last
            else { return }
            last = group.groupEndHandle
            withDatabase(of: server, slot) {
                $0.add(
                    .init(
                        start: group.handle, end: group.groupEndHandle, uuid: uuid,
                        isPrimary: type == 0x2800, origin: origin))
            }
        }
        guard !pending.isAmbiguous, last >= pending.handle else { return }
        withDatabase(of: server, slot) {
            $0.confirmServices(pending.handle...last, primary: type == 0x2800, link: origin.link)
        }
    }

    /// A discovery found nothing more in its range.
    mutating func learnEnd(_ pending: PendingRequest, server: Side, _ slot: Int) {
        guard pending.handle != 0, pending.endHandle >= pending.handle else { return }
        let link = links[slot].number
        switch (pending.opcode, pending.type?.assigned16) {
        case (.readByGroupTypeRequest, 0x2800), (.readByGroupTypeRequest, 0x2801):
            let isPrimary = pending.type?.assigned16 == 0x2800
            withDatabase(of: server, slot) {
                $0.confirmServices(pending.range, primary: isPrimary, link: link)
            }
        case (.readByTypeRequest, 0x2803):
            withDatabase(of: server, slot) { $0.confirmCharacteristics(pending.range, link: link) }
        default: break
        }
    }

    /// Find By Type Value Response: ranges of the service that the request looked for.
    private mutating func learnServiceRanges(
        _ payload: RawSpan, _ pending: PendingRequest, _ server: Side, _ slot: Int
    ) {
        guard let type = pending.type?.assigned16, type == 0x2800 || type == 0x2801, let uuid = pending.sought
        else { return }
        let origin = origin(slot)
        var at = 1
        while at &+ 4 <= payload.byteCount {
            let element = payload.clamped(at..<at &+ 4)
            at &+= 4
            guard let range = try? ATTHandleRange(decoding: element), pending.range.contains(range.handle)
            else { return }
            withDatabase(of: server, slot) {
                $0.add(
                    .init(
                        start: range.handle, end: range.groupEndHandle, uuid: uuid,
                        isPrimary: type == 0x2800, origin: origin))
            }
        }
    }

    /// Read By Type Response: characteristic declarations, or values found by their type.
    private mutating func learnByType(
        _ payload: RawSpan, _ pending: PendingRequest, _ server: Side, _ slot: Int, isCut: Bool
    ) {
        guard let type = pending.type, let width = payload.octet(at: 1), width >= 2 else { return }
        let origin = origin(slot)
        var at = 2
        var last: UInt16 = 0
        while at &+ 2 <= payload.byteCount {
            let element = payload.clamped(at..<at &+ Int(width))
            let isWhole = element.byteCount == Int(width)
            at &+= Int(width)
            // Elements come in the order of their handles, all from the range that was asked for.
            guard let handle = element.u16le(at: 0), pending.range.contains(handle), handle > last else {
                return
            }
            last = handle
            let value = element.dropping(2)
            switch type.assigned16 {
            case 0x2803: learnCharacteristic(handle, value, isWhole: isWhole, server, slot)
            case 0x2800, 0x2801, 0x2802: continue
            case 0x2B2A where isWhole && value.byteCount == 16:
                adoptDatabase(hash: value.copied(), server, slot)
                fallthrough
            default:
                if isWhole { learnValue(value, at: handle, ofType: type, server, slot) }
                // What tells nothing new leaves the database as it is, and all that was made from it.
                if attributeType(at: handle, server, slot) != type {
                    withDatabase(of: server, slot) {
                        $0.add(.init(handle: handle, type: type, origin: origin))
                    }
                }
            }
        }
        guard type.assigned16 == 0x2803, !isCut, !pending.isAmbiguous, last >= pending.handle else { return }
        withDatabase(of: server, slot) {
            // The value follows its declaration at once, so it is none itself (Vol 3, Part G, 3.3.2).
            let value = $0.characteristic(declaredAt: last)?.value ?? last
            $0.confirmCharacteristics(
                pending.handle...(value == last &+ 1 ? value : last), link: origin.link)
        }
    }

    /// A value that was found by its type.
    private mutating func learnValue(
        _ value: RawSpan, at handle: UInt16, ofType type: BluetoothUUID, _ server: Side, _ slot: Int
    ) {
        switch type.assigned16 {
        case 0x2902: learnConfiguration(handle, value, server: server, slot)
        case 0x2A00: noteDeviceName(value, server: server, slot)
        default: break
        }
    }

    /// Keeps the value of the peer's Device Name, or its start where that is all that one PDU holds: the
    /// specification allows 248 octets (Vol 3, Part C, 12.1).
    mutating func noteDeviceName(_ value: RawSpan, server: Side, _ slot: Int) {
        guard server == .peer, value.byteCount > 0 else { return }
        let name = value.clamped(0..<min(248, value.byteCount)).copied()
        peers.name(links[slot].peer, name)
        links[slot].deviceName = name
    }

    /// A characteristic declaration's value: properties, value handle, UUID.
    private mutating func learnCharacteristic(
        _ declaration: UInt16, _ value: RawSpan, isWhole: Bool, _ server: Side, _ slot: Int
    ) {
        guard let properties = value.octet(at: 0), let handle = value.u16le(at: 1) else { return }
        let uuid = isWhole ? uuid(in: value.dropping(3)) : nil
        let origin = origin(slot)
        withDatabase(of: server, slot) {
            $0.add(
                .init(
                    declaration: declaration, value: handle, properties: properties, uuid: uuid,
                    origin: origin))
        }
    }

    /// Find Information Response: types of attributes, which are descriptors where they are no declarations.
    private mutating func learnTypes(
        _ payload: RawSpan, _ pending: PendingRequest, _ server: Side, _ slot: Int
    ) {
        let width = payload.octet(at: 1) == 1 ? 4 : payload.octet(at: 1) == 2 ? 18 : 0
        guard width > 0 else { return }
        let origin = origin(slot)
        var at = 2
        while at &+ width <= payload.byteCount {
            let element = payload.clamped(at..<at &+ width)
            at &+= width
            guard let found = try? ATTHandleType(decoding: element), pending.range.contains(found.handle)
            else { return }
            // A declaration's place says less than the declaration itself, which discovery reads.
            if let short = found.type.assigned16, (0x2800...0x2803).contains(short) { continue }
            withDatabase(of: server, slot) {
                $0.confirmNoDeclaration(found.handle)
                if let own = $0.characteristic(at: found.handle), own.value == found.handle,
                    own.uuid == found.type
                {
                    return
                }
                $0.add(.init(handle: found.handle, type: found.type, origin: origin))
            }
        }
    }

    /// A value that was read whole: the database's hash, a configuration, or the device's name.
    private mutating func learnValue(
        _ payload: RawSpan, _ pending: PendingRequest, _ server: Side, _ slot: Int
    ) {
        guard let label = databaseLabel(of: pending.handle, server: server, slot) else { return }
        let value = payload.dropping(1)
        if label.part == .value, label.characteristic?.assigned16 == 0x2B2A, value.byteCount == 16 {
            adoptDatabase(hash: value.copied(), server, slot)
        }
        if label.isClientConfiguration { learnConfiguration(pending.handle, value, server: server, slot) }
        if label.part == .value, label.characteristic?.assigned16 == 0x2A00 {
            noteDeviceName(value, server: server, slot)
        }
    }

    /// The server showed the hash of its database: where another device showed the same, it has the same
    /// attributes.
    private mutating func adoptDatabase(hash: [UInt8], _ server: Side, _ slot: Int) {
        guard server == .peer else { return }
        let peer = links[slot].peer
        let number = links[slot].number
        let same = peers.database(withHash: hash, otherThan: peer)
        // Shown again, it tells nothing new unless there is more to take over.
        if peers[peer].database.hash == hash, peers[peer].database.hashLink == number,
            peers[peer].database.hashSource == same?.generation ?? -1
        {
            return
        }
        if let known = peers[peer].database.hash, known != hash {
            // The database is another one now: what was learned on earlier links no longer holds, and nothing
            // at all where it changed on this one.
            peers.withDatabase(of: peer) {
                if $0.hashLink == number { $0.forgetAll() } else { $0.keepOnly(link: number) }
            }
        }
        peers.withDatabase(of: peer) {
            if let same { $0.adopt(same.database, as: .databaseHash) }
            ($0.hash, $0.hashLink) = (hash, number)
            $0.hashSource = same?.generation ?? -1
        }
    }
}

extension ATTOpcode {
    /// Whether it asks for the layout of the database rather than for values.
    var isDiscovery: Bool {
        switch self {
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest,
            .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readByGroupTypeResponse:
            true
        default: false
        }
    }

    /// Whether it carries a value to the server.
    var isWrite: Bool {
        switch self {
        case .writeRequest, .writeCommand, .signedWriteCommand, .prepareWriteRequest: true
        default: false
        }
    }

    /// Whether the request names exactly one attribute, which its response then is about.
    var namesOneHandle: Bool {
        switch self {
        case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest: true
        default: false
        }
    }
}

extension ATTSummary {
    /// Whether this response answers a request with that opcode.
    func answers(_ request: ATTOpcode) -> Bool {
        opcode == .errorResponse ? requestOpcode == request : opcode.answers == request
    }
}
