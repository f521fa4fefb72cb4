import Analysis
import BluetoothCore
import WireBytes

/// Prints a PDU's fields, one per line, with their place in the record and their bytes.
///
/// It holds the output buffer during the walk, and returns it with ``finish(isKnown:)``.
struct DetailFieldPrinter: ReadingCoder, ~Copyable, ~Escapable {
    private var octets: RawSpan
    var reader: ByteReader
    private var out: TextBuffer
    /// Place of the first byte in the record, or in the reassembled PDU.
    private var base: Int
    private var indent = 0
    /// Whether the next field is the first of a list's element.
    private var beginsElement = false

    @_lifetime(copy octets)
    init(_ octets: RawSpan, at base: Int, into out: consuming TextBuffer) {
        self.octets = octets
        reader = ByteReader(octets)
        self.base = base
        self.out = out
    }

    /// Prints the number of bytes without a field, and returns the output buffer.
    ///
    /// - Parameter isKnown: whether the PDU is known. For a known PDU the remaining bytes themselves are left
    ///   out: after a wrong count or length they may contain a key.
    consuming func finish(isKnown: Bool) -> TextBuffer {
        rest(showsBytes: !isKnown && reader.offset == 0)
        return out
    }

    /// Prints the place where decoding failed.
    @_lifetime(self: copy self)
    mutating func note(_ error: DecodeError, isCut: Bool) {
        out.detailLine(at: base + error.offset, RawSpan())
        out.put(isCut ? "cut by the recorder\n" : "malformed: \(error.reason)\n")
    }

    @_lifetime(self: copy self)
    private mutating func rest(showsBytes: Bool) {
        guard reader.remaining > 0 else { return }
        let rest = showsBytes ? octets.clamped(reader.offset..<octets.byteCount) : RawSpan()
        out.detailLine(at: base + reader.offset, rest)
        out.put("not covered by any field, \(reader.remaining.counting("byte"))\n")
        out.furtherBytes(rest, at: base + reader.offset)
    }

