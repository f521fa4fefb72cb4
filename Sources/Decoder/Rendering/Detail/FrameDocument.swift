import BluetoothCore
import WireBytes

/// One frame as a value: the lines of its layers, each field with its place and bytes, and then its meaning.
///
/// It holds only the bytes that its lines show. All others, above all keys, can't reach an output.
struct FrameDocument: ~Copyable {
    /// A field that a PDU declares.
    struct Field {
        /// The kind of a field, as far as its meaning depends on it.
        enum Kind {
            case plain
            case address
            case status(UInt8)
        }

        var name: StaticText
        var kind: Kind
        /// Place of the value in the texts.
        var value: Int
        /// Number of elements that follow in its list.
        var more = 0
    }

    /// A line of a layer. Its text and bytes end where those of the next line begin.
    private struct Line {
        /// Place of a field's first byte; nil for a title or a fact.
        var place: Int?
        /// Whether the place is in the reassembled PDU instead of the record.
        var isJoined = false
        var indent = 0
        var text: Int
        var octets: Int
        var field: Field?
    }

    private var lines: [Line] = []
    private var octets = TextBuffer(capacity: 256)
    /// The texts of all lines, then the meaning; callers append the last line's text here.
    var text = TextBuffer()
    private var meaningStart: Int?
    /// Whether the places of the next fields are those in a PDU reassembled from several frames.
    var isJoined = false
    /// The first signal strength in a field, in dBm.
    var rssi: Int?

    mutating func clear() {
        lines.removeAll(keepingCapacity: true)
        octets.clear()
        text.clear()
        (meaningStart, isJoined, rssi) = (nil, false, nil)
    }

    // MARK: Building

    /// Adds a title or a fact.
    mutating func line(_ line: String) {
        lines.append(Line(text: text.count, octets: octets.count))
        text.put(line)
    }

    /// Adds a field, whose text the caller appends; `octets` is empty if the bytes must not be shown.
    mutating func field(at place: Int, _ octets: RawSpan, indent: Int = 0) {
        lines.append(
            Line(
                place: place, isJoined: isJoined, indent: indent, text: text.count, octets: self.octets.count)
        )
        self.octets.put(octets)
    }

    /// Notes that the last line is that of a declared field, whose value follows.
    mutating func begin(_ name: StaticText, _ kind: Field.Kind) {
        lines[lines.count - 1].field = Field(name: name, kind: kind, value: text.count)
    }

    /// Adds the number of a list's further elements to the last field of its first element.
    mutating func endList(after more: Int) {
        guard let last = lines.lastIndex(where: { $0.field != nil }) else { return }
        lines[last].field?.more += more
    }

    /// Ends the layers; ``text`` appended from here on is the meaning.
    mutating func beginMeaning() { meaningStart = text.count }

    // MARK: Reading

    /// The declared fields with the texts of their values; of lists, only those of the first element.
    var declared: [(field: Field, value: [UInt8])] {
        lines.indices.compactMap { index in
            guard let field = lines[index].field else { return nil }
            return (field, text.octets.clamped(field.value..<texts(index).upperBound).copied())
        }
    }

    private func texts(_ index: Int) -> Range<Int> {
        let isLast = index + 1 == lines.count
        return lines[index].text..<(isLast ? meaningStart ?? text.count : lines[index + 1].text)
    }

    private func bytes(_ index: Int) -> Range<Int> {
        lines[index].octets..<(index + 1 < lines.count ? lines[index + 1].octets : octets.count)
    }

    /// Bytes per line of text, and most lines per field.
    private static let (mostBytes, mostLines) = (16, 24)

