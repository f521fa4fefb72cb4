import Analysis
import BluetoothCore
import WireBytes

/// Prints a PDU's fields as ` name=value` pairs, directly from the bytes.
///
/// The printer holds the output buffer while it walks the fields, and returns it with ``finish()``.
struct TextFieldPrinter: ReadingCoder, ~Copyable, ~Escapable {
    /// Naming of fields.
    private enum Naming {
        /// Each field has its own name.
        case named
        /// The next field is the value of the name that was just written.
        case next
        /// All fields are values of the name that was just written.
        case bare
    }

    var reader: ByteReader
    var out: TextBuffer
    /// Whether the recorder cut the PDU, so that an early end is not an error.
    var isCut = false
    /// Cached texts of advertising data.
    var keptTexts: KeptTexts?
    /// The reports with only a part of an advertisement's data: one bit each, the next report's lowest.
    var partialReports: UInt32 = 0
    /// The reports whose remaining data the controller could not receive: one bit each, the next report's
    /// lowest.
    var truncatedReports: UInt32 = 0
    /// Whether the controller could not receive the rest of the current advertising data.
    private var isTruncated = false
    private var naming = Naming.named
    /// Whether UUIDs are services, which have names.
    private var namesServices = false
    /// Number of lists around the next field.
    private var depth = 0
    /// Positions in the output where the fields of the current list element begin; nil unless elements are
    /// shortened (``shorten(by:)``).
    private var fieldStarts: [Int]?
    /// Position in the output after the deciding fields, which are moved before all others.
    private var otherFieldsStart: Int
    /// Number of bytes of the first deciding field that must stay visible; 0 without a deciding field.
    private(set) var decidingLength = 0

    /// Creates a printer of the fields in `octets` that appends to `out`.
    @_lifetime(copy octets)
    init(_ octets: RawSpan, into out: consuming TextBuffer) {
        reader = ByteReader(octets)
        otherFieldsStart = out.count
        self.out = out
    }

    consuming func finish() -> TextBuffer { out }

    /// Prints the place where decoding failed.
    @_lifetime(self: copy self)
    mutating func note(_ error: DecodeError) {
        if isCut { return out.put(" \u{2026}") }
        out.put(" [malformed at +")
        out.decimal(error.offset)
        out.put("]")
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func name(_ name: StaticText) {
        fieldStarts?.append(out.count)
        switch naming {
        case .named:
            out.put(0x20, name, 0x3D)
        case .next:
            out.put(0x3D)
            naming = .bare
        case .bare: out.put(0x20)
        }
    }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.unsigned(width: width)
        let start = out.count
        self.name(name)
        TextValues.put(value, width: width, meaning, into: &out)
        if decides(name, value, meaning) { moveToFront(from: start, meaning) }
    }

    /// Whether a field decides what the PDU means: the reason of a failure or disconnection, the result of a
    /// request, the interval of a connection.
    @inline(__always)
    private func decides(_ name: StaticText, _ value: UInt64, _ meaning: FieldMeaning) -> Bool {
        switch meaning {
        case .status: depth == 0 && value != 0
        case .code: depth == 0 && name == "Result"
        case .steps: depth == 0 && Self.intervals.contains(name)
        default: false
        }
    }

    /// Number of bytes of a status, and of another deciding field, that must stay visible: the number and the
    /// first words.
    static let statusLength = 22
    private static let codeLength = 32

    private static let intervals: [StaticText] = [
        "connection_interval", "connection_interval_min", "connection_interval_max", "interval_min",
        "interval_max", "Interval Min", "Interval Max",
    ]

    /// Moves the field that begins at `start` before the fields that don't decide.
    @inline(never)
    @_lifetime(self: copy self)
    private mutating func moveToFront(from start: Int, _ meaning: FieldMeaning) {
        let field = out.copied(from: start)
        if decidingLength == 0 {
            let enough = if case .status = meaning { Self.statusLength } else { Self.codeLength }
            decidingLength = min(field.count, enough)
        }
        defer { otherFieldsStart &+= field.count }
        guard start > otherFieldsStart else { return }
        let passed = out.copied(from: otherFieldsStart).dropLast(field.count)
        out.truncate(to: otherFieldsStart)
        out.put(field)
        out.put(Array(passed))
    }

