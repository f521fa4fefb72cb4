public import Analysis
import BluetoothCore
public import CaptureFile
import LinkLayer
import PayloadFormat
public import WireBytes

/// Prints one frame in full: layer by layer, a line for each field with its place and bytes, then what other
/// frames say about it. Keys and their bytes are left out.
public struct FrameDetail: ~Copyable {
    /// The writer of labels, annotations and problems, as they are below a frame's line.
    private var renderer: TextRenderer
    private(set) var document = FrameDocument()
    /// The replacement for `document` while a printer holds it.
    private var standIn: FrameDocument? = FrameDocument()
    /// The output; the caller clears it.
    public var out = TextBuffer()
    /// The files; their names are shown only if there are several.
    private var files: [CaptureInfo] = []
    /// The time of the first record of each log; the parts of a log share one.
    private var starts: [Int: CaptureTime] = [:]

    public init(usesColor: Bool) { self.init(usesColor: usesColor, isForPage: false) }

    init(usesColor: Bool, isForPage: Bool) {
        var options = TextRenderer.Options()
        options.usesColor = usesColor
        options.isForPage = isForPage
        renderer = TextRenderer(options, columns: .detail)
    }

    /// Adds a file; called in the order of the file indices.
    public mutating func begin(_ file: CaptureInfo) { files.append(file) }

    /// Remembers when each log starts; called for every frame, also for those that are not shown.
    public mutating func noteStart(_ analyzer: borrowing Analyzer) {
        let log = analyzer.frame.file
        if starts[log] == nil { starts[log] = analyzer.frame.header.time }
    }

