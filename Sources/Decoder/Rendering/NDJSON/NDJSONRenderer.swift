public import Analysis
import BluetoothCore
public import CaptureFile
import LinkLayer
import PayloadFormat
public import WireBytes

/// Writes frames as NDJSON: one object per line, as described by `docs/ndjson.schema.json`.
public struct NDJSONRenderer: ~Copyable {
    /// Output buffer; the caller drains it.
    public var out: TextBuffer
    /// The files, in the order of their lines.
    private(set) var files: [CaptureInfo] = []
    /// The reasons why files could not be read, or not up to their end.
    var unreadable: [CaptureFileError] = []
    /// Whether every line names its file, because there are several.
    var namesFile: Bool { files.count > 1 || isOfLogs }
    /// Whether the lines are about logs, possibly several, instead of frames.
    var isOfLogs = false
    private var clock = JSONClock()
    var labelTexts = LabelTexts()
    /// Cache of the texts of advertising data.
    var keptTexts = KeptTexts()
    /// The replacement for `out` while a field printer holds it.
    var standIn: TextBuffer? = TextBuffer(capacity: 256)

    public init() { out = TextBuffer() }

    /// Writes the line about a file; called for all files before the first frame.
    public mutating func begin(_ file: CaptureInfo) {
        files.append(file)
        fileLine(file)
    }

    /// Writes the line of the analyzer's last frame.
    public mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        line(record, analyzer)
        if record.options.byteCount > 0 { comments(record) }
        if analyzer.frame.reports > 0, analyzer.mayAdvertiseProtocol(record) {
            annotations(analyzer.advertised(in: record), of: analyzer.frame.place.file)
        }
        if !analyzer.annotations.isEmpty { annotations(analyzer.annotations, of: analyzer.frame.place.file) }
        if !analyzer.problems.isEmpty { problems(analyzer) }
        out.put("}\n")
    }

    private mutating func line(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer
    ) {
        out.line("frame")
        file(Int(analyzer.frame.header.file))
        out.member("frame", analyzer.frame.number)
        out.member("time")
        time(analyzer.frame.time, file: Int(analyzer.frame.header.file))
        if analyzer.frame.header.adapter == 0xFFFF {
            out.null("adapter")
        } else {
            out.member("adapter", analyzer.frame.header.adapter)
        }
        direction(analyzer)
        type(analyzer.frame.header.kind)
        if analyzer.frame.header.isTruncated { lengths(analyzer.frame.header) }
        if analyzer.frame.link >= 0 { connection(analyzer) } else { noConnection(analyzer) }
        switch analyzer.frame.header.kind {
        case .command: command(record.octets, analyzer)
        case .event: event(record.octets, analyzer)
        case .acl: acl(record, analyzer)
        case .sco, .iso: break
        case .monitor: monitor(record.octets, analyzer)
        case .note: note(record.octets)
        case .air: air(record, analyzer)
        case .unknown: unknown(record.octets, analyzer)
        }
    }

    /// Appends an array with one object for each element, whose members `body` appends.
    ///
    /// - Parameter isOptional: whether an array without elements is left out.
    mutating func objects<Elements: Collection>(
        _ name: StaticText, of elements: Elements, isOptional: Bool = false,
        _ body: (inout NDJSONRenderer, Elements.Element) -> Void
    ) {
        if isOptional, elements.isEmpty { return }
        out.array(name)
        for element in elements {
            out.element()
            body(&self, element)
            out.endObject()
        }
        out.endArray()
    }

    private func digits(of file: Int) -> Int {
        files.indices.contains(file) ? files[file].timeDigits : 6
    }

    /// Writes a file's name as a member, if lines name their file.
    mutating func file(_ index: Int, as member: StaticText = "file") {
        guard namesFile, files.indices.contains(index) else { return }
        out.member(member)
        name(ofFile: index)
    }

    /// Writes a file's name as a string.
    mutating func name(ofFile index: Int) {
        out.jsonString(files.indices.contains(index) ? files[index].name : "")
    }

    /// Writes a time as a string.
    mutating func time(_ time: CaptureTime, file: Int) {
        out.put(0x22)
        clock.put(time, digits: digits(of: file), into: &out)
        out.put(0x22)
    }

    private mutating func direction(_ analyzer: borrowing Analyzer) {
        switch analyzer.frame.direction {
        case .hostToController: out.member("direction", "tx")
        case .controllerToHost: out.member("direction", "rx")
        case .unknown: out.null("direction")
        }
        out.member("direction_inferred", if: analyzer.frame.directionIsInferred)
    }

    private mutating func type(_ kind: RecordKind) {
        switch kind {
        case .command: out.member("type", "command")
        case .event: out.member("type", "event")
        case .acl: out.member("type", "acl")
        case .sco: out.member("type", "sco")
        case .iso: out.member("type", "iso")
        case .monitor: out.member("type", "monitor")
        case .note: out.member("type", "note")
        case .unknown: out.member("type", "unknown")
        case .air: out.member("type", "air")
        }
    }

    private mutating func lengths(_ header: RecordHeader) {
        out.member("length", header.originalLength)
        out.member("captured", header.capturedLength)
    }

    private mutating func connection(_ analyzer: borrowing Analyzer) {
        out.member("connection", analyzer.links[analyzer.frame.link].number)
        out.member("handle", analyzer.frame.handle ?? analyzer.links[analyzer.frame.link].handle)
        out.member("peer", analyzer.links[analyzer.frame.link].address ?? analyzer.frame.peer)
        out.member("identity", analyzer.links[analyzer.frame.link].identity)
    }

    private mutating func noConnection(_ analyzer: borrowing Analyzer) {
        out.member("handle", analyzer.frame.handle)
        out.member("peer", analyzer.frame.peer)
        out.member("identity", analyzer.frame.identity)
    }

    private mutating func problems(_ analyzer: borrowing Analyzer) {
        out.array("problems")
        for index in analyzer.problems.indices {
            out.element()
            out.member("code", analyzer.problems[index].code.rawValue)
            out.member("name", analyzer.problems[index].name)
            if analyzer.problems[index].connection > 0 {
                out.member("connection", analyzer.problems[index].connection)
            }
            if let place = analyzer.problems[index].reportedElsewhere { out.member("at_frame", place.frame) }
            message(analyzer.problems[index])
            out.endObject()
        }
        out.endArray()
    }

    mutating func message(_ problem: Problem) {
        out.member("message", problem.sentence)
    }

    /// Writes the annotations by protocols above ATT: a member for each kind, an object or an array.
    private mutating func annotations(_ all: [Annotation], of own: Int) {
        guard !all.isEmpty, var buffer = standIn.take() else { return }
        swap(&buffer, &out)
        for (index, annotation) in all.enumerated() {
            let kind = annotation.kind
            let isFirst = index == 0 || all[index - 1].kind != kind
            let isLast = index == all.count - 1 || all[index + 1].kind != kind
            let isArray = kind.isListed || !isFirst || !isLast
            if isFirst {
                buffer.member(named: kind.member)
                if isArray { buffer.put(0x5B) }
            }
            buffer.element()
            var printer = JSONAnnotationPrinter(into: buffer, files: files, own: own)
            annotation.walk(&printer)
            buffer = printer.finish()
            buffer.endObject()
            if isLast, isArray { buffer.endArray() }
        }
        swap(&buffer, &out)
        standIn = consume buffer
    }

    /// Writes the comments on a packet of a pcapng file.
    private mutating func comments(_ record: borrowing Record) {
        var count = 0
        var isAllUTF8 = true
        record.forEachComment { comment in
            if count == 0 { out.array("comments") }
            count += 1
            out.separator()
            out.jsonString(comment)
            if !comment.isUTF8 { isAllUTF8 = false }
        }
        if count > 0 { out.endArray() }
        guard !isAllUTF8 else { return }
        out.array("comments_octets")
        record.forEachComment { comment in
            out.separator()
            out.jsonHex(comment)
        }
        out.endArray()
    }

    private mutating func note(_ octets: RawSpan) {
        out.member("note", text: TextValues.untilZero(octets))
        out.jsonOctets(ofText: octets, "note", isPadded: true)
    }

    private mutating func unknown(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        // An empty record lacks even a type.
        guard octets.byteCount > 0 else { return }
        out.member("packet_type", analyzer.frame.header.foreignType)
        out.member("octets", hex: octets)
    }
}

