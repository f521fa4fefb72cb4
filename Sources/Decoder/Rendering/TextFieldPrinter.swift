import BluetoothCore
import WireBytes

/// Shows a PDU's fields as ` name=value` pairs, straight from the octets.
///
/// It holds the output buffer while it walks, and gives it back with ``finish()``.
struct TextFieldPrinter: FieldCoder, ~Copyable, ~Escapable {
    var reader: ByteReader
    var out: TextBuffer

    /// A printer over `octets` that appends to `out`.
    @_lifetime(copy octets)
    init(_ octets: RawSpan, into out: consuming TextBuffer) {
        reader = ByteReader(octets)
        self.out = out
    }

    /// The output.
    consuming func finish() -> TextBuffer { out }

    var remaining: Int { reader.remaining }
    var offset: Int { reader.offset }

    /// Says where the fields could not be read on.
    @_lifetime(self: copy self)
    mutating func note(_ error: DecodeError) {
        out.put(" [malformed at +")
        out.decimal(error.offset)
        out.put("]")
    }

    @_lifetime(self: copy self)
    mutating func name(_ name: StaticString) {
        out.put(0x20)
        out.put(name)
        out.put(0x3D)
    }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.unsigned(width: width)
        self.name(name)
        TextValues.put(value, width: width, meaning, into: &out)
    }

    @_lifetime(self: copy self)
    mutating func signed(
        _ name: StaticString, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.signed(width: width)
        self.name(name)
        out.decimal(Int(value))
        if case .dBm = meaning { out.put(" dBm") }
    }

    @_lifetime(self: copy self)
    mutating func address(_ name: StaticString, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(try reader.u48le(), value.kind)
        self.name(name)
        out.put(value)
    }

    @_lifetime(self: copy self)
    mutating func uuid(_ name: StaticString, _ value: inout BluetoothUUID, width: Int) throws(DecodeError) {
        value = try BluetoothUUID(decoding: &reader, width: width)
        self.name(name)
        out.put(value)
    }

    @_lifetime(self: copy self)
    mutating func payload<P: PDUPayload>(
        _ name: StaticString, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        let octets = try reader.take(count ?? reader.remaining)
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
    }

    @_lifetime(self: copy self)
    mutating func list<Element: PDUFields>(
        _ name: StaticString, _ elements: inout [Element], count: Int?
    ) throws(DecodeError) {
        self.name(name)
        out.put(0x5B)
        var shown = 0
        while count.map({ shown < $0 }) ?? (reader.remaining > 0) {
            if shown > 0 { out.put(0x3B) }
            var element = Element()
            let before = reader.offset
            try element.code(&self)
            guard reader.offset > before else { throw DecodeError(.invalidLength, at: before) }
            shown += 1
        }
        out.put(" ]")
    }
}

extension TextFieldPrinter {
    /// Advertising data by its structures.
    @_lifetime(self: copy self)
    mutating func advertising(_ octets: RawSpan) {
        out.put(0x5B)
        let (outer, place) = (reader.wholeSpan, reader.offset)
        var structures = ADStructures(octets)
        var isFirst = true
        while let structure = structures.next() {
            if !isFirst { out.put(0x3B) }
            isFirst = false
            out.put(0x20)
            if let name = AssignedNumbers.adType(structure.type.rawValue) {
                out.put(name)
            } else {
                out.put("AD type ")
                out.hexNumber(UInt64(structure.type.rawValue), digits: 2)
            }
            let data = octets.clamped(structure.data)
            reader = ByteReader(data)
            do throws(DecodeError) {
                _ = try structure.type.walk(&self)
            } catch {
                note(error)
            }
        }
        reader = ByteReader(outer, from: place)
        out.put(" ]")
    }

    @_lifetime(self: copy self)
    mutating func elements<P: PDUPayload, Element: PDUFields>(
        _ name: StaticString, _ octets: inout P, of: Element.Type, width: Int?
    ) throws(DecodeError) {
        self.name(name)
        out.put(0x5B)
        let outer = reader.wholeSpan
        let all = reader.takeRest()
        var start = 0
        while start < all.byteCount {
            if start > 0 { out.put(0x3B) }
            reader = ByteReader(all.clamped(start..<(width.map { start + $0 } ?? all.byteCount)))
            var element = Element()
            do throws(DecodeError) {
                try element.code(&self)
            } catch {
                reader = ByteReader(outer, from: outer.byteCount)
                throw DecodeError(error.reason, at: error.offset + start)
            }
            guard reader.offset > 0 else { throw DecodeError(.invalidLength, at: start) }
            start += width ?? reader.offset
        }
        reader = ByteReader(outer, from: outer.byteCount)
        out.put(" ]")
    }
}

/// Values of fields as text.
enum TextValues {
    static func put(_ value: UInt64, width: Int, _ meaning: FieldMeaning, into out: inout TextBuffer) {
        switch meaning {
        case .number, .dBm: out.decimal(value)
        case .hex, .handle, .opcode: out.hexNumber(value, digits: 2 * width)
        case .company:
            out.hexNumber(value, digits: 2 * width)
            if let name = AssignedNumbers.company(UInt16(truncatingIfNeeded: value)) {
                out.put("(")
                out.put(name)
                out.put(")")
            }
        case .steps(let nanoseconds): put(milliseconds: Int64(clamping: value) &* nanoseconds, into: &out)
        case .status: out.hexNumber(value, digits: 2)
        case .code(let names):
            guard let name = names(value) else { return out.hexNumber(value, digits: 2 * width) }
            out.put(name)
        case .bits(let names): put(bits: value, width: width, names, into: &out)
        case .secret: out.put("(not shown)")
        }
    }

    /// A duration in nanoseconds as milliseconds, without zeros at its end.
    static func put(milliseconds nanoseconds: Int64, into out: inout TextBuffer) {
        let whole = nanoseconds / 1_000_000
        out.decimal(Int(whole))
        var rest = (nanoseconds % 1_000_000).magnitude / 1000
        if rest > 0 {
            var digits = 3
            while rest % 10 == 0 {
                rest /= 10
                digits -= 1
            }
            out.put(0x2E)
            out.decimal(UInt64(rest), digits: digits)
        }
        out.put(" ms")
    }

    private static func put(
        bits value: UInt64, width: Int, _ names: (Int) -> StaticString?, into out: inout TextBuffer
    ) {
        out.hexNumber(value, digits: 2 * width)
        var isFirst = true
        for bit in 0..<(8 * width) where value & 1 << UInt64(bit) != 0 {
            guard let name = names(bit) else { continue }
            out.put(isFirst ? "(" : "|")
            out.put(name)
            isFirst = false
        }
        if !isFirst { out.put(0x29) }
    }

    /// The octets before the first zero.
    @_lifetime(copy octets)
    static func untilZero(_ octets: RawSpan) -> RawSpan {
        var end = 0
        while let octet = octets.octet(at: end), octet != 0 { end += 1 }
        return octets.clamped(0..<end)
    }
}
