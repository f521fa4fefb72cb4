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
            let list = ATTTable.elements(in: payload)
        else { return }
        let origin = origin(slot)
        var last: UInt16 = 0
        for at in stride(from: list.start, to: payload.byteCount, by: list.width) {
            let element = payload.clamped(at..<at &+ list.width)
            if element.byteCount < list.width { break }
            guard let handle = element.u16le(at: 0), let end = element.u16le(at: 2),
                let uuid = BluetoothUUID(attributeType: element.dropping(4)),
                pending.range.contains(handle), handle > last
            else { return }
            last = end
            withDatabase(of: server, slot) {
                $0.add(
                    .init(start: handle, end: end, uuid: uuid, isPrimary: type == 0x2800, origin: origin))
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
        guard let list = ATTTable.elements(in: payload) else { return }
        let origin = origin(slot)
        for at in stride(from: list.start, to: payload.byteCount, by: list.width) {
            guard let handle = payload.u16le(at: at), let end = payload.u16le(at: at &+ 2),
                pending.range.contains(handle)
            else { return }
            withDatabase(of: server, slot) {
                $0.add(
                    .init(start: handle, end: end, uuid: uuid, isPrimary: type == 0x2800, origin: origin))
            }
        }
    }

    /// Read By Type Response: characteristic declarations, or values found by their type.
    private mutating func learnByType(
        _ payload: RawSpan, _ pending: PendingRequest, _ server: Side, _ slot: Int, isCut: Bool
    ) {
        guard let type = pending.type, let list = ATTTable.elements(in: payload) else { return }
        let origin = origin(slot)
        var last: UInt16 = 0
        for at in stride(from: list.start, to: payload.byteCount, by: list.width) {
            let element = payload.clamped(at..<at &+ list.width)
            let isWhole = element.byteCount == list.width
            guard let handle = element.u16le(at: 0) else { break }
            // Elements come in the order of their handles, all from the range that was asked for.
            guard pending.range.contains(handle), handle > last else { return }
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
        let uuid = isWhole ? BluetoothUUID(attributeType: value.dropping(3)) : nil
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
        guard let list = ATTTable.elements(in: payload) else { return }
        let origin = origin(slot)
        for at in stride(from: list.start, to: payload.byteCount, by: list.width) {
            let element = payload.clamped(at..<at &+ list.width)
            guard element.byteCount == list.width, let handle = element.u16le(at: 0),
                let type = BluetoothUUID(attributeType: element.dropping(2)), pending.range.contains(handle)
            else { return }
            // A declaration's place says less than the declaration itself, which discovery reads.
            if let short = type.assigned16, (0x2800...0x2803).contains(short) { continue }
            withDatabase(of: server, slot) {
                $0.confirmNoDeclaration(handle)
                if let own = $0.characteristic(at: handle), own.value == handle, own.uuid == type { return }
                $0.add(.init(handle: handle, type: type, origin: origin))
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
