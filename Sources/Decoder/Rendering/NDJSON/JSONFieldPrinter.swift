import BluetoothCore
import WireBytes

/// Prints a PDU's fields as members of a JSON object, directly from the bytes.
///
/// The text buffer moves into the printer and, after the last field, out again with ``finish()``.
struct JSONFieldPrinter: ReadingCoder, ~Copyable, ~Escapable {
    private let octets: RawSpan
    var reader: ByteReader
    private var text: TextBuffer

    /// Creates a printer that reads `octets` from the start.
    @_lifetime(copy octets)
    init(_ octets: RawSpan, into text: consuming TextBuffer) {
        self.octets = octets
        reader = ByteReader(octets)
        self.text = text
    }

    /// Returns the buffer with the printed members.
    consuming func finish() -> TextBuffer { text }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.unsigned(width: width)
        text.member(ofField: name)
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
        text.member(ofField: name)
        text.decimal(Int(value))
    }

    @_lifetime(self: copy self)
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(try reader.u48le(), value.kind)
        text.member(ofField: name)
        value.write(json: &text)
    }

    @_lifetime(self: copy self)
    mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {
        value = try BluetoothUUID(decoding: &reader, width: width)
        text.member(ofField: name)
        value.write(json: &text)
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
        text.member(ofField: name)
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
        text.member(ofField: name)
        text.put(0x5B)
        var shown = 0
        while count.map({ shown < $0 }) ?? (reader.remaining > 0) {
            text.separator()
            let before = reader.offset
            do throws(DecodeError) {
                try object(element)
            } catch {
                text.put("]")
                throw error
            }
            // An element without bytes would be repeated forever.
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
        defer { text.put(0x7D) }
        try element(&self)
    }
}
