extension TextBuffer {
    /// Appends a literal as an identifier: letters in lower case, brackets left out, everything else as
    /// underscores.
    public mutating func identifier(_ name: StaticText) {
        if identifierInWords(name.octets) { return }
        let count = name.count
        reserve(count)
        // Safe: a literal in UTF-8 has `count` bytes at its start.
        let source = unsafe name.start
        var place = used
        for index in 0..<count {
            // Safe: `index` is below the literal's count, and room for as many bytes was reserved.
            let octet = unsafe source[index]
            switch octet {
            case 0x61...0x7A, 0x30...0x39, 0x5F: unsafe base[place] = octet
            case 0x41...0x5A: unsafe base[place] = octet | 0x20
            case 0x28, 0x29, 0x5B, 0x5D: continue
            default: unsafe base[place] = 0x5F
            }
            place &+= 1
        }
        used = place
    }

    /// Appends a name of letters, digits, underscores and spaces, eight at a time; returns false for others.
    private mutating func identifierInWords(_ name: RawSpan) -> Bool {
        guard let last = name.lastWord else {
            guard let word = WordText.identifier(name.paddedWord) else { return false }
            put(word: word, count: name.byteCount)
            return true
        }
        reserve(name.byteCount)
        // Safe: `index` is at most `last`, eight bytes before the name's end, and there is room for all.
        let target = unsafe UnsafeMutableRawPointer(base + used)
        var index = 0
        while true {
            guard let word = WordText.identifier(name.word(index)) else { return false }
            unsafe target.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
            if index == last { break }
            index = min(index &+ 8, last)
        }
        used &+= name.byteCount
        return true
    }

    /// Appends an arbitrary name in snake case: `doorsOpen` and `doors-open` become `doors_open`.
    ///
    /// Writes only letters, digits and underscores.
    public mutating func memberName(_ name: String) {
        // Safe: the string's own bytes, which have no padding and are borrowed during the call.
        unsafe memberName(name.utf8.span.bytes)
    }

    private mutating func memberName(_ name: RawSpan) {
        if name.isIdentifier { return put(name) }
        var before = Self.none
        var upper = Self.none
        // An upper-case letter starts a word after a lower-case one, and before one: `statusURLText` has
        // three words.
        for index in 0..<name.byteCount {
            let octet = name.octet(at: index) ?? 0
            let isUpper = (0x41...0x5A).contains(octet)
            if upper != Self.none {
                let isSmall = (0x61...0x7A).contains(octet)
                let follows = (0x61...0x7A).contains(before) || (0x30...0x39).contains(before)
                if follows || isSmall && (0x41...0x5A).contains(before) { put(0x5F) }
                put(upper | 0x20)
                before = upper
                upper = Self.none
            }
            if isUpper {
                upper = octet
                continue
            }
            switch octet {
            case 0x61...0x7A, 0x30...0x39, 0x5F: put(octet)
            default: put(0x5F)
            }
            before = octet
        }
        guard upper != Self.none else { return }
        if (0x61...0x7A).contains(before) || (0x30...0x39).contains(before) { put(0x5F) }
        put(upper | 0x20)
    }

    private static let none: UInt8 = 0
}