    @_lifetime(self: copy self)
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.signed(width: width)
        self.name(name)
        TextValues.put(signed: value, meaning, into: &out)
    }

    @_lifetime(self: copy self)
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(try reader.u48le(), value.kind)
        self.name(name)
        out.put(value)
    }

    @_lifetime(self: copy self)
    mutating func uuid(_ name: StaticText, _ value: inout BluetoothUUID, width: Int) throws(DecodeError) {
        value = try BluetoothUUID(decoding: &reader, width: width)
        self.name(name)
        out.put(value)
        if namesServices, let short = value.assigned16 { ServiceText.put(nameOf: short, into: &out) }
    }

    /// Prints bytes; if fewer remain than the field has, these are printed before the error is thrown.
    @_lifetime(self: copy self)
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        let wanted = max(0, count ?? reader.remaining)
        let start = reader.offset
        let have = reader.remaining
        let octets = try reader.take(min(wanted, have))
        self.name(name)
        switch meaning {
        case .text:
            out.put(0x22)
            out.escaped(TextValues.untilZero(octets))
            out.put(0x22)
        case .secret: out.put("(not shown)")
        case .advertising: advertising(octets)
        case .octets, .attributeValue: out.hexOctets(octets)
        }
        if wanted > have { throw DecodeError(.truncated(need: wanted, have: have), at: start) }
    }

    @_lifetime(self: copy self)
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout TextFieldPrinter) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        self.name(name)
        out.put(0x5B)
        depth += 1
        defer { depth -= 1 }
        var shown = 0
        var before: [[UInt8]] = []
        while count.map({ shown < $0 }) ?? (reader.remaining > 0) {
            if shown > 0 { out.put(0x3B) }
            let place = reader.offset
            // Hosts ask for nearly the same parameters on each PHY, so only the differences are printed.
            if name == "phys" { fieldStarts = [] }
            try element(&self)
            guard reader.offset > place else { throw DecodeError(.invalidLength, at: place) }
            shorten(by: &before)
            shown += 1
        }
        out.put(" ]")
    }

    /// Removes the fields of a list's element that equal those of the element before.
    @_lifetime(self: copy self)
    private mutating func shorten(by before: inout [[UInt8]]) {
        guard let starts = fieldStarts, let start = starts.first else { return }
        fieldStarts = nil
        let text = out.copied(from: start)
        let fields = zip(starts, starts.dropFirst() + [start + text.count]).map {
            Array(text[$0 - start..<$1 - start])
        }
        defer { before = fields }
        guard fields.count == before.count else { return }
        let changed = zip(fields, before).filter { $0 != $1 }.map(\.0)
        guard changed.count < fields.count - 1 else { return }
        out.truncate(to: start)
        for field in changed { out.put(field) }
        out.put(changed.isEmpty ? " the same" : " and the same")
    }
}

extension TextFieldPrinter {
    /// Prints advertising data by its structures. The text is cached, since devices repeat their data, but
    /// not if the data is cut.
    @_lifetime(self: copy self)
    private mutating func advertising(_ octets: RawSpan) {
        if partialReports != 0 {
            let isPart = partialReports & 1 != 0
            partialReports &>>= 1
            if isPart {
                truncatedReports &>>= 1
                out.hexOctets(octets)
                out.put(" (a part)")
                return
            }
        }
        let isTruncated = truncatedReports & 1 != 0
        truncatedReports &>>= 1
        if isCut || isTruncated {
            self.isTruncated = isTruncated
            defer { self.isTruncated = false }
            return structures(octets)
        }
        if keptTexts?.put(octets, into: &out) == true { return }
        let start = out.count
        structures(octets)
        keptTexts?.keep(octets, out, from: start)
    }

    @_lifetime(self: copy self)
    private mutating func structures(_ octets: RawSpan) {
        out.put(0x5B)
        let (outer, place) = (reader.wholeSpan, reader.offset)
        var structures = ADStructures(octets)
        var isFirst = true
        namesServices = true
        while let structure = structures.next() {
            if !isFirst { out.put(0x3B) }
            isFirst = false
            if let error = show(structure, octets) { note(error) }
        }
        if case .malformed(let at, let wanted, let partial) = structures.end {
            if !isFirst { out.put(0x3B) }
            if let partial { _ = show(partial, octets) }
            note(overrun: wanted, at, octets.byteCount &- at &- 1)
        }
        namesServices = false
        reader = ByteReader(outer, from: place)
        out.put(" ]")
    }