    /// Appends everything as text.
    func put(into out: inout TextBuffer) {
        for (index, line) in lines.enumerated() {
            let field = octets.octets.clamped(bytes(index))
            if let place = line.place { Self.begin(at: place, field, indent: line.indent, &out) }
            out.put(text.octets.clamped(texts(index)))
            guard let place = line.place else {
                out.put(0x0A)
                continue
            }
            let isText = field.holdsText
            if isText { Self.put(characters: field, &out) }
            out.put(0x0A)
            for start in stride(from: Self.mostBytes, to: field.byteCount, by: Self.mostBytes) {
                guard start < Self.mostBytes * Self.mostLines else {
                    out.put("          and \((field.byteCount - start).counting("more byte"))\n")
                    break
                }
                Self.begin(at: place + start, field.dropping(start), indent: 0, &out)
                if isText { Self.put(characters: field.dropping(start), &out) }
                out.put(0x0A)
            }
        }
        out.put(text.octets.dropping(meaningStart ?? text.count))
    }

    /// Begins a line of text with the place and the bytes there, padded up to the text.
    private static func begin(at place: Int, _ octets: RawSpan, indent: Int, _ out: inout TextBuffer) {
        let start = out.count
        out.put("  +")
        out.decimal(place)
        out.pad(from: start, to: 8)
        out.hexOctets(octets.clamped(0..<min(octets.byteCount, mostBytes)))
        out.fill(0x20, count: max(1, 42 - (out.count - start)) + indent)
    }

    /// Appends the bytes of a line as ASCII, with a point for each unprintable byte.
    private static func put(characters octets: RawSpan, _ out: inout TextBuffer) {
        out.put("  |")
        for place in 0..<min(octets.byteCount, mostBytes) {
            guard let octet = octets.octet(at: place), octet.isPrintable else {
                out.put("\u{B7}")
                continue
            }
            out.put(octet)
        }
        out.put("|")
    }

    /// Appends the lines as JSON: a title is a string; a field is its place, number of bytes and text, then 1
    /// if the place is in the reassembled PDU.
    func put(json out: inout TextBuffer) {
        out.put(0x5B)
        for (index, line) in lines.enumerated() {
            out.separator()
            if let place = line.place {
                out.put(0x5B)
                out.decimal(place)
                out.separator()
                out.decimal(bytes(index).count)
                out.separator()
            }
            out.put(0x22)
            out.fill(0x20, count: line.indent)
            out.jsonEscaped(text.octets.clamped(texts(index)))
            out.put(0x22)
            if line.place != nil { out.put(line.isJoined ? ",1]" : "]") }
        }
        out.endArray()
    }

    /// Appends the meaning as a further member; nothing without a meaning.
    func put(jsonMeaning out: inout TextBuffer) {
        guard let meaningStart, meaningStart < text.count else { return }
        out.member("meaning", text: text.octets.dropping(meaningStart))
    }

    /// Appends the bytes of the record, or of the reassembled PDU, as a string in hexadecimal, with `..` for
    /// each byte that no line shows.
    ///
    /// - Parameter start: the place of the first byte.
    func put(
        jsonHex octets: RawSpan, from start: Int = 0, isJoined: Bool = false, showsAll: Bool = false,
        into out: inout TextBuffer
    ) {
        var isShown = [Bool](repeating: showsAll, count: octets.byteCount)
        for (index, line) in lines.enumerated() where line.isJoined == isJoined {
            guard let place = line.place else { continue }
            let range = place - start..<place - start + bytes(index).count
            for shown in range.clamped(to: 0..<octets.byteCount) { isShown[shown] = true }
        }
        out.put(0x22)
        for (index, isShown) in isShown.enumerated() {
            if isShown { out.hex(UInt64(octets.octet(at: index) ?? 0), digits: 2) } else { out.put("..") }
        }
        out.put(0x22)
    }
}

extension UInt8 {
    /// Whether it is a printable character of ASCII.
    fileprivate var isPrintable: Bool { 0x20...0x7E ~= self }
}

extension RawSpan {
    /// Least number of consecutive printable characters in bytes that count as text.
    private static let leastText = 4

    /// Whether some of the bytes may be text.
    fileprivate var holdsText: Bool {
        var run = 0
        for place in 0..<byteCount {
            run = octet(at: place)?.isPrintable == true ? run + 1 : 0
            if run == Self.leastText { return true }
        }
        return false
    }
}
