// Numbers as text, up to eight digits at a time as the bytes of one word.

extension TextBuffer {
    /// Appends an unsigned number in decimal.
    @inlinable
    public mutating func decimal(_ value: UInt64) {
        if value < 10 { put(0x30 &+ UInt8(truncatingIfNeeded: value)) } else { digits(of: value) }
    }

    /// Appends a count with its noun, whose plural has an "s": "1 record", "2 records".
    public mutating func count(_ value: Int, _ noun: StaticText) {
        decimal(value)
        put(0x20)
        put(noun)
        if value != 1 { put(0x73) }
    }

    /// Appends a signed number in decimal.
    @inlinable public mutating func decimal(_ value: Int) {
        if value < 0 { put(0x2D) }
        decimal(UInt64(value.magnitude))
    }

    /// Appends an unsigned number without leading zeros.
    @usableFromInline
    mutating func digits(of value: UInt64) {
        if value < 100 && value > 9 {
            let tens = (value &* 103) &>> 10
            return put(word: 0x3030 | tens | (value &- tens &* 10) &<< 8, count: 2)
        }
        if value < 10_000 {
            let digits = DigitWord.fourDigits(value)
            // The last digit stays even if it is zero.
            let zeros = min(digits.trailingZeroBitCount &>> 3, 3)
            return put(word: (digits | DigitWord.zeros) &>> UInt64(8 &* zeros), count: 4 &- zeros)
        }
        let (upper, lower) = value.quotientAndRemainder(dividingBy: DigitWord.limit)
        let digits = DigitWord.digits(lower)
        if upper > 0 {
            self.digits(of: upper)
            return put(word: digits | DigitWord.zeros, count: 8)
        }
        let zeros = digits.trailingZeroBitCount &>> 3
        put(word: (digits | DigitWord.zeros) &>> UInt64(8 &* zeros), count: 8 &- zeros)
    }

    /// Appends a number in decimal, right-aligned in `width` columns.
    public mutating func decimal(_ value: UInt64, width: Int) {
        guard value < DigitWord.limit, width <= 8 else {
            var count = 1
            var rest = value
            while rest >= 10 {
                rest /= 10
                count &+= 1
            }
            fill(0x20, count: width &- count)
            return digits(of: value)
        }
        let digits = DigitWord.digits(value)
        let zeros = min(digits.trailingZeroBitCount &>> 3, 7)
        let text = digits | DigitWord.blanks | DigitWord.fromBlankToZero &<< UInt64(8 &* zeros)
        let count = max(width, 8 &- zeros)
        put(word: text &>> UInt64(8 &* (8 &- count)), count: count)
    }

    /// Appends the low `digits` decimal digits of a number, with leading zeros.
    public mutating func decimal(_ value: UInt64, digits: Int) {
        guard digits > 0 else { return }
        guard digits <= 8 else {
            let (upper, lower) = value.quotientAndRemainder(dividingBy: DigitWord.limit)
            decimal(upper, digits: digits &- 8)
            return put(word: DigitWord.text(lower), count: 8)
        }
        let low = value < DigitWord.limit ? value : value % DigitWord.limit
        put(word: DigitWord.text(low) &>> UInt64(8 &* (8 &- digits)), count: digits)
    }

    /// Appends the low `digits` hexadecimal digits of a number, in lower case.
    public mutating func hex(_ value: UInt64, digits: Int) {
        hex(value, digits: digits, letters: DigitWord.lowerCase)
    }

    /// Appends the low `digits` hexadecimal digits of a number, in upper case.
    public mutating func upperHex(_ value: UInt64, digits: Int) {
        hex(value, digits: digits, letters: DigitWord.upperCase)
    }

    @inline(__always)
    private mutating func hex(_ value: UInt64, digits: Int, letters: UInt64) {
        guard digits > 0 else { return }
        guard digits <= 8 else { return longHex(value, digits: digits, letters: letters) }
        let text = DigitWord.hex(UInt32(truncatingIfNeeded: value), letters)
        put(word: text &>> UInt64(8 &* (8 &- digits)), count: digits)
    }

    private mutating func longHex(_ value: UInt64, digits: Int, letters: UInt64) {
        hex(value &>> 32, digits: digits &- 8, letters: letters)
        hex(value, digits: 8, letters: letters)
    }

    /// Appends `0x` and the low `digits` hexadecimal digits of a number.
    @inlinable
    public mutating func hexNumber(_ value: UInt64, digits: Int) {
        put("0x")
        hex(value, digits: digits)
    }

    /// Appends the low six bytes of a number, most significant first, in upper-case hexadecimal with colons.
    public mutating func colonHex(_ value: UInt64) {
        reserve(24)
        // Safe: room for 24 bytes was reserved, and the last store ends at the nineteenth.
        let target = unsafe UnsafeMutableRawPointer(base + used)
        let first = DigitWord.hex(UInt32(truncatingIfNeeded: value &>> 16), DigitWord.upperCase)
        let last = DigitWord.hex(UInt32(truncatingIfNeeded: value) &<< 16, DigitWord.upperCase)
        for place in 0..<6 {
            let pairs = place < 4 ? first &>> UInt64(16 &* place) : last &>> UInt64(16 &* (place &- 4))
            // Two digits and a colon; the fourth byte is overwritten by the next pair or left unused.
            let octets = UInt32(truncatingIfNeeded: pairs & 0xFFFF) | 0x3A_0000
            unsafe target.storeBytes(of: octets.littleEndian, toByteOffset: 3 &* place, as: UInt32.self)
        }
        used &+= 17
    }

    /// Appends bytes as lower-case hexadecimal, two digits each, without separators.
    public mutating func hexOctets(_ octets: RawSpan) {
        let count = octets.byteCount
        reserve(2 * count)
        // Safe: room for two digits a byte was reserved; what is read lies within the span's own bytes.
        let target = unsafe UnsafeMutableRawPointer(base + used)
        unsafe octets.withUnsafeBytes { source in
            var index = 0
            while count >= 8 {
                let eight = unsafe source.loadUnaligned(fromByteOffset: index, as: SIMD8<UInt8>.self)
                let text = DigitWord.hex(eight)
                unsafe target.storeBytes(of: text, toByteOffset: 2 &* index, as: SIMD8<UInt16>.self)
                if index == count &- 8 { return }
                // The last eight may overlap those before them.
                index = min(index &+ 8, count &- 8)
            }
            while index < count {
                let text = unsafe DigitWord.hex(source[index])
                unsafe target.storeBytes(of: text.littleEndian, toByteOffset: 2 &* index, as: UInt16.self)
                index &+= 1
            }
        }
        used &+= 2 &* count
    }
}

extension Int {
    /// Returns the number with its noun, whose plural has an "s": "1 record", "2 records".
    public func counting(_ noun: String) -> String { "\(self) \(noun)" + (self == 1 ? "" : "s") }
}