    /// Prints a structure; returns the error if its fields could not be decoded.
    @_lifetime(self: copy self)
    private mutating func show(_ structure: ADStructure, _ octets: RawSpan) -> DecodeError? {
        out.put(0x20)
        if let name = structure.type.name {
            out.put(name)
        } else {
            out.put("AD type ")
            out.hexNumber(UInt64(structure.type.rawValue), digits: 2)
        }
        reader = ByteReader(octets.clamped(structure.data))
        if structure.type == .uri {
            URISchemes.put(octets.clamped(structure.data), into: &out)
            return nil
        }
        naming = structure.type.holdsOneField ? .next : .named
        defer { naming = .named }
        do throws(DecodeError) {
            _ = try structure.type.walk(&self)
            if structure.type == .appearance, let value = octets.clamped(structure.data).u16le(at: 0) {
                Self.put(appearance: value, into: &out)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Appends the name of an appearance, if there is one.
    private static func put(appearance value: UInt16, into out: inout TextBuffer) {
        guard let category = AssignedNumbers.appearanceCategory(value) else { return }
        out.put("(")
        out.put(category)
        if let kind = AssignedNumbers.appearanceSubcategory(value) {
            out.put(": ")
            out.put(kind)
        }
        out.put(")")
    }

    /// Prints that a structure announces more bytes than are left.
    @_lifetime(self: copy self)
    private mutating func note(overrun wanted: Int, _ at: Int, _ have: Int) {
        if isCut { return out.put(" \u{2026}") }
        if isTruncated {
            out.put(" [cut: ")
            out.decimal(have)
            out.put(" of ")
            out.count(wanted, "byte")
            return out.put("]")
        }
        out.put(" [malformed at +")
        out.decimal(at)
        out.put(": ")
        out.count(wanted, "byte")
        out.put(" announced, ")
        out.decimal(have)
        out.put(" there]")
    }
}

/// Values of fields as text.
enum TextValues {
    static func put(_ value: UInt64, width: Int, _ meaning: FieldMeaning, into out: inout TextBuffer) {
        switch meaning {
        case .number, .dBm: out.decimal(value)
        case .hex, .handle, .link: out.hexNumber(value, digits: 2 * width)
        case .opcode:
            put(
                code: value, digits: 2 * width, HCIOpcode(rawValue: UInt16(truncatingIfNeeded: value)).name,
                &out)
        case .company:
            out.hexNumber(value, digits: 2 * width)
            if let name = AssignedNumbers.company(UInt16(truncatingIfNeeded: value)) {
                out.put("(")
                out.put(name)
                out.put(")")
            }
        case .steps(let nanoseconds): put(milliseconds: Int64(clamping: value) &* nanoseconds, into: &out)
        case .status:
            put(code: value, digits: 2, HCIStatus(rawValue: UInt8(truncatingIfNeeded: value)).name, &out)
        case .code(let names):
            guard let name = names.name(value) else { return out.hexNumber(value, digits: 2 * width) }
            out.put(name)
        case .bits(let names): put(bits: value, width: width, names, into: &out)
        case .secret: out.put("(not shown)")
        }
    }

    static func put(signed value: Int64, _ meaning: FieldMeaning, into out: inout TextBuffer) {
        guard case .dBm = meaning else { return out.decimal(Int(value)) }
        // In every field that holds a level, 127 means: not measured, or no preference of the host.
        guard value != 127 else { return out.put("none") }
        out.decimal(Int(value))
        out.put(" dBm")
    }

    /// Prints a code, with its name if it has one.
    private static func put(
        code: UInt64, digits: Int, _ name: StaticText?, _ out: inout TextBuffer
    ) {
        out.hexNumber(code, digits: digits)
        guard let name else { return }
        out.put("(")
        out.put(name)
        out.put(")")
    }

    /// Prints a duration in nanoseconds as milliseconds, without trailing zeros.
    static func put(milliseconds nanoseconds: Int64, into out: inout TextBuffer) {
        thousandths((nanoseconds.magnitude + 500) / 1000, isNegative: nanoseconds <= -500, into: &out)
        out.put(" ms")
    }

    /// Prints a duration: in milliseconds below one second, in seconds below ten minutes.
    static func put(duration nanoseconds: Int64, into out: inout TextBuffer) {
        switch nanoseconds.magnitude {
        case ..<999_999_500: put(milliseconds: nanoseconds, into: &out)
        case ..<600_000_000_000:
            let milliseconds = (nanoseconds.magnitude + 500_000) / 1_000_000
            thousandths(milliseconds, isNegative: nanoseconds < 0, into: &out)
            out.put(" s")
        default: TextDuration.put(nanoseconds, into: &out)
        }
    }

    /// Prints a number of thousandths with decimals, without trailing zeros.
    private static func thousandths(_ count: UInt64, isNegative: Bool, into out: inout TextBuffer) {
        if isNegative { out.put(0x2D) }
        out.decimal(count / 1000)
        var rest = count % 1000
        guard rest > 0 else { return }
        var digits = 3
        while rest % 10 == 0 {
            rest /= 10
            digits -= 1
        }
        out.put(0x2E)
        out.decimal(rest, digits: digits)
    }

    private static func put(
        bits value: UInt64, width: Int, _ names: ValueSet, into out: inout TextBuffer
    ) {
        out.hexNumber(value, digits: 2 * width)
        var isFirst = true
        var rest = width < 8 ? value & (1 << UInt64(8 * width) - 1) : value
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            rest &= rest &- 1
            guard let name = names.name(UInt64(bit)) else { continue }
            out.put(isFirst ? "(" : "|")
            out.put(name)
            isFirst = false
        }
        if !isFirst { out.put(0x29) }
    }

    /// Whether the string of a text shows all of its bytes: they are UTF-8, and only zeros follow the first
    /// zero of a padded text.
    static func isLossless(_ octets: RawSpan, isPadded: Bool) -> Bool {
        let text = isPadded ? untilZero(octets) : octets
        guard text.isUTF8 else { return false }
        for place in text.byteCount..<octets.byteCount where octets.octet(at: place) != 0 { return false }
        return true
    }

    /// Returns the bytes before the first zero.
    @_lifetime(copy octets)
    static func untilZero(_ octets: RawSpan) -> RawSpan {
        var end = 0
        while let octet = octets.octet(at: end), octet != 0 { end += 1 }
        return octets.clamped(0..<end)
    }
}