/// Writes times as RFC 3339 in UTC; the text up to the second is cached, since most records share it.
struct JSONClock: ~Copyable {
    private var second = Int64.min
    private var prefix = TextBuffer(capacity: 64)

    mutating func put(_ time: CaptureTime, digits: Int, into out: inout TextBuffer) {
        var seconds = time.nanoseconds / 1_000_000_000
        var rest = time.nanoseconds % 1_000_000_000
        if rest < 0 {
            rest &+= 1_000_000_000
            seconds &-= 1
        }
        if seconds != second {
            second = seconds
            prefix.clear()
            prefix.put(utc: CaptureTime(nanoseconds: time.nanoseconds &- rest), digits: 0)
            prefix.truncate(to: prefix.count - 1)
        }
        out.put(prefix.octets)
        out.put(0x2E)
        if digits == 6 {
            out.decimal(UInt64(rest) / 1000, digits: 6)
        } else {
            out.decimal(UInt64(rest), digits: 9)
        }
        out.put(0x5A)
    }
}

// ACL data: the L2CAP PDU that the frame completes, and the ATT or SMP PDU or signalling commands in it.

extension NDJSONRenderer {
    mutating func acl(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer
    ) {
        guard let pdu = analyzer.frame.l2cap else { return fragment(analyzer) }
        out.object("l2cap")
        out.member("cid", pdu.cid)
        out.member("length", pdu.length)
        if pdu.isCut {
            out.member("captured", pdu.captured)
        }
        out.member("psm", pdu.psm)
        if pdu.fragmentCount > 1 { fragments(analyzer) }
        let payload = analyzer.payload(in: record)
        if let att = analyzer.frame.att {
            out.endObject()
            put(att, payload, analyzer)
        } else if analyzer.frame.smpCode != nil {
            out.endObject()
            smp(payload, analyzer)
        } else {
            if pdu.cid == 1 || pdu.cid == 5 {
                signals(payload)
                request(analyzer)
            } else if payload.byteCount > 0 {
                out.member("payload", hex: payload)
            }
            out.endObject()
        }
    }

