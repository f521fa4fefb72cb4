import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// The last columns of a line: the layer, and the frame's meaning.

extension TextRenderer {
    /// Whether a frame is an event without a known meaning and without parameters.
    static func saysNothing(_ record: borrowing Record, _ analyzer: borrowing Analyzer) -> Bool {
        record.header.kind == .event && record.octets.byteCount == 2
            && HCIEventCode(rawValue: analyzer.frame.event).name == nil
    }

    mutating func meaning(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        switch analyzer.frame.header.kind {
        case .command: command(record.octets, analyzer)
        case .event: event(record.octets, analyzer)
        case .acl: acl(record, analyzer)
        case .sco: data("SCO data", analyzer)
        case .iso where analyzer.frame.acl != nil: acl(record, analyzer)
        case .iso: data("ISO data", analyzer)
        case .monitor: monitor(record.octets, analyzer)
        case .note: note(record.octets)
        case .air: air(record, analyzer)
        case .unknown:
            layer("?")
            guard record.octets.byteCount > 0 else { return out.put("empty record") }
            out.put("unknown packet type ")
            out.hexNumber(UInt64(analyzer.frame.header.foreignType), digits: 2)
            octets(record.octets)
        }
    }

    private mutating func command(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        layer("HCI")
        guard octets.byteCount >= 2 else { return noHeader("command", octets) }
        let opcode = HCIOpcode(rawValue: analyzer.frame.opcode)
        name(opcode)
        device(analyzer)
        fields(octets.dropping(3), isCut: analyzer.frame.header.isTruncated, as: .command(opcode))
    }

    private mutating func name(_ opcode: HCIOpcode) {
        let words: StaticText = opcode.isVendor ? "Vendor command " : "Command "
        put(opcode.name, or: words, UInt64(opcode.rawValue), digits: 4)
    }

    /// Writes the name of a code, or words and the code if it has none.
    @inline(__always)
    mutating func put(_ name: StaticText?, or words: StaticText, _ code: UInt64, digits: Int) {
        if let name { return out.put(name) }
        out.put(words)
        out.hexNumber(code, digits: digits)
    }

    private mutating func event(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        layer("HCI")
        guard octets.byteCount > 0 else { return noHeader("event", octets) }
        let parameters = octets.dropping(2)
        let isCut = analyzer.frame.header.isTruncated
        switch HCIEventCode(rawValue: analyzer.frame.event) {
        case .commandComplete where parameters.byteCount >= 3:
            name(HCIOpcode(rawValue: analyzer.frame.opcode))
            out.put(" complete")
            status(analyzer.frame.status)
            let opcode = HCIOpcode(rawValue: analyzer.frame.opcode)
            if analyzer.frame.status == 0, parameters.byteCount > 4 {
                fields(parameters.dropping(3), isCut: isCut, as: .returned(opcode))
            } else if opcode.isVendor {
                self.octets(parameters.dropping(3))
            }
            answers(analyzer.frame.request, analyzer)
        case .commandStatus where parameters.byteCount >= 4:
            name(HCIOpcode(rawValue: analyzer.frame.opcode))
            out.put(" status")
            status(analyzer.frame.status)
            answers(analyzer.frame.request, analyzer)
        case .leMeta where parameters.byteCount > 0:
            let code = LESubeventCode(rawValue: analyzer.frame.subevent)
            put(code.name, or: "LE Meta subevent ", UInt64(analyzer.frame.subevent), digits: 2)
            device(analyzer)
            let partial = analyzer.frame.partialReports
            let truncated = code == .leExtendedAdvertisingReport ? Self.truncated(parameters) : 0
            fields(parameters.dropping(1), isCut: isCut) { printer throws(DecodeError) in
                printer.partialReports = partial
                printer.truncatedReports = truncated
                return try HCIEventTable.codeLE(code, &printer)
            }
            answers(analyzer.frame.request, analyzer)
        default:
            let code = HCIEventCode(rawValue: analyzer.frame.event)
            if let name = code.name {
                out.put(name)
            } else {
                out.put(analyzer.frame.event == 0xFF ? "Vendor event" : "Event ")
                if analyzer.frame.event != 0xFF { out.hexNumber(UInt64(analyzer.frame.event), digits: 2) }
            }
            device(analyzer)
            fields(parameters, isCut: isCut, as: .event(code))
            answers(analyzer.frame.request, analyzer)
        }
    }

