import Analysis
import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat
import WireBytes

/// Writes a frame in a few words for the page: the name with what matters to understand a failure, and apart
/// from it the attribute and the value, so that each view chooses their order.
struct PageBrief: ~Copyable {
    /// The name, and the reason of a failure.
    var text = TextBuffer(capacity: 256)
    /// The handle of the attribute in hexadecimal; empty for frames without an attribute.
    private(set) var handle = TextBuffer(capacity: 8)
    /// The attribute in words; empty if the log does not show what the handle stands for.
    private(set) var attribute = TextBuffer(capacity: 128)
    /// The attribute value in hexadecimal or as text, or other fields.
    var value = TextBuffer(capacity: 64)
    /// The name of the PDU that carries a message of a protocol above ATT; empty for other frames.
    private(set) var carrier = TextBuffer(capacity: 32)
    private var line: TextRenderer

    /// Most bytes of an attribute value, and of the text of other fields, that are shown.
    private static let valueLimit = 12
    private static let fieldsLimit = 100

    init() {
        var options = TextRenderer.Options()
        options.showsSources = false
        options.showsRequests = false
        options.isCompact = true
        line = TextRenderer(options)
    }

    /// Reads the analyzer's last frame, which was made from `record` and whose fields are in `document`.
    mutating func read(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer, _ document: borrowing FrameDocument
    ) {
        text.clear()
        handle.clear()
        attribute.clear()
        value.clear()
        carrier.clear()
        if !analyzer.annotations.isEmpty {
            return meaning(record, analyzer)
        }
        switch record.header.kind {
        case .command where record.octets.byteCount >= 2: command(record, analyzer, document)
        case .event where record.octets.byteCount > 0: event(record, analyzer, document)
        case .acl, .air:
            guard let att = analyzer.frame.att, att.error != nil || att.opcode.places.isShort else {
                return whole(record, analyzer)
            }
            put(att, analyzer.payload(in: record), analyzer)
        default: whole(record, analyzer)
        }
    }

    /// The meaning of a message above ATT, and the PDU that carries it. The PDU comes first, with the fields
    /// alone behind it, if it has no value, as a request or an error, or if its attribute has a name.
    private mutating func meaning(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let att = analyzer.frame.att
        if let att { put(att, analyzer.payload(in: record), analyzer) }
        line.out.clear()
        line.fields(of: record, analyzer)
        value.clear()
        if let att, att.error != nil || att.value?.isEmpty != false || Self.isNamed(att.label) {
            if line.out.count == 0 { analyzer.annotations.put(summaries: &line.out) }
        } else {
            carrier.put(text.copied(from: 0))
            text.clear()
            analyzer.annotations.put(summaries: &text)
        }
        put(fields: line.out.copied(from: 0)[...])
    }

    /// Whether an attribute has an assigned name.
    private static func isNamed(_ label: AttributeLabel?) -> Bool {
        guard let label, let short = label.characteristic?.assigned16 else { return false }
        return AssignedNumbers.name(of: short, as: .characteristic(in: label.service)) != nil
    }

    /// The line without its layer, its fields apart.
    private mutating func whole(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        line.out.clear()
        (line.fieldsStart, line.octetsStart) = (nil, nil)
        line.meaning(record, analyzer)
        let octets = line.out.copied(from: 0)
        let isRaw = line.octetsStart ?? .max <= line.fieldsStart ?? .max
        let start = isRaw ? line.octetsStart : line.fieldsStart
        let end = max(Columns.layerWidth, start ?? octets.count)
        text.put(Array(octets[min(Columns.layerWidth, octets.count)..<min(end, octets.count)]))
        var fields = octets.dropFirst(end).drop { $0 == 0x20 }
        let digits = fields.prefix { $0 != 0x20 }
        if isRaw, digits.count > 2 * Self.valueLimit {
            value.put(Array(digits.prefix(2 * Self.valueLimit)))
            value.put("\u{2026}")
            fields = fields[digits.endIndex...]
        }
        put(fields: fields)
    }

    /// Appends fields to the value, as many whole words as have room, and a part of a long word.
    private mutating func put(fields octets: ArraySlice<UInt8>) {
        guard octets.count > Self.fieldsLimit else { return value.put(Array(octets)) }
        let shown = octets.prefix(Self.fieldsLimit)
        if let end = shown.lastIndex(of: 0x20), shown[..<end].count > Self.fieldsLimit / 2 {
            value.put(Array(shown[..<end]))
            return value.put(" \u{2026}")
        }
        // Not in the middle of a character.
        value.put(Array(shown[..<(shown.lastIndex { $0 & 0xC0 != 0x80 } ?? shown.startIndex)]))
        value.put("\u{2026}")
    }

