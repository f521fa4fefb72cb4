// Untrusted text such as names, notes and comments. After escaping, nothing in it can move a cursor, end a
// string or reverse the text beside it. One function decides what is escaped: `UTF8Character.needsEscape`.

extension TextBuffer {
    /// Appends bytes that should be UTF-8, made safe for a terminal.
    ///
    /// Quotes and backslashes are escaped; control characters and others that show nothing become
    /// `\u001b` or `\U000e0041` and its like, and bytes that are not UTF-8 `\xc3` and its like, so that
    /// every byte can be told.
    public mutating func escaped(_ octets: RawSpan) {
        if octets.isPlainText { return put(octets) }
        escape(octets, .text)
    }

    /// Appends untrusted text, escaped like bytes.
    public mutating func escaped(_ text: String) {
        // Safe: the string's own bytes, which have no padding and are borrowed during the call.
        unsafe escaped(text.utf8.span.bytes)
    }

    /// Appends bytes that should be UTF-8 as the inside of a JSON string.
    ///
    /// Its value is the text; bytes that are not UTF-8 become U+FFFD, one for each longest start of a
    /// character and each byte that starts none. Control characters and others that show nothing are
    /// escaped.
    public mutating func jsonEscaped(_ octets: RawSpan) {
        if octets.isPlainText { return put(octets) }
        escape(octets, .json)
    }

    /// Appends a text as the inside of a JSON string.
    public mutating func jsonEscaped(_ text: String) {
        // Safe: the string's own bytes, which have no padding and are borrowed during the call.
        unsafe jsonEscaped(text.utf8.span.bytes)
    }

    /// Appends a sentence that may quote untrusted text, without characters that a terminal obeys. Its quotes
    /// and backslashes stay, so that escaped text does not change.
    ///
    /// - Parameter keepsLines: whether line ends stay too.
    public mutating func visible(_ text: String, keepsLines: Bool = false) {
        // Safe: the string's own bytes, which have no padding and are borrowed during the call.
        unsafe visible(text.utf8.span.bytes, keepsLines: keepsLines)
    }

    /// Appends bytes of sentences like ``visible(_:keepsLines:)``.
    public mutating func visible(_ octets: RawSpan, keepsLines: Bool = false) {
        escape(octets, keepsLines ? .lines : .sentence)
    }

    private enum Escaping {
        /// Untrusted text, between quotes or alone.
        case text
        /// The inside of a JSON string.
        case json
        /// A line of this program that may quote untrusted text.
        case sentence
        /// Several such lines.
        case lines
    }

    private mutating func escape(_ octets: RawSpan, _ escaping: Escaping) {
        var index = 0
        let count = octets.byteCount
        while index < count {
            let start = index
            while let octet = octets.octet(at: index), RawSpan.isPlain(octet) { index &+= 1 }
            if index > start { put(octets.clamped(start..<index)) }
            if index < count { index &+= escapeStep(octets, at: index, escaping) }
        }
    }

    /// Appends the character at an index; returns its length in bytes.
    private mutating func escapeStep(_ octets: RawSpan, at index: Int, _ escaping: Escaping) -> Int {
        let character = UTF8Character(octets, at: index)
        let own = octets.clamped(index..<index &+ character.length)
        switch (character.scalar, escaping) {
        case (nil, .json): put("\\ufffd")
        case (nil, _):
            for place in 0..<own.byteCount {
                put("\\x")
                hex(UInt64(own.octet(at: place) ?? 0), digits: 2)
            }
        case (0x22, .text), (0x5C, .text), (0x22, .json), (0x5C, .json):
            put(0x5C)
            put(own)
        case (0x0A, .lines): put(own)
        case (let scalar?, _) where UTF8Character.needsEscape(scalar): put(escape: scalar, escaping)
        default: put(own)
        }
        return character.length
    }