    /// Writes a frame's device if lines have no column for it and no connection shows it.
    mutating func device(_ analyzer: borrowing Analyzer) {
        nameEnd = out.count
        guard !options.namesPeer, analyzer.frame.link < 0, let peer = analyzer.frame.peer else { return }
        out.put(0x20)
        out.put(peer)
    }

    /// Returns the reports whose remaining data the controller could not receive, one bit each.
    private static func truncated(_ parameters: RawSpan) -> UInt32 {
        guard var reports = try? LEAdvertisingReports(parameters.dropping(1), extended: true) else {
            return 0
        }
        var bits: UInt32 = 0
        var bit: UInt32 = 1
        while bit != 0, let report = (try? reports.next()) ?? nil {
            if report.isTruncated { bits |= bit }
            bit &<<= 1
        }
        return bits
    }

    /// Prints a packet that is too short for its header.
    private mutating func noHeader(_ what: StaticText, _ octets: RawSpan) {
        out.put(what)
        out.put(" without its header")
        self.octets(octets)
    }

    @inline(__always)
    mutating func fields(_ octets: RawSpan, isCut: Bool, as row: PDURow) {
        fields(octets, isCut: isCut) { printer throws(DecodeError) in try row.decode(with: &printer) }
    }

    /// Prints the fields that `read` reads, or all bytes if there is no known field; after an error, the
    /// place where decoding failed.
    mutating func fields(
        _ octets: RawSpan, isCut: Bool, _ read: (inout TextFieldPrinter) throws(DecodeError) -> Bool
    ) {
        // The printer takes the output buffer without a copy; meanwhile `out` is the stand-in.
        guard var taken = standIn.take() else { return }
        swap(&taken, &out)
        let start = taken.count
        if fieldsStart == nil { fieldsStart = start }
        var printer = TextFieldPrinter(octets, into: taken)
        printer.isCut = isCut
        printer.keptTexts = keptTexts.take()
        var isKnown = true
        do throws(DecodeError) {
            isKnown = try read(&printer)
        } catch {
            printer.note(error)
        }
        // Some rows print unknown bytes as one field: they are not printed again.
        let hasReadNothing = printer.offset == 0
        if printer.decidingLength > 0 { keptWhenCut = start..<start + printer.decidingLength }
        keptTexts = printer.keptTexts.take()
        taken = printer.finish()
        swap(&taken, &out)
        standIn = consume taken
        if !isKnown, hasReadNothing { self.octets(octets) }
    }

    private mutating func status(_ status: UInt8?) {
        guard let status else { return }
        let start = out.count
        out.put(": ")
        put(status: status)
        if status != 0 { keptWhenCut = start..<min(out.count, start + TextFieldPrinter.statusLength) }
    }

    mutating func put(status: UInt8) {
        put(HCIStatus(rawValue: status).name, or: "status ", UInt64(status), digits: 2)
    }

    /// Writes the request's frame number, and the latency.
    mutating func answers(_ request: RequestReference?, _ analyzer: borrowing Analyzer) {
        guard let request, options.showsRequests else { return }
        out.put("  (to ")
        out.put(request.place, from: analyzer.frame.place.file)
        put(duration: request.latency, after: ", ")
        out.put(")")
    }

    /// Writes `words` and a duration; nothing for 0 or less, as in files without times or after the clock was
    /// set back.
    mutating func put(duration nanoseconds: Int64, after words: StaticText) {
        guard nanoseconds > 0 else { return }
        out.put(words)
        TextValues.put(duration: nanoseconds, into: &out)
    }

    private mutating func data(_ what: StaticText, _ analyzer: borrowing Analyzer) {
        layer("HCI")
        out.put(what)
        if let handle = analyzer.frame.handle {
            out.put(" handle ")
            out.hexNumber(UInt64(handle), digits: 4)
        }
        out.put(", ")
        out.count(analyzer.frame.header.originalLength, "byte")
    }

    private mutating func monitor(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        layer("mon")
        let opcode = MonitorOpcode(rawValue: analyzer.frame.header.foreignType)
        if let name = opcode.name {
            out.put(name)
        } else {
            out.put("monitor opcode ")
            out.decimal(Int(analyzer.frame.header.foreignType))
        }
        fields(octets, isCut: analyzer.frame.header.isTruncated, as: .monitor(opcode))
    }

