import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// ATT PDUs: name, attribute with its label and the label's source, value, and the frame of the request.

extension TextRenderer {
    mutating func put(_ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer) {
        let places = att.opcode.places
        let valueIsFirst = options.isCompact && att.value != nil
        name(att.opcode)
        if let error = att.error, let request = att.requestOpcode {
            out.put(": ")
            put(attError: error)
            out.put(" to ")
            name(request)
        }
        if let handle = att.handle, places.isShort || att.error != nil {
            out.put(0x20)
            out.hexNumber(UInt64(handle), digits: 4)
            if let label = att.label, !valueIsFirst { putKept(label, handle, analyzer) }
        }
        if !places.isShort {
            let isCut = analyzer.frame.l2cap?.isCut ?? false
            let isShown =
                att.isMalformed || discovery(att, payload, analyzer)
                || several(att, payload, analyzer)
            if !isShown {
                fields(payload.clamped(1..<payload.byteCount), isCut: isCut, as: .att(att.opcode))
            }
        } else if let value = att.value {
            put(offset: places.offset(in: payload))
            put(value: payload.clamped(value), att.label)
            if att.opcode == .signedWriteCommand {
                out.put("  signature ")
                out.hexOctets(payload.dropping(value.upperBound))
            }
            if valueIsFirst, let handle = att.handle, let label = att.label {
                out.put(0x20)
                putKept(label, handle, analyzer)
            }
        } else if att.opcode == .signedWriteCommand, !att.isMalformed {
            // In a truncated PDU, the end of the value and the start of the signature are unknown.
            octets(payload.dropping(3))
        } else if att.opcode.name == nil {
            octets(payload.dropping(1))
        } else if let mtu = places.mtu(in: payload) {
            out.put(0x20)
            out.decimal(Int(mtu))
        } else {
            put(offset: places.offset(in: payload))
        }
        if att.isMalformed {
            out.put("  [malformed]")
            octets(payload)
        }
        if let write = att.afterWrite, options.showsRequests {
            put(duration: write.latency, after: "  (")
            out.put(write.latency > 0 ? " after write " : "  (after write ")
            out.put(write.place, from: analyzer.frame.place.file)
            out.put(")")
        }
        answers(analyzer.frame.request, analyzer)
    }

    private mutating func put(offset: UInt16?) {
        guard let offset else { return }
        out.put(" at ")
        out.decimal(Int(offset))
    }

    private mutating func name(_ opcode: ATTOpcode) {
        put(opcode.name, or: "unknown opcode ", UInt64(opcode.rawValue), digits: 2)
    }

    /// Prints a PDU that names several attributes, each with its label and its value, if any. Returns false
    /// for other PDUs, and for malformed ones.
    private mutating func several(
        _ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer
    ) -> Bool {
        if att.opcode == .readMultipleVariableResponse, !analyzer.askedHandles.isEmpty {
            return values(payload, analyzer)
        }
        guard !att.isMalformed, att.opcode.places.namesSeveral else { return false }
        let hasValues = att.opcode == .multipleHandleValueNotification
        var at = 1
        while let handle = payload.u16le(at: at) {
            out.put(at > 1 ? "; 0x" : " 0x")
            out.hex(UInt64(handle), digits: 4)
            if let label = analyzer.label(of: handle) { put(label, analyzer) }
            at += 2
            guard hasValues else { continue }
            guard let length = payload.u16le(at: at) else { break }
            octets(payload.clamped(at + 2..<at + 2 + Int(length)))
            at += 2 + Int(length)
        }
        return true
    }

    /// Prints the values of a Read Multiple Variable response, each with its requested handle.
    private mutating func values(_ payload: RawSpan, _ analyzer: borrowing Analyzer) -> Bool {
        var at = 1
        for handle in analyzer.askedHandles {
            guard let length = payload.u16le(at: at) else { break }
            out.put(at > 1 ? "; 0x" : " 0x")
            out.hex(UInt64(handle), digits: 4)
            if let label = analyzer.label(of: handle) { put(label, analyzer) }
            let value = payload.clamped(at + 2..<at + 2 + Int(length))
            if length == 0 { out.put("  empty") } else { octets(value) }
            at += 2 + Int(length)
        }
        // The remaining bytes belong to no requested attribute.
        if at < payload.byteCount { octets(payload.dropping(at)) }
        return true
    }

    /// Prints the values that were joined from several PDUs, below the line of the last one.
    mutating func joinedLines(_ analyzer: borrowing Analyzer) {
        for joined in analyzer.joined {
            out.fill(0x20, count: columns.belowMeaning)
            out.put("whole value of ")
            out.hexNumber(UInt64(joined.handle), digits: 4)
            if let label = joined.label { put(label, analyzer) }
            out.put(", ")
            out.count(joined.octets.count, "byte")
            let value = joined.octets.borrowedOctets
            octets(value)
            text(value)
            endLine()
        }
    }