    /// Appends a character by its number; JSON has none above 0xFFFF, but pairs of surrogates (RFC 8259, 7).
    private mutating func put(escape scalar: UInt32, _ escaping: Escaping) {
        if scalar > 0xFFFF, escaping == .json {
            for unit in Unicode.Scalar(scalar).map({ Array(UTF16.encode($0) ?? UTF16.EncodedScalar()) }) ?? []
            {
                put("\\u")
                hex(UInt64(unit), digits: 4)
            }
        } else if scalar > 0xFFFF {
            put("\\U")
            hex(UInt64(scalar), digits: 8)
        } else {
            put("\\u")
            hex(UInt64(scalar), digits: 4)
        }
    }
}

extension String {
    /// The text as one line for output: only characters that a terminal obeys, or that show nothing, are
    /// escaped.
    public var visible: String {
        var out = TextBuffer(capacity: utf8.count + 16)
        out.visible(self)
        return out.text
    }

    /// Untrusted text as the inside of a string in quotes.
    public var escaped: String {
        var out = TextBuffer(capacity: utf8.count + 16)
        out.escaped(self)
        return out.text
    }
}

extension RawSpan {
    /// Whether the bytes are well-formed UTF-8.
    public var isUTF8: Bool { allCharacters { _ in true } }

    /// Whether the bytes are well-formed UTF-8 without characters that need an escape.
    public var isShownText: Bool { allCharacters { !UTF8Character.needsEscape($0) } }

    @inline(__always)
    private func allCharacters(_ isFine: (UInt32) -> Bool) -> Bool {
        var index = 0
        while let octet = octet(at: index) {
            if RawSpan.isPlain(octet) {
                index &+= 1
                continue
            }
            let character = UTF8Character(self, at: index)
            guard let scalar = character.scalar, isFine(scalar) else { return false }
            index &+= character.length
        }
        return true
    }
}

/// One character of bytes that should be UTF-8 (the Unicode Standard, 3.9, table 3-7).
struct UTF8Character {
    /// The character; nil if the bytes are not UTF-8.
    let scalar: UInt32?
    /// Length in bytes; for invalid UTF-8 that of the longest start of a character, at least one.
    let length: Int

    init(_ octets: RawSpan, at index: Int) {
        let first = octets.octet(at: index) ?? 0
        let count: Int
        switch first {
        case ..<0x80:
            (scalar, length) = (UInt32(first), 1)
            return
        case 0xC2...0xDF: count = 2
        case 0xE0...0xEF: count = 3
        case 0xF0...0xF4: count = 4
        default:
            (scalar, length) = (nil, 1)
            return
        }
        var value = UInt32(first) & (0x7F &>> UInt32(count))
        for place in 1..<count {
            let range = place == 1 ? Self.second(after: first) : 0x80...0xBF
            guard let next = octets.octet(at: index &+ place), range.contains(next) else {
                (scalar, length) = (nil, place)
                return
            }
            value = value &<< 6 | UInt32(next & 0x3F)
        }
        (scalar, length) = (value, count)
    }

    /// Returns the valid second bytes, excluding overlong forms, surrogates and values past the last
    /// character.
    private static func second(after first: UInt8) -> ClosedRange<UInt8> {
        switch first {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }

    /// Whether a character is written by its number: a terminal or a reader of lines obeys it (controls, ends
    /// of lines and paragraphs), it reverses, joins or hides the text beside it (format characters, tags,
    /// selectors, fillers), or its meaning is unknown (private use, unassigned).
    ///
    /// Unicode Standard, 4.5 (General Category) and 5.21 (Default Ignorable Code Points).
    static func needsEscape(_ scalar: UInt32) -> Bool {
        if scalar < 0xA0 { return scalar < 0x20 || scalar >= 0x7F }
        guard let properties = Unicode.Scalar(scalar)?.properties else { return true }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return true
        default: return properties.isDefaultIgnorableCodePoint
        }
    }
}

/// Escapes text for XML and HTML.
public enum Markup {
    /// Escapes untrusted text for an element or a quoted attribute.
    ///
    /// Line ends stay; characters that a page or a terminal would obey are escaped as in text.
    public static func escaped(_ text: String) -> String {
        var visible = TextBuffer(capacity: text.utf8.count + 16)
        visible.visible(text, keepsLines: true)
        var result = ""
        for scalar in visible.text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