    private mutating func note(_ octets: RawSpan) {
        layer("note")
        out.put(0x22)
        out.escaped(TextValues.untilZero(octets))
        out.put(0x22)
    }

    mutating func octets(_ octets: RawSpan) {
        guard octets.byteCount > 0 else { return }
        if octetsStart == nil { octetsStart = out.count }
        out.put("  ")
        out.hexOctets(octets)
    }

    mutating func acl(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        guard let pdu = analyzer.frame.l2cap else { return fragment(analyzer) }
        let payload = analyzer.payload(in: record)
        if let att = analyzer.frame.att {
            layer("ATT")
            put(att, payload, analyzer)
        } else if analyzer.frame.smpCode != nil {
            layer("SMP")
            smp(payload, isCut: pdu.isCut)
            answers(analyzer.frame.request, analyzer)
        } else {
            layer("L2CAP")
            l2cap(pdu, payload, analyzer)
            answers(analyzer.frame.request, analyzer)
        }
        if pdu.fragmentCount > 1 {
            out.put("  (")
            out.decimal(pdu.fragmentCount)
            out.put(" fragments from ")
            out.put(pdu.firstFrame, from: analyzer.frame.place.file)
            out.put(")")
        }
        if pdu.isCut {
            out.put("  [cut: ")
            out.decimal(pdu.captured)
            out.put(" of ")
            out.count(pdu.length, "byte")
            out.put("]")
        }
    }

    private mutating func fragment(_ analyzer: borrowing Analyzer) {
        layer("ACL")
        guard let acl = analyzer.frame.acl else { return out.put("cut ACL packet") }
        if acl.isVendor {
            out.put("vendor data on handle ")
            out.hexNumber(UInt64(analyzer.frame.handle ?? 0), digits: 4)
        } else {
            out.put(acl.boundary == 1 ? "continuation fragment" : "first fragment")
        }
        out.put(", ")
        out.count(acl.length, "byte")
    }

    private mutating func smp(_ payload: RawSpan, isCut: Bool) {
        guard let raw = payload.octet(at: 0) else { return out.put("empty PDU") }
        let code = SMPCode(rawValue: raw)
        put(code.name, or: "unknown code ", UInt64(raw), digits: 2)
        fields(payload.dropping(1), isCut: isCut, as: .smp(code))
    }

    private mutating func l2cap(_ pdu: L2CAPSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer) {
        let channel = L2CAPChannelID(rawValue: pdu.cid)
        if pdu.cid == 1 || pdu.cid == 5, payload.byteCount >= 4 {
            return signalling(payload, isCut: pdu.isCut)
        }
        let service = pdu.psm.flatMap { ValueSet.l2capPSM.name(UInt64($0)) }
        if let service {
            out.put(service)
            if pdu.psm == 3, let address = payload.octet(at: 0), let control = payload.octet(at: 1),
                let name = ValueSet.rfcommFrame.name(UInt64(control & 0xEF))
            {
                out.put(" ")
                out.put(name)
                out.put(" of DLCI ")
                out.decimal(Int(address >> 2))
            }
            out.put(" on ")
        }
        put(channel.name, or: "channel ", UInt64(pdu.cid), digits: 4)
        if let psm = pdu.psm, service == nil {
            let link = analyzer.frame.link
            out.put(link >= 0 && analyzer.links[link].transport == .le ? " of SPSM " : " of PSM ")
            out.hexNumber(UInt64(psm), digits: 4)
        }
        out.put(", ")
        out.count(pdu.length, "byte")
        octets(payload)
    }

    /// Prints the commands of a signalling PDU: one on LE, any number on BR/EDR.
    private mutating func signalling(_ payload: RawSpan, isCut: Bool) {
        var start = 0
        while let raw = payload.octet(at: start), let length = payload.u16le(at: start + 2) {
            if start > 0 { out.put("; ") }
            let code = L2CAPSignallingCode(rawValue: raw)
            put(code.name, or: "signalling code ", UInt64(raw), digits: 2)
            out.put(" id=")
            out.decimal(Int(payload.octet(at: start + 1) ?? 0))
            fields(payload.clamped(start + 4..<start + 4 + Int(length)), isCut: isCut, as: .signal(code))
            start += 4 + Int(length)
        }
    }
}
