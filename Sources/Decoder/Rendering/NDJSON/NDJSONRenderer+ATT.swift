import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// ATT PDUs: opcode, attribute with its label and the label's source, value, and the frame of the request.

extension NDJSONRenderer {
    mutating func put(
        _ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer
    ) {
        out.object("att")
        out.member("opcode", att.opcode.rawValue)
        out.member("name", att.opcode.name)
        out.member("handle", att.handle)
        if let value = att.value {
            out.member("value", hex: payload.clamped(value))
        }
        if let label = att.label { putKept(label, att.handle, analyzer) }
        if let error = att.error { put(error, of: att.requestOpcode) }
        if !att.opcode.places.isPlain {
            out.object("parameters")
            fields(payload.dropping(1)) { printer throws(DecodeError) in
                _ = try ATTTable.code(att.opcode, &printer)
                return true
            }
            out.endObject()
        }
        if att.opcode.isDiscovery { found(att, payload, analyzer) }
        if att.opcode.places.namesSeveral { attributes(att, payload, analyzer) }
        if !analyzer.joined.isEmpty { joined(analyzer) }
        out.member("malformed", if: att.isMalformed)
        if let write = att.afterWrite {
            frame("after_write_frame", "after_write_file", write.place, analyzer)
            out.member("after_write_us", Microseconds(write.latency))
        }
        if att.transaction > 0 {
            out.member("transaction", att.transaction)
        }
        request(analyzer)
        out.endObject()
    }

    /// Writes the complete values whose last part is this PDU.
    private mutating func joined(_ analyzer: borrowing Analyzer) {
        objects("joined", of: analyzer.joined) { json, joined in
            json.out.member("handle", joined.handle)
            json.out.member("value", hex: joined.octets.borrowedOctets)
            if let label = joined.label { json.put(label, analyzer) }
        }
    }

    /// Writes the labels of the attributes if a PDU names several.
    private mutating func attributes(
        _ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer
    ) {
        out.array("attributes")
        var at = 1
        while let handle = payload.u16le(at: at) {
            out.element()
            out.member("handle", handle)
            if let label = analyzer.label(of: handle) { put(label, analyzer) }
            at += 2
            if att.opcode == .multipleHandleValueNotification, let length = payload.u16le(at: at) {
                out.member("value", hex: payload.clamped(at + 2..<at + 2 + Int(length)))
                at += 2 + Int(length)
            }
            out.endObject()
        }
        out.endArray()
    }

    /// Writes a label's members, from the cache if possible.
    private mutating func putKept(_ label: AttributeLabel, _ handle: UInt16?, _ analyzer: borrowing Analyzer)
    {
        let place = labelTexts.place(link: analyzer.frame.link, handle: handle ?? 0)
        let file = analyzer.frame.header.file
        if labelTexts.put(label, in: file, at: place, into: &out) { return }
        let start = out.count
        put(label, analyzer)
        labelTexts.keep(label, in: file, at: place, out, from: start)
    }

    private mutating func put(_ label: AttributeLabel, _ analyzer: borrowing Analyzer) {
        out.member("uuid", label.uuid)
        out.member("service", label.service)
        out.member("characteristic", label.characteristic)
        out.member("label", label.source.name)
        guard label.frame > 0 else { return }
        let place = FramePlace(file: Int(label.file), frame: label.frame)
        frame("label_frame", "label_file", place, analyzer)
    }

    private mutating func put(_ error: UInt8, of request: ATTOpcode?) {
        out.member("error", error)
        out.member("error_name", ATTErrorCode(rawValue: error).name)
        guard let request else { return }
        out.member("request_opcode", request.rawValue)
    }
}

// The results of discovery: declarations and types, part by part, as far as the recorder kept them.

extension NDJSONRenderer {
    /// Writes the attributes that a discovery response lists; nothing for other and for malformed PDUs.
    ///
    /// Source: Core Specification, Vol 3, Part F, 3.4.3 and 3.4.4; Part G, 3.1 to 3.3.
    mutating func found(_ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer) {
        guard !att.isMalformed, let (start, width) = ATTTable.elements(in: payload) else { return }
        out.member("requested_type", att.requestedType)
        out.array("found")
        var at = start
        while at < payload.byteCount {
            out.element()
            let element = payload.clamped(at..<at + width)
            found(
                element, width, att.opcode, att.requestedType?.assigned16, analyzer.use(ofElement: element))
            out.endObject()
            at += width
        }
        out.endArray()
    }

    /// Writes an element, which may be cut at its end.
    private mutating func found(
        _ element: RawSpan, _ width: Int, _ opcode: ATTOpcode, _ type: UInt16?, _ use: AssignedNumbers.UUIDUse
    ) {
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
            case 0x2803: characteristic(rest, width - 2, use)
            case 0x2802: include(rest, width - 2)
            default:
                out.member("value", hex: rest)
                if rest.byteCount < width - 2 { cut(rest.dropping(rest.byteCount)) }
            }
        }
    }

    private mutating func characteristic(
        _ value: RawSpan, _ width: Int, _ use: AssignedNumbers.UUIDUse
    ) {
        guard let properties = value.octet(at: 0) else { return cut(value) }
        let bits = (0..<8).lazy.filter { properties & 1 << UInt8($0) != 0 }
        out.array("properties", of: bits) { CharacteristicText.names[$1].write(json: &$0) }
        guard let handle = value.u16le(at: 1) else { return cut(value.dropping(1)) }
        out.member("value_handle", handle)
        found(uuid: value.dropping(3), width - 3, use)
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
