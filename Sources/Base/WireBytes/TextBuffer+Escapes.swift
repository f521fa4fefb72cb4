// Untrusted text such as names, notes and comments. After escaping, nothing in it can move a cursor, end a
// string or reverse the text beside it.

extension TextBuffer {
    /// Appends bytes that should be UTF-8, made safe for a terminal.
    ///
    /// Quotes and backslashes are escaped; control characters become `\u001b` and the like, and bytes that
    /// are not UTF-8 become `\xc3` and the like, so that every byte can be recovered.
    public mutating func escaped(_ octets: RawSpan) {
        if octets.isPlainText { return put(octets) }
        escape(octets, asJSON: false)
    }

    /// Appends untrusted text, escaped like bytes.
    public mutating func escaped(_ text: String) {
        // Safe: the string's own bytes, which have no padding and are borrowed during the call.
        unsafe escaped(text.utf8.span.bytes)
    }

    /// Appends bytes that should be UTF-8 as the inside of a JSON string.
    ///
    /// Bytes that are not UTF-8 become U+FFFD, one for each longest start of a character and one for each
    /// byte that starts none. Control characters are escaped.
    public mutating func jsonEscaped(_ octets: RawSpan) {
        if octets.isPlainText { return put(octets) }
        escape(octets, asJSON: true)
    }

    /// Appends a text as the inside of a JSON string.
    public mutating func jsonEscaped(_ text: String) {
        // Safe: the string's own bytes, which have no padding and are borrowed during the call.
        unsafe jsonEscaped(text.utf8.span.bytes)
    }

    private mutating func escape(_ octets: RawSpan, asJSON: Bool) {
        var index = 0
        let count = octets.byteCount
        while index < count {
            let start = index
            while let octet = octets.octet(at: index), RawSpan.isPlain(octet) { index &+= 1 }
            if index > start { put(octets.clamped(start..<index)) }
            if index < count { index &+= escapeStep(octets, index, asJSON) }
        }
    }

    /// Appends the character at an index; returns its length in bytes.
    private mutating func escapeStep(_ octets: RawSpan, _ index: Int, _ asJSON: Bool) -> Int {
        let character = UTF8Character(octets, at: index)
        let own = octets.clamped(index..<index &+ character.length)
        switch character.scalar {
        case nil where asJSON: put("\\ufffd")
        case nil:
            for place in 0..<own.byteCount {
                put("\\x")
                hex(UInt64(own.octet(at: place) ?? 0), digits: 2)
            }
        case 0x22, 0x5C:
            put(0x5C)
            put(own)
        case let scalar? where UTF8Character.isObeyed(scalar):
            put("\\u")
            hex(UInt64(scalar), digits: 4)
        default: put(own)
        }
        return character.length
    }
}

extension RawSpan {
    /// Whether the bytes are well-formed UTF-8.
    public var isUTF8: Bool { allCharacters { _ in true } }

    /// Whether the bytes are well-formed UTF-8 without characters that a terminal would obey.
    public var isShownText: Bool { allCharacters { !UTF8Character.isObeyed($0) } }

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

    /// Whether a terminal or a line reader acts on a character: controls (C0, DEL, C1), line and paragraph
    /// separators, and bidirectional controls.
    ///
    /// All have four hexadecimal digits.
    static func isObeyed(_ scalar: UInt32) -> Bool {
        switch scalar {
        case ..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
