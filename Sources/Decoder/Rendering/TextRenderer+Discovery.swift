import Analysis
import BluetoothCore
import WireBytes

// Discovery as what it found: services with their ranges, characteristics with their properties, descriptors.

extension TextRenderer {
    /// Shows a discovery PDU by what it asks or finds; false where it is none, or one that is malformed.
    mutating func discovery(_ opcode: ATTOpcode, _ payload: RawSpan, type: BluetoothUUID?) -> Bool {
        let start = out.count
        do throws(DecodeError) {
            switch try ATTPDU<BorrowedOctets>(decoding: payload) {
            case .findInformationRequest(let pdu):
                range(pdu.startingHandle, pdu.endingHandle)
            case .readByTypeRequest(let pdu):
                range(pdu.startingHandle, pdu.endingHandle)
                put(0x20, pdu.type)
            case .readByGroupTypeRequest(let pdu):
                range(pdu.startingHandle, pdu.endingHandle)
                put(0x20, pdu.type)
            case .findByTypeValueRequest(let pdu):
                range(pdu.startingHandle, pdu.endingHandle)
                put(0x20, pdu.type)
                out.put(" value ")
                putUUID(payload.clamped(pdu.value.range), .service)
            case .findInformationResponse(let pdu):
                try found(payload, pdu.information.range, pdu.elementWidth) {
                    (renderer: inout TextRenderer, element: ATTHandleType, _) in
                    renderer.out.hexNumber(UInt64(element.handle), digits: 4)
                    renderer.put(0x20, element.type)
                }
            case .findByTypeValueResponse(let pdu):
                try found(payload, pdu.handles.range, 4) {
                    (renderer: inout TextRenderer, element: ATTHandleRange, _) in
                    renderer.range(element.handle, element.groupEndHandle)
                }
            case .readByGroupTypeResponse(let pdu):
                try found(payload, pdu.attributes.range, Int(pdu.length)) {
                    (renderer: inout TextRenderer, element: ATTGroupValue<BorrowedOctets>, octets) in
                    renderer.range(element.handle, element.groupEndHandle)
                    renderer.out.put(0x20)
                    renderer.putUUID(octets.clamped(element.value.range), .service)
                }
            case .readByTypeResponse(let pdu):
                try found(payload, pdu.attributes.range, Int(pdu.length)) {
                    (renderer: inout TextRenderer, element: ATTHandleValue<BorrowedOctets>, octets) in
                    renderer.out.hexNumber(UInt64(element.handle), digits: 4)
                    renderer.put(value: octets.clamped(element.value.range), ofType: type)
                }
            default: return false
            }
        } catch {
            out.truncate(to: start)
            return false
        }
        return true
    }

    private mutating func found<Element: PDUFields>(
        _ payload: RawSpan, _ range: Range<Int>, _ width: Int?,
        _ show: (inout TextRenderer, Element, RawSpan) -> Void
    ) throws(DecodeError) {
        var elements = PDUElements<Element>(payload, in: range, width: width)
        var isFirst = true
        while let element = try elements.next() {
            out.put(isFirst ? "  " : "; ")
            isFirst = false
            show(&self, element, payload)
        }
    }

    private mutating func range(_ first: UInt16, _ last: UInt16) {
        out.put(0x20)
        out.hexNumber(UInt64(first), digits: 4)
        out.put("\u{2013}")
        out.hexNumber(UInt64(last), digits: 4)
    }

    private mutating func put(_ separator: UInt8, _ uuid: BluetoothUUID) {
        out.put(separator)
        put(uuid: uuid, use(ofType: uuid))
    }

    /// What kind of attribute a type is that discovery asks for: what is read by its type may be a value.
    private func use(ofType uuid: BluetoothUUID) -> AssignedNumbers.UUIDUse {
        guard let short = uuid.assigned16, short >= 0x2A00 else { return .declaration }
        return .characteristic
    }

    /// Octets that are a UUID, least significant first; else, and where they are the start of one, as they
    /// are.
    private mutating func putUUID(
        _ octets: RawSpan, _ use: AssignedNumbers.UUIDUse, width: Int? = nil
    ) {
        var reader = ByteReader(octets)
        guard octets.byteCount == width ?? octets.byteCount, octets.byteCount == 2 || octets.byteCount == 16,
            let uuid = try? BluetoothUUID(decoding: &reader, width: octets.byteCount)
        else { return out.hexOctets(octets) }
        put(uuid: uuid, use)
    }

    /// A value found by its type: a characteristic's declaration or an included service by its parts, others
    /// as octets, and as text where they are that.
    private mutating func put(value: RawSpan, ofType type: BluetoothUUID?, width: Int? = nil) {
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
            putUUID(value.dropping(3), .characteristic, width: width.map { $0 - 3 })
            return CharacteristicText.put(properties: properties, into: &out)
        case 0x2802:
            guard let first = value.u16le(at: 0), let last = value.u16le(at: 2) else { break }
            out.put(" \u{2192}")
            range(first, last)
            // A service whose UUID has 128 bits is included without it.
            guard value.byteCount > 4 else { return }
            out.put(0x20)
            return putUUID(value.dropping(4), .service, width: width.map { $0 - 4 })
        default: break
        }
        out.put(0x20)
        out.hexOctets(value)
        text(value)
    }

    /// Shows what a discovery's response found as far as the recorder kept it: what is there whole, and of
    /// the element that the cut goes through what its octets still say. False for all others.
    mutating func startOfDiscovery(_ opcode: ATTOpcode, _ payload: RawSpan, type: BluetoothUUID?) -> Bool {
        let width: Int
        switch opcode {
        case .findByTypeValueResponse: width = 4
        case .findInformationResponse: width = payload.octet(at: 1) == 1 ? 4 : 18
        case .readByTypeResponse, .readByGroupTypeResponse: width = Int(payload.octet(at: 1) ?? 0)
        default: return false
        }
        var at = opcode == .findByTypeValueResponse ? 1 : 2
        guard width > 1, payload.byteCount > at + 1 else { return false }
        var isFirst = true
        while at < payload.byteCount {
            out.put(isFirst ? "  " : "; ")
            isFirst = false
            start(of: payload.clamped(at..<at + width), width, opcode, type)
            at += width
        }
        out.put("\u{2026}")
        return true
    }

    /// One element of a response, of which the end may be missing.
    private mutating func start(
        of element: RawSpan, _ width: Int, _ opcode: ATTOpcode, _ type: BluetoothUUID?
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
        guard element.byteCount > 2 else { return }
        if opcode == .readByTypeResponse {
            return put(value: element.dropping(2), ofType: type, width: width - 2)
        }
        out.put(0x20)
        putUUID(element.dropping(2), .declaration, width: width - 2)
    }
}
