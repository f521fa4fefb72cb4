import Analysis
import BluetoothCore
import WireBytes

/// Adds a PDU's fields to a document, one per line, with their place in the record and their bytes.
///
/// The printer holds the document while it walks the fields, and returns it with ``finish(isKnown:)``.
struct DetailFieldPrinter: ReadingCoder, ~Copyable, ~Escapable {
    private var octets: RawSpan
    var reader: ByteReader
    private var document: FrameDocument
    /// Place of the first byte in the record, or in the reassembled PDU.
    private var base: Int
    private var indent = 0
    /// Whether the next field is the first of a list's element.
    private var beginsElement = false
    /// Whether UUIDs are those of services, as in advertising data, or else attribute types.
    private var namesServices = false
    /// Whether the fields belong to a later element of a list.
    private var isLater = false

    @_lifetime(copy octets)
    init(_ octets: RawSpan, at base: Int, into document: consuming FrameDocument) {
        self.octets = octets
        reader = ByteReader(octets)
        self.base = base
        self.document = document
    }

    /// Adds the number of bytes that no field covers, and returns the document.
    ///
    /// - Parameter isKnown: whether the PDU is known. The remaining bytes of a known PDU are not shown: after
    ///   a wrong count or length they may contain a key.
    consuming func finish(isKnown: Bool) -> FrameDocument {
        rest(showsBytes: !isKnown && reader.offset == 0)
        return document
    }

    /// Adds the place where decoding failed.
    @_lifetime(self: copy self)
    mutating func note(_ error: DecodeError, isCut: Bool) {
        document.field(at: base + error.offset, RawSpan())
        document.text.put(isCut ? "cut by the recorder" : "malformed: \(error.reason)")
    }

    @_lifetime(self: copy self)
    private mutating func rest(showsBytes: Bool) {
        guard reader.remaining > 0 else { return }
        let rest = showsBytes ? octets.clamped(reader.offset..<octets.byteCount) : RawSpan()
        document.field(at: base + reader.offset, rest)
        document.text.put("not covered by any field, \(reader.remaining.counting("byte"))")
    }

    /// Begins the line of the field that was just read.
    ///
    /// - Parameter kind: nil for a field without a value in text.
    @_lifetime(self: copy self)
    private mutating func begin(
        _ name: StaticText, from start: Int, showing most: Int = .max,
        _ kind: FrameDocument.Field.Kind? = .plain
    ) {
        document.field(
            at: base + start, octets.clamped(start..<start + min(reader.offset - start, most)),
            indent: max(0, beginsElement ? indent - 2 : indent))
        if beginsElement { document.text.put("- ") }
        beginsElement = false
        document.text.put(name)
        document.text.put(" = ")
        if let kind, !isLater, !namesServices { document.begin(name, kind) }
    }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        let start = reader.offset
        value = try reader.unsigned(width: width)
        switch meaning {
        case .secret: begin(name, from: start, showing: 0, nil)
        case .status: begin(name, from: start, .status(UInt8(truncatingIfNeeded: value)))
        default: begin(name, from: start)
        }
        TextValues.put(value, width: width, meaning, into: &document.text)
    }

    @_lifetime(self: copy self)
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        let start = reader.offset
        value = try reader.signed(width: width)
        begin(name, from: start)
        TextValues.put(signed: value, meaning, into: &document.text)
        if name == "rssi", value <= LEAdvertisement.highestRSSI, document.rssi == nil {
            document.rssi = Int(value)
        }
    }

    @_lifetime(self: copy self)
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        let start = reader.offset
        value = DeviceAddress(try reader.u48le(), value.kind)
        // A zero stands for an address that is not in use.
        begin(name, from: start, value.value == 0 ? nil : .address)
        document.text.put(value)
    }

    @_lifetime(self: copy self)
    mutating func uuid(_ name: StaticText, _ value: inout BluetoothUUID, width: Int) throws(DecodeError) {
        let start = reader.offset
        value = try BluetoothUUID(decoding: &reader, width: width)
        begin(name, from: start)
        document.text.put(value)
        guard let short = value.assigned16 else { return }
        if namesServices { return ServiceText.put(nameOf: short, into: &document.text) }
        for use in [.declaration, .characteristic, .descriptor] as [AssignedNumbers.UUIDUse] {
            guard let name = AssignedNumbers.name(of: short, as: use) else { continue }
            document.text.put(0x20)
            return document.text.put(name)
        }
    }

    @_lifetime(self: copy self)
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        let wanted = max(0, count ?? reader.remaining)
        let start = reader.offset
        let have = reader.remaining
        let field = try reader.take(min(wanted, have))
        // The structures of advertising data show their own bytes.
        let isText = meaning == .text && TextValues.untilZero(field).byteCount > 0
        begin(
            name, from: start, showing: meaning == .secret ? 0 : meaning == .advertising ? 16 : .max,
            isText ? .plain : nil)
        switch meaning {
        case .secret: document.text.put("(not shown)")
        case .text:
            document.text.put(0x22)
            document.text.escaped(TextValues.untilZero(field))
            document.text.put("\"")
        case .advertising:
            document.text.put("\(field.byteCount.counting("byte"))")
            structures(field, at: start)
        case .octets, .attributeValue:
            document.text.put("\(field.byteCount.counting("byte"))")
        }
        if wanted > have { throw DecodeError(.truncated(need: wanted, have: have), at: start) }
    }

    @_lifetime(self: copy self)
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout DetailFieldPrinter) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        document.field(at: base + reader.offset, RawSpan(), indent: indent)
        document.text.put(name)
        document.text.put(":")
        let wasLater = isLater
        indent += 4
        defer { (indent, isLater) = (indent - 4, wasLater) }
        let shown = try elements(count) { printer throws(DecodeError) in
            printer.beginsElement = true
            try element(&printer)
            (printer.beginsElement, printer.isLater) = (false, true)
        }
        if shown > 1, !wasLater, !namesServices { document.endList(after: shown - 1) }
    }

    /// Adds the structures of advertising data, each with its fields.
    @_lifetime(self: copy self)
    private mutating func structures(_ data: RawSpan, at place: Int) {
        let (outer, outerBase, outerReader) = (octets, base, reader.offset)
        indent += 2
        namesServices = true
        var structures = ADStructures(data)
        while let structure = structures.next() { show(structure, data, at: outerBase + place) }
        if case .malformed(let at, let wanted, let partial) = structures.end {
            if let partial { show(partial, data, at: outerBase + place) }
            document.field(at: outerBase + place + at, RawSpan(), indent: indent)
            document.text.put("malformed: \(wanted.counting("byte")) announced, ")
            document.text.put("\(data.byteCount - at - 1) there")
        }
        indent -= 2
        namesServices = false
        octets = outer
        base = outerBase
        reader = ByteReader(outer, from: outerReader)
    }

    @_lifetime(self: copy self)
    private mutating func show(_ structure: ADStructure, _ data: RawSpan, at place: Int) {
        document.field(at: place + structure.data.lowerBound - 2, RawSpan(), indent: indent)
        if let name = structure.type.name {
            document.text.put(name)
        } else {
            document.text.put("AD type ")
            document.text.hexNumber(UInt64(structure.type.rawValue), digits: 2)
        }
        document.text.put(", \(structure.data.count.counting("byte"))")
        octets = data.clamped(structure.data)
        base = place + structure.data.lowerBound
        reader = ByteReader(octets)
        indent += 2
        do throws(DecodeError) { _ = try structure.type.walk(&self) } catch { note(error, isCut: false) }
        rest(showsBytes: true)
        indent -= 2
    }
}
