import Analysis
import BluetoothCore
import WireBytes

// The results of discovery: declarations and types, part by part, as far as the recorder kept them.

extension NDJSONRenderer {
    /// Writes the attributes that a discovery response lists; nothing for other and for malformed PDUs.
    ///
    /// Source: Core Specification, Vol 3, Part F, 3.4.3 and 3.4.4; Part G, 3.1 to 3.3.
    mutating func found(_ att: ATTSummary, _ payload: RawSpan) {
        guard !att.isMalformed, let (start, width) = ATTTable.elements(in: payload) else { return }
        out.member("requested_type", att.requestedType)
        out.array("found")
        var at = start
        while at < payload.byteCount {
            out.element()
            found(payload.clamped(at..<at + width), width, att.opcode, att.requestedType?.assigned16)
            out.endObject()
            at += width
        }
        out.endArray()
    }

    /// Writes an element, which may be cut at its end.
    private mutating func found(_ element: RawSpan, _ width: Int, _ opcode: ATTOpcode, _ type: UInt16?) {
        guard let handle = element.u16le(at: 0) else { return cut(element) }
        out.member("handle", handle)
        let rest = element.dropping(2)
        switch opcode {
        case .findInformationResponse: found(uuid: rest, width - 2, .descriptor)
        case .findByTypeValueResponse, .readByGroupTypeResponse:
            guard let end = rest.u16le(at: 0) else { return cut(rest) }
            out.member("end_handle", end)
            if width > 4 { found(uuid: rest.dropping(2), width - 4, .service) }
        default:
            switch type {
            case 0x2803: characteristic(rest, width - 2)
            case 0x2802: include(rest, width - 2)
            default:
                out.member("value", hex: rest)
                if rest.byteCount < width - 2 { cut(rest.dropping(rest.byteCount)) }
            }
        }
    }

    private mutating func characteristic(_ value: RawSpan, _ width: Int) {
        guard let properties = value.octet(at: 0) else { return cut(value) }
        out.array("properties")
        for bit in 0..<8 where properties & 1 << UInt8(bit) != 0 {
            out.separator()
            CharacteristicText.names[bit].write(json: &out)
        }
        out.endArray()
        guard let handle = value.u16le(at: 1) else { return cut(value.dropping(1)) }
        out.member("value_handle", handle)
        found(uuid: value.dropping(3), width - 3, .characteristic)
    }

    private mutating func include(_ value: RawSpan, _ width: Int) {
        guard let first = value.u16le(at: 0) else { return cut(value) }
        out.member("included_handle", first)
        guard let last = value.u16le(at: 2) else { return cut(value.dropping(2)) }
        out.member("end_handle", last)
        // An included service with a 128-bit UUID is listed without that UUID.
        if width > 4 { found(uuid: value.dropping(4), width - 4, .service) }
    }

    /// Writes a UUID with its name, as in text output, or the bytes if it is cut or not a UUID.
    private mutating func found(uuid octets: RawSpan, _ width: Int, _ use: AssignedNumbers.UUIDUse) {
        guard octets.byteCount >= width else { return cut(octets) }
        var reader = ByteReader(octets)
        guard width == 2 || width == 16, let uuid = try? BluetoothUUID(decoding: &reader, width: width) else {
            out.member("octets")
            return out.jsonHex(octets)
        }
        out.member("uuid", uuid)
        guard let short = uuid.assigned16 else { return }
        // Vendors use numbers assigned to other members, so a member's name would not be the service's.
        if use == .service {
            if let name = AssignedNumbers.service(short) { return self.name(name) }
            if let name = AssignedNumbers.serviceClass(short) { self.name(name) }
            return
        }
        if let name = AssignedNumbers.name(of: short, as: use) { return self.name(name) }
        // The type may also be that of a declaration or of a value.
        guard use == .descriptor else { return }
        let other = AssignedNumbers.name(of: short, as: short < 0x2A00 ? .declaration : .characteristic)
        if let other { name(other) }
    }

    private mutating func name(_ name: RawSpan) {
        // Assigned names contain no characters to escape.
        out.member("name", plain: name)
    }

    /// Writes that an element is cut, and the bytes that are left of the cut field.
    private mutating func cut(_ left: RawSpan) {
        out.member("cut", true)
        guard left.byteCount > 0 else { return }
        out.member("octets", hex: left)
    }
}