    // MARK: ATT

    private mutating func put(_ att: ATTSummary, _ payload: RawSpan, _ analyzer: borrowing Analyzer) {
        put(att.opcode)
        if let error = att.error, let request = att.requestOpcode {
            line.out.clear()
            line.put(attError: error)
            text.put(": ")
            text.put(line.out.copied(from: 0))
            text.put(" to ")
            put(request)
        }
        if let handle = att.handle { self.handle.hexNumber(UInt64(handle), digits: 4) }
        if let label = att.label, att.handle != nil {
            line.out.clear()
            line.put(label, analyzer)
            // After its space.
            attribute.put(line.out.copied(from: 1))
        }
        if let mtu = att.opcode.places.mtu(in: payload) {
            text.put(0x20)
            text.decimal(Int(mtu))
        }
        if let offset = att.opcode.places.offset(in: payload) {
            text.put(" at ")
            text.decimal(Int(offset))
        }
        if att.isMalformed { text.put(", malformed") }
        guard let range = att.value, !range.isEmpty else { return }
        let octets = payload.clamped(range)
        if let words = att.label?.configuration(octets) { return value.put(words) }
        line.out.clear()
        line.text(octets)
        let text = line.out.copied(from: 0)
        let isCut = octets.byteCount > Self.valueLimit
        if !isCut || text.isEmpty {
            value.hexOctets(octets.clamped(0..<min(octets.byteCount, Self.valueLimit)))
        }
        if isCut, text.isEmpty { value.put("\u{2026}") }
        // A space stands before the text.
        put(fields: text.dropFirst(isCut ? 1 : 0))
        guard isCut, text.isEmpty || text.count > Self.fieldsLimit else { return }
        value.put(0x20)
        value.count(octets.byteCount, "byte")
    }

    private mutating func put(_ opcode: ATTOpcode) {
        if let name = opcode.name { return text.put(name) }
        text.put("unknown opcode ")
        text.hexNumber(UInt64(opcode.rawValue), digits: 2)
    }

    // MARK: HCI

    private mutating func command(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer, _ document: borrowing FrameDocument
    ) {
        let opcode = HCIOpcode(rawValue: analyzer.frame.opcode)
        guard let name = opcode.name else { return whole(record, analyzer) }
        text.put(name)
        fields(document)
    }

    private mutating func put(status: UInt8) {
        line.out.clear()
        line.put(status: status)
        text.put(line.out.copied(from: 0))
    }

    private mutating func event(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer, _ document: borrowing FrameDocument
    ) {
        let code = HCIEventCode(rawValue: analyzer.frame.event)
        let opcode = HCIOpcode(rawValue: analyzer.frame.opcode)
        let isAnswer = code == .commandComplete || code == .commandStatus
        if isAnswer, let name = opcode.name, let status = analyzer.frame.status {
            text.put(name)
            text.put(code == .commandComplete ? " complete: " : " status: ")
            put(status: status)
            guard code == .commandComplete, status == 0 else { return }
            fields(document)
        } else if code == .leMeta {
            let subevent = LESubeventCode(rawValue: analyzer.frame.subevent)
            guard let name = subevent.name else { return whole(record, analyzer) }
            text.put(name)
            fields(document, isFailed: analyzer.frame.status ?? 0 != 0)
        } else {
            guard !isAnswer, let name = code.name else { return whole(record, analyzer) }
            text.put(name)
            // The status of Disconnection Complete is that of the end, which came about.
            let isFailed = code != .disconnectionComplete && analyzer.frame.status ?? 0 != 0
            fields(document, isFailed: isFailed)
        }
    }

    /// Adds the fields that help to understand a failure: the reason or status, and the others without their
    /// addresses' kinds, reserved bytes and the like.
    ///
    /// - Parameter isFailed: whether the frame reports a failure, so that of its other fields only the device
    ///   holds.
    private mutating func fields(_ document: borrowing FrameDocument, isFailed: Bool = false) {
        var separator = ": "
        var others = TextBuffer(capacity: 128)
        // The device tells most, and is not cut.
        var device: [UInt8]?
        for (field, value) in document.declared {
            if case .status(let code) = field.kind {
                if code != 0 { put(cause: code, after: &separator) }
            } else if let words = Self.words(field, value), !isFailed || field.kind.isAddress {
                if others.count > 0 { others.put(", ") }
                let start = others.count
                others.put(words)
                others.put(value)
                if field.kind.isAddress, device == nil {
                    let isCut = others.count > Self.fieldsLimit
                    device = isCut ? others.copied(from: start) + Array(", ".utf8) : []
                }
            }
            if field.more > 0 { others.put(" and \(field.more) more") }
        }
        put(fields: ((device ?? []) + others.copied(from: 0))[...])
    }

