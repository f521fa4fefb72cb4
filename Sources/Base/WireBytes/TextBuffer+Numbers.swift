// Numbers as text. Digits are made from the right into room that was reserved first.

@usableFromInline let lowerDigits: StaticString = "0123456789abcdef"
@usableFromInline let upperDigits: StaticString = "0123456789ABCDEF"

extension TextBuffer {
    /// Appends an unsigned number in decimal.
    @inlinable
    public mutating func decimal(_ value: UInt64) {
        switch value {
        case 0..<10: put(0x30 &+ UInt8(truncatingIfNeeded: value))
        case 10..<100: decimal(value, digits: 2)
        case 100..<1000: decimal(value, digits: 3)
        case 1000..<10_000: decimal(value, digits: 4)
        case 10_000..<100_000: decimal(value, digits: 5)
        default:
            var count = 6
            var rest = value / 1_000_000
            while rest > 0 {
                rest /= 10
                count &+= 1
            }
            decimal(value, digits: count)
        }
    }

    /// Appends an unsigned number in decimal.
    @inlinable public mutating func decimal(_ value: Int) {
        if value < 0 { put(0x2D) }
        decimal(UInt64(value.magnitude))
    }

    /// Appends the low `digits` decimal digits of a number, with leading zeros.
    @inlinable
    public mutating func decimal(_ value: UInt64, digits: Int) {
        reserve(digits)
        var rest = value
        var index = used &+ digits &- 1
        while index >= used {
            let next = rest / 10
            // Safe: room for `digits` octets was reserved, and `index` lies within it.
            unsafe base[index] = 0x30 &+ UInt8(truncatingIfNeeded: rest &- next &* 10)
            rest = next
            index &-= 1
        }
        used &+= digits
    }

    /// Appends a number in decimal, right-aligned in `width` columns.
    @inlinable
    public mutating func decimal(_ value: UInt64, width: Int) {
        var count = 1
        var rest = value
        while rest >= 10 {
            rest /= 10
            count &+= 1
        }
        fill(0x20, count: width &- count)
        decimal(value, digits: count)
    }

    /// Appends the low `digits` hexadecimal digits of a number, in lower case.
    @inlinable
    public mutating func hex(_ value: UInt64, digits: Int) {
        hex(value, digits: digits, table: lowerDigits)
    }

    /// Appends the low `digits` hexadecimal digits of a number, in upper case.
    @inlinable
    public mutating func upperHex(_ value: UInt64, digits: Int) {
        hex(value, digits: digits, table: upperDigits)
    }

    @inlinable
    mutating func hex(_ value: UInt64, digits: Int, table: StaticString) {
        reserve(digits)
        var rest = value
        var index = used &+ digits &- 1
        while index >= used {
            // Safe: room was reserved, and the table has sixteen digits.
            unsafe base[index] = table.utf8Start[Int(rest & 15)]
            rest &>>= 4
            index &-= 1
        }
        used &+= digits
    }

    /// Appends `0x` and the low `digits` hexadecimal digits of a number.
    @inlinable
    public mutating func hexNumber(_ value: UInt64, digits: Int) {
        put("0x")
        hex(value, digits: digits)
    }

    /// Appends octets as lower-case hexadecimal, two digits each, without separators.
    @inlinable
    public mutating func hexOctets(_ octets: RawSpan) {
        let count = octets.byteCount
        reserve(2 &* count)
        // Safe: the table is static and has an entry for each value of half an octet.
        let table = unsafe lowerDigits.utf8Start
        // Safe: room for two digits an octet was reserved; `index` runs over the span's own octets.
        unsafe octets.withUnsafeBytes { source in
            var place = used
            for index in 0..<count {
                let octet = unsafe source[index]
                unsafe base[place] = table[Int(octet &>> 4)]
                unsafe base[place &+ 1] = table[Int(octet & 15)]
                place &+= 2
            }
        }
        used &+= 2 &* count
    }

    /// Appends UTF-8 that an outsider wrote, made safe for a terminal and for JSON strings.
    ///
    /// Quotes and backslashes are escaped, control characters and octets that are no UTF-8 become `\u00XX`
    /// of the octet's value, so that nothing in a capture can move a cursor or end a string.
    @inlinable
    public mutating func escaped(_ octets: RawSpan) {
        var index = 0
        let count = octets.byteCount
        while index < count {
            let start = index
            while let octet = octets.octet(at: index), isPlain(octet) { index &+= 1 }
            if index > start { put(octets.clamped(start..<index)) }
            if let octet = octets.octet(at: index) { index &+= escapedStep(octets, index, octet) }
        }
    }

    /// Appends a text that may be a stranger's, escaped like octets.
    public mutating func escaped(_ text: String) {
        // Safe: the string's own octets, which have no padding and are borrowed during the call.
        unsafe escaped(text.utf8.span.bytes)
    }

    /// Whether an octet stands for itself in an escaped string.
    @inlinable
    func isPlain(_ octet: UInt8) -> Bool {
        octet >= 0x20 && octet < 0x7F && octet != 0x22 && octet != 0x5C
    }

    @usableFromInline
    mutating func escapedStep(_ octets: RawSpan, _ index: Int, _ octet: UInt8) -> Int {
        if octet == 0x22 || octet == 0x5C {
            put(0x5C)
            put(octet)
            return 1
        }
        let length = octet < 0x80 ? 0 : utf8Length(octets, index)
        if length >= 2 {
            for place in index..<index + length { put(octets.octet(at: place) ?? 0) }
            return length
        }
        put("\\u00")
        hex(UInt64(octet), digits: 2)
        return 1
    }
}

/// The octets of the well-formed UTF-8 sequence at `index` that shows something; 0 where there is none.
///
/// C1 controls (U+0080 to U+009F) count as none: terminals obey them.
func utf8Length(_ octets: RawSpan, _ index: Int) -> Int {
    guard let first = octets.octet(at: index) else { return 0 }
    let length: Int
    var scalar: UInt32
    switch first {
    case 0xC2...0xDF: (length, scalar) = (2, UInt32(first & 0x1F))
    case 0xE0...0xEF: (length, scalar) = (3, UInt32(first & 0x0F))
    case 0xF0...0xF4: (length, scalar) = (4, UInt32(first & 0x07))
    default: return 0
    }
    for place in 1..<length {
        guard let next = octets.octet(at: index + place), next & 0xC0 == 0x80 else { return 0 }
        scalar = scalar << 6 | UInt32(next & 0x3F)
    }
    let smallest: UInt32 = length == 2 ? 0xA0 : length == 3 ? 0x800 : 0x10000
    guard scalar >= smallest, Unicode.Scalar(scalar) != nil else { return 0 }
    // Directional overrides and isolates reorder what stands around them on a terminal.
    if (0x202A...0x202E).contains(scalar) || (0x2066...0x2069).contains(scalar) { return 0 }
    return length
}
