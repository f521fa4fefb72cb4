import BluetoothCore
import WireBytes

/// Prints a PDU's fields as members of a JSON object, directly from the bytes.
///
/// The text buffer is moved in and, after the last field, moved out again with ``finish()``.
struct JSONFieldPrinter: ReadingCoder, ~Copyable, ~Escapable {
    private let octets: RawSpan
    var reader: ByteReader
    private var text: TextBuffer
    private var isFirst: Bool

    /// A printer that reads from the start of `octets`; `isFirst` if no member precedes its fields.
    @_lifetime(copy octets)
    init(_ octets: RawSpan, into text: consuming TextBuffer, isFirst: Bool) {
        self.octets = octets
        reader = ByteReader(octets)
        self.text = text
        self.isFirst = isFirst
    }

    /// Returns the buffer with the printed members.
    consuming func finish() -> TextBuffer { text }

    @_lifetime(self: copy self)
    private mutating func name(_ name: StaticText) {
        text.jsonSeparator(&isFirst)
        text.jsonName(ofField: name)
    }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.unsigned(width: width)
        self.name(name)
        if case .secret = meaning { return text.put("{\"redacted\":true}") }
        // JSON readers keep only 53 bits of a number, so wider values are strings.
        guard width < 7 else {
            text.put(0x22)
            text.hexNumber(value, digits: 2 * width)
            return text.put(0x22)
        }
        text.decimal(value)
    }

    @_lifetime(self: copy self)
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.signed(width: width)
        self.name(name)
        text.decimal(Int(value))
    }

    @_lifetime(self: copy self)
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(try reader.u48le(), value.kind)
        self.name(name)
        text.jsonString(value)
    }

    @_lifetime(self: copy self)
    mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {
        value = try BluetoothUUID(decoding: &reader, width: width)
        self.name(name)
        text.jsonString(value)
    }

    /// If fewer bytes remain than the field has, they are printed before the error is thrown.
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
        case .secret: text.put("{\"redacted\":true}")
        case .text:
            text.jsonString(TextValues.untilZero(octets))
            text.jsonOctets(ofText: octets, name, isPadded: true)
        case .octets, .advertising, .attributeValue: text.jsonHex(octets)
        }
        if wanted > have { throw DecodeError(.truncated(need: wanted, have: have), at: start) }
    }

    @_lifetime(self: copy self)
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout JSONFieldPrinter) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        self.name(name)
        text.put(0x5B)
        var shown = 0
        while count.map({ shown < $0 }) ?? (reader.remaining > 0) {
            if shown > 0 { text.put(0x2C) }
            let before = reader.offset
            do throws(DecodeError) {
                try object(element)
            } catch {
                text.put("]")
                throw error
            }
            // An element without bytes would repeat forever.
            guard reader.offset > before else {
                text.put("]")
                throw DecodeError(.invalidLength, at: before)
            }
            shown += 1
        }
        text.put(0x5D)
    }

    @_lifetime(self: copy self)
    private mutating func object(
        _ element: (inout JSONFieldPrinter) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        text.put(0x7B)
        let outer = isFirst
        isFirst = true
        defer {
            text.put(0x7D)
            isFirst = outer
        }
        try element(&self)
    }
}