    /// Writes a label's text, from the cache if possible.
    private mutating func putKept(
        _ label: AttributeLabel, _ handle: UInt16, _ analyzer: borrowing Analyzer
    ) {
        let place = labelTexts.place(link: analyzer.frame.link, handle: handle)
        let file = analyzer.frame.header.file
        if labelTexts.put(label, in: file, at: place, into: &out) { return }
        let start = out.count
        put(label, analyzer)
        labelTexts.keep(label, in: file, at: place, out, from: start)
    }

    /// Writes a label: the name of the characteristic or descriptor, its service, and its source, with the
    /// frame from which the label was learned.
    mutating func put(_ label: AttributeLabel, _ analyzer: borrowing Analyzer) {
        out.put(0x20)
        let known = label.characteristic.flatMap { analyzer.name(ofCharacteristic: $0) }
        switch label.part {
        case .service:
            out.put("service ")
            put(uuid: label.service, .service)
        case .include: out.put("include")
        case .declaration:
            out.put("declaration of ")
            put(characteristic: label, known)
        case .value: put(characteristic: label, known)
        case .descriptor(let type):
            if let type {
                put(uuid: type, .descriptor)
            } else {
                out.put("descriptor")
            }
            if label.characteristic != nil {
                out.put(" of ")
                put(characteristic: label, known)
            }
        }
        if label.part != .service, known == nil, let service = label.service {
            out.put(" in ")
            put(uuid: service, .service)
        }
        guard options.showsSources else { return }
        out.put(" [")
        out.put(label.source.name)
        if label.frame > 0 {
            out.put(0x20)
            out.put(
                FramePlace(file: Int(label.file), frame: label.frame), from: analyzer.frame.place.file)
        }
        out.put("]")
    }

    private mutating func put(characteristic label: AttributeLabel, _ known: StaticText?) {
        if let known { return out.put(known) }
        put(uuid: label.characteristic, .characteristic(in: label.service))
    }

    /// Writes a UUID with its assigned name, if that kind of attribute has one.
    mutating func put(uuid: BluetoothUUID?, _ use: AssignedNumbers.UUIDUse) {
        guard let uuid else { return out.put("?") }
        put(uuid)
        guard let short = uuid.assigned16 else { return }
        // Vendors use numbers assigned to others, so a number's owner is in parentheses.
        if use == .service { return ServiceText.put(nameOf: short, into: &out) }
        guard let name = AssignedNumbers.name(of: short, as: use) else { return }
        out.put(0x20)
        out.put(name)
    }

    /// Writes a UUID. If lines are cut to a width, only the first and last digits of a 128-bit UUID, which
    /// vendors vary.
    private mutating func put(_ uuid: BluetoothUUID) {
        guard options.isCompact, uuid.shortValue == nil else { return out.put(uuid) }
        out.upperHex(uuid.high &>> 32, digits: 8)
        out.put(0x2D)
        out.upperHex(uuid.high &>> 16, digits: 4)
        out.put("\u{2026}")
        out.upperHex(uuid.low, digits: 4)
    }

    private mutating func put(value: RawSpan, _ label: AttributeLabel?) {
        if let words = label?.configuration(value) {
            out.put("  ")
            return out.put(words)
        }
        octets(value)
        text(value)
    }

    /// Writes a value, whose bytes were written before, also as text if it is text. A line end is written as
    /// an escape sequence.
    mutating func text(_ value: RawSpan) {
        let end = value.byteCount
        let isLine = value.octet(at: end &- 1) == 0x0A
        let isCRLF = isLine && value.octet(at: end &- 2) == 0x0D
        let line = value.clamped(0..<end &- (isCRLF ? 2 : isLine ? 1 : 0))
        guard end >= 4, line.isShownText else { return }
        out.put(" \"")
        out.escaped(line)
        out.put(isCRLF ? "\\r\\n\"" : isLine ? "\\n\"" : "\"")
    }

    mutating func put(attError code: UInt8) {
        put(ATTErrorCode(rawValue: code).name, or: "error ", UInt64(code), digits: 2)
    }
}

extension AttributeLabel {
    /// Returns what a value of a Client Characteristic Configuration means; nil for other attributes, and for
    /// values with other bits (Core Vol 3 Part G 3.3.3.3).
    func configuration(_ value: RawSpan) -> StaticText? {
        guard isClientConfiguration, value.byteCount == 2 else { return nil }
        return switch value.u16le(at: 0) {
        case 0: "off"
        case 1: "notifications on"
        case 2: "indications on"
        default: nil
        }
    }
}
