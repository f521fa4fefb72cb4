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
        put(uuid: uuid, .declaration)
    }

    /// Octets that are a UUID, least significant first; else as they are.
    private mutating func putUUID(_ octets: RawSpan, _ use: AssignedNumbers.UUIDUse) {
        var reader = ByteReader(octets)
        guard octets.byteCount == 2 || octets.byteCount == 16,
            let uuid = try? BluetoothUUID(decoding: &reader, width: octets.byteCount)
        else { return out.hexOctets(octets) }
        put(uuid: uuid, use)
    }

    /// A value found by its type: a characteristic's declaration by its parts, others as octets.
    private mutating func put(value: RawSpan, ofType type: BluetoothUUID?) {
        guard type?.assigned16 == 0x2803, let properties = value.octet(at: 0), let handle = value.u16le(at: 1)
        else {
            out.put(0x20)
            return out.hexOctets(value)
        }
        out.put(" \u{2192} ")
        out.hexNumber(UInt64(handle), digits: 4)
        out.put(0x20)
        putUUID(value.dropping(3), .characteristic)
        CharacteristicText.put(properties: properties, into: &out)
    }
}
