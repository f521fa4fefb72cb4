import Analysis
import BluetoothCore
import WireBytes

// Results of discovery: services with ranges, characteristics with properties, descriptors.

extension TextRenderer {
    /// Prints the request or the result in a discovery PDU, as far as it was captured; returns false for
    /// other PDUs, and for PDUs that are too short to show anything.
    mutating func discovery(_ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer) -> Bool {
        let opcode = att.opcode
        guard opcode.isDiscovery else { return false }
        if let list = ATTTable.elements(in: payload) {
            return found(list.start, list.width, att, payload, analyzer)
        }
        let places = opcode.places
        guard let first = places.handle(in: payload), let last = places.endHandle(in: payload) else {
            return false
        }
        let type = places.type(in: payload)
        guard opcode == .findInformationRequest || type != nil else { return false }
        range(first, last)
        if let type { put(0x20, type) }
        if let value = places.value(in: payload) {
            out.put(" value ")
            putUUID(payload.clamped(value), .service)
        }
        return true
    }

    /// Prints the elements of a response: whole ones, and the captured fields of a cut one.
    private mutating func found(
        _ start: Int, _ width: Int, _ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer
    ) -> Bool {
        guard payload.byteCount != start + 1 else { return false }
        for at in stride(from: start, to: payload.byteCount, by: width) {
            out.put(at == start ? "  " : "; ")
            let element = payload.clamped(at..<at + width)
            put(element, width, att.opcode, att.requestedType, analyzer.use(ofElement: element))
        }
        if (payload.byteCount - start) % width != 0 { out.put("\u{2026}") }
        return true
    }

    private mutating func range(_ first: UInt16, _ last: UInt16) {
        out.put(0x20)
        out.hexNumber(UInt64(first), digits: 4)
        out.put("\u{2013}")
        out.hexNumber(UInt64(last), digits: 4)
    }

    /// Prints an attribute type: from 0x2A00 on, types are values.
    private mutating func put(
        _ separator: UInt8, _ uuid: BluetoothUUID, _ use: AssignedNumbers.UUIDUse = .characteristic
    ) {
        out.put(separator)
        put(uuid: uuid, uuid.assigned16.map { $0 >= 0x2A00 } ?? false ? use : .declaration)
    }

    /// Prints little-endian bytes as a UUID; if they are not a whole UUID, in hexadecimal.
    private mutating func putUUID(
        _ octets: RawSpan, _ use: AssignedNumbers.UUIDUse, width: Int? = nil
    ) {
        var reader = ByteReader(octets)
        guard octets.byteCount == width ?? octets.byteCount, octets.byteCount == 2 || octets.byteCount == 16,
            let uuid = try? BluetoothUUID(decoding: &reader, width: octets.byteCount)
        else { return out.hexOctets(octets) }
        put(uuid: uuid, use)
    }

    /// Prints a value found by its type: a characteristic or include declaration by its parts, others as
    /// bytes, and as text if they are text.
    private mutating func put(
        value: RawSpan, ofType type: BluetoothUUID?, width: Int? = nil, _ use: AssignedNumbers.UUIDUse
    ) {
        switch type?.assigned16 {
        case 0x2803:
            guard let properties = value.octet(at: 0) else { break }
            guard let handle = value.u16le(at: 1) else {
                out.put(0x20)
                out.hexOctets(value)
                return CharacteristicText.put(properties: properties, into: &out)
            }
            out.put(" \u{2192} ")
            out.hexNumber(UInt64(handle), digits: 4)
            if value.byteCount > 3 { out.put(0x20) }
            putUUID(value.dropping(3), use, width: width.map { $0 - 3 })
            return CharacteristicText.put(properties: properties, into: &out)
        case 0x2802:
            guard let first = value.u16le(at: 0), let last = value.u16le(at: 2) else { break }
            out.put(" \u{2192}")
            range(first, last)
            // An included service with a 128-bit UUID is listed without that UUID.
            guard value.byteCount > 4 else { return }
            out.put(0x20)
            return putUUID(value.dropping(4), .service, width: width.map { $0 - 4 })
        default: break
        }
        out.put(0x20)
        out.hexOctets(value)
        text(value)
    }

    /// Prints an element of a response, which may be cut at its end.
    private mutating func put(
        _ element: RawSpan, _ width: Int, _ opcode: ATTOpcode, _ type: BluetoothUUID?,
        _ use: AssignedNumbers.UUIDUse
    ) {
        guard let handle = element.u16le(at: 0) else { return out.hexOctets(element) }
        let isRange = opcode == .readByGroupTypeResponse || opcode == .findByTypeValueResponse
        if isRange, let end = element.u16le(at: 2) {
            range(handle, end)
            guard element.byteCount > 4 else { return }
            out.put(0x20)
            return putUUID(element.dropping(4), .service, width: width - 4)
        }
        out.hexNumber(UInt64(handle), digits: 4)
        guard element.byteCount > 2 || width == 2 else { return }
        if opcode == .readByTypeResponse {
            return put(value: element.dropping(2), ofType: type, width: width - 2, use)
        }
        if element.byteCount == width, let found = BluetoothUUID(attributeType: element.dropping(2)) {
            return put(0x20, found, use)
        }
        out.put(0x20)
        out.hexOctets(element.dropping(2))
    }
}

extension Analyzer {
    /// Returns the use of the UUID in an element of a discovery response, which begins with its handle.
    func use(ofElement element: RawSpan) -> AssignedNumbers.UUIDUse {
        .characteristic(in: element.u16le(at: 0).flatMap { label(of: $0) }?.service)
    }
}