    /// Writes everything about the analyzer's last frame, which was made from `record`.
    public mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        read(record, analyzer)
        document.put(into: &out)
    }

    /// Puts everything about the analyzer's last frame, which was made from `record`, into ``document``.
    mutating func read(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        document.clear()
        renderer.placedAnnotations = []
        layers(record, analyzer)
        document.beginMeaning()
        swap(&document.text, &renderer.out)
        renderer.meaning(below: record, analyzer)
        swap(&document.text, &renderer.out)
    }

    /// Adds the frame's layers, decoded from its own bytes.
    private mutating func layers(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        heading(analyzer)
        switch analyzer.frame.header.kind {
        case .command: command(record.octets, analyzer)
        case .event: event(record.octets, analyzer)
        case .acl: acl(record, analyzer)
        case .monitor: monitor(record.octets, analyzer)
        case .air: air(record, analyzer)
        case .iso where analyzer.frame.acl != nil: acl(record, analyzer)
        case .sco, .iso, .note, .unknown:
            title("\(analyzer.frame.header.kind)", record.octets.byteCount)
            fields(record.octets, at: 0, isCut: false, as: .unknown)
        }
    }

    // MARK: The record

    private mutating func heading(_ analyzer: borrowing Analyzer) {
        let header = analyzer.frame.header
        let index = Int(header.file)
        let info = files.indices.contains(index) ? files[index] : nil
        let file = files.count > 1 ? info.map { " of \(String(escaped: $0.name.utf8))" } ?? "" : ""
        var size = header.capturedLength.counting("byte")
        if header.isTruncated { size += " of \(header.originalLength), cut by the recorder" }
        document.line("frame \(header.number)\(file), \(size)")
        // The start of a single log leaves out notes with times of another clock.
        let ownStart = starts.count > 1 ? starts[analyzer.frame.file] : nil
        let start = ownStart ?? analyzer.totals.start ?? header.time
        let since = TextDuration.text(header.time.nanoseconds &- start.nanoseconds)
        if info?.hasTimes != false {
            let date =
                info?.hasRelativeTime == true ? "" : String { $0.put(utc: header.time, digits: 6) } + ", "
            fact("time", date + "\(since) after the first record")
        }
        // A sniffer has neither host nor adapter.
        let isAir = header.kind == .air
        let directions: [Direction: String] = [
            .hostToController: isAir ? "central to peripheral" : "host to controller",
            .controllerToHost: isAir ? "peripheral to central" : "controller to host",
        ]
        let inferred = analyzer.frame.directionIsInferred ? " (inferred)" : ""
        fact("direction", (directions[analyzer.frame.direction] ?? "not known") + inferred)
        if header.adapter != 0xFFFF { fact(isAir ? "sniffer" : "adapter", "\(header.adapter)") }
        if analyzer.frame.link >= 0 {
            fact("connection", Verdict.title(analyzer.links[analyzer.frame.link], analyzer, word: ""))
        } else if let peer = analyzer.frame.peer {
            fact("device", "\(peer)" + (analyzer.frame.identity.map { " (identity \($0))" } ?? ""))
        }
        if let request = analyzer.frame.request {
            let place = request.place.text(from: analyzer.frame.place.file)
            let time = request.latency > 0 ? ", after \(TextDuration.text(request.latency))" : ""
            fact("answers", "frame \(place)\(time)")
        }
    }

    private mutating func fact(_ name: String, _ value: String) {
        document.line("  \(name)\(String(repeating: " ", count: 12 - name.count))\(value)")
    }

    private mutating func title(_ name: String, _ count: Int) {
        document.line("\(name), \(count.counting("byte"))")
    }

    /// Adds a field of a header; of a long one, only the first bytes are shown.
    private mutating func field(
        _ octets: RawSpan, _ place: Int, _ count: Int, _ what: String, at base: Int = 0
    ) {
        document.field(at: base + place, octets.clamped(place..<place + min(count, 16)))
        document.text.put(what)
    }

    /// Adds the fields of a row, and the remaining bytes.
    private mutating func fields(
        _ octets: RawSpan, at base: Int, isCut: Bool, as row: PDURow
    ) {
        // The printer takes the document without a copy; meanwhile `document` is the stand-in.
        guard var taken = standIn.take() else { return }
        swap(&taken, &document)
        var printer = DetailFieldPrinter(octets, at: base, into: taken)
        var isKnown = true
        do throws(DecodeError) { isKnown = try row.decode(with: &printer) } catch {
            printer.note(error, isCut: isCut)
        }
        taken = printer.finish(isKnown: isKnown)
        swap(&taken, &document)
        standIn = consume taken
    }

    // MARK: HCI

    private mutating func command(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        title("HCI command", octets.byteCount)
        let opcode = HCIOpcode(rawValue: analyzer.frame.opcode)
        field(octets, 0, 2, "opcode = \(Self.name(opcode))")
        field(octets, 2, 1, "parameter_total_length = \(octets.octet(at: 2) ?? 0)")
        fields(octets.dropping(3), at: 3, isCut: analyzer.frame.header.isTruncated, as: .command(opcode))
    }

    private static func name(_ opcode: HCIOpcode) -> String {
        let name = opcode.name.map { "\($0) " } ?? (opcode.isVendor ? "vendor command " : "")
        return "\(name)(\(String(hex: UInt64(opcode.rawValue), digits: 4)))"
    }

    private static func name(_ name: StaticText?, _ code: UInt8) -> String {
        "\(name.map { "\($0) " } ?? "")(\(String(hex: UInt64(code), digits: 2)))"
    }

    private mutating func event(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        title("HCI event", octets.byteCount)
        let isCut = analyzer.frame.header.isTruncated
        let code = HCIEventCode(rawValue: analyzer.frame.event)
        field(octets, 0, 1, "event_code = \(Self.name(code.name, code.rawValue))")
        field(octets, 1, 1, "parameter_total_length = \(octets.octet(at: 1) ?? 0)")
        switch code {
        case .commandComplete where octets.byteCount >= 5:
            let opcode = HCIOpcode(rawValue: analyzer.frame.opcode)
            field(octets, 2, 1, "num_hci_command_packets = \(octets.octet(at: 2) ?? 0)")
            field(octets, 3, 2, "command_opcode = \(Self.name(opcode))")
            // A refused command returns only a status; its other parameters have no meaning.
            let isRefused = (analyzer.frame.status ?? 0) != 0
            let parameters = octets.dropping(5)
            fields(
                isRefused ? parameters.clamped(0..<1) : parameters, at: 5, isCut: isCut,
                as: isRefused ? .refusal : .returned(opcode))
        case .leMeta where octets.byteCount >= 3:
            let subevent = LESubeventCode(rawValue: analyzer.frame.subevent)
            field(octets, 2, 1, "subevent_code = \(Self.name(subevent.name, subevent.rawValue))")
            fields(octets.dropping(3), at: 3, isCut: isCut, as: .leEvent(subevent))
        default:
            fields(octets.dropping(2), at: 2, isCut: isCut, as: .event(code))
        }
    }

    private mutating func monitor(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let opcode = MonitorOpcode(rawValue: analyzer.frame.header.foreignType)
        title("monitor: \(opcode.name.map { "\($0)" } ?? "opcode \(opcode.rawValue)")", octets.byteCount)
        fields(octets, at: 0, isCut: analyzer.frame.header.isTruncated, as: .monitor(opcode))
    }

    // MARK: The air

    private mutating func air(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let octets = record.octets
        let account = analyzer.air.last
        let packet = account.packet
        let radio = record.header.radio
        title("LE link layer packet", octets.byteCount)
        if radio.channel < 40 { fact("channel", "\(radio.channel)") }
        if let signal = radio.knownSignal {
            fact("RSSI", "\(signal) dBm")
            document.rssi = Int(signal)
        }
        let checks: [AirPacket.Integrity: String] = [
            .valid: "right", .invalid: "wrong", .unchecked: "not checked",
        ]
        fact("CRC", checks[packet.integrity] ?? "")
        if account.missedEvents > 0 {
            fact("not heard", "\(account.missedEvents.counting("connection event")) before it")
        }
        guard account.isReadable, packet.integrity != .invalid, packet.payload.lowerBound >= 6 else {
            return fields(octets, at: 0, isCut: false, as: .unknown)
        }
        pdu(record, analyzer)
        let end = packet.payload.upperBound
        if octets.byteCount > end {
            let isCheck = octets.byteCount == end + 3
            field(octets, end, octets.byteCount - end, isCheck ? "CRC" : "after the packet")
        }
    }

    /// Adds the packet's PDU, without its check sequence.
    private mutating func pdu(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let octets = record.octets
        let account = analyzer.air.last
        let packet = account.packet
        field(octets, 0, 4, "access_address = \(String(hex: UInt64(packet.accessAddress), digits: 8))")
        let start = packet.payload.lowerBound
        let payload = octets.clamped(packet.payload)
        if packet.isAdvertising {
            let type = packet.advertisingType
            let name = AirTable.advertisingName(type, isSecondary: packet.isSecondary)
            field(octets, start - 2, 1, "PDU = \(Self.name(name, type))")
            field(octets, start - 1, 1, "length = \(packet.length)")
            return fields(payload, at: start, isCut: packet.isCut, as: .airAdvertising(type))
        }
        let header = packet.header
        field(
            octets, start - 2, 1,
            "LLID = \(packet.llid), NESN = \(header >> 2 & 1), SN = \(header >> 3 & 1), "
                + "MD = \(header >> 4 & 1)"
        )
        field(octets, start - 1, 1, "length = \(packet.length)")
        if account.isRetransmission { return fact("repeats", "the packet before it from the same side") }
        if account.isClosed {
            return fields(payload, at: start, isCut: packet.isCut, as: .unknown)
        }
        if let opcode = account.controlOpcode {
            field(payload, 0, 1, "opcode = \(Self.name(AirTable.controlName(opcode), opcode))", at: start)
            let opened = account.opened ?? payload.copied()
            return fields(
                opened.borrowedOctets.dropping(1), at: start + 1, isCut: packet.isCut, as: .airControl(opcode)
            )
        }
        guard analyzer.frame.l2cap != nil else {
            guard packet.length > 0 else { return }
            let data = account.opened ?? payload.copied()
            return fragment(data.borrowedOctets, at: start, starts: packet.llid == 2)
        }
        l2cap(record, analyzer)
    }

    // MARK: ACL data

    private mutating func acl(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let octets = record.octets
        title("ACL data", octets.byteCount)
        let word = octets.u16le(at: 0) ?? 0
        let boundaries = ["first of a PDU, not flushable", "continues a PDU", "first of a PDU", "whole PDU"]
        field(
            octets, 0, 2,
            "handle = \(String(hex: UInt64(word & 0x0FFF), digits: 4)), "
                + "boundary = \(word >> 12 & 3) (\(boundaries[Int(word >> 12 & 3)])), "
                + "broadcast = \(word >> 14)")
        field(octets, 2, 2, "data_total_length = \(octets.u16le(at: 2) ?? 0)")
        guard analyzer.frame.acl?.isVendor != true else {
            let count = (octets.byteCount - 4).counting("byte")
            return document.line("vendor data of no connection, \(count): not shown, since it may hold a key")
        }
        guard analyzer.frame.l2cap != nil else {
            return fragment(octets.dropping(4), at: 4, starts: word >> 12 & 3 != 1)
        }
        l2cap(record, analyzer)
    }

    /// Adds a part of an L2CAP PDU that the frame does not complete. Its bytes are shown only if it begins a
    /// PDU of ATT: the others may be a part of a key.
    private mutating func fragment(_ data: RawSpan, at base: Int, starts: Bool) {
        var rest = data.byteCount
        if starts, let length = data.u16le(at: 0), let channel = data.u16le(at: 2) {
            field(data, 0, 2, "L2CAP length = \(length)", at: base)
            field(data, 2, 2, "L2CAP channel = \(Self.channel(channel))", at: base)
            rest -= L2CAPHeader.size
            if channel == 0x0004 {
                document.line("part of a PDU that this frame does not complete, \(rest.counting("byte"))")
                return fields(data.dropping(4), at: base + 4, isCut: true, as: .unknown)
            }
        }
        document.line(
            "part of a PDU that this frame does not complete, \(rest.counting("byte")): not shown, "
                + "since they may be a part of a key")
    }

    /// Adds the L2CAP PDU that the frame completes.
    private mutating func l2cap(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        guard let pdu = analyzer.frame.l2cap else { return }
        let octets = record.octets
        var base = 0
        if case .record(let start) = pdu.place {
            base = start
            field(octets, start - 4, 2, "L2CAP length = \(pdu.length)")
            field(octets, start - 2, 2, "L2CAP channel = \(Self.channel(pdu.cid))")
        } else {
            document.isJoined = true
            fact(
                "L2CAP",
                "channel \(Self.channel(pdu.cid)), put together from \(pdu.fragmentCount) frames since "
                    + "frame \(pdu.firstFrame.text(from: analyzer.frame.place.file))")
        }
        payload(pdu, analyzer.payload(in: record), at: base + pdu.headerLength, analyzer)
        document.isJoined = false
        if pdu.isCut { fact("cut", "\(pdu.captured) of \(pdu.length.counting("byte")) are in the log") }
    }

    private static func channel(_ code: UInt16) -> String {
        let name = L2CAPChannelID(rawValue: code).name.map { " (\($0))" } ?? ""
        return String(hex: UInt64(code), digits: 4) + name
    }

    private mutating func payload(
        _ pdu: L2CAPSummary, _ payload: RawSpan, at base: Int, _ analyzer: borrowing Analyzer
    ) {
        if let att = analyzer.frame.att {
            let name = att.opcode.name.map { "\($0)" } ?? "unknown opcode"
            title("ATT \(name)", payload.byteCount)
            field(payload, 0, 1, "opcode = \(name)", at: base)
            fields(payload.dropping(1), at: base + 1, isCut: pdu.isCut, as: .att(att.opcode))
            if let value = att.value {
                messageFields(payload.clamped(value), at: base + value.lowerBound, analyzer)
            }
            if let found = found(att, payload, analyzer) { document.line("  that is\(found)") }
            guard let handle = att.handle, let label = att.label else { return }
            document.line("  \(String(hex: UInt64(handle), digits: 4)) is")
            swap(&document.text, &renderer.out)
            renderer.put(label, analyzer)
            swap(&document.text, &renderer.out)
        } else if let raw = analyzer.frame.smpCode {
            let code = SMPCode(rawValue: raw)
            title("SMP \(code.name.map { "\($0)" } ?? "unknown code")", payload.byteCount)
            field(payload, 0, 1, "code = \(String(hex: UInt64(raw), digits: 2))", at: base)
            fields(payload.dropping(1), at: base + 1, isCut: pdu.isCut, as: .smp(code))
        } else if pdu.cid == 1 || pdu.cid == 5 {
            signalling(payload, at: base, isCut: pdu.isCut)
        } else {
            title("payload", payload.byteCount)
            fields(payload, at: base, isCut: pdu.isCut, as: .unknown)
        }
    }

    /// Adds the fields that protocols above ATT found in a value, where the value holds their bytes.
    private mutating func messageFields(_ value: RawSpan, at base: Int, _ analyzer: borrowing Analyzer) {
        for (index, annotation) in analyzer.annotations.enumerated() {
            let details = annotation.details
            guard let rest = details.fieldsFromEnd, rest <= value.byteCount else { continue }
            let start = value.byteCount - rest
            let placed = details.fields.filter { !$0.range.isEmpty }
            guard placed.allSatisfy({ $0.range.upperBound <= rest }) else { continue }
            renderer.placedAnnotations.insert(index)
            for field in placed {
                let place = start + field.range.lowerBound
                document.field(
                    at: base + place, value.clamped(place..<start + field.range.upperBound), indent: 2)
                swap(&document.text, &renderer.out)
                renderer.put(printable: field.name)
                renderer.out.put(" = ")
                renderer.put(valueOf: field)
                swap(&document.text, &renderer.out)
            }
        }
    }

    /// Returns the result of a discovery PDU in words; nil for other PDUs.
    private mutating func found(
        _ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer
    ) -> String? {
        let start = renderer.out.count
        defer { renderer.out.truncate(to: start) }
        guard renderer.discovery(att, payload, analyzer) else { return nil }
        return String(decoding: renderer.out.copied(from: start), as: UTF8.self)
    }

    /// Adds the commands of a signalling PDU: one on LE, any number on BR/EDR.
    private mutating func signalling(_ payload: RawSpan, at base: Int, isCut: Bool) {
        var start = 0
        while let raw = payload.octet(at: start), let length = payload.u16le(at: start + 2) {
            let code = L2CAPSignallingCode(rawValue: raw)
            let end = start + 4 + Int(length)
            title(
                "L2CAP \(code.name.map { "\($0)" } ?? "signalling code")", min(end, payload.byteCount) - start
            )
            field(payload, start, 1, "code = \(String(hex: UInt64(raw), digits: 2))", at: base)
            field(payload, start + 1, 1, "identifier = \(payload.octet(at: start + 1) ?? 0)", at: base)
            field(payload, start + 2, 2, "length = \(length)", at: base)
            fields(payload.clamped(start + 4..<end), at: base + start + 4, isCut: isCut, as: .signal(code))
            start = end
        }
        guard start < payload.byteCount else { return }
        fields(payload.dropping(start), at: base + start, isCut: isCut, as: .unknown)
    }
}