    private mutating func put(cause code: UInt8, after separator: inout String) {
        text.put(separator)
        separator = ", "
        put(status: code)
        if HCIStatus(rawValue: code).name != nil { text.put(" (\(String(hex: UInt64(code), digits: 2)))") }
    }

    private static let dull: Set<String> = [
        "handle", "connection_handle", "num_handles", "reserved", "clock_offset", "packet_type",
        "allow_role_switch", "status", "reason", "event_code", "subevent_code",
    ]
    private static let dullEndings = [
        "_ce_length", "_clock_accuracy", "_private_address", "_address_type", "_ce_length_min",
        "_ce_length_max",
    ]

    /// Returns the words before a field's value; nil if it is not shown.
    private static func words(_ field: FrameDocument.Field, _ value: [UInt8]) -> String? {
        var name = "\(field.name)"
        guard !dull.contains(name), !name.hasPrefix("page_scan_"),
            !dullEndings.contains(where: name.hasSuffix)
        else { return nil }
        for prefix in ["connection_", "peripheral_", "num_"] where name.hasPrefix(prefix) {
            name.removeFirst(prefix.count)
        }
        // An address needs no "bd addr" before it, and "enabled" no "enable".
        let isSwitch = ["enabled", "disabled"].contains { value.elementsEqual($0.utf8) }
        let needless: [Substring] =
            isSwitch ? ["enable", "enabled"] : field.kind.isAddress ? ["bd", "addr"] : []
        return name.split(separator: "_").filter { !needless.contains($0) }.map { "\($0) " }.joined()
    }
}

extension FrameDocument.Field.Kind {
    fileprivate var isAddress: Bool { if case .address = self { true } else { false } }
}

/// The kind of a frame: frames of one kind on a connection say the same with other values.
struct PageFrameKind: Hashable, AnnotationVisitor {
    private var codes: [Int]
    /// The names in annotations: of the protocol, the message, its results.
    private var words: [String] = []
    /// The kind and the name of a message in annotations; empty without one.
    private(set) var message: [String] = []
    private var isInMessage = false
    private var depth = 0

    init(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let kind = analyzer.frame.header.kind
        codes = [Int(kind.rawValue)]
        switch kind {
        case .command, .event:
            codes += [
                Int(analyzer.frame.opcode), Int(analyzer.frame.event), Int(analyzer.frame.subevent),
                analyzer.frame.status.map { Int($0) } ?? -1,
            ]
        default:
            codes += [
                analyzer.frame.l2cap.map { Int($0.cid) } ?? -1, analyzer.frame.smpCode.map { Int($0) } ?? -1,
                analyzer.frame.signallingCode.map { Int($0) } ?? -1,
                // The frames of RFCOMM differ by their control field.
                analyzer.frame.l2cap?.psm == 3
                    ? analyzer.payload(in: record).octet(at: 1).map { Int($0) } ?? -1 : -1,
                kind == .air ? analyzer.air.last.controlOpcode.map { Int($0) } ?? -1 : -1,
            ]
        }
        for annotation in analyzer.annotations { annotation.walk(&self) }
        // A protocol's message is the same, whichever attribute carries it.
        guard words.isEmpty, let att = analyzer.frame.att else { return }
        codes += [
            Int(att.opcode.rawValue), att.handle.map { Int($0) } ?? -1, att.error.map { Int($0) } ?? -1,
            att.requestOpcode.map { Int($0.rawValue) } ?? -1,
        ]
    }

    mutating func value(_ name: String, _ value: AnnotationValue, unit: String?) {
        guard depth == 0 else { return }
        if isInMessage, name == "kind" || name == "name", case .text(let text) = value {
            message.append(text)
        }
        switch value {
        case .text(let text): words.append(text)
        case .named(let code, _), .hex(let code, _): words.append("\(name) \(code)")
        default: break
        }
    }

    /// Only the fields of a message differ from one to the next.
    mutating func openGroup(_ name: String) {
        if name == "message" { isInMessage = true }
        if depth > 0 || name == "fields" { depth += 1 }
    }
    mutating func closeGroup() {
        if depth == 0 { isInMessage = false }
        depth = max(0, depth - 1)
    }
    mutating func openList(_ name: String) {}
    mutating func openElement() {}
    mutating func closeElement() {}
    mutating func closeList() {}
}