    /// Begins the line of the field that was just read.
    @_lifetime(self: copy self)
    private mutating func begin(_ name: StaticText, from start: Int, isSecret: Bool = false) {
        out.detailLine(
            at: base + start, isSecret ? RawSpan() : octets.clamped(start..<reader.offset),
            indent: max(0, beginsElement ? indent - 2 : indent))
        if beginsElement { out.put("- ") }
        beginsElement = false
        out.put(name)
        out.put(" = ")
    }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        let start = reader.offset
        value = try reader.unsigned(width: width)
        var isSecret = false
        if case .secret = meaning { isSecret = true }
        begin(name, from: start, isSecret: isSecret)
        TextValues.put(value, width: width, meaning, into: &out)
        out.put(0x0A)
    }

    @_lifetime(self: copy self)
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        let start = reader.offset
        value = try reader.signed(width: width)
        begin(name, from: start)
        TextValues.put(signed: value, meaning, into: &out)
        out.put(0x0A)
    }

    @_lifetime(self: copy self)
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        let start = reader.offset
        value = DeviceAddress(try reader.u48le(), value.kind)
        begin(name, from: start)
        out.put(value)
        out.put(0x0A)
    }

    @_lifetime(self: copy self)
    mutating func uuid(_ name: StaticText, _ value: inout BluetoothUUID, width: Int) throws(DecodeError) {
        let start = reader.offset
        value = try BluetoothUUID(decoding: &reader, width: width)
        begin(name, from: start)
        out.put(value)
        if let short = value.assigned16 { put(nameOf: short) }
        out.put(0x0A)
    }

    @_lifetime(self: copy self)
    private mutating func put(nameOf uuid: UInt16) {
        for use in [.declaration, .characteristic, .descriptor, .service] as [AssignedNumbers.UUIDUse] {
            guard let name = AssignedNumbers.name(of: uuid, as: use) else { continue }
            out.put(0x20)
            return out.put(name)
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
        begin(name, from: start, isSecret: meaning == .secret)
        switch meaning {
        case .secret: out.put("(not shown)\n")
        case .text:
            out.put(0x22)
            out.escaped(TextValues.untilZero(field))
            out.put("\"\n")
            out.furtherBytes(field, at: base + start)
        case .advertising:
            out.put("\(field.byteCount.counting("byte"))\n")
            structures(field, at: start)
        case .octets, .attributeValue:
            out.put("\(field.byteCount.counting("byte"))\n")
            out.furtherBytes(field, at: base + start)
        }
        if wanted > have { throw DecodeError(.truncated(need: wanted, have: have), at: start) }
    }

    @_lifetime(self: copy self)
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout DetailFieldPrinter) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        out.detailLine(at: base + reader.offset, RawSpan(), indent: indent)
        out.put(name)
        out.put(":\n")
        indent += 4
        defer { indent -= 4 }
        try elements(count) { printer throws(DecodeError) in
            printer.beginsElement = true
            try element(&printer)
            printer.beginsElement = false
        }
    }

    /// Prints the structures of advertising data, each with its fields.
    @_lifetime(self: copy self)
    private mutating func structures(_ data: RawSpan, at place: Int) {
        let (outer, outerBase, outerReader) = (octets, base, reader.offset)
        indent += 2
        var structures = ADStructures(data)
        while let structure = structures.next() { show(structure, data, at: outerBase + place) }
        if case .malformed(let at, let wanted, let partial) = structures.end {
            if let partial { show(partial, data, at: outerBase + place) }
            out.detailLine(at: outerBase + place + at, RawSpan(), indent: indent)
            out.put("malformed: \(wanted.counting("byte")) announced, ")
            out.put("\(data.byteCount - at - 1) there\n")
        }
        indent -= 2
        octets = outer
        base = outerBase
        reader = ByteReader(outer, from: outerReader)
    }

    @_lifetime(self: copy self)
    private mutating func show(_ structure: ADStructure, _ data: RawSpan, at place: Int) {
        out.detailLine(at: place + structure.data.lowerBound - 2, RawSpan(), indent: indent)
        if let name = structure.type.name {
            out.put(name)
        } else {
            out.put("AD type ")
            out.hexNumber(UInt64(structure.type.rawValue), digits: 2)
        }
        out.put(", \(structure.data.count.counting("byte"))\n")
        octets = data.clamped(structure.data)
        base = place + structure.data.lowerBound
        reader = ByteReader(octets)
        indent += 2
        do throws(DecodeError) { _ = try structure.type.walk(&self) } catch { note(error, isCut: false) }
        rest(showsBytes: true)
        indent -= 2
    }
}

extension TextBuffer {
    /// The columns of a detail line's bytes and text.
    private static let (bytesColumn, textColumn) = (8, 42)
    /// Bytes per line, and most lines per field.
    private static let (mostBytes, mostLines) = (16, 24)

    /// Begins a detail line: the place, the bytes there, and padding up to the text.
    mutating func detailLine(at place: Int, _ octets: RawSpan, indent: Int = 0) {
        let start = count
        put("  +")
        decimal(place)
        pad(from: start, to: Self.bytesColumn)
        hexOctets(octets.clamped(0..<min(octets.byteCount, Self.mostBytes)))
        fill(0x20, count: max(1, Self.textColumn - (count - start)) + indent)
    }

    /// Prints further lines with the field's bytes that don't fit on its first line.
    mutating func furtherBytes(_ octets: RawSpan, at place: Int) {
        var start = Self.mostBytes
        while start < octets.byteCount {
            guard start < Self.mostBytes * Self.mostLines else {
                return put("          and \((octets.byteCount - start).counting("more byte"))\n")
            }
            detailLine(at: place + start, octets.dropping(start))
            put(0x0A)
            start += Self.mostBytes
        }
    }
}
