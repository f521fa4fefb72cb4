// Bytes examined eight at a time; the last word may overlap the one before it.

extension RawSpan {
    /// Start of the last eight bytes; nil if there are fewer.
    @inline(__always)
    var lastWord: Int? { byteCount < 8 ? nil : byteCount &- 8 }

    /// Returns the eight bytes at `index`, least significant first.
    ///
    /// All eight must lie within the span.
    @inlinable @inline(__always)
    public func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= byteCount &- 8)
        // Safe: the line above proved that all eight lie within the span.
        return unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Fewer than eight bytes as one word.
    @inline(__always)
    private var shortWord: UInt64 {
        var word: UInt64 = 0
        for index in 0..<min(byteCount, 8) { word = word &<< 8 | UInt64(octet(at: index) ?? 0) }
        return word
    }

    /// Fewer than eight bytes, least significant first, padded with the letter `a`.
    ///
    /// Uses overlapping loads, which are faster than one load per byte.
    @inline(__always)
    var paddedWord: UInt64 {
        let count = byteCount
        precondition(count < 8)
        guard count > 0 else { return WordText.repeating(0x61) }
        let padding = WordText.repeating(0x61) &<< UInt64(8 &* count)
        // Safe: each load lies within the bytes, of which there are as many as the lines before it say.
        if count >= 4 {
            let first = unsafe UInt32(littleEndian: unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self))
            let last = unsafe UInt32(
                littleEndian: unsafeLoadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return padding | UInt64(first) | UInt64(last) &<< UInt64(8 &* (count &- 4))
        }
        let middle = count &>> 1
        // Safe: as above, of at least one byte.
        let first = unsafe UInt64(unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        let second = unsafe UInt64(unsafeLoad(fromByteOffset: middle, as: UInt8.self))
        let last = unsafe UInt64(unsafeLoad(fromByteOffset: count &- 1, as: UInt8.self))
        return padding | first | second &<< UInt64(8 &* middle) | last &<< UInt64(8 &* (count &- 1))
    }

    /// Whether both spans hold the same bytes.
    public func elementsEqual(_ other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        guard let last = lastWord else { return shortWord == other.shortWord }
        var index = 0
        while index < last {
            if word(at: index) != other.word(at: index) { return false }
            index &+= 8
        }
        return word(at: last) == other.word(at: last)
    }

    /// Whether the bytes start with others.
    public func starts(with prefix: [UInt8]) -> Bool {
        for (index, octet) in prefix.enumerated() where self.octet(at: index) != octet { return false }
        return true
    }

    /// Whether any byte equals `octet`.
    public func contains(_ octet: UInt8) -> Bool {
        guard let last = lastWord else {
            for index in 0..<byteCount where self.octet(at: index) == octet { return true }
            return false
        }
        let wanted = WordText.repeating(octet)
        var index = 0
        while index < last {
            if WordText.hasZero(word(at: index) ^ wanted) { return true }
            index &+= 8
        }
        return WordText.hasZero(word(at: last) ^ wanted)
    }

    /// A number that is equal for equal bytes and rarely for others.
    ///
    /// For tables that also compare the bytes: collisions only cost time.
    public var fingerprint: UInt64 {
        var sum = UInt64(truncatingIfNeeded: byteCount)
        guard let last = lastWord else { return Self.mixed(sum, shortWord) }
        var index = 0
        while index < last {
            sum = Self.mixed(sum, word(at: index))
            index &+= 8
        }
        return Self.mixed(sum, word(at: last))
    }

    @inline(__always)
    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        // Use both halves of the product so that every bit affects the low ones.
        let product = (sum ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    /// Whether all bytes are ASCII that needs no escape: no control character, quote or backslash.
    var isPlainText: Bool {
        guard let last = lastWord else { return WordText.isPlain(paddedWord) }
        var index = 0
        while index < last {
            if !WordText.isPlain(word(at: index)) { return false }
            index &+= 8
        }
        return WordText.isPlain(word(at: last))
    }

    /// Whether a byte needs no escape in a string.
    @inline(__always)
    static func isPlain(_ octet: UInt8) -> Bool {
        octet >= 0x20 && octet < 0x7F && octet != 0x22 && octet != 0x5C
    }

    /// Whether all bytes are lower-case letters, digits or underscores.
    @inline(__always)
    var isIdentifier: Bool {
        guard let last = lastWord else { return WordText.isIdentifier(paddedWord) }
        var index = 0
        while index < last {
            if !WordText.isIdentifier(word(at: index)) { return false }
            index &+= 8
        }
        return WordText.isIdentifier(word(at: last))
    }
}