    private mutating func fragment(_ analyzer: borrowing Analyzer) {
        guard let acl = analyzer.frame.acl else { return }
        out.object("acl")
        out.member("boundary", acl.boundary)
        out.member("length", acl.length)
        out.member("vendor", if: acl.isVendor)
        out.endObject()
    }

    private mutating func fragments(_ analyzer: borrowing Analyzer) {
        out.array("fragments")
        for index in analyzer.assembledFrames.indices {
            out.separator()
            out.decimal(analyzer.assembledFrames[index].frame)
        }
        out.endArray()
        let file = analyzer.frame.place.file
        guard analyzer.assembledFrames.contains(where: { $0.file != file }) else { return }
        out.array("fragment_files")
        for index in analyzer.assembledFrames.indices {
            out.separator()
            name(ofFile: analyzer.assembledFrames[index].file)
        }
        out.endArray()
    }

    private mutating func smp(_ payload: RawSpan, _ analyzer: borrowing Analyzer) {
        let code = SMPCode(rawValue: payload.octet(at: 0) ?? 0)
        out.object("smp")
        out.member("code", code.rawValue)
        out.member("name", code.name)
        fields(payload.dropping(1), as: .smp(code))
        request(analyzer)
        out.endObject()
    }

    private mutating func signals(_ payload: RawSpan) {
        out.array("signals")
        var start = 0
        while let raw = payload.octet(at: start), let length = payload.u16le(at: start + 2) {
            let code = L2CAPSignallingCode(rawValue: raw)
            out.element()
            out.member("code", raw)
            out.member("name", code.name)
            out.member("identifier", payload.octet(at: start + 1) ?? 0)
            fields(payload.clamped(start + 4..<start + 4 + Int(length)), as: .signal(code))
            out.endObject()
            start += 4 + Int(length)
        }
        out.endArray()
    }
}

// Packets from the air.

extension NDJSONRenderer {
    mutating func air(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let account = analyzer.air.last
        let packet = account.packet
        out.object("air")
        out.member("access_address")
        out.jsonQuoted { $0.hex(UInt64(packet.accessAddress), digits: 8) }
        out.member("length", packet.length)
        let radio = record.header.radio
        if radio.channel < 40 {
            out.member("channel", radio.channel)
        }
        out.member("rssi", radio.knownSignal)
        switch packet.integrity {
        case .valid: out.member("crc_ok", true)
        case .invalid: out.member("crc_ok", false)
        case .unchecked: break
        }
        if account.isReadable, packet.integrity != .invalid { pdu(account, record) }
        if account.missedEvents > 0 {
            out.member("events_missed", account.missedEvents)
        }
        out.endObject()
        if analyzer.frame.l2cap != nil { acl(record, analyzer) }
        guard analyzer.frame.reports > 0 else { return }
        let view = analyzer.air.view
        // The last event is the report; an earlier one may report a lost connection. The parameters start
        // after the subevent code.
        guard let report = view.packets.last(where: { $0.kind == .event }) else { return }
        advertising(view.octets.borrowedOctets.clamped(report.range).dropping(3), analyzer)
    }

    /// Writes the counts of a connection's packets that a sniffer heard.
    mutating func air(_ link: Link) {
        out.member("central", link.central)
        guard let air = link.air else { return }
        out.object("air")
        out.member("events", air.events)
        out.member("events_missed", air.missedEvents)
        out.member("crc_errors", air.wrongCRC)
        out.member("retransmissions", air.retransmissions)
        out.member("encrypted_opened", air.opened)
        out.member("encrypted_unopened", air.closed)
        out.endObject()
    }

    private mutating func pdu(_ account: AirFollower.Account, _ record: borrowing Record) {
        let packet = account.packet
        let payload = record.octets.clamped(packet.payload)
        if packet.isAdvertising {
            let type = packet.advertisingType
            begin(pdu: AirTable.advertisingName(type, isSecondary: packet.isSecondary), type)
            fields(payload, as: .airAdvertising(type))
            return out.endObject()
        }
        out.member("retransmission", if: account.isRetransmission)
        out.member("encrypted", if: account.isClosed)
        out.member("decrypted", if: account.opened != nil)
        guard let opcode = account.controlOpcode else { return }
        begin(pdu: AirTable.controlName(opcode), opcode)
        if let opened = account.opened {
            fields(opened.borrowedOctets.dropping(1), as: .airControl(opcode))
        } else {
            fields(payload.dropping(1), as: .airControl(opcode))
        }
        out.endObject()
    }

    /// Begins the object of a PDU with its name and its type or opcode.
    private mutating func begin(pdu name: StaticText?, _ code: UInt8) {
        out.object("pdu")
        out.member("code", code)
        out.member("name", name)
    }
}
